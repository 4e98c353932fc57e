package dump

import (
	"cmp"
	"slices"
)

// Piece is a stretch of a document's text that belongs to one element. It begins
// where the piece before it ends, the first one at 0.
type Piece struct {
	End  int // byte offset in Document.Text
	Node int // index of the element, -1 for text about none
}

// SortedSpans are the spans in order, one around others before them.
func (d *Document) SortedSpans() []Span {
	spans := slices.Clone(d.Spans)
	slices.SortStableFunc(spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	return spans
}

// Pieces cuts the whole text where the element changes. A part of a line belongs to the
// innermost span around it, else to the line's element; a line break belongs to the
// line that it ends.
func (d *Document) Pieces() []Piece {
	return d.pieces(func(node int) int { return node })
}

// pieces cuts the text where what of answers for the element changes.
func (d *Document) pieces(of func(node int) int) []Piece {
	var out []Piece
	at := 0
	upTo := func(end, node int) {
		switch n := len(out); {
		case end <= at:
			return
		case n > 0 && out[n-1].Node == node:
			out[n-1].End = end
		default:
			out = append(out, Piece{end, node})
		}
		at = end
	}
	spans := d.SortedSpans()
	next := 0
	for i, l := range d.Lines {
		line := of(l.Node)
		var open []Span // the spans around the place where we are, the innermost last
		leave := func(to int) {
			for len(open) > 0 && open[len(open)-1].End <= to {
				s := open[len(open)-1]
				upTo(s.End, of(s.Node))
				open = open[:len(open)-1]
			}
			if len(open) > 0 {
				upTo(to, of(open[len(open)-1].Node))
			} else {
				upTo(to, line)
			}
		}
		for ; next < len(spans) && spans[next].Start < l.End; next++ {
			leave(spans[next].Start)
			open = append(open, spans[next])
		}
		leave(l.End)
		if i < len(d.Lines)-1 {
			upTo(l.End+1, line)
		}
	}
	return out
}
