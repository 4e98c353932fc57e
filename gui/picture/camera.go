package picture

import (
	"image"
	"math"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

const (
	minZoom = 0.02 // device px per image px
	maxZoom = 16
	// keepPx is how much of the picture stays in view, in device px: a picture
	// that was thrown away cannot be found again.
	keepPx = 48
	// fitMargin is the air around a picture that fits, in Fyne units: the strip of [CoverStrip]
	// has room in it.
	fitMargin = coverHigh
)

// air is [fitMargin] in device px, of which one are a Fyne unit.
func air(one float64) float64 { return fitMargin * math.Max(1, one) }

// fit is the camera that shows the whole picture in the middle of the view. A
// small picture is shown at its own size and not blown up beyond one.
func fit(pic image.Point, view image.Point, one float64) overlay.Camera {
	if pic.X <= 0 || pic.Y <= 0 {
		return overlay.Camera{Scale: 1}
	}
	w := math.Max(1, float64(view.X)-2*air(one))
	h := math.Max(1, float64(view.Y)-2*air(one))
	s := math.Min(math.Max(1, one), math.Min(w/float64(pic.X), h/float64(pic.Y)))
	return centred(pic, view, zoomLimit(s))
}

// fitWidth is the camera that shows the whole width of the picture from its top, or from y
// in image px: a page is read by scrolling. A small picture is shown at its own size, and
// one that is lower than the view in its middle.
func fitWidth(pic image.Point, view image.Point, one, y float64) overlay.Camera {
	if pic.X <= 0 || pic.Y <= 0 {
		return overlay.Camera{Scale: 1}
	}
	w := math.Max(1, float64(view.X)-2*air(one))
	c := centred(pic, view, zoomLimit(math.Min(math.Max(1, one), w/float64(pic.X))))
	if float64(pic.Y)*c.Scale > float64(view.Y)-2*air(one) {
		c.Y = scrolled(y, pic.Y, view.Y, c.Scale, one)
	}
	return c
}

// scrolled is the top of the view in image px, at most a margin beyond the picture's edges.
func scrolled(at float64, pic, view int, scale, one float64) float64 {
	margin := air(one) / scale
	last := float64(pic) - float64(view)/scale + margin
	if last < -margin { // all of it is in view: it stays in the middle
		return (float64(pic) - float64(view)/scale) / 2
	}
	return math.Min(math.Max(at, -margin), last)
}

// centred is the camera of a zoom with the picture's middle in the view's middle.
func centred(pic, view image.Point, s float64) overlay.Camera {
	return overlay.Camera{
		Scale: s,
		X:     (float64(pic.X) - float64(view.X)/s) / 2,
		Y:     (float64(pic.Y) - float64(view.Y)/s) / 2,
	}
}

func zoomLimit(s float64) float64 {
	if !(s > minZoom) { // NaN too
		return minZoom
	}
	return math.Min(s, maxZoom)
}

// zoomAt changes the zoom so that the image point under the device px x, y stays
// under it.
func zoomAt(c overlay.Camera, s, x, y float64) overlay.Camera {
	s = zoomLimit(s)
	return overlay.Camera{
		Scale: s,
		X:     c.X + x/c.Scale - x/s,
		Y:     c.Y + y/c.Scale - y/s,
	}
}

// kept moves the camera so that some of the picture stays in view.
func kept(c overlay.Camera, pic, view image.Point) overlay.Camera {
	axis := func(at float64, pic, view int) float64 {
		keep := math.Min(keepPx/c.Scale, float64(pic))
		return math.Min(math.Max(at, keep-float64(view)/c.Scale), float64(pic)-keep)
	}
	c.X, c.Y = axis(c.X, pic.X, view.X), axis(c.Y, pic.Y, view.Y)
	return c
}

// inView reports whether a box in image px is entirely in view, or fills it.
func inView(c overlay.Camera, b snapshot.Box, view image.Point) bool {
	w, h := float64(view.X)/c.Scale, float64(view.Y)/c.Scale
	axis := func(lo, hi, from, to float64) bool { return lo >= from && hi <= to || lo <= from && hi >= to }
	return axis(b.X(), b.Right(), c.X, c.X+w) && axis(b.Y(), b.Bottom(), c.Y, c.Y+h)
}

// lookAt is the camera with a box's middle in the view's middle.
func lookAt(c overlay.Camera, b snapshot.Box, view image.Point) overlay.Camera {
	x, y := b.Center()
	c.X, c.Y = x-float64(view.X)/c.Scale/2, y-float64(view.Y)/c.Scale/2
	return c
}

// closeUp is the camera in which a box takes some half of the view, at most 4
// device px for an image px.
func closeUp(b snapshot.Box, view image.Point) overlay.Camera {
	s := math.Min(4, 0.5*math.Min(float64(view.X)/math.Max(1, b.W()), float64(view.Y)/math.Max(1, b.H())))
	return lookAt(overlay.Camera{Scale: zoomLimit(s)}, b, view)
}
