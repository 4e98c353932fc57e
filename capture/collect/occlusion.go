package collect

import "github.com/refscope/refscope/snapshot"

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

// own reports whether a hit is on the element, inside it, or on its own label.
func (f family) own(i, hit int, labels []int) bool {
	if f.inside(i, hit) {
		return true
	}
	for _, l := range labels {
		if f.inside(l, hit) {
			return true
		}
	}
	return false
}

// around reports whether a hit is no evidence: nothing known, or an ancestor. That
// means that the element is not painted there (rounded corners, gaps between lines).
func (f family) around(i, hit int) bool { return hit < 0 || hit < i && f.inside(hit, i) }

// foreign reports whether a hit is on something else.
func (f family) foreign(i, hit int, labels []int) bool {
	return !f.around(i, hit) && !f.own(i, hit, labels)
}

// occlude works out occlusion from the sampled points. The first point is the
// click point; the grid of them after it, if any, are spread evenly and give the
// shares, the rest only show whether there is a cover. Points where the element is
// not painted count neither way.
//
// State and hitShare are about clicks, visibleShare about a person. The two differ
// where an opaque layer ignores the pointer, and where what takes the pointer lets
// the element shine through. An element that ignores the pointer itself is clear
// whatever lies where, as no click is meant for it; a control that does is covered, as no click reaches it.
// visibleShare holds for both, and is 0 for what is transparent. What is clear has a hitShare of 1 where only what is
// around it was hit.
func occlude(node *snapshot.Node, points []sample, grid int, tree family, labels []int) *snapshot.Occlusion {
	if len(points) == 0 {
		return nil
	}
	o := &snapshot.Occlusion{Click: [2]float64{points[0].x, points[0].y}, State: snapshot.Clear}
	var mine, others, seen, hidden int // of the points that give the shares
	found := false                     // something else was hit somewhere
	votes, veils := map[int]int{}, map[int]int{}
	clickTaken := false
	for k, p := range points {
		around := tree.around(node.I, p.hit)
		foreign := !around && !tree.own(node.I, p.hit, labels)
		if !node.NoPointer {
			o.Points = append(o.Points, [3]float64{p.x, p.y, float64(p.hit)})
			o.ClickThrough = o.ClickThrough || p.through && !around && !foreign
		}
		switch {
		case p.layer >= 0:
			veils[p.layer]++
		case node.NoPointer && p.hidden && foreign:
			veils[p.cover]++
		}
		if foreign && !node.NoPointer {
			found = true
			votes[p.cover]++
			clickTaken = clickTaken || k == 0
		}
		if (grid > 0 && (k < 1 || k > grid)) || around && !node.NoPointer {
			continue
		}
		if p.hidden {
			hidden++
		} else {
			seen++
		}
		if foreign {
			others++
		} else {
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
	if mine+others > 0 && !node.NoPointer {
		o.HitShare = float64(mine) / float64(mine+others)
	}
	if node.NoPointer && len(node.Interactive) > 0 && node.Tag != "label" {
		// Somebody is to operate it, and every click goes to what lies below it.
		o.State, o.HitShare = snapshot.Covered, 0
		o.Coverer = coverer(veils)
		return o
	}
	if !found {
		o.Coverer = coverer(veils)
		return o
	}
	o.State = snapshot.Partly
	if clickTaken {
		o.State = snapshot.Covered
	}
	o.Coverer = coverer(votes)
	return o
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
