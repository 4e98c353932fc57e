package markup

import "github.com/refscope/refscope/snapshot/dump"

// LegendSkeleton explains the text of skeleton and hybrid.
func LegendSkeleton(o dump.Common) string {
	s := `LEGEND for the skeleton HTML (what can be operated, nothing else):
- id: element ID (use this in click(i) or setValue(i, text)); f1_12 is element 12 in frame 1
- name, type, href, value, placeholder, role, title, data-testid, data-id: of the page; value, checked and selected ` +
		`are what holds now
- disabled, readonly, checked, selected: states that hold
- data-has-click-listener: a script listens for clicks on it
- html-td and the like: a td of the page that cannot stand alone in HTML; html-unknown: data-tag tells its tag
- <!-- truncated: 38 nodes, 2,140 characters -->: what was cut`
	for _, l := range dump.NoteLegend(o, htmlNote) {
		s += "\n" + l
	}
	if !profileOf(o).additions {
		return s + "\n- aria-label: of the page"
	}
	s += `
- aria-label: the name that a person knows it by; data-guessed: ` +
		`the page gives it none, and this is what stands beside it
- required, contenteditable, aria-checked, aria-selected, aria-pressed, aria-expanded, aria-current, ` +
		`aria-sort, aria-busy: states
- data-llm-in-shadow: inside a shadow root`
	if o.MarkCovered {
		s += "\n- data-covered-by: a click lands on that element instead"
	}
	return s
}

// LegendFull explains the text of full.
func LegendFull(o dump.Common, own Options) string {
	s := `LEGEND for the page's HTML:
- data-id: element ID (use this in click(i) or setValue(i, text)); f1_12 is element 12 in frame 1
- data-interactive: can be operated; data-visible: can be seen, scrolled to where needed
- data-frame-id: the frame it is in; data-has-click-listener: a script listens for clicks on it
- html-iframe: a frame with its document; html-p and the like: a tag that cannot stand there in HTML; html-unknown: ` +
		`data-tag tells its tag
- html-beside: what the page has outside its body
- page-…: an attribute of the page that has a name of ours; page-attr1, page-value1: one whose name HTML cannot write
- scripts, styles, svg but for its words, and metadata are left out
- <!-- truncated: 38 nodes, 2,140 characters -->: what was cut`
	for _, l := range dump.NoteLegend(o, htmlNote) {
		s += "\n" + l
	}
	if profileOf(o).additions {
		s += "\n- data-llm-in-shadow: inside a shadow root; data-unread: why a frame has no content"
	}
	if o.MarkCovered && profileOf(o).additions {
		s += "\n- data-covered-by: a click lands on that element instead"
	}
	if !own.NoTemplates {
		s += `
- <template id="t1" count="8">: a pattern and how often it is used; <t1 ids="12 13" v1="…" v2="…"> or <template ` +
			`use="t1" …> is the pattern with
  these numbers and texts in the places of {{id1}}, {{id2}} and {{v1}}, {{v2}} ({{id}} and {{v}} where there is one)`
	}
	return s
}

// LegendHybrid explains the text of hybrid.
func LegendHybrid(o dump.Common) string {
	return LegendSkeleton(o) + "\n- the picture beside it shows the visible part of the page; a mark on it has the " +
		"number of the id"
}
