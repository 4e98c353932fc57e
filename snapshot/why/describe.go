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
