package app

import (
	"context"
	"image"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/address"
)

// Engine is everything that the window needs from outside. Its methods block,
// end early with the context's error, and are called from several goroutines;
// calls that use the tab never overlap, except that one may start while the one
// before it is being cancelled. Errors are sentences for a person.
type Engine interface {
	SessionEngine
	BrowserEngine
	ProfileEngine
	StepsEngine
	AgentsEngine
	WhyEngine
	NotesEngine

	// Close ends everything that was started and waits for it.
	Close() error
}

// SessionEngine is where turns are kept.
type SessionEngine interface {
	// OpenSession opens a session, lists its turns and makes it the one in use. Where
	// name is "" it is the window's own, made where there is none; where the folder
	// cannot be used, the error says so and captures still work, kept in memory. Else
	// it is one that is there: SESSION, SESSION#N, a folder or a .refscope file, and
	// on an error the session in use stays. turn is the number that was named, 0 for
	// none. The error is [ErrNoSession] where there is no such session.
	OpenSession(ctx context.Context, name string) (s core.Session, turn int, err error)
	// Sessions lists the sessions of the home folder, the one used last first.
	Sessions(ctx context.Context) ([]sessions.Row, error)
	// Follow calls arrived for each turn of the session in use with a number above
	// after: for those that are there and then for each as it appears, whoever writes
	// it. A turn that cannot be read comes as damage. It returns the context's error,
	// or why it cannot go on.
	Follow(ctx context.Context, after int, arrived func(core.TurnRow, *core.Damage)) error
	// Load reads turn n.
	Load(ctx context.Context, n int) (*Recorded, error)
	// ExportSession writes the session in use as one .refscope file (N-14), ExportReport as
	// one HTML file; whole or not at all.
	ExportSession(ctx context.Context, path string) error
	ExportReport(ctx context.Context, path string) error
}

// BrowserEngine is the running Chrome.
type BrowserEngine interface {
	// Start launches or attaches to the browser, opens or picks a tab, and serves
	// the demo site. It may be called again after the browser has ended. The
	// answer's Demo is set even where the browser could not be started.
	Start(ctx context.Context, progress func(stage string)) (core.Browser, error)
	// Wait returns when the browser that was started last has ended by itself; its
	// error says how. It returns the context's error where that ends first, and nil where
	// the browser was left for another one.
	Wait(ctx context.Context) error

	Tabs(ctx context.Context) ([]core.Tab, error)
	SelectTab(ctx context.Context, id string) (core.Tab, error)
	// Open navigates the tab in use and returns it as it then is. A path is served
	// on loopback first.
	Open(ctx context.Context, target address.Target, progress func(stage string)) (core.Tab, error)
	Move(ctx context.Context, m core.Move) (core.Tab, error)
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
	Stored  []core.Stored // payloads that were stored with it
	Lacks   []string      // what it lacks, in words
	// Steps and Answer are what was asked to be done and what came of it, as JSON; nil
	// where there is none. Profile is the name of the site profile that applied, Tool the
	// program that took the turn.
	Steps, Answer []byte
	Profile, Tool string
}
