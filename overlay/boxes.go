package overlay

import (
	"image"
	"math"
	"slices"
	"sort"

	"github.com/refscope/refscope/snapshot"
)

// nodeBoxes is where a node is on the picture.
type nodeBoxes struct {
	full    snapshot.Box      // CSS px, clipping not considered
	visible snapshot.Box      // CSS px, what clipping ancestors leave of it
	rects   []image.Rectangle // image px, those that touch the picture
}

// boxes finds a node's boxes. An element without an area of its own, such as one
// with display: contents or a floated text, is where its text and children are.
func (s *Scene) boxes(p int, n *snapshot.Node) nodeBoxes {
	var css [4]snapshot.Box // most elements have one box, few more than four
	list := css[:0]
	for _, b := range n.AllRects() {
		if b, ok := sane(b); ok {
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		list = s.inside(p, n, list)
	}
	var out nodeBoxes
	for _, b := range list {
		out.full = out.full.Union(b)
	}
	if len(list) == 0 {
		out.full = n.Box
		for i, v := range out.full {
			if !(math.Abs(v) <= far) {
				out.full[i] = 0
			}
		}
		out.full[2], out.full[3] = max(0, out.full[2]), max(0, out.full[3])
	}
	out.visible = out.full
	if n.Clip != nil {
		if clip, ok := sane(*n.Clip); ok {
			if v := out.full.Intersect(clip); !v.Empty() {
				out.visible = v
			}
		}
	}
	if !n.InViewport {
		return out
	}
	picture := image.Rectangle{Max: s.size}
	for _, b := range list {
		if len(list) > 1 && out.visible != out.full {
			if b = b.Intersect(out.visible); b.Empty() {
				continue
			}
		} else if len(list) == 1 {
			b = out.visible
		}
		if r := s.scale.rect(b); r.Overlaps(picture) {
			out.rects = append(out.rects, r)
		}
	}
	if s.options.Style == StyleClear {
		out.rects = joined(out.rects)
	}
	if len(out.rects) == 0 && !out.visible.Empty() {
		// According to the capture it is in view: between its lines of text, or by
		// less than half a px. Whatever it touches counts.
		if r := s.scale.touched(out.visible); r.Overlaps(picture) {
			out.rects = append(out.rects, r)
		}
	}
	return out
}

// joinedPx is how far apart two boxes of an element on one line may be that are one.
const joinedPx = 4

// joined joins the boxes of an element that lie next to each other on one line, as those of
// a link are around an element in it: a line between them would run through its text.
func joined(rects []image.Rectangle) []image.Rectangle {
	if len(rects) < 2 {
		return rects
	}
	out := rects[:1]
	for _, r := range rects[1:] {
		last := &out[len(out)-1]
		row := min(r.Max.Y, last.Max.Y) - max(r.Min.Y, last.Min.Y)
		apart := max(r.Min.X-last.Max.X, last.Min.X-r.Max.X)
		if 5*row >= 4*max(r.Dy(), last.Dy()) && apart <= joinedPx {
			*last = last.Union(r)
			continue
		}
		out = append(out, r)
	}
	return out
}

// inside lists the boxes of a node's text and, failing that, one around those of
// its descendants. It looks at a bounded number of these.
func (s *Scene) inside(p int, n *snapshot.Node, list []snapshot.Box) []snapshot.Box {
	for _, b := range n.TextRects {
		if b, ok := sane(b); ok {
			list = append(list, b)
		}
	}
	if len(list) > 0 {
		return list
	}
	const most = 256
	var around snapshot.Box
	for q := p + 1; q < len(s.capture.Nodes) && q <= p+most; q++ {
		d := &s.capture.Nodes[q]
		if !s.tree.contains(p, q) {
			break // what follows in document order is outside
		}
		if b, ok := sane(d.VisibleBox()); ok && d.Visible {
			around = around.Union(b)
		}
	}
	if !around.Empty() {
		list = append(list, around)
	}
	return list
}

// cutCSS is from how many CSS px on an element counts as cut: borders and rounding
// take off less.
const cutCSS = 2

// cut lists the sides on which an element continues beyond what is to be seen of it:
// beyond the picture's edge, or that of what clips it.
// All boxes are in image px.
func (s *Scene) cut(full, visible snapshot.Box) []string {
	in := visible.Intersect(snapshot.Box{0, 0, float64(s.size.X), float64(s.size.Y)})
	if in.Empty() {
		return nil
	}
	var out []string
	for _, side := range [...]struct {
		name          string
		beyond, scale float64
	}{
		{"top", in.Y() - full.Y(), s.scale.y}, {"right", full.Right() - in.Right(), s.scale.x},
		{"bottom", full.Bottom() - in.Bottom(), s.scale.y}, {"left", in.X() - full.X(), s.scale.x},
	} {
		if side.beyond >= cutCSS*side.scale {
			out = append(out, side.name)
		}
	}
	return out
}

// whereabouts is in which direction an element outside the picture lies and how
// far, in image px. One that its own scroll container hides is measured against
// that container.
func (s *Scene) whereabouts(p int, b snapshot.Box) (string, float64) {
	if dir, d := away(b, snapshot.Box{0, 0, float64(s.size.X), float64(s.size.Y)}); dir != "" {
		return dir, d
	}
	for up := s.tree.parent[p]; up >= 0; up = s.tree.parent[up] {
		n := &s.capture.Nodes[up]
		if n.Scroller == nil {
			continue
		}
		if around, ok := sane(n.Box); ok {
			if dir, d := away(b, s.scale.box(around)); dir != "" {
				return dir, d
			}
		}
	}
	return "", 0
}

// away is the direction and distance of box b from a view that it does not
// touch, "" where it does.
func away(b, view snapshot.Box) (string, float64) {
	var v, h string
	dy, dx := 0.0, 0.0
	switch {
	case b.Bottom() <= view.Y():
		v, dy = "above", view.Y()-b.Bottom()
	case b.Y() >= view.Bottom():
		v, dy = "below", b.Y()-view.Bottom()
	}
	switch {
	case b.Right() <= view.X():
		h, dx = "left", view.X()-b.Right()
	case b.X() >= view.Right():
		h, dx = "right", b.X()-view.Right()
	}
	switch {
	case v != "" && h != "":
		return v + "-" + h, max(dx, dy)
	case v != "":
		return v, dy
	}
	return h, dx
}

// outline turns the rects of the marks in the picture into strokes: small ones
// padded, and boxes with an edge on that of a box around them moved inwards, so
// that both can be seen. It also fixes the order of painting, large first.
func (s *Scene) outline() {
	nearest := make([]int32, len(s.capture.Nodes)) // mark that a node is or is inside, plus one
	byPos := make([]int32, 0, len(s.marks))
	for i := range s.marks {
		if s.marks[i].shown(s.options.View) {
			byPos = append(byPos, int32(i))
		}
	}
	slices.SortFunc(byPos, func(a, b int32) int { return s.marks[a].pos - s.marks[b].pos })
	parent := make([]int32, len(byPos)) // the mark around each, -1 for none
	next := 0
	for p := range s.capture.Nodes {
		if up := s.tree.parent[p]; up >= 0 {
			nearest[p] = nearest[up]
		}
		if next < len(byPos) && s.marks[byPos[next]].pos == p {
			parent[next] = nearest[p] - 1
			nearest[p] = byPos[next] + 1
			next++
		}
	}
	rule := strokeOf(s.zoom, s.density)
	var room *clearance
	var clear [][]image.Rectangle
	if s.options.Style == StyleClear && rule.out == 0 {
		room = s.newClearance()
		clear = room.clear(byPos, parent)
	}
	for k, i := range byPos {
		var around *Mark
		if up := parent[k]; up >= 0 {
			around = &s.marks[up]
		}
		lies := s.marks[i].Rects
		if clear != nil {
			lies = clear[i]
		}
		s.marks[i].stroke(lies, around, s.size, rule)
		if room != nil && s.marks[i].Status != Covered {
			for _, r := range s.marks[i].strokes {
				for _, part := range room.halo(r) {
					s.halos = append(s.halos, haloPart{part, i})
				}
			}
		}
	}
	s.order = byPos
	sort.SliceStable(s.order, func(i, j int) bool {
		return s.marks[s.order[i]].extent() > s.marks[s.order[j]].extent()
	})
}

// extent is the area of a mark's rects in px.
func (m *Mark) extent() int {
	return areas(m.Rects)
}

// strokeRule is how the line of a box lies at one zoom of the window.
type strokeRule struct {
	out   int // px that it lies outside the element
	least int // px on each side that a small box is padded to
	room  int // px on each side below which a box keeps its edge beside one around it
	width int // px of the style's own line: Scene.density
}

// thinBelow is the zoom of the window below which the line of a box is 1 px wide: two would
// be most of a crowded page there.
const thinBelow = 0.6

// strokeOf is the rule at a zoom in px of the style for an image px, 0 for an export. Below
// 100 % lines would hide what they are around: they lie outside, and padding that grew
// with the distance would bury the neighbours.
func strokeOf(zoom float64, density int) strokeRule {
	if zoom <= 0 || zoom >= 1 {
		return strokeRule{0, minTarget * density, minTarget * density, density}
	}
	return strokeRule{1, max(3, int(minTarget*zoom)) + 2, 3 * minTarget, 1}
}

// stroke computes the strokes of a mark from where its boxes should lie, with the nearest
// mark around it, nil for none.
func (m *Mark) stroke(lies []image.Rectangle, around *Mark, size image.Point, rule strokeRule) {
	m.strokes = make([]image.Rectangle, len(m.Rects))
	for i, r := range m.Rects {
		// On the picture's edge the line moves inside, where it can be seen.
		fit := lies[i].Inset(-rule.out)
		if r.Min.X >= 0 && lies[i].Min.X <= 0 {
			fit.Min.X = strokeOut * rule.width
		}
		if r.Min.Y >= 0 && lies[i].Min.Y <= 0 {
			fit.Min.Y = strokeOut * rule.width
		}
		if r.Max.X <= size.X && lies[i].Max.X >= size.X {
			fit.Max.X = size.X - strokeOut*rule.width
		}
		if r.Max.Y <= size.Y && lies[i].Max.Y >= size.Y {
			fit.Max.Y = size.Y - strokeOut*rule.width
		}
		if around != nil {
			for k := range around.strokes {
				fit = keepApart(fit, r, around.strokes[k], around.Rects[k], rule)
			}
		}
		m.strokes[i] = padTo(fit, rule.least)
	}
}

// keepApart moves the edges of r that run along those of a box around it inwards,
// away from that box's line, but no further than maxApart from where the
// element's own edge is, and never so far that less than rule.room px are left.
func keepApart(r, element, stroke, around image.Rectangle, rule strokeRule) image.Rectangle {
	if !r.Overlaps(stroke) {
		return r
	}
	apart, most, room := apart*rule.width, maxApart*rule.width, rule.room
	along := func(a, b int) bool { return a-b > -apart && a-b < apart }
	out := r
	if along(element.Min.X, around.Min.X) {
		out.Min.X = max(r.Min.X, min(stroke.Min.X+apart, element.Min.X+most))
	}
	if along(element.Min.Y, around.Min.Y) {
		out.Min.Y = max(r.Min.Y, min(stroke.Min.Y+apart, element.Min.Y+most))
	}
	if along(element.Max.X, around.Max.X) {
		out.Max.X = min(r.Max.X, max(stroke.Max.X-apart, element.Max.X-most))
	}
	if along(element.Max.Y, around.Max.Y) {
		out.Max.Y = min(r.Max.Y, max(stroke.Max.Y-apart, element.Max.Y-most))
	}
	if out.Dx() < room {
		out.Min.X, out.Max.X = r.Min.X, r.Max.X
	}
	if out.Dy() < room {
		out.Min.Y, out.Max.Y = r.Min.Y, r.Max.Y
	}
	return out
}

// far bounds every coordinate, in px. Pages put elements at -9999em or at
// infinity; nothing is lost by calling that far away.
const far = 1 << 20

// scale maps CSS px to image px.
type scale struct{ x, y float64 }

// sane is the box with finite numbers within bounds, and false where it has no
// extent or is not a box at all.
func sane(b snapshot.Box) (snapshot.Box, bool) {
	for _, v := range b {
		if math.IsNaN(v) {
			return snapshot.Box{}, false
		}
	}
	x0, y0 := clamp(b[0], -far, far), clamp(b[1], -far, far)
	x1, y1 := clamp(b[0]+b[2], -far, far), clamp(b[1]+b[3], -far, far)
	if !(x1 > x0) || !(y1 > y0) { // also where Inf minus Inf made a NaN
		return snapshot.Box{}, false
	}
	return snapshot.Box{x0, y0, x1 - x0, y1 - y0}, true
}

func clamp(v, lo, hi float64) float64 { return max(lo, min(hi, v)) }

// box maps a box from CSS px to image px.
func (s scale) box(b snapshot.Box) snapshot.Box {
	return b.Scale(s.x, s.y)
}

// rect is the pixels of a box in CSS px: its edges rounded, at least one px.
//
// The conversions keep each product from being fused with what follows it: a
// fused one is rounded once instead of twice, and only on some processors.
func (s scale) rect(b snapshot.Box) image.Rectangle {
	edge := func(v, by float64) int {
		return int(math.Floor(float64(clamp(float64(v*by), -far, far)) + 0.5))
	}
	r := image.Rect(edge(b[0], s.x), edge(b[1], s.y), edge(b[0]+b[2], s.x), edge(b[1]+b[3], s.y))
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	return r
}

// touched is every pixel that a box in CSS px has a part of.
func (s scale) touched(b snapshot.Box) image.Rectangle {
	at := func(v, by float64) float64 { return clamp(float64(v*by), -far, far) }
	return image.Rect(
		int(math.Floor(at(b[0], s.x))), int(math.Floor(at(b[1], s.y))),
		int(math.Ceil(at(b[0]+b[2], s.x))), int(math.Ceil(at(b[1]+b[3], s.y))))
}

// area is the number of px in a rectangle, 0 where it is empty.
// padTo grows a rectangle about its centre until both sides are at least n px.
func padTo(r image.Rectangle, n int) image.Rectangle {
	if d := n - r.Dx(); d > 0 {
		r.Min.X -= d / 2
		r.Max.X = r.Min.X + n
	}
	if d := n - r.Dy(); d > 0 {
		r.Min.Y -= d / 2
		r.Max.Y = r.Min.Y + n
	}
	return r
}
