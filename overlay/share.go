package overlay

import "image"

// alikePx is by how many px the edges of two boxes may differ that a person sees
// as one.
const alikePx = 2

// shareBoxes finds marks in the picture that have one box: sites hide a checkbox
// or radio without a trace and lay its label over it, or wrap a picture in a link
// of its size. Each of them keeps a number, and each says whose box it shares.
func (s *Scene) shareBoxes() {
	const cell = alikePx + 1
	// The first marks of their boxes by the place of their corner. A page that piles
	// up more than cellCap different boxes on one corner has none worth naming.
	firsts := make(map[image.Point][]int32, len(s.reading))
	for i := range s.marks {
		m := &s.marks[i]
		if !m.shown(s.options.View) {
			continue
		}
		at := bounds(m.Rects)
		corner := image.Pt(at.Min.X/cell, at.Min.Y/cell)
		first := int32(-1)
		for k := 0; k < 9 && first < 0; k++ {
			for _, j := range firsts[corner.Add(image.Pt(k%3-1, k/3-1))] {
				if alike(at, bounds(s.marks[j].Rects)) {
					first = j
					break
				}
			}
		}
		if first < 0 {
			if len(firsts[corner]) < cellCap {
				firsts[corner] = append(firsts[corner], int32(i))
			}
			continue
		}
		f := &s.marks[first]
		m.SharesBox = f.Ref
		if f.SharesBox == 0 {
			f.SharesBox = m.Ref
		}
	}
}

// alike reports whether two boxes look like one.
func alike(a, b image.Rectangle) bool {
	near := func(x, y int) bool { return x-y <= alikePx && y-x <= alikePx }
	return near(a.Min.X, b.Min.X) && near(a.Min.Y, b.Min.Y) && near(a.Max.X, b.Max.X) && near(a.Max.Y, b.Max.Y)
}
