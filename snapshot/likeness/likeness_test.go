package likeness

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"github.com/refscope/refscope/snapshot/testneed"
)

// page is a picture as of a page: boxes and lines on white, other ones for each seed.
func page(seed uint64, w, h int) *image.RGBA {
	dice := rand.New(rand.NewPCG(seed, 7))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for range 60 {
		x, y := dice.IntN(w), dice.IntN(h)
		c := color.RGBA{uint8(dice.IntN(200)), uint8(dice.IntN(200)), uint8(dice.IntN(200)), 255}
		draw.Draw(img, image.Rect(x, y, x+20+dice.IntN(w/5), y+6+dice.IntN(h/12)), image.NewUniform(c), image.Point{}, draw.Src)
	}
	return img
}

// sent is a part of a picture as an agent sends it: scaled, and a JPEG.
func sent(t *testing.T, img image.Image, part image.Rectangle, scale float64) image.Image {
	t.Helper()
	out := image.NewRGBA(image.Rect(0, 0, int(float64(part.Dx())*scale+0.5), int(float64(part.Dy())*scale+0.5)))
	draw.BiLinear.Scale(out, out.Rect, img, part, draw.Src, nil)
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, out, &jpeg.Options{Quality: 75}))
	back, err := Decode(b.Bytes())
	require.NoError(t, err)
	return back
}

// Crop and scale are found within 2 px of the page's picture, on 8 pages each.
func TestLocate(t *testing.T) {
	for name, c := range map[string]struct {
		part    image.Rectangle
		scale   float64
		density float64
		cropped bool
	}{
		"whole":            {image.Rect(0, 0, 1280, 720), 1, 1, false},
		"half size":        {image.Rect(0, 0, 1280, 720), 0.5, 1, false},
		"odd size":         {image.Rect(0, 0, 1280, 720), 0.8, 1, false},
		"top":              {image.Rect(0, 0, 1280, 400), 1, 1, true},
		"lower part small": {image.Rect(0, 300, 1280, 720), 0.6, 1, true},
		"right side":       {image.Rect(500, 0, 1280, 720), 0.5, 1, true},
		"an element":       {image.Rect(301, 207, 811, 533), 1, 1, true},
		"CSS px of two":    {image.Rect(200, 100, 900, 600), 0.5, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			found := 0
			seeds := testneed.Cases(2, 8, 8)
			for seed := range uint64(seeds) {
				img := page(seed, 1280, 720)
				got := Locate(img, sent(t, img, c.part, c.scale), c.density, Marked{})
				if got.Score >= 0.8 && got.Cropped == c.cropped && math.Abs(got.X-float64(c.part.Min.X)) <= 2 &&
					math.Abs(got.Y-float64(c.part.Min.Y)) <= 2 && math.Abs(got.ScaleX-c.scale) <= 0.01 {
					found++
				}
			}
			require.Equal(t, seeds, found)
		})
	}
}

// TestLocateInRows: on a page of rows and columns of one size, a part of it is never taken for another part, wherever it
// begins.
func TestLocateInRows(t *testing.T) {
	dice := rand.New(rand.NewPCG(5, 9))
	img := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for row := range 14 {
		for column := range 10 {
			x, y := 14+column*126, 60+row*46
			grey := color.Gray{uint8(205 + dice.IntN(15))}
			draw.Draw(img, image.Rect(x, y, x+90+dice.IntN(20), y+34), image.NewUniform(grey), image.Point{}, draw.Src)
			for word := range 9 { // of each button, other strokes
				at := x + 10 + word*8
				draw.Draw(img, image.Rect(at, y+10, at+2+dice.IntN(4), y+14+dice.IntN(8)), image.Black, image.Point{}, draw.Src)
			}
		}
	}
	found, all := 0, testneed.Cases(8, 24, 24)
	for range all {
		w, h := 420+dice.IntN(500), 300+dice.IntN(300)
		part := image.Rect(0, 0, w, h).Add(image.Pt(dice.IntN(1280-w), dice.IntN(720-h)))
		got := Locate(img, sent(t, img, part, 1), 1, Marked{})
		if math.Abs(got.X-float64(part.Min.X)) <= 2 && math.Abs(got.Y-float64(part.Min.Y)) <= 2 && got.Score > 0.8 {
			found++
			continue
		}
		require.Zero(t, got.Score, "%v is taken for the part at %.0f, %.0f", part, got.X, got.Y)
	}
	require.Equal(t, all, found)
}

// A picture of another page has no place.
func TestLocateAnother(t *testing.T) {
	worst := 0.0
	for seed := range uint64(testneed.Cases(2, 8, 8)) {
		img := page(seed, 1280, 720)
		other := page(seed+1000, 1280, 720)
		for _, part := range []image.Rectangle{other.Rect, image.Rect(0, 0, 1280, 400), image.Rect(300, 200, 800, 500)} {
			worst = max(worst, Locate(img, sent(t, other, part, 1), 1, Marked{}).Score)
		}
	}
	require.Less(t, worst, 0.6)
}

func TestBlank(t *testing.T) {
	require.True(t, Blank(image.NewRGBA(image.Rect(0, 0, 50, 40))))
	require.False(t, Blank(page(1, 200, 100)))
}

// TestLocateScrolled: a picture that was taken before the page was scrolled is found with the
// distance; one of another page is not, however it is moved.
func TestLocateScrolled(t *testing.T) {
	seeds := testneed.Cases(1, 3, 3)
	for _, scale := range []float64{1, 0.5} {
		found, all := 0, 0
		for seed := range uint64(seeds) {
			whole := page(seed, 1280, 1600)
			now := whole.SubImage(image.Rect(0, 400, 1280, 1120))
			for _, by := range []int{60, -60, 17, -300} {
				at := Locate(now, sent(t, whole, image.Rect(0, 400-by, 1280, 1120-by), scale), 1, Marked{})
				all++
				if at.Scrolled && math.Abs(at.Y+float64(by)) <= 3 && at.Score >= enough {
					found++
				}
			}
			other := sent(t, page(seed+100, 1280, 1600), image.Rect(0, 400, 1280, 1120), scale)
			require.False(t, Locate(now, other, 1, Marked{}).Scrolled, "another page, seed %d", seed)
		}
		require.Equal(t, all, found, "at %g", scale)
	}
}

// BenchmarkLocate is the time for one picture: of the whole view, of a part of it, and of another page.
func BenchmarkLocate(b *testing.B) {
	img, other := page(1, 1280, 720), page(2, 1280, 720)
	for name, shown := range map[string]image.Image{
		"whole": img, "crop": img.SubImage(image.Rect(200, 100, 900, 600)), "another": other,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Locate(img, shown, 1, Marked{})
			}
		})
	}
}
