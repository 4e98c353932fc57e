package vision

import (
	"fmt"
	"image"
)

// lowSide is the square into which OpenAI shrinks a picture at low detail, px.
const lowSide = 512

// tiles is OpenAI's older rule: a picture is shrunk to fit a square of 2048 px,
// then until its shorter side is 768 px, and counted in tiles of 512 px. At low
// detail it is shrunk to 512 px and costs the base alone.
type tiles struct{ base, tile int } // tokens

const (
	tileSquare = 2048
	tileShort  = 768
	tileSide   = 512
)

func (r tiles) fit(size image.Point, d Detail) image.Point {
	if d == Low {
		return within(size, lowSide)
	}
	long, short := max(size.X, size.Y), min(size.X, size.Y)
	// The tighter of the two, as one fraction: rounding twice could lose a px.
	num, den := 1, 1
	if long > tileSquare {
		num, den = tileSquare, long
	}
	if short*num > tileShort*den {
		num, den = tileShort, short
	}
	return scaled(size, num, den)
}

func (r tiles) padded(size image.Point, _ Detail) image.Point { return size }

func (r tiles) tokens(size image.Point, d Detail) Estimate {
	if d == Low {
		return Estimate{r.base, fmt.Sprintf("estimate: %d at low detail", r.base)}
	}
	n := patches(size, tileSide)
	return Estimate{r.base + n*r.tile, fmt.Sprintf("estimate: %d + %d tiles of %d px times %d", r.base, n, tileSide, r.tile)}
}

// grid is OpenAI's newer rule: squares of 32 px, each a token times a factor. A
// picture over the budget or the side of its detail is shrunk.
type grid struct {
	percent        int // tokens for 100 squares
	high, original reach
}

// reach is how far a detail goes; 0 is no bound.
type reach struct{ squares, side int }

const gridSide = 32

func (r grid) fit(size image.Point, d Detail) image.Point {
	to := r.high
	switch d {
	case Low:
		return within(size, lowSide)
	case Original:
		to = r.original
	}
	out := within(size, to.side)
	if to.squares == 0 || patches(out, gridSide) <= to.squares {
		return out
	}
	// From the size as it was, so that it is rounded once; from the rounded one
	// where that leaves too much.
	if once := shrink(size, to.squares); once.X <= out.X && once.Y <= out.Y {
		return once
	}
	return shrink(out, to.squares)
}

// shrink is the vendor's formula: by sqrt(32² squares / (w h)), and then so far that
// one side is whole squares. The root cancels out: with a and b the whole squares
// along the sides, floor(sqrt(squares w/h)) and floor(sqrt(squares h/w)), the factor
// is the smaller of 32 a/w and 32 b/h.
func shrink(size image.Point, squares int) image.Point {
	a := max(1, root(squares*size.X/size.Y))
	b := max(1, root(squares*size.Y/size.X))
	if a*size.Y <= b*size.X {
		return scaled(size, gridSide*a, size.X)
	}
	return scaled(size, gridSide*b, size.Y)
}

func (r grid) padded(size image.Point, _ Detail) image.Point { return size }

func (r grid) tokens(size image.Point, _ Detail) Estimate {
	n := patches(size, gridSide)
	return Estimate{ceilDiv(n*r.percent, 100), fmt.Sprintf("estimate: %d patches of %d px times %d.%02d", n, gridSide, r.percent/100, r.percent%100)}
}

// within shrinks a size until neither side is longer than that; 0 is no bound.
func within(size image.Point, side int) image.Point {
	if long := max(size.X, size.Y); side > 0 && long > side {
		return scaled(size, side, long)
	}
	return size
}
