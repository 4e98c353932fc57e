package overlay

import (
	"image"
	"math"

	"github.com/refscope/refscope/overlay/geometry"
)

// grid finds rectangles near a place in constant time. It is a table of square
// cells over the picture, each with the indices of the rectangles that touch it.
//
// With a limit, a cell holds only the first so many indices: on a page that piles
// thousands of boxes on one spot the cost model then sees the first of them
// only, and the work stays linear.
type grid struct {
	cell, nx, ny int
	start        []int32
	items        []int32
}

// cellCap is the limit for everything that only weighs a place.
const cellCap = 48

// mostCells of a grid: what is known of them takes some MB.
const mostCells = 512 * 512

// cellOf is the side of a grid's cells in px: at least the given, and more on a picture so
// large, such as a page at 1600 %, that there would be more than mostCells. A page that is
// only long has as many as it needs: cells that hold more than cellCap marks say that there is no room.
func cellOf(size image.Point, least int) int {
	return max(least, int(math.Ceil(math.Sqrt(float64(size.X)*float64(size.Y)/mostCells))))
}

// newGrid indexes rectangles. Empty ones and parts outside size are left out. A
// limit of 0 means none.
func newGrid(size image.Point, cell, limit int, rects []image.Rectangle) *grid {
	g := &grid{cell: cell, nx: max(1, (size.X+cell-1)/cell), ny: max(1, (size.Y+cell-1)/cell)}
	n := g.nx * g.ny
	count := make([]int32, n)
	g.walk(rects, func(c int, _ int32) {
		if limit == 0 || int(count[c]) < limit {
			count[c]++
		}
	})
	g.start = make([]int32, n+1)
	for c := range n {
		g.start[c+1] = g.start[c] + count[c]
	}
	g.items = make([]int32, g.start[n])
	clear(count)
	g.walk(rects, func(c int, i int32) {
		if limit == 0 || int(count[c]) < limit {
			g.items[g.start[c]+count[c]] = i
			count[c]++
		}
	})
	return g
}

func (g *grid) walk(rects []image.Rectangle, add func(cell int, i int32)) {
	for i, r := range rects {
		x0, y0, x1, y1, ok := g.span(r)
		if !ok {
			continue
		}
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				add(y*g.nx+x, int32(i))
			}
		}
	}
}

// span is the range of cells that a rectangle touches, false for none.
func (g *grid) span(r image.Rectangle) (x0, y0, x1, y1 int, ok bool) {
	if r.Empty() || r.Max.X <= 0 || r.Max.Y <= 0 || r.Min.X >= g.nx*g.cell || r.Min.Y >= g.ny*g.cell {
		return 0, 0, 0, 0, false
	}
	return max(0, r.Min.X/g.cell), max(0, r.Min.Y/g.cell),
		min(g.nx-1, (r.Max.X-1)/g.cell), min(g.ny-1, (r.Max.Y-1)/g.cell), true
}

// finder asks one grid and returns each index once. It is not for concurrent use.
type finder struct {
	g     *grid
	seen  []int32 // by index: the number of the last query that returned it
	query int32
	buf   []int32
}

func newFinder(g *grid, n int) *finder { return &finder{g: g, seen: make([]int32, n)} }

// near lists the rectangles in the cells that r touches. The list is good until
// the next call. Its order depends on the rectangles only.
func (f *finder) near(r image.Rectangle) []int32 {
	f.buf = f.buf[:0]
	x0, y0, x1, y1, ok := f.g.span(r)
	if !ok {
		return f.buf
	}
	f.query++
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			c := y*f.g.nx + x
			for _, i := range f.g.items[f.g.start[c]:f.g.start[c+1]] {
				if f.seen[i] != f.query {
					f.seen[i] = f.query
					f.buf = append(f.buf, i)
				}
			}
		}
	}
	return f.buf
}

// occupancy is a grid that changes: the labels placed so far. The labels of a
// cell are a list through one shared slice, so that a frame of the window costs
// a few allocations and not one for each cell.
type occupancy struct {
	grid          // without start and items
	head  []int32 // by cell: index in links plus one, 0 for none
	links []link
	rects []image.Rectangle // by label; empty for none
}

// link is one label in one cell; next is like head.
type link struct{ label, next int32 }

func newOccupancy(size image.Point, cell, n int) *occupancy {
	o := &occupancy{rects: make([]image.Rectangle, n), links: make([]link, 0, 2*n)}
	o.cell, o.nx, o.ny = cell, max(1, (size.X+cell-1)/cell), max(1, (size.Y+cell-1)/cell)
	o.head = make([]int32, o.nx*o.ny)
	return o
}

// put places label i at r, instead of where it was.
func (o *occupancy) put(i int32, r image.Rectangle) {
	if x0, y0, x1, y1, ok := o.span(o.rects[i]); ok {
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				for at := &o.head[y*o.nx+x]; *at > 0; at = &o.links[*at-1].next {
					if l := &o.links[*at-1]; l.label == i {
						*at = l.next
						break
					}
				}
			}
		}
	}
	o.rects[i] = r
	if x0, y0, x1, y1, ok := o.span(r); ok {
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				c := y*o.nx + x
				o.links = append(o.links, link{i, o.head[c]})
				o.head[c] = int32(len(o.links))
			}
		}
	}
}

// overlap is how many px of r lie on labels other than i. Each cell counts what
// lies in it, so a label in two cells is not counted twice; where labels pile
// up, cellCap of them in a cell are enough to decide.
func (o *occupancy) overlap(i int32, r image.Rectangle) int {
	x0, y0, x1, y1, ok := o.span(r)
	if !ok {
		return 0
	}
	sum := 0
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			at := o.head[y*o.nx+x]
			if at == 0 {
				continue
			}
			part := r.Intersect(image.Rect(x*o.cell, y*o.cell, (x+1)*o.cell, (y+1)*o.cell))
			for n := 0; at > 0 && n < cellCap; n++ {
				l := o.links[at-1]
				if l.label != i {
					sum += geometry.Common(part, o.rects[l.label])
				}
				at = l.next
			}
		}
	}
	return sum
}

// free reports whether r lies on no label but i. A cell with more labels than
// fit side by side has no room, so the work stays bounded where they pile up.
func (o *occupancy) free(i int32, r image.Rectangle) bool {
	x0, y0, x1, y1, ok := o.span(r)
	if !ok {
		return true
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			at := o.head[y*o.nx+x]
			for n := 0; at > 0; n++ {
				l := o.links[at-1]
				if n > cellCap || l.label != i && geometry.Common(r, o.rects[l.label]) > 0 {
					return false
				}
				at = l.next
			}
		}
	}
	return true
}

// under appends the labels other than i that share a px with r, those of a cell
// that piles up only as far as cellCap. A label in two cells may appear twice.
func (o *occupancy) under(list []int32, i int32, r image.Rectangle) []int32 {
	x0, y0, x1, y1, ok := o.span(r)
	if !ok {
		return list
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			at := o.head[y*o.nx+x]
			for n := 0; at > 0 && n < cellCap; n++ {
				l := o.links[at-1]
				if l.label != i && geometry.Common(r, o.rects[l.label]) > 0 {
					list = append(list, l.label)
				}
				at = l.next
			}
		}
	}
	return list
}
