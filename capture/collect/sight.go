package collect

import "github.com/refscope/refscope/snapshot"

// sight is what the frames around a frame leave of it: the part of its viewport that
// the top one shows, and the boxes of what may lie over it, both in parts of its width
// and height, 0 to 1. A frame spends hit tests only on that part, and looks harder
// where such a box ends. Of a turned frame the part is everything or nothing.
func (r *reader) sight(j *childFrame) (*[4]float64, []float64) {
	up := j.up
	content := snapshot.Box{j.window.x, j.window.y, j.window.w, j.window.h}
	place := r.placings[up.frame]
	whole := place.box(content)
	seen := whole.Intersect(up.window).Intersect(up.nodes[j.k].VisibleBox()).Intersect(r.c.Viewport.Box())
	if whole.Empty() || seen.Empty() {
		return &[4]float64{}, nil
	}
	if j.window.turned || !place.straight() {
		return nil, nil
	}
	part := func(x, y float64) (float64, float64) { return (x - whole.X()) / whole.W(), (y - whole.Y()) / whole.H() }
	l, t := part(seen.X(), seen.Y())
	right, bottom := part(seen.Right(), seen.Bottom())
	var over []float64
	for _, b := range r.over(j) {
		if b = b.Intersect(seen); !b.Empty() {
			x, y := part(b.X(), b.Y())
			over = append(over, x, y, b.W()/whole.W(), b.H()/whole.H())
		}
	}
	return &[4]float64{l, t, right, bottom}, over
}

// over are the boxes, in the top viewport, of what the frames around saw lying over
// the frame element or over one of their own.
func (r *reader) over(j *childFrame) []snapshot.Box {
	boxes := append([]snapshot.Box(nil), j.up.over...)
	place := r.placings[j.up.frame]
	lists(j.up.cols.Over, len(j.up.cols.Parent), func(k int, e []float64) {
		for n := 0; k == j.k && n+3 < len(e); n += 4 {
			boxes = append(boxes, place.box(snapshot.Box{e[n], e[n+1], e[n+2], e[n+3]}))
		}
	})
	return boxes
}
