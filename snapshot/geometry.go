package snapshot

// Box is a rectangle x, y, width, height. In a [Capture] it is in CSS px of the
// top frame's viewport: 0,0 is the top left corner of what the page shows, so
// an element above the visible part has a negative y.
type Box [4]float64

// X is the left edge.
func (b Box) X() float64 { return b[0] }

// Y is the top edge.
func (b Box) Y() float64 { return b[1] }

// W is the width.
func (b Box) W() float64 { return b[2] }

// H is the height.
func (b Box) H() float64 { return b[3] }

// Right is the right edge.
func (b Box) Right() float64 { return b[0] + b[2] }

// Bottom is the bottom edge.
func (b Box) Bottom() float64 { return b[1] + b[3] }

// Area is width times height, and 0 for an empty box.
func (b Box) Area() float64 {
	if b.Empty() {
		return 0
	}
	return b[2] * b[3]
}

// Empty reports whether the box has no area.
func (b Box) Empty() bool { return !(b[2] > 0 && b[3] > 0) }

// Center is the middle of the box.
func (b Box) Center() (x, y float64) { return b[0] + b[2]/2, b[1] + b[3]/2 }

// Contains reports whether the point lies in the box; the left and top edges
// belong to it, the right and bottom edges do not.
func (b Box) Contains(x, y float64) bool {
	return x >= b[0] && y >= b[1] && x < b[0]+b[2] && y < b[1]+b[3]
}

// Intersect is the part that both boxes share; it is the zero Box where they
// share nothing.
func (b Box) Intersect(o Box) Box {
	x0, y0 := max(b[0], o[0]), max(b[1], o[1])
	x1, y1 := min(b.Right(), o.Right()), min(b.Bottom(), o.Bottom())
	if x1 <= x0 || y1 <= y0 {
		return Box{}
	}
	return Box{x0, y0, x1 - x0, y1 - y0}
}

// Union is the smallest box around both; an empty box adds nothing.
func (b Box) Union(o Box) Box {
	switch {
	case b.Empty():
		return o
	case o.Empty():
		return b
	}
	x0, y0 := min(b[0], o[0]), min(b[1], o[1])
	x1, y1 := max(b.Right(), o.Right()), max(b.Bottom(), o.Bottom())
	return Box{x0, y0, x1 - x0, y1 - y0}
}

// Shift moves the box by dx, dy.
func (b Box) Shift(dx, dy float64) Box { return Box{b[0] + dx, b[1] + dy, b[2], b[3]} }

// Scale multiplies the box by sx, sy, for instance from CSS px to image px.
func (b Box) Scale(sx, sy float64) Box { return Box{b[0] * sx, b[1] * sy, b[2] * sx, b[3] * sy} }
