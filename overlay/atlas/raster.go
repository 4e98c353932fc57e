package atlas

import (
	"slices"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/refscope/refscope/overlay/geometry"
)

// Outlines are filled here and not with x/image/vector because that works in
// float32, and a compiler may fuse its multiply-adds on one processor and not on
// another. Marked pictures have to be equal pixel for pixel on all of them, so
// everything from the font's scaled outline on is integers.

const (
	unit      = 1024 // of one px; outlines come in 64ths
	subRows   = 16   // sample rows per px; along a row coverage is exact
	rowStep   = unit / subRows
	maxSpline = 8 // line pieces per curve
)

type (
	point struct{ x, y int }
	edge  struct{ a, b point } // a.y < b.y
	// crossing is where a sample row meets an edge; dir is +1 downwards.
	crossing struct{ x, dir int }
)

// outline flattens the segments of a glyph into edges with their directions.
// The y axis points down.
func outline(segs sfnt.Segments) (edges []edge, dirs []int) {
	var start, pen point
	line := func(to point) {
		switch {
		case pen.y < to.y:
			edges, dirs = append(edges, edge{pen, to}), append(dirs, 1)
		case pen.y > to.y:
			edges, dirs = append(edges, edge{to, pen}), append(dirs, -1)
		}
		pen = to
	}
	at := func(p fixed.Point26_6) point { return point{int(p.X) * (unit / 64), int(p.Y) * (unit / 64)} }
	for _, s := range segs {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			line(start)
			pen = at(s.Args[0])
			start = pen
		case sfnt.SegmentOpLineTo:
			line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p, q, r := pen, at(s.Args[0]), at(s.Args[1])
			for i := 1; i <= maxSpline; i++ {
				u, v := maxSpline-i, i
				mix := func(p, q, r int) int {
					return geometry.FloorDiv(u*u*p+2*u*v*q+v*v*r, maxSpline*maxSpline)
				}
				line(point{mix(p.x, q.x, r.x), mix(p.y, q.y, r.y)})
			}
		case sfnt.SegmentOpCubeTo:
			p, q, r, w := pen, at(s.Args[0]), at(s.Args[1]), at(s.Args[2])
			for i := 1; i <= maxSpline; i++ {
				u, v := maxSpline-i, i
				mix := func(p, q, r, w int) int {
					return geometry.FloorDiv(u*u*u*p+3*u*u*v*q+3*u*v*v*r+v*v*v*w, maxSpline*maxSpline*maxSpline)
				}
				line(point{mix(p.x, q.x, r.x, w.x), mix(p.y, q.y, r.y, w.y)})
			}
		}
	}
	line(start)
	return edges, dirs
}

// fill turns an outline into a mask by the non-zero rule.
func fill(segs sfnt.Segments) *glyph {
	edges, dirs := outline(segs)
	if len(edges) == 0 {
		return &glyph{} // a space
	}
	x0, y0, x1, y1 := edges[0].a.x, edges[0].a.y, edges[0].a.x, edges[0].b.y
	for _, e := range edges {
		x0, x1 = min(x0, e.a.x, e.b.x), max(x1, e.a.x, e.b.x)
		y0, y1 = min(y0, e.a.y), max(y1, e.b.y)
	}
	g := &glyph{ox: geometry.FloorDiv(x0, unit), oy: geometry.FloorDiv(y0, unit)}
	g.w, g.h = geometry.FloorDiv(x1+unit-1, unit)-g.ox, geometry.FloorDiv(y1+unit-1, unit)-g.oy
	g.pix = make([]uint8, g.w*g.h)
	cover := make([]int, g.w)
	var cross []crossing
	var active []int // edges that this row meets
	for row := range g.h {
		clear(cover)
		active = active[:0]
		for i, e := range edges {
			if e.a.y < (g.oy+row+1)*unit && e.b.y > (g.oy+row)*unit {
				active = append(active, i)
			}
		}
		for sub := range subRows {
			y := (g.oy+row)*unit + sub*rowStep + rowStep/2
			cross = cross[:0]
			for _, i := range active {
				if e := edges[i]; e.a.y <= y && y < e.b.y {
					x := e.a.x + geometry.FloorDiv((y-e.a.y)*(e.b.x-e.a.x), e.b.y-e.a.y)
					cross = append(cross, crossing{x - g.ox*unit, dirs[i]})
				}
			}
			slices.SortFunc(cross, func(a, b crossing) int { return a.x - b.x })
			wind := 0
			for i := 0; i+1 < len(cross); i++ {
				wind += cross[i].dir
				if wind != 0 {
					span(cover, cross[i].x, cross[i+1].x)
				}
			}
		}
		for x, c := range cover {
			const full = unit * subRows
			g.pix[row*g.w+x] = uint8((min(c, full)*255 + full/2) / full)
		}
	}
	return g
}

// span adds the stretch from a to b, in units from the mask's left edge.
func span(cover []int, a, b int) {
	for x := a / unit; x < len(cover) && x*unit < b; x++ {
		cover[x] += min(b, (x+1)*unit) - max(a, x*unit)
	}
}
