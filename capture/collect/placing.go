package collect

import (
	"math"

	"github.com/refscope/refscope/snapshot"
)

// placing maps a frame's own viewport to the top viewport: x' = a·x + c·y + e,
// y' = b·x + d·y + f, CSS px. A frame may be moved, scaled and turned by transforms
// around it.
type placing struct{ a, b, c, d, e, f float64 }

func placedAt(x, y, sx, sy float64) placing { return placing{a: sx, d: sy, e: x, f: y} }

// straight reports whether boxes stay boxes.
func (p placing) straight() bool { return p.b == 0 && p.c == 0 }

func (p placing) point(x, y float64) (float64, float64) {
	return p.a*x + p.c*y + p.e, p.b*x + p.d*y + p.f
}

// back maps a point of the top viewport into the frame's.
func (p placing) back(x, y float64) (float64, float64) {
	det := p.a*p.d - p.b*p.c
	if det == 0 {
		return -1, -1 // it has no area
	}
	x, y = x-p.e, y-p.f
	return (p.d*x - p.c*y) / det, (p.a*y - p.b*x) / det
}

// box maps a box, to the box around it where the frame is turned.
func (p placing) box(b snapshot.Box) snapshot.Box {
	if p.straight() {
		if p.a == 1 && p.d == 1 {
			return b.Shift(p.e, p.f)
		}
		return tidy(snapshot.Box{p.a*b.X() + p.e, p.d*b.Y() + p.f, p.a * b.W(), p.d * b.H()})
	}
	l, t, r, m := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, corner := range [4][2]float64{{b.X(), b.Y()}, {b.X() + b.W(), b.Y()}, {b.X(), b.Y() + b.H()}, {b.X() + b.W(), b.Y() + b.H()}} {
		x, y := p.point(corner[0], corner[1])
		l, t, r, m = min(l, x), min(t, y), max(r, x), max(m, y)
	}
	return tidy(snapshot.Box{l, t, r - l, m - t})
}

// within is the placing of a frame inside this one.
func (p placing) within(q placing) placing {
	e, f := p.point(q.e, q.f)
	return placing{
		a: p.a*q.a + p.c*q.b, b: p.b*q.a + p.d*q.b,
		c: p.a*q.c + p.c*q.d, d: p.b*q.c + p.d*q.d, e: e, f: f,
	}
}

// scale is how large a CSS px of the frame is each way.
func (p placing) scale() [2]float64 {
	return [2]float64{hundredth(math.Hypot(p.a, p.b)), hundredth(math.Hypot(p.c, p.d))}
}

func hundredth(v float64) float64 { return math.Round(v*100) / 100 }

func tidy(b snapshot.Box) snapshot.Box {
	return snapshot.Box{hundredth(b[0]), hundredth(b[1]), hundredth(b[2]), hundredth(b[3])}
}

// window is one row of the windows column: where an element of a frame shows another
// document.
type window struct {
	x, y, w, h float64 // content box in its own frame's viewport
	kx, ky     float64 // scale by transforms
	turned     bool
}

func (w window) shown() bool { return w.w > 0 && w.h > 0 }

// placing of the document in the window, which is so many px wide and high for its
// own scripts. CSS zoom changes that number, transforms do not.
func (w window) placing(width, height float64) placing {
	sx, sy := w.kx, w.ky
	if width > 0 && math.Abs(w.w/sx-width) > 1.5 {
		sx = w.w / width
	}
	if height > 0 && math.Abs(w.h/sy-height) > 1.5 {
		sy = w.h / height
	}
	return placedAt(w.x, w.y, sx, sy)
}
