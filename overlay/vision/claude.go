package vision

import (
	"fmt"
	"image"
	"sort"
)

// squares is Anthropic's rule: a picture is padded at the right and at the bottom
// to whole squares of 28 px, each a token. Where a padded side would be longer than
// edge, or there would be more tokens than budget, it is shrunk first: to the
// longest side for which both hold, the other side in proportion, halves rounded to
// the even number.
type squares struct{ edge, budget int } // px, tokens

const squareSide = 28

func (r squares) holds(size image.Point) bool {
	p := r.padded(size, "")
	return p.X <= r.edge && p.Y <= r.edge && patches(p, squareSide) <= r.budget
}

func (r squares) fit(size image.Point, _ Detail) image.Point {
	if r.holds(size) {
		return size
	}
	long := max(size.X, size.Y)
	at := func(side int) image.Point {
		return image.Pt(max(1, halfEven(size.X*side, long)), max(1, halfEven(size.Y*side, long)))
	}
	// The first side that is too long, less one.
	side := sort.Search(long, func(k int) bool { return !r.holds(at(k + 1)) })
	return at(max(1, side))
}

func (r squares) padded(size image.Point, _ Detail) image.Point {
	return image.Pt(ceilDiv(size.X, squareSide)*squareSide, ceilDiv(size.Y, squareSide)*squareSide)
}

func (r squares) tokens(size image.Point, _ Detail) Estimate {
	x, y := ceilDiv(size.X, squareSide), ceilDiv(size.Y, squareSide)
	return Estimate{x * y, fmt.Sprintf("estimate: %d x %d squares of %d px", x, y, squareSide)}
}

// halfEven is a/b rounded to the nearest, halves to the even number; both positive.
func halfEven(a, b int) int {
	q, rest := a/b, a%b
	if 2*rest > b || 2*rest == b && q%2 == 1 {
		q++
	}
	return q
}
