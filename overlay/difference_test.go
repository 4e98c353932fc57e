package overlay

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/goldentest"
)

func flat(w, h int, c color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

func TestDifference(t *testing.T) {
	white, blue := color.RGBA{255, 255, 255, 255}, color.RGBA{20, 60, 200, 255}
	paint := func(img *image.RGBA, c color.RGBA, boxes ...image.Rectangle) *image.RGBA {
		for _, b := range boxes {
			draw.Draw(img, b, image.NewUniform(c), image.Point{}, draw.Src)
		}
		return img
	}
	tests := []struct {
		name          string
		before, after *image.RGBA
		changed       int
		boxes         []image.Rectangle
	}{
		{"same", flat(40, 30, white), flat(40, 30, white), 0, nil},
		{"none", nil, nil, 0, nil},
		{"one px", flat(400, 300, white), paint(flat(400, 300, white), blue, image.Rect(100, 50, 101, 51)),
			1, []image.Rectangle{image.Rect(96, 48, 104, 56)}},
		{"two places", flat(400, 300, white), paint(flat(400, 300, white), blue, image.Rect(0, 0, 8, 8),
			image.Rect(200, 200, 216, 208)), 64 + 128,
			[]image.Rectangle{image.Rect(0, 0, 8, 8), image.Rect(200, 200, 216, 208)}},
		{"near ones are one", flat(400, 300, white), paint(flat(400, 300, white), blue, image.Rect(0, 0, 8, 8),
			image.Rect(16, 8, 24, 16)), 128, []image.Rectangle{image.Rect(0, 0, 24, 16)}},
		{"by one step of one channel", flat(16, 8, white), flat(16, 8, color.RGBA{254, 255, 255, 255}), 128,
			[]image.Rectangle{image.Rect(0, 0, 16, 8)}},
		{"taller after", flat(16, 16, white), flat(16, 24, white), 128,
			[]image.Rectangle{image.Rect(0, 16, 16, 24)}},
		{"one only", nil, flat(10, 10, white), 100, []image.Rectangle{image.Rect(0, 0, 10, 10)}},
		{"wider before, taller after", flat(24, 8, white), flat(16, 16, white), 24*16 - 16*8,
			[]image.Rectangle{image.Rect(0, 0, 24, 16)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := NewDifference(tt.before, tt.after)
			require.Equal(t, tt.changed, d.Changed)
			require.Equal(t, tt.boxes, d.Boxes)
			require.Equal(t, d.Size, d.Picture.Rect.Size())
			require.LessOrEqual(t, d.Share(), 1.0)
			if tt.before != nil {
				require.Equal(t, flat(1, 1, white).Pix[:4], tt.before.Pix[:4], "pictures are not changed")
			}
		})
	}
}

// TestDifferenceHoldsEverything: on noise of any density the boxes are few, disjoint,
// and hold every changed px; and the answer does not depend on the number of threads.
func TestDifferenceHoldsEverything(t *testing.T) {
	for _, n := range []int{1, 30, 700, 20_000} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		a, b := flat(900, 700, color.RGBA{255, 255, 255, 255}), flat(900, 700, color.RGBA{255, 255, 255, 255})
		var at []image.Point
		for range n {
			p := image.Pt(r.IntN(900), r.IntN(700))
			b.SetRGBA(p.X, p.Y, color.RGBA{0, 0, 0, 255})
			at = append(at, p)
		}
		d := NewDifference(a, b)
		require.LessOrEqual(t, len(d.Boxes), diffBoxes)
		for i, x := range d.Boxes {
			for _, y := range d.Boxes[i+1:] {
				require.False(t, x.Overlaps(y), "%v %v", x, y)
			}
		}
		for _, p := range at {
			in := false
			for _, x := range d.Boxes {
				in = in || p.In(x)
			}
			require.True(t, in, p)
		}
		require.Equal(t, d, NewDifference(a, b))
	}
}

func TestDifferencePicture(t *testing.T) {
	p := shopPage()
	before := p.picture(t, 1)
	after := p.picture(t, 1)
	draw.Draw(after, image.Rect(60, 60, 240, 100), image.NewUniform(color.RGBA{200, 230, 200, 255}), image.Point{},
		draw.Src)
	draw.Draw(after, image.Rect(400, 300, 404, 304), image.NewUniform(color.RGBA{0, 0, 0, 255}), image.Point{}, draw.Src)
	tall := flat(after.Rect.Dx(), after.Rect.Dy()+40, color.RGBA{255, 255, 255, 255})
	draw.Draw(tall, after.Rect, after, image.Point{}, draw.Src)
	goldentest.Picture(t, "difference", NewDifference(before, tall).Picture)
}

func TestMix(t *testing.T) {
	a, b := flat(3, 2, color.RGBA{0, 0, 0, 255}), flat(3, 2, color.RGBA{255, 255, 255, 255})
	Mix(a, b, 0)
	require.Equal(t, flat(3, 2, color.RGBA{0, 0, 0, 255}), a)
	Mix(a, b, 0.5)
	require.Equal(t, uint8(127), a.Pix[0])
	Mix(a, b, 7)
	require.Equal(t, b.Pix, a.Pix)
}

// TestMixOfEveryByte: eight bytes at once come to what one by one would.
func TestMixOfEveryByte(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, share := range []float64{0, 0.004, 0.3, 0.5, 0.77, 0.999, 1} {
		a, b := image.NewRGBA(image.Rect(0, 0, 67, 33)), image.NewRGBA(image.Rect(0, 0, 67, 33))
		for i := range a.Pix {
			a.Pix[i], b.Pix[i] = uint8(r.IntN(256)), uint8(r.IntN(256))
		}
		n := int(share*256 + 0.5)
		want := make([]uint8, len(a.Pix))
		for i := range want {
			want[i] = uint8((int(a.Pix[i])*(256-n) + int(b.Pix[i])*n) >> 8)
		}
		Mix(a, b, share)
		require.Equal(t, want, a.Pix)
	}
}

func BenchmarkDifference(b *testing.B) {
	x, y := flat(1280, 800, color.RGBA{255, 255, 255, 255}), flat(1280, 800, color.RGBA{255, 255, 255, 255})
	for i := range 40 {
		draw.Draw(y, image.Rect(i*30, i*18, i*30+90, i*18+20), image.NewUniform(color.RGBA{1, 2, 3, 255}), image.Point{},
			draw.Src)
	}
	b.ResetTimer()
	for range b.N {
		NewDifference(x, y)
	}
}
