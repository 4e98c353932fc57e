package costs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View is the side: a choice of grouping over the table.
type View struct {
	vm    VM
	by    map[By]*parts.Chip
	facts *parts.Facts
	list  *parts.List
	box   fyne.CanvasObject
}

// New makes the view.
func New(w *parts.Window) *View {
	v := &View{by: map[By]*parts.Chip{}, facts: parts.NewFacts(true, 12), list: parts.NewList(w.List())}
	row := container.NewHBox()
	for _, b := range groupings() {
		v.by[b] = parts.NewChip(parts.Toggle, b.String(), func() { w.Send(Grouped{b}) })
		row.Add(v.by[b])
	}
	head := container.NewBorder(nil, nil, row, nil, container.New(parts.Slim{}, v.facts))
	v.box = container.NewBorder(parts.Padded(6, 2, 10, 12, head), nil, nil, nil, v.list)
	v.vm.By = -1
	return v
}

// Object returns the object to lay out, Focus the one that gets the keyboard.
func (v *View) Object() fyne.CanvasObject { return v.box }
func (v *View) Focus() fyne.Focusable     { return v.list }

// Show shows the state.
func (v *View) Show(s core.State) {
	vm := ViewOf(s)
	if vm.Equal(v.vm) {
		return
	}
	v.vm = vm
	for b, c := range v.by {
		c.Turn(b == vm.By, true)
	}
	v.facts.Set(vm.Facts)
	v.list.Set(vm.List)
}
