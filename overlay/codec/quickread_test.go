package codec

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zlib"
	"github.com/stretchr/testify/require"
)

// TestQuickReadIsTheSlowOne: pictures of each kind of line, with any filter, three and four bytes a pixel, come out as
// image/png reads them; what is not opaque or damaged is left to it.
func TestQuickReadIsTheSlowOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		w, h, n := 1+random.IntN(40), 1+random.IntN(12), 3+random.IntN(2)
		lines := make([]byte, 0, h*(1+w*n))
		for range h {
			lines = append(lines, byte(random.IntN(5)))
			for range w * n {
				lines = append(lines, byte(random.IntN(256)))
			}
		}
		b := pngOf(w, h, n, lines)
		want, err := png.Decode(bytes.NewReader(b))
		require.NoError(t, err)
		opaque := want.(interface{ Opaque() bool }).Opaque()
		got, ok := quickRead(b, w, h)
		require.Equal(t, opaque, ok)
		if ok {
			out := image.NewRGBA(want.Bounds())
			draw.Draw(out, out.Rect, want, image.Point{}, draw.Src)
			require.Equal(t, out.Pix, got.Pix)
		}
		at := random.IntN(len(b))
		b[at] ^= 1 << random.IntN(8)
		if damaged, ok := quickRead(b, w, h); ok { // as in the name of a chunk that matters to nobody
			slow, err := png.Decode(bytes.NewReader(b))
			require.NoError(t, err)
			require.Equal(t, slow.Bounds(), damaged.Rect)
		}
	}
	img := image.NewRGBA(image.Rect(0, 0, 64, 40))
	draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{1, 2, 3, 255}), image.Point{}, draw.Src)
	b, err := EncodePNG(img, true)
	require.NoError(t, err)
	_, ok := quickRead(b, 64, 40)
	require.True(t, ok, "our own pictures are read quickly")
	_, ok = quickRead(b[:len(b)-3], 64, 40)
	require.False(t, ok)
}

// pngOf is a PNG of lines with their filters.
func pngOf(w, h, n int, lines []byte) []byte {
	out := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, body []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
		whole := append([]byte(name), body...)
		out = append(out, whole...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(whole))
	}
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	chunk("IHDR", append(head, 8, map[int]byte{3: 2, 4: 6}[n], 0, 0, 0))
	var z bytes.Buffer
	zw := zlib.NewWriter(&z)
	_, _ = zw.Write(lines) // a buffer takes everything
	_ = zw.Close()
	half := z.Len() / 2
	chunk("IDAT", z.Bytes()[:half])
	chunk("IDAT", z.Bytes()[half:])
	chunk("IEND", nil)
	return out
}

func BenchmarkDecodePNG(b *testing.B) {
	img := page(1)
	data, err := EncodePNG(img, true)
	require.NoError(b, err)
	for b.Loop() {
		if _, err := DecodePNG(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodePNGSlowly(b *testing.B) {
	img := page(1)
	data, err := EncodePNG(img, true)
	require.NoError(b, err)
	for b.Loop() {
		if _, err := png.Decode(bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}
