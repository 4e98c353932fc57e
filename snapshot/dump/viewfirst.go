package dump

import (
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// What a limit takes out of a format of lines: first what is outside the visible part of the
// page, from the end, then what is in it. A cookie banner comes last in many documents and is
// what a person sees first. What is kept is in page order.

// ViewFirst is the order in which a list of n elements is kept: those in the visible part of the
// page first. Under Compat it is their own, as the originals have it.
func (o Common) ViewFirst(n int, node func(i int) *snapshot.Node) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if !o.Compat {
		slices.SortStableFunc(order, func(i, k int) int {
			switch a, b := node(i).InViewport, node(k).InViewport; {
			case a == b:
				return 0
			case a:
				return -1
			}
			return 1
		})
	}
	return order
}

// unit are lines that go together: one about an element, and those that continue it.
type unit struct {
	from, to int // lines
	indent   int // blanks before the first of them
	inside   int // the unit whose line it is indented below, -1 for none
	first    bool
}

// viewFirst is the order in which lines are kept, as indices of them; nil where that is their
// own order.
func (b *Builder) viewFirst() []int {
	if slices.Contains(b.Kinds, LineOpens) {
		return b.viewFirstNested()
	}
	units := b.units()
	for i := range units {
		if !units[i].first && !b.inView(units[i]) {
			continue
		}
		for k := i; k >= 0 && (k == i || !units[k].first); k = units[k].inside { // its line needs those around it
			units[k].first = true
		}
	}
	order := make([]int, 0, len(b.Lines))
	for _, first := range []bool{true, false} {
		for _, u := range units {
			for i := u.from; u.first == first && i < u.to; i++ {
				order = append(order, i)
			}
		}
	}
	if slices.IsSorted(order) {
		return nil
	}
	return order
}

// viewFirstNested is viewFirst for lines of which some open what others close (HTML). A line
// needs those that open and close what is around it, and the definitions of the format (what is
// about no element). So either part of the order has all its pairs whole.
func (b *Builder) viewFirstNested() []int {
	first := make([]bool, len(b.Lines))
	var open []int // lines, outermost first
	for i, l := range b.Lines {
		kind := b.Kinds[i]
		switch {
		case kind == LineCloses && len(open) > 0:
			at := open[len(open)-1]
			open, first[i] = open[:len(open)-1], first[at]
		case kind == lineContinues && i > 0:
			first[i] = first[i-1]
		default:
			inside := len(open) > 0 && b.Lines[open[len(open)-1]].Node < 0
			if first[i] = i < b.Rules.Head || l.Node < 0 || inside ||
				b.inView(unit{from: i, to: b.element(i)}); first[i] {
				for k := len(open) - 1; k >= 0 && !first[open[k]]; k-- {
					first[open[k]] = true
				}
			}
			if kind == LineOpens {
				open = append(open, i)
			}
		}
	}
	order := make([]int, 0, len(b.Lines))
	for _, want := range []bool{true, false} {
		for i := range b.Lines {
			if first[i] == want {
				order = append(order, i)
			}
		}
	}
	if slices.IsSorted(order) {
		return nil
	}
	return order
}

// element is the end of the lines that line i begins: it and those that continue it.
func (b *Builder) element(i int) int {
	for i++; i < len(b.Lines) && b.Kinds[i] == lineContinues; i++ {
	}
	return i
}

// units are all lines; the header is one unit and comes first.
func (b *Builder) units() []unit {
	head := min(b.Rules.Head, len(b.Lines))
	units := []unit{{to: head, inside: -1, first: true}}
	var around []int // units, outermost first
	for i := head; i < len(b.Lines); i++ {
		l := b.Lines[i]
		if b.Kinds[i] == lineContinues || l.Node < 0 {
			units[len(units)-1].to = i + 1
			continue
		}
		u := unit{from: i, to: i + 1, inside: -1}
		for at := l.Start; at < l.End && (b.Out[at] == ' ' || b.Out[at] == '\t'); at++ {
			u.indent++
		}
		for len(around) > 0 && units[around[len(around)-1]].indent >= u.indent {
			around = around[:len(around)-1]
		}
		if len(around) > 0 {
			u.inside = around[len(around)-1]
		}
		around = append(around, len(units))
		units = append(units, u)
	}
	return units
}

// inView reports whether something that the lines are about is in the visible part of the page.
func (b *Builder) inView(u unit) bool {
	seen := func(node int) bool {
		n := b.Capture.Node(node)
		return n != nil && n.InViewport && n.Verdict != snapshot.VerdictClipped
	}
	for _, l := range b.Lines[u.from:u.to] {
		if seen(l.Node) {
			return true
		}
	}
	at, _ := slices.BinarySearchFunc(b.Spans, u.from, func(s Span, line int) int { return s.Line - line })
	for ; at < len(b.Spans) && b.Spans[at].Line < u.to; at++ {
		if seen(b.Spans[at].Node) {
			return true
		}
	}
	return false
}

// reorder puts the lines in that order.
func (b *Builder) reorder(order []int) {
	old := *b
	spans := make([][]Span, len(old.Lines))
	for from := 0; from < len(old.Spans); {
		to := from
		for to < len(old.Spans) && old.Spans[to].Line == old.Spans[from].Line {
			to++
		}
		spans[old.Spans[from].Line] = old.Spans[from:to]
		from = to
	}
	b.Out, b.Lines, b.Kinds, b.Spans = nil, nil, nil, nil
	for _, i := range order {
		b.take(&old, i, spans[i])
	}
}

// restore puts the first lines, which were reordered, back where they were, and those that close
// what is open after them, given as lines of that order, where they are too; those after them are notes.
func (b *Builder) restore(order []int, kept int, closing []int) {
	back, was := make([]int, len(b.Lines)), slices.Clone(order[:kept])
	for i := range back {
		back[i] = i
	}
	for _, by := range closing {
		was = append(was, order[by])
	}
	slices.SortFunc(back[:len(was)], func(i, k int) int { return was[i] - was[k] })
	b.reorder(back)
}
