package target

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/refscope/refscope/capture/broker"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/capture/serve"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Appearance is how a page is shown.
type Appearance struct {
	Device *device.Device
	Media  browser.Media
	Locale string // "" for the browser's own
}

// Show makes a tab show pages so.
func (l *Appearance) Show(ctx context.Context, tab *browser.Tab) error {
	if l.Device != nil {
		if err := tab.Emulate(ctx, l.Device); err != nil {
			return err
		}
	}
	if l.Media != (browser.Media{}) {
		if err := tab.EmulateMedia(ctx, l.Media); err != nil {
			return err
		}
	}
	if l.Locale == "" {
		return nil
	}
	return tab.EmulateLocale(ctx, l.Locale)
}

// Tab is a tab that shows a target.
type Tab struct {
	*browser.Tab
	Alias   string        // "" for one that is closed again
	Known   *redact.Known // what its session has met, nil for a page that was just opened
	Store   *turn.Store   // session of the alias
	closers []func()
	served  *serve.Server // that of a page on disk, else nil
}

// Leave closes the tab, or leaves it open, and ends what served it. Only the first call does something.
func (t *Tab) Leave() {
	closers := t.closers
	t.closers = nil
	for _, c := range slices.Backward(closers) {
		c()
	}
}

// writesIntoPage tells whether saving a turn needs the page that was captured.
func writesIntoPage(s session.Options) bool { return s.Stamp || s.DebugSurface }

// OpenTab opens a URL or an .html file in a tab of its own in a browser of [opener.start], or connects to an open tab.
func (o *Opener) OpenTab(ctx context.Context, b *browser.Browser, t Target) (_ *Tab, err error) {
	tab := &Tab{}
	defer func() {
		if err != nil {
			tab.Leave()
		}
	}()
	if t.Kind == TabKind {
		ctx, cancel := browser.Within(ctx, o.Timeout)
		defer cancel()
		alias := t.Name
		if registry.IsTarget(alias) {
			if alias, err = o.aliasOf(ctx, t.Name); err != nil {
				return nil, err
			}
		}
		return tab, o.attach(ctx, alias, tab)
	}
	url := t.Page.URL
	if t.Page.Path != "" {
		srv, page, err := serve.File(ctx, t.Page.Path)
		if err != nil {
			return nil, err
		}
		tab.closers = append(tab.closers, func() { _ = srv.Close() }) // nobody reads from it any more
		tab.served, url = srv, page
	}
	ctx, cancel := browser.Within(ctx, o.Timeout)
	defer cancel()
	if o.Keep {
		err = o.newKeptTab(ctx, tab)
	} else {
		err = o.newTab(ctx, b, tab)
	}
	if err != nil {
		return nil, err
	}
	look := t.Look
	if look == nil {
		look = &Appearance{Device: o.Device}
	}
	if err := look.Show(ctx, tab.Tab); err != nil {
		return nil, err
	}
	collect.Prepare(tab.Tab)
	return tab, o.whileLoading(t.Name, tab.Tab, func() error { return tab.Navigate(ctx, url) })
}

// patience is how long a page may load before the person who waits is told what it loads, and told again.
const patience = 5 * time.Second

// whileLoading loads a page and says, while that takes longer than people wait without a word, what is under way.
func (o *Opener) whileLoading(name string, tab *browser.Tab, load func() error) error {
	done := make(chan error, 1)
	go func() { done <- load() }()
	again := time.NewTicker(patience)
	defer again.Stop()
	for began := time.Now(); ; {
		select {
		case err := <-done:
			return err
		case <-again.C:
		}
		if o.Remark == nil {
			continue
		}
		var open []network.Request
		for _, r := range tab.Network(time.Now()).Requests {
			if r.State == network.Pending && !r.Earlier {
				open = append(open, r)
			}
		}
		under := ""
		if len(open) > 0 {
			under = fmt.Sprintf(", %s under way, such as %s", text.Count(len(open), "request", "requests"),
				text.Cut(text.Line(open[0].URL), 80))
		}
		o.Remark("%s: loading for %d s%s", name, int(time.Since(began).Seconds()), under)
		again.Reset(2 * patience)
	}
}

// newTab opens an empty tab that is closed again.
func (o *Opener) newTab(ctx context.Context, b *browser.Browser, tab *Tab) (err error) {
	if tab.Tab, err = b.OpenTab(ctx); err != nil {
		return err
	}
	if o.Made != nil {
		o.Made(tab.ID())
	}
	tab.closers = append(tab.closers, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = tab.Close(end) // a tab of a browser that is gone is closed
	})
	return nil
}

// newKeptTab opens an empty tab that stays, in the browser of run.
func (o *Opener) newKeptTab(ctx context.Context, tab *Tab) error {
	kept, err := o.host.Open(ctx, tabs.Place{})
	if err != nil {
		return err
	}
	tab.Tab, tab.Alias, tab.Store = kept.Tab, kept.Alias, kept.Store
	tab.closers = append(tab.closers, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		kept.Release(end)
	})
	return nil
}

// aliasOf is the alias of a tab of any browser that is attached, by the browser's id of it; it gets one where it has
// none.
func (o *Opener) aliasOf(ctx context.Context, id string) (string, error) {
	o.starting.Lock()
	err := o.startHost()
	o.starting.Unlock()
	if err != nil {
		return "", err
	}
	known, err := o.host.Connect(ctx, tabs.Selector{TargetID: id})
	if err != nil {
		return "", err
	}
	known.Release(ctx)
	return known.Alias, nil
}

// attach connects to the tab with an alias. A tab that the broker keeps is left as it is, with
// what a run emulates in it; one of ours that nobody keeps has lost the viewport that it was
// opened with, and gets it again.
func (o *Opener) attach(ctx context.Context, alias string, tab *Tab) error {
	r := registry.Open(o.Home)
	file, err := r.Load()
	if err != nil {
		return err
	}
	known, ok := file.Tabs[alias]
	if !ok {
		return fmt.Errorf("%s: %w: refscopectl browser tabs lists them", alias, registry.ErrNoTab)
	}
	if !browser.Answers(ctx, known.Address()) {
		return fmt.Errorf("%s: no browser answers at %s, so the tab is gone: open its page again",
			alias, known.Address())
	}
	unlock, err := r.LockTab(ctx, alias)
	if err != nil {
		return fmt.Errorf("waiting for the command that uses tab %s: %w", alias, err)
	}
	tab.closers = append(tab.closers, unlock)
	b, err := browser.Start(ctx, browser.Options{Attach: known.Address(), Log: o.Log})
	if err != nil {
		return fmt.Errorf("%s: %w", alias, err)
	}
	tab.closers = append(tab.closers, func() { _ = b.Close() }) // the browser stays, its connection ends
	if tab.Tab, err = b.AttachTab(ctx, known.TargetID); err != nil {
		return fmt.Errorf("%s: %w: refscopectl browser tabs lists the open tabs", alias, err)
	}
	tab.closers = append(tab.closers, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = tab.Detach(end) // a tab that is gone is left too
	})
	if status, err := broker.StatusOf(ctx, o.Home); err != nil {
		return err
	} else if known.Own && len(known.Emulation) == 0 && (status == nil || status.Tabs == 0) {
		if err := tab.Resize(ctx, o.Width, o.Height); err != nil {
			return fmt.Errorf("%s: %w", alias, err)
		}
	}
	name := o.Session
	if name == "" {
		name = alias
	}
	if tab.Store, err = OpenStore(ctx, o.Home, name, o.Tool); err != nil {
		return err
	}
	tab.Alias, tab.Known = alias, &redact.Known{}
	kept := o.Kept(ctx)
	for _, k := range kept { // what was typed may be shown by any tab
		tab.Known.Learn(redact.Kept{Typed: k.Typed, Withheld: k.Withheld})
	}
	tab.Known.Learn(kept[name])
	tab.Known.Learn(kept[alias])
	tab.closers = append(tab.closers, func() { _ = tab.Store.Close() }) // what was written is on disk
	return nil
}

// OpenStore opens the session with that name in the home folder, or makes it.
func OpenStore(ctx context.Context, home, name, tool string) (*turn.Store, error) {
	if err := turn.CheckName(name); err != nil {
		return nil, usagef("--session: %v", err)
	}
	return OpenFolder(ctx, turn.SessionDir(home, name), tool)
}

// NewStore makes a session of that name in the home folder, or where there is one already, with the first number behind
// it that is free, and names it: two programs that begin in the same second have a session each.
func NewStore(ctx context.Context, home, base, tool string) (*turn.Store, string, error) {
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		s, err := turn.Create(ctx, turn.Dir(turn.SessionDir(home, name)), tool)
		if !errors.Is(err, turn.ErrExists) && !errors.Is(err, turn.ErrNotSession) {
			return s, name, err
		}
	}
}

// OpenFolder opens the session in a folder, or makes it.
func OpenFolder(ctx context.Context, dir, tool string) (*turn.Store, error) {
	s, err := turn.OpenOrCreate(ctx, turn.Dir(dir), tool)
	if err != nil {
		return nil, fmt.Errorf("session folder %s: %w", dir, err)
	}
	return s, nil
}
