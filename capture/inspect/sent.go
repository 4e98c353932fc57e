package inspect

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Sent is a turn with what its model was given of the page: the newest text of its request that lists elements, each
// line with its element.
type Sent struct {
	Name    string // of the turn, as a person knows it
	N       int
	Capture *snapshot.Capture
	Report  *doctor.Report // of its request
	Text    *observation.Text
}

// NoTextError says why a target has no text as it was sent.
type NoTextError struct{ Name, Why string }

func (e *NoTextError) Error() string {
	return fmt.Sprintf("%s has no text as it was sent: %s", target.Clean(e.Name), e.Why)
}

// SentOf is what the model of a turn was given, a [NoTextError] where it was given no text of a page.
func SentOf(ctx context.Context, r *target.Opened) (*Sent, error) {
	if r.Record == nil {
		return nil, &NoTextError{r.Name, "it is not a turn of a session: name SESSION#N"}
	}
	store, err := turn.OpenPath(r.Where)
	if err != nil {
		return nil, fmt.Errorf("opening the session %s: %w", r.Where, err)
	}
	defer store.Close()
	return SentAt(ctx, r.Name, store, r.Record)
}

// SentAt is [SentOf] for a turn of a session that is open; name is the turn's for people.
func SentAt(ctx context.Context, name string, store *turn.Store, rec *turn.Record) (*Sent, error) {
	if asked, _ := conversation.Stored(rec.Payloads); asked == nil {
		return nil, noRequest(name)
	}
	var out *Sent
	err := export.Examine(ctx, store, nil, []int{rec.N}, func(x export.Examined) error {
		err := x.Err
		if err == nil {
			out, err = newSent(name, rec, x.Report)
		}
		return err
	})
	if err == nil && out == nil {
		err = noRequest(name)
	}
	return out, err
}

func noRequest(name string) error {
	return &NoTextError{name, "it holds no request to a model; refscopectl tap records them"}
}

// SentIn is [SentOf] for each turn of a session that holds a request, in order; turns are those that are wanted, none
// are all. each gets a [NoTextError] for a turn whose request lists no page.
func SentIn(ctx context.Context, run Run, turns []int, counter *tokens.Counter,
	each func(n int, s *Sent, err error) error) error {
	return export.Examine(ctx, run.Store, counter, turns, func(x export.Examined) error {
		var s *Sent
		err := x.Err
		if err == nil {
			s, err = newSent(fmt.Sprintf("%s#%d", run.Name, x.N), x.Record, x.Report)
		}
		return each(x.N, s, err)
	})
}

func newSent(name string, rec *turn.Record, found *doctor.Report) (*Sent, error) {
	listed := found.Knows() // a call of a tool rests on what the server gave with earlier answers
	if len(found.Texts) > 0 {
		listed = found.Texts[len(found.Texts)-1]
	}
	if listed == nil {
		pictures := 0
		for _, s := range found.Sections {
			pictures += len(s.Images)
		}
		return nil, &NoTextError{name, fmt.Sprintf("its request lists no elements of a page (%s, %s)",
			text.Count(len(found.Sections), "section", "sections"), text.Count(pictures, "picture", "pictures"))}
	}
	return &Sent{Name: name, N: rec.N, Capture: rec.Capture, Report: found, Text: listed}, nil
}

// Older is how many texts of a page the request holds before the newest.
func (s *Sent) Older() int { return max(0, len(s.Report.Texts)-1) }

// Lines are the lines that a person means who writes a number as the agent or a format does: e17, [17], @e17, 3_14,
// 0-36, uid=3_14, bid a12. Several are lines of one ref about different elements.
func (s *Sent) Lines(spelled string) []observation.Line {
	return s.Text.ByRef(wire.SpelledRef(spelled))
}

// Number is the agent's own number of an element, "" where it was told of none. It is safe to show.
func (s *Sent) Number(node int) string {
	if s == nil {
		return ""
	}
	return text.Cut(text.Line(s.Text.RefOf(node)), 24)
}

// label is what stands at the box of the element with a ref of ours, "" where the agent was not told of it: the agent's
// own number, or ours where its text has locators, which fit no picture.
func (s *Sent) label(ref int) string {
	if s == nil {
		return ""
	}
	n := s.Capture.ByRef(ref)
	switch {
	case n == nil:
		return ""
	case s.Text.Located() && s.Text.RefOf(n.I) != "":
		return strconv.Itoa(ref)
	}
	return s.Number(n.I)
}

// maybeSent is what the model of a turn was given, nil where a target is none or it was given no text.
func maybeSent(ctx context.Context, r *target.Opened) (*Sent, error) {
	if r.Record == nil {
		return nil, nil
	}
	s, err := SentOf(ctx, r)
	if _, none := errors.AsType[*NoTextError](err); none {
		return nil, nil
	}
	return s, err
}

// SentAudit is the audit of one turn's text as it was sent.
type SentAudit struct {
	Target string `json:"target"` // the turn, as it was named
	Turn   int    `json:"turn"`   // its number in the session
	*audit.Sent
	// Passed: the share is at least the one that was asked for.
	Passed bool `json:"passed"`
}

// Text is the audit for people.
func (s *SentAudit) Text() string { return text.Line(s.Target) + "  " + s.Sent.Text() }

// AuditSent compares what a person sees at a turn with what its model was told. A share below least, 0 to 1, does not
// pass.
func AuditSent(s *Sent, least float64) (*SentAudit, error) {
	if !s.Report.Paired {
		return nil, fmt.Errorf("%s: no page is paired with the request, so that nothing is known of what a person saw",
			target.Clean(s.Name))
	}
	got := audit.AsSent(s.Capture, s.Text)
	return &SentAudit{target.Clean(s.Name), s.N, got, got.Share >= least}, nil
}

// Mark makes a picture show the agent's own numbers in the place of ours, and what it was not given dashed and without
// a number; both shows ours beside them, and those of the rest.
func (s *Sent) Mark(o *overlay.Options, both bool) {
	numbers := map[int]string{}
	for i := range s.Capture.Nodes {
		if ref := s.Capture.Nodes[i].Ref; ref > 0 {
			numbers[ref] = s.label(ref)
		}
	}
	o.Label = func(ref int) string { return numbers[ref] }
	if !both {
		o.Untold = func(ref int) bool { return numbers[ref] == "" }
		return
	}
	o.Label = func(ref int) string {
		if numbers[ref] == "" || s.Text.Located() {
			return numbers[ref]
		}
		return fmt.Sprintf("%s·%d", numbers[ref], ref)
	}
}

// Fill makes a payload of the agent's own text, and of a picture with its own numbers.
func (s *Sent) Fill(in *payload.Input) {
	in.Sent, in.Numbers = s.Text.Body(), s.label
}

// Titles are the turns of a session that asked a model, each in a few words as [conversation.Title] has them. A turn
// whose request cannot be read has none.
func Titles(ctx context.Context, store *turn.Store, turns []int) (map[int]string, error) {
	out := map[int]string{}
	err := export.Examine(ctx, store, nil, turns, func(x export.Examined) error {
		if x.Err == nil {
			out[x.N] = conversation.Title(x.Record, x.Report)
		}
		return nil
	})
	return out, err
}
