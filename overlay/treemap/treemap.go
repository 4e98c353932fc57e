// Package treemap draws a token map on a screenshot (N-11, [New]): every region in its own
// place, tinted by what its text costs, with a label, and below the picture a table of
// all of them with those that are out of sight.
//
// The picture is grey under the tints, so that colour means cost and nothing else. A
// region's tint is the share of its own text, without the regions inside it, in five
// steps from pale to dark, which also differ in lightness; its label has the share with
// the regions inside it. A px belongs to the innermost region over it.
//
// Labels lie inside their region and never on another label: the small regions
// choose first. What finds no room is in the table under its number. The same map and
// picture give the same pixels on every system: positions are integers, no map is
// iterated, and glyphs come from package atlas.
package treemap

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/atlas"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/tokenmap"
)

// Part is one region on the picture, in image px.
type Part struct {
	Region int // index in the map's regions; also the number on the label
	// Rect is the region's part of the picture, empty where it is out of sight.
	Rect image.Rectangle
	Tint color.RGBA // opaque; it is laid over the grey picture
	// Label is the plate, empty where there is no room; Text is what is on it.
	Label image.Rectangle
	Text  string
	// Away is where a region lies that is out of sight: "600 px below".
	Away string
}

// Treemap is where everything is. It never changes once it is made.
type Treemap struct {
	Map   *tokenmap.Map
	Parts []Part // one for each region of the map, in its order

	size       image.Point
	k          int // px drawn for one px of the measures: the picture's own density
	bold, text *atlas.Face
}

// New lays the map out on a picture of that size in image px, which shows the
// capture's viewport.
func New(c *snapshot.Capture, m *tokenmap.Map, size image.Point) (*Treemap, error) {
	k := 1
	if w := c.Viewport.Width; w > 0 {
		k = max(1, min(8, int(float64(size.X)/w+0.5)))
	}
	bold, err := atlas.New(gomonobold.TTF, float64(labelPx*k))
	if err != nil {
		return nil, fmt.Errorf("treemap: label font: %w", err)
	}
	text, err := atlas.New(gomono.TTF, float64(textPx*k))
	if err != nil {
		return nil, fmt.Errorf("treemap: table font: %w", err)
	}
	t := &Treemap{Map: m, size: size, k: k, bold: bold, text: text, Parts: make([]Part, len(m.Regions))}
	sx, sy := 1.0, 1.0
	if v := c.Viewport; v.Width > 0 && v.Height > 0 {
		sx, sy = float64(size.X)/v.Width, float64(size.Y)/v.Height
	}
	picture := image.Rectangle{Max: size}
	for i := range m.Regions {
		r := &m.Regions[i]
		p := Part{Region: i, Tint: tintOf(r.OwnShare)}
		if at, ok := pixels(r.Box, sx, sy); ok {
			p.Rect = at.Intersect(picture)
			if p.Rect.Empty() {
				p.Rect, p.Away = image.Rectangle{}, away(at, picture)
			}
		} else {
			p.Away = "without a box"
		}
		t.Parts[i] = p
	}
	t.placeLabels()
	return t, nil
}

// far bounds coordinates, in px: pages put elements at infinity.
const far = 1 << 20

// pixels is a box in image px, its edges rounded; false where it has no size.
func pixels(b snapshot.Box, sx, sy float64) (image.Rectangle, bool) {
	edge := func(v, by float64) int {
		v = float64(v * by) // rounded once, on every processor
		if math.IsNaN(v) {
			return 0
		}
		return int(math.Floor(max(-far, min(far, v)) + 0.5))
	}
	if b.Empty() {
		return image.Rectangle{}, false
	}
	r := image.Rect(edge(b[0], sx), edge(b[1], sy), edge(b[0]+b[2], sx), edge(b[1]+b[3], sy))
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	return r, true
}

// away is where a rectangle outside the picture lies.
func away(r, picture image.Rectangle) string {
	px, side := picture.Min.X-r.Max.X, "to the left"
	switch {
	case r.Min.Y >= picture.Max.Y:
		px, side = r.Min.Y-picture.Max.Y, "below"
	case r.Max.Y <= picture.Min.Y:
		px, side = picture.Min.Y-r.Max.Y, "above"
	case r.Min.X >= picture.Max.X:
		px, side = r.Min.X-picture.Max.X, "to the right"
	}
	if px > far/2 {
		return "far " + side
	}
	return strconv.Itoa(px) + " px " + side
}

// step is one tint and the share from which on it is used.
type step struct {
	from  float64
	words string
	color color.RGBA
}

// steps are the tints, the palest first. Black text has a contrast of 4.5 or more on
// the first four, and each is darker than the one before it.
func steps() []step {
	return []step{
		{0, "under 2 %", color.RGBA{255, 250, 220, 255}},
		{0.02, "from 2 %", color.RGBA{253, 224, 140, 255}},
		{0.06, "from 6 %", color.RGBA{250, 178, 80, 255}},
		{0.15, "from 15 %", color.RGBA{236, 112, 50, 255}},
		{0.35, "from 35 %", color.RGBA{190, 30, 45, 255}},
	}
}

// tintOf is the colour of a share from 0 to 1.
func tintOf(share float64) color.RGBA {
	all := steps()
	out := all[0].color
	for _, s := range all {
		if share >= s.from {
			out = s.color
		}
	}
	return out
}

// percent is a share in words: "12.3 %", and never nought for what is something.
func percent(share float64) string {
	switch {
	case share > 0 && share < 0.001:
		return "<0.1 %"
	case share >= 0.9995:
		return "100 %"
	}
	return strconv.FormatFloat(100*share, 'f', 1, 64) + " %"
}
