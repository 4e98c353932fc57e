package core

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// startBrowser starts Chrome unless it runs or is about to.
func (s State) startBrowser() (State, []Effect) {
	if s.Browser.Phase == PhaseStarting || s.Browser.Phase == PhaseReady {
		return s, nil
	}
	s.Browser.Phase = PhaseStarting
	id := s.StartTask(TaskLaunch, "Starting Chrome")
	return s, []Effect{Launch{id}}
}

// BrowserStarted takes the answer of [Launch].
func (s State) BrowserStarted(m BrowserStarted) (State, []Effect) {
	s.FinishTask(m.Task)
	if m.Problem != nil {
		s.Browser.Phase = PhaseFailed
		if m.Browser.Demo != "" {
			s.Browser.Demo = m.Browser.Demo
		}
		p := *m.Problem
		p.BrowserGone = false
		waits := s.Notice // what could not be opened says more than that Chrome is missing
		s.Complain(TaskLaunch, &p)
		s.Notice.Command = CmdStartBrowser
		if s.Install = p.Command; p.Command != "" {
			s.Notice.Also = CmdInstall
		}
		if s.Session.ReadOnly && !p.Canceled {
			s.Notice.Tone = ToneWarn
			s.Notice.Text = strings.TrimSuffix(s.Notice.Text, ".") + ": live pages are off, recordings work."
		}
		if waits != nil && waits.Source == TaskSession && waits.Tone == ToneBad {
			s.Notice = waits
		}
		return s, nil
	}
	s.Install = ""
	resume, hadTab := s.CurrentTab()
	view := s.Browser.Viewport
	s.Browser = m.Browser
	s.Browser.Phase = PhaseReady
	if s.Browser.Viewport.X == 0 {
		s.Browser.Viewport = view
	}
	if t, ok := s.CurrentTab(); ok {
		s.Address = s.Address.set(ShowURL(t.URL))
	}
	effects := []Effect{Watch{}}
	if s.First && hadTab && !m.Browser.Attached && ShowURL(resume.URL) != "" && s.FirstURL == "" {
		// Chrome came back: open the page that was in view before.
		s.Address = s.Address.set(resume.URL)
		id := s.StartTask(TaskNavigate, "Opening "+text.Cut(text.Line(resume.URL), 60))
		return s, append(effects, Navigate{Task: id, Target: address.Target{URL: resume.URL}})
	}
	s, more := s.firstPage()
	return s, append(effects, more...)
}

// firstPage decides once what to open, when both the browser and the session are
// there: the page that was requested, else the demo site. A turn of it is taken
// where a page was requested, or where there is no turn to show yet.
func (s State) firstPage() (State, []Effect) {
	settled := s.Session.Phase == PhaseReady || s.Session.Phase == PhaseFailed
	if s.First || s.Browser.Phase != PhaseReady || !settled {
		return s, nil
	}
	s.First = true
	if s.FirstURL != "" {
		url := s.FirstURL
		s.FirstURL = ""
		return s.openAddress(url) // whether it names a session was asked before
	}
	if s.Browser.Attached || s.Browser.Demo == "" {
		return s, nil // the tabs of somebody's own browser stay as they are
	}
	s.Address = s.Address.set(s.Browser.Demo)
	id := s.StartTask(TaskNavigate, "Opening the demo site")
	action := ""
	if len(s.Session.Turns) == 0 {
		action = ActionGoto
	}
	e := Navigate{Task: id, Target: address.Target{URL: s.Browser.Demo}, Action: action}
	s.Opened = &e
	return s, []Effect{e}
}

// Typed opens what a person typed or named at the start: a session where it names
// one, else a page.
func (s State) Typed(typed string) (State, []Effect) {
	maybe, sure := SessionText(typed)
	switch {
	case sure:
		return s.OpenSession(typed, "")
	case maybe:
		return s.OpenSession(typed, typed)
	}
	return s.openAddress(typed)
}

// openAddress opens a page and takes a turn of it: the browser may have no
// window, so the turn is how a person sees the page at all.
func (s State) openAddress(typed string) (State, []Effect) {
	target, p := parseAddress(typed)
	if p != nil {
		s.Complain(TaskNavigate, p)
		return s, nil
	}
	if s.Session.ReadOnly {
		return s.leaveRecording(typed)
	}
	s.Address = s.Address.set(typed)
	if target.URL != "" {
		s.Address = s.Address.set(target.URL)
	}
	if s.Browser.Phase == PhaseStarting || s.Browser.Phase == PhaseReady && !s.First {
		s.FirstURL, s.First = typed, false // opened as soon as Chrome is there
		return s, nil
	}
	s, effects, ok := s.FreeBrowser()
	if !ok {
		return s, effects
	}
	id := s.StartTask(TaskNavigate, "Opening "+text.Cut(text.Line(s.Address.Text), 60))
	e := Navigate{Task: id, Target: target, Action: ActionGoto}
	s.Opened = &e
	return s, append(effects, e)
}

// leaveRecording opens a page that was asked for while a recording is in view: in the window's own session, once the
// person agreed to that.
func (s State) leaveRecording(typed string) (State, []Effect) {
	s.Away = typed
	if !s.Agreed {
		return s.keepRecording(), nil
	}
	return awayAgreed().Apply(s)
}

// keepRecording says why nothing is added to the session in view, and offers the window's own.
func (s State) keepRecording() State {
	s.Notice = &Notice{Tone: ToneWarn, Source: TaskNavigate, Command: CmdAway, Also: CmdSessions,
		Text: "“" + text.Cut(text.Line(s.Session.Name), 40) + "” is a recording: it stays as it is.",
		Hint: "Pages go to the window's own session."}
	return s
}

// awayAgreed goes from a recording to the window's own session, and opens there what was asked for.
func awayAgreed() Msg {
	return Does(func(s State) (State, []Effect) {
		page := s.Away
		s.Away, s.Agreed = "", true
		id := s.StartTask(TaskSession, "Opening the window's own session")
		effects := []Effect{OpenSession{Task: id}}
		if page == "" {
			return s, effects
		}
		s.Session.Phase, s.FirstURL, s.First = PhaseStarting, page, false
		s, more := s.startBrowser()
		return s, append(effects, more...)
	})
}

// retryAsked opens again what was opened last; Longer allows twice the time from then on.
func retryAsked(longer bool) Msg {
	return Does(func(s State) (State, []Effect) {
		if s.Opened == nil {
			return s, nil
		}
		s, effects, ok := s.FreeBrowser()
		if !ok {
			return s, effects
		}
		e := *s.Opened
		e.Task, e.Longer = s.StartTask(TaskNavigate, "Opening the page again"), longer
		s.Opened = &e
		return s, append(effects, e)
	})
}

// Recorded names the turn in view where that is not what the tab in use shows, ""
// where it is.
func (s State) Recorded() string {
	i := s.TurnIndex()
	if i < 0 || s.Current.N == s.LiveTurn {
		return ""
	}
	where := "Recorded · turn " + s.Place()
	if name := text.Cut(text.Line(s.Session.Name), 40); name != "" {
		where += " · " + name
	}
	return where
}

// TabLeft reports whether the tab in use shows another page than the turn in view.
func (s State) TabLeft() bool {
	t, ok := s.CurrentTab()
	return ok && s.Current != nil && PageOf(t.URL) != PageOf(s.Current.Capture.URL)
}

// PageOf is an address without its fragment.
func PageOf(url string) string {
	page, _, _ := strings.Cut(url, "#")
	return page
}

// Place is the number of the turn in view and how many there are: "3 of 4", "4 (3 of 4 readable)" where some cannot be
// read, "9 (3 of 4)" where numbers are missing. "" where no turn is in view.
func (s State) Place() string {
	i, n := s.TurnIndex(), len(s.Session.Turns)
	switch d := len(s.Session.Damaged); {
	case i < 0:
		return ""
	case d > 0:
		return fmt.Sprintf("%s (%s of %s readable)", text.Thousands(s.Current.N), text.Thousands(n),
			text.Thousands(n+d))
	case s.Current.N != i+1:
		return fmt.Sprintf("%s (%s of %s)", text.Thousands(s.Current.N), text.Thousands(i+1), text.Thousands(n))
	}
	return text.Thousands(i+1) + " of " + text.Thousands(n)
}

// liveAsked goes back from a recorded turn to what the tab in use shows: to its last turn,
// or to a new one of it. Where the session takes no turns, the window's own is opened.
func liveAsked() Msg {
	return Does(func(s State) (State, []Effect) {
		switch {
		case s.Recorded() == "":
			return s, nil
		case s.LiveTurn != 0:
			return s.ByHand(s.LiveTurn)
		case s.Session.ReadOnly:
			id := s.StartTask(TaskSession, "Opening the window's own session")
			s.toTab = id
			return s, []Effect{OpenSession{Task: id}}
		}
		return s.Capture(ActionCapture)
	})
}

// toLive captures the tab in use once the session is open that was opened to go back to it. Of a tab in which nothing was
// opened there is nothing to take.
func (s State) toLive(opened int) (State, []Effect) {
	asked := s.toTab == opened && opened != 0
	s.toTab = 0
	t, ok := s.CurrentTab()
	if !asked || !ok || ShowURL(t.URL) == "" || s.Browser.Phase != PhaseReady || s.Session.Phase != PhaseReady {
		return s, nil
	}
	return s.Capture(ActionCapture)
}

// move goes through the history of the tab.
func (s State) move(m Move) (State, []Effect) {
	s, effects, ok := s.FreeBrowser()
	if !ok {
		return s, effects
	}
	sentence := map[Move]string{MoveBack: "Going back", MoveForward: "Going forward", MoveReload: "Reloading"}[m]
	id := s.StartTask(TaskNavigate, sentence)
	return s, append(effects, MoveTo{id, m})
}

func (s State) chooseTab(id string) (State, []Effect) {
	if id == s.Browser.Tab || !slices.ContainsFunc(s.Browser.Tabs, func(t Tab) bool { return t.ID == id }) {
		return s, nil
	}
	s, effects, ok := s.FreeBrowser()
	if !ok {
		return s, effects
	}
	task := s.StartTask(TaskNavigate, "Changing to the tab")
	return s, append(effects, SelectTab{task, id})
}

// ActionGoto is the word in the list of turns for a page that was opened by its
// address, ActionCapture for one that was captured as it stood.
const (
	ActionGoto    = "goto"
	ActionCapture = "capture"
)

// FreeBrowser makes way for new work in the browser: a page that is still loading is
// given up for it, a running capture is not. Where there is no browser it says so, and where a recording is in view,
// to which its turns would be added.
func (s State) FreeBrowser() (State, []Effect, bool) {
	if s.Session.ReadOnly {
		return s.keepRecording(), nil, false
	}
	if s.Browser.Phase != PhaseReady {
		if s.Browser.Phase != PhaseStarting {
			s.Notice = &Notice{Tone: ToneWarn, Text: "Chrome is not running.",
				Hint:    "Start it; the turns of the session are kept.",
				Command: CmdStartBrowser, Source: TaskLaunch}
		}
		return s, nil, false
	}
	t := s.Busy()
	if t == nil {
		return s, nil, true
	}
	if t.Kind != TaskNavigate {
		s.Notice = t.running("")
		return s, nil, false
	}
	s, effects := s.cancelTask(t.ID)
	return s, effects, true
}

// running says of a task that takes a turn that it is not finished, and why that matters.
func (t *Task) running(why string) *Notice {
	if t.Kind == TaskSteps {
		return &Notice{Tone: ToneWarn, Text: "Steps are running in the tab.",
			Hint: "Wait for them or cancel them" + why + ".", Source: TaskSteps, During: t.ID}
	}
	return &Notice{Tone: ToneWarn, Text: "A capture is running.", Hint: "Wait for it or cancel it" + why + ".",
		Source: TaskCapture, During: t.ID}
}

func (s State) navigated(m Navigated) (State, []Effect) {
	t, ok := s.FinishTask(m.Task)
	if !ok {
		return s, nil
	}
	if m.Tabs != nil {
		s.Browser.Tabs = m.Tabs
	}
	if m.Problem != nil {
		if s.TabLeft() { // for an error page of Chrome's, or half of the page that was asked for
			s.LiveTurn = 0
		}
		// A load that gave way to a newer one has nothing to report.
		if !m.Problem.Canceled || s.Busy() == nil {
			s.Complain(TaskNavigate, m.Problem)
			s.offerRetry(m)
			if s.Opened != nil && s.Opened.Task == m.Task {
				s.Address = s.Address.set(s.shownURL())
			}
		}
		return s, nil
	}
	s.Browser.Tab, s.LiveTurn = m.Tab.ID, 0
	if s.Busy() != nil || t.Stopping || s.Session.ReadOnly { // a recording was opened meanwhile
		return s, nil
	}
	s.Address = s.Address.set(ShowURL(m.Tab.URL))
	if m.Action != "" && ShowURL(m.Tab.URL) != "" { // there is nothing to see in an empty tab
		return s.Capture(m.Action)
	}
	return s, nil
}

// shownURL is the address of the turn in view, or else of the tab in use: what the address bar says after a page was
// not opened.
func (s State) shownURL() string {
	if s.Current != nil {
		return s.Current.Address()
	}
	for _, t := range s.Browser.Tabs {
		if t.ID == s.Browser.Tab && !strings.HasPrefix(t.URL, "chrome-error:") {
			return ShowURL(t.URL)
		}
	}
	return ""
}

// offerRetry gives the complaint about a page that was not opened its buttons: the address bar says what is in view
// then, so that its address is here alone, also where a person stopped it.
func (s *State) offerRetry(m Navigated) {
	if p := m.Problem; s.Notice == nil || p.BrowserGone || s.Opened == nil || s.Opened.Task != m.Task {
		return
	}
	n := *s.Notice
	n.Command = CmdRetry
	if m.Problem.Slow {
		n.Command, n.Also = CmdLonger, CmdRetry
	}
	s.Notice = &n
}

func (s State) tabsListed(m tabsListed) (State, []Effect) {
	if m.Problem != nil {
		s.Complain(TaskNavigate, m.Problem)
		return s, nil
	}
	s.Browser.Tabs = m.Tabs
	if m.Open {
		return s, []Effect{ShowTabs{}}
	}
	return s, nil
}

// browserGone: the session stays whole and the window usable; one button starts
// Chrome again.
func (s State) browserGone(p *Problem) State {
	if s.Browser.Phase == PhaseStarting {
		return s // an older browser's end; the new one answers for itself
	}
	s.Browser.Phase = PhaseGone
	s.Notice = &Notice{
		Tone: ToneBad, Text: "Chrome has ended.", Hint: "Start it again; the session and all its turns are kept.",
		Command: CmdStartBrowser, Source: TaskLaunch,
	}
	if p != nil && p.Sentence != "" {
		s.Notice.Text = p.Sentence
	}
	return s
}

// tabLost tells that the tab in use has ended. Work that runs in it tells so itself.
func tabLost(tab string, p *Problem, tabs []Tab) Msg {
	return Does(func(s State) (State, []Effect) {
		if s.Browser.Phase != PhaseReady || s.Browser.Tab != tab {
			return s, nil
		}
		if tabs != nil {
			s.Browser.Tabs = tabs
		}
		if s.Busy() == nil {
			s.Complain(TaskNavigate, p)
		}
		return s, nil
	})
}

// ShowURL is what the address entry shows for a tab's URL: nothing for an empty
// tab.
func ShowURL(url string) string {
	if url == "about:blank" || url == "chrome://newtab/" || url == "chrome://new-tab-page/" {
		return ""
	}
	return url
}

// DeviceState is the emulation of a tab.
type DeviceState struct {
	Tab string // its id, "" where nothing is known
	// Name is the preset's, "" for a window by numbers or its own.
	Name          string
	Width, Height int // CSS px
	Scale         float64
	// Own: it is the browser's own window.
	Own bool
	// Media are the user preferences that the page sees.
	Media MediaState
}

// MediaState is the user preferences that pages see. The zero value is the
// browser's own.
type MediaState struct {
	Scheme string // "light", "dark", "" for the browser's
	Still  bool   // less motion
}

// OpenSession opens what a person named. page is what to open where there is no such
// session, "" for nothing.
func (s State) OpenSession(name, page string) (State, []Effect) {
	name = strings.TrimSpace(name)
	if name == "" {
		return s, nil
	}
	s.CloseDialog(DialogSessions)
	if t := s.Busy(); t != nil && t.Kind.takesTurns() {
		s.Notice = t.running(": what is captured belongs to the session in view")
		return s, nil
	}
	var effects []Effect
	for _, t := range s.Tasks {
		if t.Kind == TaskSession {
			var more []Effect
			s, more = s.cancelTask(t.ID)
			effects = append(effects, more...)
		}
	}
	id := s.StartTask(TaskSession, "Opening "+text.Cut(text.Line(name), 60))
	return s, append(effects, OpenSession{Task: id, Name: name, Page: page})
}

// SessionText reports whether what was typed into the address bar may name a session:
// SESSION, SESSION#N, a folder, or a .refscope or .zip file. sure is false where it may be the
// address of a page as well; the session wins where there is one of that name.
func SessionText(text string) (maybe, sure bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.Contains(text, "://") {
		return false, false
	}
	if low := strings.ToLower(text); strings.HasSuffix(low, ".refscope") || strings.HasSuffix(low, ".zip") {
		return true, true
	}
	at := strings.LastIndexByte(text, '#')
	numbered := at >= 0
	if numbered {
		if _, err := strconv.ParseUint(text[at+1:], 10, 31); err != nil {
			return false, false
		}
		text = text[:at]
	}
	if to, err := address.Parse(text); err == nil && to.Path != "" {
		low := strings.ToLower(to.Path)
		page := strings.HasSuffix(low, ".html") || strings.HasSuffix(low, ".htm") ||
			strings.HasPrefix(strings.ToLower(text), "file:")
		return !page, !page
	}
	if turn.CheckName(text) != nil {
		return false, false
	}
	if _, err := strconv.Atoi(text); err == nil || address.IsLoopback(text) {
		return numbered, false // a port, or this computer
	}
	return numbered || !strings.Contains(text, "."), false
}

// SessionChosen opens a session by name, folder or file.
func SessionChosen(name string) Msg {
	return Does(func(s State) (State, []Effect) { return s.OpenSession(name, "") })
}

// parseAddress reads what a person typed into the address bar; see
// [address.Parse].
func parseAddress(typed string) (address.Target, *Problem) {
	t, err := address.Parse(typed)
	if err == nil {
		return t, nil
	}
	p := &Problem{Sentence: text.Cut(text.Line(err.Error()), 200)}
	if e, ok := errors.AsType[*address.Error](err); ok {
		p.Sentence, p.Hint = text.Cut(text.Line(e.Sentence), 200), e.Hint
	}
	return t, p
}

// Launch starts Chrome or attaches to one, and serves the demo site. [BrowserStarted]
// answers it.
type Launch struct{ Task int }

// Number implements [Numbered].
func (e Launch) Number() int { return e.Task }

// Do implements [Work].
func (e Launch) Do(ctx context.Context, w *Worker) Msg {
	if w.Painted != nil {
		if err := w.Painted(ctx); err != nil {
			return BrowserStarted{Task: e.Task, Problem: w.Problem("browser", err)}
		}
	}
	b, err := w.Engine.Start(ctx, w.Progress)
	return BrowserStarted{Task: e.Task, Browser: b, Problem: w.Problem("browser", err)}
}

// Watch waits for the end of the browser that was just started; [BrowserGone] reports it, and [tabLost] that of the
// tab in use.
type Watch struct{}

// Do implements [Work].
func (Watch) Do(ctx context.Context, w *Worker) Msg {
	err := w.Engine.Wait(ctx, func(tab string, why error) {
		w.Dispatch(tabLost(tab, w.Problem("browser", why), w.Tabs(ctx)))
	})
	if ctx.Err() != nil || err == nil {
		return nil
	}
	return BrowserGone{Problem: w.Problem("browser", err)}
}

// listTabs asks for the browser's tabs; Open shows them afterwards. [tabsListed] answers.
type listTabs struct{ Open bool }

// Do implements [Work].
func (e listTabs) Do(ctx context.Context, w *Worker) Msg {
	tabs, err := w.Engine.Tabs(ctx)
	return tabsListed{Tabs: tabs, Open: e.Open, Problem: w.Problem("tabs", err)}
}

// SelectTab makes a tab the one in use. [Navigated] answers it and the two below.
type SelectTab struct {
	Task int
	ID   string
}

// Number implements [Numbered].
func (e SelectTab) Number() int { return e.Task }

// UsesTab implements [TabWork].
func (SelectTab) UsesTab() {}

// Do implements [Work].
func (e SelectTab) Do(ctx context.Context, w *Worker) Msg {
	t, err := w.Engine.SelectTab(ctx, e.ID)
	return w.navigated(ctx, e.Task, t, "", err)
}

// Navigate opens an address in the tab in use. A Target with a path is served first.
// Action comes back with the answer: the word under which a turn is taken next, "" for
// none.
type Navigate struct {
	Task   int
	Target address.Target
	Action string
	// Longer allows twice the time for loading from now on.
	Longer bool
}

// Number implements [Numbered].
func (e Navigate) Number() int { return e.Task }

// UsesTab implements [TabWork].
func (Navigate) UsesTab() {}

// Do implements [Work].
func (e Navigate) Do(ctx context.Context, w *Worker) Msg {
	if e.Longer {
		w.Engine.WaitLonger()
	}
	t, err := w.Engine.Open(ctx, e.Target, w.Progress)
	return w.navigated(ctx, e.Task, t, e.Action, err)
}

// MoveTo goes through the tab's history, or loads the page again. The move is also the
// word for the turn that is taken next.
type MoveTo struct {
	Task int
	Move Move
}

// Number implements [Numbered].
func (e MoveTo) Number() int { return e.Task }

// UsesTab implements [TabWork].
func (MoveTo) UsesTab() {}

// Do implements [Work].
func (e MoveTo) Do(ctx context.Context, w *Worker) Msg {
	t, err := w.Engine.Move(ctx, e.Move)
	return w.navigated(ctx, e.Task, t, string(e.Move), err)
}

// navigated is the answer of work that changed the page or the tab.
func (w *Worker) navigated(ctx context.Context, task int, t Tab, action string, err error) Msg {
	return Navigated{Task: task, Tab: t, Action: action, Problem: w.Problem("page", err), Tabs: w.Tabs(ctx)}
}
