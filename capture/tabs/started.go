package tabs

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
		if err != nil {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return
		}
	}
}

// Status is how a browser does (seed 4).
type Status struct {
	Running    bool     `json:"running"`
	Launched   bool     `json:"launched,omitempty"`
	Version    string   `json:"version,omitempty"`
	Port       int      `json:"port,omitempty"`
	Tabs       []Listed `json:"tabs,omitempty"`
	CreatedTab bool     `json:"createdTab,omitempty"`
	Note       string   `json:"note,omitempty"`
	Error      string   `json:"error,omitempty"`
}

// Status reports whether a browser runs, and starts one where none does and that is wanted.
// A browser without tabs gets an empty one. What cannot be done is in Error.
func (h *Host) Status(ctx context.Context, p Place, launch bool) *Status {
	address := h.address(p)
	s := &Status{}
	if _, port, err := net.SplitHostPort(address); err == nil {
		s.Port, _ = strconv.Atoi(port)
	}
	if !launch && !h.answers(ctx, address) {
		s.Note = "no browser answers at " + address
		return s
	}
	b, launched, err := h.browser(ctx, address, p)
	if err != nil {
		s.Error = err.Error()
		return s
	}
	s.Running, s.Launched, s.Version = true, launched, b.Version()
	if launched {
		s.Note = "Chrome was not running at " + address + ". Started a new one on a profile of its own."
	}
	if s.Tabs, err = h.listed(ctx, address, b); err != nil {
		s.Error = err.Error()
		return s
	}
	if len(s.Tabs) == 0 {
		tab, err := b.OpenTab(ctx)
		if err != nil {
			s.Error = err.Error()
			return s
		}
		_ = tab.Detach(ctx) // it stays open
		s.CreatedTab, s.Note = true, "Chrome had no tabs open. Created new tab."
		if s.Tabs, err = h.listed(ctx, address, b); err != nil {
			s.Error = err.Error()
		}
	}
	return s
}
