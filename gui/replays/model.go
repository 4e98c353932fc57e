// Package replays is the side Variants: what models answered when they were asked about the turn
// in view again (refscopectl ask), each graded by where its action lands. While the side is in
// view, the answers are drawn on the picture.
//
// The right element is the one that the recorded answer means, or one that a person marks with
// [Marked]; no model judges. Start with [Room] and [viewOf].
package replays

import (
	"context"
	"fmt"
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

// Side is the table of variants.
const Side core.Side = "variants"

// Commands of the room.
const (
	cmdVariants = "side.variants"
	cmdMark     = "variants.mark"
)

// Variant is one answer.
type Variant struct {
	N      int    // the turn that records it
	Name   string // of the question among the others
	Model  string
	Status int
	Error  string
	Ms     float64
	Answer *wire.Answer   // nil where it could not be read
	Report *doctor.Report // nil where there is none
	// Changes are how its request differs from the recorded one, line by line.
	Changes []string
}

// Found are the variants of a turn, the oldest first, and the number of the element that its
// recorded answer means, 0 for none.
type Found struct {
	Variants []Variant
	Recorded int
}

// Engine reads variants.
type Engine interface {
	// Variants reads those of a turn of the session in use; of a variant, those beside it.
	Variants(ctx context.Context, n int) (Found, error)
	// Quote describes what a question about a turn would send; nothing is sent.
	Quote(ctx context.Context, n int, a Again) (*Quote, error)
	// Ask asks and records each answer. It returns how many there are, and how many of them are errors; where ctx ends,
	// those that came.
	Ask(ctx context.Context, n int, a Again, progress func(stage string)) (count, failed int, err error)
}

// Model is the state of the side.
type Model struct {
	Turn *core.Turn // that was asked about
	Found
	Listed  bool
	Problem *core.Problem
	// Marked is the number of the element that a person marked as right, 0 for none.
	Marked int
	// Rows are the table, Points the answers on the picture, nil for none.
	Rows   *core.Rows
	Points *core.ActionPoints
}

// wanted is the number of the right element, 0 where it is not known.
func (m *Model) wanted() int {
	if m.Marked > 0 {
		return m.Marked
	}
	return m.Recorded
}

type (
	// List lists the variants of a turn. [Listed] answers.
	List struct{ Turn *core.Turn }
)

// Do implements [core.Work].
func (e List) Do(ctx context.Context, w *core.Worker) core.Msg {
	found, err := core.EngineOf[Engine](w).Variants(ctx, e.Turn.N)
	if ctx.Err() != nil {
		return nil
	}
	return Listed(e.Turn, found, w.Problem("variants", err))
}

// Listed answers [List].
func Listed(turn *core.Turn, found Found, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		if model.Turn == turn {
			model.Found, model.Listed, model.Problem = found, true, problem
			model.table()
		}
		return s, nil
	})
}

// Marked takes the selected element as the right one.
func Marked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		if model.Turn != nil && model.Turn == s.Current && s.Selected.Ref > 0 {
			model.Marked = s.Selected.Ref
			model.table()
		}
		return s, nil
	})
}

// fill asks for the variants of the turn in view.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Current == nil || of(s).Turn == s.Current {
		return s, nil
	}
	*edit(&s) = Model{Turn: s.Current}
	return s, []core.Effect{List{s.Current}}
}

// table makes the rows and the points.
func (m *Model) table() {
	m.Rows, m.Points = nil, nil
	if len(m.Variants) == 0 {
		return
	}
	rows := []core.Row{{Kind: core.RowColumns, Title: "Answer", Cells: []string{"Click", "ms", "Tokens in", "Out"}}}
	points := &core.ActionPoints{After: true}
	hits, graded := 0, 0
	for i := range m.Variants {
		v := &m.Variants[i]
		row := core.Row{Lead: fmt.Sprint(i + 1), Title: text.Cut(text.Line(v.Name), 60),
			Aside: text.Cut(text.Line(v.Model), 40), Body: wire.Line(v.Answer, v.Status, v.Error, 200), Action: "Open",
			Do: core.TurnChosen{N: v.N}, Cells: []string{"", fmt.Sprintf("%.0f", v.Ms), "", ""}}
		if v.Answer != nil {
			row.Cells[2], row.Cells[3] = text.Thousands(v.Answer.Usage.Input), text.Thousands(v.Answer.Usage.Output)
		}
		for _, c := range v.Changes[:min(len(v.Changes), 4)] {
			row.Body += "\n" + text.Cut(text.Line(c), 160)
		}
		if v.Report != nil {
			if p := sentrequest.Points(m.Turn, v.Report.Targets, fmt.Sprint(i+1)+" "); p != nil {
				points.Points = append(points.Points, p.Points...)
			}
			if w := m.wanted(); w > 0 {
				g := doctor.GradeOf(v.Report, m.Turn.Capture, w)
				graded++
				row.Cells[0], row.Tone, row.Ref = string(g.Outcome), core.ToneWarn, g.Ref
				if g.Outcome == doctor.Hits {
					hits++
					row.Tone = core.ToneGood
				}
			}
			for _, t := range v.Report.Targets {
				if n := m.Turn.Capture.Node(t.Node); n != nil {
					row.Node, row.Pick = n.I+1, core.PickOf(n.I, n.Ref)
					break
				}
			}
		}
		rows = append(rows, row)
	}
	head := core.Row{Kind: core.RowHead, Title: text.Count(len(m.Variants), "answer", "answers")}
	if graded > 0 {
		head.Title += fmt.Sprintf(", %d of %d on the right element", hits, graded)
	}
	m.Rows = core.NewRows(slices.Insert(rows, 0, head))
	if len(points.Points) > 0 {
		m.Points = points
	}
}

// VM is what the side shows. It is comparable with ==.
type VM struct {
	List core.ListVM
	// Right is the right element in words, "" where it is not known.
	Right   string
	CanMark bool
	// Graded: there are answers to grade. Hint is what to do so that an element can be marked as
	// right, "" where one can.
	Graded bool
	Hint   string
	// CanAsk: the turn holds a request that can be sent again.
	CanAsk bool
}

// viewOf is what the side shows.
func viewOf(s core.State) VM {
	m := of(s)
	v := VM{List: s.List(), CanAsk: CanAsk(s)}
	switch {
	case s.Current == nil:
		v.List.Empty = s.EmptySentence("What models answered when they were asked about a turn again appears here.")
		return v
	case !m.Listed:
		v.List.Empty = "Looking for variants…"
	case m.Problem != nil:
		v.List.Empty = m.Problem.Sentence
	case m.Rows == nil:
		v.List.Empty = "No model was asked again about this turn: Ask again… does it."
		if !CanAsk(s) {
			v.List.Empty = "This turn holds no request to a model, so no model can be asked again about it."
		}
	default:
		v.List.Rows, v.Graded, v.CanMark = m.Rows, true, s.Selected.Ref > 0
		if !v.CanMark {
			v.Hint = "Select the right element to grade the answers."
		}
	}
	if w := m.wanted(); w > 0 && m.Rows != nil {
		v.Right = fmt.Sprintf("Right element: %s", s.NumbersOf(s.Current).Text(w))
	}
	v.List = find.LitRows(s, v.List)
	return v
}

// PointsInView are the answers on the picture, nil where the side is not in view.
func PointsInView(s core.State) *core.ActionPoints {
	if m := of(s); s.Side == Side && m.Turn == s.Current {
		return m.Points
	}
	return nil
}

func commands(core.State) []core.Command {
	return []core.Command{{ID: core.CmdAsk, Title: "Ask the model again…", Menu: "Tools", Enabled: CanAsk,
		Checked: func(s core.State) bool { return s.Dialog == Dialog }, Msg: core.Send(askOpened())},
		{ID: cmdMark, Title: "Variants: the selected element is right", Menu: "Tools",
			Enabled: func(s core.State) bool { return s.Side == Side && viewOf(s).CanMark }, Msg: core.Send(Marked())}}
}

// Room is the side of variants.
func Room() core.Room {
	return core.Room{Name: "variants", Commands: commands,
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			*edit(&s) = Model{}
			return s, nil
		},
		Side: &core.SideRow{Side: Side, Title: "Variants", Command: cmdVariants,
			Does: "what models answered when asked again", Place: 9, AfterUpdate: fill,
			Text: func(s core.State) (*dump.Document, *core.LineTones) { return of(s).Rows.Text() }}}
}

// of is the model of the room.
func of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
