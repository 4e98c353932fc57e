package overlay

import (
	"image"
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
)

// repairSweeps bounds how often placed labels are moved again.
const repairSweeps = 6

// placement is the work on one scene's labels.
type placement struct {
	s       *Scene
	picture image.Rectangle
	boxes   obstacles // of the marks that are drawn
	texts   obstacles // of all text in view
	labels  *occupancy
	items   []item
	itemOf  []int32 // by mark, -1 for none
	kept    []bool  // by item: it is where it was on the picture before
	led     []int32 // items whose label has, or had, a line to its box

	last                 bool       // the last try: only places that do no harm, see leaveOut
	nearBoxes, nearTexts []obstacle // see look
}

// obstacles are rectangles with the node that each belongs to.
type obstacles struct {
	rects []image.Rectangle
	lines []image.Rectangle // of boxes, as they are drawn
	pos   []int32           // node position of each
	faint []bool            // of a covered element: it may be drawn on; of text: a picture
	find  *finder
}

// item is one label to place.
type item struct {
	mark   int32
	anchor image.Rectangle // the stroke it belongs to, within the picture
	digits int             // and other characters that its label has
	target int             // px of the element's box in the picture
	whole  image.Rectangle // around that
	shares bool            // another mark has the same box

	place place
}

// place is one candidate and what it costs.
type place struct {
	rect   image.Rectangle
	slot   int
	size   int // index in letterings
	static int // cost without other labels
	facts  facts
}

// facts are what a candidate covers, in px: of its own element, of the other one
// that it covers most of, of all strangers, and of text that is not its own.
type facts struct {
	own, stranger, strangers, text int
	letters                        int  // px of any text, that of its own element included
	unclear                        bool // another box is as near: see placement.unclear
}

// place puts every label: each in turn where it costs least, small elements
// first because they have the fewest good places; then labels in conflict again
// until nothing moves; then the rest in smaller digits, at the end of a line, or
// in their own boxes whatever that hides.
func (s *Scene) place() {
	p := &placement{s: s, picture: image.Rectangle{Max: s.size}}
	p.gather()
	if len(p.items) == 0 {
		return
	}
	p.labels = newOccupancy(s.size, cellOf(s.size, 64), len(p.items))
	p.kept = p.keep()
	p.fill()
	for p.release() { // at most as often as there are labels: each time one more is free
		p.fill()
	}
	if (s.zoom == 0 || s.zoom == 1) && s.options.Style == StyleClear {
		p.align()
	}
	p.retreat()
	p.nameCoverers()
	if s.options.Style == StyleClear || s.zoom > 0 {
		p.leaveOut()
	}
	s.placed = make([]int32, 0, len(p.items))
	for i := range p.items {
		it := &p.items[i]
		if it.place.rect.Empty() {
			continue
		}
		m := &s.marks[it.mark]
		m.Label, m.slot, m.size = it.place.rect, it.place.slot, it.place.size
		m.Leader = m.slot == slotLeader
		s.placed = append(s.placed, it.mark)
	}
}

// gather collects the labels and everything that they should keep off.
func (p *placement) gather() {
	s := p.s
	for i := range s.marks {
		m := &s.marks[i]
		if !m.shown(s.options.View) || s.untold(m) {
			continue
		}
		it := item{
			mark: int32(i), digits: utf8.RuneCountInString(m.label), shares: m.SharesBox > 0,
			whole: bounds(m.Rects).Intersect(p.picture),
		}
		found := false
		for k, r := range m.strokes {
			in := r.Intersect(p.picture)
			if !found && !in.Empty() {
				it.anchor, m.anchor, found = in, k, true
			}
			it.target += geometry.Area(m.Rects[k].Intersect(p.picture))
			p.boxes.add(m.Rects[k].Intersect(p.picture), r, m.pos, m.Status == Covered)
		}
		if found {
			p.items = append(p.items, it)
		}
	}
	sort.SliceStable(p.items, func(a, b int) bool {
		x, y := &p.items[a], &p.items[b]
		if cx, cy := s.marks[x.mark].Status == Covered, s.marks[y.mark].Status == Covered; cx != cy {
			return cy // what can be clicked chooses first
		}
		return geometry.Area(x.anchor) < geometry.Area(y.anchor)
	})
	p.itemOf = make([]int32, len(s.marks))
	for i := range p.itemOf {
		p.itemOf[i] = -1
	}
	for i := range p.items {
		p.itemOf[p.items[i].mark] = int32(i)
	}
	p.gatherTexts()
	p.boxes.index(s.size, cellOf(s.size, 64))
	p.texts.index(s.size, cellOf(s.size, 32))
}

// gatherTexts collects what is painted in view and has to stay readable: lines of text, what fields show, and
// small pictures.
func (p *placement) gatherTexts() {
	for _, l := range p.s.textLines() {
		r := l.rect
		// A line of text is higher than its letters.
		if d := r.Dy() / 6; d > 0 {
			r.Min.Y += d
			if p.s.options.Style == StyleClear {
				d /= 2 // some letters reach far down
			}
			r.Max.Y -= d
		}
		p.texts.add(r, r, l.pos, false)
	}
	if p.s.options.Style != StyleClear {
		return
	}
	for _, l := range p.s.paintedFields(p.last) {
		p.texts.add(l.rect, l.rect, l.pos, l.soft)
	}
}

func (o *obstacles) add(r, line image.Rectangle, pos int, faint bool) {
	if !r.Empty() {
		o.rects, o.lines = append(o.rects, r), append(o.lines, line)
		o.pos, o.faint = append(o.pos, int32(pos)), append(o.faint, faint)
	}
}

// index sorts the obstacles, small ones first, and makes them findable.
func (o *obstacles) index(size image.Point, cell int) {
	by := make([]int, len(o.rects))
	for i := range by {
		by[i] = i
	}
	sort.SliceStable(by, func(a, b int) bool { return geometry.Area(o.rects[by[a]]) < geometry.Area(o.rects[by[b]]) })
	rects, lines := make([]image.Rectangle, len(by)), make([]image.Rectangle, len(by))
	pos, faint := make([]int32, len(by)), make([]bool, len(by))
	for k, i := range by {
		rects[k], lines[k], pos[k], faint[k] = o.rects[i], o.lines[i], o.pos[i], o.faint[i]
	}
	o.rects, o.lines, o.pos, o.faint = rects, lines, pos, faint
	o.find = newFinder(newGrid(size, cell, cellCap, rects), len(rects))
}

// set assigns a label its place.
func (p *placement) set(i int, c place) {
	if c.slot == slotLeader && !slices.Contains(p.led, int32(i)) {
		p.led = append(p.led, int32(i))
	}
	p.items[i].place = c
	p.labels.put(int32(i), c.rect)
}

// fill places the labels that have no place yet.
func (p *placement) fill() {
	for i := range p.items {
		if !p.items[i].place.rect.Empty() {
			continue
		}
		if c, ok := p.best(i, p.s.regular); ok {
			p.set(i, c)
		}
	}
	for range repairSweeps {
		if !p.repair() {
			break
		}
	}
	p.rescue()
}

// best is the cheapest of the slots around a label's box, false where none lies
// in the picture.
func (p *placement) best(i, size int) (place, bool) {
	it := &p.items[i]
	w, h := p.s.letters[size].size(it.digits)
	tiny := it.anchor.Dx() <= p.s.px(minTarget) || it.anchor.Dy() <= p.s.px(minTarget)
	reach := max(w, h)
	if it.shares {
		reach *= 2
	}
	near := p.around(it, it.anchor.Inset(-reach-p.s.px(outerPx+besidePx)))
	var best place
	cost, found := 0, false
	beside, ok := p.besideTwin(it)
	first := 0
	if ok {
		first = -1
	}
	for pass := 0; pass < 2 && !found; pass++ {
		for rank := first; rank < slots; rank++ {
			slot := rank
			if rank < 0 {
				slot = beside
			}
			if pass == 0 && tiny && rank >= 0 && !outside(slot) {
				break
			}
			c := place{rect: slotRect(it.anchor, w, h, slot, p.s.density), slot: slot, size: size}
			if p.last && slot >= inTopLeft && slot < slots {
				c.rect = geometry.PushInto(c.rect, it.anchor) // not even its rim on a neighbour's
			}
			if !c.rect.In(p.picture) {
				in := geometry.PushInto(c.rect, p.picture)
				if !in.In(p.picture) {
					return place{}, false // larger than the picture
				}
				// Along the box a label may slide; towards it only by the
				// width of its halo. More is for when nothing else fits.
				if pass == 0 && !slides(slot, in.Min.Sub(c.rect.Min).Div(p.s.density)) {
					continue
				}
				c.rect = in
			}
			most := noLimit
			if found {
				most = cost - rank*w*h/costRank - 1 // other labels can only add to it
			}
			if !p.weigh(it, &c, near, most) {
				continue
			}
			if p.last && !p.harmless(i, &c) {
				continue
			}
			total := c.static + rank*w*h/costRank
			if total += p.clash(i, c.rect); !found || total < cost {
				best, cost, found = c, total, true
			}
		}
	}
	return best, found
}

// besideTwin is the place beside the label of the mark that shares an item's box,
// false where that one has none yet or has no room beside it.
func (p *placement) besideTwin(it *item) (slot int, ok bool) {
	if !it.shares {
		return 0, false
	}
	twin := p.itemOf[p.s.index(p.s.marks[it.mark].SharesBox)]
	if twin < 0 || p.items[twin].place.rect.Empty() {
		return 0, false
	}
	return nextTo(p.items[twin].place.slot)
}

// slides reports whether a label in a slot may be moved that far.
func slides(slot int, by image.Point) bool {
	dx, dy := max(by.X, -by.X), max(by.Y, -by.Y)
	switch slot {
	case leftMiddle, rightMiddle, leftNext, rightNext:
		return dx <= outerPx
	case aboveStart, aboveMiddle, aboveEnd, belowStart, belowMiddle, belowEnd, aboveNext, belowNext:
		return dy <= outerPx
	}
	return max(dx, dy) <= outerPx
}

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
	return costLabel*px + costTwoLabels*geometry.Area(r)
}

// total is the cost of a place with all other labels where they are.
func (p *placement) total(i int, c *place) int {
	sum := c.static + p.clash(i, c.rect)
	if c.slot == slotLeader {
		return sum + costLeader*geometry.Area(c.rect)
	}
	if c.slot > slotLeader { // beside its twin: the first choice
		return sum - geometry.Area(c.rect)/costRank
	}
	return sum + c.slot*geometry.Area(c.rect)/costRank
}

// trouble reports whether a label's place breaks a promise: it lies on another
// label, reads as another element's, hides its own target or another element's text.
func (p *placement) trouble(i int) bool {
	it := &p.items[i]
	c := &it.place
	size := geometry.Area(c.rect)
	return !p.labels.free(int32(i), c.rect) || c.mistaken() || it.hidden(c.facts.own) ||
		c.onText() || p.hidesLetters(c) || 5*c.facts.strangers > 3*size || c.facts.unclear
}

// rescue deals with the labels that found no good place: smaller digits, then a
// free spot within leaderMax px and a line to the box.
func (p *placement) rescue() {
	for i := range p.items {
		if p.items[i].place.rect.Empty() || !p.trouble(i) {
			continue
		}
		if p.kept[i] {
			p.leave(i)
			continue
		}
		was := p.items[i].place
		if c, ok := p.best(i, p.s.floor); ok && p.total(i, &c) < p.total(i, &was) {
			p.set(i, c)
			if !p.trouble(i) {
				continue
			}
			if now := p.items[i].place; p.total(i, &was) <= p.total(i, &now)+geometry.Area(was.rect)*costOwn {
				p.set(i, was) // it helped little: keep the larger digits
			}
		}
		if c, ok := p.leader(i, p.s.regular, leaderMax); ok {
			now := p.items[i].place
			if p.total(i, &c) < p.total(i, &now) {
				p.set(i, c)
			}
		}
	}
}

// nameCoverers adds to the labels of covered marks what covers them, where that
// can be read: in one of the slots without harm to anything. A button on a picture
// is not named as its cover, nor is a neighbour that reaches over its edge by no more than the lines of their
// boxes, as in a row of buttons that share their borders. The manifest has it in any case.
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
		if by == "" || o.State == snapshot.Partly &&
			(p.s.liesOn(m, p.s.tree.pos(m.CovererNode)) || p.s.coversEdge(m, o)) {
			continue
		}
		was := *it
		it.digits += len([]rune(byArrow)) + len(by)
		c, ok := p.best(i, was.place.size)
		if ok {
			p.set(i, c)
		}
		if !ok || p.trouble(i) || c.facts.text > 0 || 4*c.facts.strangers > geometry.Area(c.rect) {
			*it = was
			p.set(i, was.place)
			continue
		}
		m.label += byArrow + by
	}
}

// leader is the cheapest free spot for a label with a line, false where there is
// none up to that many px away that keeps all promises.
func (p *placement) leader(i, size, most int) (place, bool) {
	it := &p.items[i]
	w, h := p.s.letters[size].size(it.digits)
	best, cost, found := place{}, 0, false
	leaderRects(it.anchor, w, h, p.s.density, most, func(r image.Rectangle) bool {
		c := place{rect: r, slot: slotLeader, size: size}
		if !r.In(p.picture) || !p.labels.free(int32(i), r) || !p.apartFromLines(i, &c) {
			return true
		}
		p.weigh(it, &c, near{}, noLimit)
		if c.mistaken() || c.onText() || p.hidesLetters(&c) || p.strict(it, &c) ||
			5*c.facts.strangers > 3*geometry.Area(r) {
			return true
		}
		// A long line is harder to follow, and it crosses more.
		texts, boxes := p.crossed(it, r)
		if p.s.options.Style == StyleClear && (texts > 0 || boxes > 0 || c.facts.strangers > 0) {
			return true
		}
		c.static += texts + boxes
		if 2*(min(r.Max.Y, it.anchor.Max.Y)-max(r.Min.Y, it.anchor.Min.Y)) < min(h, it.anchor.Dy()) {
			c.static += costAside * geometry.Area(r)
		}
		total := c.static + geometry.Distance(r, it.anchor)/p.s.density*geometry.Area(r)/4
		if !found || total < cost {
			best, cost, found = c, total, true
		}
		return best.static > 0 || !found // a free spot this near is as good as it gets
	})
	return best, found
}

// line is the line that joins a label at the end of one to its box.
func (it *item) line(label image.Rectangle) geometry.Line {
	from, to := leaderLine(label, it.anchor)
	return geometry.Line{From: from, To: to}
}

// apartFromLines reports whether no line of another label runs through that of an item in a place, and the line of that
// place runs through no other label and across no other line: a reader would follow the wrong one.
func (p *placement) apartFromLines(i int, c *place) bool {
	own := p.items[i].line(c.rect)
	if c.slot == slotLeader {
		for _, k := range p.labels.under(nil, int32(i), own.Bounds().Inset(-p.s.density)) {
			if own.Through(p.items[k].place.rect.Inset(-p.s.density)) {
				return false
			}
		}
	}
	for _, k := range p.led {
		it := &p.items[k]
		if int(k) == i || it.place.slot != slotLeader || it.place.rect.Empty() {
			continue
		}
		other := it.line(it.place.rect)
		if other.Through(c.rect.Inset(-p.s.density)) || c.slot == slotLeader && own.Crosses(other) {
			return false
		}
	}
	return true
}

// hidesLetters reports whether a place hides letters, in the style that keeps them whole.
func (p *placement) hidesLetters(c *place) bool {
	return p.s.options.Style == StyleClear && c.facts.letters > 0
}

// crossed is the cost of what the line from a label to its box runs over. The
// line is counted as the rectangle around it, at most three px for each px of its
// length. The element's own text does not count where it is inside its box, as the line ends at the box.
func (p *placement) crossed(it *item, label image.Rectangle) (texts, boxes int) {
	from, to := leaderLine(label, it.anchor)
	way := image.Rectangle{Min: from, Max: to}.Canon()
	d := p.s.density
	way = image.Rect(way.Min.X-d, way.Min.Y-d, way.Max.X+2*d, way.Max.Y+2*d)
	most := 3 * d * max(way.Dx(), way.Dy())
	self := p.s.marks[it.mark].pos
	for _, k := range p.texts.find.near(way) {
		r := p.texts.rects[k]
		if p.s.options.Style == StyleClear && r.In(it.anchor.Inset(-p.s.px(outerPx))) &&
			p.s.tree.contains(self, int(p.texts.pos[k])) {
			continue
		}
		texts += costLine * costText * min(most, geometry.Common(way, r))
	}
	for _, k := range p.boxes.find.near(way) {
		if pos := int(p.boxes.pos[k]); !p.s.tree.contains(pos, self) && !it.within(p.boxes.rects[k]) {
			boxes += costForeign * min(most, geometry.Common(way, p.boxes.rects[k]))
		}
	}
	return texts, boxes
}

// retreat is for pictures so full that labels are still on each other or on a
// another element after all else: such a label goes into its own box, which no other
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

// leaveOut takes the numbers off that would hide a letter, stand on another element or read as its own after all, and
// tries once more what room the others leave, down to the smaller digits: a wrong number misleads, and a missing one is
// counted and listed.
func (p *placement) leaveOut() {
	var out []int
	for i := len(p.items) - 1; i >= 0; i-- {
		if it := &p.items[i]; !it.place.rect.Empty() && !p.harmless(i, &it.place) {
			p.set(i, place{})
			out = append(out, i)
		}
	}
	if p.last = true; len(out) > 0 {
		p.texts = obstacles{}
		p.gatherTexts()
		p.texts.index(p.s.size, cellOf(p.s.size, 32))
	}
	var without []int
	for k := len(out) - 1; k >= 0; k-- {
		i := out[k]
		c, ok := p.lastPlace(i, len(out) <= farMarks)
		if ok {
			p.setLast(i, c)
		} else {
			without = append(without, i)
		}
		p.s.marks[p.items[i].mark].LeftOut = !ok
	}
	if len(without) > mostMoves {
		return
	}
	for _, i := range without {
		p.s.marks[p.items[i].mark].LeftOut = !p.makeRoom(i)
	}
}

// setLast assigns a label a place that it found when all others had theirs.
func (p *placement) setLast(i int, c place) {
	p.set(i, c)
	if c.size > p.s.floor ||
		c.slot == slotLeader && geometry.Distance(c.rect, p.items[i].anchor) > p.s.px(leaderMax) {
		p.s.forced++
	}
}

// makeRoom places a label that found no place without harm, where one near it can go elsewhere and is no more in doubt
// there, and reports whether it did. What is where it was on the picture before stays there.
func (p *placement) makeRoom(i int) bool {
	near := p.items[i].anchor.Inset(-p.s.px(leaderMax + moveReach))
	for _, k := range p.labels.under(nil, int32(i), near) {
		was := p.items[k].place
		if p.kept[k] || was.rect.Empty() {
			continue
		}
		most := p.doubt(int(k), &was)
		p.set(int(k), place{})
		if c, ok := p.nearPlace(i); ok && p.doubt(i, &c) < unsure {
			p.set(i, c)
			if moved, ok := p.nearPlace(int(k)); ok && p.doubt(int(k), &moved) <= most {
				p.setLast(int(k), moved)
				p.setLast(i, c)
				return true
			}
			p.set(i, place{})
		}
		p.set(int(k), was)
	}
	return false
}

// lastPlace is the best place for a label that found none without harm, false where there is none: by its box or at the
// end of a line, with ever smaller digits, then further away. A link of several lines may have its number at any.
func (p *placement) lastPlace(i int, far bool) (place, bool) {
	it := &p.items[i]
	m := &p.s.marks[it.mark]
	var hiding place // it hides most of its element
	first, at := m.anchor, -1
	for pass := 0; pass < 2 && (pass == 0 || far); pass++ {
		for k := first; k < len(m.strokes); k++ {
			in := m.strokes[k].Intersect(p.picture)
			if in.Empty() {
				continue
			}
			m.anchor, it.anchor = k, in
			c, ok := p.nearPlace(i)
			if pass > 0 {
				c, ok = p.farPlace(i)
			}
			if ok && !it.hidden(c.facts.own) {
				return c, true
			}
			if ok && at < 0 {
				hiding, at = c, k
			}
		}
	}
	m.anchor = max(first, at)
	it.anchor = m.strokes[m.anchor].Intersect(p.picture)
	return hiding, at >= 0
}

// nearPlace is the best place of a label by its box or at the end of a line, with as large digits as there is room for.
func (p *placement) nearPlace(i int) (best place, found bool) {
	it := &p.items[i]
	for _, size := range p.sizes() {
		for _, try := range [...]func() (place, bool){
			func() (place, bool) { return p.best(i, size) },
			func() (place, bool) { return p.leader(i, size, leaderMax) },
		} {
			c, ok := try()
			if ok && !it.hidden(c.facts.own) {
				return c, true
			}
			if ok && !found {
				best, found = c, true
			}
		}
	}
	return best, found
}

// farPlace is the nearest place of a label at the end of a longer line.
func (p *placement) farPlace(i int) (place, bool) {
	for size := p.s.regular; size <= p.s.floor; size++ {
		if c, ok := p.leader(i, size, farMax); ok {
			return c, true
		}
		if c, ok := p.alongEdge(i, size); ok {
			return c, true
		}
	}
	return place{}, false
}

// sizes are those of labels in the order in which they are tried.
func (p *placement) sizes() []int {
	var out []int
	for size := p.s.regular; size <= p.s.floor; size++ {
		out = append(out, size)
	}
	if p.s.least > p.s.floor {
		out = append(out, p.s.least)
	}
	return out
}

// alongEdge is the nearest place for a label at the end of a line that goes on from the upper or lower edge of its box,
// as between two lines of text to the margin, false where none does without harm.
func (p *placement) alongEdge(i, size int) (place, bool) {
	it := &p.items[i]
	d := p.s.density
	w, h := p.s.letters[size].size(it.digits)
	above, below := it.anchor.Min.Y+d-h, it.anchor.Max.Y-d
	var closed [4]bool // something is in the way
	for gap := edgeStep * d; gap <= edgeMax*d; gap += edgeStep * d {
		left, right := it.anchor.Min.X-gap-w, it.anchor.Max.X+gap
		for side, at := range [...]image.Point{{right, below}, {left, below}, {right, above}, {left, above}} {
			c := place{rect: image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}, slot: slotLeader, size: size}
			if closed[side] || !c.rect.In(p.picture) {
				continue
			}
			if texts, boxes := p.crossed(it, c.rect); texts > 0 || boxes > 0 {
				closed[side] = true
				continue
			}
			if p.weigh(it, &c, near{}, noLimit); c.facts.strangers == 0 && p.harmless(i, &c) {
				return c, true
			}
		}
	}
	return place{}, false
}

// mostOn is the part of a label, one by this, that may lie on the edges of other elements, as in rows that are hardly
// higher than a number.
const mostOn = 3

// harmless reports whether a label in a place hides no letter and no other label, lies on no other element and no line,
// and has no other box nearer than its own.
func (p *placement) harmless(i int, c *place) bool {
	return !p.hidesLetters(c) && !c.mistaken() && p.labels.free(int32(i), c.rect) && !p.strict(&p.items[i], c) &&
		mostOn*c.facts.strangers <= geometry.Area(c.rect) && p.apartFromLines(i, c) &&
		(c.slot == slotLeader || p.nearness(&p.items[i], c.rect) != nearer)
}

// inside is the cheapest place of a label within its own box that is clear of the
// labels which are there for good, false where there is none.
func (p *placement) inside(i int, home []bool) (place, bool) {
	it := &p.items[i]
	ground := it.anchor.Inset(-p.s.px(strokeOut))
	var best place
	found := false
	for size := p.s.regular; size <= p.s.floor; size++ {
		w, h := p.s.letters[size].size(it.digits)
		for slot := inTopLeft; slot < slots; slot++ {
			c := place{rect: slotRect(it.anchor, w, h, slot, p.s.density), slot: slot, size: size}
			c.rect = geometry.PushInto(c.rect, it.anchor) // not even its rim on a neighbour's
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
