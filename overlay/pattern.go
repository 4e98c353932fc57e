package overlay

import (
	"image"
	"image/color"
)

// The patterns of the shades. State is never in colour alone: the stripes of what
// is covered lean one way and fill the ground, the lines of what is behind glass
// lean the other way and leave most of it free, and a cut side is checked.
const (
	stripe  = 4 // px of one stripe of what is covered
	glassPx = 2 // px of the dark line of what is behind glass; the light one has half
	checkPx = 2 // px of one square of a cut side

	periodPx = 8 // px after which every pattern repeats along a row
)

// weave is one shade's pattern at one density: a row of it, and how the row moves
// from one line to the next.
type weave struct {
	row   [periodPx * maxDensity]color.RGBA // premultiplied; clear leaves the ground
	n     int                               // px of row that are used
	step  int                               // px to the left for each line down
	check int                               // height of a square, 0 where rows only lean
}

func newWeave(shade, density int) weave {
	d := density
	w := weave{n: periodPx * d, step: 1}
	for i := range w.n {
		switch shade {
		case shadeGlass:
			w.step = -1
			if i < glassPx*d {
				w.row[i] = glassDark
			} else if i < glassPx*d+d {
				w.row[i] = glassLight
			}
		case shadeCut:
			w.step, w.check = 0, checkPx*d
			if w.row[i] = cutDark; i/w.check%2 > 0 {
				w.row[i] = cutLight
			}
		default:
			if w.row[i] = hatchDark; i >= stripe*d {
				w.row[i] = hatchLight
			}
		}
	}
	return w
}

// pattern shades r in one of the shades. The pattern runs on across rectangles:
// it starts at origin, in px of dst.
func pattern(dst *image.RGBA, r image.Rectangle, w *weave, origin image.Point) {
	r = r.Intersect(dst.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at := r.Min.X - origin.X + w.step*(y-origin.Y)
		if w.check > 0 {
			at += mod(y-origin.Y, 2*w.check) / w.check * w.check
		}
		at = mod(at, w.n)
		row := dst.Pix[dst.PixOffset(r.Min.X, y):][: 4*r.Dx() : 4*r.Dx()]
		for i := 0; i+3 < len(row); i += 4 {
			c := &w.row[at]
			if at++; at == w.n {
				at = 0
			}
			if c.A == 0 {
				continue
			}
			k := 255 - uint32(c.A)
			row[i] = c.R + uint8((uint32(row[i])*k+127)/255)
			row[i+1] = c.G + uint8((uint32(row[i+1])*k+127)/255)
			row[i+2] = c.B + uint8((uint32(row[i+2])*k+127)/255)
			row[i+3] = 255
		}
	}
}

func mod(a, b int) int { return ((a % b) + b) % b }
