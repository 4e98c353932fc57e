package tabs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// Opened is a tab that a run is connected to.
type Opened struct {
	Tab   *browser.Tab
	Alias string
	Entry registry.Tab
	Store *turn.Store
	// Launched: the browser was started for it.
	Launched bool
	// Warm: the tab was kept from an earlier run, with its emulation, console and dialogs.
	Warm bool

	host    *Host
	address string
	held    *held
	unlock  func()
}

// Release leaves the tab as it is and lets the next run in.
func (o *Opened) Release(ctx context.Context) {
	o.held.store = o.Store
	if !o.Kept() || !o.host.pool.put(o.address, o.held) {
		_ = o.Tab.Detach(ctx) // a tab that is gone is left too
		_ = o.Store.Close()   // what was written is on disk
	}
	o.unlock()
	if o.host.opt.Hand != nil {
		if more := o.host.pool.news(); more != nil {
			o.host.opt.Hand(ctx, more)
		}
	}
}

// Memory is what the tab keeps for the next run.
func (o *Opened) Memory() *Memory { return &o.held.last }

// AttachedTo is the address of the tab's browser, HOST:PORT, where it was not started from this
// home; "" for one that was.
func (o *Opened) AttachedTo(ctx context.Context) string {
	if o.host.own(ctx, o.address) {
		return ""
	}
	return o.address
}

// Secrets are those that the tab's session has met.
func (o *Opened) Secrets() *redact.Known { return o.host.pool.secrets(o.host.session(o.Alias)) }

// Typed are the secrets that were typed in all tabs of the host: a list of tabs shows titles and
// addresses of pages of any session.
func (h *Host) Typed() []redact.Secret { return h.pool.typed() }

// Secrets is what the sessions have met, by their names, for other processes of the user that
// come to the same tabs. It must not reach a disk.
func (h *Host) Secrets() map[string]redact.Kept { return h.pool.kept() }

// Learn remembers what another process has met in sessions, by their names.
func (h *Host) Learn(kept map[string]redact.Kept) {
	for name, k := range kept {
		h.pool.secrets(name).Learn(k)
	}
}

// Kept reports whether the tab stays attached when it is released.
func (o *Opened) Kept() bool { return o.host.opt.Keep && o.Entry.Own }

// ConnectionError: the browser, or a tab of it, could not be reached.
type ConnectionError struct{ Err error }

func (e *ConnectionError) Error() string { return e.Err.Error() }
func (e *ConnectionError) Unwrap() error { return e.Err }

// connection marks an error as one of coming to the browser; nil stays nil.
func connection(err error) error {
	if err == nil {
		return nil
	}
	return &ConnectionError{err}
}

// Open opens a new tab. Its error is a [*ConnectionError].
func (h *Host) Open(ctx context.Context, p Place) (*Opened, error) {
	o, err := h.open(ctx, p)
	return o, connection(err)
}

func (h *Host) open(ctx context.Context, p Place) (*Opened, error) {
	address, err := h.address(ctx, p)
	if err != nil {
		return nil, err
	}
	b, launched, err := h.browser(ctx, address, p)
	if err != nil {
		return nil, err
	}
	tab, err := b.OpenTab(ctx)
	if err != nil {
		return nil, err
	}
	o, err := h.enter(ctx, address, tab.ID(), true)
	if err != nil {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second) // also where it was cancelled
		defer cancel()
		return nil, errors.Join(err, tab.Close(end))
	}
	o.Launched = launched
	o.attach(tab)
	return o, nil
}

// enter gives a tab its alias, the lock on it, and its session. Nothing was done to the
// tab before: another run may be in it.
func (h *Host) enter(ctx context.Context, address, target string, own bool) (*Opened, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	o := &Opened{host: h, address: address}
	f, err := h.reg.Load()
	if err != nil {
		return nil, err
	}
	if o.Alias = f.AliasOf(address, target); o.Alias == "" {
		err = h.reg.Update(ctx, func(f *registry.File) error {
			o.Alias = f.Add(registry.Tab{TargetID: target, Host: host, Port: n, Own: own})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if o.unlock, err = h.reg.LockTab(ctx, o.Alias); err != nil {
		return nil, err
	}
	// What the run before has left in the entry is read under the lock.
	if f, err = h.reg.Load(); err == nil {
		var ok bool
		if o.Entry, ok = f.Tabs[o.Alias]; !ok {
			err = fmt.Errorf("tab %s was closed meanwhile: %s", o.Alias, h.words().Open)
		}
	}
	if err == nil {
		o.Store, err = h.store(ctx, o.Alias)
	}
	if err != nil {
		o.unlock()
		return nil, err
	}
	return o, nil
}

// attach makes a tab that was just attached the run's.
func (o *Opened) attach(tab *browser.Tab) {
	o.Tab, o.held = tab, &held{tab: tab, width: o.host.opt.Width, height: o.host.opt.Height}
}

// warm makes the tab that an earlier run has kept the run's, if there is one. A viewport
// that no step has emulated follows the command's.
func (o *Opened) warm(ctx context.Context) bool {
	k := o.host.pool.take(o.address, o.Entry.TargetID)
	if k == nil {
		return false
	}
	w, h := o.host.opt.Width, o.host.opt.Height
	if len(o.Entry.Emulation) == 0 && w > 0 && h > 0 && (k.width != w || k.height != h) {
		if err := k.tab.Resize(ctx, w, h); err != nil {
			_ = k.tab.Detach(ctx) // it is attached again
			return false
		}
		k.width, k.height = w, h
	}
	if k.store != nil && k.store.Same(o.Store) { // it need not read the ledger again
		_ = o.Store.Close()
		o.Store = k.store
	}
	o.Tab, o.held, o.Warm = k.tab, k, true
	return true
}

// session is the name of a tab's session.
func (h *Host) session(alias string) string { return cmp.Or(h.opt.Session, alias) }

// store is the session of a tab.
func (h *Host) store(ctx context.Context, alias string) (*turn.Store, error) {
	name := h.session(alias)
	s, err := turn.OpenOrCreate(ctx, turn.Dir(turn.SessionDir(h.opt.Home, name)), h.opt.Tool)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", name, err)
	}
	return s, nil
}

// Selector names a tab. One of Alias, TargetID and URL is set, and Place is the browser.
type Selector struct {
	Alias    string
	TargetID string
	URL      *regexp.Regexp
	Place    Place
	// Revive: a tab that has crashed gets a new, empty page.
	Revive bool
}

// Connect connects to an existing tab. Its error is a [*ConnectionError].
func (h *Host) Connect(ctx context.Context, w Selector) (*Opened, error) {
	o, err := h.connect(ctx, w)
	return o, connection(err)
}

func (h *Host) connect(ctx context.Context, w Selector) (*Opened, error) {
	address, err := h.address(ctx, w.Place)
	if err != nil {
		return nil, err
	}
	f, err := h.reg.Load()
	if err != nil {
		return nil, err
	}
	target := w.TargetID
	if w.Alias != "" {
		t, ok := f.Tabs[w.Alias]
		if !ok {
			return nil, fmt.Errorf("%s: %w: %s", w.Alias, registry.ErrNoTab, h.words().List)
		}
		target, address = t.TargetID, t.Address()
		w.Place.Port = t.Port // it was named when the tab was opened
	}
	if !h.answers(ctx, address) {
		return nil, fmt.Errorf("no browser answers at %s, so the tab is gone: %s", address, h.words().Open)
	}
	b, _, err := h.browser(ctx, address, w.Place)
	if err != nil {
		return nil, err
	}
	if target == "" {
		list, err := b.Tabs(ctx)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(list, func(t browser.TabInfo) bool { return w.URL.MatchString(t.URL) })
		if i < 0 {
			return nil, fmt.Errorf("none of the %d tabs has an address that matches %q", len(list), w.URL)
		}
		target = list[i].ID
	} else if f.AliasOf(address, target) == "" { // a tab that is not there gets no alias
		if list, err := b.Tabs(ctx); err != nil {
			return nil, err
		} else if !slices.ContainsFunc(list, func(t browser.TabInfo) bool { return t.ID == target }) {
			return nil, fmt.Errorf("there is no tab with the id %s: %s", target, h.words().List)
		}
	}
	o, err := h.enter(ctx, address, target, false)
	if err != nil {
		return nil, err
	}
	if o.warm(ctx) {
		return o, nil
	}
	attach := b.AttachTab
	if o.Entry.Own {
		attach = b.AttachOwn
	}
	tab, err := attach(ctx, target)
	if errors.Is(err, browser.ErrCrashed) {
		if w.Revive {
			if err = b.Revive(ctx, target); err == nil {
				tab, err = attach(ctx, target)
			}
		} else {
			err = fmt.Errorf("tab %s: %w: a command that begins with goto opens a page in it again", o.Alias,
				browser.ErrCrashed)
		}
	}
	if err != nil {
		_ = o.Store.Close()
		o.unlock()
		return nil, h.gone(ctx, b, address, o.Alias, target, err)
	}
	o.attach(tab)
	return o, nil
}

// gone explains why a tab could not be attached to; one that is not there any more is
// forgotten, and what else is gone with it (C-23, 19.7).
func (h *Host) gone(ctx context.Context, b *browser.Browser, address, alias, target string, why error) error {
	list, err := b.Tabs(ctx)
	if err != nil || slices.ContainsFunc(list, func(t browser.TabInfo) bool { return t.ID == target }) {
		return why
	}
	if err := h.sweep(ctx, address, list); err != nil {
		return err
	}
	return fmt.Errorf("tab %s was closed: %s", alias, h.words().Open)
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

// Made notes tabs that the page of a tab has opened: they are ours as that one is.
func (h *Host) Made(ctx context.Context, alias string, targets []string) error {
	return h.reg.Update(ctx, func(f *registry.File) error {
		t, ok := f.Tabs[alias]
		if ok && f.Ours(t.Address(), t.TargetID) {
			f.NoteMade(t.Address(), targets...)
		}
		return nil
	})
}

// CloseTab closes a tab by alias or target id and forgets its alias. A tab that was not made from here, such as one
// of the user's or of another home, is never closed.
func (h *Host) CloseTab(ctx context.Context, name string, p Place) error {
	f, err := h.reg.Load()
	if err != nil {
		return err
	}
	address, err := h.address(ctx, p)
	if err != nil {
		return err
	}
	target := name
	t, known := f.Tabs[name]
	switch {
	case known:
		address, target = t.Address(), t.TargetID
		p.Port = t.Port
	case !registry.IsTarget(name):
		return fmt.Errorf("%s: %w: %s", name, registry.ErrNoTab, h.words().List)
	}
	if !h.answers(ctx, address) {
		_ = h.sweep(ctx, address, nil)
		return fmt.Errorf("no browser answers at %s, so the tab is gone already", address)
	}
	if !f.Ours(address, target) {
		return fmt.Errorf("tab %s was not opened from here, so it is not closed: close it in the browser", name)
	}
	b, _, err := h.browser(ctx, address, p)
	if err != nil {
		return err
	}
	h.pool.take(address, target) // its session ends with it
	if err := b.CloseTab(ctx, target); err != nil {
		return err
	}
	return h.reg.Update(ctx, func(f *registry.File) error {
		f.Made[address] = slices.DeleteFunc(f.Made[address], func(id string) bool { return id == target })
		if alias := f.AliasOf(address, target); alias != "" {
			delete(f.Tabs, alias)
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

// GoneError: nothing answers where the browser was.
type GoneError struct {
	Address string
	start   string // what starts one, as Words has it
}

func (e *GoneError) Error() string {
	return fmt.Sprintf("no browser answers at %s: %s", e.Address, e.start)
}

// List lists the tabs of a browser and forgets those that are gone. Its error is a [*ConnectionError].
func (h *Host) List(ctx context.Context, p Place) ([]Listed, error) {
	list, err := h.list(ctx, p)
	return list, connection(err)
}

func (h *Host) list(ctx context.Context, p Place) ([]Listed, error) {
	address, err := h.address(ctx, p)
	if err != nil {
		return nil, err
	}
	if !h.answers(ctx, address) {
		return nil, &GoneError{address, h.words().Start}
	}
	b, _, err := h.browser(ctx, address, p)
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
