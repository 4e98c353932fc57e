// Package core is what the rooms of the window share: the [State], with the session, the
// turn in view made ready, the selection, tasks and notices; messages, effects and commands;
// and [Room], what one part of the window adds to all that.
//
// [Update] takes a [State] and a [Msg] and returns the next state and a list of
// [Effect] values: plain data that describes what has to be done outside, such as "navigate
// there" or "write this file". It never does any of it, so it needs no browser, no disk and
// no screen, and a table of messages is a test. Package app runs effects in goroutines and
// sends their results back as messages.
//
// A room keeps a model of its own in the state, by its type: [Of] reads it and [Edit]
// changes a copy. Widgets never see the state: a room makes view-models (types whose name
// ends in VM) for them, and they report what a person did as messages. [State.Commands] is
// the one table of commands: menu, shortcuts, palette, help and tests read it.
//
// Big things (pictures, captures, documents) are immutable and shared by pointer; slices in
// the state are replaced, never changed in place, so an old state is never modified.
package core

import (
	"image"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/turn"
)

// State is everything that the window shows. It is a value: [Update] copies it,
// changes the copy and returns it.
type State struct {
	Session Session
	Browser Browser
	Address Address

	// Current is the turn in view, nil where there is none.
	Current *Turn
	// Docs are the texts of Current that have been made so far.
	Docs []Doc
	// Format is the text format in view; Formats are all that can be chosen.
	Format  dump.Format
	Formats []dump.Format
	// Used are the formats that were chosen last, the newest first, "" where there are fewer.
	Used [MaxUsed]dump.Format
	// Dialects are the payload dialects that can be exported.
	Dialects []string

	// Models are the vision models whose rules are known.
	Models []string

	// Previous is the turn before Current, made ready, and Changes what changed since; nil
	// where there is none, or not yet. ShowPrevious: its picture is in view.
	Previous     *Turn
	Changes      *Changes
	ShowPrevious bool
	// Base is what turns are compared with in the place of the one before.
	Base Base
	// turnCache are turns that stay ready besides these two, the newest first.
	turnCache []*Turn

	// launchNext: the browser is started once the turn in view has its text.
	launchNext bool

	// PendingTurn is the turn that was requested last while it is not in view yet, 0 for none.
	// Steps continue from it, so that a key that is held down never waits for a picture.
	PendingTurn int

	// Side is the content of the right side, Drawer what is drawn out below the picture, Dialog
	// what lies over the window.
	Side   Side
	Drawer Drawer
	Dialog Dialog

	// Device is the emulation of the tab.
	Device struct {
		// Now is what is known of a tab.
		Now DeviceState
		// Problem is what is wrong with the numbers that were typed, "" for nothing.
		Problem string
	}

	// Follow controls whether new turns come into view; UnseenTurns counts those that arrived
	// while it was paused.
	Follow      Following
	UnseenTurns int

	Selected Selection
	Hover    Selection
	Layers   overlay.Layers
	// Reading is how texts are written.
	Reading Reading
	// Agent is by which numbers the agent of the turn in view knows its elements. It is comparable.
	Agent struct {
		Of      *Turn
		Numbers *Numbers // nil where it has none
		// Ours: a person wants to see our numbers alone.
		Ours bool
	}
	// Zoom is screen px for one image px, as the picture pane reports it.
	Zoom float64

	// Tasks are what runs now, oldest first; TaskSeq numbers them.
	Tasks   []Task
	TaskSeq int
	// Notice is the sentence that lies over the window, nil where there is none.
	Notice *Notice
	// LiveTurn is the turn that was taken here of the tab in use and is the last of it, 0
	// where the tab has moved on since. Opened is what was opened last, to try it again.
	LiveTurn int
	// toTab is the task that opens the window's own session to go back to the tab, 0 for none.
	toTab  int
	Opened *Navigate
	// Look is the choice of colours, Scale the size of everything, 1 is normal; Hidden
	// are the parts of the window that were put away.
	Look   Look
	Scale  float64
	Hidden Hidden
	// TurnsAtSide: the timeline is a list at the side, and not a strip below.
	TurnsAtSide bool
	// Recent are the folders and files of the sessions that were opened last, the newest
	// first.
	Recent [MaxRecent]string
	// Startup is what holds from the next start on.
	Startup Startup

	// FirstURL is the page or session requested when the program was started, or the page that is opened as soon as
	// both a session of the window's own and Chrome are there; "" for none.
	FirstURL string
	// Away is the page that was asked for while a recording was in view, until the person agreed that it goes to the
	// window's own session; Agreed: they did so once, and are not asked again.
	Away   string
	Agreed bool
	// Install is the command that installs a browser on this system, "" where none is missing or none is known.
	Install string
	// first: the page to open at the start has been decided on.
	First bool

	// rooms is the table of rooms, models a pointer to the model of each that has one;
	// see [Of] and [Edit].
	rooms  []Room
	models []any
	// owned are the models that the running [Update] has copied, nil while none runs.
	owned map[any]bool
}

// Phase is how far something that starts and may end has come.
type Phase int

const (
	// PhaseOff: not requested yet.
	PhaseOff Phase = iota
	// PhaseStarting: requested, no answer yet.
	PhaseStarting
	// PhaseReady: it works.
	PhaseReady
	// PhaseFailed: it could not be started.
	PhaseFailed
	// PhaseGone: it worked and then ended on its own.
	PhaseGone
)

// Session is the folder of turns.
type Session struct {
	Phase Phase
	Name  string
	// Path is its folder or file, "" where it has none.
	Path string
	// Kept is false where turns stay in memory because the folder cannot be used.
	Kept bool
	// ReadOnly: it is a recording, so no turn is added to it here. Notes are the reviewer's own, and stay possible.
	ReadOnly bool
	// File: it is one file, so nobody writes to it, and no notes either.
	File    bool
	Turns   []TurnRow
	Damaged []Damage
	// Lost are sentences about what the recording of another tool lacks, where it was imported just now.
	Lost []string
	// surveys are the rows in view that wait for what they show, the newest last; surveying:
	// one is being asked about.
	surveys   []SurveyAsk
	surveying bool
	// Opened is the number of the task that opened it, which identifies the session.
	Opened int
	// Watch is the number under which it is followed, below the numbers of tasks, 0 for
	// none; Arrived counts the
	// turns that others wrote since.
	Watch, Arrived int
	// Notes are the comments on its turns, Remarks the same by turn; both are
	// replaced, never changed, and Said grows whenever they are.
	Notes        []turn.Annotation
	Remarks      map[int]Remarks
	NotesVersion int
}

// TurnRow is one line of the list of turns.
type TurnRow struct {
	N      int
	Action string // "goto", "capture" …
	Refs   int    // see [Counts]
	URL    string
	Title  string
	Taken  time.Time
	Thumb  image.Image
	// Note is the remark that it was taken with; later comments are in
	// [Session.Remarks].
	Note string
	// Unsettled: the page was still busy; Torn: it changed while it was read; Unsaved: it could not be written.
	Unsettled, Torn, Unsaved bool
	// Pageless: no page belongs to it.
	Pageless bool
	// Errors is how many errors of its console, failed requests and failed steps it has, Wrong how many
	// findings of its audit are errors, once it was surveyed.
	Errors, Wrong int
	// Change is how it differs from the turn before, nil until that is known.
	Change *TurnChange
	// Findings is how its audit differs from that of the turn before, where that is known.
	Findings FindingChange
	// Stored is how many payloads are stored with it, Wire how many of them are as they crossed the wire: a recording
	// of another tool can have the words alone.
	Stored, Wire int
	// Asked: its survey was requested. Known: its errors, findings and change are.
	Asked, Known bool
	// Story is what an agent wanted at it, Then the one with what the tool reported of it: that of the request that
	// went on from there, or its own. They are nil until they are known, and for turns without a request.
	Story, Then *conversation.Story
}

// Damage is a turn on disk that cannot be shown, and why.
type Damage struct {
	N   int    // 0 where not even the number can be read
	Why string // one sentence
}

// Browser is the running Chrome.
type Browser struct {
	Phase   Phase
	Version string // such as "Chrome/156.0.8078.79"
	// Attached: it was running before, so it is not ours to end.
	Attached bool
	Tabs     []Tab
	// Tab is the id of the tab in use, "" for none.
	Tab      string
	Viewport image.Point // CSS px
	// Demo is the URL of the built-in demo site, "" until it is served.
	Demo string
}

// Tab is one tab of the browser.
type Tab struct {
	ID, URL, Title string
}

// Address is the text of the address entry. Version grows whenever the entry must
// take the text over, so that typing is not disturbed by anything else.
type Address struct {
	Text    string
	Version int
}

func (a Address) set(text string) Address { return Address{text, a.Version + 1} }

// Task is work in progress.
type Task struct {
	ID   int
	Kind TaskKind
	// Sentence names what runs, Stage its progress.
	Sentence, Stage string
	// Stopping: its end was requested.
	Stopping bool
}

// TaskKind groups tasks by what they keep busy.
type TaskKind int

const (
	TaskSession TaskKind = iota
	TaskLaunch
	TaskNavigate
	TaskCapture
	TaskLoad
	TaskExport
	TaskCompare
	TaskSteps
	TaskNote
	TaskAsk
)

// Browser reports whether it keeps the browser busy: only one of these runs at a time.
func (k TaskKind) Browser() bool {
	return k == TaskLaunch || k == TaskNavigate || k == TaskCapture || k == TaskSteps
}

// takesTurns reports whether it adds turns to the session in view.
func (k TaskKind) takesTurns() bool { return k == TaskCapture || k == TaskSteps }

// Notice is one sentence for the person, with what to do.
type Notice struct {
	Tone Tone
	Text string
	// Hint is what to do, "" where Text is enough.
	Hint string
	// Command is the id of the command that a button offers, Also that of a second one; ""
	// for none.
	Command, Also string
	// Source identifies what a notice is about, so that its success
	// removes its own complaint and nothing else.
	Source TaskKind
	// During is the task after which it is not true any more, 0 for none.
	During int
}

// Calm reports whether the notice disappears on its own: nothing is wrong.
func (n *Notice) Calm() bool { return n.Tone != ToneWarn && n.Tone != ToneBad }

// Problem is an error made ready for a person: one sentence, and what to do. The
// zero pointer means that all went well.
type Problem struct {
	Sentence, Hint string
	// Canceled: the person stopped it, so it is no news.
	Canceled bool
	// BrowserGone: the browser is not there any more. Slow: the page did not answer in time.
	BrowserGone, Slow bool
	// Command is what a person copies to mend it, "" for nothing.
	Command string
}

// Doc is one text of the shown turn.
type Doc struct {
	Format dump.Format
	Doc    *dump.Document
	Tones  *LineTones
	// Chars is the length of the text in runes, Tokens its cost as the window counts it.
	Chars, Tokens int
	// Attributes are those that it writes, with the longest in all first; nil where the format has
	// none.
	Attributes []string
	// Cut describes in a sentence what limits removed from it, "" for nothing.
	Cut string
	// Problem is why there is no text.
	Problem *Problem
}

// NewDoc makes a text of the capture ready for the window. count counts tokens: it is the
// window's one counter, which token map, status, comparisons and budget share.
func NewDoc(c *snapshot.Capture, d *dump.Document, count func(string) int) Doc {
	return Doc{Format: d.Format, Doc: d, Tones: NewLineTones(c, d), Chars: utf8.RuneCountInString(d.Text),
		Tokens: count(d.Text), Cut: CutSentence(d)}
}

// New is the state before anything has happened, with these rooms, as p remembers the window.
func New(rooms []Room, p Prefs, firstURL string, viewport image.Point, formats []dump.Format, dialects,
	models []string) State {
	s := State{
		rooms:    rooms,
		FirstURL: firstURL,
		Formats:  formats,
		Dialects: dialects,
		Models:   models,
		Zoom:     1,
	}
	s.Browser.Viewport = viewport
	if len(formats) > 0 {
		s.Format = formats[0]
	}
	for _, r := range rooms {
		if r.Start != nil {
			r.Start(&s)
		}
	}
	return s.with(p)
}

// Busy is the newest task of the browser that runs, nil for none.
func (s State) Busy() *Task {
	for i := len(s.Tasks) - 1; i >= 0; i-- {
		if s.Tasks[i].Kind.Browser() {
			return &s.Tasks[i]
		}
	}
	return nil
}

// Doc is the text in that format of the shown turn, nil where it is not made yet.
func (s State) Doc(f dump.Format) *Doc {
	for i := range s.Docs {
		if s.Docs[i].Format == f {
			return &s.Docs[i]
		}
	}
	return nil
}

// CurrentTab is the tab in use; ok is false where there is none.
func (s State) CurrentTab() (t Tab, ok bool) {
	for _, t := range s.Browser.Tabs {
		if t.ID == s.Browser.Tab {
			return t, true
		}
	}
	return Tab{}, false
}
