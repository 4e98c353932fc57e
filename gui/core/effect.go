package core

import (
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/dump"
)

// Effect is something to be done outside of [Update]. Effects with a Task field
// take time: the shell runs them in a goroutine, reports their stages with
// [Progressed], and answers with one message that carries the same number.
type Effect any

// Work for a goroutine.
type (
	// OpenSession opens a session and lists its turns: where Name is "", the window's
	// own, which is made where there is none; else one that is there, by name, with
	// the number of a turn behind a #, by folder, or by .refscope file. Page comes
	// back where there is none, for the caller to open instead.
	OpenSession struct {
		Task       int
		Name, Page string
	}
	// FollowSession reports turns after number After as they appear on disk, with
	// [TurnsArrived], until [Cancel] names Watch.
	FollowSession struct{ Watch, After int }
	// Compare finds what changed from turn From to Turn and makes From ready. Known
	// is From where it is ready already.
	Compare struct {
		Task  int
		Turn  *Turn
		From  int
		Known *Turn
		// Session is the number of its opening.
		Session int
	}
	// Survey finds for these turns, in this order, what the list shows of them.
	// Session is the number of its opening, which comes back.
	Survey struct {
		Session int
		Turns   []SurveyAsk
	}
	// LoadTurn reads a turn and makes it ready.
	LoadTurn struct{ Task, N int }
	// Launch starts Chrome or attaches to one, and serves the demo site.
	Launch struct{ Task int }
	// Watch waits for the end of the browser that was just started.
	Watch struct{}
	// ListTabs asks for the browser's tabs; Open shows them afterwards.
	ListTabs struct{ Open bool }
	// SelectTab makes a tab the one in use.
	SelectTab struct {
		Task int
		ID   string
	}
	// Navigate opens an address in the tab in use. A Target with a path is served
	// first. Action comes back with the answer: the word under which a turn is
	// taken next, "" for none.
	Navigate struct {
		Task   int
		Target address.Target
		Action string
	}
	// MoveTo goes through the tab's history, or loads the page again. The move is
	// also the word for the turn that is taken next.
	MoveTo struct {
		Task int
		Move Move
	}
	// Capture takes a turn and appends it to the session. Action is the word for
	// it in the list of turns.
	Capture struct {
		Task   int
		Action string
	}
	// Render makes the text of a turn in one format.
	Render struct {
		Turn   *Turn
		Format dump.Format
	}
	// Cancel ends the task's context. Its answer still comes.
	Cancel struct{ Task int }
)

// Deeds of the window itself, done at once on the main goroutine.
type (
	// AskSession asks for a session's folder, or for a .refscope file. The answer is
	// [SessionChosen].
	AskSession struct{ Folder bool }
	// CopyText puts text on the clipboard.
	CopyText struct{ Text string }
	// FocusAddress moves the keyboard to the address entry and selects it.
	FocusAddress struct{}
	// ShowTabs drops the list of tabs down.
	ShowTabs struct{}
	// FullScreen gives the window the whole screen, or takes it away again.
	FullScreen struct{}
	// Quit closes the window.
	Quit struct{}
)

// SurveyAsk is one turn to survey, and the one before it, 0 for none.
type SurveyAsk struct{ N, From int }
