package overlay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
)

func TestCut(t *testing.T) {
	r := image.Rect
	tests := map[string]struct {
		size, tile image.Point
		want       []image.Rectangle
	}{
		"nothing":             {image.Pt(0, 100), image.Pt(10, 10), nil},
		"no tile":             {image.Pt(10, 100), image.Pt(0, 10), nil},
		"one that fits":       {image.Pt(1280, 720), image.Pt(1280, 720), []image.Rectangle{r(0, 0, 1280, 720)}},
		"smaller than a tile": {image.Pt(300, 200), image.Pt(1280, 720), []image.Rectangle{r(0, 0, 300, 200)}},
		"one px more": {image.Pt(1280, 721), image.Pt(1280, 720),
			[]image.Rectangle{r(0, 0, 1280, 720), r(0, 1, 1280, 721)}},
		"a tenth overlaps": {image.Pt(100, 190), image.Pt(100, 100),
			[]image.Rectangle{r(0, 0, 100, 100), r(0, 90, 100, 190)}},
		"and more at the end": {image.Pt(100, 200), image.Pt(100, 100),
			[]image.Rectangle{r(0, 0, 100, 100), r(0, 90, 100, 190), r(0, 100, 100, 200)}},
		"rows before columns": {image.Pt(150, 150), image.Pt(100, 100),
			[]image.Rectangle{r(0, 0, 100, 100), r(50, 0, 150, 100), r(0, 50, 100, 150), r(50, 50, 150, 150)}},
		"tiles of a single px": {image.Pt(1, 3), image.Pt(1, 1),
			[]image.Rectangle{r(0, 0, 1, 1), r(0, 1, 1, 2), r(0, 2, 1, 3)}},
		"an overlap rounded up": {image.Pt(10, 30), image.Pt(10, 15),
			[]image.Rectangle{r(0, 0, 10, 15), r(0, 13, 10, 28), r(0, 15, 10, 30)}},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, Cut(c.size, c.tile)) })
	}
}

// Tiles are inside the picture, no larger than requested, overlap enough, and leave no
// px out.
func FuzzCut(f *testing.F) {
	f.Add(1280, 40_000, 1280, 720)
	f.Add(3, 7, 2, 5)
	f.Fuzz(func(t *testing.T, w, h, tw, th int) {
		size, tile := image.Pt(w&0xfff, h&0xffff), image.Pt(20+tw&0x7ff, 20+th&0x7ff)
		if size.X == 0 || size.Y == 0 {
			return
		}
		tiles := Cut(size, tile)
		reached := image.Point{} // of the row above and of the row itself
		top := image.Rectangle{}
		for _, r := range tiles {
			require.True(t, r.In(image.Rectangle{Max: size}))
			require.Equal(t, image.Pt(min(tile.X, size.X), min(tile.Y, size.Y)), r.Size())
			if r.Min.X == 0 {
				require.LessOrEqual(t, r.Min.Y, max(0, reached.Y-(tile.Y+9)/10))
				require.True(t, top.Empty() || reached.X == size.X)
				reached = image.Pt(0, r.Max.Y)
			}
			require.LessOrEqual(t, r.Min.X, max(0, reached.X-(tile.X+9)/10))
			reached.X, top = r.Max.X, r
		}
		require.Equal(t, size, reached)
	})
}

// rowsPage is a page of n rows of 100 CSS px with a button in each and one element that
// is taller than a tile.
func rowsPage(n int, scale float64) *snapshot.Capture {
	h := float64(n * 100)
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 1280, Height: h, Scale: scale}}
	add := func(n snapshot.Node) {
		n.I = len(c.Nodes)
		n.Parent = min(0, n.I-1)
		n.Verdict, n.Visible = snapshot.VerdictRef, true
		c.Nodes = append(c.Nodes, n)
	}
	add(snapshot.Node{Tag: "body", Box: snapshot.Box{0, 0, 1280, h}, InViewport: true})
	c.Nodes[0].Verdict = snapshot.VerdictWrapper
	for k := range n {
		y := float64(100 * k)
		cover := len(c.Nodes) + 2
		add(snapshot.Node{Tag: "button", Role: "button", Name: fmt.Sprintf("Row %d", k), Ref: 2*k + 1,
			Box: snapshot.Box{40, y + 40, 100, 30}, InViewport: true,
			Interactive: []string{"native"}, TextRects: []snapshot.Box{{50, y + 45, 80, 20}}})
		add(snapshot.Node{Tag: "a", Role: "link", Name: "covered", Ref: 2*k + 2, Box: snapshot.Box{600, y + 40, 100, 30},
			InViewport: true, Interactive: []string{"native"},
			Occlusion: &snapshot.Occlusion{State: snapshot.Covered, Coverer: &cover, Click: [2]float64{650, y + 55},
				Points: [][3]float64{{650, y + 55, float64(cover)}}}})
	}
	add(snapshot.Node{Tag: "img", Role: "img", Name: "tall", Ref: 2*n + 1, Box: snapshot.Box{1000, 300, 200, 2000},
		InViewport: true})
	add(snapshot.Node{Tag: "a", Role: "link", Name: "away", Ref: 2*n + 2, Box: snapshot.Box{10, h + 500, 100, 20},
		Interactive: []string{"native"}})
	return c
}

func names(k int) string { return fmt.Sprintf("page-%d.png", k+1) }

func TestTilingHasEveryRefOnce(t *testing.T) {
	for _, scale := range []float64{1, 1.25, 2} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			c := rowsPage(30, scale)
			size := image.Pt(int(1280*scale), int(3000*scale))
			tiles := Cut(size, image.Pt(TileWidth, TileHeight))
			tiling := NewTiling(c, size, tiles, nil, Options{})
			m := tiling.Manifest(names)
			require.Len(t, m.Images, len(tiles))
			require.Len(t, m.Marks, 62)
			perImage := make([]int, len(tiles))
			for i, k := range m.Marks {
				require.Equal(t, i+1, k.Ref)
				img := m.Images[k.Image]
				if k.Status == Offscreen {
					require.Equal(t, 62, k.Ref)
					continue
				}
				perImage[k.Image]++
				n := c.ByRef(k.Ref)
				// The box, moved back by its tile, is where the element is.
				require.InDelta(t, n.Box.X()*scale, k.Box[0]+float64(img.Tile[0]), 1)
				require.InDelta(t, n.Box.Y()*scale, k.Box[1]+float64(img.Tile[1]), 1)
				label := k.Label
				require.NotNil(t, label, "ref %d", k.Ref)
				require.True(t, image.Rect(int(label[0]), int(label[1]), int(label[0]+label[2]),
					int(label[1]+label[3])).In(image.Rect(0, 0, img.Width, img.Height)))
				// No other tile shows more of it.
				whole := image.Rect(int(n.Box.X()*scale), int(n.Box.Y()*scale), int(n.Box.Right()*scale), int(n.Box.Bottom()*scale))
				for j, r := range tiles {
					if j != k.Image {
						require.LessOrEqual(t, geometry.Common(r, whole), geometry.Common(tiles[k.Image], whole)+int(4*scale*float64(whole.Dy())),
							"ref %d on tile %d, not %d", k.Ref, k.Image, j)
					}
				}
			}
			legend := tiling.Legend(names)
			require.Equal(t, len(tiles), strings.Count(legend, "Image "))
			require.Equal(t, 61+len(tiles), strings.Count(legend, "\n"))
			require.Contains(t, legend, "Image 2: page-2.png, 1280 x 720 px at ")
			require.Zero(t, m.Quality.LabelOverlaps)
			require.Zero(t, m.Quality.LabelsOffImage)
			for k, img := range m.Images {
				require.NotNil(t, img.Quality)
				shown := 0
				for _, mark := range tiling.Tiles()[k].Scene.Marks() {
					if mark.shown(ViewQA) {
						shown++
					}
				}
				require.Equal(t, perImage[k], shown)
			}
		})
	}
}

func TestMostIn(t *testing.T) {
	r := image.Rect
	tiles := []image.Rectangle{r(0, 0, 100, 100), r(90, 0, 190, 100), r(180, 0, 280, 100)}
	for name, c := range map[string]struct {
		rects []image.Rectangle
		want  int
	}{
		"nowhere":                   {[]image.Rectangle{r(300, 0, 310, 10)}, -1},
		"on one":                    {[]image.Rectangle{r(120, 0, 130, 10)}, 1},
		"whole on both: the first":  {[]image.Rectangle{r(91, 0, 99, 10)}, 0},
		"whole on the second":       {[]image.Rectangle{r(91, 0, 101, 10)}, 1},
		"on three: where it begins": {[]image.Rectangle{r(8, 0, 280, 10)}, 0},
		"but not by a corner":       {[]image.Rectangle{r(80, 0, 280, 10)}, 1},
		"two lines together":        {[]image.Rectangle{r(60, 0, 180, 10), r(0, 10, 200, 20)}, 1},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, mostIn(tiles, c.rects)) })
	}
}

func TestTilingTiesGoToTheFirst(t *testing.T) {
	// A box in the middle of the overlap, all of it on both tiles.
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 100, Height: 190, Scale: 1}, Nodes: []snapshot.Node{
		{I: 0, Parent: -1, Tag: "button", Role: "button", Ref: 7, Box: snapshot.Box{10, 91, 40, 8}, InViewport: true,
			Visible: true, Verdict: snapshot.VerdictRef},
	}}
	size := image.Pt(100, 190)
	m := NewTiling(c, size, Cut(size, image.Pt(100, 100)), nil, Options{}).Manifest(names)
	require.Equal(t, 0, m.Marks[0].Image)
}

// Numbers run through all tiles, and a cover on another tile keeps its own.
func TestTilingRenumbers(t *testing.T) {
	c := rowsPage(20, 1)
	size := image.Pt(1280, 2000)
	tiling := NewTiling(c, size, Cut(size, image.Pt(1280, 720)), nil, Options{Renumber: true, View: ViewModel})
	seen := map[int]bool{}
	m := tiling.Manifest(names)
	for _, k := range m.Marks {
		if k.Status == Drawn {
			require.False(t, seen[k.Number])
			seen[k.Number] = true
			continue
		}
		require.Zero(t, k.Number)
	}
	for n := 1; n <= len(seen); n++ {
		require.True(t, seen[n])
	}
	require.Equal(t, 20, len(seen), "20 buttons; the picture cannot be acted on, and covered links are left out")
	require.Equal(t, 20, m.Counts[Covered])
}

func TestOneTileIsTheScene(t *testing.T) {
	c := rowsPage(7, 1)
	size := image.Pt(1280, 700)
	want := NewScene(c, size, Options{})
	tiling := NewTiling(c, size, Cut(size, image.Pt(1280, 720)), nil, Options{})
	a, err := json.Marshal(want.Manifest("x.png"))
	require.NoError(t, err)
	b, err := json.Marshal(tiling.Manifest(func(int) string { return "x.png" }))
	require.NoError(t, err)
	require.JSONEq(t, string(a), string(b))
	require.Equal(t, want.Legend(), tiling.Legend(names))
}

// Marks are placed at the size at which a tile is looked at.
func TestTilingFits(t *testing.T) {
	c := rowsPage(20, 2)
	size := image.Pt(2560, 4000)
	half := func(p image.Point) image.Point { return p.Div(2) }
	tiling := NewTiling(c, size, Cut(size, image.Pt(2560, 1440)), half, Options{})
	for _, tile := range tiling.Tiles() {
		require.Equal(t, image.Pt(1280, 720), tile.Scene.Size())
		x, y := tile.Scene.Scale()
		require.Equal(t, [2]float64{1, 1}, [2]float64{x, y})
	}
	k := tiling.Manifest(names).Marks[0]
	require.Equal(t, [4]float64{40, 40, 100, 30}, k.Box)
}

// A tile is the same picture whichever way it is made: its marks are those that a
// capture of that part alone would have.
func TestTilesAreTheSameTwice(t *testing.T) {
	c := rowsPage(30, 1)
	size := image.Pt(1280, 3000)
	draw := func() (out [][]byte) {
		for _, tile := range NewTiling(c, size, Cut(size, image.Pt(TileWidth, TileHeight)), nil, Options{}).Tiles() {
			img := image.NewRGBA(image.Rectangle{Max: tile.Scene.Size()})
			tile.Scene.Draw(img)
			out = append(out, img.Pix)
		}
		return out
	}
	first, second := draw(), draw()
	require.Equal(t, len(first), len(second))
	for k := range first {
		require.True(t, bytes.Equal(first[k], second[k]), "tile %d", k)
	}
}

// The capture that a tile is made of must not be that of the others.
func TestTilingLeavesTheCapture(t *testing.T) {
	c := rowsPage(20, 1)
	before, err := json.Marshal(c)
	require.NoError(t, err)
	size := image.Pt(1280, 2000)
	NewTiling(c, size, Cut(size, image.Pt(1280, 720)), nil, Options{})
	after, err := json.Marshal(c)
	require.NoError(t, err)
	require.JSONEq(t, string(before), string(after))
}

// checkTiling requires that tiles of a scene's picture have all of its refs, each on
// one, with labels that are on it.
func checkTiling(t *testing.T, c *snapshot.Capture, s *Scene, o Options) {
	t.Helper()
	tiling := NewTiling(c, s.Size(), Cut(s.Size(), image.Pt(100, 60)), nil, o)
	m := tiling.Manifest(names)
	require.Len(t, m.Marks, len(s.Marks()))
	for i, k := range m.Marks {
		require.Equal(t, s.Marks()[i].Ref, k.Ref)
		if k.Label != nil {
			img := m.Images[k.Image]
			label := image.Rect(int(k.Label[0]), int(k.Label[1]), int(k.Label[0]+k.Label[2]), int(k.Label[1]+k.Label[3]))
			require.True(t, label.In(image.Rect(0, 0, img.Width, img.Height)), "ref %d, label %v on %v", k.Ref, label, img)
		}
	}
	_, err := json.Marshal(m)
	require.NoError(t, err)
	tiling.Legend(names)
}

func BenchmarkTiling(b *testing.B) {
	c := rowsPage(400, 1)
	size := image.Pt(1280, 40_000)
	tiles := Cut(size, image.Pt(TileWidth, TileHeight))
	for b.Loop() {
		NewTiling(c, size, tiles, nil, Options{})
	}
}
