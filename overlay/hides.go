package overlay

import (
	"image"

	"github.com/refscope/refscope/overlay/letter"
)

// Hidden is what the marks of a picture hide of the page's letters, counted in its pixels.
type Hidden struct {
	// Own and Others are the letters under a label or the line to it: of the element that the label numbers, and all
	// other ones.
	Own    int `json:"own"`
	Others int `json:"others"`
	// Outlined is the number of letters under the outline of a box.
	Outlined int `json:"outlined"`
}

// Hides counts the letters that the marks hide. Clean is the picture without marks, nil is returned where it has not
// the scene's size. Letters on photographs are not known and not counted.
func (s *Scene) Hides(clean *image.RGBA) *Hidden {
	if clean.Rect.Size() != s.size {
		return nil
	}
	out := new(Hidden)
	if len(s.placed) == 0 {
		return out
	}
	if clean.Rect.Min != (image.Point{}) {
		moved := *clean
		moved.Rect = clean.Rect.Sub(clean.Rect.Min)
		clean = &moved
	}
	marked := image.NewRGBA(clean.Rect)
	for y := range s.size.Y {
		copy(marked.Pix[y*marked.Stride:][:4*s.size.X], clean.Pix[clean.PixOffset(0, y):])
	}
	s.paint(marked)
	labels := make([]image.Rectangle, len(s.placed))
	for k, i := range s.placed {
		m := &s.marks[i]
		labels[k] = m.Label
		if m.Leader {
			from, to := leaderLine(m.Label, m.strokes[m.anchor])
			labels[k] = labels[k].Union(image.Rectangle{Min: from, Max: to}.Canon().Inset(-s.px(outerPx)))
		}
	}
	find := newFinder(newGrid(s.size, cellOf(s.size, 64), 0, labels), len(labels))
	seen := map[image.Rectangle]bool{}
	for _, line := range s.textLines() {
		for _, l := range letter.Hidden(clean, marked, line.rect) {
			if seen[l.Bounds] {
				continue
			}
			seen[l.Bounds] = true
			by := -1
			for _, k := range find.near(l.Bounds) {
				if labels[k].Overlaps(l.Bounds) {
					by = s.marks[s.placed[k]].pos
					if s.belongs(line.pos, by) {
						break
					}
				}
			}
			switch {
			case by < 0:
				out.Outlined++
			case s.belongs(line.pos, by):
				out.Own++
			default:
				out.Others++
			}
		}
	}
	return out
}

// belongs reports whether the text of a node is in the element at a position.
func (s *Scene) belongs(text, element int) bool { return s.tree.contains(element, text) }

// Add sums up what the marks of several pictures hide.
func (h *Hidden) Add(o Hidden) {
	h.Own, h.Others, h.Outlined = h.Own+o.Own, h.Others+o.Others, h.Outlined+o.Outlined
}
