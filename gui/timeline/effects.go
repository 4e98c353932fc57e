package timeline

import (
	"context"
	"time"

	"github.com/refscope/refscope/gui/core"
)

// Scanned turns are reported in groups: each costs the window a copy of its
// list.
const (
	scanGroup = 40
	scanEvery = 250 * time.Millisecond
)

// Number implements [core.Numbered].
func (e scanTurns) Number() int { return e.Watch }

// Do implements [core.Work].
func (e scanTurns) Do(ctx context.Context, w *core.Worker) core.Msg {
	var rows []scannedTurn
	var last *core.Recorded // turns come in order mostly, so one serves as the one before the next
	told := time.Now()
	for i, ask := range e.Turns {
		rec, err := w.Engine.Load(ctx, ask.N)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			row := scannedTurn{N: ask.N}
			if ask.From > 0 && (last == nil || last.N != ask.From) {
				if last, err = w.Engine.Load(ctx, ask.From); err != nil {
					last = nil
				}
			}
			if ask.From == 0 {
				last = nil
			} else if last != nil {
				row.Change = rec.ChangeSince(last)
			}
			row.Errors = rec.ErrorsSince(last)
			if row.Wrong, err = rec.Wrong(); err != nil {
				w.Log.Debug("no findings", "turn", ask.N, "error", err)
			}
			rows, last = append(rows, row), rec
		}
		left := len(e.Turns) - i - 1
		if left == 0 || len(rows) >= scanGroup || time.Since(told) > scanEvery {
			w.Dispatch(turnsScanned(e.Session, left, rows))
			rows, told = nil, time.Now()
		}
	}
	return nil
}
