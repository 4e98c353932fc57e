package text

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
)

// The scroll bars, in Fyne units: thin where nobody points at them, but easy to
// take hold of.
const (
	barZone  = 12 // how far from the edge the pointer takes hold
	barThick = 5
	barInset = 3
	minThumb = 28
)

// bar is one scroll bar along one axis.
type bar struct {
	view, content, off float64 // length in view, of everything, and scrolled
}

func (v *View) vbar() bar {
	_, h := v.content()
	return bar{float64(v.Size().Height), h, v.offY}
}

func (v *View) hbar() bar {
	w, _ := v.content()
	return bar{float64(v.Size().Width), w, v.offX}
}

// needed reports whether there is anything to scroll.
func (b bar) needed() bool { return b.content > b.view+0.5 && b.view > minThumb }

// thumb is where the thumb begins and how long it is.
func (b bar) thumb() (at, length float64) {
	if !b.needed() {
		return 0, b.view
	}
	length = math.Max(minThumb, b.view*b.view/b.content)
	return b.off / (b.content - b.view) * (b.view - length), length
}

// offset is the scroll position that puts the thumb's start at a place.
func (b bar) offset(at float64) float64 {
	_, length := b.thumb()
	if b.view <= length {
		return 0
	}
	return at / (b.view - length) * (b.content - b.view)
}

// barAt is the scroll bar under a place in the widget.
func (v *View) barAt(p fyne.Position) grab {
	size := v.Size()
	switch {
	case v.vbar().needed() && p.X >= size.Width-barZone && p.X <= size.Width:
		return grabV
	case v.hbar().needed() && p.Y >= size.Height-barZone && p.Y <= size.Height:
		return grabH
	}
	return grabNone
}

// takeThumb begins a drag of the thumb. A press beside it brings it there first.
func (v *View) takeThumb(p fyne.Position) {
	b, at := v.vbar(), float64(p.Y)
	if v.grab == grabH {
		b, at = v.hbar(), float64(p.X)
	}
	start, length := b.thumb()
	v.grabAt = at - start
	if v.grabAt < 0 || v.grabAt > length {
		v.grabAt = length / 2
		v.dragThumb(p)
	}
}

func (v *View) dragThumb(p fyne.Position) {
	if v.grab == grabH {
		v.scrollTo(v.hbar().offset(float64(p.X)-v.grabAt), v.offY)
		return
	}
	v.scrollTo(v.offX, v.vbar().offset(float64(p.Y)-v.grabAt))
}

// track is the strip of the vertical bar in a picture of the view, in px; empty
// where there is no bar.
func (v *View) track(b image.Rectangle) image.Rectangle {
	if !v.vbar().needed() {
		return image.Rectangle{}
	}
	wide := int(math.Round(4 * v.scale))
	in := int(math.Round(4 * v.scale))
	return image.Rect(b.Max.X-in-wide, b.Min.Y+1, b.Max.X-in, b.Max.Y-1)
}
