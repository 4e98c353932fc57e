package dddk

import (
	"fmt"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Text of the dddk format: pieces of text from several elements wait here until
// something that needs a line of its own ends them, and then become one line, a
// cell of a row, or several lines where one would be too long.

// text adds to the text that waits for its line.
func (w *dddk) text(s string, x walkState) {
	if x.silent || s == "" || x.host == nil {
		return
	}
	if len(w.pend) > 0 && w.pendAt.host != x.host {
		w.flush()
	}
	w.pendAt = x
	w.pend = append(w.pend, dump.Stretch{Node: x.from, Text: s, Block: w.atBlock})
	w.atBlock = false
}

// boundary separates the words of different blocks. In a content line that is a
// space; anywhere else, a new line.
func (w *dddk) boundary(n *snapshot.Node, x walkState) {
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
	ps := dump.SquashStretches(w.pend)
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
		w.AddCells([]dump.Cell{c}, x.depth)
	}
}

// flushRow prints the cells that wait for the rest of their row.
func (w *dddk) flushRow() {
	if len(w.row) > 0 {
		w.AddCells(w.row, w.rowDepth)
		w.row = w.row[:0]
	}
}

// splitPieces gives blocks lines of their own where all of them together are
// longer than one line may be. A single block stays whole, and is cut.
func splitPieces(ps []dump.Stretch, max int) [][]dump.Stretch {
	total := 0
	for _, p := range ps {
		total += utf8.RuneCountInString(p.Text)
	}
	if total <= max {
		return [][]dump.Stretch{ps}
	}
	var out [][]dump.Stretch
	from, length := 0, 0
	for i := 0; i < len(ps); {
		end, n := i, 0 // the block that begins here
		for end < len(ps) && (end == i || !ps[end].Block) {
			n += utf8.RuneCountInString(ps[end].Text)
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
func (w *dddk) cellOf(x walkState, ps []dump.Stretch, max int) dump.Cell {
	host := x.host
	c := dump.Cell{}
	if host.Verdict == snapshot.VerdictContent || host.Verdict == snapshot.VerdictRef {
		c.Node = host
	}
	total := 0
	for _, p := range ps {
		total += utf8.RuneCountInString(p.Text)
	}
	left := max
	for i, p := range ps {
		s := p.Text
		if i == 0 && s[0] == ' ' {
			s = s[1:] // a split line begins without the joint
			total--
		}
		if left <= 0 {
			s = ""
		}
		n := utf8.RuneCountInString(s)
		if total > max && n >= left && left > 0 {
			s = text.Cut(s+"…", left) // the text continues: leave room for a note of it
		}
		left -= n
		if c.Node == nil && p.Node != nil {
			c.Node = p.Node
		}
		if s == "" {
			if p.Node != nil && p.Node != host {
				w.Omit(p.Node.I, dump.ReasonCut,
					"its text is beyond the "+fmt.Sprint(max)+" characters of the line around it")
			}
			continue
		}
		if s = escapeText(text.Visible(s)); len(c.Text) == 0 && !snapshot.IsContentTag(host.Tag) {
			s = dump.Guard(s)
		}
		start := len(c.Text)
		c.Text += s
		if s[0] == ' ' {
			start++ // the joint belongs to neither
		}
		if p.Node != nil && p.Node != c.Node {
			c.Spans = append(c.Spans, dump.Span{Start: start, End: len(c.Text), Node: p.Node.I})
		}
	}
	if c.Node == nil {
		c.Node = host
	}
	if total > max {
		w.Omit(c.Node.I, dump.ReasonCut, fmt.Sprintf("text cut from %d to %d characters", total, max))
	}
	if snapshot.IsContentTag(host.Tag) && x.line {
		open := "<" + host.Tag + w.sorted(host) + ">"
		for i := range c.Spans {
			c.Spans[i].Start += len(open)
			c.Spans[i].End += len(open)
		}
		c.Text = open + c.Text + "</" + host.Tag + ">"
		if !x.row {
			c.Text += w.covered(c.Node)
		}
	}
	return c
}

// takes reports whether the line that text goes to takes a content tag inside it:
// a cell all of them, any other line paragraphs, and both only where that is short
// text alone. A nested list keeps its items.
func (x walkState) takes(tag string) bool {
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
	return ok && utf8.RuneCountInString(dump.TextOf(w.t, n)) <= max
}

// headings maps sections that have no name to the first heading in them, so that
// a section differs from its neighbours. A heading inside a nested section
// names that one. One pass, because parents come before their children.
func headings(c *snapshot.Capture, t *snapshot.Tree) map[int]*snapshot.Node {
	first := map[int]*snapshot.Node{}
	owner := make(map[int]int)
	for p := range c.Nodes {
		n := &c.Nodes[p]
		mine := -1
		if up := t.Node(n.Parent); up != nil {
			switch {
			case namedByHeading(up):
				mine = up.I
			case snapshot.IsSection(up.Tag) && up.Tag != "header" && up.Tag != "hgroup", snapshot.IsFrame(up.Tag):
			default:
				if o, ok := owner[up.I]; ok {
					mine = o
				}
			}
		}
		if mine < 0 {
			continue
		}
		owner[n.I] = mine
		if first[mine] == nil && n.Verdict.Rendered() && (snapshot.IsHeading(n.Tag) || n.Role == "heading") {
			first[mine] = n
		}
	}
	return first
}

// namedByHeading are the sections that a heading inside them names. Page-wide
// landmarks (main, header, nav …) are not: their headings name parts of them.
func namedByHeading(n *snapshot.Node) bool {
	switch n.Tag {
	case "section", "article", "aside", "form", "dialog":
		return true
	}
	return n.IsModal()
}
