package tabs

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

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
// that is gone is listed with Running false. Without a list of tabs none has aliases.
func (h *Host) Started(ctx context.Context) ([]Started, error) {
	f, err := h.reg.Load()
	if err != nil {
		f = &registry.File{}
	}
	var out []Started
	for address, b := range h.reg.Browsers() {
		s := Started{Address: address, Browser: b, Running: runs(ctx, address, b)}
		if b.PID == 0 && !s.Running {
			continue // a port that was chosen for one
		}
		for alias, t := range f.Tabs {
			if t.Address() == address {
				s.Aliases = append(s.Aliases, alias)
			}
		}
		slices.Sort(s.Aliases)
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Started) int { return strings.Compare(a.Address, b.Address) })
	return out, nil
}

// Running is the HOST:PORT of the browser that was started for commands that name none, where it runs without a
// window; "" where there is none.
func (h *Host) Running(ctx context.Context) string {
	for address, b := range h.reg.Browsers() {
		if b.Default && b.Headless && runs(ctx, address, b) {
			return address
		}
	}
	return ""
}

// End closes a browser that was started from here, with all its tabs, and forgets their
// aliases. One that was not, or whose address another browser has taken since, is
// refused (C-2). It needs no list of tabs: a browser has a record of its own.
func (h *Host) End(ctx context.Context, address string) error {
	b, ok := h.reg.Browsers()[address]
	if !ok || b.PID == 0 && !runs(ctx, address, b) {
		return fmt.Errorf("the browser at %s was not started by refscopectl, so it is not closed", address)
	}
	switch endpoint, err := browser.Endpoint(ctx, address); {
	case err != nil: // it is gone
	case !sameBrowser(ctx, endpoint, b):
		return fmt.Errorf("the browser at %s is another one than was started by refscopectl, so it is not closed",
			address)
	default:
		if err := browser.End(ctx, endpoint); err != nil {
			return err
		}
	}
	h.discard(ctx, address, b)
	return h.reg.Update(ctx, func(f *registry.File) error {
		f.Sweep(address, nil)
		return nil
	})
}

// Status is how a browser does (seed 4).
type Status struct {
	Running    bool     `json:"running"`
	Launched   bool     `json:"launched,omitempty"`
	Version    string   `json:"version,omitempty"`
	Port       int      `json:"port,omitempty"`
	AttachedTo string   `json:"attachedTo,omitempty"` // HOST:PORT of a browser that was not started from this home
	Tabs       []Listed `json:"tabs,omitempty"`
	CreatedTab bool     `json:"createdTab,omitempty"`
	Note       string   `json:"note,omitempty"`
	Error      string   `json:"error,omitempty"`
}

// Status reports whether a browser runs, and starts one where none does and that is wanted.
// A browser without tabs gets an empty one. What cannot be done is in Error.
func (h *Host) Status(ctx context.Context, p Place, launch bool) (*Status, error) {
	s := &Status{}
	address, err := h.address(ctx, p)
	if err != nil {
		return s.failed(err)
	}
	if _, port, err := net.SplitHostPort(address); err == nil {
		s.Port, _ = strconv.Atoi(port)
	}
	if !launch && !h.answers(ctx, address) {
		s.Error = "no browser answers at " + address
		return s, nil
	}
	b, launched, err := h.browser(ctx, address, p)
	if err != nil {
		return s.failed(err)
	}
	s.Running, s.Launched, s.Version = true, launched, b.Version()
	if !launched && !h.own(ctx, address) {
		s.AttachedTo = address
	}
	if launched {
		s.Note = "Chrome was not running at " + address + ". Started a new one on a profile of its own."
	}
	if s.Tabs, err = h.listed(ctx, address, b); err != nil {
		return s.failed(err)
	}
	if len(s.Tabs) == 0 {
		tab, err := b.OpenTab(ctx)
		if err != nil {
			return s.failed(err)
		}
		_ = tab.Detach(ctx) // it stays open
		s.CreatedTab, s.Note = true, "Chrome had no tabs open. Created new tab."
		if s.Tabs, err = h.listed(ctx, address, b); err != nil {
			return s.failed(err)
		}
	}
	return s, nil
}

// failed is the status of a browser that could not be reached.
func (s *Status) failed(err error) (*Status, error) {
	s.Error = err.Error()
	return s, connection(err)
}
