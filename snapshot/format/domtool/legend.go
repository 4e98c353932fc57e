package domtool

import (
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
)

// Legend explains the keys of PageSerialized.
func Legend(k dump.Common, own Options) string {
	o := settings{k, own}
	s := []string{
		"LEGEND for page:",
		"- context: url, title, domain, viewport (width, height px)",
		"- body: the page as a tree; iframe: pages within it; shadowDom: shadow roots; each node has",
		"  - node_id: use it in actions; tag, role, ariaLabel (its name), text (\"• \" before list items), value (of " +
			"a field)",
		"  - visible: a person can see it; actionable: it can be operated; text_overflow: the text is " +
			"long, and goes on where it ends with …",
		"  - children: the nodes in it; tag #text is text between them, tag summary stands for what was left out",
	}
	if profileOf(o.Common).additions {
		s = append(s,
			"  - ref: number of the element on the picture; type: of an input; placeholder: of a field; src: file of "+
				"an image; states: those that hold; options: choices of a select, disabledOptions: "+
				"those that nobody can choose, moreOptions: how many are not listed",
			"  - guessed: the page gives it no name, and ariaLabel is what stands beside it",
			"  - coveredBy: ref of the element on which a click lands instead, its tag where that has none",
			"  - host: node_id of the element that an entry of iframe or shadowDom belongs to; mode: open or closed; "+
				"url: of the frame")
	}
	if o.IncludeLayout {
		s = append(s, "  - layout: box [x, y, width, height] px on screen; z, position, top: how it lies over the "+
			"page; group: how its children are arranged (row, grid, nav-bar); row, column: its place in that")
	}
	s = append(s, "- meta: truncated (something did not fit), totalNodes, version, error (no-body: there is no page)")
	if profileOf(o.Common).additions {
		s = append(s, "  omittedNodes (cut), visibleNodes, actionableNodes, estimatedTokens, unsupported: node_id, "+
			"tag, reason of what could not be read, moreUnsupported: how many more; captureMs: ms that reading took")
	}
	return strings.Join(s, "\n")
}
