package browser

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// worldName is the name of the isolated world that all our scripts run in. A named
// world is shared by all sessions of a frame and survives a reconnect.
const worldName = "refscope"

// The observer of every document from its start: it counts mutations, and says what changes without one.
var (
	//go:embed observer.js
	mutationsJS string
	//go:embed state.js
	stateJS    string
	observerJS = mutationsJS + ";\n" + stateJS
)

// Now is an expression of our world: a text that is another one after each change of its document that scripts can see,
// but for those of style sheets. It ends in " 0" where nothing in the document moves on its own; else, and where an
// earlier version has made the world, no two are the same.
const Now = `(globalThis.__refscope.now || (() => '? ' + performance.now()))()`

// Tab is one tab with its sessions: its own and one for each out-of-process frame.
type Tab struct {
	browser *Browser
	id      target.ID
	session *Session
	own     bool // opened here, so closed here
	work    sync.WaitGroup

	net      *traffic
	blocked  blocked
	document document
	log      *journal
	ask      *dialogs
	requests *recorder
	files    fileGuard
	choosers atomic.Int64 // that the page has opened
	emu      emulated
	preload  preload
	overhear func(s *Session) // nil for nobody: see [Browser.OverhearTab]

	mu       sync.Mutex
	children map[target.SessionID]*child
	workers  map[target.SessionID]bool
	kept     any // see [Tab.Keep]
}

// child is the session of an out-of-process frame.
type child struct {
	session *Session
	target  target.ID     // also the frame's id
	ready   chan struct{} // closed when it is set up, or failed to be
	err     error
}

// OpenTab opens an empty tab of our own and sets its viewport.
func (b *Browser) OpenTab(ctx context.Context) (*Tab, error) {
	// Where windows are not seen each tab gets one of its own: only the front tab of a
	// window paints, and a picture of another one never comes. Tabs kept apart have no window yet.
	window := b.headless || b.context != ""
	res, err := cdp.Call(ctx, b.conn.Root(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank",
		NewWindow: &window, BrowserContextID: b.context})
	if err != nil {
		return nil, fmt.Errorf("opening a tab: %w", err)
	}
	id := res.TargetID
	t, err := b.attach(ctx, id, true, true, nil)
	if err != nil {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second) // also where it was cancelled
		defer cancel()
		_, _ = cdp.Call(end, b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: id})
		return nil, err
	}
	return t, nil
}

// AttachTab attaches to a tab of the browser. In a browser that was not launched
// here the tab's viewport is left as it is.
func (b *Browser) AttachTab(ctx context.Context, id string) (*Tab, error) {
	return b.attach(ctx, target.ID(id), false, false, nil)
}

// OverhearTab is [Browser.AttachTab], and calls fn with each session of the tab, its documents' and its workers',
// before anything is asked of it, so that [OnEvent] there misses none. fn must return at once and must not call.
func (b *Browser) OverhearTab(ctx context.Context, id string, fn func(s *Session)) (*Tab, error) {
	return b.attach(ctx, target.ID(id), false, false, fn)
}

// AttachOwn attaches to a tab that was opened by an earlier run of ours: its viewport is
// set, and Close closes it.
func (b *Browser) AttachOwn(ctx context.Context, id string) (*Tab, error) {
	return b.attach(ctx, target.ID(id), true, false, nil)
}

// Own reports whether the tab is ours. What the tab of another client emulates, as its size, is that client's.
func (t *Tab) Own() bool { return t.own }

// CloseTab closes a tab by its id.
func (b *Browser) CloseTab(ctx context.Context, id string) error {
	err := call(ctx, b.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)})
	if err != nil {
		return fmt.Errorf("closing tab %s: %w", id, err)
	}
	return nil
}

// Revive gives a tab whose process has crashed a new one, with an empty page.
func (b *Browser) Revive(ctx context.Context, id string) error {
	s, err := b.enter(ctx, target.ID(id))
	if err != nil {
		return fmt.Errorf("attaching to tab %s: %w", id, err)
	}
	_, err = cdp.Call(ctx, s, page.Navigate, page.NavigateParams{URL: "about:blank"})
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err = errors.Join(err, b.Leave(end, s))
	if err != nil {
		return fmt.Errorf("giving tab %s a new process: %w", id, err)
	}
	b.conn.noteCrash(target.ID(id), false) // its new process has the time of any other
	return nil
}

// attach attaches to a tab: our own one or not, with an empty page that was opened just now or one that has been there.
func (b *Browser) attach(ctx context.Context, id target.ID, own, empty bool, overhear func(*Session)) (*Tab, error) {
	s, err := b.enter(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("attaching to tab %s: %w", id, err)
	}
	log := newJournal()
	t := &Tab{
		browser:  b,
		id:       id,
		session:  s,
		own:      own,
		net:      newTraffic(),
		log:      log,
		requests: newRecorder(log),
		ask:      newDialogs(),
		overhear: overhear,
		children: map[target.SessionID]*child{},
		workers:  map[target.SessionID]bool{},
	}
	if err := t.begin(ctx, empty); err != nil {
		_ = t.Detach(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("setting up tab %s: %w", id, err)
	}
	if own || b.launched {
		if err := t.Resize(ctx, b.opt.Width, b.opt.Height); err != nil {
			_ = t.Detach(ctx)
			return nil, err
		}
	}
	return t, nil
}

// attachPatience is how long a tab may take to answer when it is attached to. A stuck
// script, or a dialog that another program keeps open, is longer.
const attachPatience = 10 * time.Second

// ErrBlocked: a tab that does not answer.
var ErrBlocked = errors.New("the tab does not answer: a script keeps it busy, or a dialog is open in it that another " +
	"program left or has to answer: answer it there, or close the tab with closeTab")

// begin sets up the tab's own session. A tab that crashed answers only where it was loaded again since; an empty one
// that was opened just now has nothing that could keep it busy, and takes as long as the browser needs for it.
func (t *Tab) begin(ctx context.Context, empty bool) error {
	on(t.session, inspector.TargetCrashed, func(inspector.EventTargetCrashed) { t.browser.conn.noteCrash(t.id, true) })
	in, why := ctx, error(nil)
	if limit := attachPatience; !empty {
		why = ErrBlocked
		if t.browser.conn.hasCrashed(t.id) {
			limit, why = silentPatience, fmt.Errorf("%w: close it with closeTab and open its page again", ErrCrashed)
		}
		var cancel context.CancelFunc
		in, cancel = Within(ctx, limit)
		defer cancel()
	}
	t.listen(t.session)
	err := t.setUp(in, t.session)
	switch over := errors.Is(err, context.DeadlineExceeded); {
	case over && errors.Is(why, ErrCrashed):
		return why
	case over && why != nil && ctx.Err() == nil:
		return fmt.Errorf("%w (%w)", why, err)
	case over && empty: // no page is there that could keep it
		if busy, ok := errors.AsType[*BusyError](err); ok {
			busy.Browser = true
		}
	case err == nil:
		t.browser.conn.noteCrash(t.id, false)
	}
	return err
}

// listen follows the events of one session of documents, the tab's or a child's.
func (t *Tab) listen(s *Session) {
	s.dialogs.Store(t.ask)
	t.watch(s, "")
	t.log.listen(s, string(t.id), t.ask, t.work.Go)
	s.worlds.listen(s)
	s.frames.listen(s)
	t.watchTargets(s)
	on(s, page.LifecycleEvent, func(ev page.EventLifecycleEvent) {
		switch main := string(ev.FrameID) == string(t.id); {
		case ev.Name == "init" && main:
			t.preload.begin()
			t.Keep(nil)
		case ev.Name == "DOMContentLoaded":
			t.preloadIn(s, string(ev.FrameID), main)
		}
	})
}

// Keep keeps a value with the tab until another takes its place or the main frame has another document.
func (t *Tab) Keep(v any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = v
}

// Kept is what [Tab.Keep] was given last, nil for nothing.
func (t *Tab) Kept() any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept
}

// preload is what a tab's documents are given while they load.
type preload struct {
	mu     sync.Mutex
	script string // "" for nothing
	left   int    // more documents inside the main one that get it
}

// preloadFrames is how many documents inside the main one get what is preloaded: a page of advertisements loads
// hundreds that nobody asks for.
const preloadFrames = 12

// Preload has a script evaluated in our world of each document that has been parsed from now on, before anything is
// asked of it: that of the main frame and the first ones inside. It must do nothing where it has been before. It takes
// the time that the page waits for what it loads; a document that is asked earlier goes without.
func (t *Tab) Preload(script string) {
	t.preload.mu.Lock()
	defer t.preload.mu.Unlock()
	t.preload.script = script
}

// begin is called when the main frame has another document.
func (p *preload) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = preloadFrames
}

// next is the script for a document that has been parsed, "" for none.
func (p *preload) next(main bool) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if main {
		return p.script
	}
	if p.left--; p.left < 0 {
		return ""
	}
	return p.script
}

// preloadIn evaluates what is preloaded in a document that has been parsed.
func (t *Tab) preloadIn(s *Session, frame string, main bool) {
	script := t.preload.next(main)
	w, _ := s.worlds.of(frame)
	if script == "" || w.unique == "" {
		return
	}
	t.work.Go(func() { // it is long, and the read loop must not wait
		(&Realm{session: s, world: w}).Post(context.Background(), ifObserved+script)
	})
}

// setUp enables on one session, the tab's or a child's, what captures rely on.
func (t *Tab) setUp(ctx context.Context, s *Session) error {
	// First the inspector, as it reports a crashed process, which answers nothing else.
	on(s, page.FileChooserOpened, func(page.EventFileChooserOpened) { t.choosers.Add(1) })
	waits := []func() error{
		begin(ctx, s, inspector.Enable, cdp.Empty{}),
		begin(ctx, s, page.Enable, page.EnableParams{EnableFileChooserOpenedEvent: new(true)}),
		begin(ctx, s, runtime.Enable, cdp.Empty{}),
		begin(ctx, s, network.Enable, network.EnableParams{}),
		begin(ctx, s, page.SetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{Enabled: true}),
		begin(ctx, s, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: observerJS, WorldName: worldName, RunImmediately: new(true),
		}),
	}
	waits = append(waits, t.files.listen(ctx, s)...)
	waits = append(waits, begin(ctx, s, target.SetAutoAttach, attachAll()))
	if t.own && s == t.session {
		// A tab behind another one neither paints nor takes input, and waits for both. Its
		// page is to act as the only one would.
		waits = append(waits, begin(ctx, s, emulation.SetFocusEmulationEnabled,
			emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	}
	var first error
	for _, wait := range waits {
		first = cmp.Or(first, wait())
	}
	return first
}

// begin is [Session.begin] of a command whose answer says nothing but that it was done.
func begin[P, R any](ctx context.Context, s *Session, c cdp.Command[P, R], p P) (wait func() error) {
	answer := s.begin(ctx, c.Method, p)
	return func() error { return answer(nil) }
}

func call[P, R any](ctx context.Context, s *Session, c cdp.Command[P, R], p P) error {
	_, err := cdp.Call(ctx, s, c, p)
	return err
}

// attachAll are the parameters with which a session attaches to what its page starts: frames of other processes and
// workers. They wait until they are resumed, so that none of their requests is missed.
func attachAll() target.SetAutoAttachParams {
	return target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true)}
}

// watchTargets follows the frames and workers that a session attaches to.
func (t *Tab) watchTargets(s *Session) {
	on(s, target.AttachedToTarget, func(ev target.EventAttachedToTarget) { t.adopt(s, ev) })
	on(s, target.DetachedFromTarget, func(ev target.EventDetachedFromTarget) {
		t.mu.Lock()
		delete(t.children, ev.SessionID)
		delete(t.workers, ev.SessionID)
		t.mu.Unlock()
		t.requests.leave(t.browser.conn.session(ev.SessionID))
	})
}

// adopt sets up the session of an out-of-process frame or a worker. It runs on the read loop,
// so the calls are made by a goroutine that Detach waits for.
func (t *Tab) adopt(parent *Session, ev target.EventAttachedToTarget) {
	if ev.TargetInfo == nil {
		return
	}
	s := t.browser.conn.session(ev.SessionID)
	kind := ev.TargetInfo.Type
	if kind == "iframe" {
		t.adoptFrame(ev, s)
	} else {
		t.mu.Lock()
		t.workers[ev.SessionID] = true
		t.mu.Unlock()
		t.watch(s, kind)
		t.watchTargets(s) // a worker starts others
		_ = s.Post(context.Background(), network.Enable.Method, network.EnableParams{})
		_ = s.Post(context.Background(), target.SetAutoAttach.Method, attachAll())
	}
	_ = s.Post(context.Background(), runtime.RunIfWaitingForDebugger.Method, cdp.Empty{}) // it may be gone by now
}

// adoptFrame sets up the session of an out-of-process frame.
func (t *Tab) adoptFrame(ev target.EventAttachedToTarget, s *Session) {
	c := &child{session: s, target: ev.TargetInfo.TargetID, ready: make(chan struct{})}
	t.mu.Lock()
	t.children[ev.SessionID] = c
	t.mu.Unlock()
	t.net.moved(string(c.target))
	t.listen(s)
	_ = s.Post(context.Background(), network.Enable.Method, network.EnableParams{})
	_ = s.Post(context.Background(), target.SetAutoAttach.Method, attachAll())
	t.work.Go(func() {
		defer close(c.ready)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if c.err = t.setUp(ctx, c.session); c.err == nil {
			c.err = t.join(ctx, c.session)
		}
	})
}

// Session is the tab's own protocol session.
func (t *Tab) Session() *Session { return t.session }

// Browser is the browser that the tab belongs to.
func (t *Tab) Browser() *Browser { return t.browser }

// ID is the protocol's target id of the tab.
func (t *Tab) ID() string { return string(t.id) }

// Info asks the browser for the tab's present address and title.
func (t *Tab) Info(ctx context.Context) (TabInfo, error) {
	res, err := cdp.Call(ctx, t.browser.conn.Root(), target.GetTargetInfo, target.GetTargetInfoParams{TargetID: t.id})
	if err != nil {
		return TabInfo{}, fmt.Errorf("asking for tab %s: %w", t.id, err)
	}
	return TabInfo{ID: string(t.id), URL: res.TargetInfo.URL, Title: res.TargetInfo.Title}, nil
}

// Front brings a tab that lies behind another one of its window to the front: one behind
// paints nothing, so that pictures of it never come and input waits. A link that opens
// another tab leaves its own behind. A tab that a person opened is left where it is as long
// as it is seen.
func (t *Tab) Front(ctx context.Context) error {
	if !t.own { // ours believe that they are seen, see attach
		state, err := t.session.Eval(ctx, t.ID(), "document.visibilityState")
		if err != nil || state != "hidden" {
			return nil // showing a page that cannot answer does not help: the next call fails, or loads another page
		}
	}
	if err := call(ctx, t.browser.conn.Root(), target.ActivateTarget,
		target.ActivateTargetParams{TargetID: t.id}); err != nil {
		return fmt.Errorf("bringing tab %s to the front: %w", t.id, err)
	}
	return nil
}

// FrameSessions maps the id of each out-of-process frame, at any depth, to its
// session. It waits until those that were announced are set up; one that could
// not be set up is left out and its error is in failed.
func (t *Tab) FrameSessions(ctx context.Context) (ready map[string]*Session, failed map[string]error) {
	ready, failed = map[string]*Session{}, map[string]error{}
	seen := map[*child]bool{}
	for {
		var todo []*child
		t.mu.Lock()
		for _, c := range t.children {
			if !seen[c] {
				todo = append(todo, c)
			}
		}
		t.mu.Unlock()
		if len(todo) == 0 {
			return ready, failed
		}
		for _, c := range todo {
			seen[c] = true
			select {
			case <-c.ready:
			case <-ctx.Done():
				failed[string(c.target)] = ctx.Err()
				continue
			}
			if c.err != nil {
				if !errors.Is(c.err, ErrDetached) {
					failed[string(c.target)] = c.err
				}
				continue
			}
			ready[string(c.target)] = c.session
		}
	}
}

// Detach leaves the tab as it is and forgets it. A dialog that is open is dismissed:
// Chrome keeps it, but lets no later session answer it, nor do anything else in the tab.
func (t *Tab) Detach(ctx context.Context) error {
	t.leaveDialog(ctx)
	err := t.browser.Leave(ctx, t.session)
	t.mu.Lock()
	for id := range t.children {
		t.browser.conn.drop(id)
	}
	for id := range t.workers {
		t.browser.conn.drop(id)
	}
	t.mu.Unlock()
	t.work.Wait()
	if errors.Is(err, ErrGone) {
		return nil
	}
	return err
}

// EndScript ends the script that keeps the page from answering. The page stays as it is, with its timers and listeners.
func (t *Tab) EndScript(ctx context.Context) {
	_ = t.session.Post(ctx, runtime.TerminateExecution.Method, cdp.Empty{}) // a tab that is gone runs none
}

// Close closes a tab that was opened here; any other is only left.
func (t *Tab) Close(ctx context.Context) error {
	if !t.own {
		return t.Detach(ctx)
	}
	err := call(ctx, t.browser.conn.Root(), target.CloseTarget, target.CloseTargetParams{TargetID: t.id})
	t.browser.conn.drop(t.session.id)
	t.work.Wait()
	if errors.Is(err, ErrGone) {
		return nil
	}
	return err
}

// WithViewport is the same browser over the same connection, whose tabs get a viewport
// of that size, CSS px. Closing one closes both.
func (b *Browser) WithViewport(width, height int) *Browser {
	c := *b
	if width > 0 && height > 0 {
		c.opt.Width, c.opt.Height = width, height
	}
	return &c
}

// Endpoint is the WebSocket address of the browser's DevTools, which another program
// can attach to.
func (b *Browser) Endpoint() string { return b.wsURL }
