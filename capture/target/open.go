package target

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// Options are where targets lie, and how their pages are shown and kept.
type Options struct {
	Home    string // folder of the sessions and of the list of tabs
	Session string // name of the session of turns of a tab; "" for the one that is named for its alias
	Tool    string // program and version, as a new session names its writer
	// Timeout is for opening a page and reading it, without the start of a browser.
	Timeout       time.Duration
	Width, Height int            // of the viewport, CSS px
	Device        *device.Device // that tabs pass for; nil for none
	Pool          *browser.Pool  // of several browsers, each for one page at a time; nil for none
	Profiles      *profiles.Store
	Log           *slog.Logger
	// Remark writes a line for the person who waits.
	Remark func(format string, args ...any)
	// Launch starts the browser, or attaches to it, in which pages are opened that are closed again.
	Launch func(context.Context) (*browser.Browser, error)
	// Host makes the host of tabs that outlive the command.
	Host func() (*tabs.Host, error)
	// Piped is standard input as a file that can be opened, for the target -; nil where there is none.
	Piped func(context.Context) (file string, err error)
	// Kept is what sessions of other processes have met, by their names.
	Kept func(context.Context) map[string]redact.Kept
}

// Opener opens targets. It keeps one browser for all of them. It is safe for concurrent use once its
// fields are set.
type Opener struct {
	Options
	// Keep leaves tabs open, with an alias, in a browser that outlives the command.
	Keep bool
	// Pageless opens turns without a page too, for who asks nothing of a page; else they are a [NoPageError].
	Pageless bool
	// Ready, where it is not nil, is called with a tab that shows a page, before it is captured.
	Ready func(ctx context.Context, tab *Tab) error
	// Made, where it is not nil, is called with the id of a tab that was opened to be closed again.
	Made func(tab string)

	starting sync.Mutex
	// Browser is the one of [Options.Launch]; set beforehand, it is used instead of a new one.
	Browser *browser.Browser
	host    *tabs.Host // of kept tabs
}

// Close ends the browser, if one was needed. Kept tabs stay.
func (o *Opener) Close() {
	if o.Browser != nil {
		if err := o.Browser.Close(); err != nil {
			o.Log.Debug("closing the browser", "error", err)
		}
	}
	if o.host != nil {
		if err := o.host.Close(); err != nil {
			o.Log.Debug("leaving the browser", "error", err)
		}
	}
}

// Open returns what a target shows. Turns and captures are read, a tab is captured as it is,
// and a page is opened in a tab of its own, which is closed again unless it is to be kept.
//
// A capture of a tab with an alias is a turn of that tab's session, so that its numbers are
// those that the steps of a run go by, unless s names another session or allows secrets.
func (o *Opener) Open(ctx context.Context, name string, s session.Options) (*Opened, error) {
	return o.OpenAs(ctx, name, nil, s)
}

// OpenAs is open with an appearance for a page that is opened; nil for that of the global flags.
func (o *Opener) OpenAs(ctx context.Context, name string, look *Appearance, s session.Options) (*Opened, error) {
	file := name
	if name == stdin && o.Piped != nil {
		var err error
		if file, err = o.Piped(ctx); err != nil {
			return nil, err
		}
	}
	t, err := Parse(o.Home, file)
	if err != nil {
		return nil, err
	}
	t.Look, t.Name = look, name
	var r *Opened
	switch t.Kind {
	case TurnKind:
		r, err = ReadTurn(ctx, t.Turn)
	case CaptureKind:
		r, err = ReadCapture(file)
	default:
		r, err = o.capture(ctx, t, s)
	}
	if err != nil {
		return nil, err
	}
	r.Name = name
	if !o.Pageless {
		if err := r.NeedPage(); err != nil {
			return nil, err
		}
	}
	for _, failed := range r.Capture.Failed {
		switch failed.Layer {
		case snapshot.LayerWalk, snapshot.LayerStructure, "attributes", "frames", "full page", "layout", "snapshot":
			o.Remark("%s: %s", name, failed.Why)
		}
	}
	return r, nil
}

// capture opens a tab and captures what it shows. Where it was a browser of a pool whose connection was lost, another
// one is tried, once.
func (o *Opener) capture(ctx context.Context, t Target, s session.Options) (*Opened, error) {
	r, lost, err := o.captureIn(ctx, t, s)
	if err != nil && lost && ctx.Err() == nil {
		o.Log.Debug("the browser was lost: trying again", "target", Clean(t.Name), "error", err)
		r, _, err = o.captureIn(ctx, t, s)
	}
	return r, err
}

// captureIn captures what a target shows in one browser; lost reports that the connection to one of a pool was.
func (o *Opener) captureIn(ctx context.Context, t Target, s session.Options) (_ *Opened, lost bool, err error) {
	started := trace.Start(ctx, trace.LaneCommand, "start of the browser")
	b, leave, err := o.Start(ctx, t)
	started()
	if err != nil {
		return nil, false, err
	}
	leave = sync.OnceValue(leave)
	defer func() { lost = leave() }()
	r, err := o.captureWith(ctx, b, t, s, func() { leave() })
	return r, false, err
}

// captureWith captures what a target shows in a browser, which it gives back early where its turn has to wait for
// others that may need it.
func (o *Opener) captureWith(ctx context.Context, b *browser.Browser, t Target, s session.Options, giveBack func()) (
	*Opened, error) {
	ctx, cancel := browser.Within(ctx, o.Timeout) // opening and reading, without the start of a browser
	defer cancel()
	opened := trace.Start(ctx, trace.LaneCommand, "open")
	tab, err := o.OpenTab(ctx, b, t)
	opened()
	if err != nil {
		return nil, err
	}
	defer tab.Leave()
	if wait := s.BeforeSave; wait != nil && o.Pool != nil && !writesIntoPage(s) {
		s.BeforeSave = func() error {
			tab.Leave()
			giveBack()
			return wait()
		}
	}
	if o.Ready != nil {
		if err := o.Ready(ctx, tab); err != nil {
			return nil, err
		}
	}
	defer trace.Start(ctx, trace.LaneCommand, "capture")()
	if s.Store == nil && tab.Store != nil && !s.AllowSecrets {
		s.Store, s.NoPicture = tab.Store, false
	}
	s.Tool, s.Profiles, s.Collect.Known = o.Tool, o.Profiles, tab.Known
	shot, err := session.Take(ctx, tab.Tab, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	if tab.served != nil && o.Remark != nil {
		if lacks := tab.served.Unstyled(); len(lacks) > 0 {
			o.Remark("%s: style sheets are missing or lie outside its folder, which alone is served, such as %s (%d "+
				"in all): "+
				"the page is shown without them", t.Name, text.Quote(text.Cut(text.Line(lacks[0]), 80)), len(lacks))
		}
	}
	r := &Opened{Shot: *shot, Tab: tab.Alias}
	if s.Store != nil {
		r.Where = s.Store.Path()
	}
	return r, nil
}

// OpenCapture is the capture of a target, without a picture.
func (o *Opener) OpenCapture(ctx context.Context, name, action string) (*snapshot.Capture, error) {
	r, err := o.Open(ctx, name, session.Options{NoPicture: true, Action: action})
	if err == nil {
		err = r.NeedPage()
	}
	if err != nil {
		return nil, err
	}
	return r.Capture, nil
}

// Start is the browser that a target needs, started where that has not been done, or lent by the pool; nil for one
// that is found by the tab. leave gives it back, and reports whether the connection to one of the pool was lost.
func (o *Opener) Start(ctx context.Context, t Target) (b *browser.Browser, leave func() (lost bool), err error) {
	nothing := func() bool { return false }
	if t.Kind == PageKind && !o.Keep && o.Pool != nil {
		lent, err := o.Pool.Take(ctx)
		if err != nil {
			return nil, nil, err
		}
		leave = func() bool {
			defer lent.Return()
			return lent.Lost()
		}
		return lent.WithViewport(o.Width, o.Height), leave, nil
	}
	o.starting.Lock()
	defer o.starting.Unlock()
	switch {
	case t.Kind == TabKind:
	case o.Keep:
		err = o.startHost()
	case o.Browser == nil:
		ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
		defer cancel()
		o.Browser, err = o.Launch(ctx)
	}
	return o.Browser, nothing, err
}

// startHost makes the host of tabs where there is none yet; o.starting is locked.
func (o *Opener) startHost() (err error) {
	if o.host == nil {
		o.host, err = o.Host()
	}
	return err
}
