package details

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/refscope/refscope/gui/state"
	look "github.com/refscope/refscope/gui/theme"
)

// copier is an item that copies something when it is clicked, or when Enter is
// pressed while it has the focus.
type copier struct {
	part
	label, text    string
	hover, focused bool
}

func (c *copier) live() bool { return c.text != "" }

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

// Cursor is a hand over what can be copied.
func (c *copier) Cursor() desktop.Cursor {
	if c.live() {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// FocusGained shows the focus.
func (c *copier) FocusGained() { c.focused = true; c.Refresh() }

// FocusLost hides it.
func (c *copier) FocusLost() { c.focused = false; c.Refresh() }

// TypedKey copies on Enter and Space and passes other keys on.
func (c *copier) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.Tapped(nil)
	default:
		if len(e.Name) > 1 && c.v.on.Key != nil {
			c.v.on.Key(e)
		}
	}
}

// TypedRune passes characters on.
func (c *copier) TypedRune(r rune) {
	if r != ' ' && c.v.on.Rune != nil {
		c.v.on.Rune(r)
	}
}

// row is one fact.
type row struct {
	copier
	name   *canvas.Text
	hint   *canvas.Text
	ground *canvas.Rectangle
	body   lines
	tone   state.Tone
}

func newRow(v *View, d state.DetailRow) *row {
	text := d.Copy
	if text == "" {
		text = d.Value
	}
	r := &row{
		copier: copier{part: part{v: v}, label: d.Label, text: text},
		name:   canvas.NewText(state.Plain(d.Label, 24), nil),
		hint:   canvas.NewText("", nil),
		ground: canvas.NewRectangle(nil),
		body:   lines{text: d.Value, style: fyne.TextStyle{Monospace: d.Mono}},
		tone:   d.Tone,
	}
	r.objects = r.place
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) fit(width float32) float32 {
	return r.body.fit(r.v, width-2*padSide-labelWide)
}

func (r *row) place(size fyne.Size) []fyne.CanvasObject {
	v := r.v
	r.name.Color, r.name.TextSize = v.color(look.ColorMuted), v.textSize()
	r.name.Text = cut(state.Plain(r.label, 24), labelWide-6, v.measure(fyne.TextStyle{}))
	h := r.name.MinSize().Height
	r.name.Move(fyne.NewPos(padSide, (lineHigh-h)/2))
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
	out = append(out, r.body.place(v, fyne.NewPos(padSide+labelWide, 0), toneColor(r.tone))...)
	if hint, name := r.hintText(); hint != "" {
		r.hint.Text, r.hint.Color, r.hint.TextSize = hint, v.color(name), v.textSize()-1.5
		w := r.hint.MinSize()
		at := size.Width - padSide - w.Width
		if last := r.body.texts[0]; last.Position().X+last.MinSize().Width+gap < at {
			r.hint.Move(fyne.NewPos(at, (lineHigh-w.Height)/2))
			r.hint.Resize(w)
			out = append(out, r.hint)
		}
	}
	return out
}

func (r *row) hintText() (string, fyne.ThemeColorName) {
	switch {
	case r.v.copied == r.label:
		return "copied", look.ColorGood
	case r.hover || r.focused:
		return "click to copy", look.ColorMuted
	}
	return "", ""
}
