package likeness

import (
	"image"
	"math"

	"github.com/refscope/refscope/snapshot"
)

// Agents draw a box around each element that they number. On a page of few words these are most of the picture, and
// what is on the page is a small part of what the picture shows: the edges of both say little then. That boxes are
// drawn where the page's elements are says more.

const (
	// leastMarks is how many elements must have a box around them.
	leastMarks = 4
	// leastMarked is the share of the page's elements that must have one, of those around which the page has no lines.
	leastMarked = 0.6
	// markReach is how far from the edge of an element its box may be drawn, CSS px.
	markReach = 4
	// leastMarkSide is the shorter side of an element whose box is looked for, CSS px.
	leastMarkSide = 10
	// mostMarks is how many elements are looked at.
	mostMarks = 100
)

// Marked are the boxes of elements in the view of a page that agents mark, px of its picture: those of what can be
// operated, those of all that has a number, and all.
type Marked [3][]image.Rectangle

// MarkedIn are those of a capture.
func MarkedIn(c *snapshot.Capture) (out Marked) {
	var seen [len(out)]map[image.Rectangle]bool // an element often has the box of what is around it
	for k := range seen {
		seen[k] = map[image.Rectangle]bool{}
	}
	s := c.Viewport.Scale
	for i := range c.Nodes {
		n := &c.Nodes[i]
		b := n.Box
		if !n.InViewport || !n.Visible || min(b.W(), b.H()) < leastMarkSide {
			continue
		}
		at := func(v float64) int { return int(math.Round(v * s)) }
		r := image.Rect(at(b.X()), at(b.Y()), at(b.X()+b.W()), at(b.Y()+b.H()))
		for k, is := range []bool{len(n.Interactive) > 0, n.Ref > 0, true} {
			if is && !seen[k][r] && len(out[k]) < mostMarks {
				seen[k][r] = true
				out[k] = append(out[k], r)
			}
		}
	}
	return out
}

// marked is the fit of a picture of the whole view by the boxes that are drawn around elements, and the share of the
// elements that have one; nil edges where they are too few.
func (p *pair) marked(of Marked) (fit, *edges, float64) {
	var best fit
	share := 0.0
	for _, f := range p.wholes() {
		for _, boxes := range of {
			judged, n := 0, 0
			for _, r := range boxes {
				if is, known := p.boxed(f, r); known {
					judged++
					if is {
						n++
					}
				}
			}
			if n >= leastMarks && float64(n) > share*float64(judged) {
				best, share = f, float64(n)/float64(judged)
			}
		}
	}
	if share < leastMarked {
		return fit{}, nil, 0
	}
	z := math.Max(1, math.Sqrt(float64(p.shown.w*p.shown.h)/working))
	w, h := int(float64(p.shown.w)/z), int(float64(p.shown.h)/z)
	return best, p.agreement(best, p.shown.means(0, 0, z, z, w, h), w, h, z), share
}

// boxed reports whether the shown picture has lines around a box of the page's; not known where the page has some.
func (p *pair) boxed(f fit, r image.Rectangle) (is, known bool) {
	reach := max(1, int(markReach*p.density*f.sx+0.5))
	x0, y0 := int((float64(r.Min.X)-f.x)*f.sx), int((float64(r.Min.Y)-f.y)*f.sy)
	x1, y1 := int((float64(r.Max.X)-f.x)*f.sx), int((float64(r.Max.Y)-f.y)*f.sy)
	sides, sum, least := 0, 0.0, 1.0
	for _, side := range []struct {
		at, from, to int
		upright      bool
	}{{x0, y0, y1, true}, {x1, y0, y1, true}, {y0, x0, x1, false}, {y1, x0, x1, false}} {
		share, ok := p.line(f, side.at, side.from, side.to, reach, side.upright)
		if !ok {
			continue
		}
		sides++
		sum, least = sum+share, min(least, share)
	}
	return least >= 0.4 && sum >= 0.7*float64(sides), sides >= 3
}

// line is the share of a line's length, px of the shown picture, along which there is an edge at one distance from it,
// and none on the page; not ok where it lies outside, or along an edge of the page.
func (p *pair) line(f fit, at, from, to, reach int, upright bool) (share float64, ok bool) {
	wide, high := p.shown.w, p.shown.h
	if !upright {
		wide, high = high, wide
	}
	from, to = max(from+2, 0), min(to-2, high-1)
	if at-reach < 1 || at+reach >= wide-1 || to-from < 4 {
		return 0, false
	}
	step := func(s *shades, at, along int) bool {
		a, b := s.px(at-1, along), s.px(at+1, along)
		if !upright {
			a, b = s.px(along, at-1), s.px(along, at+1)
		}
		return !near(a, b, strong)
	}
	most, own, all := 0, 0, 0
	for d := -reach; d <= reach; d++ {
		n, mine := 0, 0
		all = 0
		for along := from; along < to; along += 2 {
			all++
			if step(p.shown, at+d, along) {
				n++
			}
			ownAt, ownAlong := int(f.x+float64(at+d)/f.sx), int(f.y+float64(along)/f.sy)
			if !upright {
				ownAt, ownAlong = int(f.y+float64(at+d)/f.sy), int(f.x+float64(along)/f.sx)
			}
			if step(p.page, ownAt, ownAlong) {
				mine++
			}
		}
		most, own = max(most, n), max(own, mine)
	}
	if 2*own > all {
		return 0, false
	}
	return float64(most) / float64(all), true
}

// px is the grey of one px, 0 outside of the picture.
func (s *shades) px(x, y int) uint8 {
	if x < 0 || y < 0 || x >= s.w || y >= s.h {
		return 0
	}
	i := y*(s.w+1) + x
	return uint8(s.sum[i+s.w+2] - s.sum[i+s.w+1] - s.sum[i+1] + s.sum[i])
}
