package core

import (
	"fmt"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Subject is the element that is selected and the turn that shows it: the one whose
// picture is in view, or else the one before. Both are nil where nothing is selected.
func (s State) Subject() (*Turn, *snapshot.Node) {
	t := s.Pictured()
	if t == nil || !s.Selected.Some() {
		return nil, nil
	}
	if s.Selected.Ref == 0 {
		return s.Current, s.Current.Capture.Node(s.Selected.Node)
	}
	n := t.Capture.ByRef(s.Selected.Ref)
	if n == nil && s.Previous != nil {
		t = s.Previous
		n = t.Capture.ByRef(s.Selected.Ref)
	}
	if n == nil {
		return nil, nil
	}
	return t, n
}

// SelectionOfNode is the selection of an element of the shown turn.
func (s State) SelectionOfNode(i int, source Pane) Selection {
	if s.Current == nil || i < 0 {
		return Selection{}
	}
	n := s.Current.Capture.Node(i)
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
		return s.SelectionOf(s.Selected.Ref, PaneTurn)
	case known == nil:
		return Selection{}
	}
	old := known.Capture.Node(s.Selected.Node)
	if old == nil || old.UID == 0 {
		return Selection{}
	}
	loader := loaderOf(known.Capture, old)
	for i := range s.Current.Capture.Nodes {
		if n := &s.Current.Capture.Nodes[i]; n.UID == old.UID && n.Tag == old.Tag && loader != "" &&
			loaderOf(s.Current.Capture, n) == loader {
			return s.SelectionOfNode(n.I, PaneTurn)
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

// NodePicked chooses an element of the shown turn by its index in the capture, with a
// number or not. An index that is not there clears the selection.
type NodePicked struct {
	Node   int
	Source Pane
}

func (m NodePicked) Apply(s State) (State, []Effect) {
	return s.choose(s.SelectionOfNode(m.Node, m.Source)), nil
}

// choose selects what a person chose; rooms put away what offered it.
func (s State) choose(chosen Selection) State {
	s.Selected = chosen
	for _, r := range s.rooms {
		if r.Selected != nil {
			s = r.Selected(s)
		}
	}
	return s
}

// SelectionOf is the element with that number in the shown turn, or none.
func (s State) SelectionOf(ref int, source Pane) Selection {
	if s.Current == nil || ref <= 0 {
		return Selection{}
	}
	if n := s.Current.Capture.ByRef(ref); n != nil {
		return Selection{Node: n.I, Ref: ref, Source: source}
	}
	if s.Previous != nil && s.Previous.Capture.ByRef(ref) != nil {
		return Selection{Node: -1, Ref: ref, Source: source} // it was in the turn before
	}
	return Selection{}
}

// Selection is the one selected element. It lives outside the panes, so a change
// of format or a redraw cannot lose it.
type Selection struct {
	// Node is its index in the shown capture, Ref its number, 0 for none.
	Node, Ref int
	// Source is the pane in which it was chosen; "" means nothing is selected.
	Source Pane
}

// Key is what its lines are found by in a text of the shown turn: its number, or, where it has none, its place in the
// capture counted down from -1. It is 0 for nothing.
func (s Selection) Key() int {
	if s.Some() {
		return LineKey(s.Node, s.Ref)
	}
	return 0
}

// LineKey is the [Selection.Key] of an element, 0 for no element.
func LineKey(node, ref int) int {
	if ref > 0 || node < 0 {
		return ref
	}
	return -1 - node
}

// Some reports whether anything is selected.
func (s Selection) Some() bool { return s.Source != PaneNone }

// Pane names a part of the window.
type Pane string

const (
	PaneNone    Pane = ""
	PanePicture Pane = "picture"
	PaneDump    Pane = "dump"
	PaneDetails Pane = "details"
	// PaneTurn: carried over from the turn shown before.
	PaneTurn Pane = "turn"
)

// Picked: an element was chosen in a pane. Ref 0 clears the selection.
type Picked struct {
	Ref    int
	Source Pane
}

func (m Picked) Apply(s State) (State, []Effect) {
	return s.choose(s.SelectionOf(m.Ref, m.Source)), nil
}

// Hovered: the pointer is over an element, or over none where Ref is 0. Below 0 it is a [LineKey].
type Hovered struct {
	Ref    int
	Source Pane
}

func (m Hovered) Apply(s State) (State, []Effect) {
	if s.Hover = s.SelectionOf(m.Ref, m.Source); m.Ref < 0 {
		s.Hover = s.SelectionOfNode(-1-m.Ref, m.Source)
	}
	return s, nil
}

// Pictured is the turn whose picture is in view: the shown one, or the one before it.
func (s State) Pictured() *Turn {
	if s.ShowPrevious && s.Previous != nil {
		return s.Previous
	}
	return s.Current
}

// Paged reports whether a turn with a page is in view: what is made of a page is nothing that anybody was sent without.
func (s State) Paged() bool { return s.Current != nil && !s.Current.Pageless() }

// EmptySentence explains why a pane is empty: something is in progress, or went wrong,
// or the given next action.
func (s State) EmptySentence(next string) string {
	switch {
	case s.Current != nil && s.Current.Pageless():
		return "No page belongs to this turn."
	case s.Session.Phase == PhaseStarting:
		return "Opening the session…"
	case s.PendingTurn != 0 && s.Current == nil:
		return fmt.Sprintf("Opening turn %d…", s.PendingTurn)
	case s.Browser.Phase == PhaseStarting:
		return "Chrome is starting…"
	case s.Busy() != nil:
		return s.Busy().Sentence + "…"
	case s.Current == nil && len(s.Session.Turns) > 0: // the one to open could not be read
		return "No turn is in view. Choose one in the list of turns."
	case s.Current == nil && len(s.Session.Damaged) > 0:
		return "No turn of this session can be read. Choose one in the list of turns to see why."
	case s.Current == nil && s.Session.ReadOnly:
		return "This session has no turns yet."
	case s.Browser.Phase == PhaseFailed, s.Browser.Phase == PhaseGone:
		return "Chrome is not running. The button above starts it."
	}
	return next
}

// StartSteps are Chrome, page and capture.
type StartSteps [3]StatusItem

// Starting describes the progress of the first picture: what is done, what runs, what is still to come.
// It is zero where there is a picture, or where nothing is on its way to one.
func (s State) Starting() (steps StartSteps) {
	t := s.Busy()
	launching := s.Browser.Phase == PhaseStarting
	if s.Current != nil || !launching && (t == nil || t.Kind != TaskNavigate && t.Kind != TaskCapture) {
		return steps
	}
	at := 0
	steps = StartSteps{{"Chrome", ToneMuted}, {"Page", ToneMuted}, {"Capture", ToneMuted}}
	if !launching {
		steps[0].Text += " runs"
		if at = 1; t.Kind == TaskCapture {
			steps[1].Text, at = "Page opened", 2
		}
	}
	for i := range at {
		steps[i].Tone = ToneGood
	}
	if t != nil {
		steps[at].Text = t.Sentence + "…"
		if t.Stage != "" {
			steps[at].Text += " " + text.Cut(text.Line(t.Stage), 60)
		}
	}
	steps[at].Tone = ToneNormal
	return steps
}

// Same reports whether two lists are one and the same, not only alike.
func Same[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
