package overlay

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/goldentest"
	"github.com/refscope/refscope/snapshot"
)

// TestRegions: a crowded page is cut by what is on it, every mark is in one part, whole where
// there is room between boxes, and its picture keeps all promises.
func TestRegions(t *testing.T) {
	for name, p := range crowds() {
		t.Run(name, func(t *testing.T) {
			size := image.Pt(int(p.c.Viewport.Width), int(p.c.Viewport.Height))
			o := Options{View: ViewModel, Style: StyleClear}
			parts := Regions(p.c, size, o, ManyMarks, nil)
			whole := NewScene(p.c, size, o)
			n := len(whole.reading)
			if n > ManyMarks || !whole.crowded() {
				require.Equal(t, n <= ManyMarks, len(parts) == 1, "%d marks, %d parts", n, len(parts))
			}
			tiling := NewTiling(p.c, size, parts, Enlarged, o)
			seen, left := 0, 0
			for _, tile := range tiling.Tiles() {
				require.LessOrEqual(t, len(tile.Scene.reading), ManyMarks)
				seen += len(tile.Scene.reading)
				gates(t, tile.Scene)
				if len(parts) > 1 {
					require.Equal(t, whole.letters[0].height, tile.Scene.letters[0].height,
						"a part is enlarged to make room, so its numbers are not")
				}
				require.LessOrEqual(t, tile.Scene.quality().LeftOut, whole.quality().LeftOut)
				left += tile.Scene.quality().LeftOut
			}
			require.Equal(t, n, seen, "every mark is on one picture")
			require.LessOrEqual(t, left, whole.quality().LeftOut)
			t.Logf("%d marks in %d parts: %d left out, of the whole picture %d", n, len(parts), left, whole.quality().LeftOut)
		})
	}
	// What lies on one spot cannot be parted, and ends.
	p := newPage(1280, 720)
	for range 400 {
		p.target(0, "a", "x", snapshot.Box{100, 100, 30, 20})
	}
	require.NotEmpty(t, Regions(p.c, image.Pt(1280, 720), Options{}, ManyMarks, nil))
	require.Len(t, Regions(newPage(10, 10).c, image.Point{}, Options{}, ManyMarks, nil), 1)
}

// TestRegionsOfIcons: icons with hardly a px between them each have a number that is nearer to no other one.
func TestRegionsOfIcons(t *testing.T) {
	p := newPage(1280, 720)
	for i := range 700 {
		b := snapshot.Box{float64(i%40) * 32, float64(i/40) * 24, 32, 24}
		p.text(p.target(0, "button", "Icon", b), b.X()+12, b.Y()+4, "x", ink)
	}
	size, o := image.Pt(1280, 720), Options{View: ViewModel}
	parts := Regions(p.c, size, o, ManyMarks, nil)
	m := NewTiling(p.c, size, parts, Enlarged, o).Manifest(func(int) string { return "" })
	require.Equal(t, 700, m.Counts[Drawn], "%+v", m.Quality)
	require.Zero(t, m.Quality.LeftOut+m.Quality.Nearer+m.Quality.AsNear+m.Quality.TargetsHidden)
	for _, r := range parts {
		require.Less(t, r.Max.Y, 24*18+2*regionMargin, "no empty ground below the icons")
	}
}

// TestIndex: the index shows which picture has what.
func TestIndex(t *testing.T) {
	p := iconPage(200)
	for i := range 6 {
		y := 300 + 60*float64(i)
		p.text(p.target(0, "a", "A link", snapshot.Box{900, y, 90, lineH}), 900, y, "A link below", blue)
	}
	img := p.picture(t, 1)
	o := Options{View: ViewModel}
	tiling := NewTiling(p.c, img.Rect.Size(), Regions(p.c, img.Rect.Size(), o, 100, nil), nil, o)
	tiling.DrawIndex(img)
	goldentest.Picture(t, "index", img)
}
