package findings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View is the side: counts and a filter over the cards.
type View struct {
	vm       VM
	counts   *parts.Facts
	filter   *parts.DropDown
	personal *parts.Chip
	list     *parts.List
	box      fyne.CanvasObject
}

// New makes the view.
func New(w *parts.Window) *View {
	v := &View{counts: parts.NewFacts(false, 12), filter: parts.NewDropDown(w.Send), list: parts.NewList(w.List())}
	v.counts.Firm = true
	v.personal = parts.NewChip(parts.Toggle, "Personal data", func() { w.Send(personalToggled()) })
	head := container.New(&parts.Flow{Gap: 10}, parts.Padded(5, 0, 0, 0, v.counts), v.filter, v.personal)
	v.box = parts.Border(parts.Padded(6, 4, 12, 10, head), nil, nil, nil, v.list)
	v.set(VM{Filter: All})
	return v
}

// Object returns the object to lay out, Focus the one that gets the keyboard.
func (v *View) Object() fyne.CanvasObject { return v.box }
func (v *View) Focus() fyne.Focusable     { return v.list }

// Show shows the state.
func (v *View) Show(s core.State) {
	if vm := ViewOf(s); !vm.Equal(v.vm) {
		v.set(vm)
	}
}

func (v *View) set(vm VM) {
	v.vm = vm
	moved := v.counts.Set(vm.Counts)
	var choices []parts.Choice
	for _, f := range filters() {
		choices = append(choices, parts.Choice{Title: f.String(), On: f == vm.Filter, Msg: filtered{f}})
	}
	moved = v.filter.Set(vm.Filter.String(), false, choices) || moved
	v.personal.Turn(vm.Personal, true)
	v.list.Set(vm.List)
	if moved {
		v.box.Refresh() // the row may have another height
	}
}
