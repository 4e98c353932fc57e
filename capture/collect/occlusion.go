package collect

import "github.com/refscope/refscope/snapshot"

// sample is one sampled point of an element, in CSS px of the top viewport, and
// the node that a click there would reach (-1: none known).
type sample struct {
	x, y float64
	hit  int
}

// occlude works out occlusion from the sampled points. The first point is the
// click point; the grid of them after it, if any, are spread evenly and give the
// shares, the rest only tell whether there is a cover. Own are hits on the element, inside it, or on its own label; a hit
// on an ancestor means that the element is not painted there (rounded corners,
// gaps between lines), so such a point counts neither way.
func occlude(node *snapshot.Node, points []sample, grid int, parent func(int) int, labels []int) *snapshot.Occlusion {
	if len(points) == 0 {
		return nil
	}
	inside := func(outer, inner int) bool {
		for inner > outer {
			inner = parent(inner)
		}
		return inner == outer
	}
	own := func(hit int) bool {
		if inside(node.I, hit) {
			return true
		}
		for _, l := range labels {
			if inside(l, hit) {
				return true
			}
		}
		return false
	}
	o := &snapshot.Occlusion{Click: [2]float64{points[0].x, points[0].y}, State: snapshot.Clear}
	if node.NoPointer {
		// A click passes through it whatever lies where: hits say nothing of cover.
		o.VisibleShare = 1
		return o
	}
	mine, others := 0, 0 // of the points that give the shares
	found := false       // something else was hit somewhere
	votes := map[int]int{}
	clickTaken := false
	for k, p := range points {
		o.Points = append(o.Points, [3]float64{p.x, p.y, float64(p.hit)})
		counts := grid == 0 || k >= 1 && k <= grid
		switch {
		case p.hit < 0 || p.hit < node.I && inside(p.hit, node.I):
		case own(p.hit):
			if counts {
				mine++
			}
		default:
			if counts {
				others++
			}
			found = true
			votes[p.hit]++
			clickTaken = clickTaken || k == 0
		}
	}
	if mine+others > 0 {
		share := float64(mine) / float64(mine+others)
		o.HitShare, o.VisibleShare = share, share
	} else {
		o.VisibleShare = 1 // only ancestors were hit: it lets clicks through, but is seen
	}
	if !found {
		return o
	}
	o.State = snapshot.Partly
	if clickTaken {
		o.State = snapshot.Covered
	}
	o.Coverer = coverer(votes, parent, inside, node.I)
	return o
}

// coverer names what covers: of the elements hit, the outermost ancestor that does
// not also hold the covered element, for the hit with the most points (the first
// in document order where two have as many).
func coverer(votes map[int]int, parent func(int) int, inside func(outer, inner int) bool, covered int) *int {
	tops := map[int]int{}
	for hit, n := range votes {
		top := hit
		for up := parent(top); up >= 0 && !inside(up, covered); up = parent(up) {
			top = up
		}
		tops[top] += n
	}
	best, most := -1, 0
	for top, n := range tops {
		if n > most || n == most && top < best {
			best, most = top, n
		}
	}
	if best < 0 {
		return nil
	}
	return &best
}
