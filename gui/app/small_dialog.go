package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
)

// form is a small dialog: a title, fields, a sentence, and two buttons.
type form struct {
	note  *widget.Label // what is wrong, or what to know
	box   *widget.PopUp
	focus fyne.Focusable
}

func (f *form) pop() *widget.PopUp    { return f.box }
func (f *form) first() fyne.Focusable { return f.focus }

// newForm makes a dialog; leave is what Esc does, action what the main button says.
func newForm(s *Shell, title, action string, width float32, do, leave func(), fields ...fyne.CanvasObject) *form {
	f := &form{note: widget.NewLabel("")}
	f.note.Wrapping = fyne.TextWrapWord
	head := widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	head.Truncation = fyne.TextTruncateEllipsis
	body := container.NewVBox(append(append([]fyne.CanvasObject{head}, fields...), f.note)...)
	foot := container.NewBorder(nil, nil, nil, container.NewHBox(parts.NewPushButton("Close", false, leave, leave), parts.NewPushButton(action, true, do, leave)))
	f.box = widget.NewModalPopUp(parts.Padded(8, 10, 14, 14, container.NewBorder(nil, foot, nil, nil, body)), s.win.Canvas())
	f.box.Resize(fyne.NewSize(min(width, s.win.Canvas().Size().Width*0.9), f.box.MinSize().Height))
	return f
}

// say shows a sentence; bad makes it one about something wrong.
func (f *form) say(text string, bad bool) {
	importance := widget.LowImportance
	if bad {
		importance = widget.DangerImportance
	}
	if f.note.Text == text && f.note.Importance == importance {
		return
	}
	f.note.Importance = importance
	f.note.SetText(text)
	f.box.Resize(f.box.Content.MinSize().Max(fyne.NewSize(f.box.Content.Size().Width, 0)))
}
