package overlay

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// manifestSchema names the shape of a manifest's JSON. Changes are additive only.
const manifestSchema = "refscope.marks/1"

// Manifest is in JSON what a marked picture shows: every ref of the capture
// exactly once, in ref order, drawn or with the reason why not.
type Manifest struct {
	Schema string `json:"schema"`
	Style  string `json:"style"` // the style of the marks
	// Model is the vision model whose image rules made the picture, "" where it is
	// as captured.
	Model  string          `json:"model"`
	View   View            `json:"view"`
	Images []ManifestImage `json:"images"`
	// Index is the file of the picture that shows which of Images has what, "" where there
	// is none.
	Index string `json:"index,omitempty"`
	// Numbers is the format of the agent's own text whose numbers the labels show, "" where they show ours.
	Numbers string         `json:"numbers,omitempty"`
	Marks   []ManifestMark `json:"marks"`
	// Counts is the number of marks by status.
	Counts  map[Status]int `json:"counts"`
	Quality Quality        `json:"quality"`
}

// ManifestImage is one picture.
type ManifestImage struct {
	File   string  `json:"file"`   // the name of its file, beside the manifest
	Width  int     `json:"width"`  // px
	Height int     `json:"height"` // px
	ScaleX float64 `json:"scaleX"` // image px for one CSS px
	ScaleY float64 `json:"scaleY"` // image px for one CSS px, down
	Tile   [4]int  `json:"tile"`   // the part of the whole picture that it is: x, y, w, h
	// Quality is that of this picture, where there are several.
	Quality *Quality `json:"quality,omitempty"`
}

// ManifestMark is one ref. Box and Label are in px of its image.
type ManifestMark struct {
	Ref    int `json:"ref"`              // the number of the element
	Number int `json:"number,omitempty"` // on its label
	// AsSent is what its label shows in the place of the number: the agent's own. Untold: the agent was not given the
	// element, as far as is known, so that its box is dashed and has no label.
	AsSent string `json:"asSent,omitempty"`
	Untold bool   `json:"untold,omitempty"`

	Role  string     `json:"role"`  // the ARIA role
	Name  string     `json:"name"`  // the accessible name
	Image int        `json:"image"` // index in Images
	Box   [4]float64 `json:"box"`   // left, top, width, height of the element in image px
	// Label: left, top, width, height of its number in image px; absent where it has none.
	Label  *[4]float64 `json:"label,omitempty"`
	Status Status      `json:"status"`
	// Coverer is the ref of what covers it, or of the nearest element around that
	// with a ref; CovererNode is its index in the capture.
	Coverer     *int `json:"coverer,omitempty"`
	CovererNode *int `json:"covererNode,omitempty"`
	Leader      bool `json:"leader"` // a line leads from the number to the box

	Rects [][4]float64 `json:"rects,omitempty"` // where it has several boxes in the picture
	// VisibleShare: the part of the box that nothing covers, 0 to 1; absent where that was not asked.
	VisibleShare *float64 `json:"visibleShare,omitempty"`
	// Glass: something hides it from a person and lets clicks through.
	Glass bool `json:"glass,omitempty"`
	// Cut lists the sides on which it continues out of sight.
	Cut []string `json:"cut,omitempty"`
	// SharesBox is the ref of another mark in the picture with the same box.
	SharesBox int `json:"sharesBox,omitempty"`
	// For is the ref of the mark that stands for it, where Status is same_thing.
	For int `json:"for,omitempty"`
	// Color is #rrggbb of the box where it is not black, and of its plate, but where colours tell roles.
	Color string `json:"color,omitempty"`

	Direction string  `json:"direction,omitempty"` // of an offscreen element
	Distance  float64 `json:"distance,omitempty"`  // px of the image
}

// Manifest describes the picture that Draw makes, under the file name it is given
// on disk. Names are page text: control and bidi characters are spelled out.
func (s *Scene) Manifest(file string) Manifest {
	out := Manifest{
		Schema: manifestSchema, Style: s.options.style(), View: s.options.View,
		Images: []ManifestImage{{
			File: file, Width: s.size.X, Height: s.size.Y,
			ScaleX: round(s.scale.x, 6), ScaleY: round(s.scale.y, 6),
			Tile: [4]int{0, 0, s.size.X, s.size.Y},
		}},
		Marks:   make([]ManifestMark, 0, len(s.marks)),
		Counts:  map[Status]int{},
		Quality: s.quality(),
	}
	for i := range s.marks {
		m := &s.marks[i]
		status, number := m.Status, m.Number
		if m.LeftOut {
			number = 0
			if status == Drawn {
				status = NoRoom
			}
		}
		out.Counts[status]++
		if s.untold(m) {
			number = 0
		}
		j := ManifestMark{
			Ref: m.Ref, Number: number, Role: roleName(m, s.capture), Name: text.Cut(text.Line(m.Name), nameRunes+1),
			Box: rounded(m.Box), Status: status, Leader: m.Leader,
			Glass: m.Glass, Cut: m.Cut, SharesBox: m.SharesBox, For: m.For,
			Direction: m.Direction, Distance: round(m.Distance, 2),
		}
		if c := s.style(m).color; number > 0 && c != (color.RGBA{A: 255}) {
			j.Color = fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
		}
		if j.Untold = s.untold(m); !j.Untold && s.options.Label != nil && m.plain != strconv.Itoa(m.Number) {
			j.AsSent = m.plain
		}
		if !m.Label.Empty() {
			label := pixels(m.Label)
			j.Label = &label
		}
		if m.Coverer > 0 {
			j.Coverer = &m.Coverer
		}
		if m.CovererNode >= 0 {
			j.CovererNode = &m.CovererNode
		}
		if m.VisibleShare >= 0 {
			share := round(m.VisibleShare, 4)
			j.VisibleShare = &share
		}
		if len(m.Rects) > 1 {
			for _, r := range m.Rects {
				j.Rects = append(j.Rects, pixels(r))
			}
		}
		out.Marks = append(out.Marks, j)
	}
	return out
}

func pixels(r image.Rectangle) [4]float64 {
	return [4]float64{float64(r.Min.X), float64(r.Min.Y), float64(r.Dx()), float64(r.Dy())}
}

func rounded(b snapshot.Box) [4]float64 {
	for i := range b {
		b[i] = round(b[i], 2)
	}
	return b
}

// round keeps so many decimals; what is not a number becomes 0, which JSON has.
func round(v float64, decimals int) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	p := math.Pow10(decimals)
	if r := math.Round(v*p) / p; r != 0 {
		return r
	}
	return 0 // not minus zero
}

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
	// MinContrast is the lowest WCAG contrast ratio of digits on their plate, and OutlineContrast that of a box against
	// its halo. Plate and halo make them independent of the page below.
	MinContrast     float64 `json:"minContrast"`
	OutlineContrast float64 `json:"outlineContrast"`

	// LabelsHidden is the number of labels of which over 25 % lies under labels that
	// are drawn later. Labels are drawn after everything else.
	LabelsHidden int `json:"labelsHidden"`
	// LabelsOnText is the number of labels of which over 40 % lies on text that is
	// not their element's.
	LabelsOnText int `json:"labelsOnText"`
	// Named is the number of labels that also name what covers their element.
	Named int `json:"named"`
	// Leaders is the number of labels apart from their boxes, joined by a line.
	Leaders int `json:"leaders"`
	// Letters is what the marks hide of the page's letters, counted in the picture's pixels; absent where no marked
	// picture was made.
	Letters *Hidden `json:"letters,omitempty"`
	// TargetsHidden is the number of elements of which labels, their own or another one's, hide over half.
	TargetsHidden int `json:"targetsHidden"`
	// Nearer is the number of labels that have another element's box nearer than their own, and As near those that have
	// one as near, of which none has a line to its box.
	Nearer int `json:"nearer"`
	AsNear int `json:"asNear"` // numbers that are as near to another box as to their own
	// LeftOut is the number of marks without a number, because there is no place for it: see NoRoom.
	LeftOut int `json:"leftOut"`
	// SmallDigits is the number of labels whose digits are too small to read where the picture is looked at: after the
	// resize of the model, or of the strictest one where none was named. See Options.Seen.
	SmallDigits int `json:"smallDigits"`
}

// seen is the part of its size at which the picture is looked at.
func (s *Scene) seen() float64 {
	fit := s.options.Seen
	if fit == nil {
		strictest, _ := vision.Lookup("")
		fit = func(size image.Point) image.Point { return strictest.Fit(size, vision.Auto) }
	}
	if s.size.X == 0 {
		return 1
	}
	return min(1, float64(fit(s.size).X)/float64(s.size.X))
}

// How near another box is to a label than its own.
const (
	clearOfOthers = iota
	asNear
	nearer
)

// nearness compares the distance of a label to its own box with that to all others, the one around it included;
// those that share its box are not asked.
func (p *placement) nearness(it *item, label image.Rectangle) int {
	plate, density := label.Inset(p.s.px(haloPx)), p.s.density
	own := geometry.NearnessOf(plate, it.anchor, density)
	for _, r := range p.s.marks[it.mark].strokes {
		if n := geometry.NearnessOf(plate, r, density); n.Less(own) {
			own = n
		}
	}
	// The line of a box may lie outside its element, by which boxes are found.
	n := p.measure(it, label.Inset(-geometry.Distance(label, it.anchor)-p.s.px(outerPx+mostClear)), image.Rectangle{})
	out := clearOfOthers
	for k := range n.boxes {
		if n.boxes[k].kin == kinOwn || n.boxes[k].kin == kinShared {
			continue
		}
		switch other := geometry.NearnessOf(plate, n.boxes[k].line, density); {
		case other.Less(own):
			return nearer
		case !own.Less(other):
			out = asNear
		}
	}
	return out
}

// quality measures the placement.
func (s *Scene) quality() Quality {
	p := &placement{s: s, picture: image.Rectangle{Max: s.size}}
	p.gather()
	var q Quality
	q.MinContrast = contrast(haloColor, color.RGBA{A: 255})
	q.OutlineContrast = q.MinContrast
	labels := make([]image.Rectangle, len(p.items))
	seen := s.seen()
	for i := range p.items {
		it := &p.items[i]
		m := &s.marks[it.mark]
		if m.LeftOut {
			q.LeftOut++
			continue
		}
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
		q.MinContrast = min(q.MinContrast, contrast(digitColor, s.plate(m)))
		q.OutlineContrast = min(q.OutlineContrast, contrast(s.style(m).color, haloColor))
		if m.named() {
			q.Named++
		}
		if m.Leader {
			q.Leaders++
		}
		if float64(s.letters[m.size].digit)*seen < MinDigits {
			q.SmallDigits++
		}
		if !m.Leader {
			switch p.nearness(it, m.Label) {
			case nearer:
				q.Nearer++
			case asNear:
				q.AsNear++
			}
		}
	}
	find := newFinder(newGrid(s.size, 64, 0, labels), len(labels))
	for i := range p.items {
		it := &p.items[i]
		if s.marks[it.mark].LeftOut {
			continue
		}
		for _, k := range find.near(it.whole) {
			under := 0
			for _, r := range s.marks[it.mark].Rects {
				under += geometry.Common(labels[k], r.Intersect(p.picture))
			}
			if it.hidden(under) {
				q.TargetsHidden++
				break
			}
		}
	}
	for i := range labels {
		under := 0
		for _, k := range find.near(labels[i]) {
			if a := geometry.Common(labels[i], labels[k]); int(k) > i && a > 0 {
				q.LabelOverlaps++
				under += a
			}
		}
		if 4*under > geometry.Area(labels[i]) {
			q.LabelsHidden++
		}
	}
	q.MinContrast, q.OutlineContrast = math.Round(100*q.MinContrast)/100, math.Round(100*q.OutlineContrast)/100
	return q
}
