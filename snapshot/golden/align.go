package golden

import (
	"math"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
)

// shareSlack is how far the shares of an element that a person sees, and that a click
// reaches, may be apart where the state is the same.
const shareSlack = 0.1

// Align is a copy of now in the accepted capture's terms; both are normalised. Elements
// that are the same get the accepted numbers, new ones numbers after the last of
// those. What differs by less than move CSS px gets the accepted coordinates, and with
// it the place of a click and the shares that are in sight; a move below 0 takes any
// coordinates for the same. loose are elements that may be wider or narrower: see
// [Loose].
func Align(accepted, now *snapshot.Capture, move float64, loose map[int]bool) *snapshot.Capture {
	out := *now
	out.Nodes = slices.Clone(now.Nodes)
	back := map[int]int{}
	for a, b := range diff.Pairs(apart(accepted, "accepted"), apart(now, "now")) {
		back[b] = a
	}
	last := 0
	for i := range accepted.Nodes {
		last = max(last, accepted.Nodes[i].Ref)
	}
	if math.Abs(now.Scroll.MaxX-accepted.Scroll.MaxX) < move && math.Abs(now.Scroll.MaxY-accepted.Scroll.MaxY) < move ||
		move < 0 {
		out.Scroll = accepted.Scroll
	}
	for i := range out.Nodes {
		n := &out.Nodes[i]
		var was *snapshot.Node
		if a, ok := back[n.I]; ok {
			was = accepted.Node(a)
		}
		switch {
		case n.Ref == 0:
		case was != nil && was.Ref > 0:
			n.Ref = was.Ref
		default:
			last++
			n.Ref = last
		}
		if was != nil && (move < 0 || near(was, n, move) || loose[n.I] && sameEdge(was, n, move)) {
			restoreBox(n, was, back)
		}
	}
	return &out
}

// near reports whether no edge went far.
func near(a, b *snapshot.Node, move float64) bool {
	for _, boxes := range [2][2]snapshot.Box{{a.Box, b.Box}, {a.VisibleBox(), b.VisibleBox()}} {
		x, y := boxes[0], boxes[1]
		if math.Abs(x.X()-y.X()) >= move || math.Abs(x.Y()-y.Y()) >= move ||
			math.Abs(x.Right()-y.Right()) >= move || math.Abs(x.Bottom()-y.Bottom()) >= move {
			return false
		}
	}
	return true
}

// Loose are the elements of a capture whose own words a rule replaced: another price has
// another width. They need to be in their place at one side only.
func Loose(raw, normalised *snapshot.Capture) map[int]bool {
	out := map[int]bool{}
	if len(raw.Nodes) != len(normalised.Nodes) {
		return out
	}
	for i := range raw.Nodes {
		x, y := &raw.Nodes[i], &normalised.Nodes[i]
		if x.Text != y.Text || x.Name != y.Name || x.Value != y.Value {
			out[x.I] = true
		}
	}
	return out
}

// sameEdge reports whether an element is where it was at its left or at its right
// side, and is as high as it was.
func sameEdge(a, b *snapshot.Node, move float64) bool {
	x, y := a.Box, b.Box
	return (math.Abs(x.X()-y.X()) < move || math.Abs(x.Right()-y.Right()) < move) &&
		math.Abs(x.Y()-y.Y()) < move && math.Abs(x.H()-y.H()) < move
}

// restoreBox gives n the coordinates of was, and what follows from them.
func restoreBox(n, was *snapshot.Node, back map[int]int) {
	n.Box, n.Clip, n.Rects, n.TextRects = was.Box, was.Clip, was.Rects, was.TextRects
	n.InViewport = was.InViewport
	if n.Scroller != nil && was.Scroller != nil && n.Scroller.HasMore == was.Scroller.HasMore {
		n.Scroller = was.Scroller
	}
	x, y := n.Occlusion, was.Occlusion
	if x == nil || y == nil || x.State != y.State || x.ClickThrough != y.ClickThrough ||
		math.Abs(x.VisibleShare-y.VisibleShare) > shareSlack || math.Abs(x.HitShare-y.HitShare) > shareSlack {
		return
	}
	if (x.Coverer == nil) != (y.Coverer == nil) {
		return
	}
	if x.Coverer != nil {
		if a, ok := back[*x.Coverer]; !ok || a != *y.Coverer {
			return
		}
	}
	o := *y
	o.Coverer = x.Coverer
	n.Occlusion = &o
}
