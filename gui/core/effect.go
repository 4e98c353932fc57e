package core

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
)

// Effect is something to be done outside of [Update]: plain data. One that takes time is
// [Work]; the others belong to the window and are done at once on its goroutine.
type Effect any

// Work is an effect that takes time. The window calls Do in a goroutine under a context
// of its own and takes the message that it returns, nil for none.
type Work interface {
	Do(ctx context.Context, w *Worker) Msg
}

// Numbered is work of a [Task], by its number: [Cancel] ends its context, and its stages are
// that task's.
type Numbered interface {
	Work
	Number() int
}

// TabWork is work that needs the browser's tab for itself. It waits for the one before it.
type TabWork interface {
	Work
	UsesTab()
}

// LatestWork is work of which only the newest of its type matters. It waits for Pause and
// for the one before it, and is left out where a newer one came meanwhile.
type LatestWork interface {
	Work
	Pause() time.Duration
}

// FrontWork is work that a person waits for: work behind the window gives way to it, see [Worker.GiveWay].
type FrontWork interface {
	Work
	Front()
}

// SoonWork is work that is mostly done within a frame: the window waits a moment for its answer before it
// paints, so that what belongs together comes into view together.
type SoonWork interface {
	Work
	Soon()
}

// Worker is what work gets from the window.
type Worker struct {
	// Engine is the outside; see [EngineOf].
	Engine Engine
	Log    *slog.Logger
	// Dispatch sends a message before the answer, Progress the stage of the task.
	Dispatch func(Msg)
	Progress func(stage string)
	// GiveWay waits until nothing is under way that a person waits for: work behind the window calls it between two
	// steps. nil: nobody waits.
	GiveWay func(ctx context.Context)
	// UseTab waits until nobody else uses the browser's tab; done releases it. It fails
	// where ctx ends first.
	UseTab func(ctx context.Context) (done func(), err error)
	// TabWanted reports whether work that a person asked for needs the tab, or has answered and its
	// answer is not taken yet, which may ask for more: a navigation asks for a capture.
	TabWanted func() bool
	// Painted waits until the window has its first picture. nil: nobody waits.
	Painted func(ctx context.Context) error
	// CopyImage puts a PNG on the clipboard; nil where the desktop has no way to.
	CopyImage func(png []byte) error
	// Counter counts tokens; its tables are built when it first does.
	Counter *tokens.Counter
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
	// cannot be used, the error reports it and captures still work, kept in memory. Else
	// it is one that is there: SESSION, SESSION#N, a folder, a .refscope file, or another tool's recording, and
	// on an error the session in use stays. turn is the number that was named, 0 for
	// none. The error is [ErrNoSession] where there is no such session, and a [*NotASession]
	// where what was named is something else that the window shows.
	OpenSession(ctx context.Context, name string) (s Session, turn int, err error)
	// Follow calls arrived for each turn of the session in use with a number above
	// after: for those that are there and then for each as it appears, whoever writes
	// it. A turn that cannot be read comes as damage. It returns the context's error,
	// or why it cannot continue.
	Follow(ctx context.Context, after int, arrived func(TurnRow, *Damage)) error
	// FollowNotes calls changed with all notes of the session in use, at once and again
	// whenever somebody adds one or takes one back. It returns the context's error, or
	// why it cannot continue.
	FollowNotes(ctx context.Context, changed func([]turn.Annotation)) error
	// Load reads turn n.
	Load(ctx context.Context, n int) (*Recorded, error)

	// Start launches or attaches to the browser, opens or picks a tab, and serves
	// the demo site. It may be called again after the browser has ended. The
	// answer's Demo is set even where the browser could not be started.
	Start(ctx context.Context, progress func(stage string)) (Browser, error)
	// Wait returns when the browser that was started last has ended on its own; its
	// error describes how. It returns the context's error where that ends first, and nil where
	// the browser was left for another one. lost is called when the tab in use ends before, as
	// where somebody closes it.
	Wait(ctx context.Context, lost func(tab string, why error)) error
	Tabs(ctx context.Context) ([]Tab, error)
	SelectTab(ctx context.Context, id string) (Tab, error)
	// Open navigates the tab in use and returns it as it then is. A path is served
	// on loopback first.
	Open(ctx context.Context, target address.Target, progress func(stage string)) (Tab, error)
	Move(ctx context.Context, m Move) (Tab, error)
	// WaitLonger allows twice the time for loading a page from now on.
	WaitLonger()
	// Capture takes a turn of the tab in use and appends it to the session. One that cannot be written is given with
	// the error.
	Capture(ctx context.Context, action string, progress func(stage string)) (*Recorded, error)
}

// Cancel ends the context of a task. Its answer still comes.
type Cancel struct{ Task int }

// What the window itself does.
type (
	// AskSession asks for a session's folder, or for a file of one or of another tool. The answer is
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
