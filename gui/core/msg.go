package core

import (
	"image"

	"github.com/refscope/refscope/snapshot/dump"
)

// Msg is something that happened: a person did something, or an effect came back. It
// knows what it does to a state: apply is pure, see [Update].
type Msg interface {
	Apply(State) (State, []Effect)
}

// What a person does.
type (
	// Began is the first message: the window is up.
	Began struct{}
	// CommandChosen runs a command of [Commands] by its id.
	CommandChosen struct{ ID string }
	// AddressEntered: the address was typed and confirmed.
	AddressEntered struct{ Text string }
	// TabChosen: another tab of the browser was picked.
	TabChosen struct{ ID string }
	// TurnChosen: a line of the list of turns was picked.
	TurnChosen struct{ N int }
	// DamageChosen: a damaged turn was picked, by its place in [Session.Damaged].
	DamageChosen struct{ Index int }
	// TurnSeen: the row of a turn came into view in the list.
	TurnSeen struct{ N int }
	// NewestAsked goes to the newest turn and follows from there.
	NewestAsked struct{}
	// FollowToggled switches following on or off.
	FollowToggled struct{}
	// SessionsAsked shows the list of sessions.
	SessionsAsked struct{}
	// SessionChosen opens a session by name, folder or file.
	SessionChosen struct{ Name string }
	// SideChosen changes what the right side shows.
	SideChosen struct{ Side Side }
	// BackToggled shows the picture of the turn before, or this one again.
	BackToggled struct{ On bool }
	// PayloadChosen changes which payload is in view.
	PayloadChosen struct{ Choice PayloadChoice }
	// PayloadStepped goes By payloads on in the list of them.
	PayloadStepped struct{ By int }
	// SectionPicked chooses a section of the payload, from 1; 0 chooses none.
	SectionPicked struct{ Section int }
	// PrettyToggled changes between the bytes and indented JSON.
	PrettyToggled struct{}
	// PayloadCopied copies the body in view.
	PayloadCopied struct{}
	// MarkingAsked shows the choices of a marked picture.
	MarkingAsked struct{}
	// MarkingChanged changes them.
	MarkingChanged struct{ Options MarkedOptions }
	// MarkingConfirmed asks where the picture goes.
	MarkingConfirmed struct{}
	// TurnStepped goes By turns on, or back where By is negative.
	TurnStepped struct{ By int }
	// FormatChosen: another text format was picked.
	FormatChosen struct{ Format dump.Format }
	// Picked: an element was chosen in a pane. Ref 0 clears the selection.
	Picked struct {
		Ref    int
		Source Pane
	}
	// Hovered: the pointer is over an element, or over none where Ref is 0.
	Hovered struct {
		Ref    int
		Source Pane
	}
	// LayerToggled switches one layer of the picture.
	LayerToggled struct{ Layer Layer }
	// Zoomed: the picture pane shows Scale screen px for one image px.
	Zoomed struct{ Scale float64 }
	// HelpToggled shows or hides the list of commands.
	HelpToggled struct{}
	// Escaped is the Esc key: it leaves what is foremost.
	Escaped struct{}
	// NoticeClosed puts the sentence in the strip away.
	NoticeClosed struct{}
	// TextCopied asks for Text on the clipboard.
	TextCopied struct{ Text string }
	// CancelAsked stops a task.
	CancelAsked struct{ Task int }
	// ExportAsked wants a file; the person is asked where.
	ExportAsked struct{ Export Export }
	// ExportPlaced: the person said where.
	ExportPlaced struct {
		Export Export
		Path   string
	}
	// ExportFailed: the place that the person named cannot be used.
	ExportFailed struct{ Problem *Problem }
	// Wanted asks for an effect that belongs to the window alone, such as moving
	// the focus or the zoom.
	Wanted struct{ Effect Effect }
	// BrowserAsked starts Chrome, again where it is gone.
	BrowserAsked struct{}
	// MoveAsked goes through the tab's history or loads the page again.
	MoveAsked struct{ Move Move }
	// CaptureAsked takes a turn.
	CaptureAsked struct{}
	// DemoAsked opens the built-in demo site.
	DemoAsked struct{}
	// TabsAsked opens the list of tabs.
	TabsAsked struct{}
)

// What comes back from effects. Problem is nil where all went well.
type (
	// Progressed: a task has come to another stage.
	Progressed struct {
		Task  int
		Stage string
	}
	// SessionOpened answers [OpenSession]. Turn is the turn to show, 0 for the newest.
	SessionOpened struct {
		Task    int
		Session Session
		Turn    int
		// Page: there is no such session, and this is to be opened as a page instead.
		Page string
		// Other: another session than the window's own was asked for, so that on a
		// Problem the one in view stays.
		Other   bool
		Problem *Problem
	}
	// SessionsListed answers [ListSessions].
	SessionsListed struct {
		Rows    []SessionRow
		Problem *Problem
	}
	// TurnsArrived: turns appeared on disk; see [FollowSession]. With a Problem the
	// following has ended.
	TurnsArrived struct {
		Watch   int
		Rows    []TurnRow
		Damaged []Damage
		Problem *Problem
	}
	// Compared answers [Compare]. Changes is never nil.
	Compared struct {
		Task    int
		Before  *Turn
		Changes *Changes
	}
	// Surveyed answers [Survey], once for each turn that could be read.
	Surveyed struct {
		Session, N int
		Thumb      image.Image
		Errors     int
		Change     *TurnChange // nil where there is none
	}
	// PayloadBuilt answers [BuildPayload].
	PayloadBuilt struct {
		N       int
		Choice  PayloadChoice
		Built   *Built
		Problem *Problem
	}
	// TurnLoaded answers [LoadTurn].
	TurnLoaded struct {
		Task    int
		N       int
		Turn    *Turn
		Problem *Problem
	}
	// BrowserStarted answers [Launch].
	BrowserStarted struct {
		Task    int
		Browser Browser
		Problem *Problem
	}
	// BrowserGone: the browser ended by itself.
	BrowserGone struct{ Problem *Problem }
	// TabsListed answers [ListTabs].
	TabsListed struct {
		Tabs    []Tab
		Open    bool // show them
		Problem *Problem
	}
	// Navigated answers [Navigate], [MoveTo] and [SelectTab].
	Navigated struct {
		Task    int
		Tab     Tab
		Tabs    []Tab
		Action  string // take a turn next, under this word; "" takes none
		Problem *Problem
	}
	// Captured answers [Capture].
	Captured struct {
		Task    int
		Turn    *Turn
		Thumb   image.Image
		Tabs    []Tab
		Problem *Problem
	}
	// Rendered answers [Render].
	Rendered struct {
		Turn int
		Doc  Doc
	}
	// Exported answers [WriteExport]. Paths are what was written.
	Exported struct {
		Task    int
		Export  Export
		Paths   []string
		Problem *Problem
	}
)

// Layer is one layer of the picture that can be switched.
type Layer int

const (
	LayerBoxes Layer = iota
	LayerLabels
	LayerOcclusion
)

// Move is a step in the history of a tab.
type Move string

const (
	MoveBack    Move = "back"
	MoveForward Move = "forward"
	MoveReload  Move = "reload"
)

// ExportKind is what is exported.
type ExportKind string

const (
	ExportMarked   ExportKind = "marked"
	ExportClean    ExportKind = "clean"
	ExportManifest ExportKind = "manifest"
	ExportDump     ExportKind = "dump"
	ExportPayload  ExportKind = "payload"
	// ExportBody writes the bytes of the payload in view.
	ExportBody ExportKind = "body"
	// ExportAll writes all of them into one folder under fixed names.
	ExportAll ExportKind = "all"
)

// Export is one wish for a file. Of Format and Dialect only the one that the kind
// needs is set; with [ExportAll] every format and dialect is written.
type Export struct {
	Kind    ExportKind
	Format  dump.Format
	Dialect string
	// Marked are the choices of a marked picture; the zero value is the one for a
	// person, alone.
	Marked MarkedOptions
}
