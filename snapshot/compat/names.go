// Package compat describes what the originals would have called an element: their own,
// simpler lists of sources for names and roles, in their order and with their cuts
// (S-24). Refscope itself names by specification (accname 1.2, html-aam); these lists
// serve the formats under Options.Compat, from the facts of a capture alone.
//
// Nothing that redaction took out comes back: a list reads the same cleaned attributes
// and texts that a capture holds, and of a withheld element no text at all.
//
// Start with [NewNamer], once for each capture, and ask it for [Namer.Name] by the list of
// an original: [Semantic] or [ARIA].
package compat

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Source is one place where a list looks for a name.
type Source string

const (
	// AriaLabel is the attribute aria-label.
	AriaLabel Source = "aria-label"
	// LabelledBy is the text of the elements whose ids aria-labelledby names, in the
	// document's own tree: the originals ask the document, which does not see into
	// shadow trees.
	LabelledBy Source = "aria-labelledby"
	// LabelFor is the text of the first label of the document whose for names the
	// element's id.
	LabelFor Source = "label[for]"
	// LabelAround is the text of the label around a form control.
	LabelAround Source = "label"
	// Text is the element's rendered text (innerText), without the alternatives of images.
	Text Source = "text"
	// Placeholder, Title, NameAttr and Alt are the attributes of these names.
	Placeholder Source = "placeholder"
	Title       Source = "title"
	NameAttr    Source = "name"
	Alt         Source = "alt"
	// Hunted is the label found around a field that has no name by
	// specification (S-8), and "Unknown Input" where there is none.
	Hunted Source = "hunted"
	// Tag is the element's tag.
	Tag Source = "tag"
)

// Order is one original's list: sources in their order, the first that gives a text
// wins.
type Order struct {
	Sources []Source
	// Limit is how long a name may be, in UTF-16 units; 0 is no limit.
	Limit int
	// Ellipsis follows a name that was cut; the limit does not count it.
	Ellipsis string
	// Role is the role as that original spells it.
	Role func(*snapshot.Node) string
}

// Semantic is the list of the seed "DOM extraction architecture", chapter 9. Its cut
// at 100 is at the text there; S-24 has it for every source. Fields that the list
// finds nothing for get the label found around them or "Unknown Input" (2.5.2) before their tag.
func Semantic() Order {
	return Order{
		Sources: []Source{AriaLabel, LabelledBy, LabelFor, Text, Placeholder, Title, NameAttr, Alt, Hunted, Tag},
		Limit:   100, Role: tagRole,
	}
}

// ARIA is the list of the seed "CDP-Skill", 7.1: the label before the title, the text
// last. The cut at 150 with an ellipsis is the shipped one (research/engines.md 1.4).
func ARIA() Order {
	return Order{
		Sources: []Source{LabelledBy, AriaLabel, LabelFor, LabelAround, Title, Placeholder, Alt, Text},
		Limit:   150, Ellipsis: "…", Role: ariaRole,
	}
}

// Namer answers for the elements of one capture. It is made once for a capture, in
// time linear in its nodes, and is safe for concurrent use.
type Namer struct {
	t    *snapshot.Tree
	ids  map[nameSource]*snapshot.Node // first element with an id in a document's own tree
	fors map[nameSource]*snapshot.Node // first label for an id in a document's own tree
}

// nameSource is an id in one frame's document.
type nameSource struct {
	frame int
	id    string
}

// NewNamer indexes ids and labels. t is the tree of c.
func NewNamer(c *snapshot.Capture, t *snapshot.Tree) *Namer {
	n := &Namer{t: t, ids: map[nameSource]*snapshot.Node{}, fors: map[nameSource]*snapshot.Node{}}
	first := func(m map[nameSource]*snapshot.Node, k nameSource, node *snapshot.Node) {
		if k.id != "" && m[k] == nil {
			m[k] = node
		}
	}
	for i := range c.Nodes {
		node := &c.Nodes[i]
		if node.Shadow != "" {
			continue
		}
		first(n.ids, nameSource{node.Frame, node.Attr("id")}, node)
		if node.Tag == "label" {
			first(n.fors, nameSource{node.Frame, node.Attr("for")}, node)
		}
	}
	return n
}

// Name is what the original with that order calls the element: white space collapsed
// and trimmed, cut as the order has it; "" where no source gives anything. It is text of
// the page, to be escaped by its printer.
func (n *Namer) Name(node *snapshot.Node, o Order) string {
	for _, s := range o.Sources {
		if name := strings.Join(strings.Fields(n.from(node, s)), " "); name != "" {
			return cut(name, o.Limit, o.Ellipsis)
		}
	}
	return ""
}

func (n *Namer) from(node *snapshot.Node, s Source) string {
	switch s {
	case AriaLabel, Placeholder, Title, NameAttr, Alt:
		return node.Attr(string(s))
	case LabelledBy:
		var parts []string
		for _, id := range strings.Fields(node.Attr("aria-labelledby")) {
			if of := n.ids[nameSource{node.Frame, id}]; of != nil {
				parts = append(parts, n.text(of))
			}
		}
		return strings.Join(parts, " ")
	case LabelFor:
		if id := node.Attr("id"); id != "" {
			if l := n.fors[nameSource{node.Frame, id}]; l != nil {
				return n.text(l)
			}
		}
	case LabelAround:
		if isField(node) {
			for up := range n.t.Ancestors(node.I) {
				if up.Tag == "label" {
					return n.text(up)
				}
			}
		}
	case Text:
		return n.text(node)
	case Hunted:
		switch {
		case !isField(node):
			return n.pictured(node)
		case strings.HasPrefix(node.NameFrom, "hunted:"), node.NameFrom == "label":
			return node.Name // its own label, also one that is around it
		default:
			return "Unknown Input"
		}
	case Tag:
		return node.Tag
	}
	return ""
}

// pictured is the text of the pictures in a link or button that has no text itself.
func (n *Namer) pictured(node *snapshot.Node) string {
	if node.Tag != "a" && node.Tag != "button" && node.Role != "link" && node.Role != "button" ||
		slices.Contains(node.Redacted, "element") {
		return ""
	}
	var parts []string
	var look func(i int)
	look = func(i int) {
		for in := range n.t.Children(i) {
			if alt := in.Attr("alt"); in.Tag == "img" && alt != "" && !slices.Contains(in.Redacted, "element") {
				parts = append(parts, alt)
			}
			look(in.I)
		}
	}
	look(node.I)
	return strings.Join(parts, " ")
}

// text is the rendered text inside an element. A form control's is its value, which
// innerText does not give.
func (n *Namer) text(node *snapshot.Node) string {
	if isField(node) || slices.Contains(node.Redacted, "element") {
		return ""
	}
	return n.t.InnerText(node.I)
}

// isField: an element whose text, if it has any, is a value and no name.
func isField(n *snapshot.Node) bool {
	switch n.Tag {
	case "input", "select", "textarea":
		return true
	}
	return false
}

// cut is the start of a text, at most limit UTF-16 units; half of a pair is left out.
func cut(s string, limit int, ellipsis string) string {
	if limit <= 0 || text.Units16(s) <= limit {
		return s
	}
	return s[:text.Index16(s, limit)] + ellipsis
}
