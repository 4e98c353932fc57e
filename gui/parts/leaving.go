package parts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Check, Select and PushButton are Fyne's, but Esc in them calls Leave, so that a dialog
// can be left from whatever has the keyboard, and Enter presses a button.

// Check is a box to tick.
type Check struct {
	widget.Check
	Leave func()
}

// NewCheck makes one.
func NewCheck(text string, changed func(bool), leave func()) *Check {
	c := &Check{Leave: leave}
	c.Text, c.OnChanged = text, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey implements fyne.Focusable.
func (c *Check) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		c.Leave()
		return
	}
	c.Check.TypedKey(k)
}

// Select is a list to choose from.
type Select struct {
	widget.Select
	Leave func()
}

// NewSelect makes one.
func NewSelect(options []string, chosen func(string), leave func()) *Select {
	c := &Select{Leave: leave}
	c.Options, c.OnChanged = options, chosen
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey implements fyne.Focusable.
func (c *Select) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		c.Leave()
		return
	}
	c.Select.TypedKey(k)
}

// PushButton is a button that can have the keyboard.
type PushButton struct {
	widget.Button
	Leave func()
}

// NewPushButton makes one; main is the one that stands out.
func NewPushButton(text string, main bool, do, leave func()) *PushButton {
	b := &PushButton{Leave: leave}
	b.Text, b.OnTapped = text, do
	if main {
		b.Importance = widget.HighImportance
	}
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey implements fyne.Focusable.
func (c *PushButton) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyEscape:
		c.Leave()
	case fyne.KeyReturn, fyne.KeyEnter:
		if !c.Disabled() {
			c.OnTapped()
		}
	default:
		c.Button.TypedKey(k)
	}
}
