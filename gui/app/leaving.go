package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/profile"
)

// leaving is the question before the window closes with unsaved texts.
type leaving struct {
	vm   profile.UnsavedVM
	say  *widget.Label
	save *parts.PushButton
	box  *widget.PopUp
}

// newLeaving makes the dialog of [core.DialogUnsaved].
func newLeaving(s *Shell, _ core.State) dialogBox {
	l := &leaving{say: widget.NewLabel("")}
	l.say.Wrapping = fyne.TextWrapWord
	stay := func() { s.store.Dispatch(core.Escaped{}) }
	l.save = parts.NewPushButton("Save and close", true, func() { s.store.Dispatch(profile.LeavingChosen{Save: true}) }, stay)
	discard := parts.NewPushButton("Discard and close", false, func() { s.store.Dispatch(profile.LeavingChosen{}) }, stay)
	discard.Importance = widget.DangerImportance
	head := widget.NewLabel("Close Refscope?")
	head.TextStyle.Bold = true
	buttons := container.NewHBox(parts.NewPushButton("Stay", false, stay, stay), discard, l.save)
	body := container.NewBorder(head, container.NewBorder(nil, nil, nil, buttons), nil, nil, l.say)
	l.box = widget.NewModalPopUp(parts.Padded(8, 10, 14, 14, body), s.win.Canvas())
	l.box.Resize(fyne.NewSize(min(520, s.win.Canvas().Size().Width*0.8), 170))
	return l
}

func (l *leaving) pop() *widget.PopUp    { return l.box }
func (l *leaving) first() fyne.Focusable { return l.save }

func (l *leaving) set(st core.State) {
	if vm := profile.UnsavedQuestion(st); vm != l.vm {
		l.vm = vm
		l.say.SetText(vm.Text)
	}
}
