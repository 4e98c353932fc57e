package collect

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/refscope/refscope/snapshot"
)

// Bits of a sampled point, shared with js/glass.js. Without any, a person sees there
// what a click reaches.
const (
	shadeHidden  = 1 // opaque layers that ignore the pointer lie over the element
	shadeSeen    = 2 // something else takes the click, but lets the element through
	shadeThrough = 4 // the element is hit through a layer that ignores the pointer
)

// tested is an element with its sampled points.
type tested struct {
	node   *snapshot.Node
	points []sample
	grid   int   // how many points after the first are the grid of occlude
	stand  stand // a hit on it counts as one on the element
	solid  bool  // it is not too small, or no drawing, for its points: where all points miss it, so does every click
}

// occlusion turns the sampled points of every frame into facts. A point in a child
// frame counts only where each frame around it shows that frame there; else what
// the outer frame shows is the winner.
func (r *reader) occlusion(ctx context.Context) {
	tree := family{func(i int) int { return r.c.Nodes[i].Parent }}
	all := make([][]tested, len(r.parts))
	holds := map[*part]bool{}
	for at, p := range r.parts {
		all[at] = r.samples(p, tree)
		holds[p.up] = true
	}
	// From the innermost frames out: each frame is asked once, about all points of
	// the frames in it, and its answer overrides theirs.
	for at := len(r.parts) - 1; at >= 0; at-- {
		q := r.parts[at]
		if !holds[q] {
			continue
		}
		place := r.transforms[q.frame]
		var points []float64
		var asked []*sample
		var owners []int // places in q
		for in, p := range r.parts {
			owner := -1
			for up := p; up.up != nil; up = up.up {
				if up.up == q {
					owner = up.owner
				}
			}
			if owner < 0 {
				continue
			}
			for a := range all[in] {
				for b := range all[in][a].points {
					s := &all[in][a].points[b]
					x, y := place.Back(s.x, s.y)
					points = append(points, x, y)
					asked, owners = append(asked, s), append(owners, owner)
				}
			}
		}
		for j, w := range r.probe(ctx, q, points, owners) {
			if j < len(asked) {
				asked[j].under(w, tree.inside(q.ids[owners[j]], w.hit))
			}
		}
	}
	for at := range r.parts {
		for _, one := range all[at] {
			if one.node.InViewport && (r.area == [2]float64{} || encloses(r.window, one.node.VisibleBox())) {
				one.node.Occlusion = one.occlude(tree)
			}
		}
	}
}

// encloses reports whether all of b lies in the window.
func encloses(window, b snapshot.Box) bool {
	return b.X() >= window.X() && b.Y() >= window.Y() && b.Right() <= window.Right() && b.Bottom() <= window.Bottom()
}

// samples are the points that a frame's own walk tested, in the top viewport.
func (r *reader) samples(p *part, tree family) []tested {
	c := r.c
	at := r.transforms[p.frame]
	stands := map[int]stand{}
	lists(p.cols.Labels, len(p.ids), func(k int, e []int) {
		var by stand
		for _, l := range e {
			if label := c.Node(p.id(l)); label != nil {
				by.labels = append(by.labels, label.I)
				by.whole = by.whole || label.Box == c.Nodes[p.ids[k]].Box
			} else if inside := p.id(^l); inside >= 0 {
				by.apart = append(by.apart, inside)
			}
		}
		stands[k] = by
	})
	type shade struct{ bits, layer, cover int }
	shades := map[[2]int]shade{} // by element and point
	lists(p.cols.Shades, len(p.ids), func(k int, e []int) {
		for j := 0; j+3 < len(e); j += 4 {
			shades[[2]int{k, e[j]}] = shade{e[j+1], p.id(e[j+2]), p.id(e[j+3])}
		}
	})
	var all []tested
	lists(p.cols.Hits, len(p.ids), func(k int, e []float64) {
		n := &c.Nodes[p.ids[k]]
		one := tested{node: n, stand: stands[k]}
		if host, ok := p.hosts[n.I]; ok {
			one.stand.labels = append(one.stand.labels, host)
		}
		if len(e) > 0 {
			one.grid = int(e[0])
		}
		grid := one.grid
		seen := n.VisibleBox()
		one.solid = grid > 0 && min(seen.W(), seen.H()) >= 1 || !drawn(c, n) && min(n.Box.W(), n.Box.H()) >= leastSolid
		for j := 1; j+2 < len(e); j += 3 {
			at3 := (j - 1) / 3
			s := sample{x: e[j], y: e[j+1], hit: p.id(int(e[j+2]))}
			if p.up != nil {
				s.x, s.y = at.Point(e[j], e[j+1])
				s.x, s.y = hundredth(s.x), hundredth(s.y)
				if !seen.Contains(s.x, s.y) && len(n.Rects) == 0 || !c.Viewport.Box().Contains(s.x, s.y) {
					if at3 >= 1 && at3 <= grid {
						one.grid--
					}
					continue
				}
			}
			v, shaded := shades[[2]int{k, at3}]
			s.hidden = tree.foreign(n.I, s.hit, one.stand)
			s.cover = s.hit
			if shaded {
				s.cover = v.cover
				s.hidden = v.bits&shadeHidden != 0 || s.hidden && v.bits&shadeSeen == 0
				s.through, s.layer = v.bits&shadeThrough != 0, v.layer
				s.below = v.bits&(shadeHidden|shadeSeen) != 0 && tree.around(n.I, s.hit, one.stand)
			} else {
				s.layer = -1
			}
			one.points = append(one.points, s)
		}
		all = append(all, one)
	})
	return all
}

// leastSolid is how thin a box may be so that its few points tell where it is, CSS px: hit tests are on whole pixels.
const leastSolid = 4

// drawn reports whether an element is a part of a drawing: a thin line in a large box.
func drawn(c *snapshot.Capture, n *snapshot.Node) bool {
	for up := c.Node(n.Parent); up != nil; up = c.Node(up.Parent) {
		switch up.Tag {
		case "svg", "math":
			return true
		case "foreignObject":
			return false
		}
	}
	return n.Tag == "area"
}

// id is the capture's index of an element by its place in this part, -1 for none.
func (p *part) id(place int) int {
	if place < 0 || place >= len(p.ids) {
		return -1
	}
	return p.ids[place]
}

// probed is what a frame shows at a point: the winner of the hit test and, where an
// owner was requested, how that is seen there and what covers it. Indices of the capture, -1 for none.
type probed struct{ hit, bits, layer, cover int }

// probe asks a frame which of its elements it shows at the points. With owners, one
// for each point, the answers also contain how that element is seen there.
func (r *reader) probe(ctx context.Context, p *part, points []float64, owners []int) []probed {
	if len(points) == 0 {
		return nil
	}
	failed := func(err error) []probed {
		r.c.Failed = append(r.c.Failed, snapshot.Failure{Layer: "hit", Frame: p.frame,
			Why: "frames inside could not be hit tested from here: " + err.Error()})
		return nil
	}
	width := 1
	arg, err := json.Marshal(points)
	if err == nil && owners != nil {
		var more []byte
		more, err = json.Marshal(owners)
		arg, width = append(append(arg, ','), more...), 4
	}
	if err != nil {
		return failed(err)
	}
	src := r.sources[p.frame]
	text, err := src.session.Eval(ctx, src.frame, "globalThis.__refscope.probe("+string(arg)+")")
	var answer []int
	if err == nil {
		err = json.Unmarshal([]byte(text), &answer)
	}
	if err == nil && len(answer) != len(points)/2*width {
		err = fmt.Errorf("%d answers for %d points", len(answer), len(points)/2)
	}
	if err != nil {
		return failed(err)
	}
	out := make([]probed, 0, len(points)/2)
	for j := 0; j < len(answer); j += width {
		one := probed{hit: p.id(answer[j]), layer: -1, cover: p.id(answer[j])}
		if width == 4 {
			one.bits, one.layer, one.cover = answer[j+1], p.id(answer[j+2]), p.id(answer[j+3])
		}
		out = append(out, one)
	}
	return out
}
