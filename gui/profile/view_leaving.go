package profile

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// LeavingView is the question before the window closes with unsaved texts, or with work unfinished.
type LeavingView struct {
	say                 *widget.Label
	stay, discard, save *parts.PushButton
	box                 fyne.CanvasObject
}

// NewLeaving makes the dialog.
func NewLeaving(w *parts.Window) *LeavingView {
	l := &LeavingView{say: widget.NewLabel("")}
	l.say.Wrapping = fyne.TextWrapWord
	l.save = parts.NewPushButton("Save and close", true, func() { w.Send(LeavingChosen{Save: true}) }, w.Leave)
	l.discard = parts.NewPushButton("Discard and close", false, func() { w.Send(LeavingChosen{}) }, w.Leave)
	l.discard.Importance = widget.DangerImportance
	l.stay = parts.NewPushButton("Stay", false, w.Leave, w.Leave)
	buttons := container.NewHBox(l.stay, l.discard, l.save)
	l.box = parts.Border(parts.Head("Close Refscope?"), parts.Border(nil, nil, nil, buttons), nil, nil,
		l.say)
	return l
}

// Object returns the object to lay out, Focus the one that gets the keyboard, Size how large it is.
func (l *LeavingView) Object() fyne.CanvasObject { return l.box }
func (l *LeavingView) Focus() fyne.Focusable {
	if !l.save.Visible() {
		return l.stay
	}
	return l.save
}
func (l *LeavingView) Size(window fyne.Size) fyne.Size {
	return fyne.NewSize(min(520, window.Width*0.8), 170)
}

// Show shows which texts are not saved, and what is not finished.
func (l *LeavingView) Show(s core.State) {
	vm := UnsavedQuestion(s)
	if vm.Text == l.say.Text {
		return
	}
	l.say.SetText(vm.Text)
	leave := "Close"
	if vm.Saves {
		leave = "Discard and close"
	}
	l.discard.SetText(leave)
	parts.Show(l.save, vm.Saves)
}
