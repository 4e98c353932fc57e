// Package changes is the side Changes: what differs from the turn before, by element or as texts.
package changes

import (
	"context"
	"fmt"
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
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
	// DiffTexts compares the texts of two turns in one format. The answer is
	// [TextsCompared].
	DiffTexts struct {
		Before, Turn *core.Turn
		Format       dump.Format
	}
)

// Do implements [core.Work].
func (e DiffTexts) Do(context.Context, *core.Worker) core.Msg {
	var docs [2]*dump.Document
	for i, t := range []*core.Turn{e.Before, e.Turn} {
		d, err := format.Render(t.Capture, e.Format, format.Options{})
		if err != nil {
			err = fmt.Errorf("turn %d cannot be written as %s: %w", t.N, e.Format, err)
			return TextsCompared(&TextChanges{N: e.Turn.N, From: e.Before.N, Format: e.Format,
				Problem: core.ProblemOf(err)})
		}
		docs[i] = d
	}
	return TextsCompared(TextsOf(e.Before.N, e.Turn.N, docs[0], docs[1]))
}

// GroupChosen shows one group of changes only; the one in view again, or "",
// shows all.
func GroupChosen(group core.ChangeGroup) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if p := edit(&s); p.Group == group {
			p.Group = ""
		} else {
			p.Group = group
		}
		return s, nil
	})
}

// ModeChosen changes how what changed is shown.
func ModeChosen(view Mode) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).View = view
		s.Side = Side
		return fill(s)
	})
}

// TextsCompared answers [DiffTexts].
func TextsCompared(words *TextChanges) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Current != nil && s.Previous != nil && words.N == s.Current.N && words.From == s.Previous.N &&
			words.Format == s.Format {
			edit(&s).Text = words
		}
		return s, nil
	})
}

// fill asks for the difference of the texts where that is in view.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Side != Side || Of(s).View == Elements || s.Current == nil || s.Previous == nil || s.Format == "" {
		return s, nil
	}
	if t := Of(s).Text; t != nil && t.N == s.Current.N && t.From == s.Previous.N && t.Format == s.Format {
		return s, nil
	}
	edit(&s).Text = nil
	return s, []core.Effect{DiffTexts{s.Previous, s.Current, s.Format}}
}

// Chip is one chip of the Changes side.
type Chip struct {
	Group core.ChangeGroup
	Text  string
	On    bool
}

// VM is what the Changes side shows. Compare with [VM.Equal].
type VM struct {
	Chips []Chip
	View  Mode
	// Format is the text format that is compared.
	Format dump.Format
	// Head names what is compared, and the amount of changes.
	Head []core.StatusItem
	// List is what changed by element. Left is the text in view where texts are compared;
	// Right that of the right column, where there are two.
	List        core.ListVM
	Left, Right core.DumpVM
}

// Equal reports whether both show the same.
func (v VM) Equal(o VM) bool {
	return slices.Equal(v.Chips, o.Chips) && v.View == o.View && v.Format == o.Format && v.List == o.List &&
		v.Left == o.Left && v.Right == o.Right && slices.Equal(v.Head, o.Head)
}

// ViewOf is what the Changes side shows.
func ViewOf(s core.State) VM {
	v := changesInView(s)
	v.Left, v.List = find.Lit(s, v.Left), find.LitRows(s, v.List)
	return v
}

// changesInView is the same before anything was found in it.
func changesInView(s core.State) VM {
	v := VM{View: Of(s).View, Format: s.Format}
	v.Left = core.DumpVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref}
	v.List = s.List()
	if c := s.Changes; c != nil && c.Problem == nil && s.Current != nil {
		v.Head = []core.StatusItem{{Text: fmt.Sprintf("Turn %d to %d", c.Count.From, c.N), Tone: core.ToneMuted},
			{Text: c.Count.Words(), Tone: core.ToneNormal}}
		if b := s.ComparedWith(); b.Session != "" {
			v.Head[0].Text = fmt.Sprintf("%s to turn %d", text.Capital(b.String()), c.N)
		}
	}
	switch {
	case s.Current == nil:
		v.Left.Empty = s.EmptySentence("What changed from one turn to the next appears here after the second capture.")
		v.List.Empty = v.Left.Empty
		return v
	case s.ComparedWith().N == 0:
		v.Left.Empty = "This is the first turn; there is nothing to compare it with. Capture again, or go to the " +
			"next turn."
	case s.Changes == nil:
		v.Left.Empty = "Comparing with " + s.ComparedWith().String() + "…"
	case s.Changes.Problem != nil:
		v.Left.Empty = s.Changes.Problem.Sentence
	case unseen(s) != "":
		v.Head = v.Head[:1]
		v.Left.Empty = unseen(s) + " Compare with another turn (Shift+D)."
	case v.View != Elements:
		textChanges(s, &v)
	default:
		elementChanges(s, &v)
	}
	v.List.Empty = v.Left.Empty
	v.Left.Version = -s.Current.N
	v.Right.Version = -s.Current.N
	return v
}

func elementChanges(s core.State, v *VM) {
	all := 0
	v.List.Rows = s.Changes.Rows
	chosen := false
	for _, g := range s.Changes.Groups {
		all += g.Count
		on := g.Group == Of(s).Group
		v.Chips = append(v.Chips, Chip{g.Group, title(g.Group) + " " + text.Thousands(g.Count), on})
		if on {
			chosen = true
			v.List.Rows = g.Rows
		}
	}
	if g := Of(s).Group; g != "" && !chosen {
		// The choice outlives the turn: here it has nothing.
		v.Chips = append(v.Chips, Chip{g, title(g) + " 0", true})
		v.List.Rows = nil
		v.Left.Empty = "No element of this turn " + groupWords(g) + ". Choose “All” above to see what changed."
	}
	v.Chips = slices.Insert(v.Chips, 0, Chip{"", "All", Of(s).Group == ""})
	if all == 0 && Of(s).Group == "" {
		v.Chips, v.List.Rows = nil, nil
		v.Left.Empty = fmt.Sprintf("Nothing changed from turn %d to turn %d.", s.Changes.Count.From, s.Changes.N)
	}
}

// title is a group as its chip names it.
func title(g core.ChangeGroup) string { return text.Capital(string(g)) }

func groupWords(g core.ChangeGroup) string {
	switch g {
	case "value", "state":
		return "has another " + string(g)
	case "page":
		return "changed with the page"
	}
	return "was " + string(g)
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
	return core.Room{Name: "changes", Compared: fill, Commands: commands,
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			edit(&s).Text = nil
			return s, nil
		},
		Side: &core.SideRow{Side: Side, Title: "Changes", Command: CmdChanges,
			Does: "since the turn before", Key: "D", Place: 3, Badges: badges, AfterUpdate: fill,
			Text: func(s core.State) (*dump.Document, *core.LineTones) {
				v := changesInView(s)
				if v.View == Elements && v.List.Rows != nil {
					return v.List.Rows.Doc, nil
				}
				return v.Left.Doc, v.Left.Tones
			}}}
}

// Side is what changed since the turn before.
const Side core.Side = "changes"

// unseen is why nothing is known of what changed, in a sentence, "" where it is or is about to be.
func unseen(s core.State) string {
	if s.Current == nil || s.Previous == nil {
		return ""
	}
	return s.Current.Unseen(&s.Previous.Recorded)
}

// badges count the elements that came, went or changed since the turn before.
func badges(s core.State) []core.StatusItem {
	if unseen(s) != "" {
		return nil
	}
	if c := s.Changes; c != nil && c.Problem == nil {
		return core.Badge(c.Count.Added+c.Count.Removed+c.Count.Changed, core.ToneNormal)
	}
	return nil
}

const CmdChanges = "side.changes"

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
