package parts

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// NewRaster makes an object whose px are drawn one to one, in an image of as many px as it takes of the screen. Fyne
// asks for an image as large as the object, and paints from the px nearest to its beginning to that nearest to its end:
// that is one more or one less where the object begins within a px, and a row of each letter on its way is lost.
func NewRaster(draw func(w, h int) image.Image) *canvas.Raster {
	r := canvas.NewRaster(nil)
	r.Generator = func(w, h int) image.Image {
		d := fyne.CurrentApp().Driver()
		c := d.CanvasForObject(r)
		if _, window := d.(desktop.Driver); window && c != nil {
			at, size := d.AbsolutePositionForObject(r), r.Size()
			w, h = painted(at.X, size.Width, c.Scale(), w), painted(at.Y, size.Height, c.Scale(), h)
		}
		return draw(w, h)
	}
	return r
}

// painted is how many px are painted of an object that begins at a place and is so long, of which Fyne counts px whole
// ones. scale is the canvas's, which leaves out what the operating system adds on some displays: a whole number.
func painted(at, long, scale float32, px int) int {
	if long <= 0 || scale <= 0 {
		return px
	}
	density := scale * max(1, float32(math.Round(float64(px)/float64(long*scale))))
	edge := func(v float32) int { return int(math.Round(float64(v * density))) }
	return edge(at+long) - edge(at)
}
