package picture

import (
	"image"
	"image/color"
	"math"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
)

// What is painted into the raster over the composed frame: the pixel grid at high zoom,
// and the boxes of what was found. Both cost what is in view and no more.

// gridZoom is the zoom, in device px for an image px, from which on pixels are set apart
// by lines and their colours are shown.
const gridZoom = 8

// ink are the colours of the painted things.
type ink struct{ line, halo, now color.RGBA }

// pixelGrid draws a line at every edge of an image px of a picture of that size: one px
// wide, a sixth of the way from what is there to the other end of the grey scale, so
// that it shows on any page.
func pixelGrid(dst *image.RGBA, cam overlay.Camera, size image.Point) {
	if cam.Scale < gridZoom {
		return
	}
	in := cam.Rect(image.Rectangle{Max: size}).Intersect(dst.Rect)
	if in.Empty() {
		return
	}
	at := func(k int, origin float64) int { return int(math.Round((float64(k) - origin) * cam.Scale)) }
	first := func(from int, origin float64) int { return int(math.Ceil(float64(from)/cam.Scale + origin)) }
	for k := first(in.Min.X, cam.X); at(k, cam.X) < in.Max.X; k++ {
		x := at(k, cam.X)
		if x < in.Min.X {
			continue
		}
		for y := in.Min.Y; y < in.Max.Y; y++ {
			shade(dst.Pix[dst.PixOffset(x, y):])
		}
	}
	for k := first(in.Min.Y, cam.Y); at(k, cam.Y) < in.Max.Y; k++ {
		y := at(k, cam.Y)
		if y < in.Min.Y {
			continue
		}
		row := dst.Pix[dst.PixOffset(in.Min.X, y):][:4*in.Dx()]
		for i := 0; i < len(row); i += 4 {
			shade(row[i:])
		}
	}
}

// shade moves one px towards black where it is light, and towards white where it is dark.
func shade(p []byte) {
	end := 0
	if int(p[0])*3+int(p[1])*6+int(p[2]) < 1280 {
		end = 255
	}
	for i := range 3 {
		p[i] = uint8(int(p[i]) + (end-int(p[i]))/6)
	}
}

// light outlines the boxes of what was found, inside of their edges so that no label is
// hidden: a line beside a halo, wider and in the colour of the selection for the match
// that is the current one. Boxes are in image px.
func light(dst *image.RGBA, cam overlay.Camera, found *core.FoundBoxes, at int, c ink) {
	if found == nil {
		return
	}
	w := max(1, int(math.Round(cam.Density)))
	for i, b := range found.Boxes {
		if i == at {
			continue
		}
		r := screen(cam, b)
		switch {
		case !r.Overlaps(dst.Rect):
		case small(r, w): // the line of the box itself, so that its text can be read
			frameRect(dst, r.Inset(-w), 2*w, c.line)
		default:
			frameRect(dst, r.Inset(w), 2*w, c.line)
			frameRect(dst, r.Inset(3*w), w, c.halo)
		}
	}
	if at >= 0 && at < len(found.Boxes) {
		r := screen(cam, found.Boxes[at])
		if small(r, w) {
			frameRect(dst, r.Inset(-3*w), w, c.halo)
			frameRect(dst, r.Inset(-2*w), 3*w, c.now)
			return
		}
		frameRect(dst, r.Inset(-w), 2*w, c.halo)
		frameRect(dst, r.Inset(w), 4*w, c.now)
		frameRect(dst, r.Inset(5*w), w, c.halo)
	}
}

// small reports whether lines inside of a box would hide what is in it. w is device px for
// one px.
func small(r image.Rectangle, w int) bool { return r.Dx() < 28*w || r.Dy() < 28*w }

// screen is a box in image px as the camera shows it, in device px.
func screen(cam overlay.Camera, b snapshot.Box) image.Rectangle {
	x0, y0 := (b.X()-cam.X)*cam.Scale, (b.Y()-cam.Y)*cam.Scale
	x1, y1 := (b.Right()-cam.X)*cam.Scale, (b.Bottom()-cam.Y)*cam.Scale
	limit := func(v float64) int { return int(math.Round(math.Max(-1<<20, math.Min(v, 1<<20)))) }
	return image.Rect(limit(x0), limit(y0), limit(x1), limit(y1))
}

// frameRect paints a line of a width around the inside of a rectangle.
func frameRect(dst *image.RGBA, r image.Rectangle, width int, c color.RGBA) {
	for _, side := range geometry.Sides(r, width) {
		side = side.Intersect(dst.Rect)
		for y := side.Min.Y; y < side.Max.Y; y++ {
			row := dst.Pix[dst.PixOffset(side.Min.X, y):][:4*side.Dx()]
			for i := 0; i < len(row); i += 4 {
				row[i], row[i+1], row[i+2], row[i+3] = c.R, c.G, c.B, 255
			}
		}
	}
}
