package app

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

// tabWork uses the tab and answers with nothing that changes the state.
type tabWork struct{ begun, end chan struct{} }

func (tabWork) UsesTab() {}

func (e tabWork) Do(context.Context, *core.Worker) core.Msg {
	close(e.begun)
	<-e.end
	return core.Progressed(0, "")
}

// The tab is wanted from the start of work until its answer was taken, which may start more: what watches the page
// leaves it alone in between.
func TestTabWanted(t *testing.T) {
	var order []string
	posted := make(chan func(), 4)
	r := newRunner(Options{Post: func(f func()) { posted <- f }, Log: slog.New(slog.DiscardHandler)}, func(core.Msg) {
		posted <- func() { order = append(order, "answer taken") }
	})
	defer r.stop()
	require.Zero(t, r.wanted.Load())
	w := tabWork{make(chan struct{}), make(chan struct{})}
	require.True(t, r.run(w))
	require.EqualValues(t, 1, r.wanted.Load(), "before it has the tab")
	<-w.begun
	close(w.end)
	(<-posted)()
	require.Equal(t, []string{"answer taken"}, order)
	require.EqualValues(t, 1, r.wanted.Load(), "until the answer is taken")
	(<-posted)()
	require.Zero(t, r.wanted.Load())
}

// unpainted is an engine that notes a start before the window's first picture.
type unpainted struct {
	*fake
	painted chan struct{}
	early   atomic.Bool
}

func (u *unpainted) Start(ctx context.Context, progress func(string)) (core.Browser, error) {
	select {
	case <-u.painted:
	default:
		u.early.Store(true)
	}
	return u.fake.Start(ctx, progress)
}

// Chrome is started once the window has its first picture; the session is opened before. A window that is closed before
// its picture waits for nothing.
func TestChromeWaitsForTheFirstPicture(t *testing.T) {
	u := &unpainted{fake: newFake(), painted: make(chan struct{})}
	b := open(t, u.fake, func(o *Options) { o.Engine, o.Painted = u, u.painted })
	b.await("the session", func(s core.State) bool { return s.Session.Phase == core.PhaseReady })
	require.Equal(t, core.PhaseStarting, b.shell.State().Browser.Phase)
	close(u.painted)
	b.await("Chrome", func(s core.State) bool { return s.Browser.Phase == core.PhaseReady })
	require.False(t, u.early.Load())

	closed := open(t, newFake(), func(o *Options) { o.Painted = make(chan struct{}) })
	closed.await("the session", func(s core.State) bool { return s.Session.Phase == core.PhaseReady })
	closed.shell.Close()
	require.Error(t, closed.shell.runner.root.Err())
}
