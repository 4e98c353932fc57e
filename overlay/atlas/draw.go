package atlas

import (
	"image"
	"image/color"
	"unicode/utf8"
)

// Draw writes s with its pen at x on the baseline, in device px, clipped to dst.
// Every rune takes one cell; invalid UTF-8 is drawn as U+FFFD. The colour is
// premultiplied, as color.RGBA always is.
func (f *Face) Draw(dst *image.RGBA, x, baseline int, s string, c color.RGBA) {
	b := dst.Rect
	if c.A == 0 || b.Empty() || baseline+f.height < b.Min.Y || baseline-2*f.height > b.Max.Y {
		return
	}
	for len(s) > 0 {
		if x-f.advance > b.Max.X {
			return
		}
		r, size := rune(s[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s)
		}
		s = s[size:]
		if x+3*f.advance >= b.Min.X { // glyphs may hang out of their cell a little
			if g := f.glyph(r); g != nil {
				g.blit(dst, x, baseline, c)
			} else {
				f.hexBox(dst, x, baseline, r, c)
			}
		}
		x += f.advance
	}
}

// Width is the width of s in device px: runes times advance.
func (f *Face) Width(s string) int { return utf8.RuneCountInString(s) * f.advance }

// blit composes the colour over dst through the mask.
func (g *glyph) blit(dst *image.RGBA, x, baseline int, c color.RGBA) {
	r := image.Rect(x+g.ox, baseline+g.oy, x+g.ox+g.w, baseline+g.oy+g.h)
	v := r.Intersect(dst.Rect)
	if v.Empty() {
		return
	}
	for py := v.Min.Y; py < v.Max.Y; py++ {
		mask := g.pix[(py-r.Min.Y)*g.w+v.Min.X-r.Min.X:][:v.Dx()]
		row := dst.Pix[dst.PixOffset(v.Min.X, py):][:4*len(mask)]
		for i, m := range mask {
			switch {
			case m == 0:
			case m == 255 && c.A == 255:
				p := row[4*i : 4*i+4 : 4*i+4]
				p[0], p[1], p[2], p[3] = c.R, c.G, c.B, 255
			default:
				over(row[4*i:4*i+4:4*i+4], c, uint32(m))
			}
		}
	}
}

// over composes c times m/255 over one premultiplied pixel, in integers only.
func over(p []uint8, c color.RGBA, m uint32) {
	keep := 255*255 - uint32(c.A)*m // of 255*255
	p[0] = uint8((uint32(c.R)*m*255 + uint32(p[0])*keep + 32512) / 65025)
	p[1] = uint8((uint32(c.G)*m*255 + uint32(p[1])*keep + 32512) / 65025)
	p[2] = uint8((uint32(c.B)*m*255 + uint32(p[2])*keep + 32512) / 65025)
	p[3] = uint8((uint32(c.A)*m*255 + uint32(p[3])*keep + 32512) / 65025)
}

// hexDigits are 3 by 5 bitmaps, one row of three bits after another, top first.
var hexDigits = [16]uint16{
	0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111,
	0b101_101_111_001_001, 0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_001_010_010,
	0b111_101_111_101_111, 0b111_101_111_001_111, 0b010_101_111_101_101, 0b110_101_110_101_110,
	0b011_100_100_100_011, 0b110_101_101_101_110, 0b111_100_110_100_111, 0b111_100_110_100_100,
}

// hexBox draws a rune that the font lacks: a frame around the cell and, where
// the cell has room, the low four hexadecimal digits of its code point in two
// rows. A narrow cell keeps only the upper and lower edge of the frame, a tiny
// one only the frame.
func (f *Face) hexBox(dst *image.RGBA, x, baseline int, r rune, c color.RGBA) {
	top, w, h := baseline-f.ascent, f.advance, f.height
	put := func(px, py int) {
		if (image.Point{X: px, Y: py}).In(dst.Rect) {
			over(dst.Pix[dst.PixOffset(px, py):][:4:4], c, 255)
		}
	}
	roomy, digits := w >= 12 && h >= 16, w >= 8 && h >= 14
	for px := x; px < x+w-1; px++ {
		put(px, top)
		put(px, top+h-1)
	}
	if roomy || !digits {
		for py := top + 1; py < top+h-1; py++ {
			put(x, py)
			put(x+w-2, py)
		}
	}
	if !roomy && !digits {
		return
	}
	left, first := x+(w-1-7)/2, top+(h-11)/2
	for i := range 4 {
		bits := hexDigits[(r>>(4*(3-i)))&15]
		for b := range 15 {
			if bits>>(14-b)&1 == 1 {
				put(left+(i%2)*4+b%3, first+(i/2)*6+b/3)
			}
		}
	}
}
