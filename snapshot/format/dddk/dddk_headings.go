package dddk

import "github.com/refscope/refscope/snapshot"

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
