package find

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// gatherer collects the text of a line: an element's runs and those of the inline
// elements in it, in order. It is bounded, for a page may nest at will.
type gatherer struct {
	t     *snapshot.Tree
	b     strings.Builder
	nodes int
}

func (g *gatherer) node(n *snapshot.Node) {
	if g.nodes++; g.nodes > maxNodes || g.b.Len() > maxText {
		return
	}
	runs := n.Runs
	if len(runs) == 0 && n.Text != "" {
		runs = []snapshot.Run{{Text: n.Text, Before: 0}}
	}
	at := 0
	for c := range g.t.Children(n.I) {
		for ; at < len(runs) && runs[at].Before >= 0 && runs[at].Before <= c.I; at++ {
			g.b.WriteString(bounded(runs[at].Text))
		}
		switch {
		case c.Block:
			g.b.WriteByte(' ')
		case !drawn(c):
		case c.Tag == "img":
			g.b.WriteString(" " + bounded(c.Attr("alt")) + " ")
		default:
			g.node(c)
		}
	}
	for ; at < len(runs); at++ {
		g.b.WriteString(bounded(runs[at].Text))
	}
}

// drawn reports whether the element's text is seen.
func drawn(n *snapshot.Node) bool {
	switch n.Verdict {
	case snapshot.VerdictRef, snapshot.VerdictContent, snapshot.VerdictWrapper, snapshot.VerdictInsideAtomic:
		return true
	}
	return false
}
