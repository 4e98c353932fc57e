package core

import (
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

// detailsRoom is the pane about the selected element.
func detailsRoom() Room {
	return Room{Name: "details", Fill: State.explain}
}
