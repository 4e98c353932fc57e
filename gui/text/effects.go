package text

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// Render writes the text of a turn in one format, as a person reads it. [core.Rendered] answers.
type Render struct {
	Turn    *core.Turn
	Format  dump.Format
	Reading core.Reading
}

// Soon implements [core.SoonWork].
func (Render) Soon() {}

// Do implements [core.Work].
func (e Render) Do(_ context.Context, w *core.Worker) core.Msg {
	out := core.Rendered{Turn: e.Turn.N, Reading: e.Reading}
	fail := func(err error) core.Msg {
		err = fmt.Errorf("turn %d cannot be written as %s: %w", e.Turn.N, e.Format, err)
		out.Doc = core.Doc{Format: e.Format, Problem: core.ProblemOf(err)}
		return out
	}
	d, err := e.Turn.Explainer.Document(e.Format)
	if err != nil {
		return fail(err)
	}
	out.Doc = core.NewDoc(e.Turn.Capture, d, w.Counter.Count)
	out.Doc.Attributes = attributesOf(d)
	if e.Reading == (core.Reading{}) {
		return out
	}
	if numbers := e.Turn.Numbers(); e.Reading.FromOne {
		counted, err := format.Render(numbers.In(e.Turn.Capture), e.Format, format.Options{})
		if err != nil {
			return fail(err)
		}
		d = inWordsOf(d, counted)
	}
	out.Doc.Doc = without(d, e.Reading)
	out.Doc.Tones = core.NewLineTones(e.Turn.Capture, out.Doc.Doc)
	return out
}

// wanted asks for the text in view where it is not made yet.
func wanted(s core.State) (core.State, []core.Effect) {
	if s.Current == nil || s.Format == "" || s.Doc(s.Format) != nil {
		return s, nil
	}
	return s, []core.Effect{Render{s.Current, s.Format, s.Reading}}
}
