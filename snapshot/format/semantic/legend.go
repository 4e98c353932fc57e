package semantic

import (
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
)

// Legend explains the format semantic to an agent.
func Legend(k dump.Common, own Options) string { return legend(settings{k, own}, false) }

// LegendAX explains the format ax to an agent.
func LegendAX(k dump.Common, own Options) string { return legend(settings{k, own}, true) }

// legend is the seed's legend (2, Key Legend), completed; ax has one key more.
func legend(o settings, ax bool) string {
	lines := []string{"LEGEND for interactive_tree format:"}
	id := "element ID (use this in click(i) or setValue(i, text)); f1_12 is element 12 in frame 1"
	if profileOf(o, ax).backend {
		id = "element ID, Chrome's backendNodeId (use this in click(i) or setValue(i, text))"
	}
	roles := "btn=button, inp=input, link=link, chk=checkbox, radio, sel=select, menu=menuitem, tab, opt=option, " +
		"switch, slider; others in full, or the tag"
	states := "disabled, readonly, required, invalid, checked, mixed, selected, pressed, expanded, collapsed, " +
		"current, sort=ascending, busy; several joined by a comma"
	if o.Long {
		lines = append(lines,
			"- id: "+id,
			"- role: button, link, textbox, checkbox, radio, select, menuitem, tab, option, switch, slider and "+
				"others, or the tag",
			"- name: name/label visible to user",
			"- value: current value (for inputs; absent where empty)",
			"- state: "+states,
			"- type, placeholder, href: of the element, where it has them",
			"- coordinates: [x, y] where to click, px on screen",
			"- box: [x, y, width, height] px on screen",
			"- isInShadow: true inside a shadow root",
			"- frameId: frame of the element (0 = main frame, omitted if 0)",
			"- scrollable: scroll container; depth = how far it is scrolled, hasMore = true if more is below; depthX "+
				"and hasMoreX the same sideways",
			"- occluded: true if something covers it: a click lands elsewhere",
			"- focused: true if it has the focus"+guessedLegend(o))
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
			"- scr: scroll container; depth = how far it is scrolled, h = true if more is below; depthX and hX the "+
				"same sideways",
			"- occ: true if something covers it: a click lands elsewhere",
			"- focused: true if it has the focus"+guessedLegend(o))
	}
	lines = append(lines,
		"Around it: mode, url, title, viewport (width, height in px), scroll_position (of the page),",
		"scrollable_containers (id, depth, hasMore, depthX and hasMoreX sideways, virtual = only the items near the "+
			"visible part are loaded), recent_events (what changed lately), has_errors, has_success,",
		"meta (totalElements found, viewportElements listed, prunedElements left out, occludedElements covered, "+
			"estimatedTokens, and where present extractionTimeMs, cutElements that did not fit)",
	)
	if profileOf(o, ax).source {
		lines = append(lines,
			"source: ax = roles, names and states are those of the browser's accessibility tree, page = "+
				"Refscope's own")
	}
	lines = append(lines,
		"If the target is not found, emit scroll(id) to load more content.")
	return strings.Join(lines, "\n")
}

// guessedLegend explains the key guessed, which no original has.
func guessedLegend(o settings) string {
	if o.Compat {
		return ""
	}
	return "\n- guessed: true if the page gives it no name, and this is what stands beside it"
}

// LegendFiltered explains the filtered answer to an agent.
func LegendFiltered() string {
	return `LEGEND for the filtered page:
- tree: the elements of the page that the task is about, in the order of the page
- i: element ID (use this in click(i) or setValue(i, text)); f1_12 is element 12 in frame 1
- r: role (btn=button, inp=input, link=link, chk=checkbox, radio, sel=select, menu=menuitem, tab, opt=option, ` +
		`switch, slider; others in full, or the tag)
- n: name/label visible to user, or the text
- v: current value (for inputs; absent where empty)
- s: state (disabled, readonly, required, invalid, checked, mixed, selected, pressed, expanded, collapsed, ` +
		`current, sort=ascending, busy; several joined by a comma)
- guessed: true if the page gives it no name, and this is what stands beside it
Around it: mode, reason, originalCount (elements of the whole page), filteredCount (those listed), tokenReduction ` +
		`(percent), and where present cutElements that did not fit.
If the target is not found, ask for the whole page.`
}
