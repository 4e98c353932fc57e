package overlay

import (
	"image"
	"image/color"
	"math"
)

// Camera is where the window looks from. A screen px is a device px of dst.
type Camera struct {
	Scale float64 // screen px for one image px
	X, Y  float64 // image px at the screen's top left corner
	// Density is device px for one px of Style, so that lines and digits keep
	// their size on a dense screen; it is rounded, and 0 means 1.
	Density float64
}

// maxDensity is the largest density that lines and digits grow with.
const maxDensity = 8

func (c Camera) density() int {
	if d := math.Round(c.Density); d >= 1 && d <= maxDensity {
		return int(d)
	}
	return 1
}

// valid reports whether there is anything to be seen through it.
func (c Camera) valid() bool {
	return c.Scale > 0 && c.Scale < far && math.Abs(c.X) < far && math.Abs(c.Y) < far
}

// screen maps an image coordinate less that of the camera to a screen px edge.
func (c Camera) screen(v float64) int {
	return int(math.Floor(float64(clamp(v*c.Scale, -far, far)) + 0.5))
}

// Rect maps a rectangle from image px to screen px.
func (c Camera) Rect(r image.Rectangle) image.Rectangle {
	return image.Rectangle{
		Min: image.Pt(c.screen(float64(r.Min.X)-c.X), c.screen(float64(r.Min.Y)-c.Y)),
		Max: image.Pt(c.screen(float64(r.Max.X)-c.X), c.screen(float64(r.Max.Y)-c.Y)),
	}
}

// Image maps a point from screen px to image px.
func (c Camera) Image(x, y float64) (float64, float64) { return x/c.Scale + c.X, y/c.Scale + c.Y }

// Layers are what a frame of the window shows.
type Layers struct{ Picture, Boxes, Labels, Occlusion bool }

// Compose paints one frame of the window: the picture as the camera sees it on a
// ground of bg, the hatch over what is covered, boxes, and labels. Lines and
// digits have the same size at every zoom. p and s may be nil; the scene is one
// for the pyramid's picture.
//
// The work depends on the size of dst and the number of marks in view, not on the
// page. Rows are split among the processors, and Compose returns when all are
// done; dst must not be read or written meanwhile. The caller may use one dst for
// all frames.
func Compose(dst *image.RGBA, p *Pyramid, s *Scene, cam Camera, l Layers, bg color.RGBA) {
	if dst.Rect.Empty() {
		return
	}
	if dst.Rect.Min != (image.Point{}) {
		moved := *dst
		moved.Rect = dst.Rect.Sub(dst.Rect.Min)
		dst = &moved
	}
	bg.A = 255
	if !cam.valid() {
		fill(dst, dst.Rect, bg)
		return
	}
	var lay *layout
	if s != nil && (l.Boxes || l.Labels || l.Occlusion) {
		lay = s.layoutFor(cam, dst.Rect.Size())
	}
	var view *sampler
	if p != nil && l.Picture {
		view = newSampler(p, cam, dst.Rect.Size())
	}
	rows(dst.Rect.Dy(), func(from, to int) {
		strip := dst.SubImage(image.Rect(0, from, dst.Rect.Dx(), to)).(*image.RGBA)
		if view != nil {
			view.draw(strip, bg)
		} else {
			fill(strip, strip.Rect, bg)
		}
		if lay != nil {
			lay.draw(strip, s, l)
		}
	})
}
