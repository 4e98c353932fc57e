package core

import (
	"fmt"
	"slices"

	"github.com/refscope/refscope/snapshot/dump"
)

// ChangesView is how the Changes side shows what changed.
type ChangesView string

const (
	// ChangesElements is the list of elements, the default.
	ChangesElements ChangesView = ""
	// ChangesUnified is the text format in view, line by line, as a unified diff.
	ChangesUnified ChangesView = "unified"
	// ChangesBeside is the same in two columns.
	ChangesBeside ChangesView = "beside"
)

// ChangesPane is the state of the Changes side.
type ChangesPane struct {
	Group ChangeGroup
	View  ChangesView
	// Text is the difference of the texts, nil where it is not made yet.
	Text *TextChanges
}

type (
	// ChangeGroupChosen shows one group of changes only; the one in view again, or "",
	// shows all.
	ChangeGroupChosen struct{ Group ChangeGroup }
	// ChangesViewChosen changes how what changed is shown.
	ChangesViewChosen struct{ View ChangesView }
	// ChangePicked: a line about an element was chosen. One that is gone is shown in
	// the picture of the turn before, any other in that of the turn.
	ChangePicked struct{ Ref int }
	// DiffTexts compares the texts of two turns in one format. The answer is
	// [TextsCompared].
	DiffTexts struct {
		Before, Turn *Turn
		Format       dump.Format
	}
	// TextsCompared answers [DiffTexts].
	TextsCompared struct{ Text *TextChanges }
)

func (m ChangeGroupChosen) Apply(s State) (State, []Effect) {
	if s.ChangesPane.Group == m.Group {
		m.Group = ""
	}
	s.ChangesPane.Group = m.Group
	return s, nil
}

func (m ChangesViewChosen) Apply(s State) (State, []Effect) {
	s.ChangesPane.View = m.View
	s.Side = SideChanges
	return s.fillChanges()
}

func (m ChangePicked) Apply(s State) (State, []Effect) {
	s.Selected = s.selection(m.Ref, PaneDump)
	if s.Selected.Some() {
		s = s.toggleBack(s.Selected.Node < 0)
	}
	return s, nil
}

func (m TextsCompared) Apply(s State) (State, []Effect) {
	if s.Shown != nil && s.Before != nil && m.Text.N == s.Shown.N && m.Text.From == s.Before.N && m.Text.Format == s.Format {
		s.ChangesPane.Text = m.Text
	}
	return s, nil
}

// fillChanges asks for the difference of the texts where that is in view.
func (s State) fillChanges() (State, []Effect) {
	if s.Side != SideChanges || s.ChangesPane.View == ChangesElements || s.Shown == nil || s.Before == nil || s.Format == "" {
		return s, nil
	}
	if t := s.ChangesPane.Text; t != nil && t.N == s.Shown.N && t.From == s.Before.N && t.Format == s.Format {
		return s, nil
	}
	s.ChangesPane.Text = nil
	return s, []Effect{DiffTexts{s.Before, s.Shown, s.Format}}
}

// ChangeChip is one chip of the Changes side.
type ChangeChip struct {
	Group ChangeGroup
	Text  string
	On    bool
}

// ChangesVM is what the Changes side shows. Compare with [ChangesVM.Equal].
type ChangesVM struct {
	Chips []ChangeChip
	View  ChangesView
	// Format is the text format that is compared.
	Format dump.Format
	// Left is the text in view; Right that of the right column, where there are two.
	Left, Right DumpVM
}

// Equal reports whether both show the same.
func (v ChangesVM) Equal(o ChangesVM) bool {
	return slices.Equal(v.Chips, o.Chips) && v.View == o.View && v.Format == o.Format && v.Left == o.Left && v.Right == o.Right
}

// ChangesSide is what the Changes side shows.
func (s State) ChangesSide() ChangesVM {
	v := s.changesInView()
	v.Left = s.lit(v.Left)
	return v
}

// changesInView is the same before anything was found in it.
func (s State) changesInView() ChangesVM {
	v := ChangesVM{View: s.ChangesPane.View, Format: s.Format}
	v.Left = DumpVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref}
	switch {
	case s.Shown == nil:
		v.Left.Empty = s.emptySentence("What changed from one turn to the next appears here after the second capture.")
		return v
	case s.turnBefore(s.Shown.N) == 0:
		v.Left.Empty = "This is the first turn; there is nothing to compare it with. Capture again, or go on with J."
	case s.Changes == nil:
		v.Left.Empty = fmt.Sprintf("Comparing with turn %d…", s.turnBefore(s.Shown.N))
	case s.Changes.Problem != nil:
		v.Left.Empty = s.Changes.Problem.Sentence
	case v.View != ChangesElements:
		s.textChanges(&v)
	default:
		s.elementChanges(&v)
	}
	v.Left.Version = -s.Shown.N
	v.Right.Version = -s.Shown.N
	return v
}

func (s State) elementChanges(v *ChangesVM) {
	all := 0
	v.Left.Doc, v.Left.Tones = s.Changes.Doc, s.Changes.Tones
	chosen := false
	for _, g := range s.Changes.Groups {
		all += g.Lines
		on := g.Group == s.ChangesPane.Group
		v.Chips = append(v.Chips, ChangeChip{g.Group, string(g.Group) + " " + Thousands(g.Lines), on})
		if on {
			chosen = true
			v.Left.Doc, v.Left.Tones = g.Doc, g.Tones
		}
	}
	if g := s.ChangesPane.Group; g != "" && !chosen {
		// The choice outlives the turn: here it has nothing.
		v.Chips = append(v.Chips, ChangeChip{g, string(g) + " 0", true})
		v.Left.Doc, v.Left.Tones = nil, nil
		v.Left.Empty = "Nothing of this turn is " + groupWords(g) + ". Choose “all” above to see what changed."
	}
	v.Chips = slices.Insert(v.Chips, 0, ChangeChip{"", "all", s.ChangesPane.Group == ""})
	if all == 0 && s.ChangesPane.Group == "" {
		v.Chips = nil
	}
}

func groupWords(g ChangeGroup) string {
	switch g {
	case "value", "state":
		return "a change of a " + string(g)
	case "page":
		return "a change of the page as a whole"
	}
	return string(g)
}

func (s State) textChanges(v *ChangesVM) {
	t := s.ChangesPane.Text
	switch {
	case t == nil:
		v.Left.Empty = "Comparing the texts…"
	case t.Problem != nil:
		v.Left.Empty = t.Problem.Sentence
	case t.Unified == nil:
		v.Left.Empty = fmt.Sprintf("The %s texts of turns %d and %d are the same.", t.Format, t.From, t.N)
	case v.View == ChangesBeside:
		v.Left.Doc, v.Left.Tones = t.Left, t.LeftTones
		v.Right = DumpVM{Selected: v.Left.Selected, Hover: v.Left.Hover, Doc: t.Right, Tones: t.RightTones}
	default:
		v.Left.Doc, v.Left.Tones = t.Unified, t.Tones
	}
}

// changesRoom is the side of what changed.
func changesRoom() Room {
	return Room{Name: "changes", Compared: State.fillChanges,
		Left: func(s State) (State, []Effect) {
			s.ChangesPane.Text = nil
			return s, nil
		},
		Side: &SideRow{Side: SideChanges, Title: "Changes", Command: CmdChanges, Does: "What changed since the turn before", Key: "D", Place: 2, Tag: State.changesTag, Fill: State.fillChanges,
			Text: func(s State) (*dump.Document, *LineTones) {
				v := s.changesInView().Left
				return v.Doc, v.Tones
			}}}
}

// SideChanges is what changed since the turn before.
const SideChanges Side = "changes"

func (s State) changesTag() string {
	if c := s.Changes; c != nil && c.Problem == nil {
		return "· " + c.Count.Short()
	}
	return ""
}

const CmdChanges = "side.changes"
