package timeline

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/theme"
)

// The measures of the strip in Fyne units: a picture in the shape of a screen over its line.
const (
	filmWide    = 124
	filmPicture = 67 // height of the picture
	filmGap     = 8
	filterWide  = 250
)

// filmHigh is how high a cell is: its line grows with the text.
func filmHigh() float32 { return filmPicture + 6 + fynetheme.TextSize()*19/13 }

// filmstrip is the list of turns as a strip from left to right. It holds whole cells only, those
// in view and no more.
type filmstrip struct {
	widget.BaseWidget
	v     *View
	first int // at the left edge
	turn  float32
	cells []*cell
	// taken and over are the cells that a drag began at and is at, -1 for none.
	taken, over int
}

// AccessibilityLabel implements fyne.Accessible.
func (f *filmstrip) AccessibilityLabel() string { return "Turns" }

// AccessibilityRole implements fyne.Accessible.
func (f *filmstrip) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

var (
	_ fyne.Focusable  = (*filmstrip)(nil)
	_ fyne.Scrollable = (*filmstrip)(nil)
	_ fyne.Tappable   = (*filmstrip)(nil)
	_ fyne.Draggable  = (*filmstrip)(nil)
	_ desktop.Keyable = (*filmstrip)(nil)
)

func newFilm(v *View) *filmstrip {
	f := &filmstrip{v: v, taken: -1, over: -1}
	f.ExtendBaseWidget(f)
	return f
}

// room is how many whole cells there is room for.
func (f *filmstrip) room() int { return max(1, int((f.Size().Width+filmGap)/(filmWide+filmGap))) }

// scroll brings a cell to the left edge, as far as the strip goes.
func (f *filmstrip) scroll(first int) {
	f.first = max(0, min(first, len(f.v.rows)-f.room()))
	f.Refresh()
}

// reveal scrolls no further than it takes to have a cell in view, with the one beside it.
func (f *filmstrip) reveal(i int) {
	n := f.room()
	switch beside := min(1, (n-1)/2); {
	case i < f.first+beside:
		f.scroll(i - beside)
	case i >= f.first+n-beside:
		f.scroll(i - n + 1 + beside)
	}
}

// Scrolled goes along the strip, a cell for each notch.
func (f *filmstrip) Scrolled(e *fyne.ScrollEvent) {
	f.turn -= e.Scrolled.DX + e.Scrolled.DY
	if by := int(f.turn / 20); by != 0 {
		f.turn -= float32(by * 20)
		f.v.lens.hide()
		f.scroll(f.first + by)
	}
}

// at is the cell at a place, -1 for none.
func (f *filmstrip) at(p fyne.Position) int {
	at := int(p.X / (filmWide + filmGap))
	if p.X < 0 || p.Y < 0 || p.Y > f.Size().Height || p.X-float32(at)*(filmWide+filmGap) > filmWide || at >= f.room() {
		return -1
	}
	return f.first + at
}

// Tapped chooses a turn, and gives the strip the keyboard.
func (f *filmstrip) Tapped(e *fyne.PointEvent) {
	if c := f.v.w.Canvas; c != nil {
		c.Focus(f)
	}
	if i := f.at(e.Position); i >= 0 {
		f.v.choose(i)
	}
}

// TappedSecondary offers what can be done with a turn.
func (f *filmstrip) TappedSecondary(e *fyne.PointEvent) {
	if i := f.at(e.Position); i >= 0 {
		f.v.menu(i, e.AbsolutePosition)
	}
}

// Dragged takes a card along, to be dropped on the one that it is to be compared with.
func (f *filmstrip) Dragged(e *fyne.DragEvent) {
	if f.taken < 0 {
		f.taken = f.at(e.Position.Subtract(e.Dragged))
		f.v.lens.hide()
	}
	f.over = f.at(e.Position)
}

// DragEnd compares the two turns.
func (f *filmstrip) DragEnd() {
	a, first := f.v.turn(f.taken)
	b, second := f.v.turn(f.over)
	f.taken, f.over = -1, -1
	if first && second && a.N != b.N {
		f.v.w.Send(Paired{A: a.N, B: b.N})
	}
}

// FocusGained and FocusLost show and hide the ring.
func (f *filmstrip) FocusGained() { f.v.showFocus(true) }

// FocusLost: see FocusGained.
func (f *filmstrip) FocusLost() { f.v.showFocus(false) }

// TypedKey steps with Left and Right, and else is that of the list.
func (f *filmstrip) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyRight:
		f.v.w.Send(TurnStepped{By: 1})
	case fyne.KeyLeft:
		f.v.w.Send(TurnStepped{By: -1})
	default:
		f.v.list.TypedKey(e)
	}
}

// TypedRune implements fyne.Focusable.
func (f *filmstrip) TypedRune(r rune) { f.v.list.TypedRune(r) }

// KeyDown and KeyUp follow keys that last while they are held.
func (f *filmstrip) KeyDown(e *fyne.KeyEvent) { f.v.list.held(e, true) }

// KeyUp: see KeyDown.
func (f *filmstrip) KeyUp(e *fyne.KeyEvent) { f.v.list.held(e, false) }

// CreateRenderer is Fyne's.
func (f *filmstrip) CreateRenderer() fyne.WidgetRenderer { return &filmRenderer{film: f} }

type filmRenderer struct {
	film    *filmstrip
	objects []fyne.CanvasObject
}

func (r *filmRenderer) MinSize() fyne.Size           { return fyne.NewSize(filmWide, filmHigh()) }
func (r *filmRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *filmRenderer) Destroy()                     {}

// Layout keeps the turn in view, and has cells as far as there is room now.
func (r *filmRenderer) Layout(fyne.Size) {
	r.film.reveal(r.film.v.place(r.film.v.target(r.film.v.vm)))
	r.Refresh()
}

// Refresh fills the cells in view.
func (r *filmRenderer) Refresh() {
	f := r.film
	f.first = max(0, min(f.first, len(f.v.rows)-f.room()))
	n := max(0, min(f.room(), len(f.v.rows)-f.first))
	for len(f.cells) < n {
		c := newCell(f.v)
		c.film = true
		f.cells = append(f.cells, c)
	}
	r.objects = r.objects[:0]
	for k := range n {
		c := f.cells[k]
		c.Move(fyne.NewPos(float32(k)*(filmWide+filmGap), 0))
		c.Resize(fyne.NewSize(filmWide, filmHigh()))
		f.v.fill(f.first+k, c)
		r.objects = append(r.objects, c)
	}
	canvas.Refresh(f)
}

// chip is one of the narrowings over the strip, with how many turns it leaves.
type chip struct {
	title, filter string
	chip          *parts.Chip
}

func newChips(v *View) []chip {
	list := []chip{{title: "All"}, {title: "Failed", filter: "failed"}, {title: "Changed", filter: "changed"},
		{title: "With notes", filter: "note:"}}
	for i := range list {
		c := &list[i]
		c.chip = parts.NewChip(parts.Toggle, c.title, func() { v.w.Send(FilterTyped{Text: c.filter}) })
	}
	return list
}

// filmHead lays out the row over the strip: chips, the filter, and the count at its end. Where there is not enough
// room the count goes, then the filter is narrower, then chips go from the last on: what they do is in the menus too.
type filmHead struct{}

const (
	headGap     = 4
	leastFilter = 150 // Fyne units
)

// MinSize implements fyne.Layout.
func (filmHead) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var h float32
	for _, o := range objects {
		h = max(h, o.MinSize().Height)
	}
	return fyne.NewSize(leastFilter, h)
}

// Layout implements fyne.Layout. Chips are in containers, whose visibility is the layout's; Tab takes them first.
func (filmHead) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	n := len(objects) - 2
	chips, entry, count := objects[:n], objects[n], objects[n+1]
	put := func(o fyne.CanvasObject, x, w float32) {
		h := o.MinSize().Height
		o.Move(fyne.NewPos(x, (size.Height-h)/2))
		o.Resize(fyne.NewSize(w, h))
	}
	x, full := float32(0), false
	for _, c := range chips {
		w := c.MinSize().Width
		full = full || x+w+headGap+leastFilter > size.Width
		if parts.Show(c, !full); !full {
			put(c, x, w)
			x += w + headGap
		}
	}
	wide := min(filterWide, size.Width-x)
	put(entry, x, wide)
	x += wide + headGap
	put(count, x, max(0, size.Width-x))
}

// SetHorizontal lays the turns out as a strip from left to right, or as a list from top to
// bottom.
func (v *View) SetHorizontal(on bool) {
	v.lying = on
	v.lens.hide()
	entry := parts.Border(nil, nil, nil, container.New(parts.Slim{}, v.clear), v.filter)
	if on {
		var row []fyne.CanvasObject
		for _, c := range v.chips {
			row = append(row, container.New(parts.Slim{}, c.chip))
		}
		row = append(row, entry, parts.Padded(1, 3, 6, 4, v.count))
		v.head.Objects = []fyne.CanvasObject{container.New(filmHead{}, row...)}
		tall := canvas.NewRectangle(color.Transparent) // the strip's height is kept where no turn is shown
		tall.SetMinSize(fyne.NewSize(0, filmHigh()))
		body := container.NewStack(tall, parts.Padded(filmHigh()/3, 0, 6, 6, container.NewVBox(v.empty)), v.film,
			parts.Padded(-ringOut, -ringOut, -ringOut, -ringOut, v.ring))
		v.box.Objects = []fyne.CanvasObject{parts.Padded(4, 6, 12, 12, parts.Border(v.head, nil, nil, nil, body))}
	} else {
		wide := canvas.NewRectangle(color.Transparent)
		wide.SetMinSize(fyne.NewSize(width, 0))
		v.head.Objects = []fyne.CanvasObject{entry, parts.Padded(1, 3, 6, 4, v.count)}
		body := container.NewStack(parts.Padded(40, 0, 6, 6, container.NewVBox(v.empty)), v.list, v.ring)
		v.box.Objects = []fyne.CanvasObject{wide,
			parts.Padded(5, 4, 4, 4, parts.Border(v.head, nil, nil, nil, body))}
	}
	v.show()
	v.box.Refresh()
	v.reveal(v.target(v.vm))
}

// ringOut is how far the ring is around the cells of the strip, which fill it.
const ringOut = 3

// showFocus shows whether the turns have the keyboard.
func (v *View) showFocus(on bool) {
	v.ring.StrokeColor, v.ring.StrokeWidth, v.ring.CornerRadius = color.Transparent, 1, 4
	if on {
		v.ring.StrokeColor = theme.RGBA(v.film.Theme(), fynetheme.ColorNameFocus)
	}
	v.ring.Refresh()
}

// show shows the list or the strip, or why there is nothing in them.
func (v *View) show() {
	none := v.empty.Text != ""
	parts.Show(v.empty, none)
	parts.Show(v.list, !none && !v.lying)
	parts.Show(v.film, !none && v.lying)
}
