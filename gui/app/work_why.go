package app

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/snapshot/why"
)

// whyWork starts the work that is about single elements of a turn.
func (r *runner) whyWork(e core.Effect) bool {
	switch e := e.(type) {
	case details.Explain:
		wanted := r.whys.Add(1)
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg { return r.explain(ctx, e, wanted) })
	case find.Find:
		wanted := r.finds.Add(1)
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg { return r.find(ctx, e, wanted) })
	default:
		return false
	}
	return true
}

// find looks through a text; only what was asked last is worth the work.
func (r *runner) find(ctx context.Context, e find.Find, wanted int64) core.Msg {
	select {
	case r.finding <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	defer func() { <-r.finding }()
	if r.finds.Load() != wanted {
		return nil
	}
	found, err := find.Search(ctx, e)
	return find.Searched{Seq: e.Seq, Found: found, Problem: core.ProblemOf(err)}
}

// explain answers why an element is, or is not, in what the agent read. Only the newest
// question is worth the work: while one is answered, those before the newest are dropped.
func (r *runner) explain(ctx context.Context, e details.Explain, wanted int64) core.Msg {
	select {
	case r.explaining <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	defer func() { <-r.explaining }()
	if r.whys.Load() != wanted {
		return nil
	}
	x, err := e.Turn.Explainer.Explain(e.Node)
	if err != nil {
		err = fmt.Errorf("element %d of turn %d cannot be explained: %w", e.Node, e.Turn.N, err)
		return details.Explained{Turn: e.Turn, Node: e.Node, Problem: r.problem("why", err)}
	}
	if e.Ref > 0 {
		book, err := r.engine.Ledger(ctx)
		if err != nil { // the rest of the answer stands without it
			r.log.Warn("the ledger cannot be read", "error", err)
		} else if book != nil {
			x.History = why.History(book, e.Ref)
		}
	}
	n := e.Turn.Capture.Node(e.Node)
	return details.Explained{Turn: e.Turn, Node: e.Node, Answer: &details.Answer{Explanation: x, XPath: details.XPath(e.Turn.Capture, n)}}
}
