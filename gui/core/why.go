package core

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/why"
)

// WhyPane is what is known about why the selected element is, or is not, in what the
// agent read (row N-2). It is asked for whenever another element is selected, and is
// there some ms later: all formats are rendered for it, once for each turn.
type WhyPane struct {
	// Turn and Node are what was asked about; a nil Turn is nothing.
	Turn *Turn
	Node int
	// Answer is nil until it is there, and where Problem says why there is none.
	Answer  *Answer
	Problem *Problem
}

// Answer is an [Explain] answered. It is immutable.
type Answer struct {
	*why.Explanation
	// XPath leads to the element within its document, "" where no XPath does.
	XPath string
}

// Explain asks why the element of a turn is, or is not, in what the agent read, and for
// what the session knows of its number. The answer is [Explained].
type Explain struct {
	Turn *Turn
	Node int
	Ref  int // 0 for none
}

// Explained answers [Explain].
type Explained struct {
	Turn    *Turn
	Node    int
	Answer  *Answer
	Problem *Problem
}

func (m Explained) Apply(s State) (State, []Effect) {
	if s.Why.Turn == m.Turn && s.Why.Node == m.Node {
		s.Why.Answer, s.Why.Problem = m.Answer, m.Problem
	}
	return s, nil
}

// explain asks about the selected element where it is another one. [Update] does so
// after every message, so no way of selecting can forget it.
func (s State) explain() (State, []Effect) {
	t, n := s.subject()
	if n == nil {
		s.Why = WhyPane{}
		return s, nil
	}
	if s.Why.Turn == t && s.Why.Node == n.I {
		return s, nil
	}
	s.Why = WhyPane{Turn: t, Node: n.I}
	return s, []Effect{Explain{t, n.I, n.Ref}}
}

// subject is the element that is selected and the turn that shows it: the one whose
// picture is in view, or else the one before. Both are nil where nothing is selected.
func (s State) subject() (*Turn, *snapshot.Node) {
	t := s.Pictured()
	if t == nil || !s.Selected.Some() {
		return nil, nil
	}
	if s.Selected.Ref == 0 {
		return s.Shown, s.Shown.Capture.Node(s.Selected.Node)
	}
	n := t.Capture.ByRef(s.Selected.Ref)
	if n == nil && s.Before != nil {
		t = s.Before
		n = t.Capture.ByRef(s.Selected.Ref)
	}
	if n == nil {
		return nil, nil
	}
	return t, n
}

// NodePicked chooses an element of the shown turn by its index in the capture, with a
// number or not. An index that is not there clears the selection.
type NodePicked struct {
	Node   int
	Source Pane
}

func (m NodePicked) Apply(s State) (State, []Effect) {
	s.Selected = s.node(m.Node, m.Source)
	s.Picker = Picker{}
	return s, nil
}

// node is the selection of an element of the shown turn.
func (s State) node(i int, source Pane) Selection {
	if s.Shown == nil || i < 0 {
		return Selection{}
	}
	n := s.Shown.Capture.Node(i)
	if n == nil {
		return Selection{}
	}
	return Selection{Node: i, Ref: n.Ref, Source: source}
}

// carried is the selection after the shown turn took the place of known: the element
// with the same number, or, where it has none, the same element of the same document.
func (s State) carried(known *Turn) Selection {
	switch {
	case !s.Selected.Some():
		return Selection{}
	case s.Selected.Ref > 0:
		return s.selection(s.Selected.Ref, PaneTurn)
	case known == nil:
		return Selection{}
	}
	old := known.Capture.Node(s.Selected.Node)
	if old == nil || old.UID == 0 {
		return Selection{}
	}
	loader := loaderOf(known.Capture, old)
	for i := range s.Shown.Capture.Nodes {
		if n := &s.Shown.Capture.Nodes[i]; n.UID == old.UID && n.Tag == old.Tag && loader != "" && loaderOf(s.Shown.Capture, n) == loader {
			return s.node(n.I, PaneTurn)
		}
	}
	return Selection{}
}

// loaderOf names the document that an element is in, "" where the capture does not know.
func loaderOf(c *snapshot.Capture, n *snapshot.Node) string {
	if n.Frame < 0 || n.Frame >= len(c.Frames) || c.Frames[n.Frame].Loader == "" {
		return ""
	}
	return c.Frames[n.Frame].ID + " " + c.Frames[n.Frame].Loader
}

// detailsRoom is the pane about the selected element.
func detailsRoom() Room {
	return Room{Name: "details", Fill: State.explain}
}
