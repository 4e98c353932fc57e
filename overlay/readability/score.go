package readability

import (
	"image"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/overlay/letter"
)

// assigned counts which labels are nearest to a box of their own. The distance is from the
// label to the line of the box; from the end of its leader, which begins at the label and
// ends at a box, where it has one. Of two boxes as near, the one along more of whose line
// the label lies is nearer.
func assigned(marks []Mark, density int) score {
	var s score
	for i := range marks {
		m := &marks[i]
		if m.Plate.Empty() {
			s.Missed++
			continue
		}
		s.Labels++
		if m.Leader {
			s.Own++ // the line ends at its box
			continue
		}
		own, boxed := nearest(m.Plate, m.Boxes, density)
		alike, other, byColor := false, false, true
		for k := range marks {
			if k == i {
				continue
			}
			at, ok := nearest(m.Plate, marks[k].Boxes, density)
			switch {
			case !ok:
			case !boxed || at.Less(own):
				other = true
			case !own.Less(at):
				alike = true
				byColor = byColor && marks[k].Color != m.Color
			}
		}
		switch {
		case other:
		case alike:
			s.Alike++
			if byColor {
				s.ByColor++
			}
		default:
			s.Own++
		}
	}
	return s
}

// nearest is how near a label is to the nearest of the boxes of a mark, and whether there is one.
func nearest(label image.Rectangle, boxes []image.Rectangle, density int) (best geometry.Nearness, ok bool) {
	for _, b := range boxes {
		if n := geometry.NearnessOf(label, b, max(1, density)); !ok || n.Less(best) {
			best, ok = n, true
		}
	}
	return best, ok
}

// glyphs counts the px of the page's letters, and those of them that the marks changed.
func glyphs(p Page) (all, covered int) {
	seen := make([]bool, p.Clean.Rect.Dx()*p.Clean.Rect.Dy())
	width := p.Clean.Rect.Dx()
	for _, r := range p.Text {
		r = r.Intersect(p.Clean.Rect)
		ground, ok := letter.Ground(p.Clean, r)
		if !ok {
			continue
		}
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				c := p.Clean.RGBAAt(x, y)
				if seen[y*width+x] || letter.Apart(c, ground) < letter.Step {
					continue
				}
				seen[y*width+x] = true
				all++
				if p.Marked.RGBAAt(x, y) != c {
					covered++
				}
			}
		}
	}
	return all, covered
}

// hidden counts the letters that the marks of a page hide.
func hidden(p Page) int {
	seen := map[image.Rectangle]bool{}
	for _, r := range p.Text {
		for _, l := range letter.Hidden(p.Clean, p.Marked, r) {
			seen[l.Bounds] = true
		}
	}
	return len(seen)
}

// buried counts the marks whose box lies for more than half under labels.
func buried(marks []Mark) int {
	n := 0
	for i := range marks {
		if len(marks[i].Boxes) == 0 {
			continue
		}
		box := marks[i].Boxes[0]
		under := 0
		for k := range marks {
			under = max(under, geometry.Common(box, marks[k].Plate))
		}
		if 2*under > geometry.Area(box) {
			n++
		}
	}
	return n
}
