package dddk

import "github.com/refscope/refscope/snapshot/dump"

// Legend explains the text to an agent.
func Legend(o dump.Common) string {
	s := `LEGEND for the page text:
- URL, TITLE, VIEWPORT: the page, and how many px of it are above, in and below the visible part
- [12]<button>Save</button>: an element; use its number 12 in actions
- ↑ or ↓ before the number: above or below the visible part, scroll to it first (← or →: sideways, in its container)
- tabs: an element one tab deeper lies inside the section, table, form or dialog above it
- lines without a number are text of the page
`
	for _, l := range dump.NoteLegend(o, dump.Bracketed) {
		s += l + "\n"
	}
	if !profileOf(o).states {
		return s + "- [...truncated]: the rest of the page did not fit"
	}
	s += `- checked, selected, expanded, required, disabled, inert, current, sort="…", busy: states that hold; ` +
		`what is disabled or inert cannot be operated
- aria-label="…", title="…", label="…" of a field: its name, where the page shows no label
- value="…" of a select: what is chosen; "| +5": that it has 5 more options
- <iframe> title: a page within the page; (not read: …): why its content is missing
- a backslash before a line, &lt; &gt; &quot; &amp; and \u{202e}: characters of the page, spelled out
- [...truncated: 38 nodes, 2,140 characters]: what did not fit`
	if o.MarkCovered {
		s += "\n- (covered by [30]): a click lands on element 30 instead"
	}
	return s
}
