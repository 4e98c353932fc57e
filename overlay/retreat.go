package overlay

import "image"

// retreat is for pictures so full that labels are still on each other or on a
// stranger after all else: such a label goes into its own box, which no other
// needs, even where it hides most of what is there. What it lies on then has to go
// home too, so a crowd of cells ends with every number in its own. Each label
// moves once at most.
func (p *placement) retreat() {
	home := make([]bool, len(p.items))
	var queue []int32
	for i := range p.items {
		queue = append(queue, int32(i))
	}
	for n := 0; n < len(queue); n++ {
		i := int(queue[n])
		it := &p.items[i]
		if home[i] || it.place.rect.Empty() || p.labels.free(int32(i), it.place.rect) && !it.place.mistaken() {
			continue
		}
		c, ok := p.inside(i, home)
		if !ok {
			continue
		}
		home[i] = true
		p.set(i, c)
		queue = p.labels.under(queue, int32(i), c.rect)
	}
}

// inside is the cheapest place of a label within its own box that is clear of the
// labels which are there for good, false where there is none.
func (p *placement) inside(i int, home []bool) (place, bool) {
	it := &p.items[i]
	ground := it.anchor.Inset(-strokeOut)
	var best place
	found := false
	for size := range p.s.letters {
		w, h := p.s.letters[size].size(it.digits)
		for slot := inTopLeft; slot < slots; slot++ {
			c := place{rect: slotRect(it.anchor, w, h, slot, 1), slot: slot, size: size}
			c.rect = pushInto(c.rect, it.anchor) // not even its rim on a neighbour's
			if !c.rect.In(ground) || !c.rect.In(p.picture) || p.onHome(i, c.rect, home) {
				continue
			}
			if p.weigh(it, &c, near{}, noLimit); c.mistaken() {
				continue
			}
			if !found || c.static < best.static {
				best, found = c, true
			}
		}
		if found {
			break // the larger digits fit
		}
	}
	return best, found
}

// onHome reports whether a rectangle lies on a label that is in its own box for
// good.
func (p *placement) onHome(i int, r image.Rectangle, home []bool) bool {
	for _, k := range p.labels.under(nil, int32(i), r) {
		if home[k] {
			return true
		}
	}
	return false
}
