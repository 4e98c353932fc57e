package findings

import (
	"context"
	"fmt"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/audit"
)

// Do implements [core.Work]. The findings come at once, and again with how they differ from those
// of the turn before.
func (e RunAudit) Do(ctx context.Context, w *core.Worker) core.Msg {
	m := Audited{Asked: e}
	m.Asked.From = 0
	var err error
	if m.Report, err = e.audit(e.Turn, e.Turn.Texts()); err != nil {
		m.Problem = w.Problem("audit", fmt.Errorf("turn %d cannot be audited: %w", e.Turn.N, err))
		return m
	}
	if e.From == 0 || ctx.Err() != nil || e.Turn.Pageless() {
		return m
	}
	w.Dispatch(m)
	before := e.Known
	if before == nil || before.N != e.From {
		rec, err := w.Engine.Load(ctx, e.From)
		if err != nil {
			w.Log.Debug("no audit of the turn before", "turn", e.From, "error", err)
			return nil
		}
		before = core.NewTurn(rec.N, rec.Action, rec.Capture, nil, nil)
		before.Recorded = *rec
	}
	if before.Pageless() { // nothing is known of what appeared
		return nil
	}
	if old, err := e.audit(before, before.Texts()); err == nil {
		m.Changes, m.Asked.From = audit.Diff(old, m.Report), e.From
	}
	return m
}

// Pause implements [core.LatestWork]: who goes through turns with J and K does not wait for it.
func (AuditAhead) Pause() time.Duration { return 150 * time.Millisecond }

// audit audits a turn, and searches texts for secrets too.
func (e RunAudit) audit(t *core.Turn, texts []audit.Text) (*audit.Report, error) {
	if !e.Personal && len(texts) == 0 {
		return t.Audit()
	}
	return audit.Run(t.Capture, audit.Options{Personal: e.Personal, PerRule: -1, Texts: texts})
}
