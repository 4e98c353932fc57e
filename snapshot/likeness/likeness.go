// Package likeness compares pictures of pages: whether two show the same ([Of]), and which part
// of a page's picture another one shows, at which scale ([Locate]).
//
// It is made for pictures that went through other programs: scaled, cropped, encoded with losses,
// and with marks drawn on them. Most of a page is empty, and two empty places prove nothing: [Of]
// leaves out cells in which both pictures show their background, and Locate compares edges only.
//
// What a picture of a page holds, measured with Chromium 156, with a window and without, at 1, 1.5
// and 2 device px: Page.captureScreenshot and Playwright without a clip show the window with its
// scroll bars (innerWidth x innerHeight), each CSS px as devicePixelRatio px; Playwright's scale
// "css" makes one px of each. The picture of a capture is clipped to the visual viewport, which has
// no scroll bars. So the two have one origin and one scale, and differ in size.
package likeness

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // pictures in requests
	_ "image/png"

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
	ga, gb := a.cells(a.whole()), b.cells(b.whole())
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

// cells are the means of a part that lies in the picture, row by row.
func (s *shades) cells(part image.Rectangle) []uint8 {
	w, h := float64(part.Dx())/float64(gridWidth), float64(part.Dy())/float64(gridHeight)
	return s.means(float64(part.Min.X), float64(part.Min.Y), w, h, gridWidth, gridHeight)
}

// means are those of a grid of cells of w x h px, row by row, from a place that may lie within a px.
// A cell that begins or ends within a px takes its share of it, and what lies outside of the
// picture is 0.
func (s *shades) means(x, y, w, h float64, width, height int) []uint8 {
	out := make([]uint8, 0, width*height)
	above, below := make([]float64, width+1), make([]float64, width+1)
	at, part := make([]int, width+1), make([]float64, width+1)
	for i := range at {
		from := min(max(x+float64(i)*w, 0), float64(s.w))
		at[i] = min(int(from), s.w-1)
		part[i] = from - float64(at[i])
	}
	row := func(into []float64, j int) {
		from := min(max(y+float64(j)*h, 0), float64(s.h))
		k := min(int(from), s.h-1)
		fy := from - float64(k)
		one, two := s.sum[k*(s.w+1):(k+1)*(s.w+1)], s.sum[(k+1)*(s.w+1):]
		for i, a := range at {
			fx := part[i]
			upper := float64(one[a]) + fx*float64(one[a+1]-one[a])
			lower := float64(two[a]) + fx*float64(two[a+1]-two[a])
			into[i] = upper + fy*(lower-upper)
		}
	}
	row(above, 0)
	each := 1 / (w * h)
	for j := range height {
		row(below, j+1)
		for i := range width {
			out = append(out, uint8((below[i+1]-below[i]-above[i+1]+above[i])*each+0.5))
		}
		above, below = below, above
	}
	return out
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
	grid := s.cells(s.whole())
	for _, c := range grid {
		if !near(c, grid[0], 2) {
			return false
		}
	}
	return true
}
