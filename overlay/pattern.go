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
	row   [periodPx * maxDensity]tone // one that keeps all leaves the ground
	n     int                         // px of row that are used
	step  int                         // px to the left for each line down
	check int                         // height of a square, 0 where rows only lean
}

func newWeave(shade, density int) weave {
	d := density
	w := weave{n: periodPx * d, step: 1}
	for i := range w.n {
		c := color.RGBA{}
		switch shade {
		case shadeGlass:
			w.step = -1
			if i < glassPx*d {
				c = glassDark
			} else if i < glassPx*d+d {
				c = glassLight
			}
		case shadeCut:
			w.step, w.check = 0, checkPx*d
			if c = cutDark; i/w.check%2 > 0 {
				c = cutLight
			}
		default:
			if c = hatchDark; i >= stripe*d {
				c = hatchLight
			}
		}
		w.row[i] = newTone(c)
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
		for ; len(row) >= 4; row = row[4:] {
			t := &w.row[at]
			if at++; at == w.n {
				at = 0
			}
			if t.keep < 255 {
				put(row, t.over(get(row)))
			}
		}
	}
}

// tone is a colour that is laid over px: what it adds, and how much it keeps of
// what is there, of 255.
type tone struct {
	add  uint32 // the premultiplied colour as a px
	keep uint64
}

func newTone(c color.RGBA) tone {
	return tone{uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24, 255 - uint64(c.A)}
}

// over lays the tone over an opaque px, all four channels at once in lanes of 16
// bits. A product of two bytes plus 128, plus its own upper byte, has the rounded
// 255th in its upper byte.
func (t *tone) over(px uint32) uint32 {
	v := (uint64(px&0x00ff00ff) | uint64(px>>8&0x00ff00ff)<<32) * t.keep
	v += 0x0080008000800080
	v = (v + v>>8&lanes) >> 8 & lanes
	return (uint32(v) | uint32(v>>32)<<8) + t.add | opaque
}

func mod(a, b int) int { return ((a % b) + b) % b }
