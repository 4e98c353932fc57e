// Package changes is the side Changes: what differs from the turn before, by element or as texts.
package changes

import (
	"fmt"
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Mode is how the Changes side shows what changed.
type Mode string

const (
	// Elements is the list of elements, the default.
	Elements Mode = ""
	// Unified is the text format in view, line by line, as a unified diff.
	Unified Mode = "unified"
	// Beside is the same in two columns.
	Beside Mode = "beside"
)

// Model is the state of the Changes side.
type Model struct {
	Group core.ChangeGroup
	View  Mode
	// Text is the difference of the texts, nil where it is not made yet.
	Text *TextChanges
}

type (
	// GroupChosen shows one group of changes only; the one in view again, or "",
	// shows all.
	GroupChosen struct{ Group core.ChangeGroup }
	// ModeChosen changes how what changed is shown.
	ModeChosen struct{ View Mode }
	// ChangePicked: a line about an element was chosen. One that is gone is shown in
	// the picture of the turn before, any other in that of the turn.
	Picked struct{ Ref int }
	// DiffTexts compares the texts of two turns in one format. The answer is
	// [TextsCompared].
	DiffTexts struct {
		Before, Turn *core.Turn
		Format       dump.Format
	}
	// TextsCompared answers [DiffTexts].
	TextsCompared struct{ Text *TextChanges }
)

func (m GroupChosen) Apply(s core.State) (core.State, []core.Effect) {
	if Of(s).Group == m.Group {
		m.Group = ""
	}
	edit(&s).Group = m.Group
	return s, nil
}

func (m ModeChosen) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).View = m.View
	s.Side = Side
	return fill(s)
}

func (m Picked) Apply(s core.State) (core.State, []core.Effect) {
	s.Selected = s.SelectionOf(m.Ref, core.PaneDump)
	if s.Selected.Some() {
		s = s.ToggleBack(s.Selected.Node < 0)
	}
	return s, nil
}

func (m TextsCompared) Apply(s core.State) (core.State, []core.Effect) {
	if s.Shown != nil && s.Before != nil && m.Text.N == s.Shown.N && m.Text.From == s.Before.N && m.Text.Format == s.Format {
		edit(&s).Text = m.Text
	}
	return s, nil
}

// fillChanges asks for the difference of the texts where that is in view.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Side != Side || Of(s).View == Elements || s.Shown == nil || s.Before == nil || s.Format == "" {
		return s, nil
	}
	if t := Of(s).Text; t != nil && t.N == s.Shown.N && t.From == s.Before.N && t.Format == s.Format {
		return s, nil
	}
	edit(&s).Text = nil
	return s, []core.Effect{DiffTexts{s.Before, s.Shown, s.Format}}
}

// Chip is one chip of the Changes side.
type Chip struct {
	Group core.ChangeGroup
	Text  string
	On    bool
}

// VM is what the Changes side shows. Compare with [ChangesVM.Equal].
type VM struct {
	Chips []Chip
	View  Mode
	// Format is the text format that is compared.
	Format dump.Format
	// Left is the text in view; Right that of the right column, where there are two.
	Left, Right core.DumpVM
}

// Equal reports whether both show the same.
func (v VM) Equal(o VM) bool {
	return slices.Equal(v.Chips, o.Chips) && v.View == o.View && v.Format == o.Format && v.Left == o.Left && v.Right == o.Right
}

// ChangesSide is what the Changes side shows.
func ViewOf(s core.State) VM {
	v := changesInView(s)
	v.Left = find.Lit(s, v.Left)
	return v
}

// changesInView is the same before anything was found in it.
func changesInView(s core.State) VM {
	v := VM{View: Of(s).View, Format: s.Format}
	v.Left = core.DumpVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref}
	switch {
	case s.Shown == nil:
		v.Left.Empty = s.EmptySentence("What changed from one turn to the next appears here after the second capture.")
		return v
	case s.TurnBefore(s.Shown.N) == 0:
		v.Left.Empty = "This is the first turn; there is nothing to compare it with. Capture again, or go on with J."
	case s.Changes == nil:
		v.Left.Empty = fmt.Sprintf("Comparing with turn %d…", s.TurnBefore(s.Shown.N))
	case s.Changes.Problem != nil:
		v.Left.Empty = s.Changes.Problem.Sentence
	case v.View != Elements:
		textChanges(s, &v)
	default:
		elementChanges(s, &v)
	}
	v.Left.Version = -s.Shown.N
	v.Right.Version = -s.Shown.N
	return v
}

func elementChanges(s core.State, v *VM) {
	all := 0
	v.Left.Doc, v.Left.Tones = s.Changes.Doc, s.Changes.Tones
	chosen := false
	for _, g := range s.Changes.Groups {
		all += g.Lines
		on := g.Group == Of(s).Group
		v.Chips = append(v.Chips, Chip{g.Group, string(g.Group) + " " + text.Thousands(g.Lines), on})
		if on {
			chosen = true
			v.Left.Doc, v.Left.Tones = g.Doc, g.Tones
		}
	}
	if g := Of(s).Group; g != "" && !chosen {
		// The choice outlives the turn: here it has nothing.
		v.Chips = append(v.Chips, Chip{g, string(g) + " 0", true})
		v.Left.Doc, v.Left.Tones = nil, nil
		v.Left.Empty = "Nothing of this turn is " + groupWords(g) + ". Choose “all” above to see what changed."
	}
	v.Chips = slices.Insert(v.Chips, 0, Chip{"", "all", Of(s).Group == ""})
	if all == 0 && Of(s).Group == "" {
		v.Chips = nil
	}
}

func groupWords(g core.ChangeGroup) string {
	switch g {
	case "value", "state":
		return "a change of a " + string(g)
	case "page":
		return "a change of the page as a whole"
	}
	return string(g)
}

func textChanges(s core.State, v *VM) {
	t := Of(s).Text
	switch {
	case t == nil:
		v.Left.Empty = "Comparing the texts…"
	case t.Problem != nil:
		v.Left.Empty = t.Problem.Sentence
	case t.Unified == nil:
		v.Left.Empty = fmt.Sprintf("The %s texts of turns %d and %d are the same.", t.Format, t.From, t.N)
	case v.View == Beside:
		v.Left.Doc, v.Left.Tones = t.Left, t.LeftTones
		v.Right = core.DumpVM{Selected: v.Left.Selected, Hover: v.Left.Hover, Doc: t.Right, Tones: t.RightTones}
	default:
		v.Left.Doc, v.Left.Tones = t.Unified, t.Tones
	}
}

// Room is the side of what changed.
func Room() core.Room {
	return core.Room{Name: "changes", Compared: fill,
		Left: func(s core.State) (core.State, []core.Effect) {
			edit(&s).Text = nil
			return s, nil
		},
		Side: &core.SideRow{Side: Side, Title: "Changes", Command: CmdChanges, Does: "What changed since the turn before", Key: "D", Place: 2, Badges: badges, Fill: fill,
			Text: func(s core.State) (*dump.Document, *core.LineTones) {
				v := changesInView(s).Left
				return v.Doc, v.Tones
			}}}
}

// Side is what changed since the turn before.
const Side core.Side = "changes"

// badges count the elements that came, went or changed since the turn before.
func badges(s core.State) []core.StatusItem {
	if c := s.Changes; c != nil && c.Problem == nil {
		return core.Badge(c.Count.Added+c.Count.Removed+c.Count.Changed, core.ToneNormal)
	}
	return nil
}

const CmdChanges = "side.changes"

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
