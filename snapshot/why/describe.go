package why

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Describe is an element in a few words, for a title or a chip: button “Place order”.
func Describe(n *snapshot.Node) string {
	word := n.Role
	if word == "" || word == "generic" {
		word = "<" + n.Tag + ">"
	}
	word = text.Cut(text.Line(word), 30)
	if name := text.Cut(text.Line(n.Name), 60); name != "" {
		return word + " “" + name + "”"
	}
	return word
}

// VerdictLabel is a verdict in a word or two, for a list.
func VerdictLabel(v snapshot.Verdict) string {
	switch v {
	case snapshot.VerdictRef:
		return "Kept"
	case snapshot.VerdictContent:
		return "Kept as text"
	case snapshot.VerdictWrapper:
		return "Layout only"
	case snapshot.VerdictInsideAtomic:
		return "Part of its control"
	case snapshot.VerdictSkippedTag:
		return "Nothing to show"
	case snapshot.VerdictOptOut:
		return "Opted out"
	case snapshot.VerdictFiltered:
		return "Filtered"
	case snapshot.VerdictDisplayNone, snapshot.VerdictVisibilityHidden, snapshot.VerdictContentHidden:
		return "Not rendered"
	case snapshot.VerdictZeroBox:
		return "No size"
	case snapshot.VerdictTransparent:
		return "Transparent"
	case snapshot.VerdictClipped:
		return "Clipped"
	case snapshot.VerdictUnreachable:
		return "Not readable"
	case snapshot.VerdictLimit:
		return "Beyond the size limit"
	}
	return text.Cut(text.Line(string(v)), 24)
}
