package overlay

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/goldentest"
)

func TestPNG(t *testing.T) {
	p := shopPage()
	img := p.picture(t, 1)
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

func BenchmarkEncode(b *testing.B) {
	img := shopPage().picture(b, 2)
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
