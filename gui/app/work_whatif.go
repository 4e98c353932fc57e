package app

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/core"
	whatifroom "github.com/refscope/refscope/gui/whatif"
	"github.com/refscope/refscope/snapshot/whatif"
)

// whatIfWork starts the work of the side What-if.
func (r *runner) whatIfWork(e core.Effect) bool {
	c, ok := e.(whatifroom.Compare)
	if !ok {
		return false
	}
	number := r.whatIfs.ask()
	r.task(0, func(ctx context.Context, _ func(string)) core.Msg {
		return r.whatIfs.run(ctx, number, func() core.Msg { return whatIf(c, r.counter.Count) })
	})
	return true
}

// whatIf compares a turn by default with the turn under a setup.
func whatIf(e whatifroom.Compare, count func(string) int) core.Msg {
	m := whatifroom.Compared{Turn: e.Turn, Setup: e.Setup}
	cmp, err := whatif.Compare(e.Turn.Capture, e.Setup.Format, whatif.Setup{}, whatif.Setup{Options: e.Setup.Options(count), Drop: e.Setup.Selectors()})
	if err != nil {
		m.Problem = core.ProblemOf(fmt.Errorf("this cannot be shown: %w", err))
		return m
	}
	m.Built = &whatifroom.Built{Turn: e.Turn, Setup: e.Setup}
	m.Built.Effect = core.NewTextEffect(cmp, count)
	return m
}
