package shell

import (
	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/state"
)

// findPane is the bar over the text in view, while it is open.
type findPane struct {
	bar *find.Bar
	vm  state.FindVM
}

func newFindPane(s *Shell, key func(*fyne.KeyEvent)) *findPane {
	p := &findPane{}
	p.bar = find.New(find.Callbacks{
		Typed:  func(q state.FindQuery) { s.store.Dispatch(state.FindTyped{Query: q}) },
		Step:   func(by int) { s.store.Dispatch(state.FindStepped{By: by}) },
		Filter: func() { s.run(state.CmdFindFilter) },
		Close:  func() { s.closeFind() },
		Key:    key,
	})
	p.bar.Hide()
	return p
}

// set shows the bar, and reports whether it came or went.
func (p *findPane) set(st state.State) bool {
	vm := st.FindView()
	if vm == p.vm {
		return false
	}
	moved := vm.Open != p.vm.Open
	p.vm = vm
	p.bar.Set(vm)
	parts.Show(p.bar, vm.Open)
	return moved
}

// focusFind brings the keyboard to the bar, with what was typed selected.
func (s *Shell) focusFind() {
	s.win.Canvas().Focus(s.panes.find.bar.Entry())
	s.panes.find.bar.SelectAll()
}

// closeFind puts the bar away and gives the keyboard back to the text.
func (s *Shell) closeFind() {
	s.store.Dispatch(state.FindClosed{})
	if f := s.panes.sides.focusable(); f != nil {
		s.win.Canvas().Focus(f)
	}
}
