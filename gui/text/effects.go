package text

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// Render makes the text of a turn in one format. [core.Rendered] answers.
type Render struct {
	Turn   *core.Turn
	Format dump.Format
}

// Do implements [core.Work].
func (e Render) Do(_ context.Context, w *core.Worker) core.Msg {
	d, err := format.Render(e.Turn.Capture, e.Format, format.Options{})
	if err != nil {
		err = fmt.Errorf("turn %d cannot be written as %s: %w", e.Turn.N, e.Format, err)
		return core.Rendered{Turn: e.Turn.N, Doc: core.Doc{Format: e.Format, Problem: core.ProblemOf(err)}}
	}
	return core.Rendered{Turn: e.Turn.N, Doc: core.NewDoc(e.Turn.Capture, d, w.Counter.Count)}
}

// wanted asks for the text in view where it is not made yet.
func wanted(s core.State) (core.State, []core.Effect) {
	if s.Shown == nil || s.Format == "" || s.Doc(s.Format) != nil {
		return s, nil
	}
	return s, []core.Effect{Render{s.Shown, s.Format}}
}
