package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"unicode/utf8"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/findings"
	payloadroom "github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/tokens"
)

// The work of looking at what was recorded: following a session, comparing turns,
// what a model receives.

// compare finds what changed since the turn before, and makes that turn ready.
func (r *runner) compare(ctx context.Context, e core.Compare) core.Msg {
	before, err := e.Known, error(nil)
	if before == nil {
		before, err = r.load(ctx, e.From)
	}
	if err != nil {
		p := r.problem("turn before", fmt.Errorf("turn %d cannot be compared with turn %d: %w", e.Turn.N, e.From, err))
		return core.Compared{Task: e.Task, Changes: &core.Changes{N: e.Turn.N, Problem: p}}
	}
	r.dispatch(core.Compared{Task: e.Task, Before: before, Changes: core.NewChanges(before, e.Turn)})
	return findings.Compare(ctx, e.Session, e.Turn.N, before.Capture, e.Turn.Capture, r.log)
}

// payload makes what a model receives, or takes what was stored. One that was asked for
// before the last one, wanted, is not made: nobody waits for it any more.
func (r *runner) payload(ctx context.Context, e payloadroom.Build, wanted int64) core.Msg {
	select {
	case r.building <- struct{}{}:
		defer func() { <-r.building }()
	case <-ctx.Done():
		return nil
	}
	if r.payloads.Load() != wanted {
		return nil
	}
	m := payloadroom.Ready{N: e.Turn.N, Choice: e.Choice}
	if i := e.Choice.Stored; i > 0 {
		if i > len(e.Turn.Stored) {
			m.Problem = core.ProblemOf(fmt.Errorf("turn %d has no stored payload %d", e.Turn.N, i))
			return m
		}
		m.Built = storedBody(e.Choice, e.Turn.Stored[i-1])
		return m
	}
	p, err := payloadOf(e.Turn, e.Choice, r.counter)
	if err != nil {
		if errors.Is(err, files.ErrNoPicture) {
			err = &core.Hinted{Err: err, Hint: "Choose another mode."}
		}
		m.Problem = r.problem("payload", fmt.Errorf("building the %s payload of turn %d: %w", e.Choice.Dialect, e.Turn.N, err))
		return m
	}
	b := core.Built{Choice: e.Choice, Body: p.Body, Media: "application/json", SHA256: p.SHA256, Trimmed: p.Trimmed}
	for _, s := range p.Sections {
		b.Sections = append(b.Sections, core.Section{Name: s.Name, Start: s.Start, End: s.End, Chars: s.Chars, Tokens: s.Tokens, How: s.TokensHow})
	}
	for _, x := range p.Redacted {
		b.Redacted = append(b.Redacted, core.Redaction{Start: x.Start, End: x.End, Why: x.Why})
	}
	m.Built = core.NewBuilt(b)
	return m
}

// storedBody makes a stored payload ready. It has one section, for nobody knows what
// its parts are but the one who sent it.
func storedBody(c core.PayloadChoice, p core.Stored) *core.Built {
	sum := sha256.Sum256(p.Bytes)
	text := string(p.Bytes)
	whole := core.Section{Name: "body", End: len(p.Bytes), Chars: utf8.RuneCountInString(text), Tokens: tokens.Quarter(text), How: payload.HowEstimated}
	return core.NewBuilt(core.Built{
		Choice: c, Body: p.Bytes, Media: p.Media, SHA256: hex.EncodeToString(sum[:]), Sections: []core.Section{whole}, Redacted: p.Redacted,
	})
}
