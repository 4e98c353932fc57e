// Package likeness compares pictures of pages: whether two show the same ([Of]), and which part
// of a page's picture another one shows, at which scale ([Locate]).
//
// It is made for pictures that went through other programs: scaled, cropped, and encoded with
// losses. So it compares grey cells and not pixels. Most of a page is empty, and two empty
// places prove nothing: cells in which both pictures show their background do not count.
package likeness

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // pictures in requests
	_ "image/png"
	"math"

	"github.com/refscope/refscope/snapshot/text"
	_ "golang.org/x/image/webp"
)

// maxDecoded bounds a picture that is looked at, px: twice an 8K screen.
const maxDecoded = 64 << 20

// Decode reads a PNG, JPEG, WebP or GIF picture of at most 64 million px. The error begins with
// "its picture".
func Decode(data []byte) (image.Image, error) {
	size, kind, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("its picture cannot be read: %s", text.Line(err.Error()))
	}
	if size.Width <= 0 || size.Height <= 0 || size.Width > maxDecoded/size.Height {
		return nil, fmt.Errorf("its picture (%s) is %d x %d px, more than is looked at", kind, size.Width, size.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("its picture (%s) cannot be read: %s", kind, text.Line(err.Error()))
	}
	return img, nil
}

// The grid that whole pictures are compared on, cells.
const (
	gridWidth  = 64
	gridHeight = 48
)

// Of is the share of the cells with something in them in which two pictures agree, 0 to 1. A
// picture of another shape shows something else, 0.
func Of(a, b image.Image) float64 {
	ratio := func(i image.Image) float64 { return float64(i.Bounds().Dx()) / float64(i.Bounds().Dy()) }
	if r := ratio(a) / ratio(b); r < 0.97 || r > 1.03 {
		return 0
	}
	return stretched(shadesOf(a), shadesOf(b))
}

// stretched is [Of] for pictures of any shape, each stretched to the grid.
func stretched(a, b *shades) float64 {
	ga, gb := a.cells(a.whole(), gridWidth, gridHeight), b.cells(b.whole(), gridWidth, gridHeight)
	return agreement(ga, gb, background(ga), background(gb))
}

// agreement compares cells that stand for the same places.
func agreement(a, b []uint8, paperA, paperB uint8) float64 {
	alike, all := 0, 0
	for i := range a {
		if near(a[i], paperA, 6) && near(b[i], paperB, 6) {
			continue
		}
		all++
		if near(a[i], b[i], 20) {
			alike++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(alike) / float64(all)
}

func near(a, b uint8, within int) bool { return int(a)-int(b) <= within && int(b)-int(a) <= within }

// shades are the greys of a picture, summed up so that the mean of any part costs the same.
type shades struct {
	w, h int
	sum  []uint64 // of all px above and left of x, y; (w+1) x (h+1)
}

// shadesOf reads a picture; what is see-through is white.
func shadesOf(img image.Image) *shades {
	b := img.Bounds()
	s := &shades{w: b.Dx(), h: b.Dy()}
	s.sum = make([]uint64, (s.w+1)*(s.h+1))
	grey := greyOf(img)
	for y := range s.h {
		row := uint64(0)
		for x := range s.w {
			row += uint64(grey(x+b.Min.X, y+b.Min.Y))
			s.sum[(y+1)*(s.w+1)+x+1] = s.sum[y*(s.w+1)+x+1] + row
		}
	}
	return s
}

// greyOf reads the grey of one px, for the kinds of pictures that decoders make without a detour.
func greyOf(img image.Image) func(x, y int) uint8 {
	luma := func(r, g, b uint32) uint8 { return uint8((299*r + 587*g + 114*b + 500) / 1000) }
	switch m := img.(type) {
	case *image.YCbCr:
		return func(x, y int) uint8 { return m.Y[m.YOffset(x, y)] }
	case *image.Gray:
		return func(x, y int) uint8 { return m.Pix[m.PixOffset(x, y)] }
	case *image.RGBA:
		return func(x, y int) uint8 {
			p := m.Pix[m.PixOffset(x, y):]
			white := 255 - uint32(p[3])
			return luma(uint32(p[0])+white, uint32(p[1])+white, uint32(p[2])+white)
		}
	}
	return func(x, y int) uint8 {
		r, g, b, a := img.At(x, y).RGBA()
		white := 0xffff - a
		return luma((r+white)>>8, (g+white)>>8, (b+white)>>8)
	}
}

// whole is the picture's own extent.
func (s *shades) whole() image.Rectangle { return image.Rect(0, 0, s.w, s.h) }

// cells are the means of a part, row by row. A cell that begins or ends within a px takes its share.
func (s *shades) cells(part image.Rectangle, width, height int) []uint8 {
	out := make([]uint8, 0, width*height)
	w, h := float64(part.Dx())/float64(width), float64(part.Dy())/float64(height)
	above, below := make([]float64, width+1), make([]float64, width+1)
	row := func(into []float64, j int) {
		for i := range into {
			into[i] = s.upTo(float64(part.Min.X)+float64(i)*w, float64(part.Min.Y)+float64(j)*h)
		}
	}
	row(above, 0)
	for j := range height {
		row(below, j+1)
		for i := range width {
			out = append(out, uint8((below[i+1]-below[i]-above[i+1]+above[i])/(w*h)+0.5))
		}
		above, below = below, above
	}
	return out
}

// upTo is the sum of all px above and left of a place, which may lie within one.
func (s *shades) upTo(x, y float64) float64 {
	i, j := min(int(x), s.w), min(int(y), s.h)
	fx, fy := x-float64(i), y-float64(j)
	at := func(i, j int) float64 { return float64(s.sum[min(j, s.h)*(s.w+1)+min(i, s.w)]) }
	return (1-fy)*((1-fx)*at(i, j)+fx*at(i+1, j)) + fy*((1-fx)*at(i, j+1)+fx*at(i+1, j+1))
}

// background is the grey that most cells have.
func background(cells []uint8) uint8 {
	var count [256]int
	best := 0
	for _, c := range cells {
		if count[c]++; count[c] > count[best] {
			best = int(c)
		}
	}
	return uint8(best)
}

// Blank reports whether a picture shows one even colour.
func Blank(img image.Image) bool {
	s := shadesOf(img)
	grid := s.cells(s.whole(), gridWidth, gridHeight)
	for _, c := range grid {
		if !near(c, grid[0], 2) {
			return false
		}
	}
	return true
}

// Place is the part of a page's picture that another picture shows.
type Place struct {
	// X, Y, Width and Height are in px of the page's picture.
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// ScaleX and ScaleY are px of the other picture for one of the page's.
	ScaleX float64 `json:"scaleX"`
	ScaleY float64 `json:"scaleY"`
	// Score is how alike the two are there, 0 to 1, as [Of] counts it.
	Score float64 `json:"score"`
	// Cropped: it is not the whole of the page's picture.
	Cropped bool `json:"cropped,omitempty"`
	// Scrolled: the other one was taken when the page was scrolled to another place. Y is negative
	// where it begins above the page's picture, and Score is that of what both show.
	Scrolled bool `json:"scrolled,omitempty"`
}

// leastCrop is the shorter side of a crop, in px of the page's picture: a smaller one looks like
// many places.
const leastCrop = 64

// enough is the score of a whole picture from which no crop is looked for.
const enough = 0.85

// Locate finds the part of the page's picture that the other one shows: the whole of it at any
// scale, or a crop at one of the scales that programs crop at: px for px, CSS px where the page's
// picture has several px for one (density), the page's whole width or its whole height. A picture
// of the same shape is also looked for as the page was scrolled up or down by up to half its
// height. The place with the best score is returned; a score near 0 is no place at all.
func Locate(page, shown image.Image, density float64) Place {
	p, s := page.Bounds(), shown.Bounds()
	pw, ph, sw, sh := float64(p.Dx()), float64(p.Dy()), float64(s.Dx()), float64(s.Dy())
	best := Place{Width: pw, Height: ph, ScaleX: sw / pw, ScaleY: sh / ph}
	ours, theirs := shadesOf(page), shadesOf(shown)
	if r := best.ScaleX / best.ScaleY; r > 0.5 && r < 2 {
		best.Score = stretched(ours, theirs)
	}
	if best.Score >= enough {
		return best
	}
	if sw/pw < 1.02*sh/ph && sh/ph < 1.02*sw/pw {
		if at := scrolled(ours, theirs); at.Score >= enough {
			return at
		}
	}
	var tried []float64
	for _, scale := range []float64{1, 1 / density, sw / pw, sh / ph} {
		w, h := sw/scale, sh/scale
		known := false
		for _, t := range tried {
			known = known || math.Abs(t-scale) < 0.01*scale
		}
		if known || !(scale > 0) || min(w, h) < leastCrop || math.IsInf(scale, 0) || w > pw*1.01 || h > ph*1.01 || w >= pw*0.99 && h >= ph*0.99 {
			continue
		}
		tried = append(tried, scale)
		at := crop(ours, theirs, w, h)
		at.ScaleX, at.ScaleY = scale, scale
		if at.Score > best.Score {
			best = at
		}
	}
	return best
}

// Cells of a picture that may be scrolled: many rows, so that lines of text do not run into one.
const (
	scrollColumns = 64
	scrollRows    = 240
)

// leastScrolled is how many cells with something in them two pictures must share: fewer are alike
// by chance.
const leastScrolled = 400

// scrolled finds by how much the whole page was scrolled between two pictures of one shape. The
// overlap is at least half of the height. Rows are compared first, px then.
func scrolled(page, shown *shades) Place {
	theirs := shown.cells(shown.whole(), scrollColumns, scrollRows)
	paper := background(theirs)
	best := Place{Width: float64(page.w), Height: float64(page.h), Scrolled: true,
		ScaleX: float64(shown.w) / float64(page.w), ScaleY: float64(shown.h) / float64(page.h)}
	ours := page.cells(page.whole(), scrollColumns, scrollRows)
	for dy := -scrollRows / 2; dy <= scrollRows/2; dy++ {
		a, b := ours[max(0, dy)*scrollColumns:], theirs[max(0, -dy)*scrollColumns:]
		n := min(len(a), len(b))
		if s := overlap(a[:n], b[:n], background(ours), paper); s > best.Score {
			best.Y, best.Score = float64(dy), s
		}
	}
	if best.Score == 0 {
		return best
	}
	row := float64(page.h) / scrollRows
	from := best.Y * row
	best.Y, best.Score = from, 0
	for by := -row; by <= row; by++ {
		y := math.Round(from + by)
		high := float64(page.h) - math.Abs(y)
		rows := int(high / row)
		if rows < scrollRows/2 {
			continue
		}
		part := image.Rect(0, int(max(0, y)), page.w, int(max(0, y)+high))
		top := max(0, -y) * best.ScaleY
		other := image.Rect(0, int(top+0.5), shown.w, int(top+high*best.ScaleY+0.5)).Intersect(shown.whole())
		a, b := page.cells(part, scrollColumns, rows), shown.cells(other, scrollColumns, rows)
		if s := overlap(a, b, background(a), background(b)); s > best.Score {
			best.Y, best.Score = y, s
		}
	}
	return best
}

// overlap is the agreement of cells that both pictures show, 0 where they show next to nothing.
func overlap(a, b []uint8, paperA, paperB uint8) float64 {
	filled := 0
	for i := range a {
		if !near(a[i], paperA, 6) || !near(b[i], paperB, 6) {
			filled++
		}
	}
	if filled < leastScrolled {
		return 0
	}
	return agreement(a, b, paperA, paperB)
}

// coarse is how many cells wide a page's picture is while a crop is looked for.
const coarse = 160

// crop finds where in the page's picture a part of that size is most like the shown one. It
// slides over cells first and px then.
func crop(page, shown *shades, w, h float64) Place {
	f := min(1, coarse/float64(page.w))
	gw, gh := max(1, int(float64(page.w)*f)), max(1, int(float64(page.h)*f))
	cw, ch := min(max(1, int(math.Round(w*f))), gw), min(max(1, int(math.Round(h*f))), gh)
	large, small := page.cells(page.whole(), gw, gh), shown.cells(shown.whole(), cw, ch)
	bestX, bestY, least := 0, 0, math.MaxInt
	for y := 0; y+ch <= gh; y++ {
		for x := 0; x+cw <= gw; x++ {
			if d := distance(large[y*gw+x:], small, gw, cw, least); d < least {
				bestX, bestY, least = x, y, d
			}
		}
	}
	// Fine: the px around that cell, on a grid of the crop's own.
	out := Place{Width: w, Height: h, Cropped: true}
	theirs := shown.cells(shown.whole(), gridWidth, gridHeight)
	paper := background(theirs)
	try := func(x, y float64) {
		x = min(max(x, 0), max(float64(page.w)-w, 0))
		y = min(max(y, 0), max(float64(page.h)-h, 0))
		part := image.Rect(int(x+0.5), int(y+0.5), int(x+w+0.5), int(y+h+0.5)).Intersect(page.whole())
		ours := page.cells(part, gridWidth, gridHeight)
		if s := agreement(ours, theirs, background(ours), paper); s > out.Score {
			out.X, out.Y, out.Score = x, y, s
		}
	}
	x, y := float64(bestX)/f, float64(bestY)/f
	for delta := 1 / f; delta >= 0.5; delta /= 2 {
		for dy := -1.0; dy <= 1; dy++ {
			for dx := -1.0; dx <= 1; dx++ {
				try(x+dx*delta, y+dy*delta)
			}
		}
		x, y = out.X, out.Y
	}
	return out
}

// distance is how much the small cells, of that width, differ from those at the beginning of
// large, whose rows are stride apart; it ends once that is more than the least so far.
func distance(large, small []uint8, stride, width, least int) int {
	sum := 0
	for at := 0; len(small) > 0 && sum < least; at += stride {
		for i, c := range small[:width] {
			d := int(large[at+i]) - int(c)
			if d < 0 {
				d = -d
			}
			sum += d
		}
		small = small[width:]
	}
	return sum
}
