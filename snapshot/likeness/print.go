package likeness

import (
	"encoding/base64"
	"fmt"
	"image"
)

// Print is the perceptual hash of a picture: its size and the mean greys of a grid of cells. Two
// prints are compared without their pictures, so thousands of pictures can be.
type Print struct {
	Width, Height int
	cells         []uint8 // gridWidth x gridHeight, row by row
}

// PrintOf is the print of a picture.
func PrintOf(img image.Image) Print {
	s := shadesOf(img)
	return Print{s.w, s.h, s.cells(s.whole())}
}

// How much two pictures of the same page may differ: by so many greys in a cell, as encoders and a
// resize make it, and by more than that in so many cells, as a blinking caret does.
const (
	sameGrey  = 4
	sameCells = 2
)

// Same reports whether two pictures of one size show the same, but for noise. A word that differs
// makes them differ, unlike for [Of].
func (p Print) Same(q Print) bool {
	if p.Width != q.Width || p.Height != q.Height || len(p.cells) != len(q.cells) {
		return false
	}
	apart := 0
	for i, c := range p.cells {
		if !near(c, q.cells[i], sameGrey) {
			if apart++; apart > sameCells {
				return false
			}
		}
	}
	return true
}

// MarshalText writes the print as WIDTHxHEIGHT: and base64.
func (p Print) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%dx%d:%s", p.Width, p.Height, base64.StdEncoding.EncodeToString(p.cells)), nil
}

// UnmarshalText reads what MarshalText wrote.
func (p *Print) UnmarshalText(b []byte) error {
	var cells string
	if _, err := fmt.Sscanf(string(b), "%dx%d:%s", &p.Width, &p.Height, &cells); err != nil {
		return fmt.Errorf("print of a picture: %w", err)
	}
	var err error
	if p.cells, err = base64.StdEncoding.DecodeString(cells); err != nil || len(p.cells) != gridWidth*gridHeight {
		return fmt.Errorf("print of a picture: %d cells, not %d x %d", len(p.cells), gridWidth, gridHeight)
	}
	return nil
}
