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

// Does is a message that is no more than what it does: a function makes one of its operands. What a message holds is
// a type of its own only where somebody looks at it, such as the list that shows it or the work that it answers.
// It may be applied several times, so it never writes to its operands (TestMessagesKeepTheirOperands).
type Does func(State) (State, []Effect)

func (d Does) Apply(s State) (State, []Effect) { return d(s) }

// What a person does.
type (
	// Began is the first message: the window is up.
	Began struct{}
	// CommandChosen runs a command of [Commands] by its id.
	CommandChosen struct{ ID string }
	// AddressEntered: the address was typed and confirmed.
	AddressEntered struct{ Text string }
	// TurnChosen: a line of the list of turns was picked.
	TurnChosen struct{ N int }
	// DamageChosen: a damaged turn was picked, by its place in [Session.Damaged].
	DamageChosen struct{ Index int }
	// TurnSeen: the row of a turn came into view in the list.
	TurnSeen struct{ N int }
	// NewestAsked goes to the newest turn and follows from there.
	NewestAsked struct{}
	// FormatChosen: another text format was picked.
	FormatChosen struct{ Format dump.Format }
	// Escaped is the Esc key: it leaves what is foremost.
	Escaped struct{}
	// NoticeClosed puts the sentence in the strip away.
	NoticeClosed struct{}
	// TextCopied asks for Text on the clipboard.
	TextCopied struct{ Text string }
	// moveAsked goes through the tab's history or loads the page again.
	moveAsked struct{ Move Move }
	// CaptureAsked takes a turn.
	CaptureAsked struct{}
)

// What comes back from effects. Problem is nil where all went well.
type (
	// SessionOpened answers [OpenSession]. Turn is the turn to show, 0 for the newest.
	SessionOpened struct {
		Task    int
		Session Session
		Turn    int
		// Page: there is no such session, and this is to be opened as a page instead.
		Page string
		// Instead opens what was named: it is no session, but something else that the window shows.
		Instead Msg
		// Other: another session than the window's own was requested, so that on a
		// Problem the one in view stays.
		Other   bool
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
	// Surveyed is what [Survey] found.
	Surveyed struct {
		Session, N int
		Thumb      image.Image
		Errors     int
		Change     *TurnChange // nil where there is none
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
	// BrowserGone: the browser ended on its own.
	BrowserGone struct{ Problem *Problem }
	// tabsListed answers [listTabs].
	tabsListed struct {
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
	// Captured answers [Capture]. With a problem there may be a turn, which is not saved.
	Captured struct {
		Task    int
		Turn    *Turn
		Thumb   image.Image
		Tabs    []Tab
		Problem *Problem
	}
	// Rendered is the text of a turn in one format; package text has it made.
	Rendered struct {
		Turn    int
		Reading Reading
		Doc     Doc
	}
)

// Move is a step in the history of a tab.
type Move string

const (
	MoveBack    Move = "back"
	MoveForward Move = "forward"
	MoveReload  Move = "reload"
)
