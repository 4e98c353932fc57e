package parts

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/theme"
)

// Flow lays objects out like words: from left to right at their minimum sizes, and on
// in the next line where there is no room. Hidden objects take none. A layout is not
// given its width before it is asked for its height, so the width of the last layout
// counts; where that changes the height, a resize settles it one layout later.
type Flow struct {
	Gap   float32
	width float32
	end   fyne.Position
}

func (f *Flow) place(objects []fyne.CanvasObject, put func(o fyne.CanvasObject, at fyne.Position, size fyne.Size)) (
	height float32) {
	var x, y, line float32
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		m := o.MinSize()
		if x > 0 && f.width > 0 && x+m.Width > f.width {
			x, y, line = 0, y+line+f.Gap/2, 0
		}
		if put != nil {
			put(o, fyne.NewPos(x, y), m)
		}
		x += m.Width + f.Gap
		line = max(line, m.Height)
	}
	f.end = fyne.NewPos(x, y)
	return y + line
}

// End is where a further object would begin in the last line of what was placed or measured last.
func (f *Flow) End() fyne.Position { return f.end }

// Fit sets the width before the layout does, so that MinSize is right at once. Whoever
// lays the container out below others calls it first.
func (f *Flow) Fit(width float32) { f.width = width }

// MinSize implements fyne.Layout.
func (f *Flow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w float32
	for _, o := range objects {
		if o.Visible() {
			w = max(w, o.MinSize().Width)
		}
	}
	return fyne.NewSize(w, f.place(objects, nil))
}

// Layout implements fyne.Layout.
func (f *Flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	f.place(objects, func(o fyne.CanvasObject, at fyne.Position, size fyne.Size) {
		o.Move(at)
		o.Resize(size)
	})
}

// Fitting is a layout that calls Fit with the width before it asks its objects for their heights: for rows that wrap
// over others, see [Flow.Fit].
type Fitting struct {
	Of  fyne.Layout
	Fit func(width float32)
}

// MinSize implements fyne.Layout.
func (f Fitting) MinSize(objects []fyne.CanvasObject) fyne.Size { return f.Of.MinSize(objects) }

// Layout implements fyne.Layout.
func (f Fitting) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.Fit(size.Width)
	f.Of.Layout(objects, size)
}

// Tapped makes something that only shows respond to a click, and to Enter and Space once Tab came to it.
type Tapped struct {
	widget.BaseWidget
	stop
	inner fyne.CanvasObject
	ring  *canvas.Rectangle
	do    func()
}

// AccessibilityLabel implements fyne.Accessible.
func (t *Tapped) AccessibilityLabel() string { return "Open" }

// AccessibilityRole implements fyne.Accessible.
func (t *Tapped) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// NewTapped makes one; do is what a click does.
func NewTapped(inner fyne.CanvasObject, do func()) *Tapped {
	t := &Tapped{inner: inner, do: do, ring: canvas.NewRectangle(color.Transparent)}
	t.ExtendBaseWidget(t)
	t.stop = stop{of: t, press: do}
	return t
}

// Tapped implements fyne.Tappable.
func (t *Tapped) Tapped(*fyne.PointEvent) { t.do() }

// CreateRenderer is Fyne's.
func (t *Tapped) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(t.inner, t.ring))
}

// Refresh shows whether it has the keyboard.
func (t *Tapped) Refresh() {
	t.ring.StrokeColor, t.ring.StrokeWidth = theme.RGBA(t.Theme(), fynetheme.ColorNameFocus), 2
	t.ring.CornerRadius = t.Theme().Size(fynetheme.SizeNameInputRadius)
	if !t.focused {
		t.ring.StrokeWidth = 0
	}
	t.BaseWidget.Refresh()
}
