package details

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// copier is an item that copies something when it is clicked, or when Enter is
// pressed while it has the focus.
type copier struct {
	part
	label, text    string
	hover, focused bool
}

// AccessibilityLabel implements fyne.Accessible.
func (c *copier) AccessibilityLabel() string { return c.label }

// AccessibilityRole implements fyne.Accessible.
func (c *copier) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

func (c *copier) live() bool { return c.text != "" }

// hints describe what a click does, and what it did.
func (c *copier) hints() (string, fyne.ThemeColorName) {
	switch {
	case c.v.copied == c.label:
		return "copied", look.ColorGood
	case c.hover || c.focused:
		return "click to copy", look.ColorMuted
	}
	return "", ""
}

// Tapped copies.
func (c *copier) Tapped(*fyne.PointEvent) {
	if c.live() {
		c.v.copy(c.label, c.text)
	}
}

// MouseIn shows that a click would copy.
func (c *copier) MouseIn(*desktop.MouseEvent) { c.hover = true; c.Refresh() }

// MouseMoved does nothing.
func (c *copier) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn began.
func (c *copier) MouseOut() { c.hover = false; c.Refresh() }

// Cursor is the pointing hand over what can be copied.
func (c *copier) Cursor() desktop.Cursor {
	if c.live() {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// FocusGained shows the focus, and brings what has it into view.
func (c *copier) FocusGained() {
	c.focused = true
	c.v.reveal(c.span())
	c.Refresh()
}

// span is where the item is in the pane.
func (c *copier) span() (top, height float32) { return c.Position().Y, c.Size().Height }

// FocusLost hides it.
func (c *copier) FocusLost() { c.focused = false; c.Refresh() }

// TypedKey copies on Enter and Space and passes other keys on.
func (c *copier) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.Tapped(nil)
	default:
		if len(e.Name) > 1 {
			c.v.on.PassKey(e)
		}
	}
}

// TypedRune passes characters on.
func (c *copier) TypedRune(r rune) {
	if r != ' ' {
		c.v.on.PassRune(r)
	}
}

// row is one fact.
type row struct {
	copier
	name   *canvas.Text
	hint   *canvas.Text
	ground *canvas.Rectangle
	body   lines
	tone   core.Tone
	goes   Link
}

func newRow(v *View, d Row) *row {
	value := d.Copy
	if value == "" {
		value = d.Value
	}
	r := &row{
		copier: copier{part: part{v: v}, label: d.Label, text: value},
		name:   canvas.NewText(text.Cut(text.Line(d.Label), 24), nil),
		hint:   canvas.NewText("", nil),
		ground: canvas.NewRectangle(nil),
		body:   lines{text: d.Value, style: fyne.TextStyle{Monospace: d.Mono}},
		tone:   d.Tone,
		goes:   d.Go,
	}
	r.objects = r.place
	r.ExtendBaseWidget(r)
	return r
}

// Tapped goes to what the row is about, where it is about another element, and copies
// else.
func (r *row) Tapped(e *fyne.PointEvent) {
	if r.goes.Some && r.v.on.Go != nil {
		r.v.on.Go(r.goes)
		return
	}
	r.copier.Tapped(e)
}

// TappedSecondary copies, also what a click would follow.
func (r *row) TappedSecondary(*fyne.PointEvent) { r.copier.Tapped(nil) }

// TypedKey goes there on Enter, and copies on Space as every row does.
func (r *row) TypedKey(e *fyne.KeyEvent) {
	if r.goes.Some && (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) {
		r.Tapped(nil)
		return
	}
	r.copier.TypedKey(e)
}

// hints: see copier.
func (r *row) hints() (string, fyne.ThemeColorName) {
	if r.goes.Some && r.v.copied != r.label && (r.hover || r.focused) {
		return "click to go there", look.ColorAccent
	}
	return r.copier.hints()
}

// title is the label as it is shown: with a capital, unless it is a name of the page's code or
// of a format.
func (r *row) title() string {
	label := text.Cut(text.Line(r.label), 24)
	if r.body.style.Monospace || label == "" {
		return label
	}
	return text.Capital(label)
}

func (r *row) fit(width float32) float32 {
	return r.body.fit(r.v, width-2*padSide-r.v.labelWide())
}

func (r *row) place(size fyne.Size) []fyne.CanvasObject {
	v := r.v
	r.name.Color, r.name.TextSize = v.color(look.ColorMuted), v.textSize()
	r.name.Text = parts.Cut(r.title(), v.labelWide()-6, v.measure(fyne.TextStyle{}))
	h := r.name.MinSize().Height
	r.name.Move(fyne.NewPos(padSide, (v.lineHigh()-h)/2))
	r.name.Resize(r.name.MinSize())
	out := []fyne.CanvasObject{}
	if r.hover || r.focused {
		r.ground.FillColor, r.ground.StrokeWidth = v.color(look.ColorRowHover), 0
		if r.focused {
			r.ground.StrokeColor, r.ground.StrokeWidth = v.color(look.ColorAccent), 1
		}
		r.ground.CornerRadius = 3
		r.ground.Move(fyne.NewPos(padSide-6, 0))
		r.ground.Resize(fyne.NewSize(size.Width-2*padSide+12, size.Height))
		out = append(out, r.ground)
	}
	out = append(out, r.name)
	ink := parts.ToneColor(r.tone)
	if r.goes.Some && (r.hover || r.focused) {
		ink = look.ColorAccent
	}
	out = append(out, r.body.place(v, fyne.NewPos(padSide+v.labelWide(), 0), ink)...)
	if hint, name := r.hints(); hint != "" {
		r.hint.Text, r.hint.Color, r.hint.TextSize = hint, v.color(name), v.textSize()-1.5
		w := r.hint.MinSize()
		at := size.Width - padSide - w.Width
		if padSide+v.labelWide()+v.measure(r.body.style)(r.body.wrapped[0])+gap < at {
			r.hint.Move(fyne.NewPos(at, (v.lineHigh()-w.Height)/2))
			r.hint.Resize(w)
			out = append(out, r.hint)
		}
	}
	return out
}
