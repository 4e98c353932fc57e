package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/tokens"
)

// runner does the work of effects, each in a goroutine of its own, and dispatches
// what came of it. It owns the goroutines: stop ends and awaits them.
type runner struct {
	engine   Engine
	dispatch func(core.Msg)
	log      *slog.Logger
	// copyImage puts a PNG on the clipboard; nil where there is no way to.
	copyImage func(png []byte) error

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
	return &runner{engine: e, dispatch: dispatch, every: liveEvery, log: log, root: root, end: end,
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
	for _, work := range []func(core.Effect) bool{
		r.timelineWork,
		r.sessionWork,
		r.turnWork,
		r.browserWork,
		r.exportWork,
		r.profileWork,
		r.whatIfWork,
		r.whyWork,
		r.auditWork,
		r.stepsWork,
		r.agentsWork,
	} {
		if work(e) {
			return true
		}
	}
	return false
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

// ProblemOf logs an error and makes it ready for a person.
func (r *runner) problem(what string, err error) *core.Problem {
	if err != nil && !errors.Is(err, context.Canceled) {
		r.log.Error("problem", "with", what, "error", err)
	}
	return core.ProblemOf(err)
}
