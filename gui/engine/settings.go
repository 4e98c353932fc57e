package engine

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/gui/settings"
	"github.com/refscope/refscope/snapshot/turn"
)

// Facts implements [settings.Engine].
func (l *Live) Facts(ctx context.Context) (settings.Facts, error) {
	f := settings.Facts{Home: filepath.Dir(turn.SessionDir(l.opt.Home, "x"))}
	if found, err := browser.Find(""); err == nil { // else there is none, which the dialog says
		f.Chrome = found
	}
	for _, v := range apikey.Vendors() {
		k := settings.Key{Vendor: v.Name}
		if v.FromEnvironment() {
			k.From = v.Variable
		} else if _, err := v.Keyring(ctx); err == nil { // else there is none to be had
			k.From = "in the keyring"
		}
		f.Keys = append(f.Keys, k)
	}
	return f, ctx.Err()
}

// StoreKey implements [settings.Engine].
func (l *Live) StoreKey(ctx context.Context, vendor, key string) error {
	v, ok := apikey.Named(vendor)
	if !ok {
		return fmt.Errorf("unknown vendor %q", vendor)
	}
	if key == "" {
		return v.Delete(ctx)
	}
	return v.Store(ctx, key)
}
