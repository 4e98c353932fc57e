package parts

import (
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
)

// Style is the shape of a chip.
type Style int

const (
	Toggle Style = iota // a rounded switch, filled when on
	Tab                 // a tab: underlined when on
	Button              // a flat button
	drop                // a field that drops its choices down
)

// Chip is a small text that can be pressed: a switch over the picture, a tab over
// the text, a button in a bar. Tab brings the keyboard to it, Enter and Space press it; a click does not, so that
// keys of one letter keep going to the pane in use, and they go to the window from a chip too.
//
// A text that begins with "● " has a dot in front, one that ends with " ▾" opens a
// menu: both signs are drawn, because a bare system's fonts lack them.
type Chip struct {
	widget.BaseWidget
	stop
	style    Style
	text     string
	on       bool
	disabled bool
	hovered  bool
	badges   []core.StatusItem
	tapped   func()
}

// AccessibilityLabel implements fyne.Accessible.
func (c *Chip) AccessibilityLabel() string {
	plain, _, _ := signs(c.text)
	words := []string{plain}
	for _, b := range c.badges {
		words = append(words, b.Text)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// AccessibilityRole implements fyne.Accessible.
func (c *Chip) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

var (
	_ fyne.Tappable     = (*Chip)(nil)
	_ fyne.Focusable    = (*Chip)(nil)
	_ fyne.Disableable  = (*Chip)(nil)
	_ desktop.Keyable   = (*Chip)(nil)
	_ desktop.Hoverable = (*Chip)(nil)
)

// NewChip makes a chip.
func NewChip(style Style, text string, tapped func()) *Chip {
	c := &Chip{style: style, text: text, tapped: tapped}
	c.ExtendBaseWidget(c)
	c.stop = stop{of: c, press: func() { c.Tapped(nil) }}
	return c
}

// Set changes what the chip shows.
func (c *Chip) Set(text string, on, enabled bool) {
	if c.text == text && c.on == on && c.disabled == !enabled {
		return
	}
	c.text, c.on, c.disabled = text, on, !enabled
	c.Refresh()
}

// Turn sets whether the chip is on and can be pressed; its text stays.
func (c *Chip) Turn(on, enabled bool) { c.Set(c.text, on, enabled) }

// SetBadges shows counts behind the text, each in a pill of its tone.
func (c *Chip) SetBadges(badges []core.StatusItem) {
	if !slices.Equal(c.badges, badges) {
		c.badges = slices.Clone(badges)
		c.Refresh()
	}
}

// Text is the label of the chip.
func (c *Chip) Text() string { return c.text }

// On reports whether it is on.
func (c *Chip) On() bool { return c.on }

// Enable implements fyne.Disableable.
func (c *Chip) Enable() { c.Turn(c.on, true) }

// Disable implements fyne.Disableable.
func (c *Chip) Disable() { c.Turn(c.on, false) }

// Disabled implements fyne.Disableable: Tab passes over what cannot be pressed.
func (c *Chip) Disabled() bool { return c.disabled }

// Tapped implements fyne.Tappable.
func (c *Chip) Tapped(*fyne.PointEvent) {
	if c.tapped != nil && !c.disabled {
		c.tapped()
	}
}

func (c *Chip) MouseIn(*desktop.MouseEvent)    { c.hovered = true; c.Refresh() }
func (c *Chip) MouseMoved(*desktop.MouseEvent) {}
func (c *Chip) MouseOut()                      { c.hovered = false; c.Refresh() }

func (c *Chip) CreateRenderer() fyne.WidgetRenderer {
	r := &chipRenderer{chip: c, ground: canvas.NewRectangle(color.Transparent),
		line: canvas.NewRectangle(color.Transparent), label: canvas.NewText("", color.Transparent),
		dot: canvas.NewCircle(color.Transparent), down: [2]*canvas.Line{canvas.NewLine(color.Transparent),
			canvas.NewLine(color.Transparent)}}
	r.Refresh()
	return r
}

type chipRenderer struct {
	chip         *Chip
	ground, line *canvas.Rectangle
	label        *canvas.Text
	dot          *canvas.Circle
	down         [2]*canvas.Line
	pills        []*canvas.Rectangle
	counts       []*canvas.Text
}

// Sizes of what is beside the text, in Fyne units.
const (
	chipDot, chipArrow, signGap, pillPad = 7, 8, 6, 5
)

// The signs of a text that are drawn: a dot in front, and one that opens a menu.
const dotSign, downSign = "● ", " ▾"

// signs takes the drawn signs off a text.
func signs(text string) (plain string, dot, down bool) {
	text, dot = strings.CutPrefix(text, dotSign)
	text, down = strings.CutSuffix(text, downSign)
	return text, dot, down
}

// padding beside and above the text, in Fyne units.
func (r *chipRenderer) padding() (x, y float32) {
	switch r.chip.style {
	case Tab:
		return 9, 8
	case Button:
		return 12, 6
	}
	return 10, 4
}

// inner is the width of the chip's content.
func (r *chipRenderer) inner() float32 {
	w := r.label.MinSize().Width
	if r.dot.Visible() {
		w += chipDot + signGap
	}
	for _, t := range r.counts {
		w += signGap + t.MinSize().Width + 2*pillPad
	}
	if r.down[0].Visible() {
		w += chipArrow + signGap
	}
	return w
}

func (r *chipRenderer) MinSize() fyne.Size {
	x, y := r.padding()
	return fyne.NewSize(r.inner()+2*x, r.label.MinSize().Height+2*y)
}

func (r *chipRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.line.Resize(fyne.NewSize(size.Width, 2))
	r.line.Move(fyne.NewPos(0, size.Height-2))
	x := (size.Width - r.inner()) / 2
	if r.dot.Visible() {
		r.dot.Resize(fyne.NewSquareSize(chipDot))
		r.dot.Move(fyne.NewPos(x, (size.Height-chipDot)/2))
		x += chipDot + signGap
	}
	m := r.label.MinSize()
	r.label.Resize(fyne.NewSize(m.Width, size.Height))
	r.label.Move(fyne.NewPos(x, 0))
	x += m.Width
	for i, t := range r.counts {
		x += signGap
		m := t.MinSize()
		r.pills[i].Resize(fyne.NewSize(m.Width+2*pillPad, m.Height))
		r.pills[i].Move(fyne.NewPos(x, (size.Height-m.Height)/2))
		r.pills[i].CornerRadius = m.Height / 2
		t.Resize(m)
		t.Move(fyne.NewPos(x+pillPad, (size.Height-m.Height)/2))
		x += m.Width + 2*pillPad
	}
	if r.down[0].Visible() {
		x += signGap
		y := size.Height/2 - chipArrow/4
		tip := fyne.NewPos(x+chipArrow/2, y+chipArrow/2)
		r.down[0].Position1, r.down[0].Position2 = fyne.NewPos(x, y), tip
		r.down[1].Position1, r.down[1].Position2 = tip, fyne.NewPos(x+chipArrow, y)
	}
	if r.chip.style == Toggle {
		r.ground.CornerRadius = size.Height / 2
	}
}

func (r *chipRenderer) Refresh() {
	c, th := r.chip, r.chip.Theme()
	plain, dot, down := signs(c.text)
	r.label.Text = plain
	r.label.TextSize = th.Size(fynetheme.SizeNameText) - 1
	r.label.TextStyle.Bold = false
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = color.Transparent, color.Transparent, 0
	r.line.FillColor = color.Transparent
	ink := theme.RGBA(th, theme.ColorMuted)
	switch {
	case c.disabled:
		ink = theme.RGBA(th, fynetheme.ColorNameDisabled)
	case c.on || c.style == Button || c.style == drop:
		ink = theme.RGBA(th, theme.ColorText)
	}
	switch c.style {
	case Toggle:
		r.ground.StrokeColor, r.ground.StrokeWidth = theme.RGBA(th, theme.ColorLine), 1
		if c.on {
			r.ground.FillColor = theme.RGBA(th, fynetheme.ColorNameButton)
			r.ground.StrokeColor = theme.RGBA(th, fynetheme.ColorNameInputBorder)
		}
	case drop:
		r.ground.CornerRadius = th.Size(fynetheme.SizeNameInputRadius)
		r.ground.StrokeColor, r.ground.StrokeWidth = theme.RGBA(th, theme.ColorLine), 1
		r.ground.FillColor = theme.RGBA(th, fynetheme.ColorNameButton)
		if c.hovered {
			r.ground.FillColor = theme.RGBA(th, theme.ColorRowHover)
		}
	case Tab:
		if c.on {
			r.line.FillColor = theme.RGBA(th, theme.ColorAccent)
		}
	case Button:
		r.label.TextSize = th.Size(fynetheme.SizeNameText)
		r.ground.CornerRadius = th.Size(fynetheme.SizeNameInputRadius)
		name := fynetheme.ColorNameButton
		if c.disabled {
			name = fynetheme.ColorNameDisabledButton
		}
		r.ground.FillColor = theme.RGBA(th, name)
		if c.on && !c.disabled { // the one main button
			r.ground.FillColor = theme.RGBA(th, theme.ColorAccent)
			ink = theme.RGBA(th, theme.ColorPane)
			r.label.TextStyle.Bold = true
		}
	}
	r.label.Color = ink
	if c.hovered && !c.disabled && r.ground.FillColor == color.Transparent {
		r.ground.FillColor = theme.RGBA(th, fynetheme.ColorNameHover)
	}
	if c.focused {
		ring := fynetheme.ColorNameFocus
		if r.ground.FillColor == theme.RGBA(th, theme.ColorAccent) { // on which it is not seen
			ring = fynetheme.ColorNameForeground
		}
		r.ground.StrokeColor, r.ground.StrokeWidth = theme.RGBA(th, ring), 2
	}
	r.dot.FillColor = theme.RGBA(th, theme.ColorGood)
	Show(r.dot, dot)
	for _, l := range r.down {
		l.StrokeColor, l.StrokeWidth = ink, 1.5
		Show(l, down)
	}
	r.pin(th)
	r.Layout(c.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// pin makes the badges.
func (r *chipRenderer) pin(th fyne.Theme) {
	r.pills, r.counts = nil, nil
	for _, b := range r.chip.badges {
		ground, edge, ink := NoteColors(b.Tone)
		if ground == theme.ColorNoteGround {
			edge, ink = ground, theme.ColorMuted
		}
		t := canvas.NewText(b.Text, theme.RGBA(th, ink))
		t.TextSize = th.Size(fynetheme.SizeNameCaptionText)
		pill := canvas.NewRectangle(theme.RGBA(th, ground))
		pill.StrokeColor, pill.StrokeWidth = theme.RGBA(th, edge), 1
		r.pills, r.counts = append(r.pills, pill), append(r.counts, t)
	}
}

func (r *chipRenderer) Objects() []fyne.CanvasObject {
	list := []fyne.CanvasObject{r.ground, r.line, r.dot, r.label, r.down[0], r.down[1]}
	for i := range r.pills {
		list = append(list, r.pills[i], r.counts[i])
	}
	return list
}

func (r *chipRenderer) Destroy() {}

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
