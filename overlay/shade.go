package overlay

import (
	"image"

	"github.com/refscope/refscope/snapshot"
)

// What is shaded in the view for a person. Each kind has a pattern of its own and
// not only a colour: see pattern.go.
const (
	shadeCovered = iota // a click does not arrive
	shadeGlass          // hidden from a person, and a click arrives
	shadeCut            // along the side on which an element goes on out of sight
	shades
)

// cutPx is how wide the shade along a cut side is, at most a quarter of the
// element.
const cutPx = 8

// shade finds the parts of the picture to be shaded. No px has two shades: a
// covered part goes before one behind glass, and both before a cut side.
func (s *Scene) shade() {
	var parts [shades][]image.Rectangle
	parts[shadeCovered] = s.coveredParts()
	picture := image.Rectangle{Max: s.size}
	for i := range s.marks {
		m := &s.marks[i]
		if !m.shown(s.options.View) {
			continue
		}
		if m.Glass {
			parts[shadeGlass] = s.behindGlass(parts[shadeGlass], m)
		}
		if len(m.Cut) > 0 && m.Status != Covered && !s.capture.Nodes[m.pos].Container() {
			parts[shadeCut] = m.cutSides(parts[shadeCut], picture)
		}
	}
	var done []image.Rectangle
	for k := range parts {
		s.shaded[k] = disjoint(parts[k], done, s.size)
		done = append(done, s.shaded[k]...)
	}
}

// behindGlass adds what a layer that ignores the pointer hides of a mark: where
// the two boxes meet. Hit tests pass through such a layer, so its box is all there
// is to go by.
func (s *Scene) behindGlass(parts []image.Rectangle, m *Mark) []image.Rectangle {
	layer := s.tree.pos(m.CovererNode)
	if layer < 0 || s.tree.contains(layer, m.pos) {
		return parts
	}
	box, ok := sane(s.capture.Nodes[layer].VisibleBox())
	if !ok {
		return parts
	}
	over := s.scale.rect(box).Intersect(image.Rectangle{Max: s.size})
	for _, r := range m.Rects {
		if in := r.Intersect(over); !in.Empty() {
			parts = append(parts, in)
		}
	}
	return parts
}

// cutSides adds the bands along the sides on which a mark goes on.
func (m *Mark) cutSides(parts []image.Rectangle, picture image.Rectangle) []image.Rectangle {
	around := bounds(m.Rects).Intersect(picture)
	for _, r := range m.Rects {
		r = r.Intersect(picture)
		w, h := min(cutPx, (r.Dx()+3)/4), min(cutPx, (r.Dy()+3)/4)
		for _, side := range m.Cut {
			band := r
			switch side {
			case "top":
				band.Max.Y = min(r.Max.Y, around.Min.Y+h)
			case "bottom":
				band.Min.Y = max(r.Min.Y, around.Max.Y-h)
			case "left":
				band.Max.X = min(r.Max.X, around.Min.X+w)
			case "right":
				band.Min.X = max(r.Min.X, around.Max.X-w)
			}
			if !band.Empty() {
				parts = append(parts, band)
			}
		}
	}
	return parts
}

// coverWord is what lies over an element in a word, "" for nothing.
func coverWord(o *snapshot.Occlusion) string {
	switch {
	case o == nil:
		return ""
	case o.State == snapshot.Covered:
		return "covered"
	case o.State == snapshot.Partly:
		return "partly covered"
	case o.ClickThrough:
		return "behind glass"
	}
	return ""
}
