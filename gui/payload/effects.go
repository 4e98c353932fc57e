package payload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
)

// Pause implements [core.LatestWork].
func (Build) Pause() time.Duration { return 0 }

// Do implements [core.Work]: it makes what a model receives, or takes what was stored.
func (e Build) Do(_ context.Context, w *core.Worker) core.Msg {
	m := Ready{Asked: e}
	if i := e.Choice.Stored; i > 0 {
		if i > len(e.Turn.Payloads) {
			m.Problem = core.ProblemOf(fmt.Errorf("turn %d has no stored payload %d", e.Turn.N, i))
			return m
		}
		m.Built = storedBody(e.Choice, e.Turn.Payloads[i-1], e.Request)
		return m
	}
	p, err := Exact(e.Turn, e.Choice, w.Counter)
	if err != nil {
		if errors.Is(err, files.ErrNoPicture) {
			err = &core.Hinted{Err: err, Hint: "Choose another mode."}
		}
		m.Problem = w.Problem("payload", err)
		return m
	}
	b := core.Built{Choice: e.Choice, Body: p.Body, SHA256: p.SHA256, Trimmed: p.Trimmed,
		Sections: p.Sections}
	for _, x := range p.Redacted {
		b.Redacted = append(b.Redacted, redact.Span{Start: x.Start, End: x.End, Why: x.Why})
	}
	m.Built = core.NewBuilt(b)
	return m
}

// Exact is the exact body that a model receives for the turn. counter counts the tokens of
// its sections, nil estimates them; the body is the same.
func Exact(t *core.Turn, c core.PayloadChoice, counter *tokens.Counter) (*payload.Payload, error) {
	p, err := files.Payload(c.Dialect, payload.Input{
		Turn: t.N, Capture: t.Capture, Picture: t.Picture, Mode: c.Mode, Model: c.Model, Counter: counter,
	})
	if err != nil {
		return nil, fmt.Errorf("building the %s payload of turn %d: %w", c.Dialect, t.N, err)
	}
	return p, nil
}

// storedBody makes a stored payload ready. A request to a model has the sections of its report; of
// another one nobody knows what its parts are but the one who sent it, so it has one section.
func storedBody(c core.PayloadChoice, p turn.Payload, r *doctor.Report) *core.Built {
	sum := sha256.Sum256(p.Bytes)
	b := core.Built{Choice: c, Body: p.Bytes, SHA256: hex.EncodeToString(sum[:]), Redacted: p.Redacted}
	if r != nil {
		b.Sections = requestSections(r, p.Bytes)
	}
	if len(b.Sections) == 0 {
		text := string(p.Bytes)
		b.Sections = []payload.Section{{Name: "body", End: len(p.Bytes), Chars: utf8.RuneCountInString(text),
			Tokens: tokens.Quarter(text), TokensHow: payload.HowEstimated}}
	}
	return core.NewBuilt(b)
}
