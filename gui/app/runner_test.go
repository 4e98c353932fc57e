package app

import (
	"context"
	"log/slog"
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
	return core.Progressed{}
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
