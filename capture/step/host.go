package step

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot/turn"
)

// Where a browser is looked for by default (seed 4).
const (
	DefaultHost = "127.0.0.1"
	DefaultPort = 9222
)

// HostOptions say where a host finds things.
type HostOptions struct {
	Home   string // for the registry, sessions, profiles of started browsers
	Chrome string // program to start; "" finds one
	// Attach is the browser to use instead of the default, HOST:PORT; "" for the default.
	Attach string
	Headed bool
	Flags  []string // of a started browser
	Width  int      // of the viewport, CSS px; 0 means 1280x720
	Height int
	// Session names the session of all tabs; "" gives each tab its own, by its alias.
	Session string
	// NoLaunch: a browser that is not there is an error.
	NoLaunch bool
	Tool     string
}

// Host brings runs to their tabs: it starts or finds browsers, opens, finds and closes
// tabs, knows them by their aliases, and keeps its connections until it is closed. It is
// safe for concurrent use; [registry.Registry.LockTab] keeps two runs apart in one tab.
type Host struct {
	opt HostOptions
	reg *registry.Registry

	mu       sync.Mutex
	browsers map[string]*browser.Browser // by HOST:PORT
}

// NewHost makes a host. It does nothing yet.
func NewHost(o HostOptions) *Host {
	return &Host{opt: o, reg: registry.Open(o.Home), browsers: map[string]*browser.Browser{}}
}

// Close ends the connections. Browsers and tabs stay.
func (h *Host) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var errs []error
	for at, b := range h.browsers {
		errs = append(errs, b.Close())
		delete(h.browsers, at)
	}
	return errors.Join(errs...)
}

// Place is where a browser is, or is to be.
type Place struct {
	Host     string `json:"host,omitempty"`
	Port     int    `json:"port,omitempty"`
	Headless *bool  `json:"headless,omitempty"`
}

func (p Place) check() error {
	if p.Port < 0 || p.Port > 65535 {
		return fmt.Errorf("port: %d: want 1 to 65535", p.Port)
	}
	return nil
}

// address is HOST:PORT with the defaults filled in.
func (h *Host) address(p Place) string {
	host, port := DefaultHost, strconv.Itoa(DefaultPort)
	if h.opt.Attach != "" {
		if a, b, err := net.SplitHostPort(h.opt.Attach); err == nil {
			host, port = a, b
		}
	}
	if p.Host != "" {
		host = p.Host
		if host == "localhost" {
			host = DefaultHost
		}
	}
	if p.Port != 0 {
		port = strconv.Itoa(p.Port)
	}
	return net.JoinHostPort(host, port)
}

// browser connects to the browser at an address. Where none answers on this machine,
// one is started, on a profile of its own; launched reports that.
func (h *Host) browser(ctx context.Context, address string, headless *bool) (b *browser.Browser, launched bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if b := h.browsers[address]; b != nil {
		select {
		case <-b.Done():
			_ = b.Close() // it is gone
			delete(h.browsers, address)
		default:
			return b, false, nil
		}
	}
	if !browser.Answers(ctx, address) {
		if err := h.launch(ctx, address, headless); err != nil {
			return nil, false, err
		}
		launched = true
	}
	b, err = browser.Start(ctx, browser.Options{Attach: address, Width: h.opt.Width, Height: h.opt.Height})
	if err != nil {
		return nil, launched, err
	}
	h.browsers[address] = b
	return b, launched, nil
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
		return fmt.Errorf("no browser answers at %s: start one there; only on this machine can it be started from here", address)
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
		name := port
		if hidden {
			name += "-headless"
		}
		d := browser.Detached{
			Chrome: h.opt.Chrome, Port: n, Profile: filepath.Join(h.opt.Home, "chrome", name), Headless: hidden,
			Width: h.opt.Width, Height: h.opt.Height, Flags: h.opt.Flags,
		}
		pid, err := d.Launch(ctx)
		if err != nil {
			return err
		}
		f.Sweep(address, nil) // the tabs of the browser that was there before
		f.Browsers[address] = registry.Browser{PID: pid, Profile: d.Profile, Headless: hidden, Started: time.Now()}
		return nil
	})
}

// Opened is a tab that a run has come to.
type Opened struct {
	Tab   *browser.Tab
	Alias string
	Entry registry.Tab
	Store *turn.Store
	// Launched: the browser was started for it.
	Launched bool
	unlock   func()
	host     *Host
}

// Release leaves the tab as it is and lets the next run in.
func (o *Opened) Release(ctx context.Context) {
	_ = o.Tab.Detach(ctx) // a tab that is gone is left too
	o.unlock()
}

// Open opens a new tab.
func (h *Host) Open(ctx context.Context, p Place) (*Opened, error) {
	address := h.address(p)
	b, launched, err := h.browser(ctx, address, p.Headless)
	if err != nil {
		return nil, err
	}
	tab, err := b.OpenTab(ctx)
	if err != nil {
		return nil, err
	}
	o, err := h.enter(ctx, address, tab, true)
	if err != nil {
		return nil, errors.Join(err, tab.Close(ctx))
	}
	o.Launched = launched
	return o, nil
}

// enter gives a tab its alias, its lock and its session.
func (h *Host) enter(ctx context.Context, address string, tab *browser.Tab, own bool) (*Opened, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	o := &Opened{Tab: tab, host: h}
	err = h.reg.Update(ctx, func(f *registry.File) error {
		o.Alias = f.Add(registry.Tab{TargetID: tab.ID(), Host: host, Port: n, Own: own})
		o.Entry = f.Tabs[o.Alias]
		return nil
	})
	if err != nil {
		return nil, err
	}
	if o.unlock, err = h.reg.LockTab(ctx, o.Alias); err != nil {
		return nil, err
	}
	if o.Store, err = h.store(ctx, o.Alias); err != nil {
		o.unlock()
		return nil, err
	}
	return o, nil
}

// store is the session of a tab.
func (h *Host) store(ctx context.Context, alias string) (*turn.Store, error) {
	name := h.opt.Session
	if name == "" {
		name = alias
	}
	s, err := turn.OpenOrCreate(ctx, turn.Dir(turn.SessionDir(h.opt.Home, name)), h.opt.Tool)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", name, err)
	}
	return s, nil
}

// Which says which tab is meant. One member is set, and Place says in which browser.
type Which struct {
	Alias    string
	TargetID string
	URL      *regexp.Regexp
	Place    Place
}

// Connect comes to a tab that is there.
func (h *Host) Connect(ctx context.Context, w Which) (*Opened, error) {
	address := h.address(w.Place)
	f, err := h.reg.Load()
	if err != nil {
		return nil, err
	}
	target, own := w.TargetID, false
	if w.Alias != "" {
		t, ok := f.Tabs[w.Alias]
		if !ok {
			return nil, fmt.Errorf("%s: %w: listTabs says which there are", w.Alias, registry.ErrNoTab)
		}
		target, own, address = t.TargetID, t.Own, t.Address()
	} else if alias := f.AliasOf(address, target); alias != "" {
		own = f.Tabs[alias].Own
	}
	noLaunch := h.opt.NoLaunch || !browser.Answers(ctx, address)
	if noLaunch {
		return nil, fmt.Errorf("no browser answers at %s, so the tab is gone: open a new one with openTab", address)
	}
	b, _, err := h.browser(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	list, err := b.Tabs(ctx)
	if err != nil {
		return nil, err
	}
	if w.URL != nil {
		i := slices.IndexFunc(list, func(t browser.TabInfo) bool { return w.URL.MatchString(t.URL) })
		if i < 0 {
			return nil, fmt.Errorf("none of the %d tabs has an address that matches %q", len(list), w.URL)
		}
		target = list[i].ID
		if alias := f.AliasOf(address, target); alias != "" {
			own = f.Tabs[alias].Own
		}
	}
	if !slices.ContainsFunc(list, func(t browser.TabInfo) bool { return t.ID == target }) {
		if w.Alias != "" {
			_ = h.sweep(ctx, address, list) // what else is gone goes too
			return nil, fmt.Errorf("tab %s was closed: open a new one with openTab", w.Alias)
		}
		return nil, fmt.Errorf("there is no tab with the id %s: listTabs says which there are", target)
	}
	attach := b.AttachTab
	if own {
		attach = b.AttachOwn
	}
	tab, err := attach(ctx, target)
	if err != nil {
		return nil, err
	}
	o, err := h.enter(ctx, address, tab, own)
	if err != nil {
		return nil, errors.Join(err, tab.Detach(ctx))
	}
	return o, nil
}

func (h *Host) sweep(ctx context.Context, address string, there []browser.TabInfo) error {
	ids := make([]string, len(there))
	for i, t := range there {
		ids[i] = t.ID
	}
	return h.reg.Update(ctx, func(f *registry.File) error {
		f.Sweep(address, ids)
		return nil
	})
}

// CloseTab closes a tab by alias or target id and forgets its alias. A tab that we did
// not open is closed too: it was named.
func (h *Host) CloseTab(ctx context.Context, name string, p Place) error {
	f, err := h.reg.Load()
	if err != nil {
		return err
	}
	address, target := h.address(p), name
	t, known := f.Tabs[name]
	switch {
	case known:
		address, target = t.Address(), t.TargetID
	case !registry.IsTarget(name):
		return fmt.Errorf("%s: %w: listTabs says which there are", name, registry.ErrNoTab)
	}
	if !browser.Answers(ctx, address) {
		_ = h.sweep(ctx, address, nil)
		return fmt.Errorf("no browser answers at %s, so the tab is gone already", address)
	}
	b, _, err := h.browser(ctx, address, nil)
	if err != nil {
		return err
	}
	if err := b.CloseTab(ctx, target); err != nil {
		return err
	}
	return h.reg.Update(ctx, func(f *registry.File) error {
		if alias := f.AliasOf(address, target); alias != "" {
			delete(f.Tabs, alias)
			_ = os.Remove(filepath.Join(h.opt.Home, "tab-"+alias+".lock")) // an alias is never used again
		}
		return nil
	})
}

// Listed is a tab in a list.
type Listed struct {
	Alias    string `json:"tab,omitempty"`
	TargetID string `json:"targetId"`
	URL      string `json:"url"`
	Title    string `json:"title"`
	Own      bool   `json:"own,omitempty"` // opened by us
}

// List lists the tabs of a browser and forgets those that are gone.
func (h *Host) List(ctx context.Context, p Place) ([]Listed, error) {
	address := h.address(p)
	if !browser.Answers(ctx, address) {
		return nil, fmt.Errorf("no browser answers at %s: openTab starts one", address)
	}
	b, _, err := h.browser(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	return h.listed(ctx, address, b)
}

func (h *Host) listed(ctx context.Context, address string, b *browser.Browser) ([]Listed, error) {
	list, err := b.Tabs(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.sweep(ctx, address, list); err != nil {
		return nil, err
	}
	f, err := h.reg.Load()
	if err != nil {
		return nil, err
	}
	out := make([]Listed, len(list))
	for i, t := range list {
		alias := f.AliasOf(address, t.ID)
		out[i] = Listed{alias, t.ID, t.URL, t.Title, f.Tabs[alias].Own}
	}
	return out, nil
}
