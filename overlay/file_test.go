package overlay

import (
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/goldentest"
)

func TestRedact(t *testing.T) {
	img := shopPage().picture(t, 1)
	boxes := []image.Rectangle{image.Rect(17, 234, 332, 262), image.Rect(122, 12, 154, 36), image.Rect(180, 15, 232, 34),
		image.Rect(680, 500, 900, 900), image.Rect(-50, -50, -10, -10)}
	Redact(img, boxes, "redacted")
	// Flat: nothing in a box but the fill, the ink and what lies between them.
	for _, b := range boxes {
		b = b.Intersect(img.Rect)
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				c := img.RGBAAt(x, y)
				require.True(t, c.R >= redactFill.R && c.R <= redactText.R, "%v at %d,%d", c, x, y)
			}
		}
	}
	require.Equal(t, redactFill, img.RGBAAt(18, 235))
	goldentest.Picture(t, "redact", img)
}

// TestQuote: page text in the legend can neither end its quotes nor its line.
func TestQuote(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"plain":         {"Place order", `"Place order"`},
		"forged line":   {"x\"\n24 button \"Pay", `"x\" 24 button \"Pay"`},
		"bidi override": {"abc\u202Efdp", `"abc\u202efdp"`},
		"cut":           {strings.Repeat("é", 100), `"` + strings.Repeat("é", 80) + `…"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, quote(tt.in, legendRunes)) })
	}
}
