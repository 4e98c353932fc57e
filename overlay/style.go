package overlay

import (
	"fmt"
	"image/color"
	"math"

	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/atlas"
)

// Style names the look of the marks. A different look moves what models answer,
// so it is versioned and recorded with every marked picture: see [Palette.Style]
// for the name with the palette.
const Style = "refscope-1"

// The measures of Style, in px of the picture or screen that is drawn on. Digits
// of 12 px Go Mono Bold survive a resize to 0.57 of the size; 11 px is the floor
// and used only where 12 finds no room.
const (
	fontPx      = 12
	fontFloorPx = 11

	strokeIn  = 1 // of the box's line, inside the element's edge
	strokeOut = 1 // and outside
	haloPx    = 1 // white line around box and label
	outerPx   = strokeOut + haloPx

	minTarget = 8  // smaller boxes are padded to this
	tooSmall  = 2  // smaller elements get no mark
	apart     = 3  // px from a box's edge to that of a box around it
	maxApart  = 6  // px that this may move an edge
	leaderMax = 40 // px from a label to its box
)

// The colours of Style that are the same in every palette. They are opaque but for
// the shades.
var (
	digitColor = color.RGBA{255, 255, 255, 255}
	haloColor  = color.RGBA{255, 255, 255, 255}

	// The shades, premultiplied. A dark and a light tone in turn show on any ground;
	// what is covered, at 35 % each, can still be read.
	hatchDark  = color.RGBA{62, 0, 12, 89}
	hatchLight = color.RGBA{89, 89, 89, 89}
	glassDark  = color.RGBA{8, 58, 148, 178}
	glassLight = color.RGBA{178, 178, 178, 178}
	cutDark    = color.RGBA{122, 66, 0, 166}
	cutLight   = color.RGBA{128, 118, 90, 128}

	stripGround = color.RGBA{250, 250, 250, 255}
	stripText   = color.RGBA{24, 27, 33, 255}

	redactFill = color.RGBA{58, 62, 70, 255}
	redactText = color.RGBA{228, 230, 234, 255}
)

// lettering is one size of label.
type lettering struct {
	face *atlas.Face
	// A label of n digits is n*advance+padX wide and height high, its white rim
	// included; the pen starts at penX and the baseline is at base from its top.
	padX, height, penX, base, rim int
}

// letterings are the sizes of label that a scene uses: regular, then the floor.
type letterings [2]lettering

// newLetterings makes the label sizes for a density: px drawn for one px of
// Style, 1 for exports and more for the window on a dense screen.
func newLetterings(density int) (letterings, error) {
	var out letterings
	for i, px := range []int{fontPx, fontFloorPx} {
		face, err := atlas.New(gomonobold.TTF, float64(px*density))
		if err != nil {
			return out, fmt.Errorf("label font: %w", err)
		}
		ink := face.DigitBounds()
		pad, rim := density, haloPx*density
		if i > 0 {
			pad = 0
		}
		out[i] = lettering{
			face:   face,
			padX:   2 * (rim + pad),
			height: ink.Dy() + 2*(rim+density),
			penX:   rim + pad,
			base:   rim + density - ink.Min.Y,
			rim:    rim,
		}
	}
	return out, nil
}

// size is the size of a label with so many digits, in px.
func (l *lettering) size(digits int) (w, h int) { return digits*l.face.Advance() + l.padX, l.height }

// contrast is the WCAG 2 contrast ratio of two opaque colours, 1 to 21.
func contrast(a, b color.RGBA) float64 {
	x, y := luminance(a), luminance(b)
	if x < y {
		x, y = y, x
	}
	return (x + 0.05) / (y + 0.05)
}

func luminance(c color.RGBA) float64 {
	lin := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}
