package dump

import "strings"

// Legend is the explanation of a format for an agent's system prompt: every mark
// and every key that the format can emit with the given options.
func Legend(f Format, o Options) string {
	switch f {
	case DDDK:
		return dddkLegend(o)
	case Semantic:
		return semanticLegend(o, false)
	case Aria:
		return ariaLegend(o)
	case Wraith:
		return wraithLegend(o)
	case WraithJSON:
		return wraithJSONLegend(o)
	case DomTool:
		return domtoolLegend(o)
	case Filtered:
		return filteredLegend()
	case AX:
		return semanticLegend(o, true)
	case Skeleton:
		return skeletonLegend(o)
	case Hybrid:
		return skeletonLegend(o) + "\n- the picture beside it shows the visible part of the page; a mark on it has the number of the id"
	case Full:
		return fullLegend(o)
	}
	return ""
}

// noteLegend explains the notes that options add to a format of lines, which spells
// them in that way.
func noteLegend(o Options, note func(string) string) []string {
	var s []string
	if o.SummariseRepeats {
		s = append(s, "- "+note("30 more <li> like the 20 above, numbered 41-70")+": what follows in the same manner; the numbers can be used like those above")
	}
	if o.Query != "" {
		s = append(s, "- "+note(`filtered for "query": 8 of 500 elements`)+": the page has more; only what the task is about is shown")
	}
	return s
}

func dddkLegend(o Options) string {
	s := `LEGEND for the page text:
- URL, TITLE, VIEWPORT: the page, and how many px of it are above, in and below the visible part
- [12]<button>Save</button>: an element; use its number 12 in actions
- ↑ or ↓ before the number: above or below the visible part, scroll to it first
- tabs: an element one tab deeper lies inside the section, table, form or dialog above it
- lines without a number are text of the page
`
	for _, l := range noteLegend(o, bracketed) {
		s += l + "\n"
	}
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

// skeletonLegend explains the text of skeleton and hybrid.
func skeletonLegend(o Options) string {
	s := `LEGEND for the skeleton HTML (what can be operated, nothing else):
- id: element ID (use this in click(i) or setValue(i, text)); f1_12 is element 12 in frame 1
- name, type, href, value, placeholder, role, title, data-testid, data-id: of the page; value, checked and selected are what holds now
- disabled, readonly, checked, selected: states that hold
- data-has-click-listener: a script listens for clicks on it
- html-td and the like: a td of the page that cannot stand alone in HTML; html-unknown: data-tag tells its tag
- <!-- truncated: 38 nodes, 2,140 characters -->: what was cut`
	for _, l := range noteLegend(o, htmlNote) {
		s += "\n" + l
	}
	if o.Compat {
		return s + "\n- aria-label: of the page"
	}
	s += `
- aria-label: the name that a person knows it by
- required, contenteditable, aria-checked, aria-selected, aria-pressed, aria-expanded: states
- data-llm-in-shadow: inside a shadow root`
	if o.MarkCovered {
		s += "\n- data-covered-by: a click lands on that element instead"
	}
	return s
}

// fullLegend explains the text of full.
func fullLegend(o Options) string {
	s := `LEGEND for the page's HTML:
- data-id: element ID (use this in click(i) or setValue(i, text)); f1_12 is element 12 in frame 1
- data-interactive: can be operated; data-visible: can be seen, scrolled to where needed
- data-frame-id: the frame it is in; data-has-click-listener: a script listens for clicks on it
- html-iframe: a frame with its document; html-p and the like: a tag that cannot stand there in HTML; html-unknown: data-tag tells its tag
- html-beside: what the page has outside its body
- page-…: an attribute of the page that has a name of ours; page-attr1, page-value1: one whose name HTML cannot write
- scripts, styles, svg and metadata are left out
- <!-- truncated: 38 nodes, 2,140 characters -->: what was cut`
	for _, l := range noteLegend(o, htmlNote) {
		s += "\n" + l
	}
	if !o.Compat {
		s += "\n- data-llm-in-shadow: inside a shadow root; data-unread: why a frame has no content"
	}
	if o.MarkCovered && !o.Compat {
		s += "\n- data-covered-by: a click lands on that element instead"
	}
	if !o.NoTemplates {
		s += `
- <template id="t1" count="8">: a pattern and how often it is used; <t1 ids="12 13" v1="…" v2="…"> or <template use="t1" …> is the pattern with
  these numbers and texts in the places of {{id1}}, {{id2}} and {{v1}}, {{v2}} ({{id}} and {{v}} where there is one)`
	}
	return s
}

// semanticLegend is the seed's legend (2, Key Legend), completed; ax has one key more.
func semanticLegend(o Options, ax bool) string {
	lines := []string{"LEGEND for interactive_tree format:"}
	id := "element ID (use this in click(i) or setValue(i, text)); f1_12 is element 12 in frame 1"
	if ax && o.Compat {
		id = "element ID, Chrome's backendNodeId (use this in click(i) or setValue(i, text))"
	}
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
			"- scrollable: scroll container; depth = how far it is scrolled, hasMore = true if more is below; depthX and hasMoreX the same sideways",
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
			"- scr: scroll container; depth = how far it is scrolled, h = true if more is below; depthX and hX the same sideways",
			"- occ: true if something covers it: a click lands elsewhere",
			"- focused: true if it has the focus")
	}
	lines = append(lines,
		"Around it: mode, url, title, viewport (width, height in px), scroll_position (of the page),",
		"scrollable_containers (id, depth, hasMore, depthX and hasMoreX sideways, virtual = only the items near the visible part are loaded), recent_events (what changed lately), has_errors, has_success,",
		"meta (totalElements found, viewportElements listed, prunedElements left out, occludedElements covered, estimatedTokens, and where present extractionTimeMs, cutElements that did not fit)",
	)
	if ax && !o.Compat {
		lines = append(lines, "source: ax = roles, names and states are those of the browser's accessibility tree, page = Refscope's own")
	}
	lines = append(lines,
		"If the target is not found, emit scroll(id) to load more content.")
	return strings.Join(lines, "\n")
}

func filteredLegend() string {
	return `LEGEND for the filtered page:
- tree: the elements of the page that the task is about, in the order of the page
- i: element ID (use this in click(i) or setValue(i, text)); f1_12 is element 12 in frame 1
- r: role (btn=button, inp=input, link=link, chk=checkbox, radio, sel=select, menu=menuitem, tab, opt=option, switch, slider; others in full, or the tag)
- n: name/label visible to user, or the text
- v: current value (for inputs; absent where empty)
- s: state (disabled, readonly, required, invalid, checked, mixed, selected, pressed, expanded, collapsed; several joined by a comma)
Around it: mode, reason, originalCount (elements of the whole page), filteredCount (those listed), tokenReduction (percent), and where present cutElements that did not fit.
If the target is not found, ask for the whole page.`
}
