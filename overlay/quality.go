package overlay

import (
	"image"
	"image/color"
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

	// LabelsHidden is the number of labels of which over 25 % lies under labels that
	// are drawn later. Labels are drawn after everything else.
	LabelsHidden int `json:"labelsHidden"`
	// LabelsOnText is the number of labels of which over 40 % lies on text that is
	// not their element's.
	LabelsOnText int `json:"labelsOnText"`
	// Named is the number of labels that also say what covers their element.
	Named int `json:"named"`
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
	q.MinContrast = contrast(haloColor, color.RGBA{A: 255})
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
		p.weigh(it, &c, near{}, noLimit)
		if c.mistaken() {
			q.LabelsOnStrangers++
		}
		if it.hidden(c.facts.own) {
			q.OwnTargetHidden++
		}
		if c.onText() {
			q.LabelsOnText++
		}
		plate := s.look(m).color
		q.MinContrast = min(q.MinContrast, contrast(digitColor, plate), contrast(plate, haloColor))
		if m.named() {
			q.Named++
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
		under := 0
		for _, k := range find.near(labels[i]) {
			if a := common(labels[i], labels[k]); int(k) > i && a > 0 {
				q.LabelOverlaps++
				under += a
			}
		}
		if 4*under > area(labels[i]) {
			q.LabelsHidden++
		}
	}
	q.MinContrast = math.Round(100*q.MinContrast) / 100
	return q
}
