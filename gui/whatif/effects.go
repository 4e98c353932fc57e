package whatif

import (
	"context"
	"fmt"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/whatif"
)

// Pause implements [core.LatestWork].
func (Compare) Pause() time.Duration { return 0 }

// Do implements [core.Work]: it compares a turn by default with the turn under a setup.
func (e Compare) Do(_ context.Context, w *core.Worker) core.Msg {
	m := Compared{Asked: e}
	changed := whatif.Setup{Options: e.Setup.Options(w.Counter.Count), Drop: e.Setup.Selectors()}
	cmp, err := whatif.Compare(e.Turn.Capture, e.Setup.Format, whatif.Setup{}, changed)
	if err != nil {
		m.Problem = core.ProblemOf(fmt.Errorf("this cannot be shown: %w", err))
		return m
	}
	m.Built = &Built{Turn: e.Turn, Setup: e.Setup, Effect: core.NewTextEffect(cmp, w.Counter.Count)}
	m.Built.Effect.Whole = m.Built.Effect.Whole.In(e.Numbers)
	return m
}
