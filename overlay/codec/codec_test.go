package codec

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"
)

// page is an opaque picture of bars, lines as of a text and a ramp of colours.
func page(scale int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 680*scale, 500*scale))
	draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{250, 250, 252, 255}), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(0, 0, img.Rect.Dx(), 40*scale), image.NewUniform(color.RGBA{20, 60, 140, 255}), image.Point{},
		draw.Src)
	for y := 60 * scale; y < img.Rect.Dy(); y += 18 * scale {
		for x := 20 * scale; x < img.Rect.Dx()-20*scale; x++ {
			img.SetRGBA(x, y+x*7%11, color.RGBA{uint8(x), uint8(y), uint8(x * y), 255})
		}
	}
	return img
}

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
	img := page(1)
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

func TestPNG(t *testing.T) {
	img := page(1)
	var e Encoder
	for _, fast := range []bool{true, false, true} {
		b, err := e.png(img, fast)
		require.NoError(t, err)
		back, err := DecodePNG(b)
		require.NoError(t, err)
		require.Equal(t, img.Pix, back.Pix)
	}
	// Other kinds of PNG become RGBA at 0,0.
	pal := image.NewPaletted(image.Rect(5, 5, 9, 8), color.Palette{color.Black, color.RGBA{200, 10, 20, 255}})
	pal.SetColorIndex(6, 6, 1)
	b, err := EncodePNG(pal, true)
	require.NoError(t, err)
	back, err := DecodePNG(b)
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 4, 3), back.Rect)
	require.Equal(t, color.RGBA{200, 10, 20, 255}, back.RGBAAt(1, 1))
}

// bomb is a PNG whose header claims a size.
func bomb(w, h uint32) []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	b = binary.BigEndian.AppendUint32(b, w)
	b = binary.BigEndian.AppendUint32(b, h)
	b = append(b, 8, 2, 0, 0, 0)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[12:]))
}

func TestDecodeRefuses(t *testing.T) {
	whole, err := EncodePNG(image.NewRGBA(image.Rect(0, 0, 50, 50)), true)
	require.NoError(t, err)
	tests := map[string]struct {
		b    []byte
		want string
	}{
		"too wide":       {bomb(200_000, 1), "at most"},
		"too many px":    {bomb(100_000, 100_000), "100 megapixels at most"},
		"not a picture":  {[]byte("<html>"), "picture of 6 bytes"},
		"nothing":        {nil, "picture of 0 bytes"},
		"cut in the mid": {whole[:len(whole)/2], "picture of"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := DecodePNG(tt.b)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func FuzzDecodePNG(f *testing.F) {
	f.Add(bomb(10, 10))
	b, err := EncodePNG(image.NewGray(image.Rect(0, 0, 3, 3)), true)
	require.NoError(f, err)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if cfg, err := png.DecodeConfig(bytes.NewReader(b)); err == nil && cfg.Width*cfg.Height > 1<<20 {
			return // valid, but slow to try
		}
		img, err := DecodePNG(b)
		if err != nil {
			return
		}
		// What was read is at 0,0 and comes back from a file of our own.
		again, err := EncodePNG(img, true)
		require.NoError(t, err)
		back, err := DecodePNG(again)
		require.NoError(t, err)
		require.Equal(t, image.Rectangle{Max: img.Rect.Size()}, back.Rect)
		if img.Opaque() { // partly transparent colours are rounded
			require.Equal(t, img.Pix, back.Pix)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	img := page(2)
	var e Encoder
	for name, fast := range map[string]bool{"fast": true, "small": false} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := e.png(img, fast); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
