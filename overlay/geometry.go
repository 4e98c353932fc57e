package overlay

import (
	"image"
	"math"

	"github.com/refscope/refscope/snapshot"
)

// far bounds every coordinate, in px. Pages put elements at -9999em or at
// infinity; nothing is lost by calling that far away.
const far = 1 << 20

// scale maps CSS px to image px.
type scale struct{ x, y float64 }

// sane is the box with finite numbers within bounds, and false where it has no
// extent or is not a box at all.
func sane(b snapshot.Box) (snapshot.Box, bool) {
	for _, v := range b {
		if math.IsNaN(v) {
			return snapshot.Box{}, false
		}
	}
	x0, y0 := clamp(b[0], -far, far), clamp(b[1], -far, far)
	x1, y1 := clamp(b[0]+b[2], -far, far), clamp(b[1]+b[3], -far, far)
	if !(x1 > x0) || !(y1 > y0) { // also where Inf minus Inf made a NaN
		return snapshot.Box{}, false
	}
	return snapshot.Box{x0, y0, x1 - x0, y1 - y0}, true
}

func clamp(v, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, v)) }

// box maps a box from CSS px to image px.
func (s scale) box(b snapshot.Box) snapshot.Box {
	return snapshot.Box{b[0] * s.x, b[1] * s.y, b[2] * s.x, b[3] * s.y}
}

// rect is the pixels of a box in CSS px: its edges rounded, at least one px.
//
// The conversions keep each product from being fused with what follows it: a
// fused one is rounded once instead of twice, and only on some processors.
func (s scale) rect(b snapshot.Box) image.Rectangle {
	edge := func(v, by float64) int {
		return int(math.Floor(float64(clamp(float64(v*by), -far, far)) + 0.5))
	}
	r := image.Rect(edge(b[0], s.x), edge(b[1], s.y), edge(b[0]+b[2], s.x), edge(b[1]+b[3], s.y))
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	return r
}

// touched is every pixel that a box in CSS px has a part of.
func (s scale) touched(b snapshot.Box) image.Rectangle {
	at := func(v, by float64) float64 { return clamp(float64(v*by), -far, far) }
	return image.Rect(
		int(math.Floor(at(b[0], s.x))), int(math.Floor(at(b[1], s.y))),
		int(math.Ceil(at(b[0]+b[2], s.x))), int(math.Ceil(at(b[1]+b[3], s.y))))
}

// area is the number of px in a rectangle, 0 where it is empty.
func area(r image.Rectangle) int {
	if r.Empty() {
		return 0
	}
	return r.Dx() * r.Dy()
}

// common is the number of px that two rectangles share.
func common(a, b image.Rectangle) int {
	w := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	h := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h
}

// padTo grows a rectangle about its centre until both sides are at least n px.
func padTo(r image.Rectangle, n int) image.Rectangle {
	if d := n - r.Dx(); d > 0 {
		r.Min.X -= d / 2
		r.Max.X = r.Min.X + n
	}
	if d := n - r.Dy(); d > 0 {
		r.Min.Y -= d / 2
		r.Max.Y = r.Min.Y + n
	}
	return r
}

// distance is the gap between two rectangles in px, the larger of the two axes; 0
// where they touch.
func distance(a, b image.Rectangle) int {
	dx := max(a.Min.X-b.Max.X, b.Min.X-a.Max.X, 0)
	dy := max(a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y, 0)
	return max(dx, dy)
}
