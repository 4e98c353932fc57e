package picture

import (
	"image"
	"image/color"
	"unicode/utf8"

	"fyne.io/fyne/v2/canvas"
	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/atlas"
)

// plateFont is the em size of the number, in px of a display with scale 1. It is
// that of the labels in package overlay.
const plateFont = 12

// plate is the number of the selected or hovered mark: the label of package overlay with a
// little more air and in another colour.
type plate struct {
	raster            *canvas.Raster
	number            string // and what covers the element, where its label has it
	ground, ink, halo color.RGBA
	face              *atlas.Face
	em                float64
	rim, padX, padY   int
}

func newPlate() *plate {
	p := &plate{}
	p.raster = canvas.NewRaster(p.draw)
	p.raster.ScaleMode = canvas.ImageScalePixels
	return p
}

// set sets what the plate shows and returns its size in device px.
func (p *plate) set(text string, scale float64, ground, ink, halo color.RGBA) (w, h int) {
	p.number, p.ground, p.ink, p.halo = text, ground, ink, halo
	if em := plateFont * scale; p.face == nil || p.em != em {
		if face, err := atlas.New(gomonobold.TTF, em); err == nil { // else the size before stays
			p.face, p.em = face, em
		}
	}
	if p.face == nil {
		return 0, 0
	}
	p.rim = max(1, int(scale+0.5))
	p.padX, p.padY = p.rim+3*p.rim, p.rim+2*p.rim
	return utf8.RuneCountInString(p.number)*p.face.Advance() + 2*p.padX, p.face.DigitBounds().Dy() + 2*p.padY
}

// draw is the generator of the raster; w and h are device px.
func (p *plate) draw(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := p.ground
			if x < p.rim || y < p.rim || x >= w-p.rim || y >= h-p.rim {
				c = p.halo
			}
			img.SetRGBA(x, y, c)
		}
	}
	if p.face != nil {
		p.face.Draw(img, p.padX, p.padY-p.face.DigitBounds().Min.Y, p.number, p.ink)
	}
	return img
}
