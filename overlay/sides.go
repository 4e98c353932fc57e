package overlay

import (
	"cmp"
	"slices"

	"github.com/refscope/refscope/overlay/geometry"
)

// One side for a column or a row. Labels that are each where they cost least stand now above, now below the boxes of a
// list, and a reader takes the one between two boxes for either's. Where one place fits for more of them than agree
// already, and leaves none less clear than it was, they all go there.

const (
	leastAlike = 3  // marks that make a column or a row
	alikeGap   = 64 // px in the style from one to the next at most
	alikeSize  = 2  // px that their heights differ at most
)

// align gives the labels of each column and row one side, where that does no harm.
func (p *placement) align() {
	for _, group := range p.groups() {
		if !slices.ContainsFunc(group, func(i int) bool { return p.kept[i] || p.items[i].place.rect.Empty() }) {
			p.agree(group)
		}
	}
}

// groups are the columns of marks of one kind, and of the rest the rows, each in order.
func (p *placement) groups() [][]int {
	kinds := map[string][]int{}
	var names []string
	for i := range p.items {
		m := &p.s.marks[p.items[i].mark]
		if m.Status == Covered || p.items[i].shares {
			continue
		}
		kind := m.Role + " " + p.s.capture.Nodes[m.pos].Tag
		if kinds[kind] == nil {
			names = append(names, kind)
		}
		kinds[kind] = append(kinds[kind], i)
	}
	slices.Sort(names)
	var out [][]int
	for _, kind := range names {
		rest := kinds[kind]
		for _, upright := range []bool{true, false} {
			if len(rest) < leastAlike {
				break
			}
			var alone []int
			for _, chain := range p.chains(rest, upright) {
				if len(chain) < leastAlike {
					alone = append(alone, chain...)
				} else {
					out = append(out, chain)
				}
			}
			rest = alone
		}
	}
	return out
}

// chains are lines of marks: each has the next one below it, or where they are not upright to its right.
func (p *placement) chains(items []int, upright bool) [][]int {
	along := func(i int) (from, to int) {
		if r := p.items[i].anchor; upright {
			return r.Min.Y, r.Max.Y
		} else {
			return r.Min.X, r.Max.X
		}
	}
	across := func(i int) (from, to int) {
		if r := p.items[i].anchor; upright {
			return r.Min.X, r.Max.X
		} else {
			return r.Min.Y, r.Max.Y
		}
	}
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b int) int {
		x, _ := along(a)
		y, _ := along(b)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	})
	chain := make([]int, len(items)) // the number of each one's chain
	var out [][]int
	for k, i := range items {
		from, to := across(i)
		begin, _ := along(i)
		chain[k] = -1
		for j := k - 1; j >= 0 && chain[k] < 0; j-- {
			start, end := along(items[j])
			if begin-start > p.s.px(4*alikeGap) {
				break
			}
			from2, to2 := across(items[j])
			common := min(to, to2) - max(from, from2)
			if begin < end || begin-end > p.s.px(alikeGap) || 2*common < min(to-from, to2-from2) ||
				abs(p.items[i].anchor.Dy()-p.items[items[j]].anchor.Dy()) > p.s.px(alikeSize) {
				continue
			}
			if n := chain[j]; out[n][len(out[n])-1] == items[j] {
				chain[k] = n
				out[n] = append(out[n], i)
			}
		}
		if chain[k] < 0 {
			chain[k] = len(out)
			out = append(out, []int{i})
		}
	}
	return out
}

// agree moves the labels of a group to the slot that fits most of them, if those are more than agree already.
func (p *placement) agree(group []int) {
	was := make([]place, len(group))
	agreed, doubts := map[int]int{}, 0
	most := 0
	for k, i := range group {
		was[k] = p.items[i].place
		doubts += p.doubt(i, &was[k])
		agreed[was[k].slot]++
		if was[k].slot < slots {
			most = max(most, agreed[was[k].slot])
		}
	}
	if most == len(group) {
		return
	}
	back := func() {
		for k, i := range group {
			p.set(i, was[k])
		}
	}
	best, bestFits, bestDoubts := -1, most, doubts
	for slot := range slots {
		fits, now := p.together(group, was, slot)
		if now <= doubts && (fits > bestFits || best >= 0 && fits == bestFits && now < bestDoubts) {
			best, bestFits, bestDoubts = slot, fits, now
		}
		back()
	}
	if best >= 0 {
		p.together(group, was, best)
	}
}

// together puts the labels of a group into one slot where that does no harm, and leaves the others where they were if
// nothing is there now. It reports how many are in the slot and how many of the group are in doubt; a group that it
// cannot place is all in doubt.
func (p *placement) together(group []int, was []place, slot int) (fits, doubts int) {
	for _, i := range group {
		p.set(i, place{})
	}
	var rest []int
	for k, i := range group {
		c, ok := p.inSlot(i, slot, was[k].size)
		doubt := 0
		if ok {
			doubt = p.doubt(i, &c)
		}
		if !ok || doubt > p.doubt(i, &was[k]) {
			rest = append(rest, k)
			continue
		}
		fits++
		p.set(i, c)
		doubts += doubt
	}
	for _, k := range rest {
		if !p.labels.free(int32(group[k]), was[k].rect) {
			return 0, inHarm*len(group) + 1
		}
		p.set(group[k], was[k])
		doubts += p.doubt(group[k], &was[k])
	}
	return fits, doubts
}

// inSlot is the place of a label in a slot with digits of a size, false where it would do harm there.
func (p *placement) inSlot(i, slot, size int) (place, bool) {
	it := &p.items[i]
	w, h := p.s.letters[size].size(it.digits)
	c := place{rect: slotRect(it.anchor, w, h, slot, p.s.density), slot: slot, size: size}
	if !c.rect.In(p.picture) {
		in := geometry.PushInto(c.rect, p.picture)
		if !in.In(p.picture) || !slides(slot, in.Min.Sub(c.rect.Min).Div(p.s.density)) {
			return c, false
		}
		c.rect = in
	}
	p.weigh(it, &c, near{}, noLimit)
	return c, !it.hidden(c.facts.own) && 4*c.facts.own <= it.target && c.facts.strangers == 0 && c.facts.text == 0 &&
		p.harmless(i, &c)
}

// How much in doubt a label is: a line that an eye has to follow is better than a number in another element's row.
const (
	sure = iota
	byLine
	unsure // it could be read as another element's
	inHarm // it hides something
)

// doubt is how much in doubt a label in a place is.
func (p *placement) doubt(i int, c *place) int {
	size := geometry.Area(c.rect)
	switch {
	case !p.harmless(i, c), p.items[i].hidden(c.facts.own), 5*c.facts.strangers > 3*size:
		return inHarm
	case c.slot == slotLeader:
		return byLine
	case c.facts.unclear, p.nearness(&p.items[i], c.rect) != clearOfOthers:
		return unsure
	}
	return sure
}
