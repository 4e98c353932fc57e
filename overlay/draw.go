package overlay

import (
	"image"
	"image/color"
	"image/draw"
	"unicode/utf8"

	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/atlas"
	"github.com/refscope/refscope/overlay/geometry"
)

// Draw paints the marks on a picture of the scene's size, 1:1, and the strip with
// the key below it where there is one and dst has the room: see [Scene.Extent].
// Everything is clipped to dst; its top left corner is the picture's.
func (s *Scene) Draw(dst *image.RGBA) {
	if dst.Rect.Min != (image.Point{}) {
		moved := *dst
		moved.Rect = dst.Rect.Sub(dst.Rect.Min)
		dst = &moved
	}
	if s.hasStrip() {
		s.drawStrip(dst)
		dst = dst.SubImage(image.Rectangle{Max: s.size}).(*image.RGBA)
	}
	for k, rects := range s.shaded {
		w := newWeave(k, s.density)
		for _, r := range rects {
			pattern(dst, r, &w, image.Point{})
		}
	}
	s.paint(dst)
}

// paint paints boxes, lines and labels, without shades and key.
func (s *Scene) paint(dst *image.RGBA) {
	gaps := s.gaps(dst)
	for _, h := range s.halos {
		if !s.marks[h.mark].LeftOut {
			fill(dst, h.rect, haloColor)
		}
	}
	for _, i := range s.order {
		if s.marks[i].Status == Covered || s.marks[i].LeftOut || len(s.halos) > 0 {
			continue
		}
		for _, r := range s.marks[i].strokes {
			halo(dst, r, s.density)
		}
	}
	for _, i := range s.order {
		m := &s.marks[i]
		if m.LeftOut {
			continue
		}
		look := s.style(m)
		for _, r := range m.strokes {
			box(dst, r, s.density, look)
		}
	}
	for _, g := range gaps {
		draw.Draw(dst, g.Rect, g, g.Rect.Min, draw.Src)
	}
	for _, i := range s.placed {
		if m := &s.marks[i]; m.Leader {
			from, to := leaderLine(m.Label, m.strokes[m.anchor])
			leader(dst, from, to, s.density, s.style(m).color)
		}
	}
	for _, i := range s.placed {
		m := &s.marks[i]
		label(dst, &s.letters[m.size], m.Label, m.label, s.plate(m))
	}
}

// markStyle is how a mark is drawn.
type markStyle struct {
	color  color.RGBA // of box, line and plate
	dashed bool       // its click point is covered
}

func (s *Scene) style(m *Mark) markStyle {
	if s.untold(m) || s.lacked(m) {
		return markStyle{untoldColor, true}
	}
	return markStyle{s.options.Palette.color(m.group), m.Status == Covered}
}

// plate is the ground of a mark's number. PaletteRole says the role by the box: digits on black are read best.
func (s *Scene) plate(m *Mark) color.RGBA {
	if s.options.Palette == PaletteRole && !s.untold(m) && !s.lacked(m) {
		return color.RGBA{A: 255}
	}
	return s.style(m).color
}

// untold reports whether the reader of the picture was not told of a mark.
func (s *Scene) untold(m *Mark) bool {
	return s.options.Untold != nil && m.Ref > 0 && s.options.Untold(m.Ref)
}

// lacked reports whether the text beside the picture has no line about a mark.
func (s *Scene) lacked(m *Mark) bool {
	return s.options.Lacks != nil && m.Ref > 0 && s.options.Lacks(m.Ref)
}

// untoldColor is that of what a reader was not told of: an amber with 3:1 on white, as WCAG 1.4.11 wants of boxes.
var untoldColor = color.RGBA{178, 107, 0, 255}

// halo draws the white line around a box with its edge at r, its width times
// density. All halos come before all boxes: elements that touch then share a
// line, and none is broken by its neighbour's halo.
func halo(dst *image.RGBA, r image.Rectangle, density int) {
	ring(dst, r.Inset(-outerPx*density), haloPx*density, haloColor)
}

// box draws the line of a box along the edge r, its width times density.
func box(dst *image.RGBA, r image.Rectangle, density int, l markStyle) {
	if l.dashed {
		dashes(dst, r, density, l.color)
		return
	}
	ring(dst, r.Inset(-strokeOut*density), (strokeIn+strokeOut)*density, l.color)
}

// dashPx is the length of a dash of the box of a covered element.
const dashPx = 4

// dashes draws a box of dashes in the colour and in white in turn, 1 px wide
// times density, which shows on any ground without a halo: what covers the element
// stays readable under it.
func dashes(dst *image.RGBA, r image.Rectangle, density int, c color.RGBA) {
	if !r.Overlaps(dst.Rect) {
		return
	}
	dash := dashPx * density
	side := func(from, to, first, last int, at func(a, b int) image.Rectangle) {
		from += max(0, first-from) / (2 * dash) * 2 * dash // a box may begin far outside
		for k := 0; from < to && from < last; k++ {
			tone := c
			if k%2 == 1 {
				tone = haloColor
			}
			fill(dst, at(from, min(from+dash, to)), tone)
			from += dash
		}
	}
	in := dst.Rect
	for _, y := range [2]int{r.Min.Y, r.Max.Y - density} {
		side(r.Min.X, r.Max.X, in.Min.X, in.Max.X,
			func(a, b int) image.Rectangle { return image.Rect(a, y, b, y+density) })
	}
	for _, x := range [2]int{r.Min.X, r.Max.X - density} {
		side(r.Min.Y, r.Max.Y, in.Min.Y, in.Max.Y,
			func(a, b int) image.Rectangle { return image.Rect(x, a, x+density, b) })
	}
}

// ring draws a frame of width px along the inside of r, only the sides that are
// in the picture.
func ring(dst *image.RGBA, r image.Rectangle, width int, c color.RGBA) {
	if !r.Overlaps(dst.Rect) {
		return
	}
	for _, side := range geometry.Sides(r, width) {
		fill(dst, side, c)
	}
}

// label draws the text of a mark on its plate.
func label(dst *image.RGBA, l *lettering, r image.Rectangle, text string, plate color.RGBA) {
	lettered(dst, l, r, text, plate, digitColor, haloColor)
}

// lettered draws a text on a plate with a rim.
func lettered(dst *image.RGBA, l *lettering, r image.Rectangle, text string, plate, ink, rim color.RGBA) {
	if !r.Overlaps(dst.Rect) {
		return
	}
	fill(dst, r, rim)
	fill(dst, r.Inset(l.rim), plate)
	// In the middle: at some densities glyphs are not as many times as wide as the plate.
	x, y := floorHalf(r.Dx()-utf8.RuneCountInString(text)*l.face.Advance()), floorHalf(r.Dy()-l.height)
	l.face.Draw(dst, r.Min.X+x, r.Min.Y+y+l.base, text, ink)
}

// leader draws a line of 1 px with a white rim, every width times density.
func leader(dst *image.RGBA, from, to image.Point, density int, c color.RGBA) {
	d := density
	line(from, to, func(x, y int) { fill(dst, image.Rect(x-d, y-d, x+2*d, y+2*d), haloColor) })
	line(from, to, func(x, y int) { fill(dst, image.Rect(x, y, x+d, y+d), c) })
}

// line visits the pixels between two points (Bresenham).
func line(from, to image.Point, at func(x, y int)) {
	abs := func(v int) int { return max(v, -v) }
	step := func(a, b int) int {
		if a < b {
			return 1
		}
		return -1
	}
	dx, dy := abs(to.X-from.X), -abs(to.Y-from.Y)
	sx, sy := step(from.X, to.X), step(from.Y, to.Y)
	for e := dx + dy; ; {
		at(from.X, from.Y)
		if from == to {
			return
		}
		e2 := 2 * e
		if e2 >= dy {
			e += dy
			from.X += sx
		}
		if e2 <= dx {
			e += dx
			from.Y += sy
		}
	}
}

// fill sets every pixel of r in dst to an opaque colour.
func fill(dst *image.RGBA, r image.Rectangle, c color.RGBA) {
	r = r.Intersect(dst.Rect)
	if r.Empty() {
		return
	}
	at := dst.PixOffset(r.Min.X, r.Min.Y)
	if r.Dx() <= 2 { // the upright sides of boxes
		v := uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24
		for range r.Dy() {
			put(dst.Pix[at:], v)
			if r.Dx() == 2 {
				put(dst.Pix[at+4:], v)
			}
			at += dst.Stride
		}
		return
	}
	w := 4 * r.Dx()
	first := dst.Pix[dst.PixOffset(r.Min.X, r.Min.Y):][:w:w]
	for i := 0; i+3 < w; i += 4 {
		first[i], first[i+1], first[i+2], first[i+3] = c.R, c.G, c.B, c.A
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(dst.Pix[dst.PixOffset(r.Min.X, y):][:w], first)
	}
}

// Redact paints over boxes of a picture, in px: a flat fill, with the label in
// the middle where it fits, in smaller letters where it fits only so. Nothing of
// what was there can be recovered, which is not so of a blur.
func Redact(img *image.RGBA, boxes []image.Rectangle, label string) {
	var faces []*atlas.Face
	for _, px := range []float64{fontPx, 9} {
		if f, err := atlas.New(gomonobold.TTF, px); err == nil { // embedded, so always
			faces = append(faces, f)
		}
	}
	for _, b := range boxes {
		fill(img, b, redactFill)
		in := b.Intersect(img.Rect)
		for _, f := range faces {
			w, h := f.Width(label), f.DigitBounds().Dy()
			if label == "" || w+4 > in.Dx() || h+4 > in.Dy() {
				continue
			}
			clip := img.SubImage(in).(*image.RGBA) // a letter never leaves its box
			f.Draw(clip, in.Min.X+(in.Dx()-w)/2, in.Min.Y+(in.Dy()+h)/2, label, redactText)
			break
		}
	}
}
