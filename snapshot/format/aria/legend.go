package aria

import (
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
)

// notesLegend explains the notes, which are those of every profile.
const notesLegend = "- lines that begin with #: notes about this text, such as what did not fit, not of the page"

// Legend explains the aria format to an agent.
func Legend(k dump.Common, own Options) string {
	o := settings{k, own}
	a := o.Options
	lines := []string{"LEGEND for the page text:"}
	add := func(s ...string) { lines = append(lines, s...) }
	add(`- button "Save": an element: its role, then its name; two blanks deeper lies what it holds`)
	if a.Playwright {
		add("- [checked], [disabled], [expanded], [pressed], [selected], [level=2]: states that hold; level of a "+
			"heading",
			"- text after a colon: what the element says or holds", "- /url, /placeholder: of the element above")
		if a.Mode == ModeAI {
			add("- [ref=e12]: use e12 in actions")
		}
		if a.Boxes {
			add("- [box=x,y,width,height]: where it is, px on screen")
		}
		add(dump.NoteLegend(o.Common, comment)...)
		add(notesLegend)
		return strings.Join(lines, "\n")
	}
	if a.Mode == "" || a.Mode == ModeAI {
		ref := "s1e12"
		if profileOf(k).frameRefs {
			ref = "f0s1e12"
		}
		add("- [ref=" + ref + "]: use " + ref + " in actions")
	}
	states := "checked, disabled, expanded, collapsed, pressed, selected, required, invalid"
	if profileOf(k).additions {
		states += ", readonly, current, sort=ascending, busy, focused, scrollable"
	}
	add("- "+states+": states that hold; mixed is neither on nor off",
		"- [level=2]: level of a heading; [name=email]: name of a form field",
		`- text after a colon, "user@example.com": what a field holds, or what the element says beside its name`)
	if profileOf(k).additions {
		add("- [" + guessed + "]: the page gives it no name, and this is what stands beside it")
		add("- [placeholder=…]: the hint in an empty field; [value=…]: what a field holds, where more follows")
	}
	if o.MarkCovered && profileOf(k).additions {
		add("- [covered=s1e30]: a click lands on element s1e30 instead")
	}
	if a.LinkURLs {
		add("- [url=…]: where a link goes")
	}
	if profileOf(k).additions {
		add("- generic: an element without a role that can be operated; document: a page within the page",
			`- "…", \u202e: characters of the page, as in JSON; a line of the page is never outside of quotes`)
	}
	switch a.Detail {
	case Interactive:
		add("- path=main > form: what the element lies in")
	case Summary:
		add("- landmarks, headings: the parts of the page; interactiveCount: how many elements in it can be " +
			"operated; children: what is in it")
	}
	if a.Detail == "" || a.Detail == Full {
		if profileOf(k).additions {
			add("- # aria-hidden after a line: people see it, and it is no part of the accessibility tree")
		}
		add(dump.NoteLegend(o.Common, comment)...)
	}
	add(notesLegend)
	return strings.Join(lines, "\n")
}
