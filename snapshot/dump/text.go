package dump

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Bounds of one gather. They keep a page that nests controls in controls from
// costing the square of its size; what they stop is far beyond every cap.
const (
	gatherBytes = 8_000
	gatherNodes = 20_000
	maxDepth    = 10_000 // nesting beyond which a tree is not followed
)

// gather is [snapshot.Tree.Gather] within the bounds.
func gather(t *snapshot.Tree, n *snapshot.Node, how snapshot.Gather) string {
	how.MaxBytes, how.MaxNodes = gatherBytes, gatherNodes
	return t.Gather(n, how)
}

// textOf is the text of node n and everything rendered inside it: white space
// squashed, words of different blocks apart, img by its alt text, form controls
// without their values and choices.
func textOf(t *snapshot.Tree, n *snapshot.Node) string {
	return text.Squash(gather(t, n, snapshot.Gather{}))
}

// looseText is textOf without the text of kept elements inside.
func looseText(t *snapshot.Tree, n *snapshot.Node) string {
	return text.Squash(gather(t, n, snapshot.Gather{Skip: func(c *snapshot.Node) bool { return c.Verdict.Kept() }}))
}

// rawTextOf is textOf with the white space of a pre element.
func rawTextOf(t *snapshot.Tree, n *snapshot.Node) string {
	return text.Breaks(gather(t, n, snapshot.Gather{Raw: true}))
}

// optionText is the text of an option, which a closed select does not render.
func optionText(t *snapshot.Tree, n *snapshot.Node) string {
	if l := text.Squash(n.Attr("label")); l != "" {
		return l
	}
	if s := text.Squash(gather(t, n, snapshot.Gather{All: true})); s != "" {
		return s
	}
	return text.Squash(n.Name)
}

// textContent is all text in node n as the DOM has it: nothing between the words
// of neighbouring blocks. Shadow content is not part of it.
func textContent(t *snapshot.Tree, n *snapshot.Node) string {
	return gather(t, n, snapshot.Gather{Glue: true, All: true})
}

// label is what a line calls the element: its accessible name where it has one,
// because that is what the page's author, a screen reader and every other format
// call it, else its text.
func label(t *snapshot.Tree, n *snapshot.Node) string {
	if s := text.Squash(n.Name); s != "" {
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
