package core

import (
	"context"
	"errors"
	"image"
	"log/slog"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/dump"
)

// Effect is something to be done outside of [Update]: plain data. One that takes time is
// [Work]; the others belong to the window and are done at once on its goroutine.
type Effect any

// Work is an effect that takes time. The window calls Do in a goroutine under a context
// of its own, which [Cancel] ends, and takes the message that it returns, nil for none.
type Work interface {
	// Number is that of its [Task], 0 for none.
	Number() int
	Do(ctx context.Context, w *Worker) Msg
}

// TabWork is work that needs the browser's tab for itself. It waits for the one before it.
type TabWork interface {
	Work
	UsesTab()
}

// Worker is what work gets from the window.
type Worker struct {
	// Engine is the outside; see [EngineOf].
	Engine Engine
	Log    *slog.Logger
	// Dispatch sends a message before the answer, Progress the stage of the task.
	Dispatch func(Msg)
	Progress func(stage string)
	// Ready makes a recorded turn ready for the window, Thumb its small picture.
	Ready func(*Recorded) (*Turn, error)
	Thumb func(*image.RGBA) image.Image
}

// EngineOf is what a room needs of the outside: an interface of its own, which the window's
// engine has among others.
func EngineOf[E any](w *Worker) E { return w.Engine.(E) }

// Problem logs an error and makes it ready for a person; nil for nil.
func (w *Worker) Problem(what string, err error) *Problem {
	if err != nil && !errors.Is(err, context.Canceled) {
		w.Log.Error("problem", "with", what, "error", err)
	}
	return ProblemOf(err)
}

// Tabs is the present list of tabs, nil where it cannot be had: then the list in the
// window stays as it is.
func (w *Worker) Tabs(ctx context.Context) []Tab {
	tabs, err := w.Engine.Tabs(ctx)
	if err != nil {
		w.Log.Debug("tabs could not be listed", "error", err)
		return nil
	}
	return tabs
}

// Engine is what all rooms need from outside. Its methods block, end early with the
// context's error, and are called from several goroutines; calls that use the tab never
// overlap, except that one may start while the one before it is being cancelled. Errors
// are sentences for a person.
type Engine interface {
	// OpenSession opens a session, lists its turns and makes it the one in use. Where
	// name is "" it is the window's own, made where there is none; where the folder
	// cannot be used, the error says so and captures still work, kept in memory. Else
	// it is one that is there: SESSION, SESSION#N, a folder or a .refscope file, and
	// on an error the session in use stays. turn is the number that was named, 0 for
	// none. The error is [ErrNoSession] where there is no such session.
	OpenSession(ctx context.Context, name string) (s Session, turn int, err error)
	// Follow calls arrived for each turn of the session in use with a number above
	// after: for those that are there and then for each as it appears, whoever writes
	// it. A turn that cannot be read comes as damage. It returns the context's error,
	// or why it cannot go on.
	Follow(ctx context.Context, after int, arrived func(TurnRow, *Damage)) error
	// FollowNotes calls changed with all notes of the session in use, at once and again
	// whenever somebody adds one or takes one back. It returns the context's error, or
	// why it cannot go on.
	FollowNotes(ctx context.Context, changed func([]Note)) error
	// Load reads turn n.
	Load(ctx context.Context, n int) (*Recorded, error)

	// Start launches or attaches to the browser, opens or picks a tab, and serves
	// the demo site. It may be called again after the browser has ended. The
	// answer's Demo is set even where the browser could not be started.
	Start(ctx context.Context, progress func(stage string)) (Browser, error)
	// Wait returns when the browser that was started last has ended by itself; its
	// error says how. It returns the context's error where that ends first, and nil where
	// the browser was left for another one.
	Wait(ctx context.Context) error
	Tabs(ctx context.Context) ([]Tab, error)
	SelectTab(ctx context.Context, id string) (Tab, error)
	// Open navigates the tab in use and returns it as it then is. A path is served
	// on loopback first.
	Open(ctx context.Context, target address.Target, progress func(stage string)) (Tab, error)
	Move(ctx context.Context, m Move) (Tab, error)
	// WaitLonger allows twice the time for loading a page from now on.
	WaitLonger()
	// Capture takes a turn of the tab in use and appends it to the session.
	Capture(ctx context.Context, action string, progress func(stage string)) (*Recorded, error)
}

// Recorded is a turn as the engine gives it.
type Recorded struct {
	N       int
	Action  string
	Capture *snapshot.Capture
	PNG     []byte      // clean picture, nil where there is none
	Image   *image.RGBA // PNG decoded, where that was done already
	Note    string
	Stored  []Stored // payloads that were stored with it
	Lacks   []string // what it lacks, in words
	// Steps and Answer are what was asked to be done and what came of it, as JSON; nil
	// where there is none. Profile is the name of the site profile that applied, Tool the
	// program that took the turn.
	Steps, Answer []byte
	Profile, Tool string
}

// Cancel ends the context of a task. Its answer still comes.
type Cancel struct{ Task int }

// Work that package app still does itself.
type (
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
	// Render makes the text of a turn in one format.
	Render struct {
		Turn    *Turn
		Format  dump.Format
		Reading Reading
	}
)

// SurveyAsk is one turn to survey, and the one before it, 0 for none.
type SurveyAsk struct{ N, From int }

// What the window itself does.
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
