package overlay

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
)

// In the model's view one thing that can be acted on has one number:
//
//   - what cannot be acted on, such as a heading, has none (Still);
//   - a label has none where its control has one, or where there is no control that it is for;
//   - of two elements in each other with nearly one box, such as a list item and its link or a link and the button in
//     it, the one has none that is operable by a listener, its cursor or tabindex alone; of two alike the
//     inner one has none.
//
// A label keeps its number where its control is not in the picture, as sites hide checkboxes to draw their own.

// oneThing is the share of the outer box, in percent, that the inner one has at least where both are one thing.
const oneThing = 60

// inFrame is an id in a document.
type inFrame struct {
	frame int
	id    string
}

// unify leaves the marks out that the model's view needs no number for.
func (s *Scene) unify() {
	at := make(map[int]*Mark, len(s.marks)) // those that stay, by position of their node
	for i := range s.marks {
		m := &s.marks[i]
		if m.Status != Drawn {
			continue
		}
		if len(s.capture.Nodes[m.pos].Interactive) == 0 {
			m.Status = Still
			continue
		}
		at[m.pos] = m
	}
	byID := map[inFrame]int{}
	for p := range s.capture.Nodes {
		if n := &s.capture.Nodes[p]; n.Tag != "label" {
			if id := n.Attr("id"); id != "" {
				byID[inFrame{n.Frame, id}] = p
			}
		}
	}
	for i := range s.marks {
		m := &s.marks[i]
		n := &s.capture.Nodes[m.pos]
		if m.Status != Drawn || n.Tag != "label" {
			continue
		}
		control := s.controlOf(m.pos, n, byID)
		if c := at[control]; c != nil && s.capture.Nodes[c.pos].Visible {
			m.stoodFor(at, c)
		} else if control < 0 && !slices.ContainsFunc(n.Interactive, func(by string) bool { return by != "native" }) {
			m.Status = Still // a click on it does nothing
			delete(at, m.pos)
		}
	}
	for i := range s.marks {
		m := &s.marks[i]
		if m.Status != Drawn {
			continue
		}
		for up := s.tree.parent[m.pos]; up >= 0; up = s.tree.parent[up] {
			around := at[int(up)]
			if around == nil || around.Status != Drawn {
				continue
			}
			inner, outer := areas(m.Rects), areas(around.Rects)
			if 100*inner >= oneThing*outer &&
				geometry.Common(bounds(m.Rects), bounds(around.Rects)) > 0 {
				if s.capture.Nodes[m.pos].Control() && !s.capture.Nodes[around.pos].Control() {
					around.stoodFor(at, m)
				} else {
					m.stoodFor(at, around)
				}
			}
			break
		}
	}
	for i := range s.marks { // whoever stands for what stood for another
		m := &s.marks[i]
		for k := 0; m.For > 0 && k < len(s.marks); k++ {
			by := s.ByRef(m.For)
			if by == nil || by.For == 0 || by.For == m.Ref {
				break
			}
			m.For = by.For
		}
	}
}

// stoodFor leaves a mark out for another.
func (m *Mark) stoodFor(at map[int]*Mark, by *Mark) {
	m.Status, m.For = SameThing, by.Ref
	delete(at, m.pos)
}

// controlOf is the position of the control that a label is for: the one that it names, or the first in it; -1 for none.
func (s *Scene) controlOf(pos int, n *snapshot.Node, byID map[inFrame]int) int {
	if id := n.Attr("for"); id != "" {
		if p, ok := byID[inFrame{n.Frame, id}]; ok && labelable(&s.capture.Nodes[p]) {
			return p
		}
		return -1
	}
	for p := pos + 1; p < len(s.capture.Nodes) && s.tree.contains(pos, p); p++ {
		if labelable(&s.capture.Nodes[p]) {
			return p
		}
	}
	return -1
}

// labelable reports whether a label can be for the element, as HTML has it; a custom element may be a form's.
func labelable(n *snapshot.Node) bool {
	switch n.Tag {
	case "input":
		return n.Attr("type") != "hidden"
	case "select", "textarea", "button", "meter", "output", "progress":
		return true
	}
	return strings.Contains(n.Tag, "-")
}
