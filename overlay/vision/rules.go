package vision

import (
	"fmt"
	"image"
	"sort"
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

func (r tiles) tokens(size image.Point, d Detail) Estimate {
	if d == Low {
		return Estimate{r.base, fmt.Sprintf("estimate: %d at low detail", r.base)}
	}
	n := patches(size, tileSide)
	how := fmt.Sprintf("estimate: %d + %d tiles of %d px times %d", r.base, n, tileSide, r.tile)
	return Estimate{r.base + n*r.tile, how}
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

func (r grid) tokens(size image.Point, _ Detail) Estimate {
	n := patches(size, gridSide)
	how := fmt.Sprintf("estimate: %d patches of %d px times %d.%02d", n, gridSide, r.percent/100, r.percent%100)
	return Estimate{ceilDiv(n*r.percent, 100), how}
}

// within shrinks a size until neither side is longer than that; 0 is no bound.
func within(size image.Point, side int) image.Point {
	if long := max(size.X, size.Y); side > 0 && long > side {
		return scaled(size, side, long)
	}
	return size
}

// squares is Anthropic's rule: a picture is padded at the right and at the bottom
// to whole squares of 28 px, each a token. Where a padded side would be longer than
// edge, or there would be more tokens than budget, it is shrunk first: to the
// longest side for which both hold, the other side in proportion, halves rounded to
// the even number.
type squares struct{ edge, budget int } // px, tokens

const squareSide = 28

func (r squares) holds(size image.Point) bool {
	p := r.padded(size)
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

func (r squares) padded(size image.Point) image.Point {
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

// crops is the rule of Gemini 2: a picture with both sides up to 384 px costs one
// tile; a larger one is cut into squares of two thirds of its shorter side, each
// scaled to 768 px. A picture over 1152 px in its shorter side is thus shrunk, and
// Fit does that before; a smaller one is not enlarged here, since the marks would
// be drawn at a size at which nobody sends them.
type crops struct{}

const (
	cropOnce = 384
	cropSide = 768
	cropCost = 258
)

func (crops) fit(size image.Point, _ Detail) image.Point {
	const most = cropSide * 3 / 2
	if short := min(size.X, size.Y); short > most {
		return scaled(size, most, short)
	}
	return size
}

func (crops) tokens(size image.Point, _ Detail) Estimate {
	if max(size.X, size.Y) <= cropOnce {
		return Estimate{cropCost, fmt.Sprintf("estimate: one tile of %d", cropCost)}
	}
	n := patches(size, max(1, min(size.X, size.Y)*2/3))
	return Estimate{n * cropCost, fmt.Sprintf("estimate: %d tiles times %d", n, cropCost)}
}

// allotment is the rule of Gemini 3 and later: the media resolution is the number
// of tokens at most, whatever the size. To what size a picture is resampled is not
// published, so it stays as it is.
type allotment map[Detail]int

func (allotment) fit(size image.Point, _ Detail) image.Point { return size }

func (r allotment) tokens(_ image.Point, d Detail) Estimate {
	return Estimate{r[d], fmt.Sprintf("estimate: the most at media resolution %s", d)}
}

// multiples is Qwen's rule: both sides become multiples of side, each to the
// nearest, halves to the even one. Where that is more than most px in all, both are
// shrunk by the root of the excess and rounded down; where it is less than least,
// enlarged and rounded up. The two sides are rounded apart, so a picture's
// proportions change a little.
//
// How much is most depends on who serves the model: the published processors take
// 16384 squares (high), the hosted service 1280 without
// vl_high_resolution_images (low). Low is the default, because what fits 1280 is
// resized by neither.
type multiples struct{ side, least, most int } // px of a side, px in all

// hostedSquares is the hosted service's default maximum.
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

func (r multiples) tokens(size image.Point, _ Detail) Estimate {
	n := patches(size, r.side)
	return Estimate{n, fmt.Sprintf("estimate: %d squares of %d px", n, r.side)}
}

// unknown is the row for names that are not in the table.
func unknown() Model {
	var every strictest
	for _, m := range table() {
		if m.Vendor != alibaba { // whose multiples are for its own models alone
			every = append(every, m)
		}
	}
	return Model{
		Name: "unknown", Row: "unknown", Rule: "fits every model of the table but Qwen's multiples, and every limit",
		AsOf: openAIDate, Source: "the other rows", rule: every,
		limits: Limits{
			Side: 8000, Patches: 30000, Aspect: 200,
			ImageBytes: 10 << 20, RequestBytes: 20 << 20,
		},
	}
}

// strictest shrinks a picture until every model of the list takes it as it is, at
// that detail or, where it does not take that, at its own.
type strictest []Model

func (every strictest) fit(size image.Point, d Detail) image.Point {
	for changed := true; changed; {
		changed = false
		for _, m := range every {
			if to := m.Fit(size, d); to != size {
				size, changed = to, true
			}
		}
	}
	return size
}

func (strictest) tokens(image.Point, Detail) Estimate {
	return Estimate{How: "not estimated: " + howUnknown}
}
