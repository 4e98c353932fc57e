package why

import (
	"cmp"
	"math"
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// What lies at a place, and in what order.
//
// A capture has no paint order. What it has are the positioned elements with their
// z-index and top layer ([snapshot.Layer]) and, where the collector asked Chrome, who
// wins a click at a point. So elements are put in the order of CSS 2.2, appendix E, as
// far as these facts go: top layer, then z-index, then document order, a later element
// over an earlier and a child over its parent. Where a sampled point lies within
// sampleReach of the place, its winner is put on top, because that was measured.

// sampleReach is how far a sampled point may be from the place, in CSS px each way.
const sampleReach = 4

// stackEntry is an element as the order of painting needs it.
type stackEntry struct {
	n    *snapshot.Node
	keys []layerKey // of the positioned elements around it and of itself, outermost first
}

// layerKey orders one positioned element among its siblings in the stacking order.
type layerKey struct {
	top, z, at int
}

func (k layerKey) compare(o layerKey) int {
	return cmp.Or(cmp.Compare(k.top, o.top), cmp.Compare(k.z, o.z), cmp.Compare(k.at, o.at))
}

// stack lists the nodes with their keys, in document order. Elements share the keys of
// the positioned element around them.
func stack(c *snapshot.Capture, t *snapshot.Tree) []stackEntry {
	out := make([]stackEntry, len(c.Nodes))
	for p := range c.Nodes {
		n := &c.Nodes[p]
		out[p].n = n
		if up := t.Position(n.Parent); up >= 0 && up < p {
			out[p].keys = out[up].keys
		}
		if l := n.Layer; l != nil {
			k := layerKey{z: l.Z, at: n.I}
			if l.Top {
				k.top = 1
				out[p].keys = nil // the top layer is above all that holds the element
			}
			out[p].keys = append(slices.Clip(out[p].keys), k)
		}
	}
	return out
}

// above is below zero where a is painted over b.
func above(a, b stackEntry) int {
	for i := 0; i < len(a.keys) || i < len(b.keys); i++ {
		switch {
		case i >= len(a.keys):
			return under(b.keys[i])
		case i >= len(b.keys):
			return -under(a.keys[i])
		}
		if d := a.keys[i].compare(b.keys[i]); d != 0 {
			return -d
		}
	}
	return cmp.Compare(b.n.I, a.n.I)
}

// under is 1 where the layer is painted over content that is not positioned, -1 where
// below it.
func under(k layerKey) int {
	if k.top == 0 && k.z < 0 {
		return -1
	}
	return 1
}

// At lists the elements whose boxes hold the point, in CSS px of the top frame's
// viewport, from the topmost down, kept or not. Elements that are not drawn although
// they have a box (visibility: hidden) come last; those without a box are nowhere.
func (e *Explainer) At(x, y float64) []Element {
	var drawn, not []stackEntry
	for _, p := range e.order() {
		if !holds(p.n, x, y) {
			continue
		}
		if p.n.Verdict == snapshot.VerdictVisibilityHidden || p.n.Verdict == snapshot.VerdictClipped ||
			p.n.Verdict == snapshot.VerdictTurned {
			not = append(not, p)
		} else {
			drawn = append(drawn, p)
		}
	}
	slices.SortStableFunc(drawn, above)
	slices.SortStableFunc(not, above)
	if w := e.winner(drawn, x, y); w >= 0 && slices.ContainsFunc(drawn, func(p stackEntry) bool { return p.n.I == w }) {
		drawn = e.promote(drawn, w)
	}
	out := make([]Element, 0, len(drawn)+len(not))
	for _, p := range append(drawn, not...) {
		out = append(out, e.element(p.n))
	}
	return out
}

// holds reports whether a click at the point meets a part of the element that is not clipped away.
// Chrome tests the square of one CSS px that begins at the point, so an element is met from less than one
// px before its left and its upper edge (measured with Chromium 156).
func holds(n *snapshot.Node, x, y float64) bool {
	meets := func(b snapshot.Box) bool {
		return x < b.X()+b.W() && x+1 > b.X() && y < b.Y()+b.H() && y+1 > b.Y()
	}
	beyond := func(b snapshot.Box) bool { // text of an element with several boxes lies in them, or sticks out of all
		return meets(b) && (len(n.Rects) == 0 || n.Box.Intersect(b) != b)
	}
	return (n.Clip == nil || meets(*n.Clip)) &&
		(slices.ContainsFunc(n.AllRects(), meets) || slices.ContainsFunc(n.TextRects, beyond))
}

// promote puts the winner on top, with those elements around it that do not also hold
// what lay on top.
func (e *Explainer) promote(drawn []stackEntry, w int) []stackEntry {
	top := drawn[0].n.I
	var mine, others []stackEntry
	for _, p := range drawn {
		if e.tree.Contains(p.n.I, w) && !e.tree.Contains(p.n.I, top) || p.n.I == w {
			mine = append(mine, p)
		} else {
			others = append(others, p)
		}
	}
	return append(mine, others...)
}

// winner is the node that takes a click at the nearest sampled point, -1 where none is near enough. A
// point beyond an edge of the topmost element says nothing of this place.
func (e *Explainer) winner(at []stackEntry, x, y float64) int {
	best, found := math.Inf(1), -1
	for _, p := range at {
		if p.n.Occlusion == nil {
			continue
		}
		for _, s := range p.n.Occlusion.Points {
			d := max(math.Abs(s[0]-x), math.Abs(s[1]-y))
			if d <= sampleReach && d < best && s[2] >= 0 && holds(at[0].n, s[0], s[1]) {
				best, found = d, int(s[2])
			}
		}
	}
	return found
}
