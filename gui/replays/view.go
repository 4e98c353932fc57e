package replays

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View is the side: the right element, and the answers as a list.
type View struct {
	vm    VM
	drawn bool
	right *parts.Facts
	mark  *parts.Chip
	ask   *parts.Chip
	hint  *widget.Label
	list  *parts.List
	box   fyne.CanvasObject
}

// New makes the side.
func New(w *parts.Window) *View {
	v := &View{right: parts.NewFacts(false, 10), mark: w.Chip(parts.Button, "The selected element is right", cmdMark),
		ask: w.Chip(parts.Button, "Ask again…", core.CmdAsk), hint: parts.Hint(""), list: parts.NewList(w.List())}
	v.hint.Wrapping = fyne.TextWrapWord
	v.box = parts.Border(container.NewVBox(parts.Padded(6, 4, 12, 10, parts.Border(nil, nil, nil,
		container.NewHBox(container.New(parts.Slim{}, v.mark),
			container.New(parts.Slim{}, v.ask)), v.right)), v.hint), nil, nil, nil, v.list)
	return v
}

// Object returns the object to lay out, Focus the one that gets the keyboard.
func (v *View) Object() fyne.CanvasObject { return v.box }
func (v *View) Focus() fyne.Focusable     { return v.list }

// Show shows the state.
func (v *View) Show(s core.State) {
	vm := viewOf(s)
	if v.drawn && vm == v.vm {
		return
	}
	v.vm, v.drawn = vm, true
	var right []core.StatusItem
	if vm.Right != "" {
		right = append(right, core.StatusItem{Text: vm.Right, Tone: core.ToneGood})
	}
	v.right.Set(right)
	v.mark.Turn(false, vm.CanMark)
	parts.Show(v.mark, vm.Graded)
	v.ask.Turn(false, vm.CanAsk)
	v.hint.SetText(vm.Hint)
	parts.Show(v.hint, vm.Hint != "")
	v.list.Set(vm.List)
}
