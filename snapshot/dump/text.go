package dump

import (
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Bounds of one gather. They keep a page that nests controls in controls from
// costing the square of its size; what they stop is far beyond every cap.
const (
	gatherBytes = 8_000
	gatherNodes = 20_000
	MaxDepth    = 10_000 // nesting beyond which a tree is not followed
)

// Gather is [snapshot.Tree.Gather] within the bounds.
func Gather(t *snapshot.Tree, n *snapshot.Node, how snapshot.Gather) string {
	how.MaxBytes, how.MaxNodes = gatherBytes, gatherNodes
	return t.Gather(n, how)
}

// TextOf is the text of node n and everything rendered inside it: white space
// squashed, words of different blocks apart, img by its alt text, form controls
// without their values and choices.
func TextOf(t *snapshot.Tree, n *snapshot.Node) string {
	return text.CollapseSpace(Gather(t, n, snapshot.Gather{}))
}

// ItemText is [TextOf] of an entry of a tree or menu without the numbered entries in it: each has a line of its own.
func ItemText(t *snapshot.Tree, n *snapshot.Node) string {
	if !isEntry(n) {
		return TextOf(t, n)
	}
	return text.CollapseSpace(Gather(t, n,
		snapshot.Gather{Skip: func(c *snapshot.Node) bool { return c.Ref > 0 && isEntry(c) }}))
}

func isEntry(n *snapshot.Node) bool {
	switch n.Role {
	case "treeitem", "menuitem", "menuitemcheckbox", "menuitemradio":
		return true
	}
	return false
}

// LooseText is [TextOf] without the text of kept elements inside.
func LooseText(t *snapshot.Tree, n *snapshot.Node) string {
	return text.CollapseSpace(Gather(t, n,
		snapshot.Gather{Skip: func(c *snapshot.Node) bool { return c.Verdict.Kept() }}))
}

// RawTextOf is [TextOf] with the white space of a pre element.
func RawTextOf(t *snapshot.Tree, n *snapshot.Node) string {
	return text.Breaks(Gather(t, n, snapshot.Gather{Raw: true}))
}

// TextContent is all text in node n as the DOM has it: nothing between the words
// of neighbouring blocks. Shadow content is not part of it.
func TextContent(t *snapshot.Tree, n *snapshot.Node) string {
	return Gather(t, n, snapshot.Gather{Glue: true, All: true})
}

// Label is the element's label on a line: its accessible name where it has one,
// because that is what the page's author, a screen reader and every other format
// call it, else its text.
func Label(t *snapshot.Tree, n *snapshot.Node) string {
	if s := text.CollapseSpace(n.Name); s != "" {
		return s
	}
	return TextOf(t, n)
}

// Stretch is one stretch of waiting text.
type Stretch struct {
	Node  *snapshot.Node // the kept element that it is from, nil for none
	Text  string
	Block bool // it begins a block: a space at least, and a place to split
}

// SquashStretches collapses the white space in and between pieces and drops empty ones.
func SquashStretches(in []Stretch) []Stretch {
	var out []Stretch
	space, block := false, false
	for _, p := range in {
		s := text.CollapseSpace(p.Text)
		if s == "" {
			space, block = true, block || p.Block
			continue
		}
		r, _ := utf8.DecodeRuneInString(p.Text)
		block = block || p.Block
		if len(out) > 0 {
			if space || block || unicode.IsSpace(r) || snapshot.Apart(out[len(out)-1].Node, p.Node) {
				s = " " + s
			}
		}
		out = append(out, Stretch{p.Node, s, block})
		r, _ = utf8.DecodeLastRuneInString(p.Text)
		space, block = unicode.IsSpace(r), false
	}
	return out
}
