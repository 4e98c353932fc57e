package dump

import "strings"

// Legend is the explanation of a format for an agent's system prompt: every mark
// and every key that the format can emit with the given options.
func Legend(f Format, o Options) string {
	switch f {
	case DDDK:
		return dddkLegend(o)
	case Semantic:
		return semanticLegend(o)
	}
	return ""
}

func dddkLegend(o Options) string {
	s := `LEGEND for the page text:
- URL, TITLE, VIEWPORT: the page, and how many px of it are above, in and below the visible part
- [12]<button>Save</button>: an element; use its number 12 in actions
- ↑ or ↓ before the number: above or below the visible part, scroll to it first
- tabs: an element one tab deeper lies inside the section, table, form or dialog above it
- lines without a number are text of the page
`
	if o.Compat {
		return s + "- [...truncated]: the rest of the page did not fit"
	}
	s += `- checked, selected, expanded, required, disabled: states that hold
- value="…" of a select: what is chosen
- <iframe> title: a page within the page; (not read: …): why its content is missing
- a backslash before a line, &lt; &gt; &quot; &amp; and \u{202e}: characters of the page, spelled out
- [...truncated: 38 nodes, 2,140 characters]: what did not fit`
	if o.MarkCovered {
		s += "\n- (covered by [30]): a click lands on element 30 instead"
	}
	return s
}

// semanticLegend is the seed's legend (2, Key Legend), completed.
func semanticLegend(o Options) string {
	lines := []string{"LEGEND for interactive_tree format:"}
	id := "element ID (use this in click(i) or setValue(i, text)); f1_12 is element 12 in frame 1"
	roles := "btn=button, inp=input, link=link, chk=checkbox, radio, sel=select, menu=menuitem, tab, opt=option, switch, slider; others in full, or the tag"
	states := "disabled, readonly, required, invalid, checked, mixed, selected, pressed, expanded, collapsed; several joined by a comma"
	if o.Long {
		lines = append(lines,
			"- id: "+id,
			"- role: button, link, textbox, checkbox, radio, select, menuitem, tab, option, switch, slider and others, or the tag",
			"- name: name/label visible to user",
			"- value: current value (for inputs; absent where empty)",
			"- state: "+states,
			"- type, placeholder, href: of the element, where it has them",
			"- coordinates: [x, y] where to click, px on screen",
			"- box: [x, y, width, height] px on screen",
			"- isInShadow: true inside a shadow root",
			"- frameId: frame of the element (0 = main frame, omitted if 0)",
			"- scrollable: scroll container; depth = how far it is scrolled, hasMore = true if more is below; depthX, hasMoreX = the same sideways",
			"- occluded: true if something covers it: a click lands elsewhere",
			"- focused: true if it has the focus")
	} else {
		lines = append(lines,
			"- i: "+id,
			"- r: role ("+roles+")",
			"- n: name/label visible to user",
			"- v: current value (for inputs; absent where empty)",
			"- s: state ("+states+")",
			"- xy: [x, y] coordinates on screen, where to click",
			"- f: frame ID (0 = main frame, omitted if 0)",
			"- box: [x, y, width, height] on screen",
			"- scr: scroll container; depth = how far it is scrolled, h = true if more is below; depthX, hx = the same sideways",
			"- occ: true if something covers it: a click lands elsewhere",
			"- focused: true if it has the focus")
	}
	lines = append(lines,
		"Around it: mode, url, title, viewport (width, height in px), scroll_position (of the page),",
		"scrollable_containers (id, depth, hasMore, depthX and hasMoreX = the same sideways, virtual = only the items near the visible part are loaded), recent_events (what changed lately), has_errors, has_success,",
		"meta (totalElements found, viewportElements listed, prunedElements left out, occludedElements covered, estimatedTokens, and where present extractionTimeMs, cutElements that did not fit)",
		"If the target is not found, emit scroll(id) to load more content.")
	return strings.Join(lines, "\n")
}
