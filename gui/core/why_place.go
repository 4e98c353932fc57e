package core

import (
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// PlacePicked chooses what lies at a point of the picture in image px: the topmost
// element there, and with Below the one below the chosen one, round and round. What is
// part of a numbered control stands for the control first, as a click there would
// operate it.
type PlacePicked struct {
	X, Y  float64
	Below bool
}

func (m PlacePicked) Apply(s State) (State, []Effect) {
	if s.Act.On && !s.Back {
		return s.actAt(m.X, m.Y)
	}
	s.Picker = Picker{}
	list := s.under(m.X, m.Y)
	if len(list) == 0 {
		s.Selected = Selection{}
		return s, nil
	}
	at := 0
	if m.Below {
		t, n := s.subject()
		if i := slices.IndexFunc(list, func(x int) bool { return n != nil && t == s.Pictured() && n.I == x }); i >= 0 {
			at = (i + 1) % len(list)
		}
	}
	s.Selected = s.fromPicture(list[at])
	return s, nil
}

// fromPicture is the selection of an element of the turn whose picture is in view.
func (s State) fromPicture(i int) Selection {
	if t := s.Pictured(); t != s.Shown { // of the turn before, what both have is told by number
		return s.selection(t.Capture.Node(i).Ref, PanePicture)
	}
	return s.node(i, PanePicture)
}

// under lists the elements at a point of the picture in view, as they are chosen one
// after the other. Of the turn before only those with a number can be.
func (s State) under(x, y float64) []int {
	t := s.Pictured()
	if t == nil {
		return nil
	}
	list := t.Under(x, y)
	if t != s.Shown {
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
	// PickerAsked opens the list for a point of the picture in image px.
	PickerAsked struct{ X, Y float64 }
	// PickerMoved previews the element at a place of the list.
	PickerMoved struct{ At int }
	// PickerChosen selects the previewed element.
	PickerChosen struct{}
	// PickerClosed puts the list away.
	PickerClosed struct{}
)

func (m PickerAsked) Apply(s State) (State, []Effect) {
	s.Picker = Picker{}
	list := s.under(m.X, m.Y)
	if len(list) == 0 {
		return s, nil
	}
	s.Picker = Picker{Open: true, X: m.X, Y: m.Y, Nodes: list}
	s.Picker.At = max(0, slices.Index(list, s.Selected.Node))
	if !s.Selected.Some() {
		s.Picker.At = 0
	}
	return s.preview(), nil
}

func (m PickerMoved) Apply(s State) (State, []Effect) {
	if !s.Picker.Open || m.At < 0 || m.At >= len(s.Picker.Nodes) {
		return s, nil
	}
	s.Picker.At = m.At
	return s.preview(), nil
}

func (PickerChosen) Apply(s State) (State, []Effect) {
	if !s.Picker.Open {
		return s, nil
	}
	s.Selected = s.fromPicture(s.Picker.Nodes[s.Picker.At])
	s.Picker, s.Hover = Picker{}, Selection{}
	return s, nil
}

func (PickerClosed) Apply(s State) (State, []Effect) {
	if s.Picker.Open {
		s.Picker, s.Hover = Picker{}, Selection{}
	}
	return s, nil
}

// preview hovers what the list points at.
func (s State) preview() State {
	s.Hover = s.fromPicture(s.Picker.Nodes[s.Picker.At])
	return s
}

// PickerVM is what the list of elements under a point shows. Compare with
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
	Tone Tone
}

// Equal reports whether both show the same.
func (v PickerVM) Equal(o PickerVM) bool {
	return v.Open == o.Open && v.X == o.X && v.Y == o.Y && v.At == o.At && slices.Equal(v.Rows, o.Rows)
}

// PickerView is what the list of elements under a point shows.
func (s State) PickerView() PickerVM {
	p := s.Picker
	t := s.Pictured()
	if !p.Open || t == nil {
		return PickerVM{}
	}
	v := PickerVM{Open: true, X: p.X, Y: p.Y, At: p.At}
	for _, i := range p.Nodes {
		n := t.Capture.Node(i)
		row := PickerRow{Ref: n.Ref, What: describe(n), Fate: verdictWords(n.Verdict), Tone: ToneMuted}
		if o := n.Occlusion; o != nil && n.Verdict.Kept() {
			switch o.State {
			case snapshot.Covered:
				row.Fate, row.Tone = "covered", ToneBad
			case snapshot.Partly:
				row.Fate, row.Tone = "partly covered", ToneWarn
			}
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// ShowUnder lists what is under the pointer on the picture.
type ShowUnder struct{}

// AskMark asks for the number of a mark to go to.
type AskMark struct{}

// StepPane moves the keyboard By panes on.
type StepPane struct{ By int }

func placeCommands() []Command {
	const m = "View"
	return []Command{
		{ID: "mark.goto", Title: "Go to a mark by its number", Menu: "Edit", Key: "Ctrl+G", Enabled: pictured, Msg: send(Wanted{AskMark{}})},
		{ID: CmdUnder, Title: "What is under the pointer", Menu: m, Key: ",", Enabled: pictured, Msg: send(Wanted{ShowUnder{}})},
		{ID: "pane.next", Title: "Next pane", Menu: m, Key: "F6", Gap: true, Enabled: always, Msg: send(Wanted{StepPane{1}})},
		{ID: "pane.previous", Title: "Previous pane", Menu: m, Key: "Shift+F6", Enabled: always, Msg: send(Wanted{StepPane{-1}})},
	}
}

// CmdUnder lists what is under the pointer.
const CmdUnder = "picture.under"
