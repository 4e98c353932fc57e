package overlay

import (
	"image"

	"github.com/refscope/refscope/overlay/geometry"
)

// Kept is where a mark of an earlier picture has its label: see Options.Kept. All its
// geometry is in px of that picture.
type Kept struct {
	Ref    int
	Box    image.Rectangle // the element's box, or the first of several
	Label  image.Rectangle
	Leader bool
}

// Kept lists where the marks have their labels, for the picture of the next turn.
func (s *Scene) Kept() []Kept {
	out := make([]Kept, 0, len(s.placed))
	for _, i := range s.placed {
		if m := &s.marks[i]; len(m.Rects) > 0 {
			out = append(out, Kept{m.Ref, m.Rects[m.anchor], m.Label, m.Leader})
		}
	}
	return out
}

// Kept is the same from the manifest of one picture: of several only the marks on the first.
func (m *Manifest) Kept() []Kept {
	px := func(b [4]float64) image.Rectangle {
		return image.Rect(int(b[0]+0.5), int(b[1]+0.5), int(b[0]+b[2]+0.5), int(b[1]+b[3]+0.5))
	}
	var out []Kept
	for i := range m.Marks {
		k := &m.Marks[i]
		if k.Label == nil || k.Image != 0 {
			continue
		}
		box := px(k.Box)
		if len(k.Rects) > 0 {
			box = px(k.Rects[0])
		}
		out = append(out, Kept{k.Ref, box, px(*k.Label), k.Leader})
	}
	return out
}

// keep puts the labels where they were around their boxes, on the earlier picture that the
// options have, as far as that is still a good place: it is in the picture and on no other
// label, it is not in trouble or there is no place where it is not, and it hides no more
// text of the page than the best place would.
// A label stays beside its box, so it moves as that does. It reports by item which were kept:
// those are placed before all others, so that no neighbour takes their place.
func (p *placement) keep() []bool {
	kept := make([]bool, len(p.items))
	if len(p.s.options.Kept) == 0 {
		return kept
	}
	before := make(map[int]*Kept, len(p.s.options.Kept))
	for i := range p.s.options.Kept {
		before[p.s.options.Kept[i].Ref] = &p.s.options.Kept[i]
	}
	for pass := range 2 {
		for i := range p.items {
			it := &p.items[i]
			m := &p.s.marks[it.mark]
			k := before[m.Ref]
			if k == nil || kept[i] {
				continue
			}
			c, ok := p.where(it, m, k)
			if !ok || !c.rect.In(p.picture) || !p.labels.free(int32(i), c.rect) {
				continue
			}
			p.weigh(it, &c, near{}, noLimit)
			p.set(i, c)
			if p.trouble(i) {
				kept[i] = pass > 0 && !c.mistaken()
			} else {
				kept[i] = !p.worse(i, c)
			}
			if !kept[i] {
				p.set(i, place{})
			}
		}
	}
	return kept
}

// where is the place of a label that lies by its box as it did, false where its number has
// another length.
func (p *placement) where(it *item, m *Mark, k *Kept) (place, bool) {
	now := m.Rects[m.anchor]
	for _, size := range p.sizes() {
		w, h := p.s.letters[size].size(it.digits)
		if w != k.Label.Dx() || h != k.Label.Dy() {
			continue
		}
		// From the side that it was at, or from the nearer one where it was along the box.
		at := image.Pt(
			follow(k.Label.Min.X, k.Label.Max.X, k.Box.Min.X, k.Box.Max.X, now.Min.X, now.Max.X),
			follow(k.Label.Min.Y, k.Label.Max.Y, k.Box.Min.Y, k.Box.Max.Y, now.Min.Y, now.Max.Y))
		c := place{rect: image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}, slot: slotLeader, size: size}
		if k.Leader {
			return c, geometry.Distance(c.rect, it.anchor) <= p.s.px(leaderMax)
		}
		near := 1 << 20
		for slot := range slots { // the one whose kind of place it is
			if d := distanceOf(slotRect(it.anchor, w, h, slot, p.s.density).Min, at); d < near {
				near, c.slot = d, slot
			}
		}
		return c, geometry.Distance(c.rect, it.anchor) <= p.s.px(outerPx)
	}
	return place{}, false
}

// follow is where a label begins on one axis that was at l0 to l1 beside or along a box from
// b0 to b1, now that the box is from n0 to n1.
func follow(l0, l1, b0, b1, n0, n1 int) int {
	switch start, end := l0-b0, b1-l1; {
	case l1 <= b0, l0 < b1 && abs(start) < abs(end):
		return n0 + start
	case l0 >= b1, abs(end) < abs(start):
		return n1 - end - (l1 - l0)
	case start == end:
		return floorHalf(n0 + n1 - (l1 - l0))
	default:
		return n0 + start
	}
}

func abs(v int) int { return max(v, -v) }

func distanceOf(a, b image.Point) int { return max(abs(a.X-b.X), abs(a.Y-b.Y)) }

// leave moves a kept label that is in trouble where it was to a place where it is not, if
// there is one for digits as large.
func (p *placement) leave(i int) {
	was := p.items[i].place
	if c, ok := p.best(i, was.size); ok {
		if p.set(i, c); p.trouble(i) {
			p.set(i, was)
		}
	}
}

// release takes their places from labels that lie on each other and from the kept ones around
// them, which may be in the way. It reports whether there were any of these.
func (p *placement) release() bool {
	found := false
	for i := range p.items {
		it := &p.items[i]
		if it.place.rect.Empty() || p.labels.free(int32(i), it.place.rect) {
			continue
		}
		freed := false
		for _, k := range p.labels.under(nil, int32(i), it.anchor.Inset(-p.s.px(leaderMax))) {
			if p.kept[k] {
				freed, p.kept[k] = true, false
				p.set(int(k), place{})
			}
		}
		if freed {
			found = true
			p.set(i, place{})
		}
	}
	return found
}

// worse reports whether a kept place hides text that the best place would not, by a third of
// the label.
func (p *placement) worse(i int, c place) bool {
	if hides := c.facts.text; 3*hides > geometry.Area(c.rect) {
		p.set(i, place{})
		best, ok := p.best(i, c.size)
		p.set(i, c)
		return ok && best.facts.text < hides
	}
	return false
}
