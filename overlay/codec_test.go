package overlay

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"
)

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]Format{
		"OUT.png": PNG, "dir.jpg/out.PNG": PNG, "image/png": PNG, "png": PNG,
		"out.webp": WebP, "image/webp": WebP,
		"a.b.jpg": JPEG, "x.JPEG": JPEG, "image/jpeg": JPEG, "jpg": JPEG,
	} {
		got, err := FormatOf(name)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
	for _, name := range []string{"", "out", "out.gif", "image/avif", "out.png.gz", "image/"} {
		_, err := FormatOf(name)
		require.ErrorContains(t, err, "choose png", name)
	}
}

func TestEncodeAs(t *testing.T) {
	img := shopPage().picture(t, 1)
	var e Encoder
	data, err := e.EncodeAs(img, PNG, true)
	require.NoError(t, err)
	back, err := DecodePNG(data)
	require.NoError(t, err)
	require.Equal(t, img.Pix, back.Pix)

	data, err = e.EncodeAs(img, WebP, false)
	require.NoError(t, err)
	web, err := webp.Decode(bytes.NewReader(data)) // not ours
	require.NoError(t, err)
	require.Equal(t, img.Pix, asRGBA(web).Pix)
	_, err = e.EncodeAs(image.NewGray(image.Rect(0, 0, 20000, 1)), WebP, false)
	require.ErrorContains(t, err, "sides of 1 to 16384 px only")

	clear := image.NewRGBA(image.Rect(3, 4, 40, 30)) // transparent, but for a dot
	clear.SetRGBA(20, 20, color.RGBA{200, 0, 0, 255})
	data, err = e.EncodeAs(clear, JPEG, false)
	require.NoError(t, err)
	pic, err := jpeg.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 37, 26), pic.Bounds())
	r, _, _, _ := pic.At(1, 1).RGBA()
	require.Greater(t, r>>8, uint32(250), "white where it was transparent")

	_, err = e.EncodeAs(img, "image/gif", false)
	require.ErrorContains(t, err, `format "image/gif" is not there`)
	_, err = e.EncodeAs(image.NewGray(image.Rect(0, 0, 70000, 1)), JPEG, false)
	require.ErrorContains(t, err, "70000 x 1 px as JPEG")
}
