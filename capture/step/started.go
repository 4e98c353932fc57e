package step

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/registry"
)

// Started is a browser that was started from here and outlives the commands.
type Started struct {
	Address string `json:"address"` // HOST:PORT
	registry.Browser
	Running bool     `json:"running"`
	Aliases []string `json:"aliases,omitempty"` // of its tabs
}

// Started lists the browsers that were started with this home folder, by address. One
// that is gone is listed with Running false.
func (h *Host) Started(ctx context.Context) ([]Started, error) {
	f, err := h.reg.Load()
	if err != nil {
		return nil, err
	}
	var out []Started
	for address, b := range f.Browsers {
		endpoint, err := browser.Endpoint(ctx, address)
		s := Started{Address: address, Browser: b, Running: err == nil && endpoint == b.Endpoint}
		for alias, t := range f.Tabs {
			if t.Address() == address {
				s.Aliases = append(s.Aliases, alias)
			}
		}
		slices.Sort(s.Aliases)
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Started) int {
		if a.Address < b.Address {
			return -1
		}
		return 1
	})
	return out, nil
}

// End closes a browser that was started from here, with all its tabs, and forgets their
// aliases. One that was not, or whose address another browser has taken since, is
// refused (C-2).
func (h *Host) End(ctx context.Context, address string) error {
	f, err := h.reg.Load()
	if err != nil {
		return err
	}
	b, ok := f.Browsers[address]
	if !ok {
		return fmt.Errorf("the browser at %s was not started by refscopectl, so it is not closed", address)
	}
	switch endpoint, err := browser.Endpoint(ctx, address); {
	case err != nil: // it is gone
	case endpoint != b.Endpoint:
		return fmt.Errorf("the browser at %s is another one than was started by refscopectl, so it is not closed", address)
	default:
		if err := browser.End(ctx, endpoint); err != nil {
			return err
		}
		vacated(ctx, b.Profile)
	}
	return h.reg.Update(ctx, func(f *registry.File) error {
		f.Sweep(address, nil)
		delete(f.Browsers, address)
		return nil
	})
}

// vacated waits until a browser that is ending has left its profile: it writes there
// after its last word, and the next one must not find it in use. The mark is the one
// that Chrome itself goes by; where there is none there is nothing to wait for.
func vacated(ctx context.Context, profile string) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for {
		_, err := os.Lstat(filepath.Join(profile, "SingletonLock"))
		if err != nil || pause(ctx, 10*time.Millisecond) != nil {
			return
		}
	}
}
