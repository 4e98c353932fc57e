package vision

import (
	"fmt"
	"image"
)

// multiples is Qwen's rule: both sides become multiples of side, each to the
// nearest, halves to the even one. Where that is more than most px in all, both are
// shrunk by the root of the excess and rounded down; where it is less than least,
// enlarged and rounded up. The two sides are rounded apart, so a picture's
// proportions change a little.
//
// How much is most depends on who serves the model: the published processors take
// 16384 squares (high), the hosted service 1280 unless it is told
// vl_high_resolution_images (low). Low is the default, because what fits 1280 is
// resized by neither.
type multiples struct{ side, least, most int } // px of a side, px in all

// hostedSquares is the most that the hosted service takes by itself.
const hostedSquares = 1280

func (r multiples) fit(size image.Point, d Detail) image.Point {
	if d != High {
		r.most = hostedSquares * r.side * r.side
	}
	out := image.Pt(r.side*max(1, halfEven(size.X, r.side)), r.side*max(1, halfEven(size.Y, r.side)))
	switch all := out.X * out.Y; {
	case all > r.most:
		// floor(w / sqrt(w h / most) / side) = floor(sqrt(most w / (h side²)))
		along := func(a, b int) int { return r.side * max(1, root(r.most*a/(b*r.side*r.side))) }
		return image.Pt(along(size.X, size.Y), along(size.Y, size.X))
	case all < r.least:
		along := func(a, b int) int {
			k := root(r.least * a / (b * r.side * r.side))
			for k*k*r.side*r.side*b < r.least*a {
				k++
			}
			return r.side * max(1, k)
		}
		return image.Pt(along(size.X, size.Y), along(size.Y, size.X))
	}
	return out
}

func (multiples) padded(size image.Point, _ Detail) image.Point { return size }

func (r multiples) tokens(size image.Point, _ Detail) Estimate {
	n := patches(size, r.side)
	return Estimate{n, fmt.Sprintf("estimate: %d squares of %d px", n, r.side)}
}
