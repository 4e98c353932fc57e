package overlay

import (
	"image"
	"math"
	"slices"

	"github.com/refscope/refscope/overlay/geometry"
)

// arrangedKept is how many zooms a scene keeps the labels of.
const arrangedKept = 4

// Arrange places the labels for the zoom of a camera by the rules of an export at that
// size: none lies on another or reads as another element's, digits shrink to 9 px below
// 100 %, and a label for which there is no room is withheld. Frames that [Compose] paints
// at that zoom then show them. It takes some ms for each thousand marks; frames need not
// wait for it, see [Scene.Arranged].
func (s *Scene) Arrange(cam Camera) {
	if !cam.valid() || s.Arranged(cam) {
		return
	}
	z := s.at(cam.zoom())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arranged = append([]*Scene{z}, s.arranged[:min(len(s.arranged), arrangedKept-1)]...)
	s.last = nil
}

// Arranged reports whether the labels are placed for the zoom of a camera. Until then a
// frame shows those of another zoom that are unmistakable at this one.
func (s *Scene) Arranged(cam Camera) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !cam.valid() || slices.ContainsFunc(s.arranged, func(z *Scene) bool { return z.zoom == cam.zoom() })
}

// zoom is px of the style for an image px.
func (c Camera) zoom() float64 { return c.Scale / float64(c.density()) }

// arrangedFor is the arrangement for a zoom, or the nearest that there is: the scene's own,
// at 100 % of the page's own size, where there is none.
func (s *Scene) arrangedFor(zoom float64) *Scene {
	best, ratio := s, math.Abs(math.Log(zoom*s.grown))
	for _, z := range s.arranged {
		if z.zoom == zoom {
			return z
		}
		if r := math.Abs(math.Log(z.zoom / zoom)); r < ratio {
			best, ratio = z, r
		}
	}
	return best
}

// at makes the scene for a zoom: the same marks with the same numbers on a picture of
// another size, as lines and digits do not grow with it.
func (s *Scene) at(zoom float64) *Scene {
	z := &Scene{
		capture: s.capture, options: s.options, letters: s.window, window: s.window, grown: 1, density: 1, tree: s.tree,
		covers:  s.covers,
		reading: s.reading, scale: scale{s.scale.x * zoom, s.scale.y * zoom}, zoom: zoom,
		size:    resized(image.Rectangle{Max: s.size}, zoom).Max,
		regular: 0, floor: fontPx - fontFloorPx, least: fontPx - fontFloorPx,
		marks: slices.Clone(s.marks), markAt: make(map[int]*Mark, len(s.markAt)),
	}
	if s.least == smallSize {
		z.least = smallSize
	}
	if zoom < 1 {
		z.floor = fontPx - fontLeastPx
		z.regular = fontPx - max(fontLeastPx, int(math.Round(fontPx*zoom)))
	}
	for i := range z.marks {
		m := &z.marks[i]
		m.Label, m.Leader, m.LeftOut, m.strokes, m.anchor, m.slot, m.size = image.Rectangle{},
			false, false, nil, 0, 0, 0
		if m.named() {
			m.label = m.plain
		}
		m.Rects = make([]image.Rectangle, len(s.marks[i].Rects))
		for k, r := range s.marks[i].Rects {
			m.Rects[k] = resized(r, zoom)
		}
		if m.Status != Container {
			z.markAt[m.pos] = m
		}
	}
	z.outline()
	if z.letters[0].face != nil {
		z.place()
	}
	return z
}

// resized is a rectangle in image px at a zoom, at least one px.
func resized(r image.Rectangle, zoom float64) image.Rectangle {
	at := func(v int) int { return int(math.Floor(clamp(float64(v)*zoom, -far, far) + 0.5)) }
	out := image.Rect(at(r.Min.X), at(r.Min.Y), at(r.Max.X), at(r.Max.Y))
	out.Max.X, out.Max.Y = max(out.Max.X, out.Min.X+1), max(out.Max.Y, out.Min.Y+1)
	return out
}

// strict reports whether a label of the window does harm at a zoom that it does not do at the page's own size: it
// nearly reads as another element's, as frames at twice the density round apart; below 100 % also where it hides a
// third of its element, much of others or their text, or another box is as near. Pointing shows such a number.
func (p *placement) strict(it *item, c *place) bool {
	f, size := &c.facts, geometry.Area(c.rect)
	if p.s.zoom == 0 || p.s.zoom == 1 {
		return false
	}
	return 2*f.stranger > size && 4*f.own < size ||
		p.s.zoom < 1 && (3*f.own > it.target || 3*f.strangers > size || f.unclear || c.onText())
}
