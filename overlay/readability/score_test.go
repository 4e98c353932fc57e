package readability

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	white = color.RGBA{255, 255, 255, 255}
	black = color.RGBA{A: 255}
	red   = color.RGBA{200, 0, 0, 255}
)

func blank(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	paint(img, img.Rect, white)
	return img
}

func paint(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			img.SetRGBA(x, y, c)
		}
	}
}

// TestOwnBox: a label belongs to the box whose line is nearest, of two as near to the one it
// runs along, and by colour where even that is the same.
func TestOwnBox(t *testing.T) {
	box := image.Rect(20, 40, 80, 60)
	above := image.Rect(20, 24, 38, 38)
	tests := map[string]struct {
		own, other         Mark
		isOwn, alike, byCo int
	}{
		"alone above": {own: Mark{Plate: above, Boxes: []image.Rectangle{box}}, isOwn: 1},
		"under another that touches it": {
			own:   Mark{Plate: above, Boxes: []image.Rectangle{box}},
			other: Mark{Boxes: []image.Rectangle{image.Rect(20, 2, 80, 22)}}, alike: 1,
		},
		"the same, of another colour": {
			own:   Mark{Plate: above, Boxes: []image.Rectangle{box}, Color: red},
			other: Mark{Boxes: []image.Rectangle{image.Rect(20, 2, 80, 22)}, Color: black}, alike: 1, byCo: 1,
		},
		"with a line": {
			own:   Mark{Plate: above, Boxes: []image.Rectangle{box}, Leader: true},
			other: Mark{Boxes: []image.Rectangle{image.Rect(20, 2, 80, 22)}}, isOwn: 1,
		},
		"further than another": {
			own:   Mark{Plate: image.Rect(20, 10, 38, 24), Boxes: []image.Rectangle{box}},
			other: Mark{Boxes: []image.Rectangle{image.Rect(42, 2, 80, 22)}},
		},
		"in the corner, beside a neighbour's side": {
			own:   Mark{Plate: image.Rect(21, 41, 39, 54), Boxes: []image.Rectangle{box}},
			other: Mark{Boxes: []image.Rectangle{image.Rect(0, 40, 20, 60)}}, isOwn: 1,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			img := blank(100, 80)
			s, err := measure(t.Context(), Page{Clean: img, Marked: img, Marks: []Mark{tt.own, tt.other}}, nil)
			require.NoError(t, err)
			require.Equal(t, 1, s.Labels)
			require.Equal(t, []int{tt.isOwn, tt.alike, tt.byCo}, []int{s.Own, s.Alike, s.ByColor})
		})
	}
}

// TestLettersCovered: only px of letters count, and those that marks leave as they are do not.
func TestLettersCovered(t *testing.T) {
	clean, marked := blank(100, 40), blank(100, 40)
	for _, img := range []*image.RGBA{clean, marked} {
		paint(img, image.Rect(10, 12, 20, 22), black) // a letter of 100 px
	}
	paint(marked, image.Rect(0, 12, 100, 14), red) // a line through 20 of them
	p := Page{Clean: clean, Marked: marked, Text: []image.Rectangle{image.Rect(5, 5, 60, 30)}}
	s, err := measure(t.Context(), p, nil)
	require.NoError(t, err)
	require.Equal(t, []int{100, 20}, []int{s.Glyphs, s.Covered})
	// A resize changes no letter.
	half, err := measure(t.Context(), p.Resized(image.Pt(50, 20)), nil)
	require.NoError(t, err)
	require.InDelta(t, s.coveredShare(), half.coveredShare(), 0)
	// On a picture there is no saying what is a letter.
	for y := range 40 {
		for x := range 100 {
			clean.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), uint8(x * y), 255})
		}
	}
	s, err = measure(t.Context(), p, nil)
	require.NoError(t, err)
	require.Zero(t, s.Glyphs)
}

// TestReader: Tesseract reads the systems' numbers where nothing lies on them, whatever their
// colours are, and not where a resize has left too little of them.
func TestReader(t *testing.T) {
	r := reader(t)
	var boxes [][]image.Rectangle
	for i := range 24 {
		x, y := 60+200*(i%6), 60+160*(i/6)
		boxes = append(boxes, []image.Rectangle{image.Rect(x, y, x+120, y+50)})
	}
	for _, s := range Systems() {
		p := s.Mark(blank(1280, 720), boxes)
		score, err := measure(t.Context(), p, r)
		require.NoError(t, err)
		require.GreaterOrEqual(t, score.readShare(), 80.0, s.Name)
		if strings.HasPrefix(s.Name, "Omni") {
			lost, err := measure(t.Context(), p.Resized(image.Pt(512, 288)), r)
			require.NoError(t, err)
			require.Less(t, lost.readShare(), 50.0)
		}
	}
}
