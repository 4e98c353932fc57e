package picture

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// The measures of the list in Fyne units.
const (
	pickWide  = 340
	pickRow   = 22
	pickHead  = 26
	pickRows  = 14 // at most; the others are scrolled to
	pickInset = 10
)

// PickerList is the list of everything that lies at one point of the picture, topmost first.
// It lies over the picture pane, beside that point. The pointer or the arrow keys preview
// an element, a click or Enter chooses it, Esc leaves.
type PickerList struct {
	widget.BaseWidget

	on    PickerCallbacks
	vm    PickerVM
	first int // row at the top
}

// PickerCallbacks are what the list reports. None may be nil.
type PickerCallbacks struct {
	// Move: the element at a place of the list is to be previewed.
	Move func(at int)
	// Choose: the previewed element was chosen.
	Choose func()
	// Close: the list was left.
	Close func()
}

var (
	_ fyne.Focusable    = (*PickerList)(nil)
	_ fyne.Tappable     = (*PickerList)(nil)
	_ fyne.Scrollable   = (*PickerList)(nil)
	_ desktop.Hoverable = (*PickerList)(nil)
)

// newPicker makes a list, which is hidden until it has something to show.
func newPicker(on PickerCallbacks) *PickerList {
	p := &PickerList{on: on}
	p.ExtendBaseWidget(p)
	p.Hide()
	return p
}

// Set shows vm beside its point of v, which is the picture that the list lies over.
func (p *PickerList) Set(vm PickerVM, v *View) {
	if vm.Equal(p.vm) {
		return
	}
	opened := vm.Open && (!p.vm.Open || vm.X != p.vm.X || vm.Y != p.vm.Y)
	closed := !vm.Open && p.vm.Open
	p.vm = vm
	p.follow()
	c := fyne.CurrentApp().Driver().CanvasForObject(v)
	switch {
	case opened:
		p.first = 0
		p.follow()
		p.Show()
		p.Resize(fyne.NewSize(min(pickWide, v.Size().Width-2*pickInset), p.height()))
		at := v.at(vm.X, vm.Y).AddXY(14, 10)
		p.Move(fyne.NewPos(
			max(pickInset, min(at.X, v.Size().Width-p.Size().Width-pickInset)),
			max(pickInset, min(at.Y, v.Size().Height-p.Size().Height-pickInset))))
		if c != nil {
			c.Focus(p)
		}
	case closed:
		p.Hide()
		if c != nil && c.Focused() == p {
			c.Focus(v)
		}
	}
	p.Refresh()
}

// at is where a point of the picture in image px is in the view.
func (v *View) at(x, y float64) fyne.Position {
	return fyne.NewPos(float32((x-v.cam.X)*v.cam.Scale/v.scale), float32((y-v.cam.Y)*v.cam.Scale/v.scale))
}

// follow scrolls to the previewed row.
func (p *PickerList) follow() {
	p.first = min(p.first, p.vm.At)
	p.first = max(p.first, p.vm.At-pickRows+1, 0)
}

func (p *PickerList) height() float32 {
	return pickHead + float32(min(len(p.vm.Rows), pickRows))*pickRow + 6
}

// FocusGained does nothing: the list has the keyboard as long as it is there.
func (p *PickerList) FocusGained() {}

// FocusLost leaves the list, as a click elsewhere does.
func (p *PickerList) FocusLost() {
	if p.vm.Open {
		p.on.Close()
	}
}

// TypedRune does nothing.
func (p *PickerList) TypedRune(rune) {}

// TypedKey moves, chooses and leaves.
func (p *PickerList) TypedKey(e *fyne.KeyEvent) {
	n := len(p.vm.Rows)
	if n == 0 {
		return
	}
	switch e.Name {
	case fyne.KeyDown:
		p.on.Move((p.vm.At + 1) % n)
	case fyne.KeyUp:
		p.on.Move((p.vm.At + n - 1) % n)
	case fyne.KeyHome:
		p.on.Move(0)
	case fyne.KeyEnd:
		p.on.Move(n - 1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		p.on.Choose()
	case fyne.KeyEscape:
		p.on.Close()
	}
}

// row is the row at a height, -1 for none.
func (p *PickerList) row(y float32) int {
	i := p.first + int((y-pickHead)/pickRow)
	if y < pickHead || i >= min(len(p.vm.Rows), p.first+pickRows) {
		return -1
	}
	return i
}

// Tapped chooses a row.
func (p *PickerList) Tapped(e *fyne.PointEvent) {
	if i := p.row(e.Position.Y); i >= 0 {
		p.on.Move(i)
		p.on.Choose()
	}
}

// Scrolled goes through the list.
func (p *PickerList) Scrolled(e *fyne.ScrollEvent) {
	by := -1
	if e.Scrolled.DY < 0 {
		by = 1
	}
	if i := p.vm.At + by; i >= 0 && i < len(p.vm.Rows) {
		p.on.Move(i)
	}
}

// MouseIn and MouseMoved preview the row under the pointer.
func (p *PickerList) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }

// MouseMoved: see MouseIn.
func (p *PickerList) MouseMoved(e *desktop.MouseEvent) {
	if i := p.row(e.Position.Y); i >= 0 && i != p.vm.At {
		p.on.Move(i)
	}
}

// MouseOut does nothing: the last preview stays.
func (p *PickerList) MouseOut() {}

// CreateRenderer is Fyne's.
func (p *PickerList) CreateRenderer() fyne.WidgetRenderer {
	r := &pickerRenderer{p: p}
	r.build()
	return r
}

type pickerRenderer struct {
	p       *PickerList
	objects []fyne.CanvasObject
	made    fyne.Size // that the objects are for
}

func (r *pickerRenderer) MinSize() fyne.Size           { return fyne.NewSize(120, pickHead) }
func (r *pickerRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *pickerRenderer) Destroy()                     {}

// Layout makes no other objects for the same size: Fyne lays out and paints again where there are others, without end.
func (r *pickerRenderer) Layout(size fyne.Size) {
	if size != r.made {
		r.build()
	}
}

func (r *pickerRenderer) Refresh() {
	r.build()
	canvas.Refresh(r.p)
}

// build makes the objects of the rows in view.
func (r *pickerRenderer) build() {
	p, th := r.p, r.p.Theme()
	size := p.Size()
	r.made = size
	letters := th.Size(theme.SizeNameText) - 0.5
	r.objects = r.objects[:0]
	box := func(x, y, w, h float32, fill, edge color.Color, round float32) {
		o := canvas.NewRectangle(fill)
		o.StrokeColor, o.StrokeWidth, o.CornerRadius = edge, 1, round
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
		r.objects = append(r.objects, o)
	}
	// say puts a text into a room, cut to it, and returns its width.
	say := func(s string, x, y, high, room float32, name fyne.ThemeColorName, bold, right bool) float32 {
		o := canvas.NewText(s, look.RGBA(th, name))
		o.TextSize, o.TextStyle.Bold = letters, bold
		runes := []rune(s)
		for len(runes) > 1 && o.MinSize().Width > room {
			runes = runes[:len(runes)*7/8]
			o.Text = string(runes) + "…"
		}
		m := o.MinSize()
		if right {
			x += room - m.Width
		}
		o.Move(fyne.NewPos(x, y+(high-m.Height)/2))
		o.Resize(m)
		r.objects = append(r.objects, o)
		return m.Width
	}
	box(1, 1, size.Width-4, size.Height-5, look.RGBA(th, look.ColorPane), look.RGBA(th, look.ColorAccent), 6)
	n := len(p.vm.Rows)
	head := text.Count(n, "element", "elements") + " here, topmost first"
	if n > pickRows {
		head += " · " + strconv.Itoa(p.vm.At+1) + " of " + strconv.Itoa(n)
	}
	say(head, pickInset, 0, pickHead, size.Width-2*pickInset, look.ColorMuted, false, false)
	for i := p.first; i < min(n, p.first+pickRows); i++ {
		row := p.vm.Rows[i]
		y := pickHead + float32(i-p.first)*pickRow
		if i == p.vm.At {
			box(4, y, size.Width-8, pickRow, look.RGBA(th, look.ColorRowSelected), color.Transparent, 4)
			say("›", 7, y, pickRow, 10, look.ColorAccent, true, false)
		}
		number := "–"
		if row.Ref > 0 {
			number = strconv.Itoa(row.Ref)
		}
		say(number, 16, y, pickRow, 38, look.ColorRef, row.Ref > 0, true)
		fate := say(row.Fate, size.Width/2, y, pickRow, size.Width/2-pickInset, parts.ToneColor(row.Tone), false, true)
		say(row.What, 62, y, pickRow, size.Width-62-fate-2*pickInset, look.ColorText, false, false)
	}
}
