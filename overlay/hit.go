package overlay

import (
	"image"
	"math"
	"slices"
)

// indexHits prepares [Scene.At].
func (s *Scene) indexHits() {
	for i := range s.marks {
		for _, r := range s.marks[i].Rects {
			s.hitBox = append(s.hitBox, padTo(r, minTarget))
			s.hitBy = append(s.hitBy, int32(i))
		}
	}
	// Large pictures get large cells: a page of thousands of full-width containers
	// would otherwise fill memory with their indices.
	s.hits = newGrid(s.size, max(64, s.size.X/20, s.size.Y/20), 0, s.hitBox)
}

// At lists the marks under a point of the picture in image px, the smallest
// first; of equal ones the later in the document, which is the one on top. It
// knows every mark that has a box in the picture, also containers and others
// that are not drawn: see Mark.Status.
func (s *Scene) At(x, y float64) []*Mark {
	if !(math.Abs(x) < far && math.Abs(y) < far) {
		return nil
	}
	p := image.Pt(int(math.Floor(x)), int(math.Floor(y)))
	if !p.In(image.Rectangle{Max: s.size}) {
		return nil
	}
	c := p.Y/s.hits.cell*s.hits.nx + p.X/s.hits.cell
	var out []*Mark
	for _, i := range s.hits.items[s.hits.start[c]:s.hits.start[c+1]] {
		if p.In(s.hitBox[i]) {
			if m := &s.marks[s.hitBy[i]]; !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Mark) int {
		if d := a.extent() - b.extent(); d != 0 {
			return d
		}
		return b.pos - a.pos
	})
	return out
}
