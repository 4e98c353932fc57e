package parts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
)

// Window is what a view has of the window that it is in. Its functions run on Fyne's
// goroutine. A test sets those that it looks at.
type Window struct {
	Canvas fyne.Canvas
	// State is the present state.
	State func() core.State
	// Send takes a message, Run the id of a command, which is run at once.
	Send func(core.Msg)
	Run  func(id string)
	// Escape leaves what is foremost, also a field that has the keyboard.
	Escape func()
	Keys
	// FocusSide focuses the right side.
	FocusSide func()
}

// Keys get the keys that a widget has no use for, so that keys of the whole window work while it
// has the keyboard. Any of them may be nil.
type Keys struct {
	// Held: a key that types a character went down, or came up again. Its character still comes to
	// Rune, again and again while the key stays down.
	Held     func(key fyne.KeyName, down bool)
	Key      func(*fyne.KeyEvent)
	Rune     func(rune)
	Shortcut func(fyne.Shortcut)
}

// PassKey passes a key on.
func (k *Keys) PassKey(e *fyne.KeyEvent) {
	if k.Key != nil {
		k.Key(e)
	}
}

// PassRune passes a character on.
func (k *Keys) PassRune(r rune) {
	if k.Rune != nil {
		k.Rune(r)
	}
}

// PassShortcut passes a shortcut on.
func (k *Keys) PassShortcut(s fyne.Shortcut) {
	if k.Shortcut != nil {
		k.Shortcut(s)
	}
}

// Follow keeps in shift whether the Shift key is down, which key events lack, and passes other keys to Held.
func (k *Keys) Follow(key fyne.KeyName, down bool, shift *bool) {
	if key == desktop.KeyShiftLeft || key == desktop.KeyShiftRight {
		*shift = down
	} else if len(key) == 1 && k.Held != nil {
		k.Held(key, down)
	}
}

// TakeFocus brings the keyboard to a widget that is on a canvas and does not have it yet.
func TakeFocus(w interface {
	fyne.CanvasObject
	fyne.Focusable
}, has bool) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(w); c != nil && !has {
		c.Focus(w)
	}
}

// Leave leaves the dialog that is open.
func (w *Window) Leave() { w.Send(core.Escaped{}) }

// Focus moves the keyboard.
func (w *Window) Focus(f fyne.Focusable) { w.Canvas.Focus(f) }

// DropDown drops a menu down from an object; one without entries not.
func (w *Window) DropDown(m *fyne.Menu, under fyne.CanvasObject) {
	if len(m.Items) > 0 {
		widget.ShowPopUpMenuAtRelativePosition(m, w.Canvas, fyne.NewPos(0, under.Size().Height+2), under)
	}
}

// PopUp drops a menu down at a place of the canvas that the object is on.
func PopUp(on fyne.CanvasObject, at fyne.Position, items ...*fyne.MenuItem) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(on); c != nil {
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), c, at)
	}
}

// MenuItem is an entry of a menu that sends a message.
func (w *Window) MenuItem(title string, on bool, m core.Msg) *fyne.MenuItem {
	item := fyne.NewMenuItem(title, func() { w.Send(m) })
	item.Checked = on
	return item
}

// Chip is a chip that runs a command.
func (w *Window) Chip(style Style, title, command string) *Chip {
	return NewChip(style, title, func() { w.Run(command) })
}

// Title is that of a command. Keys are in the menus and in the list of commands, not in
// labels.
func (w *Window) Title(command string) string {
	for _, c := range w.State().Commands() {
		if c.ID == command {
			return c.Title
		}
	}
	return command
}

// List are the callbacks of a list.
func (w *Window) List() ListCallbacks {
	return ListCallbacks{Send: w.Send, Keys: w.Keys, Escape: w.Leave,
		Hover: func(ref int) { w.Send(core.Hovered{Ref: ref, Source: core.PaneDump}) }}
}

// Enable lets something be used, or not.
func Enable(o fyne.Disableable, on bool) {
	switch {
	case on && o.Disabled():
		o.Enable()
	case !on && !o.Disabled():
		o.Disable()
	}
}

// Head is the title of a dialog, or of a part of one.
func Head(title string) *widget.Label {
	return widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
}

// Hint is a sentence of less weight.
func Hint(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Importance = widget.LowImportance
	return l
}

// Form is a small dialog: a title, fields, a sentence, and two buttons.
type Form struct {
	note  *widget.Label // what is wrong, or what to know
	leave *PushButton
	box   fyne.CanvasObject
	width float32
	first fyne.Focusable
}

// NewForm makes a dialog that is width Fyne units wide where there is room, with the keyboard
// in first, or in the main button where that is nil. action is the label of the main button, do what it does.
func NewForm(w *Window, title, action string, width float32, do func(), first fyne.Focusable,
	fields ...fyne.CanvasObject) *Form {
	f := &Form{note: widget.NewLabel(""), width: width, first: first}
	f.note.Wrapping = fyne.TextWrapWord
	head := Head(title)
	head.Truncation = fyne.TextTruncateEllipsis
	body := container.NewVBox(append(append([]fyne.CanvasObject{head}, fields...), f.note)...)
	main := NewPushButton(action, true, do, w.Leave)
	if first == nil {
		f.first = main
	}
	f.leave = NewPushButton("Close", false, w.Leave, w.Leave)
	buttons := container.NewHBox(f.leave, main)
	f.box = Border(nil, Border(nil, nil, nil, buttons), nil, nil, body)
	main.Submits(f.box)
	return f
}

// Object returns the object to lay out, Focus what has the keyboard first.
func (f *Form) Object() fyne.CanvasObject { return f.box }
func (f *Form) Focus() fyne.Focusable     { return f.first }

// Size is how large the dialog is in a window.
func (f *Form) Size(window fyne.Size) fyne.Size {
	return fyne.NewSize(min(f.width, window.Width*0.9), 0)
}

// LeaveBy names the button that leaves the dialog, which is "Close" else.
func (f *Form) LeaveBy(title string) { f.leave.SetText(title) }

// Say shows a sentence; bad makes it one about something wrong.
func (f *Form) Say(text string, bad bool) {
	importance := widget.LowImportance
	if bad {
		importance = widget.DangerImportance
	}
	if f.note.Text != text || f.note.Importance != importance {
		f.note.Importance = importance
		f.note.SetText(text)
	}
}
