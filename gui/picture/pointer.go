package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/refscope/refscope/gui/core"
)

// Pointer is where on the picture the pointer is.
type Pointer struct {
	Over bool
	X, Y float64 // image px
}

// Pointed: the pointer is over another point of the picture, in image px, or not over it.
type Pointed struct{ Pointer }

func (m Pointed) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Pointer = m.Pointer
	if Of(s).Picker.Open {
		return s, nil // its preview stays
	}
	s.Hover = core.Selection{}
	if m.Over && Of(s).Compare.Mode != PicturesBeside {
		s.Hover = clicked(s, m.X, m.Y)
	}
	return s, nil
}

// colourZoom is the zoom from which on the colour under the pointer is shown: there a
// pixel can be pointed at.
const colourZoom = 8

// Readout is the place under the pointer in CSS px of the viewport, and at high zoom the
// colour of the pixel there; "" where the pointer is elsewhere. Its width does not change
// with the digits, so that nothing beside it moves.
func Readout(s core.State) string {
	t := s.Pictured()
	if !Of(s).Pointer.Over || t == nil || t.Image == nil {
		return ""
	}
	sx, sy := t.Scale()
	out := strings.ReplaceAll(fmt.Sprintf("x %4.0f  y %4.0f", math.Floor(Of(s).Pointer.X/sx),
		math.Floor(Of(s).Pointer.Y/sy)), " ", "\u2007")
	if s.Zoom >= colourZoom {
		c := t.Image.RGBAAt(int(Of(s).Pointer.X), int(Of(s).Pointer.Y))
		out += fmt.Sprintf("\u2007 #%02x%02x%02x", c.R, c.G, c.B)
	}
	return out
}
