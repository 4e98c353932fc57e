package app

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/costs"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/treemap"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokenmap"
)

// auditWork starts the work of judging a turn.
func (r *runner) auditWork(e core.Effect) bool {
	switch e := e.(type) {
	case findings.RunAudit:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg { return findings.Run(ctx, e, r.log, r.captureOf) })
	case costs.Map:
		r.task(0, func(context.Context, func(string)) core.Msg { return e.Do(r.counter) })
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

// captureOf is that of turn n.
func (r *runner) captureOf(ctx context.Context, n int) (*snapshot.Capture, error) {
	rec, err := r.engine.Load(ctx, n)
	if err != nil {
		return nil, err
	}
	return rec.Capture, nil
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
