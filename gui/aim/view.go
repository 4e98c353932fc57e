package aim

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// Strip is the answer over the right side.
type Strip struct {
	vm   core.ListVM
	list *parts.List
	box  *fyne.Container
}

// New makes an empty one.
func New(w *parts.Window) *Strip {
	s := &Strip{list: parts.NewShortList(w.List())}
	s.box = container.NewVBox(s.list, parts.NewHairline())
	s.box.Hide()
	return s
}

// Object returns the object to lay out.
func (s *Strip) Object() fyne.CanvasObject { return s.box }

// Show shows the state, and reports whether the strip has another height.
func (s *Strip) Show(st core.State) bool {
	vm := viewOf(st)
	if vm == s.vm {
		return false
	}
	s.vm = vm
	parts.Show(s.box, vm.Rows != nil)
	if vm.Rows != nil {
		s.list.Set(vm)
	}
	return true
}
