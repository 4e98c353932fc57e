package likeness_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/likeness"
)

// lines is a picture of a page: dark bars on white, of which one may be elsewhere.
func lines(skip int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 640, 480))
	draw.Draw(img, img.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	for k := range 12 {
		if k != skip {
			bar := image.Rect(40, 20+36*k, 140+30*k, 32+36*k)
			draw.Draw(img, bar, image.NewUniform(color.RGBA{30, 60, 90, 255}), image.Point{}, draw.Src)
		}
	}
	return img
}

func TestPrints(t *testing.T) {
	page := likeness.PrintOf(lines(-1))
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, lines(-1), &jpeg.Options{Quality: 80}))
	lossy, err := jpeg.Decode(&b)
	require.NoError(t, err)
	require.True(t, page.Same(likeness.PrintOf(lossy)), "what an encoder loses is noise")
	require.False(t, page.Same(likeness.PrintOf(lines(3))), "one line of text is gone")
	half := image.NewRGBA(image.Rect(0, 0, 320, 240))
	require.False(t, page.Same(likeness.PrintOf(half)), "another size")

	written, err := page.MarshalText()
	require.NoError(t, err)
	var read likeness.Print
	require.NoError(t, read.UnmarshalText(written))
	require.Equal(t, page, read)
	for _, damaged := range []string{"", "640x480:", "640x480:AAAA", "x:AAAA"} {
		require.Error(t, read.UnmarshalText([]byte(damaged)), damaged)
	}
}
