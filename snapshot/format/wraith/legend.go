package wraith

import (
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
)

// Legend explains the agent text.
func Legend(o dump.Common) string {
	s := []string{
		"LEGEND for the page text:",
		"- ⚠ OVERLAY DETECTED: something covers the page; press the element named there first",
		"- Page: title and address of the page",
		"- @e12 [button] \"Save\": an element, its role (an input's is its type) and its text; use its number 12 in " +
			"actions",
		"- placeholder, value: of a field",
		"- [DISABLED]: it cannot be operated now",
	}
	s = append(s, dump.NoteLegend(o, dump.Bracketed)...)
	if !profileOf(o).additions {
		s = append(s,
			"- [[iframe: host] role]: an element of a page within the page",
			"- --- Main Content Preview ---: how the page's text begins",
			"- [...truncated: 38 nodes, 2,140 characters]: what did not fit")
		return strings.Join(s, "\n")
	}
	s = append(s,
		"- [text]: a line of text of the page",
		"- label: what the page calls the element; type: of an input whose role says something else",
		"- [GUESSED]: the page gives it no name, and this is what stands beside it",
		"- options: the choices of a select, disabled those that nobody can choose, +5 that there are 5 more; "+
			"level: of a heading",
		"- href, src: address of a link or file of an image that has no text",
		"- frame=@e9: it is in the page that element 9 shows; unreadable: why such a page is missing; shadow: the "+
			"kind of shadow tree it is in",
		"- [CHECKED], [CHECKED=MIXED], [SELECTED], [PRESSED], [EXPANDED], [COLLAPSED], [REQUIRED], [READONLY], "+
			"[INVALID], [CURRENT], [SORT=ASCENDING], [BUSY], [FOCUSED], [INERT]: states that hold",
		"- \\n, \\\" and \\u202e in quotes: characters of the page, spelled as in JSON",
		"- [...truncated: 38 nodes, 2,140 characters]: what did not fit")
	if o.MarkCovered {
		s = append(s, "- [COVERED by @e30]: a click lands on element 30 instead")
	}
	return strings.Join(s, "\n")
}

// LegendJSON explains the keys of DomSnapshot.
func LegendJSON(o dump.Common) string {
	s := []string{
		"LEGEND for the page snapshot (null: not known or not there):",
		"- url, title: of the page; timestamp: when it was read",
		"- elements: what the page shows, in order:",
		"  - ref_id: number of the element; use it in actions",
		"  - role: its role, an input's is its type; text: what it reads; href: address of a link",
		"  - placeholder, value: of a field; enabled: it can be operated; visible: a person can see it",
		"  - aria_label: of the element; selector: CSS path; bounds: [x, y, width, height] px on screen",
	}
	if profileOf(o).additions {
		s = append(s,
			"  - label: what the page calls it; type: of an input whose role says something else; level: of a "+
				"heading; src: file of an image without text",
			"  - guessed: the page gives it no name, and label or text is what stands beside it",
			"  - options: choices of a select, disabled_options: those that nobody can choose, more_options: how many "+
				"are not listed; states: those that hold",
			"  - frame: ref_id of the element whose page it is in; shadow: kind of shadow tree; unreadable: why a "+
				"frame's page is missing",
			"  - covered_by: ref_id of the element on which a click lands instead, its tag where that has none")
	}
	s = append(s,
		"- meta: page_type, main_content_preview, description, form_count, has_login_form, has_captcha, "+
			"interactive_element_count,",
		"  overlays: [ref_id to press first, kind, title] of what covers the page; cut_elements: how many did not fit")
	if profileOf(o).additions {
		s = append(s, "- estimated_tokens: of the page as text")
	}
	return strings.Join(s, "\n")
}
