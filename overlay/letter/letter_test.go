package letter

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"
)

func paint(img *image.RGBA, c color.Color, rects ...image.Rectangle) {
	for _, r := range rects {
		draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
}

// TestRules: the line under a link does not join its letters, so that each that is hidden counts, and a line that is
// hidden alone counts for none.
func TestRules(t *testing.T) {
	line := image.Rect(10, 10, 110, 30)
	clean := image.NewRGBA(image.Rect(0, 0, 120, 40))
	paint(clean, color.White, clean.Rect)
	var letters []image.Rectangle
	for x := 12; x < 100; x += 10 {
		letters = append(letters, image.Rect(x, 14, x+6, 26))
	}
	paint(clean, color.Black, letters...)
	paint(clean, color.Black, image.Rect(12, 27, 84, 28), image.Rect(86, 27, 98, 28)) // the line, open at a descender
	var found []image.Rectangle
	for _, g := range Find(clean, line) {
		found = append(found, g.Bounds)
	}
	require.Equal(t, letters, found)

	marked := image.NewRGBA(clean.Rect)
	copy(marked.Pix, clean.Pix)
	paint(marked, color.White, image.Rect(0, 27, 120, 28))
	require.Empty(t, Hidden(clean, marked, line))
	paint(marked, color.White, letters[3])
	hidden := Hidden(clean, marked, line)
	require.Len(t, hidden, 1)
	require.Equal(t, letters[3], hidden[0].Bounds)
}
