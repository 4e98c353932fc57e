package atlas

import (
	"image"
	"image/color"
	"image/draw"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/goldentest"
)

func face(t testing.TB, ttf []byte, size float64) *Face {
	t.Helper()
	f, err := New(ttf, size)
	require.NoError(t, err)
	return f
}

func canvas(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	return img
}

func TestText(t *testing.T) {
	img := canvas(240, 150)
	y := 16
	for _, size := range []float64{9, 10, 11, 12, 14, 16} {
		f := face(t, gomonobold.TTF, size)
		f.Draw(img, 4, y, "0123456789 [12] éß→", color.RGBA{A: 255})
		y += f.Height() + 2
	}
	f := face(t, gomono.TTF, 13)
	f.Draw(img, 4, y, "dddk [5]<a> 日本 ⌘\n", color.RGBA{20, 40, 160, 255})
	face(t, gomono.TTF, 22).Draw(img, 4, y+28, "日 x", color.RGBA{160, 0, 0, 255})
	goldentest.Picture(t, "text", img)
}

func TestClipping(t *testing.T) {
	f := face(t, gomonobold.TTF, 12)
	whole := canvas(60, 30)
	f.Draw(whole, 5, 18, "12日4", color.RGBA{A: 255})
	for _, r := range []image.Rectangle{image.Rect(8, 10, 30, 16), image.Rect(0, 0, 1, 1), image.Rect(25, 0, 60, 30), {}} {
		part := canvas(60, 30).SubImage(r).(*image.RGBA)
		f.Draw(part, 5, 18, "12日4", color.RGBA{A: 255})
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				require.Equal(t, whole.RGBAAt(x, y), part.RGBAAt(x, y), "pixel %d,%d of %v", x, y, r)
			}
		}
	}
	// Nothing outside may be touched, wherever the pen stands.
	outer := canvas(60, 30)
	inner := outer.SubImage(image.Rect(20, 10, 40, 20)).(*image.RGBA)
	for _, x := range []int{-1 << 40, -500, 19, 39, 500, 1 << 40} {
		f.Draw(inner, x, 15, "8日8", color.RGBA{A: 255})
		f.Draw(inner, 25, x, "8日8", color.RGBA{A: 255})
	}
	for y := range 30 {
		for x := range 60 {
			if !(image.Point{X: x, Y: y}).In(inner.Rect) {
				require.Equal(t, color.RGBA{255, 255, 255, 255}, outer.RGBAAt(x, y))
			}
		}
	}
}

func TestMetricsAndHas(t *testing.T) {
	f := face(t, gomonobold.TTF, 12)
	require.Equal(t, 7, f.Advance())
	require.Greater(t, f.Height(), f.Ascent())
	require.Equal(t, 5*7, f.Width("a日b12"))
	d := f.DigitBounds()
	require.GreaterOrEqual(t, d.Dy(), 8, "digits of 8 px and more are what models can read")
	for r, want := range map[rune]bool{'a': true, ' ': true, 'é': true, '日': false, '\n': false, 0x202E: false,
		-1: false} {
		require.Equal(t, want, f.Has(r), "rune %U", r)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, size := range map[string]float64{"zero": 0, "negative": -3, "huge": 1e9} {
		t.Run(name, func(t *testing.T) {
			_, err := New(gomonobold.TTF, size)
			require.ErrorContains(t, err, "font size")
		})
	}
	_, err := New([]byte("not a font"), 12)
	require.ErrorContains(t, err, "font of 10 bytes")
}

// TestConcurrent draws from many goroutines; run with -race it is the proof of
// the doc comment, and without it still compares the results.
func TestConcurrent(t *testing.T) {
	f := face(t, gomono.TTF, 13)
	text := "aé→ßøñ日ąćę 0123"
	want := canvas(200, 20)
	face(t, gomono.TTF, 13).Draw(want, 2, 14, text, color.RGBA{A: 255})
	var wg sync.WaitGroup
	got := make([]*image.RGBA, 8)
	for i := range got {
		wg.Go(func() {
			got[i] = canvas(200, 20)
			f.Draw(got[i], 2, 14, text, color.RGBA{A: 255})
		})
	}
	wg.Wait()
	for i := range got {
		require.Equal(t, want.Pix, got[i].Pix)
	}
}

func BenchmarkDrawLine(b *testing.B) {
	f := face(b, gomono.TTF, 13)
	img := canvas(1000, 20)
	line := "   [16]<form> Delivery <input type=\"text\" value=\"Ada Lovelace\" /> and some more of it"
	b.ReportAllocs()
	for b.Loop() {
		f.Draw(img, 2, 14, line, color.RGBA{10, 20, 30, 255})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		face(b, gomono.TTF, 13)
	}
}

// TestNumbers: the 0 of a face for numbers is as wide and high as that of its font, its hole is whole and its ring
// closed, at every size; all other digits are the font's.
func TestNumbers(t *testing.T) {
	for px := 8.0; px <= 40; px++ {
		with, err := New(gomonobold.TTF, px)
		require.NoError(t, err)
		without, err := NewNumbers(gomonobold.TTF, px)
		require.NoError(t, err)
		require.Equal(t, with.DigitBounds(), without.DigitBounds())
		for d := '1'; d <= '9'; d++ {
			require.Equal(t, with.glyph(d), without.glyph(d))
		}
		a, b := with.glyph('0'), without.glyph('0')
		require.Equal(t, []int{a.w, a.h, a.ox, a.oy}, []int{b.w, b.h, b.ox, b.oy})
		ink := func(g *glyph) (sum int) {
			for _, v := range g.pix {
				sum += int(v)
			}
			return sum
		}
		require.Less(t, ink(b), ink(a), "the slash at %g px", px)
		if px >= 12 {
			require.Less(t, b.pix[b.h/2*b.w+b.w/2], uint8(64), "the hole at %g px", px)
		}
	}
}
