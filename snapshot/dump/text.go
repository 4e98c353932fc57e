package dump

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// Bounds of one gather. They keep a page that nests controls in controls from
// costing the square of its size; what they stop is far beyond every cap.
const (
	gatherChars = 8_000
	gatherNodes = 20_000
	maxDepth    = 10_000 // nesting beyond which a tree is not followed
)

// rendered reports whether the node's own text is drawn.
func rendered(n *snapshot.Node) bool {
	switch n.Verdict {
	case snapshot.VerdictRef, snapshot.VerdictContent, snapshot.VerdictWrapper, snapshot.VerdictInsideAtomic:
		return true
	}
	return false
}

// formControl reports whether the tag's content is its value or its choices and
// not text of what is around it.
func formControl(tag string) bool {
	switch tag {
	case "select", "textarea", "input", "datalist", "option", "optgroup":
		return true
	}
	return false
}

// runs are the node's own stretches of text. A node that has text and no runs is
// one stretch before its children.
func runs(n *snapshot.Node) []snapshot.Run {
	if len(n.Runs) > 0 || n.Text == "" {
		return n.Runs
	}
	first := [1]snapshot.Run{{Text: n.Text, Before: 0}}
	return first[:]
}

// inOrder calls text and child for the node's runs and children in document
// order. A run before a child that the capture does not hold (it may have been
// filtered) comes before the next one that it does.
func inOrder(t *snapshot.Tree, n *snapshot.Node, text func(string), child func(*snapshot.Node)) {
	rs, at := runs(n), 0
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

// gatherer collects the text of a subtree as a person reads it.
type gatherer struct {
	t     *snapshot.Tree
	b     strings.Builder
	nodes int
	raw   bool // keep white space: pre
	all   bool // rendered or not: options of a closed select have no box
	glue  bool // as textContent does, without spaces between blocks
	// skip leaves out elements that have a place of their own; nil for none.
	skip  func(*snapshot.Node) bool
	loose bool // without what is in kept elements
}

// textOf is the text of node n and everything rendered inside it: white space
// squashed, words of different blocks apart, img by its alt text, form controls
// without their values and choices.
func textOf(t *snapshot.Tree, n *snapshot.Node) string {
	g := gatherer{t: t}
	g.node(n, 0)
	return squash(g.b.String())
}

// looseText is textOf without the text of kept elements inside.
func looseText(t *snapshot.Tree, n *snapshot.Node) string {
	g := gatherer{t: t, loose: true}
	g.node(n, 0)
	return squash(g.b.String())
}

// rawTextOf is textOf with the white space of a pre element.
func rawTextOf(t *snapshot.Tree, n *snapshot.Node) string {
	g := gatherer{t: t, raw: true}
	g.node(n, 0)
	return lines(g.b.String())
}

// optionText is the text of an option, which a closed select does not render.
func optionText(t *snapshot.Tree, n *snapshot.Node) string {
	if l := squash(n.Attr("label")); l != "" {
		return l
	}
	g := gatherer{t: t, all: true}
	g.node(n, 0)
	if s := squash(g.b.String()); s != "" {
		return s
	}
	return squash(n.Name)
}

// textContent is all text in node n as the DOM has it: nothing between the words
// of neighbouring blocks. Shadow content is not part of it.
func textContent(t *snapshot.Tree, n *snapshot.Node) string {
	g := gatherer{t: t, glue: true, all: true}
	g.node(n, 0)
	return g.b.String()
}

func (g *gatherer) node(n *snapshot.Node, depth int) {
	if g.nodes++; g.nodes > gatherNodes || g.b.Len() > gatherChars || depth > maxDepth {
		return
	}
	var last *snapshot.Node // the inline element right before, with no text since
	text := func(s string) {
		if !g.glue || n.Shadow == "" {
			g.b.WriteString(s)
			last = nil
		}
	}
	inOrder(g.t, n, text, func(c *snapshot.Node) {
		switch {
		case g.glue:
			if !snapshot.IsFrame(c.Tag) {
				g.node(c, depth+1)
			}
		case g.loose && c.Verdict.Kept():
			g.b.WriteByte(' ')
		case !g.all && !rendered(c), formControl(c.Tag), snapshot.IsFrame(c.Tag):
		case g.skip != nil && g.skip(c):
			g.b.WriteByte(' ')
		case c.Tag == "img":
			g.b.WriteString(" " + c.Attr("alt") + " ")
		case c.Tag == "br" && g.raw:
			g.b.WriteByte('\n')
		case g.raw || !c.Block:
			if !g.raw && apart(last, c) {
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

// label is what a line calls the element: its accessible name where it has one,
// because that is what the page's author, a screen reader and every other format
// call it, else its text.
func label(t *snapshot.Tree, n *snapshot.Node) string {
	if s := squash(n.Name); s != "" {
		return s
	}
	return textOf(t, n)
}

// headings maps sections that have no name to the first heading in them, so that
// a section can be told from its neighbours. A heading inside a nested section
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
		if first[mine] == nil && rendered(n) && (snapshot.IsHeading(n.Tag) || n.Role == "heading") {
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
