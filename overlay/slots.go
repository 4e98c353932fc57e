package overlay

import (
	"image"

	"github.com/refscope/refscope/overlay/geometry"
)

// A slot is a place for a label relative to its box. They are tried in this
// order where nothing else speaks for one: outside first, because a label that
// lies on its own element hides what it names.
const (
	aboveStart = iota
	rightMiddle
	leftMiddle
	aboveEnd
	belowStart
	belowEnd
	aboveMiddle
	belowMiddle
	outTopLeft
	outTopRight
	outBottomLeft
	outBottomRight
	onTopLeft
	onTopRight
	onBottomLeft
	onBottomRight
	inTopLeft
	inTopRight
	inBottomRight
	inBottomLeft
	centre
	slots

	// slotLeader: the label has an offset of its own, joined by a line.
	slotLeader = slots
)

// The places beside the label of a mark that shares the box, in line with it.
const (
	aboveNext = slotLeader + 1 + iota
	rightNext
	leftNext
	belowNext
)

// nextTo is the place beside a label in a slot, false where there is none.
func nextTo(slot int) (int, bool) {
	switch slot {
	case aboveStart:
		return aboveNext, true
	case rightMiddle:
		return rightNext, true
	case leftMiddle:
		return leftNext, true
	case belowStart:
		return belowNext, true
	}
	return 0, false
}

// outside reports whether a slot covers nothing of its own box.
func outside(slot int) bool { return slot < onTopLeft || slot > slotLeader }

// slotRect is where a label of w by h px goes in a slot of the box r. A label
// outside shares the box's white halo; one inside has its corner on the box's.
// Density is as in newLetterings.
func slotRect(r image.Rectangle, w, h, slot, density int) image.Rectangle {
	touch, outer := strokeOut*density, outerPx*density
	left, right := r.Min.X-touch-w, r.Max.X+touch
	top, bottom := r.Min.Y-touch-h, r.Max.Y+touch
	midX, midY := floorHalf(r.Min.X+r.Max.X-w), floorHalf(r.Min.Y+r.Max.Y-h)
	startX, endX := r.Min.X-outer, r.Max.X+outer-w
	inX, inY := r.Min.X-touch, r.Min.Y-touch
	inEndX, inEndY := r.Max.X+touch-w, r.Max.Y+touch-h
	at := image.Point{midX, midY}
	switch slot {
	case aboveStart:
		at = image.Pt(startX, top)
	case aboveMiddle:
		at = image.Pt(midX, top)
	case aboveEnd:
		at = image.Pt(endX, top)
	case belowStart:
		at = image.Pt(startX, bottom)
	case belowMiddle:
		at = image.Pt(midX, bottom)
	case belowEnd:
		at = image.Pt(endX, bottom)
	case leftMiddle:
		at = image.Pt(left, midY)
	case aboveNext:
		at = image.Pt(startX+w, top)
	case belowNext:
		at = image.Pt(startX+w, bottom)
	case rightNext:
		at = image.Pt(right+w, midY)
	case leftNext:
		at = image.Pt(left-w, midY)
	case rightMiddle:
		at = image.Pt(right, midY)
	case outTopLeft:
		at = image.Pt(left, top)
	case outTopRight:
		at = image.Pt(right, top)
	case outBottomLeft:
		at = image.Pt(left, bottom)
	case outBottomRight:
		at = image.Pt(right, bottom)
	case onTopLeft:
		at = image.Pt(r.Min.X-w/2, r.Min.Y-h/2)
	case onTopRight:
		at = image.Pt(r.Max.X-w/2, r.Min.Y-h/2)
	case onBottomLeft:
		at = image.Pt(r.Min.X-w/2, r.Max.Y-h/2)
	case onBottomRight:
		at = image.Pt(r.Max.X-w/2, r.Max.Y-h/2)
	case inTopLeft:
		at = image.Pt(inX, inY)
	case inTopRight:
		at = image.Pt(inEndX, inY)
	case inBottomRight:
		at = image.Pt(inEndX, inEndY)
	case inBottomLeft:
		at = image.Pt(inX, inEndY)
	}
	return image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}
}

func floorHalf(v int) int { return v >> 1 }

// leaderRects yields the places for a label with a leader line: sixteen around
// the box, at growing distances up to most px of the style, nearest first.
func leaderRects(r image.Rectangle, w, h, density, most int, yield func(image.Rectangle) bool) {
	midX, midY := floorHalf(r.Min.X+r.Max.X-w), floorHalf(r.Min.Y+r.Max.Y-h)
	for d := 8 * density; d <= most*density; d += 8 * density {
		left, right := r.Min.X-d-w, r.Max.X+d
		top, bottom := r.Min.Y-d-h, r.Max.Y+d
		for _, at := range [...]image.Point{
			{r.Min.X, top}, {midX, top}, {r.Max.X - w, top},
			{right, midY}, {right, r.Min.Y}, {right, r.Max.Y - h},
			{r.Max.X - w, bottom}, {midX, bottom}, {r.Min.X, bottom},
			{left, midY}, {left, r.Max.Y - h}, {left, r.Min.Y},
			{left, top}, {right, top}, {right, bottom}, {left, bottom},
		} {
			if !yield(image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}) {
				return
			}
		}
	}
}

// leaderLine is the line from a label to its box: between the nearest points of
// both, from inside the label to the box's edge.
func leaderLine(label, box image.Rectangle) (from, to image.Point) {
	nearest := func(a0, a1, b0, b1 int) (int, int) {
		switch {
		case a1 <= b0:
			return a1 - 1, b0
		case b1 <= a0:
			return a0, b1 - 1
		}
		m := (max(a0, b0) + min(a1, b1)) / 2
		return m, m
	}
	from.X, to.X = nearest(label.Min.X, label.Max.X, box.Min.X, box.Max.X)
	from.Y, to.Y = nearest(label.Min.Y, label.Max.Y, box.Min.Y, box.Max.Y)
	return from, to
}

// The cost of a label, for each of its px. The relations come from a simulation
// of the placement rules of ten systems on dense pages: an ancestor's box is
// made to be drawn on, a stranger's is not, and a label that lies on another
// costs more than anything a single box can.
const (
	costForeign   = 20  // on the box of an element that neither holds it nor is it
	costAncestor  = 2   // on the box of an element around it, or that it lies on
	costOwn       = 7   // on its own box
	costCovered   = 6   // on the box of an element that something covers
	costText      = 24  // on text that is not its element's
	costOwnText   = 10  // on its element's own text
	costOwnClear  = 18  // the same in the style that keeps letters whole
	costLabel     = 160 // on another label
	costTwoLabels = 20  // of the whole label, for being on another at all
	costCrossing  = 11  // of the whole label, where it crosses the line of a box around it
	costDoubtful  = 4   // of the whole label, where another element has nearly as much of it
	costBeside    = 14  // of the whole label, where it is in another element's row as that one's would be
	costTouching  = 2   // of the whole label, where it touches another element in its own row
	costMistaken  = 30  // of the whole label, where it would be read as another element's
	costHidesOwn  = 40  // of the whole label, where it hides most of its target
	costHidesPart = 8   // of the whole label, where it hides a good part of it
	costLeader    = 12  // of the whole label, for needing a line
	costOnText    = 8   // of the whole label, where a good part of it hides text of others
	costLetters   = 24  // of the whole label, where it hides a letter, in the style that keeps letters whole
	costAside     = 3   // of the whole label, where its line leaves the row of its box
	costLine      = 1   // times costText, for each px of that line on text
	costUnclear   = 16  // of the whole label, where another box is as near: see placement.unclear
	costRank      = 5   // whole label, divided by this, for each place in the order of slots
)

// kin is what the box or text of an obstacle is to the mark whose label is placed.
type kin uint8

const (
	kinOwn      kin = iota // the mark's own box, or text in it
	kinGround              // a box around it, or one that it lies on
	kinShared              // a box that it shares with another mark
	kinFaint               // a covered element's: it may be drawn on
	kinStranger            // anything else
)

// obstacle is one box or text near a mark.
type obstacle struct {
	rect image.Rectangle
	line image.Rectangle // of a box, as it is drawn
	kin  kin
	soft bool // of text: a picture
}

// near is what lies around a box, found out once for all its candidates where the
// box is small.
type near struct {
	boxes, texts []obstacle
	whole        bool
}

// once is the area up to which one look around a box is cheaper than one for each
// candidate.
const once = 160 * 160

// around lists the obstacles near a rectangle, if that is small enough. The lists
// are good until the next call of it or of weigh without them.
func (p *placement) around(it *item, r image.Rectangle) near {
	if geometry.Area(r) > once {
		return near{}
	}
	return p.measure(it, r, r)
}

// measure lists the boxes and the texts that touch a rectangle each.
func (p *placement) measure(it *item, boxes, texts image.Rectangle) near {
	t, self := p.s.tree, p.s.marks[it.mark].pos
	p.nearBoxes, p.nearTexts = p.nearBoxes[:0], p.nearTexts[:0]
	for _, k := range p.boxes.find.near(boxes) {
		r := p.boxes.rects[k]
		if !touches(r, boxes) {
			continue
		}
		kin := kinStranger
		switch pos := int(p.boxes.pos[k]); {
		case pos == self:
			kin = kinOwn
		case it.shared(r):
			kin = kinShared
		case t.contains(pos, self) || it.within(r):
			kin = kinGround
		case p.boxes.faint[k]:
			kin = kinFaint
		}
		p.nearBoxes = append(p.nearBoxes, obstacle{r, p.boxes.lines[k], kin, false})
	}
	for _, k := range p.texts.find.near(texts) {
		r := p.texts.rects[k]
		if !touches(r, texts) {
			continue
		}
		kin := kinStranger
		if t.contains(self, int(p.texts.pos[k])) {
			kin = kinOwn
		}
		p.nearTexts = append(p.nearTexts, obstacle{r, r, kin, p.texts.faint[k]})
	}
	return near{p.nearBoxes, p.nearTexts, true}
}

// touches reports whether two rectangles share a px; neither is empty.
func touches(a, b image.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// weigh computes what a candidate covers and its cost without other labels. Once
// that is over most, it stops and reports false: the facts are then incomplete.
func (p *placement) weigh(it *item, c *place, n near, most int) bool {
	if !n.whole {
		n = p.measure(it, c.rect.Inset(-p.s.px(besidePx)), c.rect)
	}
	size := geometry.Area(c.rect)
	cost := 0
	ownText := costOwnText
	if p.s.options.Style == StyleClear {
		ownText = costOwnClear
	}
	c.facts = facts{}
	for k := range n.boxes {
		o := &n.boxes[k]
		a := geometry.Common(c.rect, o.rect)
		if a == 0 {
			if o.kin >= kinFaint {
				cost += p.neighbourly(c, o.rect) * size
			}
			continue
		}
		switch o.kin {
		case kinOwn:
			c.facts.own += a
			cost += costOwn * a
		case kinShared:
		case kinGround:
			cost += costAncestor * a
			if a < size { // on its line it would look like its number
				cost += costCrossing * size
			}
		case kinFaint:
			cost += costCovered * a
		default:
			c.facts.stranger = max(c.facts.stranger, a)
			c.facts.strangers += a
			cost += costForeign * a
		}
		if cost > most {
			return false
		}
	}
	for k := range n.texts {
		a := geometry.Common(c.rect, n.texts[k].rect)
		if !n.texts[k].soft {
			c.facts.letters += a
		}
		switch {
		case a == 0:
		case n.texts[k].kin == kinOwn:
			cost += ownText * a
		default:
			c.facts.text += a
			cost += costText * a
		}
	}
	switch {
	case c.mistaken():
		cost += costMistaken * size
	case 2*c.facts.stranger > c.facts.own && 8*c.facts.stranger > size:
		cost += costDoubtful * size
	}
	if c.onText() {
		cost += costOnText * size
	}
	if p.hidesLetters(c) {
		cost += costLetters * size
	}
	if p.s.options.Style == StyleClear {
		if c.facts.unclear = p.unclear(it, c, n.boxes) || p.inOtherRow(it, c); c.facts.unclear {
			cost += costUnclear * size
		}
	}
	if c.slot > slotLeader && c.facts.strangers > 0 { // a step further, and on a neighbour
		cost += costBeside * size
	}
	switch {
	case it.hidden(c.facts.own):
		cost += costHidesOwn * size
	case 4*c.facts.own > it.target:
		cost += costHidesPart * size
	}
	c.static = cost
	return cost <= most
}

// noLimit lets weigh go through to the end.
const noLimit = int(^uint(0) >> 1)

// How near to a box, in px, a label in its row or above or below it looks like
// that box's own.
const (
	besidePx = 10
	stackPx  = 4
)

// neighbourly is the cost, for each px of the label, of being next to another box,
// where that box's own label would be. A label at the side of its own
// box is in its own row, so what is above and below does not mislead, and the other
// way round.
func (p *placement) neighbourly(c *place, box image.Rectangle) int {
	l := c.rect
	row := 2*(min(l.Max.Y, box.Max.Y)-max(l.Min.Y, box.Min.Y)) >= l.Dy()
	column := 2*(min(l.Max.X, box.Max.X)-max(l.Min.X, box.Min.X)) >= l.Dx()
	gap := (geometry.Distance(l, box) + p.s.density - 1) / p.s.density
	switch c.slot {
	case leftMiddle, rightMiddle, leftNext, rightNext:
		if row && gap <= outerPx {
			return costTouching
		}
		return 0
	case aboveStart, aboveMiddle, aboveEnd, belowStart, belowMiddle, belowEnd, aboveNext, belowNext:
		switch {
		case row && gap <= besidePx:
			return costBeside
		case column && gap < outerPx:
			return costTouching
		}
		return 0
	case outTopLeft, outTopRight, outBottomLeft, outBottomRight:
		if row && gap <= besidePx || column && gap <= stackPx {
			return costBeside
		}
	case onTopLeft, onTopRight, onBottomLeft, onBottomRight:
		if row && gap <= outerPx {
			return costTouching
		}
	}
	return 0 // inside its own box, or with a line to it
}

// mistaken reports whether a reader would give the label to another element: it
// lies mostly on one other element and hardly on its own.
func (c *place) mistaken() bool {
	size := geometry.Area(c.rect)
	return 5*c.facts.stranger > 3*size && 5*c.facts.own < size
}

// onText reports whether more than 40 % of the label lies on text that is not its
// element's.
func (c *place) onText() bool { return 5*c.facts.text > 2*geometry.Area(c.rect) }

// within reports whether a box is the ground that the element lies on: whatever
// the markup is, a button on a much larger picture is drawn on that picture.
func (it *item) within(box image.Rectangle) bool {
	return it.anchor.In(box) && geometry.Area(box) >= 3*geometry.Area(it.anchor)
}

// shared reports whether a box is that of a mark that shares this one's: a label
// on or beside it is as near to the one as to the other.
func (it *item) shared(box image.Rectangle) bool { return it.shares && alike(box, it.whole) }

// hidden reports whether that many px of label hide most of the target.
func (it *item) hidden(px int) bool { return 2*px > it.target }
