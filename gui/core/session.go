package core

import (
	"cmp"
	"context"
	"errors"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/text"
)

// maxSurveyed bounds the turns whose small picture is kept: beyond it the one farthest
// in the list is forgotten, and made again when its row comes into view.
const maxSurveyed = 200

// maxSurveys is how many rows wait for what they show. Rows that a person scrolled past
// long ago are left; they ask again when they come back.
const maxSurveys = 24

func (s State) sessionOpened(m SessionOpened) (State, []Effect) {
	t, ok := s.FinishTask(m.Task)
	if s.Session.Phase == PhaseStarting && m.Other {
		return s.begun(m, t)
	}
	var effects []Effect
	switch {
	case m.Page != "":
		return s.openAddress(m.Page)
	case ok && t.Stopping:
		return s, nil
	case m.Instead != nil:
		return m.Instead.Apply(s)
	case m.Problem != nil && m.Other:
		s.Complain(TaskSession, m.Problem)
		return s, nil
	case s.Session.Watch != 0:
		effects = append(effects, Cancel{s.Session.Watch}, Cancel{s.Session.Watch * NotesWatch})
	}
	s, more := s.leaveSession()
	effects = append(effects, more...)
	s.Session = m.Session
	s.Session.Phase, s.Session.Opened = PhaseReady, m.Task
	if m.Problem != nil {
		s.Session.Phase = PhaseFailed
		s.Complain(TaskSession, m.Problem)
	} else if n := len(m.Session.Damaged); n > 0 {
		s.Notice = &Notice{Tone: ToneWarn, Source: TaskSession,
			Text: text.Count(n, "turn of this session is damaged", "turns of this session are damaged") +
				"; the timeline shows why.",
			Hint: s.intact()}
	} else if n := len(m.Session.Lost) - 1; n >= 0 {
		s.Notice = &Notice{Tone: ToneWarn, Source: TaskSession, Text: "Imported as session " + m.Session.Name + ".",
			Hint: Sentence(m.Session.Lost[0])}
		if n > 0 {
			s.Notice.Hint += " And " + text.Count(n, "more thing is lacking.", "more things are lacking.")
			s.Notice.Command = CmdTurn // which lists them
		}
	}
	if m.Other && m.Problem == nil && m.Session.Path != "" {
		s.Remember(m.Session.Path)
	}
	s, more = s.firstTurn(m.Turn)
	effects = append(effects, more...)
	if s.Session.Notes != nil {
		s.SetNotes(s.Session.Notes)
	}
	s, more = s.follow()
	effects = append(effects, more...)
	s, more = s.firstPage()
	effects = append(effects, more...)
	s, more = s.toLive(m.Task)
	return s, append(effects, more...)
}

// begun takes what became of the recording that was named at the start. Where it cannot be shown, the window's own
// session takes its place, and the complaint stays.
func (s State) begun(m SessionOpened, t Task) (State, []Effect) {
	asked := s.FirstURL
	s.FirstURL = m.Page
	if m.Page == "" && m.Instead == nil && m.Problem == nil && !t.Stopping {
		s.Session.Phase, s.First = PhaseOff, true // no page is to be opened
		s, effects := s.sessionOpened(m)
		if s.Session.ReadOnly && len(s.Session.Turns) > 0 {
			return s, effects // the browser comes behind its turn
		}
		s, more := s.startBrowser()
		return s, append(effects, more...)
	}
	s, effects := s.beginOwn()
	switch {
	case m.Instead != nil:
		s.First = true
		var more []Effect
		s, more = m.Instead.Apply(s)
		effects = append(effects, more...)
	case m.Problem != nil && !m.Problem.Canceled:
		s.First = true
		s.Complain(TaskSession, m.Problem)
		if s.Notice.Hint == "" {
			s.Notice.Hint = "The window's own session is in view instead of " + text.Cut(text.Line(asked), 60) + "."
		}
		s.Notice.Command = CmdSessions
	}
	return s, effects
}

// Remember puts a folder or file first among those opened last, unless it lies in one of them, as the session of a page
// lies in its batch.
func (s *State) Remember(path string) {
	for _, p := range s.Recent {
		if p != "" && strings.HasPrefix(path, p+string(filepath.Separator)) {
			return
		}
	}
	list := slices.DeleteFunc(s.Recent[:], func(p string) bool { return p == path || p == "" })
	list = append([]string{path}, slices.Clone(list)...)
	s.Recent = [MaxRecent]string{}
	copy(s.Recent[:], list)
}

// firstTurn shows the turn that was requested, or the newest.
func (s State) firstTurn(n int) (State, []Effect) {
	rows := s.Session.Turns
	if len(rows) == 0 {
		return s, nil
	}
	last := rows[len(rows)-1].N
	switch i := slices.IndexFunc(rows, func(r TurnRow) bool { return r.N == n }); {
	case n == 0 || n == last:
		n = last
	case i < 0:
		s.Notice = &Notice{Tone: ToneWarn, Text: "The session has no turn " + text.Thousands(n) +
			"; its newest is in view.", Source: TaskSession}
		n = last
	default:
		s.Follow = FollowPaused
	}
	return s.chooseTurn(n)
}

// leaveSession forgets what belongs to the session in view. Layers, formats and the
// choices of panes stay.
func (s State) leaveSession() (State, []Effect) {
	var effects []Effect
	for _, t := range s.Tasks {
		if t.Kind == TaskLoad || t.Kind == TaskCompare {
			var more []Effect
			s, more = s.cancelTask(t.ID)
			effects = append(effects, more...)
		}
	}
	s, more := s.Each(func(r Room) func(State) (State, []Effect) { return r.SessionClosed })
	effects = append(effects, more...)
	s.Current, s.Docs, s.Previous, s.Changes, s.ShowPrevious, s.turnCache = nil, nil, nil, nil, false, nil
	s.Selected, s.Hover, s.Base = Selection{}, Selection{}, Base{}
	s.Follow, s.UnseenTurns, s.PendingTurn, s.LiveTurn = FollowOn, 0, 0, 0
	return s, effects
}

// seen asks for what the list shows of a turn whose row came into view.
func (s State) seen(n int) (State, []Effect) {
	i := slices.IndexFunc(s.Session.Turns, func(r TurnRow) bool { return r.N == n })
	if i < 0 || s.Session.Turns[i].Asked {
		return s, nil
	}
	s.editRow(n, func(r *TurnRow) { r.Asked = true })
	wait := append(slices.Clone(s.Session.surveys), SurveyAsk{N: n, From: s.TurnBefore(n)})
	if len(wait) > maxSurveys {
		s.editRow(wait[0].N, func(r *TurnRow) { r.Asked = r.Thumb != nil })
		wait = wait[1:]
	}
	s.Session.surveys = wait
	if s.Session.surveying {
		return s, nil
	}
	return s.nextSurvey()
}

// nextSurvey asks about the row that came into view last of those that wait.
func (s State) nextSurvey() (State, []Effect) {
	n := len(s.Session.surveys)
	if s.Session.surveying = n > 0; n == 0 {
		return s, nil
	}
	ask := s.Session.surveys[n-1]
	s.Session.surveys = slices.Clone(s.Session.surveys[:n-1])
	return s, []Effect{Survey{s.Session.Opened, ask}}
}

func (m Surveyed) Apply(s State) (State, []Effect) {
	if m.Session != s.Session.Opened {
		return s, nil // of a session that was left
	}
	s.editRow(m.N, func(r *TurnRow) {
		r.Thumb, r.Errors = m.Thumb, m.Errors
		if m.Change != nil {
			r.Change = m.Change
		}
	})
	with, first := 0, -1
	for i := range s.Session.Turns {
		if s.Session.Turns[i].Thumb != nil && s.Session.Turns[i].N != m.N {
			if with++; first < 0 || abs(s.Session.Turns[i].N-m.N) > abs(s.Session.Turns[first].N-m.N) {
				first = i
			}
		}
	}
	if with >= maxSurveyed { // the one farthest from this goes
		s.editRow(s.Session.Turns[first].N, func(r *TurnRow) { r.Thumb, r.Asked = nil, false })
	}
	return s, nil
}

// surveyDone answers [Survey], also where the turn could not be read.
func surveyDone(session int) Msg {
	return Does(func(s State) (State, []Effect) {
		if session != s.Session.Opened {
			return s, nil
		}
		return s.nextSurvey()
	})
}

func abs(n int) int { return max(n, -n) }

// Tell gives turns their stories, and what their tools reported of them.
func (s *State) Tell(list []*conversation.Story) {
	rows := slices.Clone(s.Session.Turns)
	for _, one := range list {
		if i, ok := slices.BinarySearchFunc(rows, one.Turn, ByNumber); ok {
			rows[i].Story = one
		}
		if i, ok := slices.BinarySearchFunc(rows, one.Of, ByNumber); ok {
			rows[i].Then = one
		}
	}
	s.Session.Turns = rows
}

// chooseTurn loads a turn; one that is still loading is given up.
func (s State) chooseTurn(n int) (State, []Effect) {
	if !slices.ContainsFunc(s.Session.Turns, func(r TurnRow) bool { return r.N == n }) {
		return s, nil
	}
	var effects []Effect
	s.PendingTurn = 0
	for _, t := range s.Tasks {
		if t.Kind == TaskLoad {
			var more []Effect
			s, more = s.cancelTask(t.ID)
			effects = append(effects, more...)
		}
	}
	if s.Current != nil && s.Current.N == n {
		return s, effects
	}
	if t := s.ready(n); t != nil {
		s, more := s.loaded(t)
		return s, append(effects, more...)
	}
	s.PendingTurn = n
	id := s.StartTask(TaskLoad, "Opening turn "+text.Thousands(n))
	return s, append(effects, LoadTurn{id, n})
}

// explainDamage explains why a turn cannot be shown.
func (s State) explainDamage(i int) State {
	if i < 0 || i >= len(s.Session.Damaged) {
		return s
	}
	d := s.Session.Damaged[i]
	sentence := "A turn is damaged: " + text.Cut(text.Line(d.Why), 200)
	if d.N > 0 {
		sentence = "Turn " + text.Thousands(d.N) + " is damaged: " + text.Cut(text.Line(d.Why), 200)
	}
	s.Notice = &Notice{Tone: ToneWarn, Text: sentence, Hint: s.intact(), Source: TaskSession}
	return s
}

// intact says how many turns can be read beside damaged ones.
func (s State) intact() string {
	if n := len(s.Session.Turns); n > 0 {
		return text.Count(n, "turn is intact.", "turns are intact.")
	}
	return "The session has no other turns."
}

// TurnIndex is the place of the shown turn in the list, -1 where it is not in it.
func (s State) TurnIndex() int {
	if s.Current == nil {
		return -1
	}
	return slices.IndexFunc(s.Session.Turns, func(r TurnRow) bool { return r.N == s.Current.N })
}

func (s State) turnLoaded(m TurnLoaded) (State, []Effect) {
	s, effects := s.turnRead(m)
	if s.Browser.Phase != PhaseOff || !s.Session.ReadOnly {
		return s, effects
	}
	s.launchNext = true
	return s, append(effects, launchLast{})
}

// launchLast starts the browser behind a recording whose text is not made. [launchDue] answers.
type launchLast struct{}

// Pause implements [LatestWork].
func (launchLast) Pause() time.Duration { return 2 * time.Second }

// Do implements [Work].
func (launchLast) Do(context.Context, *Worker) Msg { return launchDue() }

// launchDue: a recording has had its time.
func launchDue() Msg {
	return Does(func(s State) (State, []Effect) { return s.launch(true) })
}

// launch starts the browser that waits for a recording to be in view, with its text: both want the processor.
func (s State) launch(now bool) (State, []Effect) {
	if !s.launchNext || s.Browser.Phase != PhaseOff {
		s.launchNext = false
		return s, nil
	}
	if r, ok := s.sideRow(s.Side); !now && ok && r.Text != nil {
		if d, _ := s.TextInView(); d == nil {
			return s, nil
		}
	}
	s.launchNext = false
	return s.startBrowser()
}

func (s State) turnRead(m TurnLoaded) (State, []Effect) {
	t, ok := s.FinishTask(m.Task)
	if !ok || t.Stopping {
		if s.PendingTurn == m.N {
			s.PendingTurn = 0
		}
		return s, nil
	}
	if m.Problem != nil {
		s.Complain(TaskLoad, m.Problem)
		if s.PendingTurn == m.N {
			s.PendingTurn = 0
		}
		return s.goOn()
	}
	if s.Current != nil && s.Current.N == m.N {
		return s.goOn() // captured here meanwhile
	}
	s, effects := s.loaded(m.Turn)
	s, more := s.goOn()
	return s, append(effects, more...)
}

// loaded shows a recorded turn.
func (s State) loaded(t *Turn) (State, []Effect) {
	s.editRow(t.N, func(r *TurnRow) { // now it is known what is in it
		r.Refs, r.Note = t.Counts.Refs, t.Note
		r.Errors = max(r.Errors, s.errorsOf(t)) // where the turn before is not at hand, these are its own alone
	})
	return s.Show(t)
}

// Show puts a turn in view. The selection follows its element, by number.
func (s State) Show(t *Turn) (State, []Effect) {
	known := s.Current
	if s.Previous != nil && s.Previous.N != t.N {
		s = s.keep(s.Previous)
	}
	if known != nil && known.N != t.N {
		s = s.keep(known)
	}
	s.Current, s.Docs, s.Hover, s.Previous = t, nil, Selection{}, nil
	s.Selected = s.carried(known)
	for _, r := range s.rooms {
		if r.Shown != nil {
			s = r.Shown(s, known)
		}
	}
	s, effects := s.writeText()
	s, more := s.compare(known)
	effects = append(effects, more...)
	if s.Side == SideText {
		return s, effects
	}
	s, more = s.fill()
	return s, append(effects, more...)
}

// Capture takes a turn of the tab in use.
func (s State) Capture(action string) (State, []Effect) {
	if s.Session.ReadOnly {
		return s.keepRecording(), nil
	}
	for _, t := range s.Tasks {
		if t.Kind == TaskSession {
			s.Notice = &Notice{Tone: ToneWarn, Text: "A session is being opened.",
				Hint: "Capture again once it is open.", Source: TaskCapture, During: t.ID}
			return s, nil
		}
	}
	s, effects, ok := s.FreeBrowser()
	if !ok {
		return s, effects
	}
	id := s.StartTask(TaskCapture, "Capturing the page")
	return s, append(effects, Capture{id, action})
}

func (s State) captured(m Captured) (State, []Effect) {
	if _, ok := s.FinishTask(m.Task); !ok {
		return s, nil
	}
	if m.Tabs != nil {
		s.Browser.Tabs = m.Tabs
	}
	if m.Problem != nil {
		s.Complain(TaskCapture, m.Problem)
	}
	if m.Turn == nil {
		return s, nil
	}
	return s.ShowNew(m.Turn, m.Thumb, m.Tabs)
}

// ShowNew takes a turn that was just made here: its row, and it comes into view.
func (s State) ShowNew(t *Turn, thumb image.Image, tabs []Tab) (State, []Effect) {
	s.ListTurn(t, thumb)
	s.LiveTurn = t.N
	var effects []Effect
	s.PendingTurn = 0
	for _, task := range s.Tasks { // an older turn that is still being read does not take its place
		if task.Kind == TaskLoad {
			var more []Effect
			s, more = s.cancelTask(task.ID)
			effects = append(effects, more...)
		}
	}
	if s.Follow == FollowPaused {
		s.Follow, s.UnseenTurns = FollowOn, 0 // the newest is in view again
	}
	if at, ok := s.CurrentTab(); ok && tabs != nil && ShowURL(at.URL) != s.Address.Text {
		s.Address = s.Address.set(ShowURL(at.URL)) // the page navigated on its own
	}
	s, more := s.Show(t)
	return s, append(effects, more...)
}

// ListTurn gives a turn its row.
func (s *State) ListTurn(t *Turn, thumb image.Image) {
	row := t.Row()
	row.Thumb, row.Asked, row.Known, row.Errors = thumb, true, true, s.errorsOf(t)
	rows := slices.DeleteFunc(slices.Clone(s.Session.Turns), func(r TurnRow) bool { return r.N == row.N })
	s.Session.Turns = sortedTurns(append(rows, row))
}

// goOn opens the turn that was requested while another was being opened.
func (s State) goOn() (State, []Effect) {
	n := s.PendingTurn
	s.PendingTurn = 0
	if n == 0 || s.Current != nil && s.Current.N == n {
		return s, nil
	}
	return s.ByHand(n)
}

// Cursor is the place in the list of the turn that is in view or about to be, -1 for
// none.
func (s State) Cursor() int {
	n := s.PendingTurn
	if n == 0 && s.Current != nil {
		n = s.Current.N
	}
	if i, ok := slices.BinarySearchFunc(s.Session.Turns, n, ByNumber); ok {
		return i
	}
	return -1
}

// ByNumber orders a row and a turn's number, for a binary search.
func ByNumber(r TurnRow, n int) int { return r.N - n }

// OpenSession opens a session and lists its turns: where Name is "", the window's own,
// which is made where there is none; else one that is there, by name, with the number of
// a turn behind a #, by folder, or by .refscope file. Page comes back where there is
// none, for the caller to open instead. [SessionOpened] answers it.
type OpenSession struct {
	Task       int
	Name, Page string
}

// Number implements [Numbered].
func (e OpenSession) Number() int { return e.Task }

// Do implements [Work].
func (e OpenSession) Do(ctx context.Context, w *Worker) Msg {
	s, n, err := w.Engine.OpenSession(ctx, e.Name)
	if other, ok := errors.AsType[*NotASession](err); ok {
		return SessionOpened{Task: e.Task, Instead: other.Open, Other: true}
	}
	if e.Page != "" && errors.Is(err, ErrNoSession) {
		return SessionOpened{Task: e.Task, Page: e.Page, Other: true}
	}
	return SessionOpened{Task: e.Task, Session: s, Turn: n, Other: e.Name != "", Problem: w.Problem("session", err)}
}

// LoadTurn reads a turn and makes it ready. [TurnLoaded] answers it.
type LoadTurn struct{ Task, N int }

// Number implements [Numbered].
func (e LoadTurn) Number() int { return e.Task }

// Soon implements [SoonWork].
func (LoadTurn) Soon() {}

// Do implements [Work].
func (e LoadTurn) Do(ctx context.Context, w *Worker) Msg {
	m := TurnLoaded{Task: e.Task, N: e.N}
	var err error
	m.Turn, err = w.ready(ctx, e.N)
	m.Problem = w.Problem("turn", err)
	return m
}

// ready reads a turn and makes it ready.
func (w *Worker) ready(ctx context.Context, n int) (*Turn, error) {
	rec, err := w.Engine.Load(ctx, n)
	if err != nil {
		return nil, err
	}
	return rec.Ready()
}

// prepare makes a turn ready that a person is likely to want next. [prepared] answers where it
// can be read.
type prepare struct{ Session, N int }

// Pause implements [LatestWork].
func (prepare) Pause() time.Duration { return 100 * time.Millisecond }

// Do implements [Work].
func (e prepare) Do(ctx context.Context, w *Worker) Msg {
	t, err := w.ready(ctx, e.N)
	if err != nil { // opening it says why
		w.Log.Debug("no turn made ready", "turn", e.N, "error", err)
		return nil
	}
	return prepared(e.Session, t)
}

// prepared answers [prepare]. Session is the number of its opening.
func prepared(session int, turn *Turn) Msg {
	return Does(func(s State) (State, []Effect) {
		if session == s.Session.Opened && s.Current != nil && s.Current.N != turn.N {
			s = s.keep(turn)
		}
		return s, nil
	})
}

// Bounds of the turns that are kept ready besides the one in view and the one before it, which are the one that was
// left and the next: how many, and how many elements they have in all. A full picture takes some 10 to 40 MB, and a
// page of 20,000 elements with all that is known of it some 45.
const (
	maxKept         = 2
	maxKeptElements = 30_000
)

// keep keeps a turn ready, in the place of the one kept longest.
func (s State) keep(t *Turn) State {
	var kept []*Turn
	room := maxKeptElements
	for _, k := range append([]*Turn{t}, s.turnCache...) {
		if n := len(k.Capture.Nodes); n <= room && len(kept) < maxKept && (k == t || k.N != t.N) {
			kept, room = append(kept, k), room-n
		}
	}
	s.turnCache = kept
	return s
}

// ready is a turn that is ready already, nil for none.
func (s State) ready(n int) *Turn {
	for _, t := range append([]*Turn{s.Previous}, s.turnCache...) {
		if t != nil && t.N == n {
			return t
		}
	}
	return nil
}

// prepare asks for the turn after the one in view, where it is not ready.
func (s State) prepare() []Effect {
	rows := s.Session.Turns
	i := s.TurnIndex() + 1
	if i == 0 || i >= len(rows) || s.ready(rows[i].N) != nil ||
		s.Current != nil && len(s.Current.Capture.Nodes) > maxKeptElements { // the next may well be as large
		return nil
	}
	return []Effect{prepare{s.Session.Opened, rows[i].N}}
}

// Capture takes a turn and appends it to the session. Action is the word for it in the
// list of turns. [Captured] answers it.
type Capture struct {
	Task   int
	Action string
}

// Number implements [Numbered].
func (e Capture) Number() int { return e.Task }

// UsesTab implements [TabWork].
func (Capture) UsesTab() {}

// Do implements [Work].
func (e Capture) Do(ctx context.Context, w *Worker) Msg {
	rec, err := w.Engine.Capture(ctx, e.Action, w.Progress)
	return w.Captured(ctx, e.Task, rec, err)
}

// Captured is the answer of work that took a turn.
func (w *Worker) Captured(ctx context.Context, task int, rec *Recorded, err error) Msg {
	m := Captured{Task: task}
	if rec != nil { // it may be there and not be saved
		var unready error
		m.Turn, unready = rec.Ready()
		err = cmp.Or(err, unready)
	}
	m.Problem = w.Problem("capture", err)
	m.Tabs = w.Tabs(ctx)
	if m.Turn != nil {
		m.Thumb = Thumb(m.Turn.Image)
	}
	return m
}

// Survey finds what the list shows of a turn. Session is the number of its opening, which
// comes back. [Surveyed] reports it, then [FindingsCompared] where the page is not too large, and
// surveyDone answers.
type Survey struct {
	Session int
	SurveyAsk
}

// SurveyAsk is one turn to survey, and the one before it, 0 for none.
type SurveyAsk struct{ N, From int }

// Do implements [Work]. A turn that cannot be read is left out: opening it shows why.
func (e Survey) Do(ctx context.Context, w *Worker) Msg {
	rec, err := w.Engine.Load(ctx, e.N)
	if err != nil {
		w.Log.Debug("no survey", "turn", e.N, "error", err)
		return surveyDone(e.Session)
	}
	m := Surveyed{Session: e.Session, N: e.N}
	if img, err := rec.decoded(); err == nil {
		m.Thumb = Thumb(img)
	}
	var before *Recorded
	if e.From > 0 {
		if before, err = w.Engine.Load(ctx, e.From); err == nil {
			m.Change = rec.ChangeSince(before)
		}
	}
	m.Errors = rec.ErrorsSince(before)
	w.Dispatch(m)
	if len(rec.Capture.Nodes) <= maxSurveyFindings && ctx.Err() == nil {
		was := func() (*audit.Report, error) { return nil, nil }
		if m.Change != nil && comparable(before.Capture, rec.Capture, maxSurveyFindings) {
			was = before.audit
		}
		if f := findingsChange(w, e.Session, e.N, was, rec.audit); f != nil {
			w.Dispatch(f)
		}
	}
	return surveyDone(e.Session)
}
