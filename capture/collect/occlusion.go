package collect

import (
	"math"
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// sample is one sampled point of an element, in CSS px of the top viewport, and
// the node that a click there would reach (-1: none known).
type sample struct {
	x, y float64
	hit  int
	// cover is what lies over the element there where hit is something else: hit or what is around it.
	cover int
	// hidden: a person does not see the element there. through: a layer that ignores
	// the pointer lies over it there, and clicks arrive; layer is it, -1 for none.
	hidden, through bool
	layer           int
	// below: what is around it takes the click there and is painted over it, as over what has a negative z-index.
	below bool
}

// under applies the answer of an outer frame about a point. Where it shows its own frame
// element (own) there, the point is unchanged but for glass over that; else a
// click reaches what the outer frame shows.
func (s *sample) under(w probed, own bool) {
	if w.hit < 0 {
		return
	}
	if w.layer >= 0 && w.bits&(shadeHidden|shadeThrough) != 0 {
		s.layer = w.layer
	}
	if own {
		s.through = s.through || w.bits&shadeThrough != 0
		s.hidden = s.hidden || w.bits&shadeHidden != 0
		return
	}
	s.hit, s.cover, s.through = w.hit, w.cover, false
	s.hidden = s.hidden || w.bits&shadeSeen == 0
}

// family answers who is inside whom; parent gives the parent's index, -1 for none.
// Descendants have larger indices.
type family struct{ parent func(int) int }

func (f family) inside(outer, inner int) bool {
	for inner > outer {
		inner = f.parent(inner)
	}
	return inner == outer
}

// stand is what stands for a control: its labels, but for what is operated itself in them, such as a link, and what
// takes the presses for it. For a label its control stands.
type stand struct {
	labels, apart []int
	whole         bool // the control is where a label is, so what is apart is a gap in it, and no cover
}

// own reports whether a hit is on the element, inside it, or on its own label.
func (f family) own(i, hit int, by stand) bool {
	return f.inside(i, hit) || f.in(by.labels, hit) && !f.in(by.apart, hit)
}

// in reports whether a node is in one of those.
func (f family) in(outer []int, inner int) bool {
	return slices.ContainsFunc(outer, func(o int) bool { return f.inside(o, inner) })
}

// around reports whether a hit says nothing of a cover: nothing known, or an ancestor that is no label of it. That
// mostly means that the element is not painted there (rounded corners, gaps between lines).
func (f family) around(i, hit int, by stand) bool {
	return hit < 0 || !f.own(i, hit, by) && (hit < i && f.inside(hit, i) || by.whole && f.in(by.apart, hit))
}

// foreign reports whether a hit is on something else.
func (f family) foreign(i, hit int, by stand) bool {
	return !f.around(i, hit, by) && !f.own(i, hit, by)
}

// occlude works out occlusion from the sampled points. The first point is the
// click point; the grid of them after it, if any, are spread evenly and give the
// shares, the rest only show whether there is a cover. Points where the element is
// not painted count neither way. Where the first is one of them, the click point is another one.
//
// State and hitShare are about clicks, visibleShare about a person. The two differ
// where an opaque layer ignores the pointer, and where what takes the pointer lets
// the element shine through. An element that ignores the pointer itself is clear
// whatever lies where, as no click is meant for it; a control that does is covered, as no click reaches it, unless its
// label, or a part of it that heeds the pointer, takes the clicks there; and so is one of which each point is that of
// what is around it: it is inert, turned away, or lies below what holds it.
// visibleShare holds for both, and is 0 for what is transparent. What is no control is clear with a hitShare of 1 where
// only what is around it was hit.
func (t *tested) occlude(tree family) *snapshot.Occlusion {
	node, points := t.node, t.points
	if len(points) == 0 {
		return nil
	}
	aside := node.NoPointer && !slices.ContainsFunc(points, func(p sample) bool {
		return p.hit >= 0 && tree.own(node.I, p.hit, t.stand)
	})
	at := 0
	if tree.around(node.I, points[0].hit, t.stand) && !aside {
		at = t.deepest(tree)
	}
	o := &snapshot.Occlusion{Click: [2]float64{points[at].x, points[at].y}, State: snapshot.Clear}
	var mine, others, seen, hidden int // of the points that give the shares
	found := false                     // something else was hit somewhere
	votes, veils, gaps := map[int]int{}, map[int]int{}, map[int]int{}
	missed := 0 // points where what is around it was hit
	clickTaken := false
	for k, p := range points {
		around, foreign := tree.around(node.I, p.hit, t.stand), tree.foreign(node.I, p.hit, t.stand)
		if !aside {
			o.Points = append(o.Points, [3]float64{p.x, p.y, float64(p.hit)})
			o.ClickThrough = o.ClickThrough || p.through && !around && !foreign
		}
		switch {
		case p.layer >= 0:
			veils[p.layer]++
		case aside && p.hidden && foreign:
			veils[p.cover]++
		}
		if foreign && !aside {
			found = true
			votes[p.cover]++
			clickTaken = clickTaken || k == at
		}
		if around && p.hit >= 0 {
			missed++
			if !tree.inside(p.hit, node.I) {
				gaps[p.hit]++
			}
		}
		if (t.grid > 0 && (k < 1 || k > t.grid)) || around && !aside && !p.below {
			continue
		}
		if p.hidden {
			hidden++
		} else {
			seen++
		}
		switch {
		case foreign:
			others++
		case !p.below:
			mine++
		}
	}
	switch {
	case !node.Visible: // transparent: a click finds it, a person does not
	case seen+hidden > 0:
		o.VisibleShare = float64(seen) / float64(seen+hidden)
	default:
		o.VisibleShare = 1 // only ancestors were hit: it lets clicks through, but is seen
	}
	// Where nothing else takes a click there is nothing that it misses.
	o.HitShare = 1
	if mine+others > 0 && !aside {
		o.HitShare = float64(mine) / float64(mine+others)
	}
	control := len(node.Interactive) > 0 && (node.Tag != "label" || len(t.stand.labels) > 0)
	switch {
	case aside && control:
		// Somebody is to operate it, and every click goes to what lies below it.
		o.State, o.HitShare = snapshot.Covered, 0
		o.Coverer = coverer(veils)
	case control && t.solid && missed == len(points):
		o.State, o.HitShare = snapshot.Covered, 0
		o.Coverer = coverer(gaps)
	case !found:
		o.Coverer = coverer(veils)
	default:
		o.State = snapshot.Partly
		if clickTaken || !tree.own(node.I, points[at].hit, t.stand) {
			o.State = snapshot.Covered
		}
		o.Coverer = coverer(votes)
	}
	return o
}

// deepest is the place of the point of the element that lies farthest from its edges and from those where what is
// around it is hit, 0 where none is its own.
func (t *tested) deepest(tree family) int {
	best, farthest := 0, math.Inf(-1)
	box := t.node.VisibleBox()
	for k, p := range t.points {
		if !tree.own(t.node.I, p.hit, t.stand) {
			continue
		}
		nearest := min(p.x-box.X(), box.Right()-p.x, p.y-box.Y(), box.Bottom()-p.y)
		for _, q := range t.points {
			if tree.around(t.node.I, q.hit, t.stand) {
				nearest = min(nearest, math.Hypot(p.x-q.x, p.y-q.y))
			}
		}
		if nearest > farthest {
			best, farthest = k, nearest
		}
	}
	return best
}

// coverer names what covers: what took the most points, the first in document order where two
// took as many.
func coverer(votes map[int]int) *int {
	best, most := -1, 0
	for by, n := range votes {
		if n > most || n == most && by < best {
			best, most = by, n
		}
	}
	if best < 0 {
		return nil
	}
	return &best
}
