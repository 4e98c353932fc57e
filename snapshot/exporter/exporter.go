// Package exporter writes what a session keeps of requests to models in the formats of other
// tools: HAR 1.2, OTLP JSON with gen_ai.*, and ATIF trajectories. Package importer reads them
// back.
//
// [Write] reads turn by turn, so a session need not fit into the memory. No format holds
// all that a session has: what is lost is in the [Report], and in the file where the format has
// a place for it. Nothing is written that the session does not have: what was redacted there
// stays so.
package exporter

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Format names a format.
type Format string

// The formats that [Write] writes.
const (
	HAR  Format = "har"
	OTLP Format = "otlp"
	ATIF Format = "atif"
)

// Formats are all formats.
func Formats() []Format { return []Format{ATIF, OTLP, HAR} }

// Options describe how a session is written.
type Options struct {
	Version string // of this program
	Session string // the name of the session
	// Picture stores a picture that the format keeps beside the file (ATIF's), and returns
	// the path that the file is to name it by.
	Picture func(name string, data []byte) (path string, err error)
	// Damaged takes what is whole of a damaged session.
	Damaged bool
}

// Report is what was written.
type Report struct {
	Turns  int // turns of which something is in the file
	Losses []string
}

// Write writes a session.
func Write(ctx context.Context, w io.Writer, store *turn.Store, format Format, o Options) (*Report, error) {
	notes, _, err := store.Annotations(ctx)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(w, 256<<10)
	rep := &Report{}
	loss := &losses{}
	load := func(n int) (*turnOf, error) {
		rec, err := store.Load(ctx, n)
		if _, ok := errors.AsType[*turn.DamagedError](err); ok && o.Damaged {
			loss.add(n, "damaged turns are written as far as they can be read")
			if err = nil; rec == nil || rec.Capture == nil {
				return nil, nil
			}
		}
		if err != nil {
			return nil, err
		}
		t := &turnOf{Record: rec, asks: asksOf(rec, loss)}
		for _, a := range notes {
			if a.Turn == n {
				t.notes = append(t.notes, a)
			}
		}
		return t, nil
	}
	var f writer
	switch format {
	case HAR:
		f = &harWriter{list: list{w: out}, loss: loss, o: o, load: load}
	case OTLP:
		f = newOTLP(out, loss, o)
	case ATIF:
		f = &atifWriter{list: list{w: out}, loss: loss, o: o, keys: map[[32]byte]string{}}
	default:
		return nil, fmt.Errorf("a session is not written as %q: only as atif, otlp or har", format)
	}
	if err := f.begin(); err != nil {
		return nil, err
	}
	numbers, err := store.Numbers() // also of those that are damaged
	if err != nil {
		return nil, err
	}
	for _, n := range numbers {
		t, err := load(n)
		if err != nil {
			return nil, err
		}
		if t == nil {
			continue
		}
		wrote, err := f.turn(t)
		if err != nil {
			return nil, fmt.Errorf("turn %d: %w", n, err)
		}
		if wrote {
			rep.Turns++
		}
	}
	rep.Losses = loss.sentences()
	if rep.Turns == 0 {
		return nil, fmt.Errorf("the session has no request to write: no turn of it can be written as %s", format)
	}
	if err := f.end(rep.Losses, aboutRun(notes)); err != nil {
		return nil, err
	}
	return rep, out.Flush()
}

// writer writes one format.
type writer interface {
	begin() error
	// turn writes a turn, and reports whether something of it is in the file.
	turn(t *turnOf) (bool, error)
	// end closes the file; run are the labels and notes of the session as a whole.
	end(losses, run []string) error
}

// aboutRun are the annotations of the session as a whole, one line each.
func aboutRun(notes []turn.Annotation) []string {
	var out []string
	for _, a := range notes {
		if a.Turn == 0 {
			out = append(out, clean(strings.TrimSpace(a.Verdict+" "+a.Text)))
		}
	}
	return out
}

// turnOf is a turn with what is known of it beside the record.
type turnOf struct {
	*turn.Record
	notes []turn.Annotation
	asks  []ask
}

// ask is a request of a turn, and its answer.
type ask struct {
	e                exchange.Exchange
	request, answer  *turn.Payload // answer nil for none
	asked            *wire.Request // nil where the request cannot be read
	raw              map[string]json.RawMessage
	recorded, redact bool // e is that of a record; secrets were taken out
}

// asksOf are the requests of a turn.
func asksOf(rec *turn.Record, loss *losses) []ask {
	var out []ask
	for i := range rec.Payloads {
		p := &rec.Payloads[i]
		if p.Way == turn.Answer {
			if n := len(out); n > 0 && out[n-1].answer == nil {
				out[n-1].answer = p
			}
			continue
		}
		a := ask{request: p, e: exchange.Exchange{Dialect: p.Dialect, Model: p.Model, Began: rec.Capture.TakenAt}}
		var err error
		if a.asked, err = wire.ReadRequest(p.Dialect, p.Bytes); err != nil {
			a.asked = nil
		}
		if json.Unmarshal(p.Bytes, &a.raw) != nil {
			a.raw = nil
		}
		out = append(out, a)
	}
	for i := range out {
		a := &out[i]
		if i == 0 && len(rec.Exchange) > 0 {
			a.recorded = json.Unmarshal(rec.Exchange, &a.e) == nil
		}
		if a.answer != nil && a.e.Answer == nil {
			a.e.Answer, _ = wire.ReadAnswer(a.e.Dialect, a.answer.Bytes) // what cannot be read is none
		}
		a.redact = len(a.request.Redacted) > 0 || a.answer != nil && len(a.answer.Redacted) > 0
		if a.redact {
			loss.add(rec.N, "secrets are marks, as in the session")
		}
	}
	return out
}

// times are when a request began and ended.
func (a *ask) times() (began, ended time.Time) {
	return a.e.Began, a.e.Began.Add(time.Duration(a.e.Ended * float64(time.Millisecond)))
}

// losses collects what a format has no place for.
type losses struct {
	order []string
	turns map[string][]int
}

// add notes a loss of a turn, of the whole session where n is 0.
func (l *losses) add(n int, sentence string) {
	if l.turns == nil {
		l.turns = map[string][]int{}
	}
	if _, ok := l.turns[sentence]; !ok {
		l.order = append(l.order, sentence)
		l.turns[sentence] = nil
	}
	if n > 0 && !slices.Contains(l.turns[sentence], n) {
		l.turns[sentence] = append(l.turns[sentence], n)
	}
}

// sentences are the losses, with the turns that they are of.
func (l *losses) sentences() []string {
	var out []string
	for _, s := range l.order {
		if turns := l.turns[s]; len(turns) > 0 {
			s += ": " + turnList(turns)
		}
		out = append(out, s)
	}
	return out
}

// turnList names turns, in order: "turns 1-3, 7".
func turnList(turns []int) string {
	var b strings.Builder
	b.WriteString("turn ")
	if len(turns) > 1 {
		b.Reset()
		b.WriteString("turns ")
	}
	for i := 0; i < len(turns); {
		to := i
		for to+1 < len(turns) && turns[to+1] == turns[to]+1 {
			to++
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, turns[i])
		if to > i {
			fmt.Fprint(&b, "-", turns[to])
		}
		i = to + 1
	}
	return b.String()
}

// list writes the entries of a JSON list.
type list struct {
	w       *bufio.Writer
	entries int
}

func (l *list) text(s string) error {
	_, err := l.w.WriteString(s)
	return err
}

// entry writes the next entry, on a line of its own.
func (l *list) entry(v any) error {
	if l.entries++; l.entries > 1 {
		if err := l.w.WriteByte(','); err != nil {
			return err
		}
	}
	if err := l.w.WriteByte('\n'); err != nil {
		return err
	}
	return l.value(v)
}

// value writes JSON without escaping what HTML would need.
func (l *list) value(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	_, err := l.w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return err
}

// split is a message as those of its parts that answer calls of tools, and the others.
func split(m wire.Message) (results, others []wire.Part) {
	for _, p := range m.Parts {
		if p.Kind == wire.Result || p.Kind == wire.Image && p.ID != "" {
			results = append(results, p)
		} else {
			others = append(others, p)
		}
	}
	return results, others
}

// tools are the definitions of a request's tools, as they were sent; Gemini's one by one.
func (a *ask) tools() []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(a.raw["tools"], &list) != nil {
		return nil
	}
	var out []json.RawMessage
	for _, t := range list {
		var gemini struct {
			Functions []json.RawMessage `json:"functionDeclarations"`
		}
		if json.Unmarshal(t, &gemini) == nil && len(gemini.Functions) > 0 {
			out = append(out, gemini.Functions...)
			continue
		}
		out = append(out, t)
	}
	return out
}

// lossesOf notes what neither OTLP nor ATIF has a place for in a request.
func (a *ask) lossesOf(n int, loss *losses) {
	for _, m := range a.asked.Messages {
		for _, p := range m.Parts {
			if p.Kind == wire.Result && p.Name != "" && p.ID == "" {
				loss.add(n, "results of tools name their tool, and no call: the name is left out")
			}
		}
	}
	if a.answer != nil && a.e.Answer == nil {
		loss.add(n, "the answer cannot be read and is left out")
	}
}

// model is the model that was asked.
func (a *ask) model() string { return cmp.Or(a.e.Model, a.asked.Model, a.request.Model) }

// clean makes a text of a page or a model harmless where a format shows it as a name.
func clean(s string) string { return text.Line(s) }
