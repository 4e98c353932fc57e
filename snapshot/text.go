package snapshot

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The text of a subtree, as a person reads it. Every format and every judgement about a
// page gathers it here.

// maxTextDepth is the nesting beyond which text is not gathered.
const maxTextDepth = 10_000

// Gather names which text of a subtree is gathered and how it is joined. The zero value
// is what is drawn: rendered elements only, words of different blocks and of inline
// elements that are drawn apart separated by a space, img by its alt text, frames and
// form controls without what is in them. White space is as in the page.
type Gather struct {
	Raw  bool // as inside pre: no spaces of ours, br is a line feed
	All  bool // rendered or not: options of a closed select have no box
	Laid bool // also what is transparent or clipped away, see [Verdict.Laid]
	// Glue reads as textContent does: nothing between blocks, and no shadow content of what is not in a shadow tree
	// itself.
	Glue bool
	// Controls takes in what form controls and frames hold.
	Controls bool
	// NoAlt leaves the alt texts of images out, as a script of the page reads text.
	NoAlt bool
	// Skip leaves out elements, with all in them; nil for none.
	Skip func(*Node) bool
	// MaxBytes and MaxNodes stop gathering once there is more text, in bytes of UTF-8,
	// or more elements have been visited; 0 for no such bound.
	MaxBytes, MaxNodes int
}

// Text is the drawn text of the subtree of node i, form controls and frames included,
// with single spaces; "" where the capture does not hold the node.
func (t *Tree) Text(i int) string {
	return strings.Join(strings.Fields(t.Gather(t.Node(i), Gather{Controls: true})), " ")
}

// rowBytes bounds the words that name a row.
const rowBytes = 60

// Row names the row of a table or the item of a list that the node with index i is in, as a person tells its "edit"
// from that of the next row: the words of the first part that does not hold the node. It is "" outside rows, and in a
// row of nothing else.
func (t *Tree) Row(i int) string {
	within := i
	for up := range t.Ancestors(i) {
		if up.Tag == "tr" || up.Role == "row" || up.Role == "listitem" {
			for part := range t.Children(up.I) {
				if part.I == within {
					continue
				}
				words := strings.Fields(t.Gather(part, Gather{MaxBytes: rowBytes}))
				if line := strings.Join(words, " "); line != "" {
					return line
				}
			}
		}
		within = up.I
	}
	return ""
}

// InnerText is [Tree.Text] without the alt texts of images.
func (t *Tree) InnerText(i int) string {
	return strings.Join(strings.Fields(t.Gather(t.Node(i), Gather{Controls: true, NoAlt: true})), " ")
}

// Gather is the text of node n, which may be nil, and all in it.
func (t *Tree) Gather(n *Node, how Gather) string {
	if n == nil {
		return ""
	}
	g := gatherer{t: t, Gather: how, shadow: n.Shadow != ""}
	g.node(n, 0)
	return g.b.String()
}

type gatherer struct {
	Gather
	t     *Tree
	b     strings.Builder
	nodes int
	// shadow: what is gathered from is in a shadow tree.
	shadow bool
}

func (g *gatherer) node(n *Node, depth int) {
	g.nodes++
	if n.Tag == "canvas" && !g.All { // what is in it is for browsers that cannot draw, and nobody sees it
		return
	}
	if depth > maxTextDepth || g.MaxNodes > 0 && g.nodes > g.MaxNodes || g.MaxBytes > 0 && g.b.Len() > g.MaxBytes {
		return
	}
	var last *Node // the inline element right before, with no text since
	text := func(s string) {
		if !g.Glue || g.shadow || n.Shadow == "" {
			g.b.WriteString(s)
			last = nil
		}
	}
	g.t.InOrder(n, text, func(c *Node) {
		switch {
		case g.Skip != nil && g.Skip(c):
			g.b.WriteByte(' ')
		case g.Glue:
			if !IsFrame(c.Tag) {
				g.node(c, depth+1)
			}
		case !g.All && !c.Verdict.Rendered() && c.Tag != "svg" && !(g.Laid && c.Verdict.Laid()), !g.Controls &&
			(IsFormControl(c.Tag) || IsFrame(c.Tag)):
		case c.Tag == "img" && !g.NoAlt:
			g.b.WriteString(" " + c.Attr("alt") + " ")
		case c.Tag == "canvas" && !g.All && !g.NoAlt:
			g.b.WriteString(" " + c.Name + " ")
		case c.Tag == "br" && g.Raw:
			g.b.WriteByte('\n')
		case g.Raw || !c.Block && c.Tag != "br":
			if !g.Raw && Apart(last, c) {
				g.b.WriteByte(' ')
			}
			g.node(c, depth+1)
			last = c
		default:
			g.b.WriteByte(' ')
			g.node(c, depth+1)
			g.b.WriteByte(' ')
		}
	})
}

// InOrder calls text and child for the node's runs and children in document order. A
// run before a child that the capture does not hold (it may have been filtered) comes
// before the next one that it does.
func (t *Tree) InOrder(n *Node, text func(string), child func(*Node)) {
	rs, at := n.TextRuns(), 0
	for c := range t.Children(n.I) {
		for at < len(rs) && rs[at].Before >= 0 && rs[at].Before <= c.I {
			text(rs[at].Text)
			at++
		}
		child(c)
	}
	for ; at < len(rs); at++ {
		text(rs[at].Text)
	}
}

// TextRuns are the node's own stretches of text. A node that has text and no runs is one
// stretch before its children.
func (n *Node) TextRuns() []Run {
	if len(n.Runs) > 0 || n.Text == "" {
		return n.Runs
	}
	return []Run{{Text: n.Text, Before: 0}}
}

// Written is the node with the text of the document alone, without what style sheets write before and after it: what
// scripts and locators read. A text that something was taken out of stays as it is.
func (n *Node) Written() *Node {
	if n.Generated == [2]int{} || len(n.Runs) == 0 || slices.Contains(n.Redacted, "text") {
		return n
	}
	w := *n
	w.Runs, w.Text = slices.Clone(n.Runs), ""
	first, last := &w.Runs[0].Text, &w.Runs[len(w.Runs)-1].Text
	*first = (*first)[min(max(n.Generated[0], 0), len(*first)):]
	*last = (*last)[:max(len(*last)-max(n.Generated[1], 0), 0)]
	w.Runs = slices.DeleteFunc(w.Runs, func(r Run) bool { return r.Text == "" })
	return &w
}

// JoinRuns is the element's own text of its runs: collapsed and trimmed, but as it is in pre. isBreak reports whether
// the element before which a run stands is a br.
func (n *Node) JoinRuns(isBreak func(node int) bool) string {
	if len(n.Runs) == 1 && n.Runs[0].Before < 0 && isCollapsed(n.Runs[0].Text) {
		return n.Runs[0].Text
	}
	var b strings.Builder
	for _, r := range n.Runs {
		b.WriteString(r.Text)
		if r.Before >= 0 && isBreak(r.Before) {
			b.WriteByte('\n')
		}
	}
	if n.Tag == "pre" {
		return b.String()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// isCollapsed reports whether a text is plain ASCII that strings.Fields and single spaces would put together again.
func isCollapsed(text string) bool {
	space := true // before the text, as none may begin it
	for k := range len(text) {
		c := text[k]
		if c < ' ' || c >= 0x7f || (c == ' ' && space) {
			return false
		}
		space = c == ' '
	}
	return !space
}

// IsFormControl reports whether what is in an element of the tag is its value or its
// choices and not text of what is around it.
func IsFormControl(tag string) bool {
	switch tag {
	case "select", "textarea", "input", "datalist", "option", "optgroup":
		return true
	}
	return false
}

// Apart reports whether two neighbours that have no white space between them are drawn
// apart anyway. Either may be nil.
func Apart(a, b *Node) bool {
	if a == nil || b == nil || a == b || a.Box.Empty() || b.Box.Empty() || a.I == b.Parent || b.I == a.Parent {
		return false
	}
	if a.Box.Bottom() <= b.Box.Y() || b.Box.Bottom() <= a.Box.Y() {
		return true
	}
	if b.Box.X()-a.Box.Right() > 1 || a.Box.X()-b.Box.Right() > 1 || roomy(a) || roomy(b) {
		return true
	}
	x, y := wordsBox(a), wordsBox(b)
	return max(y.X()-x.Right(), x.X()-y.Right()) > wordGap*min(x.H(), y.H())
}

// wordGap is how far words are apart that no white space parts, in heights of their line: a space is about a quarter
// of one wide.
const wordGap = 0.3

// wordsBox is where the words of an element on one line are drawn, its box where that is not known.
func wordsBox(n *Node) Box {
	if len(n.TextRects) == 1 {
		return n.TextRects[0]
	}
	return n.Box
}

// roomy reports whether an element out of view is wider than its words can be, as a cell of a table of boxes is: no
// sign is wider than its line is high.
func roomy(n *Node) bool {
	return len(n.TextRects) == 0 && n.Text != "" &&
		n.Box.W() > (1+wordGap)*float64(utf8.RuneCountInString(n.Text))*n.Box.H()
}
