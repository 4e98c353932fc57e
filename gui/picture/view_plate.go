package picture

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2/canvas"

	"github.com/refscope/refscope/overlay"

	"github.com/refscope/refscope/gui/parts"
)

// plate is the number of the selected or hovered mark: the label of package overlay in another
// colour, at its place, so that it covers no neighbour.
type plate struct {
	raster            *canvas.Raster
	number            overlay.Plate
	ground, ink, halo color.RGBA
}

func newPlate() *plate {
	p := &plate{}
	p.raster = parts.NewRaster(p.draw)
	p.raster.ScaleMode = canvas.ImageScalePixels
	return p
}

// draw is the generator of the raster; w and h are device px.
func (p *plate) draw(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	p.number.Draw(img, p.ground, p.ink, p.halo)
	return img
}
