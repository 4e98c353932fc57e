package overlay

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

var ground = color.RGBA{24, 27, 33, 255}

// TestSampler: at 1:1 the frame is the picture; a flat picture stays flat at every
// zoom; a px is a square when it is large; around the picture is the ground.
func TestSampler(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 201, 135))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * 7 * (i % 11))
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	only := Layers{Picture: true}
	dst := image.NewRGBA(image.Rect(0, 0, 120, 90))

	Compose(dst, NewPyramid(img), nil, Camera{Scale: 1, X: 17, Y: -5}, only, ground)
	for y := range 90 {
		for x := range 120 {
			want := ground
			if y >= 5 {
				want = img.RGBAAt(x+17, y-5)
			}
			require.Equal(t, want, dst.RGBAAt(x, y), "1:1 at %d,%d", x, y)
		}
	}

	Compose(dst, NewPyramid(img), nil, Camera{Scale: 8, X: 3, Y: 4}, only, ground)
	for y := range 90 {
		for x := range 120 {
			require.Equal(t, img.RGBAAt(3+x/8, 4+y/8), dst.RGBAAt(x, y), "8:1 at %d,%d", x, y)
		}
	}

	flat := image.NewRGBA(image.Rect(0, 0, 333, 77))
	c := color.RGBA{13, 200, 255, 255}
	fill(flat, flat.Rect, c)
	for _, z := range []float64{0.011, 0.1, 0.37, 0.5, 0.9, 1, 1.3, 1.99, 2.5, 40} {
		cam := Camera{Scale: z, X: -3.3, Y: -2.2}
		Compose(dst, NewPyramid(flat), nil, cam, only, ground)
		where := cam.Rect(flat.Rect)
		for y := range 90 {
			for x := range 120 {
				want := ground
				if (image.Point{X: x, Y: y}).In(where) {
					want = c
				}
				require.Equal(t, want, dst.RGBAAt(x, y), "zoom %g at %d,%d", z, x, y)
			}
		}
	}
}

// TestMixIsExact compares the two packed passes with the plain formula.
func TestMixIsExact(t *testing.T) {
	px := []byte{0, 255, 7, 255, 255, 0, 250, 255, 128, 127, 3, 255, 1, 254, 99, 255}
	src := image.NewRGBA(image.Rect(0, 0, 2, 2))
	copy(src.Pix, px)
	for wx := range 17 {
		for wy := range 17 {
			up, low, out := make([]uint64, 1), make([]uint64, 1), make([]byte, 4)
			along(up, px[:8], []tap{{0, int32(wx)}})
			along(low, px[8:], []tap{{0, int32(wx)}})
			down(out, up, low, uint64(wy))
			for ch := range 3 {
				a, b, c, d := int(px[ch]), int(px[4+ch]), int(px[8+ch]), int(px[12+ch])
				want := ((a*(16-wx)+b*wx)*(16-wy) + (c*(16-wx)+d*wx)*wy + 128) / 256
				require.Equal(t, want, int(out[ch]), "channel %d with weights %d, %d", ch, wx, wy)
			}
		}
	}
}

// TestFrameHelpers: what the widget draws on top is where the frame has it.
func TestFrameHelpers(t *testing.T) {
	p := shopPage()
	s := NewScene(p.c, image.Pt(700, 525), Options{})
	view := image.Pt(300, 200)
	cam := Camera{Scale: 2, X: 380, Y: 410}
	order := s.ByRef(19)
	require.Equal(t, []image.Rectangle{image.Rect(4, 12, 274, 88)}, s.ScreenRects(order, cam, view))
	l := s.ScreenLabel(order, cam, view)
	require.True(t, l.In(image.Rectangle{Max: view}))
	require.Equal(t, s.ByRef(19).Label.Size(), l.Size(), "a label has the same size at every zoom")
	require.Empty(t, s.ScreenRects(s.ByRef(1), cam, view), "out of view")
	require.True(t, s.ScreenLabel(s.ByRef(1), cam, view).Empty())
	require.Len(t, s.ScreenRects(s.ByRef(4), Camera{Scale: 1}, image.Pt(700, 525)), 1, "a container can be highlighted")
	x, y := cam.Image(100, 50)
	require.Equal(t, []float64{430, 435}, []float64{x, y})

	// At a distance there is no room for all numbers: they are counted, never drawn
	// on each other.
	table := NewScene(tablePage(1000).c, image.Pt(1280, 720), Options{})
	far := Camera{Scale: 0.3}
	require.Len(t, table.layoutFor(Camera{Scale: 1}, image.Pt(1280, 720)).labels, len(table.placed))
	lay := table.layoutFor(far, image.Pt(400, 300))
	require.Less(t, len(lay.labels), len(table.placed))
	for i := range lay.labels {
		for k := range lay.labels[:i] {
			require.False(t, lay.labels[i].rect.Overlaps(lay.labels[k].rect))
		}
	}
}

func BenchmarkCompose(b *testing.B) {
	p := tablePage(1000)
	img := image.NewRGBA(image.Rect(0, 0, 3840, 2160))
	draw.Draw(img, img.Rect, p.picture(b, 3), image.Point{}, draw.Src)
	s := NewScene(p.c, img.Rect.Size(), Options{})
	pyr := NewPyramid(img)
	dst := image.NewRGBA(image.Rect(0, 0, 1600, 900))
	all := Layers{true, true, true, true}
	for _, z := range []float64{0.4, 0.55, 0.95, 1, 1.7, 3} {
		b.Run(fmt.Sprintf("zoom=%g", z), func(b *testing.B) {
			i := 0.0
			for b.Loop() {
				i++
				Compose(dst, pyr, s, Camera{Scale: z, X: i / 7}, all, ground)
			}
		})
	}
	b.Run("all covered", func(b *testing.B) {
		under := tablePage(1000)
		over := under.node(0, "div", snapshot.Box{0, 0, 1280, 720}).I
		for i := 1; i < over; i++ {
			under.clicks(i, over, under.c.Viewport.Box())
		}
		s := NewScene(under.c, img.Rect.Size(), Options{})
		for b.Loop() {
			Compose(dst, pyr, s, Camera{Scale: 0.4}, all, ground)
		}
	})
	b.Run("same camera", func(b *testing.B) {
		for b.Loop() {
			Compose(dst, pyr, s, Camera{Scale: 0.4}, all, ground)
		}
	})
	b.Run("marks only", func(b *testing.B) {
		for b.Loop() {
			Compose(dst, nil, s, Camera{Scale: 0.4}, all, ground)
		}
	})
	b.Run("picture only", func(b *testing.B) {
		for b.Loop() {
			Compose(dst, pyr, s, Camera{Scale: 0.4}, Layers{Picture: true}, ground)
		}
	})
}

func BenchmarkLayout(b *testing.B) {
	p := tablePage(1000)
	s := NewScene(p.c, image.Pt(3840, 2160), Options{})
	for _, z := range []float64{0.15, 0.4, 1} {
		b.Run(fmt.Sprintf("zoom=%g", z), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.layout(Camera{Scale: z}, image.Pt(1600, 900), &s.letters)
			}
		})
	}
}

func BenchmarkPyramid(b *testing.B) {
	img := image.NewRGBA(image.Rect(0, 0, 3840, 2160))
	for b.Loop() {
		NewPyramid(img)
	}
}
