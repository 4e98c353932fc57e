package app

import (
	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/parts"
)

// findPane is the bar over the text in view, while it is open.
type findPane struct {
	bar *find.Bar
	vm  find.VM
}

func newFindPane(s *Shell, key func(*fyne.KeyEvent)) *findPane {
	p := &findPane{}
	p.bar = find.New(find.Callbacks{
		Typed:  func(q find.Query) { s.store.Dispatch(find.Typed{Query: q}) },
		Step:   func(by int) { s.store.Dispatch(find.Stepped{By: by}) },
		Filter: func() { s.run(find.CmdFilter) },
		Close:  func() { s.closeFind() },
		Key:    key,
	})
	p.bar.Hide()
	return p
}

// set shows the bar, and reports whether it came or went.
func (p *findPane) set(st core.State) bool {
	vm := find.ViewOf(st)
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
	s.store.Dispatch(find.Closed{})
	if f := s.panes.sides.focusable(); f != nil {
		s.win.Canvas().Focus(f)
	}
}
