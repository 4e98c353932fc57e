package app

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/treemap"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokenmap"
)

// auditWork starts the work of judging a turn.
func (r *runner) auditWork(e core.Effect) bool {
	switch e := e.(type) {
	case findings.RunAudit:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg { return r.audit(ctx, e) })
	case picture.MapCosts:
		r.task(0, func(context.Context, func(string)) core.Msg {
			m := picture.CostsMapped{Turn: e.Turn, Format: e.Format}
			var err error
			m.Picture, m.Tokens, err = r.costs(e.Turn, e.Format)
			m.Problem = r.problem("token map", err)
			return m
		})
	default:
		return false
	}
	return true
}

// audit judges a turn, and says what is new since the turn before.
func (r *runner) audit(ctx context.Context, e findings.RunAudit) core.Msg {
	m := findings.Audited{Turn: e.Turn, Personal: e.Personal}
	o := audit.Options{Personal: e.Personal, PerRule: -1, Texts: auditTexts(e.Turn)}
	var err error
	if m.Report, err = audit.Run(e.Turn.Capture, o); err != nil {
		m.Problem = r.problem("audit", fmt.Errorf("turn %d cannot be audited: %w", e.Turn.N, err))
		return m
	}
	if before := r.captureBefore(ctx, e); before != nil {
		if old, err := audit.Run(before, audit.Options{Personal: e.Personal, PerRule: -1}); err == nil {
			m.Changes, m.From = audit.Diff(old, m.Report), e.From
		}
	}
	return m
}

// maxFindings is how many elements a page may have for its findings to be compared for
// the list of turns; the Audit side has no such limit.
const maxFindings = 20_000

// findings compares the findings of two turns of one page; nil where there is nothing to
// say, as after going to another page.
func (r *runner) findings(ctx context.Context, session, n int, before, after *snapshot.Capture) core.Msg {
	if ctx.Err() != nil || before.URL != after.URL || len(after.Nodes) > maxFindings {
		return nil
	}
	var reports [2]*audit.Report
	for i, c := range []*snapshot.Capture{before, after} {
		var err error
		if reports[i], err = audit.Run(c, audit.Options{PerRule: -1}); err != nil {
			r.log.Debug("no findings", "turn", n, "error", err)
			return nil
		}
	}
	return core.FindingsCompared{Session: session, N: n, FindingChange: core.CountFindings(audit.Diff(reports[0], reports[1]))}
}

// captureBefore is the capture that the findings are compared with, nil for none.
func (r *runner) captureBefore(ctx context.Context, e findings.RunAudit) *snapshot.Capture {
	if e.From == 0 {
		return nil
	}
	if e.Known != nil && e.Known.N == e.From {
		return e.Known.Capture
	}
	rec, err := r.engine.Load(ctx, e.From)
	if err != nil {
		r.log.Debug("no audit of the turn before", "turn", e.From, "error", err)
		return nil
	}
	return rec.Capture
}

// auditTexts are the stored payloads, which are searched for secrets too.
func auditTexts(t *core.Turn) []audit.Text {
	var list []audit.Text
	for i, p := range t.Stored {
		list = append(list, audit.Text{Name: fmt.Sprintf("%s %s %d", p.Dialect, p.Way, i+1), Text: string(p.Bytes)})
	}
	return list
}

// costs draws what the text of a turn costs on its picture.
func (r *runner) costs(t *core.Turn, f dump.Format) (*overlay.Pyramid, int, error) {
	d, err := format.Render(t.Capture, f, format.Options{})
	if err != nil {
		return nil, 0, fmt.Errorf("the token map of turn %d cannot be drawn: %w", t.N, err)
	}
	m := tokenmap.Build(t.Capture, d, r.counter)
	drawn, err := treemap.New(t.Capture, m, t.Image.Bounds().Size())
	if err != nil {
		return nil, 0, fmt.Errorf("the token map of turn %d cannot be drawn: %w", t.N, err)
	}
	return overlay.NewPyramid(drawn.Draw(t.Image)), m.Whole.Tokens, nil
}
