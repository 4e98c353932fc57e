// Package engine connects the window to the outside: a real Chrome, the folders of sessions and profiles,
// and the server for agents. [New] makes a [Live], which has the Engine interface of each room.
package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/browser"
	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/serve"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
)

// Options configure which browser and which session to use.
type Options struct {
	Browser browser.Options
	// Home is the folder of all sessions, Session the name of this one.
	Home, Session string
	// URL is the page that will be opened first, "" for none. In a browser that
	// runs already such a page gets a tab of its own.
	URL string
	// Timeout bounds the loading of a page; 0 means 30 s.
	Timeout time.Duration
	// Version is the program's, and Tool names both, for the turns on disk.
	Version, Tool string
	Log           *slog.Logger // nil discards
}

// Live is the engine on a real Chrome and a folder of turns.
type Live struct {
	opt Options

	mu      sync.Mutex
	set     *openSet // the data set in view, nil for none
	store   *turn.Store
	reports map[int]read     // of turns of store, see [Live.examine]
	texts   texts            // of turns of store, see [Live.SearchTurns]
	second  *turn.Store      // that is compared with it; nil for none
	memory  []*core.Recorded // turns that cannot be kept on disk; 1 is the first
	unsaved *core.Recorded   // the turn after those of store that could not be written, nil for none
	browser *browser.Browser
	tab     *browser.Tab
	other   chan struct{} // closed when another tab is in use
	unkept  *unkept
	demo    *serve.Server
	folders map[string]*serve.Server // by folder
	last    lastSeen
	agents  agents
	tap     tapServer
	counter *tokens.Counter
}

// New makes the engine; nothing is started or touched yet.
func New(o Options) *Live {
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Live{opt: o, other: make(chan struct{}), folders: map[string]*serve.Server{}, counter: &tokens.Counter{}}
}

// Capture implements [core.Engine].
func (l *Live) Capture(ctx context.Context, action string, progress func(stage string)) (*core.Recorded, error) {
	return l.take(ctx, action, false, progress)
}

// take takes a turn of the tab in use, of the whole page or of the window's part of it.
func (l *Live) take(ctx context.Context, action string, whole bool, progress func(stage string)) (*core.Recorded,
	error) {
	tab, err := l.current()
	if err != nil {
		return nil, err
	}
	if err := l.there(ctx, tab); err != nil {
		return nil, err
	}
	l.mu.Lock()
	store := l.store
	l.mu.Unlock()
	saving := false
	o := session.Options{
		Store: store, Action: action, Tool: l.opt.Tool, Profiles: profiles.Home(l.opt.Home), FullPage: whole,
		NodeIDs:  true,
		Progress: func(stage string) { saving = stage == "save"; progress(stageSentence(stage)) },
	}
	shot, err := session.Take(ctx, tab, o)
	var unsaved error
	if err != nil && saving && ctx.Err() == nil { // the page is read; it is shown without being kept
		unsaved = err
		shot, err = takeUnsaved(ctx, tab, o)
	}
	if err != nil && unsaved != nil {
		return nil, l.explain(&core.Hinted{Err: unsaved,
			Hint: "Open another session (Ctrl+O), and capture the page again."})
	}
	if err != nil {
		return nil, l.explain(err)
	}
	if !whole {
		l.took(tab, shot.Capture)
	}
	rec := &core.Recorded{Record: turn.Record{N: shot.N, Action: action, Capture: shot.Capture, Picture: shot.Picture,
		Lacks: shot.Lacks, Profile: shot.Profile, Meta: turn.Meta{Tool: l.opt.Tool}}}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsaved = nil
	switch {
	case store == nil:
		rec.N = len(l.memory) + 1
		l.memory = append(l.memory, rec)
	case unsaved != nil:
		rec.Lacks, rec.Unsaved = append(rec.Lacks, "it is not saved"), true
		l.unsaved = rec
		return rec, notSaved(rec.N, unsaved)
	}
	return rec, nil
}

// takeUnsaved takes a turn that its session cannot keep, with the numbers that it would have there.
func takeUnsaved(ctx context.Context, tab *browser.Tab, o session.Options) (*session.Shot, error) {
	book, err := o.Store.Ledger(ctx)
	if err != nil {
		return nil, err
	}
	n := book.NextTurn()
	o.Store, o.Number = nil, func(c *snapshot.Capture) { book.Assign(tab.ID(), n, c) }
	shot, err := session.Take(ctx, tab, o)
	if err == nil {
		shot.N = n
	}
	return shot, err
}

// notSaved says why turn n is in view alone.
func notSaved(n int, why error) error {
	switch {
	case errors.Is(why, turn.ErrNoSpace):
		why = turn.ErrNoSpace
	case errors.Is(why, turn.ErrCannotWrite):
		why = fmt.Errorf("the session's folder %w", turn.ErrCannotWrite)
	}
	return &core.Hinted{Err: fmt.Errorf("turn %d is in view, but not saved: %w", n, why),
		Hint: "The turns before it are safe. Once it can be written, capture the page again."}
}

// stageSentence describes a stage of [session.Take].
func stageSentence(stage string) string {
	switch stage {
	case "settle":
		return "waiting for the page to become quiet"
	case "enlarge":
		return "making the window as tall as the page"
	case "collect":
		return "reading the page"
	case "picture":
		return "taking the picture"
	case "save":
		return "writing the turn"
	}
	return stage
}

// site serves the demo site, once, and returns its address.
func (l *Live) site() (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.demo == nil {
		srv, err := serve.FS(context.Background(), assets.Demo()) // ends with Close
		if err != nil {
			return "", err
		}
		l.demo = srv
	}
	return l.demo.URL(), nil
}

// address is the URL of a target; a file is put on loopback with its folder.
func (l *Live) address(t address.Target) (string, error) {
	if t.Path == "" {
		return t.URL, nil
	}
	path := t.Path
	if rest, ok := strings.CutPrefix(filepath.ToSlash(path), "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("opening %s: %w", t.Path, err)
	}
	switch info, err := os.Stat(path); {
	case err != nil:
		return "", &core.Hinted{Err: fmt.Errorf("%s cannot be opened: %w", path, files.Cause(err)),
			Hint: "Name an .html file that is there, or a URL."}
	case info.IsDir():
		return "", &core.Hinted{Err: fmt.Errorf("%s is a folder", path), Hint: "Name an .html file in it."}
	}
	dir := filepath.Dir(path)
	l.mu.Lock()
	defer l.mu.Unlock()
	srv := l.folders[dir]
	if srv == nil {
		var err error
		if srv, err = serve.Folder(context.Background(), dir); err != nil { // ends with Close
			return "", err
		}
		l.folders[dir] = srv
	}
	return srv.Page(filepath.Base(path))
}

// Close ends everything that was started and waits for it.
func (l *Live) Close() error {
	l.mu.Lock()
	b, tab, demo, folders, stores := l.browser, l.tab, l.demo, l.folders, []*turn.Store{l.store, l.second}
	l.uses(nil, nil)
	l.demo, l.folders, l.store, l.second = nil, map[string]*serve.Server{}, nil, nil
	l.mu.Unlock()
	errs := []error{l.ServeAgents(context.Background(), false), l.ServeTap(context.Background(), false, nil)}
	for _, store := range stores {
		if store != nil {
			errs = append(errs, store.Close())
		}
	}
	if tab != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		errs = append(errs, tab.Close(ctx))
		cancel()
	}
	if b != nil {
		errs = append(errs, b.Close())
	}
	if demo != nil {
		errs = append(errs, demo.Close())
	}
	for _, s := range folders {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
