package parts

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
)

// Choice is one line of a [DropDown].
type Choice struct {
	Title string
	// On: it is chosen. Dot: it is highlighted, as the format that was sent.
	On, Dot bool
	// Gap asks for a line above it.
	Gap bool
	Msg core.Msg
}

// DropDown is a word with the choices that drop down from it. It takes no keyboard focus, as
// a [Chip]: each choice is a command too.
type DropDown struct {
	widget.BaseWidget
	title   string
	dot     bool
	choices []Choice
	send    func(core.Msg)
	hovered bool
}

// AccessibilityLabel implements fyne.Accessible.
func (d *DropDown) AccessibilityLabel() string { return d.title }

// AccessibilityRole implements fyne.Accessible.
func (d *DropDown) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

var (
	_ fyne.Tappable     = (*DropDown)(nil)
	_ desktop.Hoverable = (*DropDown)(nil)
)

// NewDropDown makes one without choices.
func NewDropDown(send func(core.Msg)) *DropDown {
	d := &DropDown{send: send}
	d.ExtendBaseWidget(d)
	return d
}

// Set shows another title and choices, and reports whether its width may be another.
func (d *DropDown) Set(title string, dot bool, choices []Choice) bool {
	if d.title == title && d.dot == dot && slices.Equal(d.choices, choices) {
		return false
	}
	moved := d.title != title || d.dot != dot
	d.title, d.dot, d.choices = title, dot, choices
	d.Refresh()
	return moved
}

// Title is what it says, Choices what it offers.
func (d *DropDown) Title() string { return d.title }

// Choices are the lines that drop down.
func (d *DropDown) Choices() []Choice { return d.choices }

// Tapped drops the choices down.
func (d *DropDown) Tapped(*fyne.PointEvent) { d.Open() }

// Open drops the choices down.
func (d *DropDown) Open() {
	c := fyne.CurrentApp().Driver().CanvasForObject(d)
	if c == nil || len(d.choices) == 0 {
		return
	}
	menu := fyne.NewMenu("")
	for _, choice := range d.choices {
		if choice.Gap {
			menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
		}
		item := fyne.NewMenuItem(choice.Title, func() { d.send(choice.Msg) })
		item.Checked = choice.On
		if choice.Dot {
			item.Icon = fynetheme.NewColoredResource(fynetheme.RadioButtonFillIcon(), fynetheme.ColorNameSuccess)
		}
		menu.Items = append(menu.Items, item)
	}
	widget.ShowPopUpMenuAtRelativePosition(menu, c, fyne.NewPos(0, d.Size().Height+2), d)
}

func (d *DropDown) MouseIn(*desktop.MouseEvent)    { d.hovered = true; d.Refresh() }
func (d *DropDown) MouseMoved(*desktop.MouseEvent) {}
func (d *DropDown) MouseOut()                      { d.hovered = false; d.Refresh() }

// CreateRenderer is Fyne's.
func (d *DropDown) CreateRenderer() fyne.WidgetRenderer {
	r := &dropRenderer{d: d, ground: canvas.NewRectangle(color.Transparent), dot: canvas.NewCircle(color.Transparent),
		label: canvas.NewText("", nil), icon: canvas.NewImageFromResource(nil)}
	r.Refresh()
	return r
}

type dropRenderer struct {
	d      *DropDown
	ground *canvas.Rectangle
	dot    *canvas.Circle
	label  *canvas.Text
	icon   *canvas.Image
}

// The measures of a drop-down in Fyne units.
const (
	dropPad  = 9
	dropDot  = 8
	dropIcon = 15
)

func (r *dropRenderer) MinSize() fyne.Size {
	m := r.label.MinSize()
	w := m.Width + 2*dropPad + dropIcon
	if r.d.dot {
		w += dropDot + 4
	}
	return fyne.NewSize(w, m.Height+8)
}

func (r *dropRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	x := float32(dropPad)
	if r.d.dot {
		r.dot.Resize(fyne.NewSquareSize(dropDot))
		r.dot.Move(fyne.NewPos(x, (size.Height-dropDot)/2))
		x += dropDot + 4
	}
	m := r.label.MinSize()
	r.label.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
	r.label.Resize(m)
	r.icon.Resize(fyne.NewSquareSize(dropIcon))
	r.icon.Move(fyne.NewPos(size.Width-dropPad-dropIcon+3, (size.Height-dropIcon)/2))
}

func (r *dropRenderer) Refresh() {
	th := r.d.Theme()
	r.label.Text, r.label.Color = r.d.title, theme.RGBA(th, theme.ColorText)
	r.label.TextSize = th.Size(fynetheme.SizeNameText) - 1
	r.dot.FillColor = color.Transparent
	if r.d.dot {
		r.dot.FillColor = theme.RGBA(th, theme.ColorGood)
	}
	r.icon.Resource = fynetheme.NewThemedResource(fynetheme.MenuDropDownIcon())
	r.ground.CornerRadius = th.Size(fynetheme.SizeNameInputRadius)
	r.ground.FillColor = theme.RGBA(th, fynetheme.ColorNameButton)
	if r.d.hovered {
		r.ground.FillColor = theme.RGBA(th, theme.ColorRowHover)
	}
	r.ground.StrokeColor, r.ground.StrokeWidth = theme.RGBA(th, theme.ColorLine), 1
	r.Layout(r.d.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *dropRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.dot, r.label, r.icon}
}
func (r *dropRenderer) Destroy() {}
