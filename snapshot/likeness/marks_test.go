package likeness

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"
)

// words is a page of a few words without lines, and the boxes of its elements.
func words(seed uint64, w, h, density int) (*image.RGBA, []image.Rectangle) {
	dice := rand.New(rand.NewPCG(seed, 11))
	img := image.NewRGBA(image.Rect(0, 0, w*density, h*density))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	var boxes []image.Rectangle
	for range 12 {
		x, y := 10+dice.IntN(w-260), 10+dice.IntN(h-60)
		r := image.Rect(x*density, y*density, (x+60+dice.IntN(180))*density, (y+22)*density)
		boxes = append(boxes, r)
		for at := r.Min.X + 6*density; at < r.Max.X-8*density; at += 9 * density {
			glyph := image.Rect(at, r.Min.Y+6*density, at+(2+dice.IntN(5))*density, r.Min.Y+(12+dice.IntN(5))*density)
			draw.Draw(img, glyph, image.NewUniform(color.Gray{60}), image.Point{}, draw.Src)
		}
	}
	return img, boxes
}

// marks draws a frame around each box, and a label on it, as agents do.
func marks(img *image.RGBA, boxes []image.Rectangle, density int, seed uint64) *image.RGBA {
	dice := rand.New(rand.NewPCG(seed, 13))
	out := image.NewRGBA(img.Rect)
	draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
	for _, r := range boxes {
		c := image.NewUniform(color.RGBA{uint8(dice.IntN(180)), uint8(dice.IntN(120)), uint8(dice.IntN(180)), 255})
		for _, side := range []image.Rectangle{
			image.Rect(r.Min.X-2*density, r.Min.Y-2*density, r.Max.X+2*density, r.Min.Y),
			image.Rect(r.Min.X-2*density, r.Max.Y, r.Max.X+2*density, r.Max.Y+2*density),
			image.Rect(r.Min.X-2*density, r.Min.Y, r.Min.X, r.Max.Y),
			image.Rect(r.Max.X, r.Min.Y, r.Max.X+2*density, r.Max.Y),
			image.Rect(r.Min.X, r.Min.Y-14*density, r.Min.X+34*density, r.Min.Y)} {
			draw.Draw(out, side, c, image.Point{}, draw.Src)
		}
	}
	return out
}

// A picture of a page of few words, with boxes around its elements, is that page's, at every size that agents send; with
// boxes around those of another page it is not, and neither is one without boxes.
func TestLocateMarked(t *testing.T) {
	for _, density := range []int{1, 2} {
		for seed := range uint64(testneed.Cases(1, 3, 8)) {
			img, boxes := words(seed, 700, 400, density)
			other, others := words(seed+100, 700, 400, density)
			known := Marked{boxes, boxes, boxes}
			marked := marks(img, boxes, density, seed)
			bar := image.NewRGBA(image.Rect(0, 0, marked.Rect.Dx()+15*density, marked.Rect.Dy()))
			draw.Draw(bar, bar.Rect, image.White, image.Point{}, draw.Src)
			draw.Draw(bar, marked.Rect, marked, image.Point{}, draw.Src)
			for _, scale := range []float64{1, 1 / float64(density), 0.75} {
				for name, shown := range map[string]image.Image{"": marked, " with a scroll bar": bar} {
					at := Locate(img, sent(t, shown, shown.Bounds(), scale), float64(density), known)
					require.GreaterOrEqual(t, at.Score, leastMarked, "seed %d, density %d, scale %g%s", seed, density, scale, name)
					require.False(t, at.Cropped || at.Scrolled, name)
					for _, x := range []float64{0, 350, 700} {
						off := at.X + x*float64(density)*scale/at.ScaleX - x*float64(density)
						require.InDelta(t, 0, off, 2.5*float64(density), "x %g of seed %d, scale %g%s", x, seed, scale, name)
					}
				}
				for what, shown := range map[string]*image.RGBA{"of another page": marks(other, others, density, seed),
					"of another page, without boxes": other} {
					at := Locate(img, sent(t, shown, shown.Rect, scale), float64(density), known)
					require.Less(t, at.Score, leastMarked, "%s: seed %d, density %d, scale %g", what, seed, density, scale)
				}
			}
		}
	}
}

// What is marked has a size, is in view, and is known once.
func TestMarkedIn(t *testing.T) {
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 800, Height: 600, Scale: 2}}
	add := func(ref int, box snapshot.Box, view bool, by ...string) {
		c.Nodes = append(c.Nodes, snapshot.Node{Ref: ref, Box: box, InViewport: view, Visible: true, Interactive: by})
	}
	add(0, snapshot.Box{10, 10.5, 50, 20}, true) // what is around the next one, as large
	add(1, snapshot.Box{10, 10.5, 50, 20}, true, "native")
	add(2, snapshot.Box{10, 10.5, 50, 20}, true) // the same box
	add(3, snapshot.Box{10, 50, 50, 20}, true)
	add(0, snapshot.Box{0, 0, 800, 600}, true)
	add(4, snapshot.Box{10, 900, 50, 20}, false, "native")
	add(5, snapshot.Box{10, 90, 50, 3}, true, "native")
	one, three := image.Rect(20, 21, 120, 61), image.Rect(20, 100, 120, 140)
	require.Equal(t, Marked{{one}, {one, three}, {one, three, image.Rect(0, 0, 1600, 1200)}}, MarkedIn(c))
}
