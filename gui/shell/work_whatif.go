package shell

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/state"
	"github.com/refscope/refscope/snapshot/whatif"
)

// whatIfWork starts the work of the side What-if.
func (r *runner) whatIfWork(e state.Effect) bool {
	c, ok := e.(state.CompareWhatIf)
	if !ok {
		return false
	}
	number := r.whatIfs.ask()
	r.task(0, func(ctx context.Context, _ func(string)) state.Msg {
		return r.whatIfs.run(ctx, number, func() state.Msg { return whatIf(c, r.counter.Count) })
	})
	return true
}

// whatIf compares a turn by default with the turn under a setup.
func whatIf(e state.CompareWhatIf, count func(string) int) state.Msg {
	m := state.WhatIfCompared{Turn: e.Turn, Setup: e.Setup}
	cmp, err := whatif.Compare(e.Turn.Capture, e.Setup.Format, whatif.Setup{}, whatif.Setup{Options: e.Setup.Options(count), Drop: e.Setup.Selectors()})
	if err != nil {
		m.Problem = problem(fmt.Errorf("this cannot be shown: %w", err))
		return m
	}
	m.Built = &state.WhatIfBuilt{Turn: e.Turn, Setup: e.Setup}
	m.Built.Differ, m.Built.Whole = state.NewComparedTexts(cmp, count)
	return m
}
