package picture

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/why"
)

// PlacePicked chooses what lies at a point of the picture in image px: the topmost
// element there, and with Below the one below the chosen one, round and round. What is
// part of a numbered control selects the control first, as a click there would
// operate it.
func PlacePicked(x, y float64, below bool) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if steps.Of(s).Act.On && !s.ShowPrevious {
			return steps.ActAt(s, x, y)
		}
		edit(&s).Picker = Picker{}
		t, n := s.Subject() // before the choice moves on
		s.Selected = clicked(s, x, y)
		if !below || n == nil || t != s.Pictured() {
			return s, nil
		}
		list := under(s, x, y)
		if i := slices.Index(list, n.I); i >= 0 {
			s.Selected = fromPicture(s, list[(i+1)%len(list)])
		}
		return s, nil
	})
}

// clicked is what a click on a point of the picture chooses, and so what pointing there
// previews: the topmost element, or what is operated where clicks go to the page.
func clicked(s core.State, x, y float64) core.Selection {
	if steps.Of(s).Act.On && !s.ShowPrevious {
		if ref := steps.MarkAt(s, x, y); ref > 0 {
			return s.SelectionOf(ref, core.PanePicture)
		}
		return core.Selection{}
	}
	if list := under(s, x, y); len(list) > 0 {
		return fromPicture(s, list[0])
	}
	return core.Selection{}
}

// fromPicture is the selection of an element of the turn whose picture is in view.
func fromPicture(s core.State, i int) core.Selection {
	if t := s.Pictured(); t != s.Current { // of the turn before: what both have is found by number
		return s.SelectionOf(t.Capture.Node(i).Ref, core.PanePicture)
	}
	return s.SelectionOfNode(i, core.PanePicture)
}

// under lists the elements at a point of the picture in view, as they are chosen one
// after the other. Of the turn before only those with a number can be.
func under(s core.State, x, y float64) []int {
	t := s.Pictured()
	if t == nil {
		return nil
	}
	list := t.Under(x, y)
	if t != s.Current {
		list = slices.DeleteFunc(list, func(i int) bool { return t.Capture.Node(i).Ref == 0 })
	}
	return list
}

// Picker is the list of everything that lies at one point of the picture, to choose
// from.
type Picker struct {
	Open bool
	// X, Y is the point in image px.
	X, Y float64
	// Nodes are the elements there, topmost first; At is the place of the one that is
	// previewed.
	Nodes []int
	At    int
}

type (
	// PickerMoved previews the element at a place of the list.
	PickerMoved struct{ At int }
	// PickerChosen selects the previewed element.
	PickerChosen struct{}
	// PickerClosed puts the list away.
	PickerClosed struct{}
)

// PickerAsked opens the list for a point of the picture in image px.
func PickerAsked(x, y float64) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Picker = Picker{}
		list := under(s, x, y)
		if len(list) == 0 {
			return s, nil
		}
		edit(&s).Picker = Picker{Open: true, X: x, Y: y, Nodes: list}
		edit(&s).Picker.At = max(0, slices.Index(list, s.Selected.Node))
		if !s.Selected.Some() {
			edit(&s).Picker.At = 0
		}
		return preview(s), nil
	})
}

func (m PickerMoved) Apply(s core.State) (core.State, []core.Effect) {
	if !Of(s).Picker.Open || m.At < 0 || m.At >= len(Of(s).Picker.Nodes) {
		return s, nil
	}
	edit(&s).Picker.At = m.At
	return preview(s), nil
}

func (PickerChosen) Apply(s core.State) (core.State, []core.Effect) {
	if !Of(s).Picker.Open {
		return s, nil
	}
	s.Selected = fromPicture(s, Of(s).Picker.Nodes[Of(s).Picker.At])
	edit(&s).Picker, s.Hover = Picker{}, core.Selection{}
	return s, nil
}

func (PickerClosed) Apply(s core.State) (core.State, []core.Effect) {
	if Of(s).Picker.Open {
		edit(&s).Picker, s.Hover = Picker{}, core.Selection{}
	}
	return s, nil
}

// preview hovers what the list points at.
func preview(s core.State) core.State {
	s.Hover = fromPicture(s, Of(s).Picker.Nodes[Of(s).Picker.At])
	return s
}

// PickerVM is the content of the list of elements under a point. Compare with
// [PickerVM.Equal].
type PickerVM struct {
	Open bool
	X, Y float64 // image px
	Rows []PickerRow
	At   int
}

// PickerRow is one element of the list, safe to show.
type PickerRow struct {
	Ref  int // 0 for none
	What string
	// Fate is what became of it in a word or two.
	Fate string
	Tone core.Tone
}

// Equal reports whether both show the same.
func (v PickerVM) Equal(o PickerVM) bool {
	return v.Open == o.Open && v.X == o.X && v.Y == o.Y && v.At == o.At && slices.Equal(v.Rows, o.Rows)
}

// PickerView returns the content of the list of elements under a point.
func PickerView(s core.State) PickerVM {
	p := Of(s).Picker
	t := s.Pictured()
	if !p.Open || t == nil {
		return PickerVM{}
	}
	v := PickerVM{Open: true, X: p.X, Y: p.Y, At: p.At}
	for _, i := range p.Nodes {
		n := t.Capture.Node(i)
		row := PickerRow{Ref: s.NumbersOf(t).Of(n.Ref), What: why.Describe(n), Fate: why.VerdictLabel(n.Verdict),
			Tone: core.ToneMuted}
		if o := n.Occlusion; o != nil && n.Verdict.Kept() {
			switch o.State {
			case snapshot.Covered:
				row.Fate, row.Tone = "covered", core.ToneBad
			case snapshot.Partly:
				row.Fate, row.Tone = "partly covered", core.ToneWarn
			}
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// showUnder lists what is under the pointer on the picture.
type showUnder struct{}

// askMark asks for the number of a mark to go to.
type askMark struct{}

// StepPane moves the keyboard By panes on.
type StepPane struct{ By int }

func placeCommands() []core.Command {
	const m = "View"
	return []core.Command{
		{ID: cmdGoto, Title: "Go to a mark by its number", Menu: "Edit", Key: "Ctrl+G", Enabled: core.Pictured,
			Msg: core.Send(core.Wanted(askMark{}))},
		{ID: CmdUnder, Title: "Elements under the pointer", Menu: m, Key: ",", Enabled: core.Pictured,
			Msg: core.Send(core.Wanted(showUnder{}))},
		{ID: "pane.next", Title: "Next pane", Menu: m, Key: "F6", Gap: true, Enabled: core.Always,
			Msg: core.Send(core.Wanted(StepPane{1}))},
		{ID: "pane.previous", Title: "Previous pane", Menu: m, Key: "Shift+F6", Enabled: core.Always,
			Msg: core.Send(core.Wanted(StepPane{-1}))},
	}
}

// CmdUnder lists what is under the pointer.
const CmdUnder = "picture.under"
