package vision

import (
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"github.com/refscope/refscope/overlay/goldentest"
)

// scene is a picture with what pages have: flat grounds, hairlines, text-like
// strokes, a ramp, noise and, where asked, transparency. The same on every system.
func scene(w, h int, alpha bool) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	rnd := rand.New(rand.NewPCG(1, 2))
	for y := range h {
		for x := range w {
			c := color.RGBA{255, 255, 255, 255}
			switch {
			case x%40 == 0 || y%24 == 0:
				c = color.RGBA{30, 34, 40, 255}
			case y%24 > 8 && y%24 < 16 && (x*7+y*3)%5 < 2:
				c = color.RGBA{20, 80, 200, 255}
			case x > w/2 && y > h/2:
				c = color.RGBA{uint8(x * 255 / w), uint8(y * 255 / h), 128, 255}
			case x > w/2:
				c = color.RGBA{uint8(rnd.IntN(256)), uint8(rnd.IntN(256)), uint8(rnd.IntN(256)), 255}
			}
			if alpha && x < w/4 {
				a := uint32(rnd.IntN(256))
				c = color.RGBA{uint8(uint32(c.R) * a / 255), uint8(uint32(c.G) * a / 255), uint8(uint32(c.B) * a / 255), uint8(a)}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

// TestResizeGolden holds the px. Run on another processor (TestOtherProcessor of the
// package overlay does) it is the proof that they are equal there.
func TestResizeGolden(t *testing.T) {
	goldentest.Picture(t, "down", Resize(scene(480, 270, false), image.Pt(341, 192)))
	goldentest.Picture(t, "up", Resize(scene(120, 67, false), image.Pt(168, 84)))
}

// TestResizeNear: nothing is further than two steps of 255 from the same filter in
// floating point.
func TestResizeNear(t *testing.T) {
	for _, tt := range []struct{ from, to image.Point }{
		{image.Pt(480, 270), image.Pt(341, 192)}, {image.Pt(320, 180), image.Pt(100, 57)},
		{image.Pt(100, 80), image.Pt(160, 96)},
		{image.Pt(333, 7), image.Pt(100, 7)}, {image.Pt(1000, 3), image.Pt(9, 1)}, {image.Pt(1, 1), image.Pt(20, 10)},
	} {
		t.Run(fmt.Sprint(tt.from, tt.to), func(t *testing.T) {
			src := scene(tt.from.X, tt.from.Y, false)
			got := Resize(src, tt.to)
			want := image.NewRGBA(image.Rectangle{Max: tt.to})
			draw.CatmullRom.Scale(want, want.Rect, src, src.Rect, draw.Src, nil)
			worst := 0
			for i := range want.Pix {
				worst = max(worst, abs(int(want.Pix[i])-int(got.Pix[i])))
			}
			t.Logf("worst difference %d", worst)
			require.LessOrEqual(t, worst, 2)
		})
	}
}

func TestResizeSame(t *testing.T) {
	src := scene(200, 100, true)
	part := src.SubImage(image.Rect(31, 17, 150, 90)).(*image.RGBA)
	got := Resize(part, part.Rect.Size())
	require.Equal(t, image.Rect(0, 0, 119, 73), got.Rect)
	for y := range 73 {
		for x := range 119 {
			require.Equal(t, src.RGBAAt(x+31, y+17), got.RGBAAt(x, y))
		}
	}
	got.SetRGBA(0, 0, color.RGBA{1, 2, 3, 4})
	require.NotEqual(t, got.RGBAAt(0, 0), src.RGBAAt(31, 17), "shares no memory")
	// A part of a picture is resized as if it stood alone.
	alone := Resize(part, part.Rect.Size())
	require.Equal(t, Resize(alone, image.Pt(80, 41)).Pix, Resize(part, image.Pt(80, 41)).Pix)
}

// TestResizeFlat: a flat ground stays flat to the px, whatever the sizes.
func TestResizeFlat(t *testing.T) {
	for _, c := range []color.RGBA{{255, 255, 255, 255}, {1, 2, 3, 255}, {254, 128, 127, 255}, {90, 10, 100, 101}, {}} {
		img := image.NewRGBA(image.Rect(0, 0, 97, 61))
		draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
		for _, to := range []image.Point{{96, 60}, {31, 61}, {10, 200}, {1, 1}, {97, 3}, {400, 300}} {
			got := Resize(img, to)
			for y := range to.Y {
				for x := range to.X {
					require.Equal(t, c, got.RGBAAt(x, y), "%v at %d,%d", to, x, y)
				}
			}
		}
	}
}

func TestResizeEmpty(t *testing.T) {
	src := scene(10, 10, false)
	for _, to := range []image.Point{{}, {0, 5}, {-1, 5}} {
		require.True(t, Resize(src, to).Rect.Empty())
	}
	require.True(t, Resize(image.NewRGBA(image.Rectangle{}), image.Pt(5, 5)).Rect.Empty())
}

// TestResizeProcessors: threads must not show in pixels.
func TestResizeProcessors(t *testing.T) {
	src := scene(640, 400, true)
	run := func(n int) []byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
		return Resize(src, image.Pt(485, 303)).Pix
	}
	want := run(1)
	for _, n := range []int{2, 3, 8} {
		require.True(t, string(want) == string(run(n)), "%d processors", n)
	}
}

// FuzzResize: any picture of any size becomes a picture: no panic, no colour above
// its alpha, and opaque stays opaque.
func FuzzResize(f *testing.F) {
	f.Add([]byte{0, 255, 3}, uint8(7), uint8(9), uint8(3), uint8(20))
	f.Fuzz(func(t *testing.T, pix []byte, w, h, w2, h2 uint8) {
		src := image.NewRGBA(image.Rect(0, 0, int(w), int(h)))
		opaque := true
		for i := 0; i+3 < len(src.Pix); i += 4 {
			var c [4]byte
			for k := range c {
				if len(pix) > 0 {
					c[k] = pix[(i+k)%len(pix)]
				}
			}
			a := c[3]
			opaque = opaque && a == 255
			src.Pix[i], src.Pix[i+1], src.Pix[i+2], src.Pix[i+3] = min(c[0], a), min(c[1], a), min(c[2], a), a
		}
		got := Resize(src, image.Pt(int(w2), int(h2)))
		for i := 0; i+3 < len(got.Pix); i += 4 {
			p := got.Pix[i : i+4]
			if max(p[0], p[1], p[2]) > p[3] || opaque && p[3] != 255 {
				t.Fatalf("px %v of %d x %d to %d x %d", p, w, h, w2, h2)
			}
		}
	})
}

func BenchmarkResize(b *testing.B) {
	src := scene(2560, 1440, false)
	for _, to := range []image.Point{{2048, 1152}, {1365, 768}, {1280, 720}} {
		b.Run(fmt.Sprintf("%dx%d", to.X, to.Y), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Resize(src, to)
			}
		})
	}
	b.Run("x-image-draw 1365x768", func(b *testing.B) {
		dst := image.NewRGBA(image.Rect(0, 0, 1365, 768))
		for b.Loop() {
			draw.CatmullRom.Scale(dst, dst.Rect, src, src.Rect, draw.Src, nil)
		}
	})
}
