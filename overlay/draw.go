package overlay

import (
	"image"
	"image/color"
	"strconv"
)

// Draw paints the marks on a picture of the scene's size, 1:1. Everything is
// clipped to dst; its top left corner is the picture's.
func (s *Scene) Draw(dst *image.RGBA) {
	if dst.Rect.Min != (image.Point{}) {
		moved := *dst
		moved.Rect = dst.Rect.Sub(dst.Rect.Min)
		dst = &moved
	}
	for _, r := range s.hatch {
		hatch(dst, r, image.Point{}, 1)
	}
	for _, i := range s.order {
		for _, r := range s.marks[i].strokes {
			halo(dst, r, 1)
		}
	}
	for _, i := range s.order {
		for _, r := range s.marks[i].strokes {
			box(dst, r, 1)
		}
	}
	for _, i := range s.placed {
		if m := &s.marks[i]; m.Leader {
			from, to := leaderLine(m.Label, m.strokes[m.anchor])
			leader(dst, from, to, 1)
		}
	}
	for _, i := range s.placed {
		m := &s.marks[i]
		label(dst, &s.letters[m.size], m.Label, m.Number)
	}
}

// halo draws the white line around a box with its edge at r, its width times
// density. All halos come before all boxes: elements that touch then share a
// line, and none is broken by its neighbour's halo.
func halo(dst *image.RGBA, r image.Rectangle, density int) {
	ring(dst, r.Inset(-outerPx*density), haloPx*density, haloColor)
}

// box draws the line of a box along the edge r, its width times density.
func box(dst *image.RGBA, r image.Rectangle, density int) {
	ring(dst, r.Inset(-strokeOut*density), (strokeIn+strokeOut)*density, boxColor)
}

// ring draws a frame of width px along the inside of r, only the sides that are
// in the picture.
func ring(dst *image.RGBA, r image.Rectangle, width int, c color.RGBA) {
	if !r.Overlaps(dst.Rect) {
		return
	}
	fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+width), c)
	fill(dst, image.Rect(r.Min.X, r.Max.Y-width, r.Max.X, r.Max.Y), c)
	fill(dst, image.Rect(r.Min.X, r.Min.Y+width, r.Min.X+width, r.Max.Y-width), c)
	fill(dst, image.Rect(r.Max.X-width, r.Min.Y+width, r.Max.X, r.Max.Y-width), c)
}

// label draws a number on its plate.
func label(dst *image.RGBA, l *lettering, r image.Rectangle, number int) {
	if !r.Overlaps(dst.Rect) {
		return
	}
	fill(dst, r, haloColor)
	fill(dst, r.Inset(l.rim), plateColor)
	l.face.Draw(dst, r.Min.X+l.penX, r.Min.Y+l.base, strconv.Itoa(number), digitColor)
}

// leader draws a line of 1 px with a white rim, every width times density.
func leader(dst *image.RGBA, from, to image.Point, density int) {
	d := density
	line(from, to, func(x, y int) { fill(dst, image.Rect(x-d, y-d, x+2*d, y+2*d), haloColor) })
	line(from, to, func(x, y int) { fill(dst, image.Rect(x, y, x+d, y+d), boxColor) })
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

// The hatch: stripes at 45 degrees, each this many px wide.
const stripe = 4

// hatch shades r with stripes that run on across rectangles: their phase counts
// from origin, in px of dst. Their width is times density.
func hatch(dst *image.RGBA, r image.Rectangle, origin image.Point, density int) {
	width := stripe * density
	r = r.Intersect(dst.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := dst.Pix[dst.PixOffset(r.Min.X, y):][: 4*r.Dx() : 4*r.Dx()]
		phase := mod(r.Min.X-origin.X+y-origin.Y, 2*width)
		for i := 0; i+3 < len(row); i += 4 {
			c := &hatchDark
			if phase >= width {
				c = &hatchLight
			}
			if phase++; phase == 2*width {
				phase = 0
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
