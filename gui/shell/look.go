package shell

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"github.com/refscope/refscope/gui/state"
	"github.com/refscope/refscope/gui/theme"
)

// Small parts that the bars of the window are made of. Colours are asked for by
// name each time a part is refreshed, so a change of theme reaches all of them.

// fill is a flat ground of one colour.
type fill struct {
	*canvas.Rectangle
	name fyne.ThemeColorName
}

func newFill(name fyne.ThemeColorName) *fill {
	return &fill{canvas.NewRectangle(color.Transparent), name}
}

func (f *fill) recolour(th fyne.Theme) {
	f.FillColor = theme.RGBA(th, f.name)
	f.Refresh()
}

// newHairline is a line of one unit between two panes.
func newHairline() *fill {
	f := newFill(theme.ColorLine)
	f.SetMinSize(fyne.NewSize(1, 1))
	return f
}

// toneColor is the text colour of a tone.
func toneColor(t state.Tone) fyne.ThemeColorName {
	switch t {
	case state.ToneMuted:
		return theme.ColorMuted
	case state.ToneGood:
		return theme.ColorGood
	case state.ToneWarn:
		return theme.ColorWarn
	case state.ToneBad:
		return theme.ColorBad
	}
	return theme.ColorText
}

// padded puts margins around content, in Fyne units.
func padded(top, bottom, left, right float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(top, bottom, left, right), o)
}

// slim lays its one object out at its own minimum height, centred vertically.
type slim struct{}

func (slim) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if len(objects) == 0 {
		return fyne.Size{}
	}
	return objects[0].MinSize()
}

func (slim) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		h := min(o.MinSize().Height, size.Height)
		o.Resize(fyne.NewSize(size.Width, h))
		o.Move(fyne.NewPos(0, (size.Height-h)/2))
	}
}

// row lays objects out from left to right with a gap, each at its minimum size and
// centred vertically. Objects that do not fit any more are hidden, so a narrow
// window loses the last facts first and never overlaps.
type row struct {
	gap   float32
	right bool // pack to the right edge; the first objects are lost first
	firm  bool // claim the room that all objects need
}

func (r row) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var h float32
	for _, o := range objects {
		h = max(h, o.MinSize().Height)
	}
	if r.firm {
		return fyne.NewSize(r.width(objects), h)
	}
	return fyne.NewSize(0, h)
}

// width is what all objects need.
func (r row) width(objects []fyne.CanvasObject) float32 {
	var w float32
	for i, o := range objects {
		if i > 0 {
			w += r.gap
		}
		w += o.MinSize().Width
	}
	return w
}

func (r row) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place := func(o fyne.CanvasObject, x float32) {
		m := o.MinSize()
		o.Resize(m)
		o.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
	}
	if r.right {
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
			x -= r.gap
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
		x += o.MinSize().Width + r.gap
	}
}
