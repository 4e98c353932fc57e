package findings

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
)

// Do implements [core.Work].
func (e RunAudit) Do(ctx context.Context, w *core.Worker) core.Msg {
	m := Audited{Turn: e.Turn, Personal: e.Personal}
	o := audit.Options{Personal: e.Personal, PerRule: -1, Texts: auditTexts(e.Turn)}
	var err error
	if m.Report, err = audit.Run(e.Turn.Capture, o); err != nil {
		m.Problem = w.Problem("audit", fmt.Errorf("turn %d cannot be audited: %w", e.Turn.N, err))
		return m
	}
	if e.From == 0 {
		return m
	}
	var before *snapshot.Capture
	if e.Known != nil && e.Known.N == e.From {
		before = e.Known.Capture
	} else if rec, err := w.Engine.Load(ctx, e.From); err == nil {
		before = rec.Capture
	} else {
		w.Log.Debug("no audit of the turn before", "turn", e.From, "error", err)
		return m
	}
	if old, err := audit.Run(before, audit.Options{Personal: e.Personal, PerRule: -1}); err == nil {
		m.Changes, m.From = audit.Diff(old, m.Report), e.From
	}
	return m
}

// auditTexts are the stored payloads, which are searched for secrets too.
func auditTexts(t *core.Turn) []audit.Text {
	var list []audit.Text
	for i, p := range t.Stored {
		list = append(list, audit.Text{Name: fmt.Sprintf("%s %s %d", p.Dialect, p.Way, i+1), Text: string(p.Bytes)})
	}
	return list
}
