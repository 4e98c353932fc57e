package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Source gives the turns of a run; [turn.Store] is one.
type Source interface {
	List(ctx context.Context) ([]turn.Summary, []turn.Damage, error)
	Load(ctx context.Context, n int) (*turn.Record, error)
}

// Turn is what a comparison keeps of one turn.
type Turn struct {
	N int
	// Asked is what the agent decided that led to the turn, one line for each action, with the
	// role and name of its element; empty where the turn was only looked at.
	Asked []string
	// Result is what came of it, Failed whether some of it did not do what was asked.
	Result []string
	Failed bool
	// Answered is what the model answered in this turn, spelled as Asked; shown is the same with the numbers of the
	// elements, which do not count.
	Answered, shown []string
	// URL and Title are those of the page, not shortened and not escaped.
	URL, Title string

	goal   string
	page   pageFacts
	given  uint64 // hash of the payloads that the model was given; 0 for none
	source Source
}

// Reader reads runs so that they can be compared with each other.
type Reader struct {
	// Number reads the spelling of a ref number, such as @e12, and is 0 for anything else.
	Number func(spelled string) int

	seed maphash.Seed
}

// NewReader is a reader of refs as number spells them.
func NewReader(number func(string) int) *Reader {
	return &Reader{Number: number, seed: maphash.MakeSeed()}
}

// Read reads a run, turn after turn. A turn with a damaged part is read without it; one that
// cannot be read at all is left out and named in an error of the type [turn.DamagedError].
func (r *Reader) Read(ctx context.Context, s Source) ([]*Turn, error) {
	list, damage, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	var out []*Turn
	var before *snapshot.Capture
	examine := doctor.New(doctor.Options{TargetsOnly: true})
	for _, sum := range list {
		rec, err := s.Load(ctx, sum.N)
		var damaged *turn.DamagedError
		if errors.As(err, &damaged) {
			damage = append(damage, damaged.Damage...)
		}
		switch {
		case rec != nil && rec.Capture != nil:
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case damaged != nil:
			continue
		default:
			return nil, fmt.Errorf("reading turn %d: %w", sum.N, err)
		}
		if isVariant(rec) {
			continue
		}
		out = append(out, r.turn(rec, before, asked(examine, rec), s))
		before = rec.Capture
	}
	if len(damage) > 0 {
		err = &turn.DamagedError{Damage: damage}
	}
	return out, err
}

// isVariant reports whether a turn is an answer to a turn that was asked about again, which the
// run itself did not have (package ask writes the member).
func isVariant(rec *turn.Record) bool {
	var of struct {
		Asked *struct{} `json:"asked"`
	}
	return len(rec.Exchange) > 0 && json.Unmarshal(rec.Exchange, &of) == nil && of.Asked != nil
}

// asked is what a doctor reads in the request of a turn, nil for one without or that cannot be read. Pictures say
// nothing of numbers.
func asked(d *doctor.Doctor, rec *turn.Record) *doctor.Report {
	bare := *rec
	bare.Picture = nil
	report, err := d.Examine(&bare)
	if err != nil {
		return nil
	}
	return report
}

// turn reads one record; before is the page of the turn before it, nil for the first.
func (r *Reader) turn(rec *turn.Record, before *snapshot.Capture, asked *doctor.Report, s Source) *Turn {
	t := &Turn{
		N: rec.N, URL: rec.Capture.URL, Title: rec.Capture.Title, source: s,
		page: factsOf(rec.Capture, r.seed), Failed: turn.FailedSteps(rec.Answer) > 0,
	}
	spell := speller{number: r.Number, page: before}
	t.Asked = spell.steps(rec.Steps)
	t.Result = results(rec.Answer)
	spell.page, spell.asked = rec.Capture, asked
	shown := spell
	shown.shown = true
	var given maphash.Hash
	given.SetSeed(r.seed)
	for i := range rec.Payloads {
		p := &rec.Payloads[i]
		if !isGiven(p) {
			t.Answered = append(t.Answered, spell.answer(p)...)
			t.shown = append(t.shown, shown.answer(p)...)
			continue
		}
		for _, part := range sections(p) {
			t.goal = goalOf(t.goal, part)
			if part.result {
				if line := part.failed(); line != "" {
					t.Result, t.Failed = append(t.Result, "the tool: "+line), true
				}
			}
			_, _ = given.WriteString(part.label)
			for _, l := range part.lines(t.page.adverts) {
				_, _ = given.WriteString("\n" + l)
			}
		}
		t.given = given.Sum64()
	}
	return t
}

// load reads the turn's record again.
func (t *Turn) load(ctx context.Context) (*turn.Record, error) {
	rec, err := t.source.Load(ctx, t.N)
	if rec == nil {
		return nil, fmt.Errorf("reading turn %d: %w", t.N, err)
	}
	return rec, nil
}

// isGiven reports whether a payload is what the model was given. What our own doors answer a
// client is given to its model, and what a client asks of them is the model's answer.
func isGiven(p *turn.Payload) bool {
	switch p.Dialect {
	case "mcp", "cdp-skill":
		return p.Way == turn.Answer
	}
	return p.Way == turn.Request
}

// resultFields are the members of an answer to steps that describe an outcome.
var resultFields = map[string]bool{
	"status": true, "error": true, "subtype": true, "code": true, "clicked": true, "targetReceived": true,
	"forced": true, "success": true, "verifiedOutcome": true, "actualOutcome": true, "verification_passed": true,
	"verified": true, "navigated": true, "interceptedBy": true, "coveredBy": true, "received": true, "timedOut": true,
	"value": true, "checked": true, "selected": true, "found": true, "element": true, "selector": true, "isError": true,
}

// results are the outcomes in an answer, one line each: "1 clicked: true".
func results(answer []byte) []string {
	var doc any
	if len(answer) == 0 || json.Unmarshal(answer, &doc) != nil {
		return nil
	}
	var out []string
	walk(doc, "", "", func(path, key string, v any) {
		if resultFields[key] {
			out = append(out, fmt.Sprintf("%s: %s", path, text.Cut(numberless(fmt.Sprint(v)), 300)))
		}
	})
	return out
}
