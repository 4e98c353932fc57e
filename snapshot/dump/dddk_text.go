package dump

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Text of the dddk format: pieces of text from several elements wait here until
// something that needs a line of its own ends them, and then become one line, a
// cell of a row, or several lines where one would be too long.

// piece is one stretch of waiting text.
type piece struct {
	node  *snapshot.Node // the kept element that it is from, nil for none
	text  string
	block bool // it begins a block: a space at least, and a place to split
}

// text adds to the text that waits for its line.
func (w *dddk) text(s string, x place) {
	if x.silent || s == "" || x.host == nil {
		return
	}
	if len(w.pend) > 0 && w.pendAt.host != x.host {
		w.flush()
	}
	w.pendAt = x
	w.pend = append(w.pend, piece{node: x.from, text: s, block: w.atBlock})
	w.atBlock = false
}

// boundary separates the words of different blocks. In a content line that is a
// space; anywhere else, a new line.
func (w *dddk) boundary(n *snapshot.Node, x place) {
	switch {
	case !n.Block || x.silent:
	case x.line && snapshot.IsContentTag(x.host.Tag):
		w.atBlock = len(w.pend) > 0
	default:
		w.flush()
	}
}

// flush makes lines, or a cell of the row, of the waiting text.
func (w *dddk) flush() {
	ps := squashPieces(w.pend)
	x := w.pendAt
	w.pend, w.atBlock = w.pend[:0], false
	if len(ps) == 0 {
		return
	}
	w.printed++
	max := capText
	isCell := x.host.Tag == "td" || x.host.Tag == "th"
	if isCell {
		max = capCell
	}
	parts := splitPieces(ps, max)
	for i, part := range parts {
		c := w.cellOf(x, part, w.room(x.host, max, capSeen))
		if isCell && x.row && len(parts) == 1 {
			if len(w.row) == 0 {
				w.rowDepth = x.depth
			}
			w.row = append(w.row, c)
			return
		}
		if i == 0 {
			w.flushRow()
		}
		w.addCells([]cell{c}, x.depth)
	}
}

// flushRow prints the cells that wait for the rest of their row.
func (w *dddk) flushRow() {
	if len(w.row) > 0 {
		w.addCells(w.row, w.rowDepth)
		w.row = w.row[:0]
	}
}

// squashPieces collapses the white space in and between pieces and drops empty ones.
func squashPieces(in []piece) []piece {
	var out []piece
	space, block := false, false
	for _, p := range in {
		s := text.Squash(p.text)
		if s == "" {
			space, block = true, block || p.block
			continue
		}
		r, _ := utf8.DecodeRuneInString(p.text)
		block = block || p.block
		if len(out) > 0 {
			if space || block || unicode.IsSpace(r) || snapshot.Apart(out[len(out)-1].node, p.node) {
				s = " " + s
			}
		}
		out = append(out, piece{p.node, s, block})
		r, _ = utf8.DecodeLastRuneInString(p.text)
		space, block = unicode.IsSpace(r), false
	}
	return out
}

// splitPieces gives blocks lines of their own where all of them together are
// longer than one line may be. A single block stays whole, and is cut.
func splitPieces(ps []piece, max int) [][]piece {
	total := 0
	for _, p := range ps {
		total += utf8.RuneCountInString(p.text)
	}
	if total <= max {
		return [][]piece{ps}
	}
	var out [][]piece
	from, length := 0, 0
	for i := 0; i < len(ps); {
		end, n := i, 0 // the block that begins here
		for end < len(ps) && (end == i || !ps[end].block) {
			n += utf8.RuneCountInString(ps[end].text)
			end++
		}
		if i > from && length+n > max {
			out = append(out, ps[from:i])
			from, length = i, 0
		}
		length += n
		i = end
	}
	return append(out, ps[from:])
}

// cellOf writes pieces as a line of their host: between its tags where it is one
// of the content tags, else as plain text.
func (w *dddk) cellOf(x place, ps []piece, max int) cell {
	host := x.host
	c := cell{}
	if host.Verdict == snapshot.VerdictContent || host.Verdict == snapshot.VerdictRef {
		c.node = host
	}
	total := 0
	for _, p := range ps {
		total += utf8.RuneCountInString(p.text)
	}
	left := max
	for i, p := range ps {
		s := p.text
		if i == 0 && s[0] == ' ' {
			s = s[1:] // a split line begins without the joint
			total--
		}
		if left <= 0 {
			s = ""
		}
		n := utf8.RuneCountInString(s)
		if total > max && n >= left && left > 0 {
			s = text.Cut(s+"…", left) // the text goes on: leave room for saying so
		}
		left -= n
		if c.node == nil && p.node != nil {
			c.node = p.node
		}
		if s == "" {
			if p.node != nil && p.node != host {
				w.omit(p.node.I, ReasonCut, "its text is beyond the "+fmt.Sprint(max)+" characters of the line around it")
			}
			continue
		}
		if s = escapeText(text.Visible(s)); len(c.text) == 0 && !snapshot.IsContentTag(host.Tag) {
			s = guard(s)
		}
		start := len(c.text)
		c.text += s
		if s[0] == ' ' {
			start++ // the joint belongs to neither
		}
		if p.node != nil && p.node != c.node {
			c.spans = append(c.spans, Span{Start: start, End: len(c.text), Node: p.node.I})
		}
	}
	if c.node == nil {
		c.node = host
	}
	if total > max {
		w.omit(c.node.I, ReasonCut, fmt.Sprintf("text cut from %d to %d characters", total, max))
	}
	if snapshot.IsContentTag(host.Tag) && x.line {
		open := "<" + host.Tag + ">"
		for i := range c.spans {
			c.spans[i].Start += len(open)
			c.spans[i].End += len(open)
		}
		c.text = open + c.text + "</" + host.Tag + ">"
		if !x.row {
			c.text += w.covered(c.node)
		}
	}
	return c
}

// takes reports whether the line that text goes to takes a content tag inside it:
// a cell all of them, any other line paragraphs, and both only where that is short
// text alone. A nested list keeps its items.
func (x place) takes(tag string) bool {
	return x.line && x.merge && (tag == "p" || x.host.Tag == "td" || x.host.Tag == "th")
}

// simple reports whether the inside of a line is short text alone, so that the
// paragraphs in it need no lines of their own.
func (w *dddk) simple(n *snapshot.Node, max int) bool {
	chars, nodes, ok := 0, 0, true
	var walk func(n *snapshot.Node)
	walk = func(n *snapshot.Node) {
		for _, r := range n.TextRuns() {
			chars += len(r.Text)
		}
		for c := range w.t.Children(n.I) {
			nodes++
			if c.Verdict == snapshot.VerdictRef || chars > 4*max || nodes > 64 {
				ok = false
			}
			if !ok {
				return
			}
			walk(c)
		}
	}
	walk(n)
	return ok && utf8.RuneCountInString(textOf(w.t, n)) <= max
}
