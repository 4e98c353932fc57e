package collect

import (
	"context"

	"github.com/refscope/refscope/snapshot"
)

// Size of the grid of hit tests and bits of the top layer, shared with js/facts.js.
const (
	gridColumns = 12
	gridRows    = 8

	layerTop      = 1
	layerModal    = 2
	layerBackdrop = 4
)

// scrollFact reads one row of the scrollers column.
func scrollFact(r []float64) *snapshot.ScrollFact {
	f := &snapshot.ScrollFact{Range: r[1], RangeX: r[3], Virtual: r[4] == 1}
	if f.Range > 0 {
		f.Depth, f.HasMore = min(1, max(0, r[0]/r[1])), r[1]-r[0] > 1
	}
	if f.RangeX > 0 {
		f.DepthX, f.HasMoreX = min(1, max(0, r[2]/r[3])), r[3]-r[2] > 1
	}
	return f
}

// layerFact reads one row of the layers column.
func layerFact(r []int) *snapshot.Layer {
	l := &snapshot.Layer{Position: "absolute", Z: r[1], Top: r[2]&layerTop != 0, Modal: r[2]&layerModal != 0,
		Backdrop: r[2]&layerBackdrop != 0}
	switch r[0] {
	case 0:
		l.Position = "fixed"
	case 1:
		l.Position = "sticky"
	}
	return l
}

// grid is what a click reaches all over the viewport, followed into the frames that
// are shown there; nil where nothing lies over the page.
func (r *reader) grid(ctx context.Context) *snapshot.Grid {
	wanted := false
	for _, p := range r.parts {
		wanted = wanted || len(p.cols.Layers) > 0
	}
	top := r.parts[0]
	if !wanted {
		return nil
	}
	view := r.c.Viewport
	at := func(k int) (x, y float64) {
		return (float64(k%gridColumns) + 0.5) * view.Width / gridColumns,
			(float64(k/gridColumns) + 0.5) * view.Height / gridRows
	}
	g := &snapshot.Grid{Columns: gridColumns, Rows: gridRows, Hits: make([]int, gridColumns*gridRows)}
	if len(top.cols.Grid) == len(g.Hits) {
		for k, i := range top.cols.Grid {
			g.Hits[k] = -1
			if i >= 0 && i < len(top.ids) {
				g.Hits[k] = top.ids[i]
			}
		}
	} else { // no layer in the main frame itself
		var points []float64
		for k := range g.Hits {
			g.Hits[k] = -1
			x, y := at(k)
			points = append(points, x, y)
		}
		for k, w := range r.probe(ctx, top, points, nil) {
			g.Hits[k] = w.hit
		}
	}
	for _, p := range r.parts[1:] {
		owner, place := p.up.ids[p.owner], r.transforms[p.frame]
		var cells []int
		var points []float64
		for k, hit := range g.Hits {
			if hit == owner {
				x, y := place.Back(at(k))
				cells, points = append(cells, k), append(points, x, y)
			}
		}
		for j, w := range r.probe(ctx, p, points, nil) {
			if j < len(cells) && w.hit >= 0 {
				g.Hits[cells[j]] = w.hit
			}
		}
	}
	return g
}
