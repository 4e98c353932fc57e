package treemap

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/goldentest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokenmap"
)

// region makes a region with own tokens and what is inside it.
func region(parent int, kind, name string, b snapshot.Box, own, all int) tokenmap.Region {
	return tokenmap.Region{Region: dump.Region{Kind: kind, Name: name, Parent: parent, Own: dump.Amount{Tokens: own},
		All: dump.Amount{Tokens: all}},
		Box: b, Share: float64(all) / 1000, OwnShare: float64(own) / 1000, Depth: min(parent+1, 2)}
}

func shop() (*snapshot.Capture, *tokenmap.Map) {
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 640, Height: 400, Scale: 1}}
	m := &tokenmap.Map{Format: format.DDDK, Encoding: "o200k_base", Whole: dump.Amount{Tokens: 1000, Chars: 3500},
		Regions: []tokenmap.Region{
			region(-1, "page", "", snapshot.Box{0, 0, 640, 400}, 5, 1000),
			region(0, "header", "", snapshot.Box{0, 0, 640, 60}, 45, 45),
			region(0, "main", "", snapshot.Box{0, 60, 640, 900}, 20, 800),
			region(2, "section", "中文 \u202e\"x\"", snapshot.Box{20, 100, 600, 200}, 400, 400),
			region(2, "section", "A long name that does not fit on any label at all", snapshot.Box{20, 310, 40, 40}, 380, 380),
			region(0, "footer", "", snapshot.Box{0, 1000, 640, 100}, 150, 150),
			region(0, "aside", "", snapshot.Box{}, 0, 0),
			region(0, "nav", "", snapshot.Box{math.Inf(-1), math.NaN(), 1e300, 20}, 0, 0),
		}}
	return c, m
}

func ground(size image.Point) *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			img.SetRGBA(x, y, color.RGBA{uint8(x / 3), uint8(y / 2), uint8(200 - x/5), 255})
		}
	}
	return img
}

func TestPicture(t *testing.T) {
	c, m := shop()
	size := image.Pt(640, 400)
	tm, err := New(c, m, size)
	require.NoError(t, err)
	got := tm.Draw(ground(size))
	require.Equal(t, tm.Size(), got.Rect.Size())
	require.Equal(t, got.Pix, tm.Draw(ground(size)).Pix, "the same each time")
	goldentest.Picture(t, "shop", got)
}

func TestLabelsKeepApart(t *testing.T) {
	c, m := shop()
	for i := range 60 { // a crowd of regions, some tiny, some equal
		m.Regions = append(m.Regions, region(2, "form", fmt.Sprint(i),
			snapshot.Box{float64(20 + i%8*70), float64(100 + i/8*25), float64(5 + i*2), 22}, 1, 1))
	}
	tm, err := New(c, m, image.Pt(640, 400))
	require.NoError(t, err)
	require.Len(t, tm.Parts, len(m.Regions))
	labels := 0
	for i, p := range tm.Parts {
		if p.Label.Empty() {
			continue
		}
		labels++
		require.True(t, p.Label.In(p.Rect), "a label stands in its region: %d", i)
		for j, o := range tm.Parts[:i] {
			require.False(t, p.Label.Overlaps(o.Label), "%d on %d", i, j)
		}
	}
	require.Greater(t, labels, 20)
	require.Equal(t, "600 px below", tm.Parts[5].Away)
	require.Equal(t, "without a box", tm.Parts[6].Away)
	require.True(t, tm.Parts[5].Rect.Empty())
	require.Greater(t, tm.Size().Y, 400+maxRows*rowPx)
	require.Less(t, tm.Size().Y, 400+(maxRows+6)*rowPx)
}

// TestTintsAreInOrder: each step is darker than the one before it, so that they can be
// told apart without colours, and labels can be read.
func TestTintsAreInOrder(t *testing.T) {
	before := 2.0
	for _, s := range steps() {
		l := luminance(s.color)
		require.Less(t, l, before, s.words)
		before = l
		require.Equal(t, s.color, tintOf(s.from))
	}
	require.Greater(t, (luminance(plateText)+0.05)/(luminance(plateColor)+0.05), 7.0)
	require.Greater(t, (luminance(paper)+0.05)/(luminance(softInk)+0.05), 4.5)
	require.Equal(t, "<0.1 %", percent(0.0002))
	require.Equal(t, "100 %", percent(1))
}

// luminance is that of WCAG 2.
func luminance(c color.RGBA) float64 {
	lin := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

func TestPictureOfNothing(t *testing.T) {
	c, m := shop()
	c.Viewport = snapshot.Viewport{}
	tm, err := New(c, m, image.Pt(1, 1))
	require.NoError(t, err)
	img := image.NewRGBA(image.Rect(5, 5, 6, 6)) // its corner need not be at 0,0
	draw.Draw(img, img.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	require.Equal(t, tableWidth, tm.Draw(img).Rect.Dx())
}

func BenchmarkDraw(b *testing.B) {
	c, m := shop()
	size := image.Pt(1280, 720)
	img := ground(size)
	b.ReportAllocs()
	for b.Loop() {
		tm, err := New(c, m, size)
		if err != nil {
			b.Fatal(err)
		}
		tm.Draw(img)
	}
}
