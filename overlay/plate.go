package overlay

import (
	"image"
	"image/color"
	"unicode/utf8"

	"github.com/refscope/refscope/overlay/geometry"
)

// Plate is the number of the element that a person has selected or points at, or a word in its place, as the window
// shows it in colours of its own: where the frame has the number already, else where it lies on no other one.
type Plate struct {
	// Rect is its place in screen px, empty where the frame has no room for it.
	Rect image.Rectangle
	// Text is what it says.
	Text string

	letters *lettering
	leader  bool
	// line leads to the box where the frame has none yet; it crosses no number.
	line image.Rectangle // from Min to Max, which may lie before it
}

// PlateOf is the plate of a mark on a screen of that size.
func (s *Scene) PlateOf(m *Mark, cam Camera, view image.Point) Plate {
	if !cam.valid() || view.X <= 0 || view.Y <= 0 {
		return Plate{}
	}
	l := s.layoutFor(cam, view)
	if i := s.index(m.Ref); i >= 0 && !l.of[i].Empty() {
		for k := range l.labels {
			if t := &l.labels[k]; t.rect == l.of[i] {
				return Plate{Rect: t.rect, Text: t.text, letters: &l.letters[t.size], leader: t.leader}
			}
		}
	}
	for _, box := range s.ScreenRects(m, cam, view) {
		if p := l.free(box, m.label); !p.Rect.Empty() {
			return p
		}
	}
	return Plate{Text: m.label}
}

// PlateAt is a plate for a box in screen px that is no mark's.
func (s *Scene) PlateAt(box image.Rectangle, text string, cam Camera, view image.Point) Plate {
	if !cam.valid() || view.X <= 0 || view.Y <= 0 {
		return Plate{}
	}
	return s.layoutFor(cam, view).free(box, text)
}

// free is a plate for a box in a slot that lies on no number of the frame, or at the end of a line.
func (l *layout) free(box image.Rectangle, text string) Plate {
	screen := image.Rectangle{Max: l.view}
	in := box.Intersect(screen)
	digits := utf8.RuneCountInString(text)
	if in.Empty() || digits == 0 {
		return Plate{Text: text}
	}
	clear := func(r image.Rectangle) bool {
		if !r.In(screen) {
			return false
		}
		for k := range l.labels {
			if l.labels[k].rect.Overlaps(r) {
				return false
			}
		}
		return true
	}
	for _, size := range [...]int{0, fontPx - fontFloorPx, len(l.letters) - 1} {
		letters := &l.letters[size]
		w, h := letters.size(digits)
		for slot := aboveStart; slot < slots; slot++ {
			if !outside(slot) && (in.Dx() < w || in.Dy() < h) {
				break // it would hide the element
			}
			if r := geometry.PushInto(slotRect(in, w, h, slot, l.density), screen); clear(r) &&
				(outside(slot) || r.Overlaps(in)) {
				return Plate{Rect: r, Text: text, letters: letters}
			}
		}
	}
	letters := &l.letters[0]
	w, h := letters.size(digits)
	p := Plate{Text: text, letters: letters, leader: true}
	leaderRects(in, w, h, l.density, leaderMax, func(r image.Rectangle) bool {
		from, to := leaderLine(r, in)
		way := image.Rectangle{Min: from, Max: to}
		if clear(r) && clear(way.Canon().Inset(-2*l.density).Intersect(screen)) {
			p.Rect, p.line = r, way
		}
		return p.Rect.Empty()
	})
	return p
}

// Leader reports whether a line leads from the plate to its box.
func (p *Plate) Leader() bool { return p.leader }

// Bounds is the part of the screen that the plate is drawn on, its line included.
func (p *Plate) Bounds() image.Rectangle {
	if p.line == (image.Rectangle{}) {
		return p.Rect
	}
	return p.Rect.Union(p.line.Canon().Inset(-2 * p.letters.rim))
}

// Draw paints the plate on dst, whose top left px is that of [Plate.Bounds].
func (p *Plate) Draw(dst *image.RGBA, ground, ink, halo color.RGBA) {
	if p.Rect.Empty() {
		return
	}
	by := p.Bounds().Min
	if p.line != (image.Rectangle{}) {
		leader(dst, p.line.Min.Sub(by), p.line.Max.Sub(by), p.letters.rim/haloPx, ground)
	}
	lettered(dst, p.letters, p.Rect.Sub(by), p.Text, ground, ink, halo)
}

// ComposeNumbers paints the numbers of a frame, with their lines and nothing else, on a dst that it clears: what is
// drawn between a frame without [Layers.Labels] and it, such as the frame of what is selected, lies under them.
func ComposeNumbers(dst *image.RGBA, s *Scene, cam Camera) {
	clear(dst.Pix)
	if s == nil || !cam.valid() || dst.Rect.Empty() {
		return
	}
	s.layoutFor(cam, dst.Rect.Size()).numbers(dst)
}

// Withheld is how many marks have a box on a screen of that size and no number there, for which this zoom has no room.
func (s *Scene) Withheld(cam Camera, view image.Point) int {
	if !cam.valid() || view.X <= 0 || view.Y <= 0 {
		return 0
	}
	l := s.layoutFor(cam, view)
	screen := image.Rectangle{Max: view}
	n := 0
	for i := range s.marks {
		m := &s.marks[i]
		if !m.shown(s.options.View) || s.untold(m) || !l.of[i].Empty() {
			continue
		}
		for k := range m.strokes {
			if l.stroke(i, k).Overlaps(screen) {
				n++
				break
			}
		}
	}
	return n
}
