package profiles

import (
	"strings"
	"unicode"

	"github.com/refscope/refscope/snapshot"
)

// A capture computes the names of elements again once parts of them are withheld. Here the texts of a name are found
// again, in order, in the elements that they come from; where that fails, the name is said to be unknown.

// name is the name of an element that is not withheld itself, where parts of what names it may be.
func (t *trier) name(n *snapshot.Node, withheld map[int]int) string {
	name, from := n.Name, n.NameFrom
	root := n
	switch {
	case from == "content" || from == "default":
	case from == "label":
		root = t.label(n)
	case strings.HasPrefix(from, "hunted:") || from == "aria-labelledby" || from == "legend" || from == "caption" ||
		from == "figcaption":
		root = nil
	default: // an attribute
		return t.clean(n, "name", name)
	}
	if root == nil || t.owns(root) {
		now := t.clean(n, "name", name)
		if now != name && now != putRedacted {
			t.unsure++
		}
		return now
	}
	if len(withheld) == 0 {
		return t.clean(n, "name", name)
	}
	parts := &nameParts{withheld: withheld}
	if parts.add(t.nodes, root, -1); !parts.any {
		return t.clean(n, "name", name)
	}
	aligned, ok := parts.align(name)
	if !ok {
		t.unsure++
	} else if aligned != name {
		name = aligned
		t.note(n, "name", parts.line, name)
	}
	return t.clean(n, "name", name)
}

// owns reports whether elements of elsewhere belong to what an element holds.
func (t *trier) owns(root *snapshot.Node) bool {
	for k := root.I; k < len(t.c.Nodes) && (k == root.I || t.nodes.Contains(root.I, k)); k++ {
		if t.c.Nodes[k].Attrs["aria-owns"] != "" {
			return true
		}
	}
	return false
}

// label is the one label of a control, nil where it has none here, or several.
func (t *trier) label(n *snapshot.Node) *snapshot.Node {
	var found *snapshot.Node
	for k := range t.c.Nodes {
		l := &t.c.Nodes[k]
		if l.Tag != "label" || l.Frame != n.Frame {
			continue
		}
		to, named := l.Attrs["for"]
		if named && (to == "" || to != n.Attrs["id"]) || !named && !t.nodes.Contains(l.I, n.I) {
			continue
		}
		if found != nil {
			return nil
		}
		found = l
	}
	return found
}

// nameParts are the texts in an element by the withheld element that they are in.
type nameParts struct {
	letters  []rune // without white space
	owner    []int  // of each letter: the outermost withheld element around it in the element, -1 for none
	any      bool   // something withheld is in it, or around it
	line     int    // of the rule
	withheld map[int]int
}

// add notes the texts of an element and all in it; owner is the outermost withheld element around it, -1 for none.
func (p *nameParts) add(tree *snapshot.Tree, n *snapshot.Node, owner int) {
	if line, ok := p.withheld[n.I]; ok && owner < 0 {
		owner, p.any, p.line = n.I, true, line
	}
	tree.InOrder(n, func(s string) {
		for _, r := range s {
			if !unicode.IsSpace(r) {
				p.letters, p.owner = append(p.letters, r), append(p.owner, owner)
			}
		}
	}, func(c *snapshot.Node) { p.add(tree, c, owner) })
}

// align is a name of exactly these texts with a mark for each withheld element.
func (p *nameParts) align(name string) (string, bool) {
	var b strings.Builder
	at, last := 0, -1
	for _, r := range name {
		if unicode.IsSpace(r) {
			if at == len(p.letters) || p.owner[at] < 0 || p.owner[at] != last {
				b.WriteRune(r)
			}
			continue
		}
		if at == len(p.letters) || unicode.ToLower(p.letters[at]) != unicode.ToLower(r) {
			return "", false
		}
		switch owner := p.owner[at]; {
		case owner < 0:
			b.WriteRune(r)
		case owner != last:
			b.WriteString(putRedacted)
		}
		last = p.owner[at]
		at++
	}
	return b.String(), at == len(p.letters)
}
