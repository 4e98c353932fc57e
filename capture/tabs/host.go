// Package tabs connects commands to their tabs: it starts or finds browsers, opens, finds and closes tabs, resolves
// their aliases (t1, t2, …), and can keep them attached between two commands.
//
// Start with [NewHost], then [Host.Open] or [Host.Connect]; the results must be released.
package tabs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot/redact"
)

// Where a browser is looked for that is named by half (seed 4). One that is not named at
// all is the home's own, at a port that was free when it was first started: another user,
// or another home, has no part in it.
const (
	defaultHost = "127.0.0.1"
	defaultPort = 9222
)

// Choice is the browser that is used, and how one is started.
type Choice struct {
	Chrome string `json:"chrome,omitempty"` // program to start; "" finds one
	// Attach is the browser to use instead of the default, HOST:PORT or a ws:// address
	// there; "" for the default.
	Attach string `json:"attach,omitempty"`
	// Profile is the folder that a started browser keeps its data in; "" is one that is
	// removed when the browser ends.
	Profile string   `json:"profile,omitempty"`
	Headed  bool     `json:"headed,omitempty"`
	Flags   []string `json:"flags,omitempty"` // of a started browser
	Width   int      `json:"width"`           // of the viewport, CSS px; 0 means 1280x720
	Height  int      `json:"height"`
	// Session names the session of all tabs; "" gives each tab its own, by its alias.
	Session string `json:"session,omitempty"`
}

// Browser are the options of one that is started, or attached to, for one program.
func (c Choice) Browser(log *slog.Logger) browser.Options {
	return browser.Options{Chrome: c.Chrome, Attach: c.Attach, Profile: c.Profile, Headed: c.Headed, Flags: c.Flags,
		Width: c.Width, Height: c.Height, Log: log}
}

// Options configure where a host finds things.
type Options struct {
	Choice
	Home string // for the registry, sessions, profiles of started browsers
	// NoLaunch: a browser that is not there is an error.
	NoLaunch bool
	// Keep: tabs of ours stay attached between two runs, so that emulation, console and
	// dialogs outlive a command. The broker's host keeps; one that ends with its
	// command has nothing to keep them for. Tabs of others are always left at once.
	Keep bool
	Tool string
	// Words are how errors tell what to do at the door that is used; those of the steps where it is empty.
	Words Words
	// Shared asks the process that keeps tabs of the same browsers attached for what its sessions
	// have met, by their names; nil asks nobody.
	Shared func(ctx context.Context) map[string]redact.Kept
	// Hand gives that process what was typed in the sessions of this one, by their names, each time that there is more;
	// nil gives it to nobody.
	Hand func(ctx context.Context, kept map[string]redact.Kept)
}

// Words say in the commands of one door what an error advises.
type Words struct {
	List  string // "listTabs lists the tabs"
	Open  string // "open a new one with openTab"
	Start string // a browser: "openTab starts one"
}

// words are those of the host's door.
func (h *Host) words() Words {
	return cmp.Or(h.opt.Words, Words{"listTabs lists the tabs", "open a new one with openTab", "openTab starts one"})
}

// Host brings runs to their tabs: it starts or finds browsers, opens, finds and closes
// tabs, knows them by their aliases, and keeps its connections until it is closed. It is
// safe for concurrent use; [registry.Registry.LockTab] keeps two runs apart in one tab.
type Host struct {
	opt  Options
	reg  *registry.Registry
	pool *pool
}

// NewHost makes a host. It does nothing yet.
func NewHost(o Options) *Host {
	return &Host{opt: o, reg: registry.Open(o.Home), pool: newPool()}
}

// With is a host over the same connections and kept tabs, for a command with options of
// its own. Home, Keep, Shared and Hand stay those of h. Closing one closes both.
func (h *Host) With(o Options) *Host {
	o.Home, o.Keep, o.Shared, o.Hand = h.opt.Home, h.opt.Keep, h.opt.Shared, h.opt.Hand
	return &Host{opt: o, reg: h.reg, pool: h.pool}
}

// Serve returns the address of a local page, an absolute path: its folder is served on loopback
// until the host is closed.
func (h *Host) Serve(ctx context.Context, file string) (string, error) {
	return h.pool.serve(ctx, file)
}

// Lost gets a value, of which at most one waits, when a browser is gone.
func (h *Host) Lost() <-chan struct{} { return h.pool.lost }

// Holds is the number of browsers that are connected, and of tabs that are kept.
func (h *Host) Holds() (browsers, tabs int) { return h.pool.count() }

// Close ends the connections. Browsers and tabs stay.
func (h *Host) Close() error { return h.pool.close() }

// UpdateTab changes what the registry knows of a tab. Its error is [registry.ErrNoTab] where the tab was closed.
func (h *Host) UpdateTab(ctx context.Context, alias string, change func(*registry.Tab)) error {
	return h.reg.Update(ctx, func(f *registry.File) error {
		t, ok := f.Tabs[alias]
		if !ok {
			return fmt.Errorf("%s: %w", alias, registry.ErrNoTab)
		}
		change(&t)
		f.Tabs[alias] = t
		return nil
	})
}

// Knows reports whether the registry has a tab of that target id.
func (h *Host) Knows(target string) bool {
	f, err := h.reg.Load()
	if err != nil {
		return false // what is wrong will show elsewhere
	}
	for _, t := range f.Tabs {
		if t.TargetID == target {
			return true
		}
	}
	return false
}

// Place is where a browser is, or is to be.
type Place struct {
	Host     string `json:"host,omitempty" what:"host of the browser; 127.0.0.1"`
	Port     int    `json:"port,omitempty" min:"0" max:"65535" what:"its debugging port; 9222"`
	Headless *bool  `json:"headless,omitempty" what:"start it without a window"`
}

// address is HOST:PORT with the defaults filled in.
func (h *Host) address(ctx context.Context, p Place) (string, error) {
	if p.Host == "" && p.Port == 0 && h.opt.Attach == "" {
		return h.reg.Default(ctx, func(address string, b registry.Browser) bool {
			endpoint, err := browser.Endpoint(ctx, address)
			return err == nil && !sameBrowser(ctx, endpoint, b)
		})
	}
	host, port := defaultHost, strconv.Itoa(defaultPort)
	if at := h.opt.Attach; at != "" {
		if u, err := url.Parse(at); err == nil && u.Host != "" {
			at = u.Host
		}
		if a, b, err := net.SplitHostPort(at); err == nil {
			host, port = a, b
		}
	}
	if p.Host != "" {
		host = p.Host
		if host == "localhost" {
			host = defaultHost
		}
	}
	if p.Port != 0 {
		port = strconv.Itoa(p.Port)
	}
	return net.JoinHostPort(host, port), nil
}

// browser connects to the browser at an address. Where none answers on this machine,
// one is started, on a profile of its own; launched reports that.
func (h *Host) browser(ctx context.Context, address string, p Place) (b *browser.Browser, launched bool, err error) {
	b, err = h.pool.connect(ctx, address, func() (*browser.Browser, error) {
		if !browser.Answers(ctx, address) {
			if err := h.launch(ctx, address, p.Headless); err != nil {
				return nil, err
			}
			launched = true
		}
		b, err := browser.Start(ctx, browser.Options{Attach: address})
		if own := h.reg.Browsers()[address]; err == nil && own.PID != 0 && runs(ctx, address, own) {
			if err := b.KeepDownloads(ctx, filepath.Join(h.opt.Home, "downloads")); err != nil {
				return nil, errors.Join(err, b.Close())
			}
		}
		return b, err
	})
	if err != nil {
		return nil, launched, err
	}
	if h.opt.Shared != nil {
		h.Learn(h.opt.Shared(ctx))
	}
	if launched { // its first tab is ours too
		if err := h.noteFirst(ctx, address, b); err != nil {
			return nil, launched, err
		}
	}
	return b.WithViewport(h.opt.Width, h.opt.Height), launched, nil
}

// noteFirst notes the tabs that a browser has which was just started.
func (h *Host) noteFirst(ctx context.Context, address string, b *browser.Browser) error {
	list, err := b.Tabs(ctx)
	if err != nil {
		return err
	}
	return h.reg.Update(ctx, func(f *registry.File) error {
		for _, t := range list {
			f.NoteMade(address, t.ID)
		}
		return nil
	})
}

// answers reports whether a browser is at an address.
func (h *Host) answers(ctx context.Context, address string) bool {
	return h.pool.connected(address) != nil || browser.Answers(ctx, address)
}

// launch starts a browser for an address of this machine. One program does it at a
// time: the others find it running.
func (h *Host) launch(ctx context.Context, address string, headless *bool) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if h.opt.NoLaunch {
		return fmt.Errorf("no browser answers at %s", address)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("no browser answers at %s: start one there; only on this machine can it be started from here",
			address)
	}
	return h.reg.Update(ctx, func(f *registry.File) error {
		if browser.Answers(ctx, address) {
			return nil
		}
		n, err := strconv.Atoi(port)
		if err != nil {
			return err
		}
		hidden := !h.opt.Headed
		if headless != nil {
			hidden = *headless
		}
		before := h.reg.Browsers()[address]
		h.clear(ctx)
		own := registry.Browser{
			Profile: h.opt.Profile, Kept: h.opt.Profile != "", Headless: hidden, Started: time.Now(),
			Default: before.Default,
		}
		if !own.Kept {
			own.Profile = h.reg.Profile(address)
		}
		if err := h.reg.Record(address, own); err != nil {
			return err
		}
		d := browser.Detached{
			Chrome: h.opt.Chrome, Port: n, Profile: own.Profile, Forget: !own.Kept, Headless: hidden,
			Width: h.opt.Width, Height: h.opt.Height, Flags: h.opt.Flags,
		}
		if own.PID, err = d.Launch(ctx); err != nil {
			return err
		}
		if own.Endpoint, err = browser.Endpoint(ctx, address); err == nil {
			err = h.reg.Record(address, own)
		}
		if err != nil { // nobody would find it again
			return errors.Join(err, browser.End(ctx, own.Endpoint))
		}
		f.Sweep(address, nil) // the tabs of the browser that was there before
		return nil
	})
}

// clear removes what browsers left that were killed: their records and their throw-away
// profiles.
func (h *Host) clear(ctx context.Context) {
	for address, b := range h.reg.Browsers() {
		if b.PID != 0 && !runs(ctx, address, b) && !browser.Alive(b.PID) {
			h.discard(ctx, address, b)
		}
	}
}

// discard removes the profile of a browser that has ended, where it is not kept, and the
// record of it.
func (h *Host) discard(ctx context.Context, address string, b registry.Browser) {
	if !b.Kept && b.Profile == h.reg.Profile(address) {
		browser.RemoveProfile(ctx, b.Profile)
	}
	_ = h.reg.Forget(address) // a record that stays is of a browser that does not answer
}

// own reports whether the browser at an address was started from this home.
func (h *Host) own(ctx context.Context, address string) bool {
	b, ok := h.reg.Browsers()[address]
	return ok && runs(ctx, address, b)
}

// runs reports whether the browser of a record is the one that answers at the address.
func runs(ctx context.Context, address string, b registry.Browser) bool {
	endpoint, err := browser.Endpoint(ctx, address)
	return err == nil && sameBrowser(ctx, endpoint, b)
}

// sameBrowser reports whether an endpoint is that of a record's browser. Where the command that
// started it was killed before it could write the endpoint down, it is the one that holds the
// profile.
func sameBrowser(ctx context.Context, endpoint string, b registry.Browser) bool {
	if b.Endpoint != "" {
		return endpoint == b.Endpoint
	}
	return browser.Holds(ctx, endpoint, b.Profile)
}
