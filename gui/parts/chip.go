package parts

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/theme"
)

// Style is the shape of a chip.
type Style int

const (
	Toggle Style = iota // a rounded switch, filled when on
	Tab                 // a tab: underlined when on
	Button              // a flat button
)

// Chip is a small text that can be pressed: a switch over the picture, a tab over
// the text, a button in a bar. It takes no keyboard focus, so that keys of one
// letter keep going to the pane in use; every chip is a command with a key.
type Chip struct {
	widget.BaseWidget
	style    Style
	text     string
	on       bool
	disabled bool
	hovered  bool
	tapped   func()
}

var (
	_ fyne.Tappable     = (*Chip)(nil)
	_ desktop.Hoverable = (*Chip)(nil)
)

func NewChip(style Style, text string, tapped func()) *Chip {
	c := &Chip{style: style, text: text, tapped: tapped}
	c.ExtendBaseWidget(c)
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

// Turn says whether the chip is on and can be pressed; its text stays.
func (c *Chip) Turn(on, enabled bool) { c.Set(c.text, on, enabled) }

// Text is what the chip says.
func (c *Chip) Text() string { return c.text }

// On reports whether it is on.
func (c *Chip) On() bool { return c.on }

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
	r := &chipRenderer{chip: c, ground: canvas.NewRectangle(color.Transparent), line: canvas.NewRectangle(color.Transparent), label: canvas.NewText("", color.Transparent)}
	r.label.Alignment = fyne.TextAlignCenter
	r.Refresh()
	return r
}

type chipRenderer struct {
	chip         *Chip
	ground, line *canvas.Rectangle
	label        *canvas.Text
}

// padding beside and above the text, in Fyne units.
func (r *chipRenderer) padding() (x, y float32) {
	switch r.chip.style {
	case Tab:
		return 10, 8
	case Button:
		return 12, 6
	}
	return 10, 4
}

func (r *chipRenderer) MinSize() fyne.Size {
	x, y := r.padding()
	m := r.label.MinSize()
	return fyne.NewSize(m.Width+2*x, m.Height+2*y)
}

func (r *chipRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.label.Resize(size)
	r.line.Resize(fyne.NewSize(size.Width, 2))
	r.line.Move(fyne.NewPos(0, size.Height-2))
	if r.chip.style == Toggle {
		r.ground.CornerRadius = size.Height / 2
	}
}

func (r *chipRenderer) Refresh() {
	c, th := r.chip, r.chip.Theme()
	ink := func(n fyne.ThemeColorName) { r.label.Color = theme.RGBA(th, n) }
	r.label.Text = c.text
	r.label.TextSize = th.Size(fynetheme.SizeNameText) - 1
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = color.Transparent, color.Transparent, 0
	r.line.FillColor = color.Transparent
	switch {
	case c.disabled:
		ink(fynetheme.ColorNameDisabled)
	case c.on || c.style == Button:
		ink(theme.ColorText)
	default:
		ink(theme.ColorMuted)
	}
	switch c.style {
	case Toggle:
		r.ground.StrokeColor, r.ground.StrokeWidth = theme.RGBA(th, theme.ColorLine), 1
		if c.on {
			r.ground.FillColor = theme.RGBA(th, fynetheme.ColorNameButton)
			r.ground.StrokeColor = theme.RGBA(th, fynetheme.ColorNameInputBorder)
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
			r.label.Color = theme.RGBA(th, theme.ColorPane)
			r.label.TextStyle.Bold = true
		}
	}
	if c.hovered && !c.disabled && r.ground.FillColor == color.Transparent {
		r.ground.FillColor = theme.RGBA(th, fynetheme.ColorNameHover)
	}
	r.Layout(c.Size())
	r.ground.Refresh()
	r.line.Refresh()
	r.label.Refresh()
}

func (r *chipRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.line, r.label}
}

func (r *chipRenderer) Destroy() {}
