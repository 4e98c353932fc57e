package collect

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// Transform maps a frame's own viewport to another frame's, the top one as a rule:
// x' = a·x + c·y + e, y' = b·x + d·y + f, CSS px. A frame may be moved, scaled and turned
// by transforms around it. Pictures, hit tests and input all place a frame by it.
type Transform struct{ a, b, c, d, e, f float64 }

// Unmoved maps every point to itself.
func Unmoved() Transform { return Transform{a: 1, d: 1} }

func transformAt(x, y, sx, sy float64) Transform { return Transform{a: sx, d: sy, e: x, f: y} }

// straight reports whether boxes stay boxes, their corners where they were.
func (p Transform) straight() bool { return p.b == 0 && p.c == 0 && p.a >= 0 && p.d >= 0 }

// Point maps a point of the frame's viewport.
func (p Transform) Point(x, y float64) (float64, float64) {
	return p.a*x + p.c*y + p.e, p.b*x + p.d*y + p.f
}

// area is the transformed area of a square of one px; 0 where the frame has none.
func (p Transform) area() float64 { return p.a*p.d - p.b*p.c }

// Back maps a point of the other viewport into the frame's; -1, -1 where the frame has no
// area there.
func (p Transform) Back(x, y float64) (float64, float64) {
	if p.area() == 0 {
		return -1, -1
	}
	return p.inverse().Point(x, y)
}

// Box maps a box, to the box around it where the frame is turned or mirrored.
func (p Transform) Box(b snapshot.Box) snapshot.Box {
	if p.straight() {
		if p.a == 1 && p.d == 1 {
			return b.Shift(p.e, p.f)
		}
		return tidy(snapshot.Box{p.a*b.X() + p.e, p.d*b.Y() + p.f, p.a * b.W(), p.d * b.H()})
	}
	l, t, r, m := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, corner := range [4][2]float64{{b.X(), b.Y()}, {b.X() + b.W(), b.Y()}, {b.X(), b.Y() + b.H()},
		{b.X() + b.W(), b.Y() + b.H()}} {
		x, y := p.Point(corner[0], corner[1])
		l, t, r, m = min(l, x), min(t, y), max(r, x), max(m, y)
	}
	return tidy(snapshot.Box{l, t, r - l, m - t})
}

// Within is the transform of a frame that lies inside this one by q.
func (p Transform) Within(q Transform) Transform {
	e, f := p.Point(q.e, q.f)
	return Transform{
		a: p.a*q.a + p.c*q.b, b: p.b*q.a + p.d*q.b,
		c: p.a*q.c + p.c*q.d, d: p.b*q.c + p.d*q.d, e: e, f: f,
	}
}

// scale is how large a CSS px of the frame is each way.
func (p Transform) scale() [2]float64 {
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

// windowOf reads what frameWindow (js/window.js) gives.
func windowOf(w []float64) window { return window{w[0], w[1], w[2], w[3], w[4], w[5], w[6] == 1} }

func (w window) shown() bool { return w.w > 0 && w.h > 0 }

// transform of the document in the window, which is so many px wide and high for its
// own scripts. CSS zoom changes that number, transforms do not.
//
// Only the browser knows where a turned window lies. Its quads are those of the local
// root's viewport: of the nearest frame around that has a process of its own, or the top
// one. The transform from the element's frame to that root takes them back.
func (w window) transform(ctx context.Context, owner Element, width, height float64, toRoot Transform) Transform {
	if w.turned {
		if q, err := owner.Realm.Quad(ctx, owner.Node); err == nil {
			zoom := frameZoom(ctx, owner.Realm)
			for i := range q {
				q[i] *= zoom
			}
			w, h := max(1, width), max(1, height)
			return toRoot.inverse().Within(Transform{
				a: (q[2] - q[0]) / w, b: (q[3] - q[1]) / w, c: (q[6] - q[0]) / h, d: (q[7] - q[1]) / h,
				e: q[0], f: q[1],
			})
		}
	}
	sx, sy := w.kx, w.ky
	if width > 0 && math.Abs(w.w/sx-width) > 1.5 {
		sx = w.w / width
	}
	if height > 0 && math.Abs(w.h/sy-height) > 1.5 {
		sy = w.h / height
	}
	return transformAt(w.x, w.y, sx, sy)
}

// frameZoom is how large CSS zoom of the frames around makes a CSS px of a frame, in those of its local root; the
// browser gives quads in the former. 1 where that cannot be asked.
func frameZoom(ctx context.Context, in *browser.Realm) float64 {
	frames, err := in.Session().FrameTree(ctx)
	if err != nil || len(frames) == 0 || frames[0].ID == in.Frame {
		return 1
	}
	ratio := func(text string, err error) float64 {
		v, _ := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0
		}
		return v
	}
	const js = "String(devicePixelRatio)"
	root, own := ratio(in.Session().Eval(ctx, frames[0].ID, js)), ratio(in.Eval(ctx, js))
	if root <= 0 || own <= 0 {
		return 1
	}
	return own / root
}

// inverse maps the other way; where the frame has no area, nothing moves.
func (p Transform) inverse() Transform {
	det := p.area()
	if det == 0 {
		return Unmoved()
	}
	q := Transform{a: p.d / det, b: -p.b / det, c: -p.c / det, d: p.a / det}
	q.e, q.f = -(q.a*p.e + q.c*p.f), -(q.b*p.e + q.d*p.f)
	return q
}

// FrameTransform measures where a frame element shows the document of inner: the transform
// from the viewport of inner to that of the element's own frame. toRoot is the transform
// from there to the local root, the nearest frame around that has a process of its own.
func FrameTransform(ctx context.Context, owner Element, inner *browser.Realm, toRoot Transform) (Transform, error) {
	text, err := owner.Realm.Call(ctx, "function(node) {\n"+windowJS+"\nreturn JSON.stringify(frameWindow(node)); }",
		[]int64{owner.Node})
	if err != nil {
		return Transform{}, fmt.Errorf("finding where frame %s is: %w", inner.Frame, err)
	}
	row := make([]float64, 0, 7)
	if err := json.Unmarshal([]byte(text), &row); err != nil || len(row) != 7 {
		return Transform{}, fmt.Errorf("finding where frame %s is: the page answered %d numbers", inner.Frame, len(row))
	}
	size, err := inner.Eval(ctx, "JSON.stringify([innerWidth, innerHeight])")
	if err != nil {
		return Transform{}, fmt.Errorf("measuring frame %s: %w", inner.Frame, err)
	}
	var wh [2]float64
	if err := json.Unmarshal([]byte(size), &wh); err != nil {
		return Transform{}, fmt.Errorf("measuring frame %s: %w", inner.Frame, err)
	}
	return windowOf(row).transform(ctx, owner, wh[0], wh[1], toRoot), nil
}

// visibleArea is what the frames around a frame leave of it: the part of its viewport that
// the top one shows, and the boxes of what may lie over it, both in parts of its width
// and height, 0 to 1. A frame spends hit tests only on that part, and looks harder
// where such a box ends. Of a turned frame the part is everything or nothing.
func (r *reader) visibleArea(j *childFrame) (*[4]float64, []float64) {
	up := j.up
	content := snapshot.Box{j.window.x, j.window.y, j.window.w, j.window.h}
	place := r.transforms[up.frame]
	whole := place.Box(content)
	seen := whole.Intersect(up.window).Intersect(up.nodes[j.k].VisibleBox()).Intersect(r.c.Viewport.Box())
	if whole.Empty() || seen.Empty() {
		return &[4]float64{}, nil
	}
	if j.window.turned || !place.straight() {
		return nil, nil
	}
	part := func(x, y float64) (float64, float64) { return (x - whole.X()) / whole.W(), (y - whole.Y()) / whole.H() }
	l, t := part(seen.X(), seen.Y())
	right, bottom := part(seen.Right(), seen.Bottom())
	var over []float64
	for _, b := range r.over(j) {
		if b = b.Intersect(seen); !b.Empty() {
			x, y := part(b.X(), b.Y())
			over = append(over, x, y, b.W()/whole.W(), b.H()/whole.H())
		}
	}
	return &[4]float64{l, t, right, bottom}, over
}

// over are the boxes, in the top viewport, of what the frames around saw lying over
// the frame element or over one of their own.
func (r *reader) over(j *childFrame) []snapshot.Box {
	boxes := append([]snapshot.Box(nil), j.up.over...)
	place := r.transforms[j.up.frame]
	lists(j.up.cols.Over, len(j.up.cols.Parent), func(k int, e []float64) {
		for n := 0; k == j.k && n+3 < len(e); n += 4 {
			boxes = append(boxes, place.Box(snapshot.Box{e[n], e[n+1], e[n+2], e[n+3]}))
		}
	})
	return boxes
}
