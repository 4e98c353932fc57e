package overlay

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// The size of a tile in px: no vendor of vision models shrinks a picture of that size
// (som.md 2.5).
const (
	TileWidth  = 1280
	TileHeight = 720
)

// tileOverlap is the part of a tile that the next one shows again, in percent, so
// that what is cut by the edge of the one is whole in the other.
const tileOverlap = 10

// Cut cuts a picture of that size in px into tiles of at most the size of tile, in
// rows from the top and in each row from the left. Neighbours overlap by a tenth of a
// tile at least: the last of a row or column is as large as the others and reaches
// back as far as that takes. A picture that is no larger is one tile; one without
// extent is none.
func Cut(size, tile image.Point) []image.Rectangle {
	if size.X <= 0 || size.Y <= 0 || tile.X <= 0 || tile.Y <= 0 {
		return nil
	}
	xs, ys := cutAxis(size.X, tile.X), cutAxis(size.Y, tile.Y)
	out := make([]image.Rectangle, 0, len(xs)*len(ys))
	for _, y := range ys {
		for _, x := range xs {
			out = append(out, image.Rect(x, y, min(x+tile.X, size.X), min(y+tile.Y, size.Y)))
		}
	}
	return out
}

// cutAxis is where the tiles begin on one axis.
func cutAxis(size, tile int) []int {
	step := max(1, tile-(tile*tileOverlap+99)/100)
	out := []int{0}
	for at := 0; at+tile < size; {
		at = min(at+step, size-tile)
		out = append(out, at)
	}
	return out
}

// Tiling is the marks of a picture that is cut into tiles. Every ref is on exactly
// one tile: the one that shows most of it, the first of those that show as much. Of
// what no tile shows whole, such as a heading as wide as a very wide page, nine tenths
// of the most are as much: it is then where it begins. It never changes once it is made
// and is safe for concurrent use.
type Tiling struct {
	whole *Scene
	tiles []Tile
	at    map[int]int // tile by ref; refs outside the picture are not in it
}

// Tile is one tile.
type Tile struct {
	// Rect is the part of the whole picture that it shows, px of that.
	Rect image.Rectangle
	// Scene is its marks, in px of the tile as it is drawn: at the size to which Rect
	// was resized.
	Scene *Scene
}

// portion is what a tile's scene knows of the whole.
type portion struct {
	refs    map[int]bool
	numbers map[int]int // of the labels, by ref, of all tiles
	// grown is that of the whole picture: a tile that is looked at larger has no larger labels, or the room that it
	// wins for them would be lost.
	grown float64
}

func (s *portion) owns(ref int) bool { return s == nil || s.refs[ref] }

func (s *portion) number(ref int) int {
	if s == nil {
		return 0
	}
	return s.numbers[ref]
}

// NewTiling makes the marks for tiles of a picture of that size in image px. Fit is
// the size at which a tile of a size will be looked at, and marks are placed at that
// size; nil leaves tiles as they are. One tile that is the whole picture is the scene
// that [NewScene] makes.
func NewTiling(
	c *snapshot.Capture, size image.Point, tiles []image.Rectangle, fit func(image.Point) image.Point, o Options,
) *Tiling {
	if fit == nil {
		fit = func(p image.Point) image.Point { return p }
	}
	if len(tiles) == 1 && tiles[0] == (image.Rectangle{Max: size}) {
		s := NewScene(c, fit(size), o)
		t := &Tiling{whole: s, tiles: []Tile{{tiles[0], s}}, at: map[int]int{}}
		for i := range s.marks {
			if len(s.marks[i].Rects) > 0 {
				t.at[s.marks[i].Ref] = 0
			}
		}
		return t
	}
	t := &Tiling{whole: NewScene(c, size, o), tiles: make([]Tile, len(tiles)), at: map[int]int{}}
	numbers := map[int]int{}
	refs := make([]map[int]bool, len(tiles))
	for k := range refs {
		refs[k] = map[int]bool{}
	}
	for i := range t.whole.marks {
		m := &t.whole.marks[i]
		numbers[m.Ref] = m.Number
		if k := mostIn(tiles, m.Rects); k >= 0 {
			t.at[m.Ref] = k
			refs[k][m.Ref] = true
		}
	}
	for k, r := range tiles {
		o.portion = &portion{refs[k], numbers, t.whole.grown}
		t.tiles[k] = Tile{r, NewScene(t.whole.part(r, refs[k]), fit(r.Size()), o)}
	}
	return t
}

// mostIn is the index of the tile that holds most of an element's rects, the first of
// those that hold as much (see [Tiling]); -1 where none holds any.
func mostIn(tiles []image.Rectangle, rects []image.Rectangle) int {
	held := func(tile image.Rectangle) (sum int) {
		for _, r := range rects {
			sum += geometry.Common(tile, r)
		}
		return sum
	}
	most, all := 0, 0
	for _, tile := range tiles {
		most = max(most, held(tile))
	}
	for _, r := range rects {
		all += geometry.Area(r)
	}
	least := most
	if most < all {
		least = most - most/10
	}
	for k := range tiles {
		if most > 0 && held(tiles[k]) >= least {
			return k
		}
	}
	return -1
}

// part is the capture as if its viewport were a part of the picture, image px: what
// reaches into it, the elements with the refs, what covers these, and all that these
// are in.
func (s *Scene) part(r image.Rectangle, refs map[int]bool) *snapshot.Capture {
	c := s.capture
	view := snapshot.Box{
		float64(r.Min.X) / s.scale.x, float64(r.Min.Y) / s.scale.y,
		float64(r.Dx()) / s.scale.x, float64(r.Dy()) / s.scale.y,
	}
	inView, keep := make([]bool, len(c.Nodes)), make([]bool, len(c.Nodes))
	take := func(p int) {
		for ; p >= 0 && !keep[p]; p = int(s.tree.parent[p]) {
			keep[p] = true
		}
	}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		b := n.VisibleBox()
		inView[p] = n.InViewport && b.X() < view.Right() && b.Right() > view.X() &&
			b.Y() < view.Bottom() && b.Bottom() > view.Y()
		// An element without a box of its own is where what it holds is.
		inView[p] = inView[p] || n.InViewport && refs[n.Ref]
		if inView[p] {
			take(p)
			if o := n.Occlusion; o != nil && o.Coverer != nil {
				take(s.tree.pos(*o.Coverer))
			}
		}
	}
	out := *c
	out.Viewport = snapshot.Viewport{Width: view.W(), Height: view.H(), Scale: c.Viewport.Scale}
	out.Nodes = nil
	for p := range c.Nodes {
		if keep[p] {
			out.Nodes = append(out.Nodes, moved(&c.Nodes[p], inView[p], -view.X(), -view.Y()))
		}
	}
	return &out
}

// moved is a node moved by dx, dy CSS px. It shares nothing with n that is moved.
func moved(n *snapshot.Node, inView bool, dx, dy float64) snapshot.Node {
	all := func(list []snapshot.Box) []snapshot.Box {
		list = slices.Clone(list)
		for i, b := range list {
			list[i] = b.Shift(dx, dy)
		}
		return list
	}
	m := *n
	m.InViewport = inView
	m.Box, m.Rects, m.TextRects = n.Box.Shift(dx, dy), all(n.Rects), all(n.TextRects)
	if n.Clip != nil {
		clip := n.Clip.Shift(dx, dy)
		m.Clip = &clip
	}
	if n.Occlusion != nil {
		o := *n.Occlusion
		o.Click[0], o.Click[1] = o.Click[0]+dx, o.Click[1]+dy
		o.Points = make([][3]float64, len(n.Occlusion.Points))
		for i, p := range n.Occlusion.Points {
			o.Points[i] = [3]float64{p[0] + dx, p[1] + dy, p[2]}
		}
		m.Occlusion = &o
	}
	return m
}

// Marked lists the parts of the picture whose tiles have a number.
func (t *Tiling) Marked() []image.Rectangle {
	var out []image.Rectangle
	for _, tile := range t.tiles {
		if len(tile.Scene.placed) > 0 {
			out = append(out, tile.Rect)
		}
	}
	return out
}

// Tiles lists the tiles in order. The slice is the tiling's own: read it only.
func (t *Tiling) Tiles() []Tile { return t.tiles }

// Manifest describes all pictures, under the file names that file gives for their
// indices. Every ref of the capture is in it once; one that is on no picture is
// described as by the first, in px of the whole.
func (t *Tiling) Manifest(file func(k int) string) Manifest {
	if len(t.tiles) == 1 && t.tiles[0].Scene == t.whole {
		m := t.tiles[0].Scene.Manifest(file(0))
		m.Images[0].Tile = tileOf(t.tiles[0].Rect)
		return m
	}
	out := t.whole.Manifest("")
	out.Images, out.Quality, out.Counts = make([]ManifestImage, 0, len(t.tiles)), Quality{}, map[Status]int{}
	parts := make([]Manifest, len(t.tiles))
	for k := range t.tiles {
		parts[k] = t.tiles[k].Scene.Manifest(file(k))
		q := parts[k].Quality
		img := parts[k].Images[0]
		img.Tile, img.Quality = tileOf(t.tiles[k].Rect), &q
		out.Images = append(out.Images, img)
		out.Quality.add(q)
	}
	next := make([]int, len(parts))
	for i := range out.Marks {
		if k, ok := t.at[out.Marks[i].Ref]; ok {
			// Both are in the order of refs.
			out.Marks[i] = parts[k].Marks[next[k]]
			out.Marks[i].Image = k
			next[k]++
		}
		out.Counts[out.Marks[i].Status]++
	}
	return out
}

func tileOf(r image.Rectangle) [4]int { return [4]int{r.Min.X, r.Min.Y, r.Dx(), r.Dy()} }

// add sums up the quality of several pictures.
func (q *Quality) add(o Quality) {
	if q.MinContrast == 0 {
		q.MinContrast, q.OutlineContrast = math.Inf(1), math.Inf(1)
	}
	q.MinContrast = min(q.MinContrast, o.MinContrast)
	q.OutlineContrast = min(q.OutlineContrast, o.OutlineContrast)
	q.LabelOverlaps += o.LabelOverlaps
	q.LabelsOffImage += o.LabelsOffImage
	q.LabelsOnStrangers += o.LabelsOnStrangers
	q.OwnTargetHidden += o.OwnTargetHidden
	q.LabelsHidden += o.LabelsHidden
	q.LabelsOnText += o.LabelsOnText
	q.Named += o.Named
	q.Leaders += o.Leaders
	q.SmallDigits += o.SmallDigits
	q.LeftOut += o.LeftOut
	q.TargetsHidden += o.TargetsHidden
	q.Nearer, q.AsNear = q.Nearer+o.Nearer, q.AsNear+o.AsNear
}

// Legend is the legend of each picture (see [Scene.Legend]) under a line that names
// it, where there are several:
//
//	head = "Image " number ": " file ", " width " x " height " px at " x "," y " of the page" LF
//
// Pictures count from 1. A line of page text never begins with a letter.
func (t *Tiling) Legend(file func(k int) string) string {
	if len(t.tiles) == 1 {
		return t.tiles[0].Scene.Legend()
	}
	var b strings.Builder
	for k := range t.tiles {
		r := t.tiles[k].Rect
		fmt.Fprintf(&b, "Image %d: %s, %d x %d px at %d,%d of the page\n", k+1,
			text.Cut(text.Line(file(k)), nameRunes+1), r.Dx(), r.Dy(), r.Min.X, r.Min.Y)
		b.WriteString(t.tiles[k].Scene.Legend())
	}
	return b.String()
}

// MinDigits is the height in image px of the smallest digits that models read well
// (som.md 4.3).
const MinDigits = 8

// Digits is how high digits of a page's ordinary text, 16 CSS px, are in a picture with
// that many px for one CSS px. Under [MinDigits] the picture should rather be tiles.
func Digits(scale float64) float64 { return round(scale*11.5, 1) }
