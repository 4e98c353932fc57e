package codec

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuickPNG: what is encoded quickly is the same picture, whatever its size and wherever it lies in a larger one.
func TestQuickPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	whole := image.NewRGBA(image.Rect(0, 0, 70, 50))
	for y := range 50 {
		for x := range 70 {
			whole.SetRGBA(x, y, color.RGBA{uint8(r.IntN(256)), uint8(x), uint8(y / 10), 255})
		}
	}
	for _, part := range []image.Rectangle{{Max: image.Pt(70, 50)}, image.Rect(3, 4, 4, 5), image.Rect(10, 0, 70, 1),
		image.Rect(69, 20, 70, 50)} {
		img := whole.SubImage(part).(*image.RGBA)
		data, err := EncodePNG(img, true)
		require.NoError(t, err)
		got, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		require.Equal(t, part.Size(), got.Bounds().Size())
		for y := range part.Dy() {
			for x := range part.Dx() {
				want := whole.RGBAAt(part.Min.X+x, part.Min.Y+y)
				require.Equal(t, want, color.RGBAModel.Convert(got.At(x, y)), "%v at %d,%d", part, x, y)
			}
		}
	}
}

func BenchmarkFastPNG(b *testing.B) {
	img := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	r := rand.New(rand.NewPCG(5, 5))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for y := 0; y < 720; y += 18 {
		for x := 20; x < 1200; x += 8 {
			for k := range 40 {
				img.SetRGBA(x+k%6, y+k/6, color.RGBA{uint8(r.IntN(256)), 40, 40, 255})
			}
		}
	}
	var enc Encoder
	b.Run("quick", func(b *testing.B) {
		for b.Loop() {
			data, err := EncodePNG(img, true)
			require.NoError(b, err)
			b.ReportMetric(float64(len(data)), "bytes")
		}
	})
	b.Run("default", func(b *testing.B) {
		for b.Loop() {
			data, err := enc.png(img, false)
			require.NoError(b, err)
			b.ReportMetric(float64(len(data)), "bytes")
		}
	})
	b.Run("image/png at its best speed", func(b *testing.B) {
		for b.Loop() {
			var out bytes.Buffer
			require.NoError(b, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img))
			b.ReportMetric(float64(out.Len()), "bytes")
		}
	})
}
