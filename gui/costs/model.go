// Package costs is the side Tokens: what the text in view costs, by region of the page, by tag
// and by rows that repeat. A token map of the turn in view comes in; a table that can be sorted
// goes out. Start with [Room], [Map] and [ViewOf].
package costs

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/tokenmap"
)

// Side is what the text costs.
const Side core.Side = "tokens"

// grouping is what the costs are grouped by.
type grouping int

const (
	regions grouping = iota // regions of the page
	tags                    // tags of elements
	repeats                 // rows with the same content
)

// groupings are the titles of their chips.
func groupings() []string { return []string{"Regions", "Tags", "Repeats"} }

// model is the token map of one text.
type model struct {
	// Turn and Format are what was requested.
	Turn   *core.Turn
	Format dump.Format
	By     grouping
	// Order is the column that the table is sorted by: 0 the order of the page (or of costs, where there is none), then
	// the title and the figures from 1. Negative ascends.
	Order int
	// Costs is nil until it is there, and if there is none; Problem is the reason.
	Costs   *tokenmap.Map
	Problem *core.Problem
	Rows    *core.Rows
}

type (
	// Map asks for the token map of a turn's text; [Mapped] answers.
	Map struct {
		Turn   *core.Turn
		Format dump.Format
	}
	// Mapped answers [Map].
	Mapped struct {
		Asked   Map
		Costs   *tokenmap.Map
		Problem *core.Problem
	}
)

// Do implements [core.Work].
func (e Map) Do(_ context.Context, w *core.Worker) core.Msg {
	m := Mapped{Asked: e}
	d, err := format.Render(e.Turn.Capture, e.Format, format.Options{})
	if err != nil {
		m.Problem = core.ProblemOf(fmt.Errorf("the costs of turn %d as %s cannot be counted: %w", e.Turn.N, e.Format,
			err))
		return m
	}
	m.Costs = tokenmap.Build(e.Turn.Capture, d, w.Counter)
	return m
}

func (m Mapped) Apply(s core.State) (core.State, []core.Effect) {
	if m.Asked != (Map{of(s).Turn, of(s).Format}) {
		return s, nil // another text is in view by now
	}
	model := edit(&s)
	model.Costs, model.Problem = m.Costs, m.Problem
	return listed(s), nil
}

// grouped shows the costs by something else.
func grouped(by grouping) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		model.By, model.Order = by, 0
		return listed(s), nil
	})
}

// sorted sorts by a column, from 1; the one in use turns round.
func sorted(column int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		model.Order = core.OrderAfter(model.Order, column)
		return listed(s), nil
	})
}

// fill asks for the costs of the text in view where they are not there yet.
func fill(s core.State) (core.State, []core.Effect) {
	p := of(s)
	if s.Side != Side || !s.Paged() || s.Format == "" || p.Turn == s.Current && p.Format == s.Format {
		return s, nil
	}
	*edit(&s) = model{Turn: s.Current, Format: s.Format, By: p.By, Order: p.Order}
	return s, []core.Effect{Map{s.Current, s.Format}}
}

// listed makes the table.
func listed(s core.State) core.State {
	p := of(s)
	if p.Costs == nil {
		edit(&s).Rows = nil
		return s
	}
	edit(&s).Rows = core.NewRows(rowsOf(&p))
	return s
}

// line is one line of a table with what it is sorted by.
type line struct {
	row  core.Row
	keys []int // of the figures
}

func rowsOf(p *model) []core.Row {
	head := core.Row{Kind: core.RowColumns, Title: "Region", Cells: []string{"Elements", "Tokens", "Share"},
		Sorted: p.Order}
	var lines []line
	whole := max(1, p.Costs.Whole.Tokens)
	add := func(r core.Row, count, tokens int) {
		r.Share = float64(tokens) / float64(whole)
		r.Cells = []string{text.Thousands(count), text.Thousands(tokens), core.Percent(r.Share)}
		lines = append(lines, line{r, []int{count, tokens, tokens}})
	}
	switch p.By {
	case tags:
		head.Title = "Tag"
		for _, t := range p.Costs.Tags {
			name := "<" + text.Cut(text.Line(t.Tag), 40) + ">"
			if t.Tag == "" {
				name = "Header and notes"
			}
			add(core.Row{Title: name}, t.Nodes, t.Tokens)
		}
	case repeats:
		head.Title, head.Cells[0] = "Row", "Times"
		for _, t := range p.Costs.Repeats {
			r := core.Row{Title: text.Cut(text.Line(t.Text), 160), Code: true}
			if t.Distinct > 1 {
				r.Body = text.Count(t.Distinct, "variant", "variants") + " that differ only in numbers"
			}
			if len(t.Nodes) > 0 {
				if n := p.Turn.Capture.Node(t.Nodes[0]); n != nil {
					r.Node, r.Pick = n.I+1, core.PickOf(n.I, n.Ref)
				}
			}
			add(r, t.Count, t.Tokens)
		}
	default:
		for i := range p.Costs.Regions {
			region := &p.Costs.Regions[i]
			r := core.Row{Title: text.Cut(text.Line(region.Title()), 120)}
			if p.Order == 0 {
				r.Level = min(region.Depth, 6)
			}
			if n := p.Turn.Capture.Node(region.Node); n != nil && region.Depth > 0 {
				r.Ref, r.Node, r.Pick = n.Ref, n.I+1, core.PickOf(n.I, n.Ref)
			}
			add(r, region.All.Nodes, region.All.Tokens)
		}
	}
	sortLines(lines, p.Order)
	for k := range 1 + len(head.Cells) {
		head.Sorts = append(head.Sorts, sorted(k+1))
	}
	rows := []core.Row{head}
	for _, l := range lines {
		rows = append(rows, l.row)
	}
	return rows
}

// sortLines sorts a table: words from a to z, figures from the largest down, and the other way
// round where the order is negative.
func sortLines(lines []line, order int) {
	column, sign := order, 1
	if column < 0 {
		column, sign = -column, -1
	}
	if column == 0 {
		return
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		if column == 1 {
			return sign * cmp.Compare(a.row.Title, b.row.Title)
		}
		return sign * cmp.Compare(b.keys[column-2], a.keys[column-2])
	})
}

// ViewOf returns the content of the side.
func ViewOf(s core.State) core.TableVM {
	p := of(s)
	v := core.TableVM{Choice: int(p.By), List: s.List()}
	switch {
	case !s.Paged():
		v.List.Empty = s.EmptySentence(
			"What each part of the page costs in tokens appears here after the first capture.")
		return v
	case p.Problem != nil:
		v.List.Empty = p.Problem.Sentence
	case p.Rows == nil:
		v.List.Empty = "Counting tokens…"
	default:
		v.List.Rows = p.Rows
		v.Facts = []core.StatusItem{{Text: string(p.Format), Tone: core.ToneMuted},
			{Text: core.TokenWords(p.Costs.Whole.Tokens), Tone: core.ToneNormal}}
		if p.Costs.Truncated {
			v.Facts = append(v.Facts, core.StatusItem{Text: "text cut at a limit", Tone: core.ToneWarn})
		}
		if p.By == repeats && len(p.Costs.Repeats) == 0 {
			v.List.Rows, v.List.Empty = nil, "No row of this text repeats."
		}
	}
	v.List = find.LitRows(s, v.List)
	return v
}

// Room is the side of costs.
func Room() core.Room {
	return core.Room{Name: "costs", AfterUpdate: fill,
		Side: &core.SideRow{Side: Side, Title: "Tokens", Command: "side.tokens", Place: 8,
			Does: "what each part of the page costs",
			Text: func(s core.State) (*dump.Document, *core.LineTones) { return of(s).Rows.Text() }}}
}

// of is the model of the room.
func of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }
