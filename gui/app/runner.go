package app

import (
	"cmp"
	"context"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/tokens"
)

// runner does the work of effects, each in a goroutine of its own, and dispatches
// its result. It owns the goroutines: stop ends and awaits them.
type runner struct {
	engine    Engine
	copyImage func(png []byte) error // nil where the desktop has no way to
	dispatch  func(core.Msg)
	await     func(by int, soon bool) // counts work that a person waits for; nil: nobody does
	giveWay   func(context.Context)
	post      Post
	painted   <-chan struct{} // closed with the window's first picture; nil: nothing waits for it
	log       *slog.Logger

	root context.Context // ends with the window
	end  context.CancelFunc
	work sync.WaitGroup

	// tab is held by whoever uses the browser's tab; a newer effect that replaces a
	// cancelled one waits here until that one has released it.
	tab chan struct{}
	// wanted counts the work that uses the tab, from its start until its answer is taken.
	wanted atomic.Int32
	// counter counts tokens; it builds its tables when it first does.
	counter *tokens.Counter
	// newest are the queues of work of which only the newest matters, by its type. Used on
	// the window's goroutine only.
	newest map[reflect.Type]*queue

	mu    sync.Mutex
	tasks map[int]context.CancelFunc
}

// queue runs work of which only the newest matters, one at a time.
type queue struct {
	newer chan struct{} // closed when newer work than the newest comes
	busy  chan struct{} // held by the one that runs
}

func newRunner(o Options, dispatch func(core.Msg)) *runner {
	root, end := context.WithCancel(context.Background())
	return &runner{engine: o.Engine, copyImage: o.CopyImage, dispatch: dispatch, post: o.Post, log: o.Log,
		painted: o.Painted, root: root, end: end,
		tab: make(chan struct{}, 1), counter: cmp.Or(o.Counter, &tokens.Counter{}), newest: map[reflect.Type]*queue{},
		tasks: map[int]context.CancelFunc{}}
}

// awaitPainted waits for the window's first picture.
func (r *runner) awaitPainted(ctx context.Context) error {
	if r.painted == nil {
		return nil
	}
	select {
	case <-r.painted:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stop cancels everything and waits for it.
func (r *runner) stop() {
	r.end()
	r.work.Wait()
}

// run starts the work of an effect. It reports false for effects that are not
// work but of the window.
func (r *runner) run(e core.Effect) bool {
	switch e := e.(type) {
	case core.Cancel:
		r.cancel(e.Task)
	case core.Work:
		r.start(e)
	default:
		return false
	}
	return true
}

// start does work in a goroutine of its own.
func (r *runner) start(e core.Work) {
	if r.root.Err() != nil { // the window is closed, and nobody waits for the work
		return
	}
	id := 0
	if n, ok := e.(core.Numbered); ok {
		id = n.Number()
	}
	w := &core.Worker{
		Engine: r.engine, Log: r.log, Dispatch: r.dispatch, UseTab: r.useTab, Painted: r.awaitPainted,
		CopyImage: r.copyImage,
		Counter:   r.counter, TabWanted: func() bool { return r.wanted.Load() > 0 }, GiveWay: r.giveWay,
		Progress: func(stage string) { r.dispatch(core.Progressed(id, stage)) },
	}
	do, answered := func(ctx context.Context) core.Msg { return e.Do(ctx, w) }, func() {}
	switch l := e.(type) {
	case core.TabWork:
		r.wanted.Add(1)
		answered = func() { r.post(func() { r.wanted.Add(-1) }) } // comes after the answer, as posts are in order
		do = func(ctx context.Context) core.Msg {
			if done, err := r.useTab(ctx); err == nil { // else the work returns that error at once
				defer done()
			}
			return e.Do(ctx, w)
		}
	case core.LatestWork:
		q := r.newest[reflect.TypeOf(e)]
		if q == nil {
			q = &queue{busy: make(chan struct{}, 1)}
			r.newest[reflect.TypeOf(e)] = q
		} else {
			close(q.newer)
		}
		newer := make(chan struct{})
		q.newer = newer
		do = func(ctx context.Context) core.Msg { return q.run(ctx, newer, l, w) }
	}
	_, soon := e.(core.SoonWork)
	if _, front := e.(core.FrontWork); (front || soon) && r.await != nil {
		r.await(1, soon)
		before := answered
		answered = func() { before(); r.await(-1, soon) }
	}
	r.task(id, do, answered)
}

// run does work, unless newer work comes before its turn does.
func (q *queue) run(ctx context.Context, newer <-chan struct{}, e core.LatestWork, w *core.Worker) core.Msg {
	if wait := e.Pause(); wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
		case <-newer:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
	select {
	case q.busy <- struct{}{}:
		defer func() { <-q.busy }()
	case <-newer:
		return nil
	case <-ctx.Done():
		return nil
	}
	select {
	case <-newer: // both came at once
		return nil
	default:
		return e.Do(ctx, w)
	}
}

// useTab waits until nobody else uses the browser's tab; done releases it.
func (r *runner) useTab(ctx context.Context) (done func(), err error) {
	select {
	case r.tab <- struct{}{}:
		return func() { <-r.tab }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
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
// answer, unless that is nil. Then it calls answered.
func (r *runner) task(id int, work func(ctx context.Context) core.Msg, answered func()) {
	ctx, cancel := context.WithCancel(r.root)
	if id != 0 {
		r.mu.Lock()
		r.tasks[id] = cancel
		r.mu.Unlock()
	}
	r.work.Go(func() {
		defer cancel()
		m := work(ctx)
		if id != 0 {
			r.mu.Lock()
			delete(r.tasks, id)
			r.mu.Unlock()
		}
		if m != nil {
			r.dispatch(m)
		}
		answered()
	})
}
