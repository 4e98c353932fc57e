package turn

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
)

// View is the side about the turn as a whole: facts above the actions and their outcome.
type View struct {
	vm      VM
	w       *parts.Window
	facts   *details.View
	chips   *fyne.Container
	list    *parts.List
	text    *text.View
	below   *fyne.Container // chips over the list
	verdict fyne.CanvasObject
	box     fyne.CanvasObject
}

// New makes the view.
func New(w *parts.Window) *View {
	texts := text.WindowCallbacks(w)
	v := &View{w: w, chips: container.New(&parts.Flow{}), list: parts.NewList(w.List())}
	texts.Select, texts.Hover = nil, nil
	v.text = text.New(texts)
	v.facts = details.New(details.Callbacks{
		Copy: func(_, text string) { w.Send(core.TextCopied{Text: text}) },
		Keys: texts.Keys,
	})
	note := w.Chip(parts.Button, "Add note", notes.CmdNote)
	v.verdict = w.Chip(parts.Button, "Verdict", notes.CmdVerdict)
	said := parts.Padded(6, 0, 12, 12, container.New(&parts.Flow{Gap: 6}, note, v.verdict))
	v.below = parts.Border(parts.Padded(0, 0, 6, 6, v.chips), nil, nil, nil, container.NewStack(v.list, v.text))
	split := container.NewVSplit(parts.Border(said, nil, nil, nil, v.facts), v.below)
	split.Offset = 0.5
	v.box = split
	return v
}

// Object returns the object to lay out.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Do drops the verdicts down from their button.
func (v *View) Do(e core.Effect) bool {
	_, ok := e.(notes.DropVerdicts)
	if ok = ok && v.w.State().Side == Side; ok {
		v.w.DropDown(notes.VerdictMenu(v.w), v.verdict)
	}
	return ok
}

// Focus returns the object that gets the keyboard.
func (v *View) Focus() fyne.Focusable {
	if v.vm.Text.Doc != nil {
		return v.text
	}
	return v.list
}

// Show shows the state.
func (v *View) Show(s core.State) {
	vm := ViewOf(s, time.Local)
	if vm.Equal(v.vm) {
		return
	}
	if !slices.Equal(vm.Chips, v.vm.Chips) {
		v.chips.RemoveAll()
		for _, c := range vm.Chips {
			chip := parts.NewChip(parts.Tab, c.Text, func() { v.w.Send(PartChosen(c.Part)) })
			chip.Turn(c.On, true)
			v.chips.Add(chip)
		}
		v.below.Refresh()
	}
	v.vm = vm
	v.facts.Set(vm.Facts)
	parts.Show(v.list, vm.Text.Doc == nil)
	parts.Show(v.text, vm.Text.Doc != nil)
	v.list.Set(vm.List)
	v.text.Set(vm.Text)
}
