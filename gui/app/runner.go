package app

import (
	"context"
	"fmt"
	"image"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/tokens"
)

// runner does the work of effects, each in a goroutine of its own, and dispatches
// what came of it. It owns the goroutines: stop ends and awaits them.
type runner struct {
	engine   Engine
	outlet   outlet
	dispatch func(core.Msg)
	log      *slog.Logger

	root context.Context // ends with the window
	end  context.CancelFunc
	work sync.WaitGroup

	// tab is held by whoever uses the browser's tab; a newer effect that replaces a
	// cancelled one waits here until that one has let go.
	tab chan struct{}
	// surveys are the turns whose rows wait for what they show; see [surveys].
	surveys surveys
	// building is held by the one payload that is being built; payloads counts those
	// that were asked for.
	building chan struct{}
	payloads atomic.Int64
	// checks are those of profiles, whatIfs those of the side What-if.
	checks, whatIfs latest
	// drafts counts the drafts of steps that were to be checked; every is how far two
	// looks at a page that is watched are apart.
	drafts atomic.Int64
	every  time.Duration
	// explaining is held by the one element that is being explained; whys counts those
	// that were asked about.
	explaining chan struct{}
	whys       atomic.Int64
	// finding is held by the one search of a text; finds counts those that were asked for.
	finding chan struct{}
	finds   atomic.Int64
	// counter counts tokens; it builds its tables when it first does.
	counter *tokens.Counter

	mu    sync.Mutex
	tasks map[int]context.CancelFunc
}

func newRunner(e Engine, dispatch func(core.Msg), log *slog.Logger) *runner {
	root, end := context.WithCancel(context.Background())
	return &runner{engine: e, outlet: outlet{session: e}, dispatch: dispatch, every: liveEvery, log: log, root: root, end: end,
		tab: make(chan struct{}, 1), building: make(chan struct{}, 1), explaining: make(chan struct{}, 1), finding: make(chan struct{}, 1), counter: &tokens.Counter{}, tasks: map[int]context.CancelFunc{}}
}

// stop cancels everything and waits for it.
func (r *runner) stop() {
	r.end()
	r.work.Wait()
}

// run starts the work of an effect. It reports false for effects that are not
// work but deeds of the window.
func (r *runner) run(e core.Effect) bool {
	if e, ok := e.(core.Cancel); ok {
		r.cancel(e.Task)
		return true
	}
	if e, ok := e.(core.Work); ok {
		r.start(e)
		return true
	}
	for _, work := range []func(core.Effect) bool{
		r.timelineWork,
		r.turnWork,
		r.profileWork,
		r.whatIfWork,
		r.whyWork,
		r.auditWork,
		r.stepsWork,
	} {
		if work(e) {
			return true
		}
	}
	return false
}

// start does work in a goroutine of its own.
func (r *runner) start(e core.Work) {
	begin := r.task
	if _, ok := e.(core.TabWork); ok {
		begin = r.withTab
	}
	begin(e.Number(), func(ctx context.Context, progress func(string)) core.Msg { return e.Do(ctx, r.worker(progress)) })
}

// engines are all interfaces of rooms to the outside together.
type engines struct {
	Engine
	outlet
}

// worker is what work gets from this window.
func (r *runner) worker(progress func(string)) *core.Worker {
	return &core.Worker{Engine: engines{r.engine, r.outlet}, Log: r.log, Dispatch: r.dispatch, Progress: progress, Ready: prepare, Thumb: thumb}
}

// tabs is the present list of tabs, nil where it cannot be had.
func (r *runner) tabs(ctx context.Context) []core.Tab { return r.worker(nil).Tabs(ctx) }

// load reads a turn and makes it ready.
func (r *runner) load(ctx context.Context, n int) (*core.Turn, error) {
	rec, err := r.engine.Load(ctx, n)
	if err != nil {
		return nil, err
	}
	return prepare(rec)
}

// withTab is task for work that needs the tab for itself.
func (r *runner) withTab(id int, work func(ctx context.Context, progress func(string)) core.Msg) {
	r.task(id, func(ctx context.Context, progress func(string)) core.Msg {
		select {
		case r.tab <- struct{}{}:
			defer func() { <-r.tab }()
		case <-ctx.Done(): // work answers with the context's error at once
		}
		return work(ctx, progress)
	})
}

// cancel ends the context of a task.
func (r *runner) cancel(task int) {
	r.mu.Lock()
	cancel := r.tasks[task]
	r.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// task runs work in a goroutine under a context of its own and dispatches its
// answer, unless that is nil.
func (r *runner) task(id int, work func(ctx context.Context, progress func(string)) core.Msg) {
	ctx, cancel := context.WithCancel(r.root)
	if id != 0 {
		r.mu.Lock()
		r.tasks[id] = cancel
		r.mu.Unlock()
	}
	r.work.Go(func() {
		defer cancel()
		m := work(ctx, func(stage string) { r.dispatch(core.Progressed{Task: id, Stage: stage}) })
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

// problem logs an error and makes it ready for a person.
func (r *runner) problem(what string, err error) *core.Problem {
	return r.worker(nil).Problem(what, err)
}

// prepare makes a turn ready for the window: decodes, scales, places marks.
func prepare(rec *Recorded) (*core.Turn, error) {
	img, err := decoded(rec)
	if err != nil {
		return nil, err
	}
	t := core.NewTurn(rec.N, rec.Action, rec.Capture, rec.PNG, img)
	t.Note, t.Stored, t.Lacks, t.Profile, t.Tool = rec.Note, rec.Stored, rec.Lacks, rec.Profile, rec.Tool
	t.Activity = core.NewTurnActivity(rec.Capture, rec.Steps, rec.Answer)
	t.Steps, t.Answer, t.AnswerOK = steps.StepsText(rec.Steps), steps.NewAnswer(rec.Answer), answerOK(rec.Answer)
	return t, nil
}

func decoded(rec *Recorded) (*image.RGBA, error) {
	if rec.Image != nil || len(rec.PNG) == 0 {
		return rec.Image, nil
	}
	img, err := overlay.DecodePNG(rec.PNG)
	if err != nil {
		return nil, fmt.Errorf("the picture of turn %d cannot be read: %w", rec.N, err)
	}
	return img, nil
}
