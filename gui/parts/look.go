package parts

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
)

// Small parts that the bars of the window are made of. Colours are requested by
// name each time a part is refreshed, so a change of theme reaches all of them.

// Fill is a flat ground of one colour, which follows the theme.
type Fill struct {
	widget.BaseWidget
	name  fyne.ThemeColorName
	least float32 // width and height, in Fyne units
}

// newFill makes one that takes no room of its own.
func newFill(name fyne.ThemeColorName) *Fill {
	f := &Fill{name: name}
	f.ExtendBaseWidget(f)
	return f
}

// NewHairline is a line of one unit between two panes.
func NewHairline() *Fill {
	f := newFill(theme.ColorLine)
	f.least = 1
	return f
}

// Ground puts an object on a flat colour.
func Ground(name fyne.ThemeColorName, o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(newFill(name), o)
}

// CreateRenderer is Fyne's.
func (f *Fill) CreateRenderer() fyne.WidgetRenderer {
	r := &fillRenderer{f, canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

type fillRenderer struct {
	f    *Fill
	rect *canvas.Rectangle
}

func (r *fillRenderer) MinSize() fyne.Size           { return fyne.NewSquareSize(r.f.least) }
func (r *fillRenderer) Layout(size fyne.Size)        { r.rect.Resize(size) }
func (r *fillRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }
func (r *fillRenderer) Destroy()                     {}
func (r *fillRenderer) Refresh() {
	r.rect.FillColor = theme.RGBA(r.f.Theme(), r.f.name)
	r.rect.Refresh()
}

// NoteColors are the colours of a text on a ground of its tone: a note, a badge, a toast.
func NoteColors(t core.Tone) (ground, edge, ink fyne.ThemeColorName) {
	switch t {
	case core.ToneGood:
		return theme.ColorNoteGoodGround, theme.ColorNoteGoodEdge, theme.ColorNoteGoodText
	case core.ToneWarn:
		return theme.ColorNoteWarnGround, theme.ColorNoteWarnEdge, theme.ColorNoteWarnText
	case core.ToneBad:
		return theme.ColorNoteBadGround, theme.ColorNoteBadEdge, theme.ColorNoteBadText
	}
	return theme.ColorNoteGround, theme.ColorNoteEdge, theme.ColorNoteText
}

// ToneColor is the text colour of a tone.
func ToneColor(t core.Tone) fyne.ThemeColorName {
	switch t {
	case core.ToneMuted:
		return theme.ColorMuted
	case core.ToneGood:
		return theme.ColorGood
	case core.ToneWarn:
		return theme.ColorWarn
	case core.ToneBad:
		return theme.ColorBad
	}
	return theme.ColorText
}

// Padded puts margins around content, in Fyne units.
func Padded(top, bottom, left, right float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(top, bottom, left, right), o)
}

// Slim lays its one object out at its own minimum height, centred vertically.
type Slim struct{}

func (Slim) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if len(objects) == 0 {
		return fyne.Size{}
	}
	return objects[0].MinSize()
}

func (Slim) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		h := min(o.MinSize().Height, size.Height)
		o.Resize(fyne.NewSize(size.Width, h))
		o.Move(fyne.NewPos(0, (size.Height-h)/2))
	}
}

// Row lays objects out from left to right with a gap, each at its minimum size and
// centred vertically. Objects that do not fit any more are hidden, so a narrow
// window loses the last facts first and never overlaps.
type Row struct {
	Gap   float32
	Right bool // pack to the right edge; the first objects are lost first
	Firm  bool // claim the room that all objects need
}

func (r Row) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var h float32
	for _, o := range objects {
		h = max(h, o.MinSize().Height)
	}
	if r.Firm {
		return fyne.NewSize(r.width(objects), h)
	}
	return fyne.NewSize(0, h)
}

// width is what all objects need.
func (r Row) width(objects []fyne.CanvasObject) float32 {
	var w float32
	for i, o := range objects {
		if i > 0 {
			w += r.Gap
		}
		w += o.MinSize().Width
	}
	return w
}

func (r Row) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place := func(o fyne.CanvasObject, x float32) {
		m := o.MinSize()
		o.Resize(m)
		o.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
	}
	if r.Right {
		x := size.Width
		for i := len(objects) - 1; i >= 0; i-- {
			x -= objects[i].MinSize().Width
			if x < 0 {
				for _, o := range objects[:i+1] {
					o.Hide()
				}
				return
			}
			objects[i].Show()
			place(objects[i], x)
			x -= r.Gap
		}
		return
	}
	var x float32
	for i, o := range objects {
		if x+o.MinSize().Width > size.Width {
			for _, o := range objects[i:] {
				o.Hide()
			}
			return
		}
		o.Show()
		place(o, x)
		x += o.MinSize().Width + r.Gap
	}
}

// Show shows or hides an object.
func Show(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}

// Border lays out objects between others at its edges, as [container.NewBorder] does; nil is no edge. Tab goes through
// it as one reads: the top, the left, what is between, the right, the bottom. What wraps at its top and its bottom has
// its width before it is asked for its height.
func Border(top, bottom, left, right fyne.CanvasObject, between ...fyne.CanvasObject) *fyne.Container {
	some := func(list ...fyne.CanvasObject) []fyne.CanvasObject {
		return slices.DeleteFunc(list, func(o fyne.CanvasObject) bool { return o == nil })
	}
	wrapping := some(top, bottom)
	fit := func(width float32) {
		for _, o := range wrapping {
			o.Resize(fyne.NewSize(width, o.Size().Height))
		}
	}
	return container.New(Fitting{Of: layout.NewBorderLayout(top, bottom, left, right), Fit: fit},
		some(slices.Concat([]fyne.CanvasObject{top, left}, between, []fyne.CanvasObject{right, bottom})...)...)
}
