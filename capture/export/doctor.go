package export

import (
	"context"
	"fmt"
	"image"
	"slices"

	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// NewDoctor makes a doctor that knows the vendors' rules for pictures and counts tokens; a nil
// counter estimates them.
func NewDoctor(counter *tokens.Counter) *doctor.Doctor {
	o := doctor.Options{Fit: func(model, detail string, width, height int) (int, int, int) {
		m, known := vision.Lookup(model)
		if !known { // the rules that fit all models are not those of this one
			return width, height, 0
		}
		size := image.Pt(width, height)
		d, err := vision.ParseDetail(detail)
		if err != nil || !m.Takes(d) { // a word that the vendor refuses, or takes for auto
			d = vision.Auto
		}
		seen := m.Fit(size, d)
		return seen.X, seen.Y, m.Tokens(size, d).Tokens
	}}
	if counter != nil {
		o.Count = counter.Count
	}
	return doctor.New(o)
}

// lead is how many turns just before the wanted ones are read, for what they have to do with them.
const lead = 8

// Examined is a turn with the report of the request to a model that it holds, or with why that could not be read.
type Examined struct {
	N      int
	Record *turn.Record // nil where it could not be read
	Report *doctor.Report
	Err    error
}

// Examine examines turns of a session in their order, all of them where none are named, and calls each with each that
// holds a request to a model.
func Examine(ctx context.Context, store *turn.Store, counter *tokens.Counter, turns []int,
	each func(Examined) error) error {
	list, err := store.Numbers()
	if err != nil {
		return fmt.Errorf("listing the turns: %w", err)
	}
	asked := map[int]bool{}
	for _, n := range turns {
		if !slices.Contains(list, n) {
			_, err := store.Load(ctx, n)
			return err
		}
		asked[n] = true
	}
	d := NewDoctor(counter)
	given := map[int]bool{}
	for i, n := range list {
		if asked[n] && i > 0 && !asked[list[i-1]] {
			givenBefore(ctx, store, list[:i], given)
		}
	}
	for i, n := range list {
		wanted := len(turns) == 0 || asked[n]
		near := slices.ContainsFunc(list[i:min(len(list), i+lead+1)], func(n int) bool { return asked[n] })
		if !wanted && !near && !given[n] {
			continue
		}
		rec, err := store.Load(ctx, n)
		var r *doctor.Report
		if !wanted {
			if err == nil {
				_ = d.Pass(rec) // what cannot be read has nothing to do with those after it
			}
			continue
		}
		if err == nil {
			r, err = d.Examine(rec)
		}
		if err == nil && r == nil {
			continue
		}
		if err := each(Examined{n, rec, r, err}); err != nil {
			return err
		}
	}
	return nil
}

// givenBefore notes which turns a call of a tool rests on: those in which its server listed the page, as many as are
// remembered. A request to a model holds what it rests on.
func givenBefore(ctx context.Context, store *turn.Store, before []int, given map[int]bool) {
	texts, left := store.TextReader(), observation.MaxGiven
	for _, n := range slices.Backward(before) {
		_, parts, err := texts.Parts(ctx, n)
		if err != nil {
			continue // what cannot be read has nothing to do with those after it
		}
		rec := &turn.Record{N: n, Capture: &snapshot.Capture{}}
		for _, p := range parts {
			if content, err := texts.Payload(p); err == nil && p.Dialect == wire.MCP {
				rec.Payloads = append(rec.Payloads, turn.Payload{Dialect: p.Dialect, Way: p.Way, Bytes: content})
			}
		}
		if len(rec.Payloads) == 0 && len(parts) > 0 {
			return
		}
		r, err := doctor.New(doctor.Options{TargetsOnly: true}).Examine(rec)
		if err != nil || r == nil || len(r.Texts) == 0 {
			continue
		}
		given[n] = true
		if left--; left == 0 {
			return
		}
	}
}
