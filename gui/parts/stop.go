package parts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// stop lets the keyboard come to something that is only pressed: Enter and Space press it. What else is typed goes to
// the window, as if nothing had the keyboard, so that commands of one letter work from there. Whoever embeds it draws
// that it is focused.
type stop struct {
	of      fyne.CanvasObject
	press   func()
	focused bool
}

// FocusGained and FocusLost implement fyne.Focusable.
func (s *stop) FocusGained() { s.focused = true; s.of.Refresh() }
func (s *stop) FocusLost()   { s.focused = false; s.of.Refresh() }

// TypedKey implements fyne.Focusable.
func (s *stop) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		s.press()
		return
	}
	if c := s.canvas(); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(k)
	}
}

// TypedRune implements fyne.Focusable.
func (s *stop) TypedRune(r rune) {
	if c := s.canvas(); r != ' ' && c != nil && c.OnTypedRune() != nil {
		c.OnTypedRune()(r)
	}
}

// KeyDown and KeyUp implement desktop.Keyable: commands that last while a key is down do so from here too.
func (s *stop) KeyDown(k *fyne.KeyEvent) {
	if c, ok := s.canvas().(desktop.Canvas); ok && c.OnKeyDown() != nil {
		c.OnKeyDown()(k)
	}
}

func (s *stop) KeyUp(k *fyne.KeyEvent) {
	if c, ok := s.canvas().(desktop.Canvas); ok && c.OnKeyUp() != nil {
		c.OnKeyUp()(k)
	}
}

func (s *stop) canvas() fyne.Canvas { return fyne.CurrentApp().Driver().CanvasForObject(s.of) }

// Holds reports whether what has the keyboard is in view within root.
func Holds(root fyne.CanvasObject, f fyne.Focusable) bool {
	o, ok := f.(fyne.CanvasObject)
	d := fyne.CurrentApp().Driver()
	if !ok || !root.Visible() || d.CanvasForObject(o) == nil || d.CanvasForObject(o) != d.CanvasForObject(root) {
		return false
	}
	at, size := d.AbsolutePositionForObject(o).Subtract(d.AbsolutePositionForObject(root)), root.Size()
	return at.X >= 0 && at.Y >= 0 && at.X < size.Width && at.Y < size.Height
}
