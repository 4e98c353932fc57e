package overlay

import (
	"image"
	"math"
)

// Quality is the placement's own score, counted after the fact from the labels
// as they are and not from what the placement believed.
type Quality struct {
	// LabelOverlaps is the number of pairs of labels that share a px.
	LabelOverlaps int `json:"labelOverlaps"`
	// LabelsOffImage is the number of marks in the picture whose label is not, or
	// not wholly, in it.
	LabelsOffImage int `json:"labelsOffImage"`
	// LabelsOnStrangers is the number of labels of which over 60 % lies on one
	// other element that their own neither is in nor lies on, and under 20 % on their own: a
	// reader would give them to the wrong one.
	LabelsOnStrangers int `json:"labelsOnStrangers"`
	// OwnTargetHidden is the number of labels that hide over half of their element.
	OwnTargetHidden int `json:"ownTargetHidden"`
	// MinContrast is the lowest WCAG contrast ratio among digits on plate, plate
	// against its rim, and box against its halo. Rim and halo make it independent
	// of the page below.
	MinContrast float64 `json:"minContrast"`

	// LabelsOnText is the number of labels of which over 40 % lies on text that is
	// not their element's.
	LabelsOnText int `json:"labelsOnText"`
	// Leaders is the number of labels that stand apart, joined by a line.
	Leaders int `json:"leaders"`
	// SmallDigits is the number of labels in the smaller digits.
	SmallDigits int `json:"smallDigits"`
}

// Quality measures the placement.
func (s *Scene) Quality() Quality {
	p := &placement{s: s, picture: image.Rectangle{Max: s.size}}
	p.gather()
	var q Quality
	q.MinContrast = math.Round(100*min(
		contrast(digitColor, plateColor), contrast(plateColor, haloColor), contrast(boxColor, haloColor))) / 100
	labels := make([]image.Rectangle, len(p.items))
	for i := range p.items {
		it := &p.items[i]
		m := &s.marks[it.mark]
		if m.Label.Empty() || !m.Label.In(p.picture) {
			q.LabelsOffImage++
			continue
		}
		labels[i] = m.Label
		c := place{rect: m.Label}
		p.weigh(it, &c, near{})
		if c.mistaken() {
			q.LabelsOnStrangers++
		}
		if it.hidden(c.facts.own) {
			q.OwnTargetHidden++
		}
		if c.onText() {
			q.LabelsOnText++
		}
		if m.Leader {
			q.Leaders++
		}
		if m.size > 0 {
			q.SmallDigits++
		}
	}
	find := newFinder(newGrid(s.size, 64, 0, labels), len(labels))
	for i := range labels {
		for _, k := range find.near(labels[i]) {
			if int(k) > i && common(labels[i], labels[k]) > 0 {
				q.LabelOverlaps++
			}
		}
	}
	return q
}
