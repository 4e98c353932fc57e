package overlay

import (
	"image"

	"github.com/refscope/refscope/snapshot"
)

// repair gives every label that lies on another one more choice, now that all
// have been placed. It reports whether any moved.
func (p *placement) repair() bool {
	moved := false
	for i := range p.items {
		now := p.items[i].place
		if now.rect.Empty() || p.labels.free(int32(i), now.rect) {
			continue
		}
		if c, ok := p.best(i, now.size); ok && c.rect != now.rect && p.total(i, &c) < p.total(i, &now) {
			p.set(i, c)
			moved = true
		}
	}
	return moved
}

// clash is the cost of a label's place for lying on other labels.
func (p *placement) clash(i int, r image.Rectangle) int {
	px := p.labels.overlap(int32(i), r)
	if px == 0 {
		return 0
	}
	return costLabel*px + costTwoLabels*area(r)
}

// total is the cost of a place with all other labels where they are.
func (p *placement) total(i int, c *place) int {
	sum := c.static + p.clash(i, c.rect)
	if c.slot == slotLeader {
		return sum + costLeader*area(c.rect)
	}
	if c.slot > slotLeader { // beside its twin: the first choice
		return sum - area(c.rect)/costRank
	}
	return sum + c.slot*area(c.rect)/costRank
}

// trouble reports whether a label's place breaks a promise: it lies on another
// label, reads as a stranger's, hides its own target or a stranger's text.
func (p *placement) trouble(i int) bool {
	it := &p.items[i]
	c := &it.place
	size := area(c.rect)
	return !p.labels.free(int32(i), c.rect) || c.mistaken() || it.hidden(c.facts.own) ||
		c.onText() || 5*c.facts.strangers > 3*size
}

// rescue deals with the labels that found no good place: smaller digits, then a
// free spot within leaderMax px and a line to the box.
func (p *placement) rescue() {
	for i := range p.items {
		if p.items[i].place.rect.Empty() || !p.trouble(i) {
			continue
		}
		was := p.items[i].place
		if c, ok := p.best(i, 1); ok && p.total(i, &c) < p.total(i, &was) {
			p.set(i, c)
			if !p.trouble(i) {
				continue
			}
			if now := p.items[i].place; p.total(i, &was) <= p.total(i, &now)+area(was.rect)*costOwn {
				p.set(i, was) // it helped little: keep the larger digits
			}
		}
		if c, ok := p.leader(i); ok {
			now := p.items[i].place
			if p.total(i, &c) < p.total(i, &now) {
				p.set(i, c)
			}
		}
	}
}

// nameCoverers adds to the labels of covered marks what covers them, where that
// can be read: in one of the slots without harm to anything. A button on a picture
// is not named as its cover. The manifest has it in any case.
func (p *placement) nameCoverers() {
	if p.s.options.View == ViewModel {
		return
	}
	for i := range p.items {
		it := &p.items[i]
		m := &p.s.marks[it.mark]
		o := p.s.capture.Nodes[m.pos].Occlusion
		if m.Coverer == 0 || o == nil || o.State == snapshot.Clear || it.place.rect.Empty() {
			continue
		}
		by := p.s.covererNumber(m)
		if by == "" || o.State == snapshot.Partly && p.s.standsOn(m, p.s.tree.pos(m.CovererNode)) {
			continue
		}
		was := *it
		it.digits += len([]rune(byArrow)) + len(by)
		c, ok := p.best(i, was.place.size)
		if ok {
			p.set(i, c)
		}
		if !ok || p.trouble(i) || c.facts.text > 0 || 4*c.facts.strangers > area(c.rect) {
			*it = was
			p.set(i, was.place)
			continue
		}
		m.says += byArrow + by
	}
}

// leader is the cheapest free spot for a label with a line, false where there is
// none that keeps all promises.
func (p *placement) leader(i int) (place, bool) {
	it := &p.items[i]
	w, h := p.s.letters[0].size(it.digits)
	best, cost, found := place{}, 0, false
	leaderRects(it.anchor, w, h, func(r image.Rectangle) bool {
		c := place{rect: r, slot: slotLeader}
		if !r.In(p.picture) || !p.labels.free(int32(i), r) {
			return true
		}
		p.weigh(it, &c, near{}, noLimit)
		if c.mistaken() || c.onText() || 5*c.facts.strangers > 3*area(r) {
			return true
		}
		// A long line is harder to follow, and it crosses more.
		c.static += p.crossed(it, r)
		total := c.static + distance(r, it.anchor)*area(r)/4
		if !found || total < cost {
			best, cost, found = c, total, true
		}
		return best.static > 0 || !found // a free spot this near is as good as it gets
	})
	return best, found
}

// crossed is the cost of what the line from a label to its box runs over. The
// line is counted as the rectangle around it, at most three px for each px of its
// length.
func (p *placement) crossed(it *item, label image.Rectangle) int {
	from, to := leaderLine(label, it.anchor)
	way := image.Rectangle{Min: from, Max: to}.Canon()
	way = image.Rect(way.Min.X-1, way.Min.Y-1, way.Max.X+2, way.Max.Y+2)
	most := 3 * max(way.Dx(), way.Dy())
	cost := 0
	for _, k := range p.texts.find.near(way) {
		cost += costLine * costText * min(most, common(way, p.texts.rects[k]))
	}
	for _, k := range p.boxes.find.near(way) {
		if pos := int(p.boxes.pos[k]); !p.s.tree.contains(pos, p.s.marks[it.mark].pos) {
			cost += costForeign * min(most, common(way, p.boxes.rects[k]))
		}
	}
	return cost
}
