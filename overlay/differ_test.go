package overlay

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDiffer(t *testing.T) {
	flat := func(r image.Rectangle, c color.RGBA) *image.RGBA {
		img := image.NewRGBA(r)
		fill(img, r, c)
		return img
	}
	white, grey := color.RGBA{255, 255, 255, 255}, color.RGBA{245, 245, 245, 255}
	a, b := flat(image.Rect(0, 0, 20, 10), white), flat(image.Rect(5, 5, 25, 15), grey)
	img, n, of := Differ(a, b)
	require.Equal(t, []int{0, 200}, []int{n, of}, "smoothing is no difference, nor is where a picture begins")
	require.Equal(t, color.RGBA{252, 252, 252, 255}, img.RGBAAt(3, 3))

	fill(b, image.Rect(5, 5, 8, 7), color.RGBA{A: 255})
	img, n, _ = Differ(a, b)
	require.Equal(t, 6, n)
	require.Equal(t, differColor, img.RGBAAt(2, 1))
	require.NotEqual(t, differColor, img.RGBAAt(3, 1))

	_, n, of = Differ(a, flat(image.Rect(0, 0, 10, 15), white))
	require.Equal(t, []int{200, 300}, []int{n, of}, "what only one of them has differs")
	img, n, of = Differ(flat(image.Rectangle{}, white), flat(image.Rectangle{}, white))
	require.Equal(t, []any{image.Rectangle{}, 0, 0}, []any{img.Rect, n, of})
}
