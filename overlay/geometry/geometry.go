// Package geometry is the arithmetic of rectangles that drawing marks shares with the benchmark that reads them: areas,
// gaps, and which box a label belongs to in the eye of a reader. Everything is in px of the picture. Start with
// [NearnessOf].
package geometry

import (
	"image"
	"math"

	"github.com/refscope/refscope/snapshot"
)

// Area is the number of px in a rectangle, 0 for an empty one.
func Area(r image.Rectangle) int {
	if r.Empty() {
		return 0
	}
	return r.Dx() * r.Dy()
}

// Common is the number of px that two rectangles share.
func Common(a, b image.Rectangle) int {
	w := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	h := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h
}

// Touched are the px that a box in px touches.
func Touched(b snapshot.Box) image.Rectangle {
	return image.Rect(int(math.Floor(b.X())), int(math.Floor(b.Y())),
		int(math.Ceil(b.Right())), int(math.Ceil(b.Bottom())))
}

// Sides are those of a frame so many px wide along the inside of a rectangle: top, bottom, and between them left and
// right, which are empty where there is no room between.
func Sides(r image.Rectangle, width int) [4]image.Rectangle {
	return [4]image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+width)},
		{image.Pt(r.Min.X, r.Max.Y-width), r.Max},
		{image.Pt(r.Min.X, r.Min.Y+width), image.Pt(r.Min.X+width, r.Max.Y-width)},
		{image.Pt(r.Max.X-width, r.Min.Y+width), image.Pt(r.Max.X, r.Max.Y-width)},
	}
}

// PushInto moves a rectangle into another by the least distance; one that is too
// large ends up at the top left.
func PushInto(r, in image.Rectangle) image.Rectangle {
	d := image.Pt(min(0, in.Max.X-r.Max.X), min(0, in.Max.Y-r.Max.Y))
	d = image.Pt(max(d.X, in.Min.X-r.Min.X), max(d.Y, in.Min.Y-r.Min.Y))
	return r.Add(d)
}

// Distance is the gap between two rectangles in px, the larger of the two axes; 0 where they touch.
func Distance(a, b image.Rectangle) int {
	return max(a.Min.X-b.Max.X, b.Min.X-a.Max.X, a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y, 0)
}

// Nearness is how near a label is to a box, as an eye sees it: px between the label and the box's line, and how many px
// of that line run along the label. A label without a line that leads to its box belongs to the nearest one.
type Nearness struct{ gap, along, same int }

// alongPx is how far from a label a line may be that runs along it. Distances that differ by sameGap px look the same.
const (
	alongPx = 3
	sameGap = 1
)

// NearnessOf returns how near a label is to a box, on a picture whose lines are so many px wide for one px of the
// style. The line of the box is its outermost px.
func NearnessOf(label, box image.Rectangle, density int) Nearness {
	n := Nearness{same: sameGap * density}
	out, in := label.Inset(-alongPx*density), label.Inset(alongPx*density)
	if in.Empty() {
		in = image.Rectangle{}
	}
	for i, side := range [...]image.Rectangle{
		{box.Min, image.Pt(box.Max.X, box.Min.Y+1)}, {image.Pt(box.Min.X, box.Max.Y-1), box.Max},
		{box.Min, image.Pt(box.Min.X+1, box.Max.Y)}, {image.Pt(box.Max.X-1, box.Min.Y), box.Max},
	} {
		if gap := Distance(label, side); i == 0 || gap < n.gap {
			n.gap = gap
		}
		n.along += Common(side, out) - Common(side, in)
	}
	return n
}

// Less reports whether a is nearer than b: by the gap, and of two gaps that look the same, by how much of the line runs
// along the label.
func (a Nearness) Less(b Nearness) bool {
	if d := a.gap - b.gap; d < -a.same || d > a.same {
		return d < 0
	}
	return a.along > b.along
}

// Line is a straight line between two px.
type Line struct{ From, To image.Point }

// Bounds is the rectangle around the px of a line.
func (l Line) Bounds() image.Rectangle {
	r := image.Rectangle{Min: l.From, Max: l.To}.Canon()
	r.Max = r.Max.Add(image.Pt(1, 1))
	return r
}

// Through reports whether a line has a px in a rectangle.
func (l Line) Through(r image.Rectangle) bool {
	if !l.Bounds().Overlaps(r) {
		return false
	}
	d := l.To.Sub(l.From)
	n := max(1, d.X, -d.X, d.Y, -d.Y)
	for k := range n + 1 {
		if l.From.Add(image.Pt(d.X*k/n, d.Y*k/n)).In(r) {
			return true
		}
	}
	return false
}

// Crosses reports whether two lines have a point in common.
func (l Line) Crosses(o Line) bool {
	if !l.Bounds().Overlaps(o.Bounds()) {
		return false
	}
	side := func(l Line, p image.Point) int {
		d, to := l.To.Sub(l.From), p.Sub(l.From)
		return d.X*to.Y - d.Y*to.X
	}
	apart := func(a, b int) bool { return a > 0 && b > 0 || a < 0 && b < 0 }
	return !apart(side(l, o.From), side(l, o.To)) && !apart(side(o, l.From), side(o, l.To))
}

// FloorDiv is a/b rounded down, also below 0.
func FloorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
