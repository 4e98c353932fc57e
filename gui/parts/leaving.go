package parts

import (
	"cmp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"

	"github.com/refscope/refscope/gui/theme"
)

// Check, Select and PushButton are Fyne's, but Esc in them calls Leave, so that a dialog
// can be left from whatever has the keyboard, and Enter presses a button.

// Check is a box to tick.
type Check struct {
	widget.Check
	Leave func()
	// Enter is what the Enter key does, nil for nothing.
	Enter   func()
	focused bool
}

// CreateRenderer is Fyne's, with a ring while the box has the keyboard.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	return edged(c.Check.CreateRenderer(), func(ground fyne.CanvasObject) {
		if ring, ok := ground.(*canvas.Circle); ok {
			ring.StrokeColor, ring.StrokeWidth = theme.RGBA(c.Theme(), fynetheme.ColorNameForeground), 0
			if c.focused {
				ring.StrokeWidth = 2
			}
		}
	})
}

// FocusGained implements fyne.Focusable.
func (c *Check) FocusGained() {
	c.focused = true
	c.Check.FocusGained()
}

// FocusLost implements fyne.Focusable.
func (c *Check) FocusLost() {
	c.focused = false
	c.Check.FocusLost()
}

// AccessibilityLabel implements fyne.Accessible.
func (c *Check) AccessibilityLabel() string { return c.Text }

// AccessibilityRole implements fyne.Accessible.
func (c *Check) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// NewCheck makes one.
func NewCheck(text string, changed func(bool), leave func()) *Check {
	c := &Check{Leave: leave}
	c.Text, c.OnChanged = text, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey implements fyne.Focusable.
func (c *Check) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyEscape:
		c.Leave()
	case c.Enter != nil && (k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter):
		c.Enter()
	default:
		c.Check.TypedKey(k)
	}
}

// Select is a list to choose from. Up and Down go through it, Space drops it down.
type Select struct {
	widget.Select
	Leave func()
	// Enter is what the Enter key does, nil for nothing.
	Enter func()
}

// AccessibilityLabel implements fyne.Accessible.
func (c *Select) AccessibilityLabel() string { return "Choice of " + strings.Join(c.Options, ", ") }

// AccessibilityRole implements fyne.Accessible.
func (c *Select) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// CreateRenderer is Fyne's, with an edge as fields have.
func (c *Select) CreateRenderer() fyne.WidgetRenderer {
	return edged(c.Select.CreateRenderer(), func(ground fyne.CanvasObject) {
		if box, ok := ground.(*canvas.Rectangle); ok {
			box.StrokeColor, box.StrokeWidth = theme.RGBA(c.Theme(), fynetheme.ColorNameInputBorder), 1
		}
	})
}

// edgeRenderer is Fyne's renderer of a control, with an edge around its ground.
type edgeRenderer struct {
	fyne.WidgetRenderer
	edge func(ground fyne.CanvasObject)
}

func edged(own fyne.WidgetRenderer, edge func(ground fyne.CanvasObject)) *edgeRenderer {
	r := &edgeRenderer{own, edge}
	r.draw()
	return r
}

// Refresh implements fyne.WidgetRenderer.
func (r *edgeRenderer) Refresh() {
	r.draw()
	r.WidgetRenderer.Refresh()
}

func (r *edgeRenderer) draw() { r.edge(r.Objects()[0]) }

// NewSelect makes one.
func NewSelect(options []string, chosen func(string), leave func()) *Select {
	c := &Select{Leave: leave}
	c.Options, c.OnChanged = options, chosen
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey implements fyne.Focusable.
func (c *Select) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyEscape:
		c.Leave()
	case c.Enter != nil && (k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter):
		c.Enter()
	case k.Name == fyne.KeyDown && len(c.Options) > 0:
		c.SetSelectedIndex(min(c.SelectedIndex()+1, len(c.Options)-1))
	case k.Name == fyne.KeyUp && len(c.Options) > 0:
		c.SetSelectedIndex(max(c.SelectedIndex()-1, 0))
	default:
		c.Select.TypedKey(k)
	}
}

// PushButton is a button that can have the keyboard.
type PushButton struct {
	widget.Button
	Leave   func()
	rest    string // its text once the pointer and the keyboard have left, "" for the same
	focused bool
}

// CreateRenderer is Fyne's, with a ring while the button has the keyboard: the colour of the highlighted one stays.
func (c *PushButton) CreateRenderer() fyne.WidgetRenderer {
	return edged(c.Button.CreateRenderer(), func(ground fyne.CanvasObject) {
		if box, ok := ground.(*canvas.Rectangle); ok {
			box.StrokeColor, box.StrokeWidth = theme.RGBA(c.Theme(), fynetheme.ColorNameForeground), 0
			if c.focused {
				box.StrokeWidth = 2
			}
		}
	})
}

// NewCopyButton makes a button that copies a text, and says so until it is left.
func NewCopyButton(w *Window, main bool, text func() string) *PushButton {
	var b *PushButton
	b = NewPushButton("Copy", main, func() {
		w.Send(core.TextCopied{Text: text()})
		b.rest = "Copy"
		b.SetText("Copied")
	}, w.Leave)
	return b
}

// MouseOut implements desktop.Hoverable.
func (c *PushButton) MouseOut() {
	c.Button.MouseOut()
	c.forget()
}

// FocusGained implements fyne.Focusable.
func (c *PushButton) FocusGained() {
	c.focused = true
	c.Button.FocusGained()
}

// FocusLost implements fyne.Focusable.
func (c *PushButton) FocusLost() {
	c.focused = false
	c.Button.FocusLost()
	c.forget()
}

func (c *PushButton) forget() {
	if c.rest != "" {
		c.SetText(c.rest)
		c.rest = ""
	}
}

// NewPushButton makes one; main is the highlighted one.
func NewPushButton(text string, main bool, do, leave func()) *PushButton {
	b := &PushButton{Leave: leave}
	b.Text, b.OnTapped = text, do
	if main {
		b.Importance = widget.HighImportance
	}
	b.ExtendBaseWidget(b)
	return b
}

// Set changes what the button shows.
func (c *PushButton) Set(text string, main, enabled bool) {
	c.Importance = widget.MediumImportance
	if main {
		c.Importance = widget.HighImportance
	}
	c.SetText(text)
	Enable(c, enabled)
}

// Submits lets Enter press the button in all boxes to tick and lists to choose from below root, where it does nothing
// yet: the hint of a dialog says what Enter does there.
func (c *PushButton) Submits(root fyne.CanvasObject) {
	switch o := root.(type) {
	case *Check:
		if o.Enter == nil {
			o.Enter = c.press
		}
	case *Select:
		if o.Enter == nil {
			o.Enter = c.press
		}
	case *container.Scroll:
		c.Submits(o.Content)
	case *fyne.Container:
		for _, below := range o.Objects {
			c.Submits(below)
		}
	}
}

// press does what the button does, where it can be pressed.
func (c *PushButton) press() {
	if !c.Disabled() {
		c.OnTapped()
	}
}

// TypedKey implements fyne.Focusable.
func (c *PushButton) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyEscape:
		c.Leave()
	case fyne.KeyReturn, fyne.KeyEnter:
		c.press()
	default:
		c.Button.TypedKey(k)
	}
}

// IconButton is a button with a sign in place of a text. Enter presses it too, and keys that it has no use for are the
// window's, as with a [Chip].
type IconButton struct {
	widget.Button
	name string
}

// NewIconButton makes one; name is what it does.
func NewIconButton(icon fyne.Resource, name string, do func()) *IconButton {
	b := &IconButton{name: name}
	b.Icon, b.OnTapped, b.Importance = icon, do, widget.LowImportance
	b.ExtendBaseWidget(b)
	return b
}

// AccessibilityLabel implements fyne.Accessible.
func (b *IconButton) AccessibilityLabel() string { return b.name }

// AccessibilityRole implements fyne.Accessible.
func (b *IconButton) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// keys are those of a chip, with the button's own press.
func (b *IconButton) keys() *stop { return &stop{of: b, press: func() { b.Tapped(nil) }} }

// TypedKey implements fyne.Focusable.
func (b *IconButton) TypedKey(k *fyne.KeyEvent) { b.keys().TypedKey(k) }

// TypedRune implements fyne.Focusable.
func (b *IconButton) TypedRune(r rune) { b.keys().TypedRune(r) }

// KeyDown and KeyUp implement desktop.Keyable.
func (b *IconButton) KeyDown(k *fyne.KeyEvent) { b.keys().KeyDown(k) }

// KeyUp: see KeyDown.
func (b *IconButton) KeyUp(k *fyne.KeyEvent) { b.keys().KeyUp(k) }

// Entry is a field in a dialog.
type Entry struct {
	widget.Entry
	Leave func() // Esc
	Done  func() // Ctrl+Enter, nil for nothing
	Hint  string // the placeholder as a whole, "" for one that is not cut
}

// AccessibilityLabel implements fyne.Accessible.
func (e *Entry) AccessibilityLabel() string { return cmp.Or(e.Hint, e.PlaceHolder) }

// Resize implements fyne.CanvasObject.
func (e *Entry) Resize(size fyne.Size) {
	if e.Hint != "" {
		FitHint(&e.Entry, e.Hint, size.Width)
	}
	e.Entry.Resize(size)
}

// AccessibilityRole implements fyne.Accessible.
func (e *Entry) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// NewEntry makes a field; masked hides what is typed, submit is what Enter does.
func NewEntry(placeholder string, masked bool, submit func(string), leave func()) *Entry {
	e := &Entry{Leave: leave}
	e.Hint, e.PlaceHolder, e.Password, e.OnSubmitted = placeholder, placeholder, masked, submit
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.Leave()
		return
	}
	e.Entry.TypedKey(k)
}

// TypedShortcut implements fyne.Shortcutable.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	c, ok := s.(*desktop.CustomShortcut)
	if ok && e.Done != nil && c.Modifier == fyne.KeyModifierShortcutDefault &&
		(c.KeyName == fyne.KeyReturn || c.KeyName == fyne.KeyEnter) {
		e.Done()
		return
	}
	e.Entry.TypedShortcut(s)
}
