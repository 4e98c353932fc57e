package network

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View is the side: which requests, over the table.
type View struct {
	vm    VM
	show  map[Show]*parts.Chip
	facts *parts.Facts
	list  *parts.List
	box   fyne.CanvasObject
}

// New makes the view.
func New(w *parts.Window) *View {
	v := &View{show: map[Show]*parts.Chip{}, facts: parts.NewFacts(true, 12), list: parts.NewList(w.List())}
	row := container.NewHBox()
	for _, k := range shows() {
		v.show[k] = parts.NewChip(parts.Toggle, k.String(), func() { w.Send(Chosen{k}) })
		row.Add(v.show[k])
	}
	head := container.NewBorder(nil, nil, row, nil, container.New(parts.Slim{}, v.facts))
	v.box = container.NewBorder(parts.Padded(6, 2, 10, 12, head), nil, nil, nil, v.list)
	v.vm.Show = -1
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
	for k, c := range v.show {
		c.Turn(k == vm.Show, true)
	}
	v.facts.Set(vm.Facts)
	v.list.Set(vm.List)
}
