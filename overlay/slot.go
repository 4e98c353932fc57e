package overlay

import "image"

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

	// slotLeader: the label stands at an offset of its own, joined by a line.
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

// slotRect is where a label of w by h px stands in a slot of the box r. A label
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
// the box, at growing distances up to leaderMax, nearest first.
func leaderRects(r image.Rectangle, w, h int, yield func(image.Rectangle) bool) {
	midX, midY := floorHalf(r.Min.X+r.Max.X-w), floorHalf(r.Min.Y+r.Max.Y-h)
	for d := 8; d <= leaderMax; d += 8 {
		left, right := r.Min.X-d-w, r.Max.X+d
		top, bottom := r.Min.Y-d-h, r.Max.Y+d
		for _, at := range [...]image.Point{
			{r.Min.X, top}, {midX, top}, {r.Max.X - w, top},
			{right, r.Min.Y}, {right, midY}, {right, r.Max.Y - h},
			{r.Max.X - w, bottom}, {midX, bottom}, {r.Min.X, bottom},
			{left, r.Max.Y - h}, {left, midY}, {left, r.Min.Y},
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
