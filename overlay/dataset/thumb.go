package dataset

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/overlay/vision"
)

// Thumb is the part of a picture around a box, in its shape of at most that size in px, with a line around the box:
// what a person looks at to see whether it is right. A part that is larger is made smaller, never larger.
func Thumb(img image.Image, b Box, size image.Point) *image.RGBA {
	bounds := img.Bounds()
	r := image.Rect(int(math.Floor(b[0])), int(math.Floor(b[1])), int(math.Ceil(b[0]+b[2])), int(math.Ceil(b[1]+b[3]))).
		Add(bounds.Min).Intersect(bounds)
	const around = 24
	part := r.Inset(-around)
	part = grown(part, max(size.X, part.Dy()*size.X/max(1, size.Y)), max(size.Y, part.Dx()*size.Y/max(1, size.X)),
		bounds)
	out := image.NewRGBA(image.Rectangle{Max: part.Size()})
	draw.Draw(out, out.Rect, img, part.Min, draw.Src)
	scale := 1.0
	if part.Dx() > size.X || part.Dy() > size.Y {
		scale = min(float64(size.X)/float64(part.Dx()), float64(size.Y)/float64(part.Dy()))
		out = vision.Resize(out, image.Pt(max(1, int(float64(part.Dx())*scale)), max(1, int(float64(part.Dy())*scale))))
	}
	at := func(v int) int { return int(math.Round(float64(v) * scale)) }
	outline(out, image.Rect(at(r.Min.X-part.Min.X), at(r.Min.Y-part.Min.Y), at(r.Max.X-part.Min.X),
		at(r.Max.Y-part.Min.Y)))
	return out
}

// outline draws the line of a box around a rectangle: 2 px of red outside it with a white rim.
func outline(img *image.RGBA, r image.Rectangle) {
	frame(img, r.Inset(-3), 1, color.RGBA{255, 255, 255, 255})
	frame(img, r.Inset(-2), 2, color.RGBA{208, 0, 48, 255})
}

// frame draws the edge of a rectangle, so many px wide, inside it.
func frame(img *image.RGBA, r image.Rectangle, width int, c color.RGBA) {
	for _, side := range geometry.Sides(r, width) {
		draw.Draw(img, side, image.NewUniform(c), image.Point{}, draw.Src)
	}
}

// grown is a rectangle enlarged to a width and height in px where the bounds allow it, with the old one in the middle
// where they do.
func grown(r image.Rectangle, width, height int, bounds image.Rectangle) image.Rectangle {
	axis := func(from, to, size, least, most int) (int, int) {
		size = min(max(size, to-from), most-least)
		from = min(max((from+to-size)/2, least), most-size)
		return from, from + size
	}
	var out image.Rectangle
	out.Min.X, out.Max.X = axis(r.Min.X, r.Max.X, width, bounds.Min.X, bounds.Max.X)
	out.Min.Y, out.Max.Y = axis(r.Min.Y, r.Max.Y, height, bounds.Min.Y, bounds.Max.Y)
	return out
}
