package overlay

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/atlas"
	"github.com/refscope/refscope/overlay/geometry"
)

// reader reads digits off a picture by comparing it with digits of its own. It is
// told where a label's plate is and nothing else: not how many digits there are,
// where they stand, how large they are or what they should say. It stands in for a
// model's eyes; a real one needs more margin, see Style.
type reader struct{ sizes []glyphs }

// glyphs are the digits of one size.
type glyphs struct {
	w, h, advance int
	digits        [10][]float64 // brightness less its mean, over its length
}

// The sizes of digit that it knows, in px: first those of Style, then all that a
// resize may have made of them.
var readerSizes = []float64{fontPx, fontFloorPx, 10, 9, 8, 7.5, 7, 6.5, 6, 5.5, 5, 13, 14}

var black = color.RGBA{A: 255}

// A digit is one where it is this much alike (1 is the same); where all digits are
// surely so, other sizes are not tried.
const (
	digitAlike = 0.6
	digitSure  = 0.97
)

// The reader knows more sizes where it is told of them: those of a picture with more px for a CSS px.
func newReader(t testing.TB, more ...float64) *reader {
	t.Helper()
	r := &reader{}
	for _, px := range append(more, readerSizes...) {
		face, err := atlas.NewNumbers(gomonobold.TTF, px)
		require.NoError(t, err)
		ink := face.DigitBounds()
		g := glyphs{w: ink.Dx(), h: ink.Dy() + 2, advance: face.Advance()}
		for d := range g.digits {
			img := image.NewRGBA(image.Rect(0, 0, g.w, g.h))
			fill(img, img.Rect, black)
			face.Draw(img, -ink.Min.X, 1-ink.Min.Y, string(rune('0'+d)), paper)
			g.digits[d] = normal(luma(img, img.Rect), nil)
		}
		r.sizes = append(r.sizes, g)
	}
	return r
}

// luma is the brightness of a part of a picture, row by row. What is out of the
// picture is black.
func luma(img *image.RGBA, r image.Rectangle) []float64 {
	out := make([]float64, 0, geometry.Area(r))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.RGBA{}
			if (image.Point{X: x, Y: y}).In(img.Rect) {
				c = img.RGBAAt(x, y)
			}
			out = append(out, 0.299*float64(c.R)+0.587*float64(c.G)+0.114*float64(c.B))
		}
	}
	return out
}

// normal takes the mean from values and brings them to length 1, so that the
// product of two is how alike they are, -1 to 1. A flat patch is like nothing.
func normal(v, into []float64) []float64 {
	mean := 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	length := 0.0
	into = into[:0]
	for _, x := range v {
		into = append(into, x-mean)
		length += (x - mean) * (x - mean)
	}
	if length = math.Sqrt(length); length < 1 {
		clear(into)
		return into
	}
	for i := range into {
		into[i] /= length
	}
	return into
}

// read is what the plate at r says, "" for nothing.
func (rd *reader) read(img *image.RGBA, r image.Rectangle) string {
	r = r.Inset(-1)
	page, width := luma(img, r), r.Dx()
	best, said := 0.0, ""
	for i := range rd.sizes {
		sum, s := rd.sizes[i].read(page, width, r.Dy())
		if sum > best {
			best, said = sum, s
		}
		if len(s) > 0 && sum > (digitSure-digitAlike)*float64(len(s)) {
			return s
		}
	}
	return said
}

// read is the row of digits of this size that fits best: the sum over its digits of
// how much more than just alike they are.
func (g *glyphs) read(page []float64, width, height int) (best float64, said string) {
	type hit struct {
		x, digit int
		score    float64
	}
	patch, flat := make([]float64, g.w*g.h), make([]float64, g.w*g.h)
	for y := 0; y+g.h <= height; y++ {
		var hits []hit
		for x := 0; x+g.w <= width; x++ {
			for k := range g.h {
				copy(patch[k*g.w:], page[(y+k)*width+x:][:g.w])
			}
			p := normal(patch, flat)
			top := hit{x: x}
			for d, t := range g.digits {
				sum := 0.0
				for i := range t {
					sum += t[i] * p[i]
				}
				if sum > top.score {
					top.digit, top.score = d, sum
				}
			}
			if top.score > digitAlike {
				hits = append(hits, top)
			}
		}
		// The best first; nothing else within most of a digit's width.
		slices.SortStableFunc(hits, func(a, b hit) int {
			switch {
			case a.score > b.score:
				return -1
			case a.score < b.score:
				return 1
			}
			return 0
		})
		var row []hit
		for _, h := range hits {
			if !slices.ContainsFunc(row, func(o hit) bool { return 4*max(h.x-o.x, o.x-h.x) < 3*g.advance }) {
				row = append(row, h)
			}
		}
		slices.SortFunc(row, func(a, b hit) int { return a.x - b.x })
		sum, s := 0.0, ""
		for _, h := range row {
			sum += h.score - digitAlike
			s += string(rune('0' + h.digit))
		}
		if sum > best {
			best, said = sum, s
		}
	}
	return best, said
}
