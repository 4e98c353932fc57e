package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/refscope/refscope/capture/agent/ask"
	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/snapshot/turn"
)

// Variants implements [replays.Engine].
func (l *Live) Variants(ctx context.Context, n int) (replays.Found, error) {
	var out replays.Found
	store := l.inUse()
	if store == nil {
		return out, nil
	}
	list, _, err := store.List(ctx) // what is damaged is no variant
	if err != nil {
		return out, fmt.Errorf("listing the turns: %w", err)
	}
	for _, s := range list {
		if of := ask.VariantOf(s.Action); s.N == n && of > 0 {
			n = of // the other answers to the same question
		}
	}
	for _, s := range list {
		if ask.VariantOf(s.Action) != n {
			continue
		}
		rec, err := store.Load(ctx, s.N)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		var kept ask.Variant
		if err != nil || json.Unmarshal(rec.Exchange, &kept) != nil {
			l.opt.Log.Debug("a variant cannot be read", "turn", s.N, "error", err)
			continue
		}
		out.Variants = append(out.Variants, l.variant(rec, &kept))
	}
	if len(out.Variants) == 0 {
		return out, nil
	}
	rec, err := store.Load(ctx, n)
	if err != nil {
		return out, fmt.Errorf("reading turn %d: %w", n, err)
	}
	if r, err := files.NewDoctor(nil).Examine(rec); err == nil && r != nil {
		for _, t := range r.Targets {
			if t.ElementRef > 0 {
				out.Recorded = t.ElementRef
				break
			}
		}
	}
	return out, nil
}

func (l *Live) variant(rec *turn.Record, kept *ask.Variant) replays.Variant {
	v := replays.Variant{N: rec.N, Name: kept.Asked.Variant, Model: kept.Model, Status: kept.Status, Error: kept.Error,
		Ms: kept.Ended, Answer: kept.Answer, Changes: kept.Asked.Changes}
	report, err := files.NewDoctor(nil).Examine(rec)
	if err != nil {
		l.opt.Log.Debug("the request of a variant cannot be read", "turn", rec.N, "error", err)
	}
	v.Report = report
	return v
}
