package steps

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/theme"
)

// rowHigh is the height of a suggestion in Fyne units.
const rowHigh = 20

// offers is the list of suggestions; the marked one is what Tab takes, and a click takes
// any.
type offers struct {
	widget.BaseWidget
	items   []StepItem
	marked  int
	hovered int // -1 for none
	take    func(int)
}

var (
	_ fyne.Tappable      = (*offers)(nil)
	_ desktop.Hoverable  = (*offers)(nil)
	_ desktop.Cursorable = (*offers)(nil)
)

func newOffers(take func(int)) *offers {
	o := &offers{take: take, hovered: -1}
	o.ExtendBaseWidget(o)
	return o
}

func (o *offers) set(items []StepItem, marked int) {
	o.items, o.marked = items, marked
	o.Refresh()
}

func (o *offers) at(y float32) int {
	if i := int(y / rowHigh); y >= 0 && i < len(o.items) {
		return i
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (o *offers) Tapped(e *fyne.PointEvent) {
	if i := o.at(e.Position.Y); i >= 0 {
		o.take(i)
	}
}

// MouseIn implements desktop.Hoverable.
func (o *offers) MouseIn(e *desktop.MouseEvent) { o.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (o *offers) MouseMoved(e *desktop.MouseEvent) {
	if i := o.at(e.Position.Y); i != o.hovered {
		o.hovered = i
		o.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (o *offers) MouseOut() { o.hovered = -1; o.Refresh() }

// Cursor is a hand over what can be taken.
func (o *offers) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer is Fyne's.
func (o *offers) CreateRenderer() fyne.WidgetRenderer {
	r := &offersRenderer{o: o}
	r.build()
	return r
}

type offersRenderer struct {
	o       *offers
	objects []fyne.CanvasObject
}

func (r *offersRenderer) MinSize() fyne.Size {
	return fyne.NewSize(80, float32(max(1, len(r.o.items)))*rowHigh)
}
func (r *offersRenderer) Layout(fyne.Size)             { r.build() }
func (r *offersRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *offersRenderer) Destroy()                     {}
func (r *offersRenderer) Refresh() {
	r.build()
	canvas.Refresh(r.o)
}

// build makes the objects of the rows; there are a few dozen at most.
func (r *offersRenderer) build() {
	o, th := r.o, r.o.Theme()
	width := o.Size().Width
	size := th.Size(fynetheme.SizeNameText) - 1
	r.objects = r.objects[:0]
	text := func(s string, x, y float32, c fyne.ThemeColorName, mono bool) float32 {
		style := fyne.TextStyle{Monospace: mono}
		t := canvas.NewText(fit(s, width-x-6, size, style), theme.RGBA(th, c))
		t.TextSize, t.TextStyle = size, style
		m := t.MinSize()
		t.Resize(m)
		t.Move(fyne.NewPos(x, y+(rowHigh-m.Height)/2))
		r.objects = append(r.objects, t)
		return x + m.Width
	}
	if len(o.items) == 0 {
		text("nothing to suggest here", 18, 0, theme.ColorMuted, false)
	}
	for i, it := range o.items {
		y := float32(i) * rowHigh
		ground := canvas.NewRectangle(color.Transparent)
		switch i {
		case o.marked:
			ground.FillColor = theme.RGBA(th, theme.ColorRowSelected)
		case o.hovered:
			ground.FillColor = theme.RGBA(th, theme.ColorRowHover)
		}
		ground.Move(fyne.NewPos(0, y))
		ground.Resize(fyne.NewSize(width, rowHigh))
		r.objects = append(r.objects, ground)
		if i == o.marked {
			text("›", 6, y, theme.ColorAccent, false)
		}
		x := text(it.Label, 18, y, theme.ColorText, true)
		if width-x > 60 {
			text(it.What, x+10, y, theme.ColorMuted, false)
		}
	}
}

// fit cuts a text to a width, with an ellipsis.
func fit(s string, width, size float32, style fyne.TextStyle) string {
	runes := []rune(s)
	whole := func(n int) float32 { return fyne.MeasureText(string(runes[:n])+"…", size, style).Width }
	if fyne.MeasureText(s, size, style).Width <= width {
		return s
	}
	lo, hi := 0, len(runes)
	for lo < hi {
		if mid := (lo + hi + 1) / 2; whole(mid) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0 {
		return ""
	}
	return string(runes[:lo]) + "…"
}
