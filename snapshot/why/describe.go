package why

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Called is an element as a person calls it, for a sentence that tells what to press: “Close” where it has words of its
// own, inside it or in its hints, else as [Describe] has it.
func Called(t *snapshot.Tree, n *snapshot.Node) string {
	if n.Name != "" {
		return Describe(n)
	}
	for _, words := range []string{t.Text(n.I), n.Attrs["title"], n.Attrs["aria-label"], n.Attrs["alt"],
		n.Attrs["value"]} {
		if words = text.Cut(text.Line(words), 60); words != "" {
			return "“" + words + "”"
		}
	}
	return Describe(n)
}

// Describe is an element in a few words, for a title or a chip: button “Place order”.
func Describe(n *snapshot.Node) string {
	word := text.Cut(text.Line(n.Kind()), 30)
	if name := text.Cut(text.Line(n.Name), 60); name != "" {
		return word + " “" + name + "”"
	}
	return word
}
