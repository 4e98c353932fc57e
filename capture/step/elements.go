package step

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

// Elements are found by package element, which also keeps their numbers.
type (
	target  = element.Target
	careful = element.StrictTarget
	found   = element.Found
	text    = element.Text
)

// targetOf reads a target that is written as one string or number.
func targetOf(s string) target { return element.ParseTarget(s) }

// simple reads parameters that are just a target as a string or number; false for other shapes.
func simple(raw json.RawMessage) (target, bool) {
	switch shape(raw) {
	case "string":
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return targetOf(s), true
		}
	case "number":
		return targetOf(string(bytes.TrimSpace(raw))), true
	}
	return target{}, false
}

// find gives the element that is meant in the present frame; what is not there is waited for.
func (r *Runner) find(ctx context.Context, t *target) (*found, error) {
	here := *t
	here.InFrame = r.frame
	return r.elements.Find(ctx, &here)
}

// findNow is find without waiting.
func (r *Runner) findNow(ctx context.Context, t *target) (*found, error) {
	here := *t
	here.InFrame = r.frame
	return r.elements.FindNow(ctx, &here)
}

// spell writes a ref as snapshots do, s3e12, for the agent; "" for an element without a number.
func (r *Runner) spell(ref int) string { return r.elements.Spell(ref) }

// shown is the capture whose viewport snapshot the agent had last, nil where it has had none of this document:
// what stays in place and reads the same need not be sent again (C-23, section 19.6).
func (r *Runner) shown(ctx context.Context, now *snapshot.Capture) *snapshot.Capture {
	rec := r.elements.LastTurn(ctx)
	if rec == nil || len(rec.Capture.Frames) == 0 || len(now.Frames) == 0 || rec.Capture.Frames[0].Loader != now.Frames[0].Loader {
		return nil
	}
	for _, p := range rec.Payloads {
		if p.Dialect == "cdp-skill" && p.Way == turn.Answer {
			return rec.Capture
		}
	}
	return nil
}
