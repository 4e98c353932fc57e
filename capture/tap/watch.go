package tap

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Watcher captures the pages of an agent's browser without touching them: it brings no tab
// to the front, answers no dialog, waits for nothing and writes nothing into a page. It is safe for concurrent
// use.
type Watcher struct {
	profiles *profiles.Store
	log      *slog.Logger
	known    redact.Known // what profiles withheld in all tabs

	mu   sync.Mutex
	b    *browser.Browser    // nil for none
	tabs map[string]*watched // by the browser's id

	keeping sync.WaitGroup // of the tabs' pages
}

// watched is one tab.
type watched struct {
	tab   *browser.Tab
	known *redact.Known // what its fields were seen to hold
	cache session.Cache // one capture for requests that come while the page stays as it is
	leave func()        // ends the keeping of its pages

	mu sync.Mutex
	// stable is the last whole capture, gone the last one of a page that the tab has left since the last request; nil
	// where there is none.
	stable, gone *Page
}

// maxWatched is how many tabs are looked at for one request, the newest: more would delay it,
// and an agent looks at one.
const maxWatched = 8

// seeDeadline is how long the capture of one moment may take: nobody waits for it, and a busy machine takes its time.
const seeDeadline = 20 * time.Second

// Watch watches the pages of a browser, nil for none yet. Closing the browser is the caller's.
func Watch(b *browser.Browser, p *profiles.Store, log *slog.Logger) *Watcher {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Watcher{b: b, profiles: p, log: log, tabs: map[string]*watched{}}
}

// Use watches another browser from now on, or none. The tabs of the one before are left with its
// connection.
func (w *Watcher) Use(b *browser.Browser) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b != w.b {
		for _, t := range w.tabs {
			t.leave()
		}
		w.b, w.tabs = b, map[string]*watched{}
	}
}

// Withheld is what must not be kept of a request and its answer, whichever page they are about: what the profiles of
// the pages that were seen withhold. unsaid are sentences about what of it cannot be looked for. rules are nil where no
// browser is watched.
func (w *Watcher) Withheld(pages []Page) (rules *redact.Redactor, secrets []redact.Secret, unsaid []string) {
	if w == nil {
		return nil, nil, nil
	}
	rules, secrets, vague := w.withheld()
	if vague > 0 {
		unsaid = append(unsaid, text.Count(vague, "text that the site's profile withholds is",
			"texts that the site's profile withholds are")+
			" too short or too common to be looked for here")
	}
	for _, p := range pages {
		if p.Capture == nil && p.Err != nil && w.withholds(p.URL) {
			unsaid = append(unsaid,
				"a page whose profile withholds could not be captured, so what it withholds was not looked for here: "+
					p.Err.Error())
		}
	}
	return rules, secrets, unsaid
}

// withheld are the rules and texts by which the profiles of the pages that were seen withhold, in any tab, and how many
// texts are too short or too common to be looked for.
func (w *Watcher) withheld() (*redact.Redactor, []redact.Secret, int) {
	return w.known.Redactor(), w.known.Withheld(), w.known.Vague()
}

// withholds reports whether the profile of an address withholds anything.
func (w *Watcher) withholds(url string) bool {
	if w.profiles == nil {
		return false
	}
	f, err := w.profiles.Lookup(url)
	if errors.Is(err, profiles.ErrNotFound) || errors.Is(err, profiles.ErrNoDomain) {
		return false
	}
	if err != nil {
		return true // it may
	}
	p, _ := profiles.Parse(f.Text)
	return len(p.Front.Redact) > 0
}

// browser is the one that is watched, nil for none.
func (w *Watcher) browser() *browser.Browser {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b
}

// Watches reports whether there is a browser.
func (w *Watcher) Watches() bool { return w != nil && w.browser() != nil }

// Page is one page as it was at a moment.
type Page struct {
	Tab     string // the browser's id
	URL     string // of the tab when it was listed
	Capture *snapshot.Capture
	Picture []byte        // PNG with withheld values filled flat
	Profile *turn.Profile // that applied, nil for none
	// Secrets are what the page holds and was kept out of the capture.
	Secrets []redact.Secret
	Err     error // why there is no capture
	// Gone: the tab had left the page when the request came; it is as it was captured before.
	Gone bool
}

// errNotYet is why a page that is being captured has no capture.
var errNotYet = errors.New("it was not captured in time")

// CapturePages captures the pages that are visible now. It calls each for every tab when it begins, without a
// capture, and once more when the page is there, so that one that is stuck delays no other: a page with
// the reason where that failed, and one with neither where the tab is hidden. Calls are from several
// goroutines.
//
// asked is called when a page is there, and waits for the text of the request, so that what its refs are held by is
// read with the page; nil for a moment without a request.
func (w *Watcher) CapturePages(ctx context.Context, asked func() []byte, each func(Page)) {
	ctx, cancel := browser.Within(ctx, seeDeadline)
	defer cancel()
	b := w.browser()
	if b == nil {
		return
	}
	infos, err := b.Tabs(ctx)
	if err != nil {
		each(Page{Err: fmt.Errorf("the browser's tabs could not be listed: %w", err)})
		return
	}
	w.forget(infos)
	var work sync.WaitGroup
	for _, info := range infos[:min(len(infos), maxWatched)] {
		each(Page{Tab: info.ID, URL: info.URL, Err: errNotYet})
		work.Go(func() {
			p := w.capturePage(ctx, info, asked)
			if gone := w.gone(info.ID, p); gone != nil {
				each(*gone)
			}
			each(p)
		})
	}
	work.Wait()
}

// axText is what a request has in it that lists Chrome's accessibility tree by numbers that nothing in the page holds.
var axText = regexp.MustCompile(`uid=\d+_\d+ `)

// gone is the page that a tab has left since the last request, nil for none. It is given out once.
func (w *Watcher) gone(id string, now Page) *Page {
	w.mu.Lock()
	t := w.tabs[id]
	w.mu.Unlock()
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out := t.gone
	if t.stable != nil && t.stable.URL != now.URL { // the next page is not whole yet
		out, t.stable = t.stable, nil
	}
	t.keep(now)
	t.gone = nil
	if out == nil {
		return nil
	}
	p := *out
	c := *p.Capture
	c.Nodes = slices.Clone(c.Nodes)
	p.Capture, p.Gone = &c, true
	return &p
}

// keepTries is how often a page that has loaded is captured at most: one that changes meanwhile gives no whole capture.
const keepTries = 3

// keep notes a capture, unless it is none or is torn; the tab's lock is held. One of another page is the last of the
// page before.
func (t *watched) keep(p Page) bool {
	if p.Capture == nil || p.Capture.Moment.Torn {
		return false
	}
	if t.stable != nil && t.stable.URL != p.URL {
		t.gone = t.stable
	}
	t.stable = &p
	return true
}

// keepPages captures each page that has loaded in a tab, once it is quiet, until the context ends or the tab is closed:
// an agent reads it then, and may leave it before it asks its model.
func (w *Watcher) keepPages(ctx context.Context, id string, t *watched) {
	loads, stop := t.tab.Session().Subscribe("Page.loadEventFired")
	defer stop()
	for {
		select {
		case _, ok := <-loads:
			if !ok {
				return
			}
		case <-ctx.Done():
			return
		}
		for kept, tries := false, 0; !kept && tries < keepTries && ctx.Err() == nil; tries++ {
			in, cancel := browser.Within(ctx, seeDeadline)
			p := w.capture(in, id, t, session.Settle{}, nil)
			cancel()
			t.mu.Lock()
			kept = t.keep(p)
			t.mu.Unlock()
		}
	}
}

// capturePage captures one tab as it is; nothing of one that is hidden.
func (w *Watcher) capturePage(ctx context.Context, info browser.TabInfo, asked func() []byte) Page {
	t, err := w.tab(ctx, info.ID)
	if err != nil {
		return Page{Tab: info.ID, URL: info.URL, Err: err}
	}
	// The agent has waited as long as it wanted to, and each try is a later moment.
	now := session.Settle{Quiet: time.Millisecond, Network: time.Millisecond, Max: time.Millisecond}
	p := w.capture(ctx, info.ID, t, now, asked)
	if p.URL == "" {
		p.URL = info.URL
	}
	return p
}

// capture captures a tab once it has settled; nothing of one that is hidden.
func (w *Watcher) capture(ctx context.Context, id string, t *watched, settle session.Settle, asked func() []byte) Page {
	failed := func(err error) Page { return Page{Tab: id, Err: err} }
	if d, _ := t.tab.OpenDialog(); d != nil { // the page answers nobody before it is closed
		return failed(errors.New("a dialog of the page is open"))
	}
	state, err := t.tab.Session().Eval(ctx, id, "document.visibilityState")
	if err == nil && state == "hidden" {
		return Page{Tab: id}
	}
	o := session.Options{Action: "tap", Settle: settle, Once: true, Profiles: w.profiles, EveryNodeID: true}
	t.known.Learn(redact.Kept{Withheld: w.known.Kept().Withheld})
	o.Collect.Known = t.known
	shot, _, err := t.cache.Take(ctx, t.tab, o)
	w.known.Learn(redact.Kept{Withheld: t.known.Kept().Withheld})
	if err != nil {
		w.log.Debug("capturing the page of a request", "tab", id, "error", err)
		return failed(err)
	}
	// The capture of the cache stays as it is: each turn gives numbers of its own.
	c := *shot.Capture
	c.Nodes = slices.Clone(c.Nodes)
	collect.AgentRefs(ctx, t.tab, &c)
	if asked != nil && axText.Match(asked()) {
		secrets := t.known.All()
		collect.AXFacts(ctx, t.tab, &c, func(name string) string { return redact.Standard().Clean(name, secrets...) })
	}
	return Page{Tab: id, URL: c.URL, Capture: &c, Picture: shot.Picture, Profile: shot.Profile, Secrets: t.known.All()}
}

// tab is the tab with that id, attached to where it is new.
func (w *Watcher) tab(ctx context.Context, id string) (*watched, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.tabs[id]; t != nil {
		select {
		case <-t.tab.Session().Gone():
		default:
			return t, nil
		}
	}
	if w.b == nil {
		return nil, errors.New("no browser is watched any more")
	}
	tab, err := w.b.AttachTab(ctx, id)
	if err != nil {
		return nil, err
	}
	tab.SetDialogs(browser.DialogAsk) // they are the agent's to answer
	keeping, leave := context.WithCancel(context.WithoutCancel(ctx))
	t := &watched{tab: tab, known: &redact.Known{}, leave: leave}
	w.tabs[id] = t
	w.keeping.Go(func() { w.keepPages(keeping, id, t) })
	return t, nil
}

// forget drops tabs that are closed.
func (w *Watcher) forget(open []browser.TabInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.tabs {
		if !slices.ContainsFunc(open, func(i browser.TabInfo) bool { return i.ID == id }) {
			w.tabs[id].leave()
			delete(w.tabs, id)
		}
	}
}

// Prepare attaches to the tabs that are open, so that the first request does not wait for it.
func (w *Watcher) Prepare(ctx context.Context) error {
	b := w.browser()
	if b == nil {
		return nil
	}
	infos, err := b.Tabs(ctx)
	if err != nil {
		return fmt.Errorf("listing the browser's tabs: %w", err)
	}
	for _, info := range infos {
		if _, err := w.tab(ctx, info.ID); err != nil {
			w.log.Debug("attaching to a tab", "tab", info.ID, "error", err)
		}
	}
	return nil
}

// Close leaves the tabs as they are. Only a dialog that is open is dismissed: Chrome would let
// nobody answer it any more.
func (w *Watcher) Close(ctx context.Context) {
	defer w.keeping.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, t := range w.tabs {
		t.leave()
		if err := t.tab.Detach(ctx); err != nil {
			w.log.Debug("leaving a tab", "tab", id, "error", err)
		}
		delete(w.tabs, id)
	}
}
