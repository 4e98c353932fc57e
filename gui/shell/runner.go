package shell

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/disintegration/imaging"

	"github.com/refscope/refscope/gui/state"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/tokens"
)

// Thumbnails are made at twice the size of their cell, in px, for sharp screens.
const (
	thumbWidth  = 248
	thumbHeight = 140
)

// runner does the work of effects, each in a goroutine of its own, and dispatches
// what came of it. It owns the goroutines: stop ends and awaits them.
type runner struct {
	engine   Engine
	dispatch func(state.Msg)
	log      *slog.Logger

	root context.Context // ends with the window
	end  context.CancelFunc
	work sync.WaitGroup

	// tab is held by whoever uses the browser's tab; a newer effect that replaces a
	// cancelled one waits here until that one has let go.
	tab chan struct{}
	// surveys is held by the one survey that reads turns.
	surveys chan struct{}
	// building is held by the one payload that is being built; payloads counts those
	// that were asked for.
	building chan struct{}
	payloads atomic.Int64
	// counter counts tokens; it builds its tables when it first does.
	counter *tokens.Counter

	mu    sync.Mutex
	tasks map[int]context.CancelFunc
}

func newRunner(e Engine, dispatch func(state.Msg), log *slog.Logger) *runner {
	root, end := context.WithCancel(context.Background())
	return &runner{engine: e, dispatch: dispatch, log: log, root: root, end: end,
		tab: make(chan struct{}, 1), surveys: make(chan struct{}, 1), building: make(chan struct{}, 1), counter: &tokens.Counter{}, tasks: map[int]context.CancelFunc{}}
}

// stop cancels everything and waits for it.
func (r *runner) stop() {
	r.end()
	r.work.Wait()
}

// run starts the work of an effect. It reports false for effects that are not
// work but deeds of the window.
func (r *runner) run(e state.Effect) bool {
	switch e := e.(type) {
	case state.OpenSession:
		r.task(e.Task, func(ctx context.Context, _ func(string)) state.Msg {
			s, n, err := r.engine.OpenSession(ctx, e.Name)
			if e.Page != "" && errors.Is(err, ErrNoSession) {
				return state.SessionOpened{Task: e.Task, Page: e.Page}
			}
			return state.SessionOpened{Task: e.Task, Session: s, Turn: n, Other: e.Name != "", Problem: r.problem("session", err)}
		})
	case state.ListSessions:
		r.task(0, func(ctx context.Context, _ func(string)) state.Msg {
			rows, err := r.engine.Sessions(ctx)
			return state.SessionsListed{Rows: rows, Problem: r.problem("sessions", err)}
		})
	case state.FollowSession:
		r.task(e.Watch, func(ctx context.Context, _ func(string)) state.Msg { return r.follow(ctx, e) })
	case state.Compare:
		r.task(e.Task, func(ctx context.Context, _ func(string)) state.Msg { return r.compare(ctx, e) })
	case state.Survey:
		r.task(0, func(ctx context.Context, _ func(string)) state.Msg { r.survey(ctx, e); return nil })
	case state.BuildPayload:
		wanted := r.payloads.Add(1)
		r.task(0, func(ctx context.Context, _ func(string)) state.Msg { return r.payload(ctx, e, wanted) })
	case state.LoadTurn:
		r.task(e.Task, func(ctx context.Context, _ func(string)) state.Msg {
			t, err := r.load(ctx, e.N)
			return state.TurnLoaded{Task: e.Task, N: e.N, Turn: t, Problem: r.problem("turn", err)}
		})
	case state.Launch:
		r.task(e.Task, func(ctx context.Context, progress func(string)) state.Msg {
			b, err := r.engine.Start(ctx, progress)
			return state.BrowserStarted{Task: e.Task, Browser: b, Problem: r.problem("browser", err)}
		})
	case state.Watch:
		r.task(0, func(ctx context.Context, _ func(string)) state.Msg {
			err := r.engine.Wait(ctx)
			if ctx.Err() != nil {
				return nil
			}
			return state.BrowserGone{Problem: r.problem("browser", err)}
		})
	case state.ListTabs:
		r.task(0, func(ctx context.Context, _ func(string)) state.Msg {
			tabs, err := r.engine.Tabs(ctx)
			return state.TabsListed{Tabs: tabs, Open: e.Open, Problem: r.problem("tabs", err)}
		})
	case state.SelectTab:
		r.withTab(e.Task, func(ctx context.Context, _ func(string)) state.Msg {
			t, err := r.engine.SelectTab(ctx, e.ID)
			return r.navigated(ctx, e.Task, t, "", err)
		})
	case state.Navigate:
		r.withTab(e.Task, func(ctx context.Context, progress func(string)) state.Msg {
			t, err := r.engine.Open(ctx, e.Target, progress)
			return r.navigated(ctx, e.Task, t, e.Action, err)
		})
	case state.MoveTo:
		r.withTab(e.Task, func(ctx context.Context, _ func(string)) state.Msg {
			t, err := r.engine.Move(ctx, e.Move)
			return r.navigated(ctx, e.Task, t, string(e.Move), err)
		})
	case state.Capture:
		r.withTab(e.Task, func(ctx context.Context, progress func(string)) state.Msg { return r.capture(ctx, e, progress) })
	case state.Render:
		r.task(0, func(context.Context, func(string)) state.Msg { return render(e.Turn, e.Format) })
	case state.WriteExport:
		r.task(e.Task, func(ctx context.Context, _ func(string)) state.Msg {
			paths, err := export(ctx, e)
			return state.Exported{Task: e.Task, Export: e.Export, Paths: paths, Problem: r.problem("export", err)}
		})
	case state.Cancel:
		r.mu.Lock()
		cancel := r.tasks[e.Task]
		r.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	default:
		return false
	}
	return true
}

// task runs work in a goroutine under a context of its own and dispatches its
// answer, unless that is nil.
func (r *runner) task(id int, work func(ctx context.Context, progress func(string)) state.Msg) {
	ctx, cancel := context.WithCancel(r.root)
	if id != 0 {
		r.mu.Lock()
		r.tasks[id] = cancel
		r.mu.Unlock()
	}
	r.work.Go(func() {
		defer cancel()
		m := work(ctx, func(stage string) { r.dispatch(state.Progressed{Task: id, Stage: stage}) })
		if id != 0 {
			r.mu.Lock()
			delete(r.tasks, id)
			r.mu.Unlock()
		}
		if m != nil {
			r.dispatch(m)
		}
	})
}

// withTab is task for work that needs the tab for itself.
func (r *runner) withTab(id int, work func(ctx context.Context, progress func(string)) state.Msg) {
	r.task(id, func(ctx context.Context, progress func(string)) state.Msg {
		select {
		case r.tab <- struct{}{}:
			defer func() { <-r.tab }()
		case <-ctx.Done(): // work answers with the context's error at once
		}
		return work(ctx, progress)
	})
}

// navigated is the answer of what changed the page or the tab.
func (r *runner) navigated(ctx context.Context, task int, t state.Tab, action string, err error) state.Msg {
	return state.Navigated{Task: task, Tab: t, Action: action, Problem: r.problem("page", err), Tabs: r.tabs(ctx)}
}

// tabs is the present list of tabs, nil where it cannot be had: then the list in
// the window stays as it is.
func (r *runner) tabs(ctx context.Context) []state.Tab {
	tabs, err := r.engine.Tabs(ctx)
	if err != nil {
		r.log.Debug("tabs could not be listed", "error", err)
		return nil
	}
	return tabs
}

func (r *runner) capture(ctx context.Context, e state.Capture, progress func(string)) state.Msg {
	rec, err := r.engine.Capture(ctx, e.Action, progress)
	m := state.Captured{Task: e.Task, Problem: r.problem("capture", err)}
	if err == nil {
		m.Turn, err = prepare(rec)
		m.Problem = r.problem("capture", err)
	}
	m.Tabs = r.tabs(ctx)
	if m.Turn != nil {
		m.Thumb = thumb(m.Turn.Image)
	}
	return m
}

func (r *runner) load(ctx context.Context, n int) (*state.Turn, error) {
	rec, err := r.engine.Load(ctx, n)
	if err != nil {
		return nil, err
	}
	return prepare(rec)
}

// prepare makes a turn ready for the window: decodes, scales, places marks.
func prepare(rec *Recorded) (*state.Turn, error) {
	img, err := picture(rec)
	if err != nil {
		return nil, err
	}
	t := state.NewTurn(rec.N, rec.Action, rec.Capture, rec.PNG, img)
	t.Note, t.Stored, t.Lacks = rec.Note, rec.Stored, rec.Lacks
	return t, nil
}

func picture(rec *Recorded) (*image.RGBA, error) {
	if rec.Image != nil || len(rec.PNG) == 0 {
		return rec.Image, nil
	}
	img, err := overlay.DecodePNG(rec.PNG)
	if err != nil {
		return nil, fmt.Errorf("the picture of turn %d cannot be read: %w", rec.N, err)
	}
	return img, nil
}

func thumb(img *image.RGBA) image.Image {
	if img == nil {
		return nil
	}
	small := imaging.Fill(img, thumbWidth, thumbHeight, imaging.Top, imaging.Box)
	out := image.NewRGBA(small.Bounds()) // Fyne uploads RGBA as it is
	copy(out.Pix, small.Pix)             // a screenshot is opaque, so NRGBA is RGBA
	return out
}

// render makes a text of a turn.
func render(t *state.Turn, f dump.Format) state.Msg {
	d, err := dump.Render(t.Capture, f, dump.Options{})
	if err != nil {
		err = fmt.Errorf("turn %d cannot be written as %s: %w", t.N, f, err)
		return state.Rendered{Turn: t.N, Doc: state.Doc{Format: f, Problem: problem(err)}}
	}
	return state.Rendered{Turn: t.N, Doc: state.NewDoc(t.Capture, d)}
}

// problem logs an error and makes it ready for a person.
func (r *runner) problem(what string, err error) *state.Problem {
	if err != nil && !errors.Is(err, context.Canceled) {
		r.log.Error("problem", "with", what, "error", err)
	}
	return problem(err)
}
