package tap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/observation"
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
	ofTree   atomic.Bool  // a request listed Chrome's accessibility tree

	mu       sync.Mutex
	browsers []*watchedBrowser
	tabs     map[string]*watched // by the ids that browsers give them, which no two share
	// left are the last whole captures of tabs that were closed since the last request, the newest last.
	left []Page
	// programs are those of extensions that nobody looks into yet, and heard the sessions of tabs that nobody listens
	// to; look and hear are what does: see [Watcher.overhear].
	programs []program
	look     func(program)

	hearing sync.Mutex // its own: it is taken where Chrome's events are read, which waits for nobody
	heard   []heard
	hear    func(heard)

	keeping sync.WaitGroup // of the tabs' pages, and of what browsers tell
}

// watchedBrowser is one browser.
type watchedBrowser struct {
	*browser.Browser
	leave func() // ends the listening for its tabs
}

// watched is one tab.
type watched struct {
	in    *browser.Browser
	ready chan struct{} // closed once tab is attached, or err says why not
	err   error
	tab   *browser.Tab
	early bool          // attached before a request asked for it: its page may leave before one does
	known *redact.Known // what its fields were seen to hold
	cache session.Cache // one capture for requests that come while the page stays as it is
	leave func()        // ends the keeping of its pages

	mu sync.Mutex
	// stable is the last whole capture, gone the last one of a page that the tab has left since the last request; nil
	// where there is none.
	stable, gone *Page
	// given is the stable one where it was given out as gone since the tab did not answer: not again once it is closed.
	given *Page
	// yield ends the capture of a page that has loaded, for a request that wants its own; nil where there is none, and
	// once it is being read: what is read then is the page of the request too, unless that changes.
	yield   func()
	asks    chan struct{} // closed once the newest request has its page, nil before the first
	reading bool          // the page has told what it holds, and the capture of that goes on
}

// maxWatched is how many tabs are looked at for one request, the newest of each browser: more would delay it, and an
// agent looks at one. It is also of how many closed ones the page is kept.
const maxWatched = 8

// seeDeadline is how long the capture of one moment may take: nobody waits for it, and a busy machine takes its time.
const seeDeadline = 20 * time.Second

// Watch watches the pages of a browser, nil for none yet. Closing the browser is the caller's.
func Watch(b *browser.Browser, p *profiles.Store, log *slog.Logger) *Watcher {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	w := &Watcher{profiles: p, log: log, tabs: map[string]*watched{}}
	w.Use(b)
	return w
}

// Use watches another browser from now on in the place of all others, or none. Their tabs are left with their
// connections.
func (w *Watcher) Use(b *browser.Browser) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.browsers) == 1 && w.browsers[0].Browser == b {
		return
	}
	for len(w.browsers) > 0 {
		w.drop(w.browsers[0].Browser)
	}
	w.left = nil
	if b != nil {
		w.add(b)
	}
}

// Add watches one more browser from now on: an agent may start several, at once or one after another. It is left when
// its connection ends, or by [Watcher.Drop]; the pages that it showed last are those of the next request too.
func (w *Watcher) Add(b *browser.Browser) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.add(b)
}

// Drop leaves a browser.
func (w *Watcher) Drop(b *browser.Browser) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop(b)
}

// Follow watches the browser at an address until the context ends, or the browser. It waits for one that does not
// answer yet, and says where one is too old to be watched.
func (w *Watcher) Follow(ctx context.Context, at string, log *slog.Logger) {
	b, err := browser.Start(ctx, browser.Options{Attach: at, Log: log})
	for ; err != nil; b, err = browser.Start(ctx, browser.Options{Attach: at, Log: log}) {
		if errors.Is(err, browser.ErrTooOld) {
			log.Warn("the agent's browser is not watched: its pages are not recorded", "error", err)
			return
		}
		log.Debug("attaching to the agent's browser", "address", at, "error", err)
		select { // a browser has the flag of its port before it answers there, on a busy machine by seconds
		case <-time.After(attachAgain):
		case <-ctx.Done():
			return
		}
	}
	w.Add(b)
	select {
	case <-ctx.Done():
	case <-b.Done():
	}
	w.Drop(b)
	_ = b.Close() // it is the agent's, and may be gone
}

// attachAgain is how long a browser that does not answer yet is left alone.
const attachAgain = 300 * time.Millisecond

// add is [Watcher.Add], with the lock held.
func (w *Watcher) add(b *browser.Browser) {
	if slices.ContainsFunc(w.browsers, func(other *watchedBrowser) bool { return other.Browser == b }) {
		return
	}
	listening, leave := context.WithCancel(context.Background())
	w.browsers = append(w.browsers, &watchedBrowser{b, leave})
	w.keeping.Go(func() { w.listen(listening, b) })
}

// drop is [Watcher.Drop], with the lock held.
func (w *Watcher) drop(b *browser.Browser) {
	w.browsers = slices.DeleteFunc(w.browsers, func(other *watchedBrowser) bool {
		if other.Browser == b {
			other.leave()
		}
		return other.Browser == b
	})
	for id, t := range w.tabs {
		if t.in == b {
			w.closed(id)
		}
	}
}

// closed drops a tab that is closed and keeps its last page; the lock is held.
func (w *Watcher) closed(id string) {
	t := w.tabs[id]
	t.leave()
	delete(w.tabs, id)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range []*Page{t.gone, t.stable} {
		if p != nil && p != t.given {
			w.left = append(w.left, p.asGone())
		}
	}
	w.left = w.left[max(0, len(w.left)-maxWatched):]
}

// listen looks at each tab of a browser as soon as it is there, since an agent may close it before it asks its model,
// until the context or the browser ends.
func (w *Watcher) listen(ctx context.Context, b *browser.Browser) {
	err := b.EachTarget(ctx, func(id string) {
		w.mu.Lock()
		n := len(w.tabs)
		w.mu.Unlock()
		if n >= maxWatched {
			return // those that a request finds are looked at then
		}
		if _, err := w.tab(ctx, openTab{browser.TabInfo{ID: id}, b}, true); err != nil {
			w.log.Debug("attaching to a new tab", "tab", id, "error", err)
		}
	}, func(id string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if p := (program{ctx, b, id}); w.look != nil {
			w.look(p)
		} else {
			w.programs = append(w.programs, p)
		}
	})
	if err != nil {
		w.log.Debug("listening for the browser's tabs", "error", err)
	}
	if ctx.Err() == nil {
		w.Drop(b)
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

// all are the browsers that are there.
func (w *Watcher) all() []*browser.Browser {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []*browser.Browser
	for _, b := range w.browsers {
		out = append(out, b.Browser)
	}
	return out
}

// Watches reports whether there is a browser.
func (w *Watcher) Watches() bool { return w != nil && len(w.all()) > 0 }

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
	// Gone: the tab had left the page when the request came, or it could not be captured then; it is as it was
	// captured before.
	Gone bool
	// Hidden: the tab lies behind another, and has no picture.
	Hidden bool
	// before is the same document as it was captured before, nil for none.
	before *snapshot.Capture
}

// asGone is a page that a tab has left. The turn of each request gives numbers of its own.
func (p Page) asGone() Page {
	c := *p.Capture
	c.Nodes = slices.Clone(c.Nodes)
	p.Capture, p.Gone = &c, true
	return p
}

// errNotYet is why a page that is being captured has no capture.
var errNotYet = errors.New("it was not captured in time")

// CapturePages captures the pages that are visible now, and those of hidden tabs whose address the request has. It
// calls each for every tab when it begins, without a capture, and once more when the page is there, so that one that is
// stuck delays no other: a page with the reason where that failed, and one with neither where a hidden tab is of no
// matter. Calls are from several goroutines.
//
// asked is called when a page is there, and waits for the text of the request, so that what its refs are held by is
// read with the page; nil for a moment without a request.
func (w *Watcher) CapturePages(ctx context.Context, asked func() []byte, each func(Page)) {
	ctx, cancel := browser.Within(ctx, seeDeadline)
	defer cancel()
	open, err := w.open(ctx)
	if err != nil {
		each(Page{Err: err})
	}
	w.mu.Lock()
	left := w.left
	w.left = nil
	w.mu.Unlock()
	for _, p := range left {
		each(p)
	}
	var work sync.WaitGroup
	for _, o := range open {
		each(Page{Tab: o.ID, URL: o.URL, Err: errNotYet})
		captured := make(chan struct{})
		work.Go(func() {
			defer close(captured)
			p := w.capturePage(ctx, o, asked)
			gone, before := w.gone(o.ID, p)
			if gone != nil {
				each(*gone)
			}
			p.before = before
			each(p)
		})
		work.Go(func() {
			late := time.NewTimer(lateAfter)
			defer late.Stop()
			select {
			case <-late.C:
				if p := w.kept(o); p != nil {
					each(*p)
				}
			case <-captured:
			}
		})
	}
	work.Wait()
}

// lateAfter is how long a page may be captured before the one that was kept of it is given out too: less than a request
// waits for the pages.
const lateAfter = captureWait - time.Second

// kept is the page that was kept of a tab that shows it still, nil for none.
func (w *Watcher) kept(o openTab) *Page {
	w.mu.Lock()
	t := w.tabs[o.ID]
	w.mu.Unlock()
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stable == nil || t.stable.URL != o.URL {
		return nil
	}
	p := t.stable.asGone()
	return &p
}

// openTab is a tab of one of the browsers.
type openTab struct {
	browser.TabInfo
	in *browser.Browser
}

// open are the tabs that a request may be about, at most [maxWatched]; of several browsers the newest tabs of each.
// The error is that of the last browser that could not be asked.
func (w *Watcher) open(ctx context.Context) ([]openTab, error) {
	var lists [][]openTab
	var failed error
	for _, b := range w.all() {
		infos, err := b.Tabs(ctx)
		select {
		case <-b.Done(): // the agent has closed it
			w.Drop(b)
			continue
		default:
		}
		if err != nil {
			failed = fmt.Errorf("the browser's tabs could not be listed: %w", err)
			continue
		}
		w.forget(b, infos)
		var list []openTab
		for _, info := range infos {
			list = append(list, openTab{info, b})
		}
		lists = append(lists, list)
	}
	var out []openTab
	for level := 0; len(out) < maxWatched; level++ {
		before := len(out)
		for _, list := range lists {
			if level < len(list) && len(out) < maxWatched {
				out = append(out, list[level])
			}
		}
		if len(out) == before {
			break
		}
	}
	return out, failed
}

// gone is the page that a tab has left since the last request, nil for none, which is given out once; and the one that
// it shows as it was captured before.
func (w *Watcher) gone(id string, now Page) (left *Page, before *snapshot.Capture) {
	w.mu.Lock()
	t := w.tabs[id]
	w.mu.Unlock()
	if t == nil {
		return nil, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out := t.gone
	if t.stable != nil && t.stable.URL == now.URL {
		before = t.stable.Capture
	}
	// The next page is not whole yet, or this one was left while it was captured.
	switch {
	case t.stable == nil:
	case t.stable.URL != now.URL:
		out, t.stable = t.stable, nil
	case now.Err != nil:
		out, t.given = t.stable, t.stable
	}
	t.keep(now)
	t.gone = nil
	if out == nil {
		return nil, before
	}
	p := out.asGone()
	return &p, before
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
	before := make(chan struct{}, 1) // the page has loaded already
	if t.early {
		if document, _ := t.loaded(ctx, id); document != "" {
			before <- struct{}{}
		}
	}
	var done string // the document that was captured last, after it had loaded
	for {
		select {
		case _, ok := <-loads:
			if !ok {
				return
			}
		case <-before:
		case <-ctx.Done():
			return
		}
		// The capture of the page before may have become one of this page: it may be told of a load once that is over.
		// A second one would be of a later moment than the agent's reading.
		if document, _ := t.loaded(ctx, id); document != "" && document == done {
			continue
		}
		for kept, tries := false, 0; !kept && tries < keepTries && ctx.Err() == nil; tries++ {
			t.mu.Lock()
			asks := t.asks
			t.mu.Unlock()
			if asks != nil {
				select {
				case <-asks:
				case <-ctx.Done():
					return
				}
			}
			in, cancel := browser.Within(ctx, seeDeadline)
			t.mu.Lock()
			t.yield = cancel
			t.mu.Unlock()
			p := w.capture(in, id, t, session.Settle{}, nil)
			cancel()
			t.mu.Lock()
			t.yield = nil
			kept = t.keep(p)
			t.mu.Unlock()
			if !kept {
				continue
			}
			if document, at := t.loaded(ctx, id); p.Capture.TakenAt.After(at) {
				done = document
			}
		}
	}
}

// loadedDocument is when a document began, and when its load event was over, in ms since 1970; empty where that is not
// over and for the page of a new tab.
const loadedDocument = `(() => {
	const load = performance.getEntriesByType('navigation')[0]?.loadEventEnd;
	return load && location.href != 'about:blank' ? performance.timeOrigin + ' ' + (performance.timeOrigin + load) : '';
})()`

// loaded is what tells the document that a tab shows from any other, and when it had loaded; empty where it has not, or
// does not say.
func (t *watched) loaded(ctx context.Context, id string) (document string, at time.Time) {
	said, err := t.tab.Session().Eval(ctx, id, loadedDocument)
	began, over, ok := strings.Cut(said, " ")
	ms, bad := strconv.ParseFloat(over, 64)
	if err != nil || !ok || bad != nil {
		return "", time.Time{}
	}
	return began, time.UnixMicro(int64(ms * 1000))
}

// capturePage captures one tab as it is.
func (w *Watcher) capturePage(ctx context.Context, info openTab, asked func() []byte) Page {
	t, err := w.tab(ctx, info, false)
	if err != nil {
		return Page{Tab: info.ID, URL: info.URL, Err: err}
	}
	has := make(chan struct{})
	defer close(has)
	t.mu.Lock()
	t.asks = has
	if t.yield != nil { // it waits for a quiet moment, and this one does not
		t.yield()
	}
	t.mu.Unlock()
	// The agent has waited as long as it wanted to, and each try is a later moment.
	now := session.Settle{Quiet: time.Millisecond, Network: time.Millisecond, Max: time.Millisecond}
	p := w.capture(ctx, info.ID, t, now, asked)
	if p.URL == "" {
		p.URL = info.URL
	}
	return p
}

// capture captures a tab once it has settled; nothing of one that is hidden, unless the request has its address: agents
// go on in a tab that another one was opened over. A picture would show it.
func (w *Watcher) capture(ctx context.Context, id string, t *watched, settle session.Settle, asked func() []byte) Page {
	failed := func(err error) Page { return Page{Tab: id, Err: err} }
	if d, _ := t.tab.OpenDialog(); d != nil { // the page answers nobody before it is closed
		return failed(errors.New("a dialog of the page is open"))
	}
	address, err := t.tab.Session().Eval(ctx, id, "document.visibilityState === 'hidden' ? location.href : ''")
	hidden := err == nil && address != ""
	if hidden && (asked == nil || !bytes.Contains(asked(), []byte(address))) {
		return Page{Tab: id}
	}
	o := session.Options{Action: "tap", Settle: settle, Once: true, Profiles: w.profiles, EveryNodeID: true,
		NoPicture: hidden, Watched: true, Progress: t.progress}
	defer t.progress("")
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
	secrets := t.known.All()
	clean := func(name string) string { return redact.Standard().Clean(name, secrets...) }
	collect.AgentRefs(ctx, t.tab, &c, clean)
	if asked != nil && (w.ofTree.Load() || observation.OfTree.Match(asked())) {
		w.ofTree.Store(true) // what goes on from this request may list no element itself
		collect.AXFacts(ctx, t.tab, &c, clean)
	}
	return Page{Tab: id, URL: c.URL, Capture: &c, Picture: shot.Picture, Profile: shot.Profile, Secrets: t.known.All(),
		Hidden: hidden || shot.Picture == nil && !shot.Left}
}

// progress notes how far the capture of a tab is, by the stages of [session.Options].
func (t *watched) progress(stage string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reading = stage == "picture"; stage == "collect" {
		t.yield = nil
	}
}

// Reading reports whether a page has told what it holds while its capture goes on: it is no page that is stuck.
func (w *Watcher) Reading() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range w.tabs {
		t.mu.Lock()
		is := t.reading
		t.mu.Unlock()
		if is {
			return true
		}
	}
	return false
}

// tab is the tab with that id, attached to where it is new. One that does not answer holds up nobody else.
func (w *Watcher) tab(ctx context.Context, o openTab, early bool) (*watched, error) {
	w.mu.Lock()
	t := w.tabs[o.ID]
	if t == nil || t.over() {
		if !slices.ContainsFunc(w.browsers, func(b *watchedBrowser) bool { return b.Browser == o.in }) {
			w.mu.Unlock()
			return nil, errors.New("its browser is not watched any more")
		}
		attached, leave := context.WithCancel(context.Background())
		t = &watched{in: o.in, ready: make(chan struct{}), known: &redact.Known{}, leave: leave, early: early}
		w.tabs[o.ID] = t
		w.keeping.Go(func() { w.attach(attached, o.ID, t) })
	}
	w.mu.Unlock()
	select {
	case <-t.ready:
		return t, t.err
	case <-ctx.Done():
		return nil, errNotYet
	}
}

// over reports whether a tab could not be attached to, or is closed.
func (t *watched) over() bool {
	select {
	case <-t.ready:
	default:
		return false
	}
	if t.err != nil {
		return true
	}
	select {
	case <-t.tab.Session().Gone():
		return true
	default:
		return false
	}
}

// attach attaches to a tab and keeps its pages, until the context ends or the tab is closed.
func (w *Watcher) attach(ctx context.Context, id string, t *watched) {
	in, cancel := browser.Within(ctx, seeDeadline)
	t.tab, t.err = t.in.OverhearTab(in, id, func(s *browser.Session) { w.hears(heard{ctx, t.in, s, id}) })
	cancel()
	if t.err == nil {
		t.tab.SetDialogs(browser.DialogAsk) // they are the agent's to answer
	}
	close(t.ready)
	if t.err == nil {
		w.keepPages(ctx, id, t)
	}
}

// forget drops the tabs of a browser that are closed.
func (w *Watcher) forget(in *browser.Browser, open []browser.TabInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, t := range w.tabs {
		if t.in == in && !slices.ContainsFunc(open, func(i browser.TabInfo) bool { return i.ID == id }) {
			w.closed(id)
		}
	}
}

// Prepare attaches to the tabs that are open, so that the first request does not wait for it.
func (w *Watcher) Prepare(ctx context.Context) error {
	open, err := w.open(ctx)
	for _, o := range open {
		if _, err := w.tab(ctx, o, true); err != nil {
			w.log.Debug("attaching to a tab", "tab", o.ID, "error", err)
		}
	}
	return err
}

// Close leaves the tabs as they are. Only a dialog that is open is dismissed: Chrome would let
// nobody answer it any more.
func (w *Watcher) Close(ctx context.Context) {
	defer w.keeping.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.browsers {
		b.leave()
	}
	w.browsers = nil
	for id, t := range w.tabs {
		t.leave()
		if <-t.ready; t.err != nil {
			continue
		}
		if err := t.tab.Detach(ctx); err != nil {
			w.log.Debug("leaving a tab", "tab", id, "error", err)
		}
		delete(w.tabs, id)
	}
}
