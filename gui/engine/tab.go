package engine

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/text"
)

// Start implements [core.Engine]. The demo site is served first, so that its address is
// Known even where there is no browser.
func (l *Live) Start(ctx context.Context, progress func(stage string)) (core.Browser, error) {
	out := core.Browser{Viewport: image.Pt(l.opt.Browser.Width, l.opt.Browser.Height)}
	demo, err := l.site()
	if err != nil {
		l.opt.Log.Warn("the demo site is not served", "error", err)
	}
	out.Demo = demo
	l.mu.Lock()
	old := l.browser
	l.uses(nil, nil)
	l.mu.Unlock()
	if old != nil {
		if err := old.Close(); err != nil {
			l.opt.Log.Debug("clearing up after the last browser", "error", err)
		}
	}
	l.mu.Lock()
	o := l.opt.Browser
	l.mu.Unlock()
	b, tab, err := l.connect(ctx, o, l.opt.URL, progress)
	if err != nil {
		return out, err
	}
	l.mu.Lock()
	l.uses(b, tab)
	l.mu.Unlock()
	l.tap.use(b)
	return l.describe(ctx, b, tab, demo)
}

// connect launches or attaches to a browser and comes to its first tab; url is the page
// that will be opened there, "" for none.
func (l *Live) connect(ctx context.Context, o browser.Options, url string,
	progress func(stage string)) (*browser.Browser, *browser.Tab, error) {
	what := "waiting for it to answer"
	if o.Attach != "" {
		what = "attaching to " + o.Attach
	}
	progress(what)
	b, err := browser.Start(ctx, o)
	switch advice := browser.InstallAdvice(); {
	case errors.Is(err, browser.ErrNotFound):
		//lint:ignore ST1005 Chrome is a name
		return nil, nil, &core.Hinted{Err: errors.New("Chrome is missing"), Command: advice.Command,
			Hint: strings.ToUpper(advice.Text[:1]) + advice.Text[1:] + "; or name one with --chrome."}
	case err != nil:
		return nil, nil, err
	}
	progress("opening a tab")
	if b.Launched() { // else what a page gives to be saved would go nowhere
		if err := b.KeepDownloads(ctx, filepath.Join(l.opt.Home, "downloads")); err != nil {
			l.opt.Log.Warn("downloads are not kept", "error", err) // as in a home that cannot be written
		}
	}
	tab, err := l.firstTab(ctx, b, url)
	if err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	return b, tab, nil
}

// describe is a browser for the window.
func (l *Live) describe(ctx context.Context, b *browser.Browser, tab *browser.Tab, demo string) (core.Browser, error) {
	out := core.Browser{Viewport: image.Pt(l.opt.Browser.Width, l.opt.Browser.Height), Demo: demo}
	out.Version, out.Attached, out.Tab = b.Version(), !b.Launched(), tab.ID()
	var err error
	out.Tabs, err = l.Tabs(ctx)
	return out, err
}

// firstTab is the tab to begin with: the one that a launched browser has already, or one of a browser that somebody
// else runs, the first that shows a page. A page that was requested never takes over a tab of somebody else's.
func (l *Live) firstTab(ctx context.Context, b *browser.Browser, url string) (*browser.Tab, error) {
	if !b.Launched() && url != "" {
		return b.OpenTab(ctx)
	}
	tabs, err := b.Tabs(ctx)
	if err != nil {
		return nil, err
	}
	empty := func(t browser.TabInfo) bool {
		return t.URL == "about:blank" || strings.HasPrefix(t.URL, "chrome://newtab")
	}
	at := slices.IndexFunc(tabs, func(t browser.TabInfo) bool { return empty(t) == b.Launched() })
	switch {
	case at >= 0:
		return b.AttachTab(ctx, tabs[at].ID)
	case !b.Launched() && len(tabs) > 0:
		return b.AttachTab(ctx, tabs[0].ID)
	}
	return b.OpenTab(ctx)
}

// Wait implements [core.Engine].
func (l *Live) Wait(ctx context.Context, lost func(tab string, why error)) error {
	l.mu.Lock()
	b := l.browser
	l.mu.Unlock()
	if b == nil {
		return core.ErrBrowserGone
	}
	var told *browser.Tab
	for {
		l.mu.Lock()
		tab, other := l.tab, l.other
		l.mu.Unlock()
		var gone <-chan struct{}
		if tab != nil && tab != told {
			gone = tab.Session().Gone()
		}
		select {
		case <-b.Done():
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.browser != nil && l.browser != b {
				return nil // it was left for another one
			}
			return core.ErrBrowserGone
		case <-ctx.Done():
			return ctx.Err()
		case <-other:
		case <-gone:
			told = tab
			l.mu.Lock()
			used := l.browser == b && l.tab == tab
			l.mu.Unlock()
			if why := tab.Session().Err(); used && !errors.Is(why, browser.ErrGone) {
				lost(tab.ID(), l.explain(why))
			}
		}
	}
}

// uses makes a tab of a browser the one in use; l.mu is held.
func (l *Live) uses(b *browser.Browser, tab *browser.Tab) {
	l.browser, l.tab = b, tab
	close(l.other)
	l.other = make(chan struct{})
}

// Tabs implements [core.Engine].
func (l *Live) Tabs(ctx context.Context) ([]core.Tab, error) {
	l.mu.Lock()
	b := l.browser
	l.mu.Unlock()
	if b == nil {
		return nil, core.ErrBrowserGone
	}
	infos, err := b.Tabs(ctx)
	if err != nil {
		return nil, l.explain(err)
	}
	tabs := make([]core.Tab, len(infos))
	for i, t := range infos {
		tabs[i] = core.Tab{ID: t.ID, URL: t.URL, Title: t.Title}
	}
	return tabs, nil
}

// SelectTab implements [core.Engine]. The tab in use before is left as it is.
func (l *Live) SelectTab(ctx context.Context, id string) (core.Tab, error) {
	l.mu.Lock()
	b, old := l.browser, l.tab
	l.mu.Unlock()
	if b == nil {
		return core.Tab{}, core.ErrBrowserGone
	}
	tab, err := b.AttachTab(ctx, id)
	if err != nil {
		return core.Tab{}, l.explain(err)
	}
	l.mu.Lock()
	l.uses(b, tab)
	l.mu.Unlock()
	if old != nil {
		if err := old.Detach(ctx); err != nil {
			l.opt.Log.Debug("leaving a tab", "error", err)
		}
	}
	return l.info(ctx, tab)
}

// Open implements [core.Engine].
func (l *Live) Open(ctx context.Context, target address.Target, progress func(stage string)) (core.Tab, error) {
	url, err := l.address(target)
	if err != nil {
		return core.Tab{}, err
	}
	tab, err := l.usable(ctx)
	if err != nil {
		return core.Tab{}, err
	}
	if l.hangs(ctx, tab) {
		progress("opening another tab, as the page in this one hangs")
		if tab, err = l.replace(ctx, tab); err != nil {
			return core.Tab{}, err
		}
	}
	progress("waiting for the server")
	collect.Prepare(tab)
	got, err := l.load(ctx, tab, func(ctx context.Context) error { return tab.Navigate(ctx, url) })
	if slow, ok := errors.AsType[*core.Hinted](err); ok && errors.Is(slow.Err, core.ErrSlow) {
		slow.Err = fmt.Errorf("opening %s: %w", text.Cut(url, 120), slow.Err) // as all other reasons do
	}
	return got, err
}

// patience is how long a page may be busy before its tab is given up for another page.
const patience = 5 * time.Second

// hangs reports whether a script that does not end keeps a tab of ours from showing another page.
func (l *Live) hangs(ctx context.Context, tab *browser.Tab) bool {
	if !tab.Browser().Launched() {
		return false
	}
	in, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := tab.Frames(in)
	return errors.Is(err, context.DeadlineExceeded)
}

// Move implements [core.Engine].
func (l *Live) Move(ctx context.Context, m core.Move) (core.Tab, error) {
	tab, err := l.current()
	if err != nil {
		return core.Tab{}, err
	}
	steps := map[core.Move]func(context.Context) error{
		core.MoveBack: tab.Back, core.MoveForward: tab.Forward, core.MoveReload: tab.Reload,
	}
	return l.load(ctx, tab, steps[m])
}

// load runs a navigation under the time limit, which is that of its calls too: a server may take all of it to answer.
func (l *Live) load(ctx context.Context, tab *browser.Tab, step func(context.Context) error) (core.Tab, error) {
	l.mu.Lock()
	limit := l.opt.Timeout
	l.mu.Unlock()
	limited, cancel := browser.Within(ctx, limit)
	defer cancel()
	if err := step(limited); err != nil {
		var nav *browser.NavError
		if ctx.Err() == nil && (limited.Err() != nil || errors.As(err, &nav) && nav.Slow) {
			return core.Tab{}, &core.Hinted{Err: core.ErrSlow, Hint: fmt.Sprintf("It had %s.", limit)}
		}
		return core.Tab{}, l.explain(err)
	}
	if err := l.there(limited, tab); err != nil {
		return core.Tab{}, err
	}
	return l.info(ctx, tab)
}

// WaitLonger implements [core.Engine].
func (l *Live) WaitLonger() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opt.Timeout *= 2
}

// there fails where the tab shows Chrome's own error page in place of a page.
func (l *Live) there(ctx context.Context, tab *browser.Tab) error {
	return l.explain(tab.Landed(ctx))
}

func (l *Live) info(ctx context.Context, tab *browser.Tab) (core.Tab, error) {
	t, err := tab.Info(ctx)
	if err != nil {
		return core.Tab{}, l.explain(err)
	}
	return core.Tab{ID: t.ID, URL: t.URL, Title: t.Title}, nil
}

// current is the tab in use.
func (l *Live) current() (*browser.Tab, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.browser == nil || l.tab == nil {
		return nil, core.ErrBrowserGone
	}
	return l.tab, nil
}

// usable is the tab in use, or a new one in its place where it crashed or was
// closed.
func (l *Live) usable(ctx context.Context) (*browser.Tab, error) {
	tab, err := l.current()
	if err != nil {
		return nil, err
	}
	lost := tab.Session().Err()
	if lost == nil || errors.Is(lost, browser.ErrGone) {
		return tab, nil // the error of a browser that is gone is enough
	}
	return l.replace(ctx, tab)
}

// replace closes a tab that is of no use and opens another one.
func (l *Live) replace(ctx context.Context, tab *browser.Tab) (*browser.Tab, error) {
	l.mu.Lock()
	b := l.browser
	l.mu.Unlock()
	fresh, err := b.OpenTab(ctx)
	if err != nil {
		return nil, l.explain(err)
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := tab.Close(end); err != nil {
		l.opt.Log.Debug("closing a lost tab", "error", err)
	}
	l.mu.Lock()
	l.uses(b, fresh)
	l.mu.Unlock()
	return fresh, nil
}

// explain adds to errors of the browser what to do about them.
func (l *Live) explain(err error) error {
	var busy *browser.BusyError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, browser.ErrGone):
		return fmt.Errorf("%w: %w", core.ErrBrowserGone, err)
	case errors.Is(err, browser.ErrCrashed):
		return &core.Hinted{Err: browser.ErrCrashed,
			Hint: "Press Enter in the address bar to open the page in a new tab."}
	case errors.Is(err, browser.ErrDetached):
		return &core.Hinted{Err: errors.New("the tab was closed"),
			Hint: "Choose another tab, or press Enter in the address bar."}
	case errors.As(err, &busy) && !busy.Browser:
		return &core.Hinted{Err: core.ErrSlow, Hint: fmt.Sprintf("It had %s: %v.", busy.Within, browser.ErrBusy)}
	}
	return err
}
