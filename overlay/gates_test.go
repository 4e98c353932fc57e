package overlay

import (
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
)

// score is a placement's score, counted in the plainest way from rectangles, for
// any rule that puts labels.
type score struct {
	overlaps     int // pairs of labels that share a px
	hidden       int // labels of which over 25 % lies under later labels
	off          int // labels not wholly in the picture
	misled       int // labels that read as another element's
	avoidable    int // of these, with a clear place at hand
	buried       int // elements over half of which their own label hides
	foreign      float64
	distance     float64 // px from label to box, mean
	drawn, total int
}

// strangers are the boxes that a label of a mark must not be on: those of shown
// marks that it is not in, does not lie on, and does not share its box with.
func (s *Scene) strangers(m *Mark) []image.Rectangle {
	var out []image.Rectangle
	own := m.strokes[m.anchor].Intersect(image.Rectangle{Max: s.size})
	for i := range s.marks {
		o := &s.marks[i]
		if o == m || !o.shown(s.options.View) || o.Status == Covered || s.tree.contains(o.pos, m.pos) {
			continue
		}
		for _, r := range o.Rects {
			r = r.Intersect(image.Rectangle{Max: s.size})
			if !(own.In(r) && geometry.Area(r) >= 3*geometry.Area(own)) && !(m.SharesBox > 0 &&
				alike(r, bounds(m.Rects).Intersect(image.Rectangle{Max: s.size}))) {
				out = append(out, r)
			}
		}
	}
	return out
}

// misleads reports whether over 60 % of a label lies on one of the strangers and
// under 20 % on its own element.
func misleads(m *Mark, label image.Rectangle, strangers []image.Rectangle) bool {
	own := 0
	for _, r := range m.Rects {
		own += geometry.Common(label, r)
	}
	if 5*own >= geometry.Area(label) {
		return false
	}
	for _, r := range strangers {
		if 5*geometry.Common(label, r) > 3*geometry.Area(label) {
			return true
		}
	}
	return false
}

// clearPlace reports whether a label could stand somewhere without harm: in one
// of the slots around its box or at the end of a line.
func (s *Scene) clearPlace(m *Mark, labels, strangers []image.Rectangle) bool {
	picture := image.Rectangle{Max: s.size}
	w, h := m.Label.Dx(), m.Label.Dy()
	anchor := m.strokes[m.anchor].Intersect(picture)
	good := func(r image.Rectangle) bool {
		if !r.In(picture) || misleads(m, r, strangers) {
			return false
		}
		for _, l := range labels {
			if l != m.Label && l.Overlaps(r) {
				return false
			}
		}
		return true
	}
	for slot := range slots {
		if good(slotRect(anchor, w, h, slot, s.density)) {
			return true
		}
	}
	found := false
	leaderRects(anchor, w, h, s.density, leaderMax, func(r image.Rectangle) bool { found = good(r); return !found })
	return found
}

// count scores labels, given in the order in which they are painted.
func (s *Scene) count(of []*Mark, labels []image.Rectangle) score {
	out := score{total: len(s.marks)}
	picture := image.Rectangle{Max: s.size}
	for i, m := range of {
		l := labels[i]
		if l.Empty() {
			continue
		}
		out.drawn++
		under := 0
		for k := range labels {
			if a := geometry.Common(l, labels[k]); k != i && a > 0 {
				if k > i {
					out.overlaps++
					under += a
				}
			}
		}
		if 4*under > geometry.Area(l) {
			out.hidden++
		}
		if !l.In(picture) {
			out.off++
		}
		strangers := s.strangers(m)
		if misleads(m, l, strangers) {
			out.misled++
			if s.clearPlace(m, labels, strangers) {
				out.avoidable++
			}
		}
		own, target, gap := 0, 0, 1<<20
		for k, r := range m.Rects {
			own += geometry.Common(l, r)
			target += geometry.Area(r.Intersect(picture))
			gap = min(gap, geometry.Distance(l, m.strokes[k]))
		}
		if 2*own > target {
			out.buried++
		}
		out.distance += float64(max(0, gap-outerPx))
		worst := 0
		for _, r := range strangers {
			worst = max(worst, geometry.Common(l, r))
		}
		out.foreign += float64(worst) / float64(max(1, geometry.Area(l)))
	}
	if out.drawn > 0 {
		out.foreign, out.distance = 100*out.foreign/float64(out.drawn), out.distance/float64(out.drawn)
	}
	return out
}

// hidingLetters counts the labels that lie on a letter, in the style that keeps letters whole: a line of text without the
// free part above and below it.
func (s *Scene) hidingLetters() (n int) {
	for _, i := range s.placed {
		if s.onLetters(s.marks[i].Label) {
			n++
		}
	}
	return n
}

func (s *Scene) onLetters(label image.Rectangle) bool {
	if s.options.Style != StyleClear {
		return false
	}
	for _, l := range s.textLines() {
		r := l.rect
		r.Min.Y, r.Max.Y = r.Min.Y+r.Dy()/6, r.Max.Y-r.Dy()/6/2
		if r.Overlaps(label) {
			return true
		}
	}
	return false
}

// needlessly counts the marks without a number for which there is a place around their box that hides nothing.
func (s *Scene) needlessly() (n int) {
	picture := image.Rectangle{Max: s.size}
	p := &placement{s: s, picture: picture}
	p.gather()
	for i := range s.marks {
		m := &s.marks[i]
		if !m.LeftOut {
			continue
		}
		anchor, strangers := m.strokes[m.anchor].Intersect(picture), s.strangers(m)
		w, h := s.letters[s.floor].size(len(m.label))
	slots:
		for slot := range slots {
			r := slotRect(anchor, w, h, slot, s.density)
			if !r.In(picture) || s.onLetters(r) || misleads(m, r, strangers) || p.nearness(&p.items[p.itemOf[i]], r) == nearer {
				continue
			}
			on := 0
			for _, o := range strangers {
				on += geometry.Common(r, o)
			}
			if mostOn*on > geometry.Area(r) {
				continue
			}
			for _, k := range s.placed {
				o := &s.marks[k]
				from, to := leaderLine(o.Label, o.strokes[o.anchor].Intersect(picture))
				if o.Label.Overlaps(r) || o.Leader && (geometry.Line{From: from, To: to}).Through(r.Inset(-s.density)) {
					continue slots
				}
			}
			n++
			break
		}
	}
	return n
}

// ours scores the scene's own labels.
func (s *Scene) ours() score {
	var of []*Mark
	var labels []image.Rectangle
	for _, i := range s.placed {
		of, labels = append(of, &s.marks[i]), append(labels, s.marks[i].Label)
	}
	return s.count(of, labels)
}

// gates are the promises about every picture.
func gates(t *testing.T, s *Scene) score {
	t.Helper()
	c, q := s.ours(), s.quality()
	require.Equal(t, c.overlaps, q.LabelOverlaps)
	require.Equal(t, c.misled, q.LabelsOnStrangers)
	require.Equal(t, c.buried, q.OwnTargetHidden)
	require.Equal(t, c.hidden, q.LabelsHidden)
	most := 0
	if c.drawn > 300 {
		most = c.drawn / 200
	}
	require.LessOrEqual(t, c.overlaps, most, "pairs of labels on each other, %d labels", c.drawn)
	require.Zero(t, c.hidden, "hidden labels")
	require.Zero(t, c.off, "labels off the picture")
	require.Zero(t, c.avoidable, "labels on a stranger with a clear place at hand")
	require.GreaterOrEqual(t, q.MinContrast, 7.0)
	shown := 0
	for i := range s.marks {
		if s.marks[i].shown(s.options.View) {
			shown++
		}
	}
	require.Equal(t, shown, c.drawn+q.LeftOut, "every mark in the picture has a label, or is counted")
	require.Zero(t, s.hidingLetters(), "labels on letters")
	require.Zero(t, s.needlessly(), "labels left out with a clear place at hand")
	require.Zero(t, q.LabelsOffImage)
	return c
}

// TestGates holds the promises on all layouts, at several densities and zooms.
func TestGates(t *testing.T) {
	sizes := map[string]struct{ scale, zoom float64 }{
		"1x": {1, 1}, "1.25x": {1.25, 1}, "2x": {2, 1}, "3x": {3, 1},
		"zoomed in": {1.5, 1.5}, "zoomed out": {0.8, 0.8},
	}
	for name, p := range crowds() {
		for at, z := range sizes {
			for _, view := range []View{ViewQA, ViewModel} {
				t.Run(strings.Join([]string{name, at, string(view)}, "/"), func(t *testing.T) {
					c := zoomed(p.c, z.zoom)
					size := image.Pt(int(c.Viewport.Width*z.scale), int(c.Viewport.Height*z.scale))
					gates(t, NewScene(c, size, Options{View: view}))
				})
			}
		}
	}
}

// zoomed is a capture of the same page in a viewport that shows more or less of
// it, as page zoom does.
func zoomed(c *snapshot.Capture, by float64) *snapshot.Capture {
	if by == 1 {
		return c
	}
	out := *c
	out.Viewport.Width, out.Viewport.Height = c.Viewport.Width/by, c.Viewport.Height/by
	out.Nodes = append([]snapshot.Node(nil), c.Nodes...)
	for i := range out.Nodes {
		n := &out.Nodes[i]
		n.InViewport = n.InViewport && !n.Box.Intersect(out.Viewport.Box()).Empty()
		if !n.InViewport {
			n.Occlusion = nil
		}
	}
	return &out
}

// unrolled is a capture as one picture of the whole page, for a crowd of real
// elements: hit tests reach only what was in view.
func unrolled(c *snapshot.Capture) *snapshot.Capture {
	out := *c
	out.Nodes = append([]snapshot.Node(nil), c.Nodes...)
	var all snapshot.Box
	for i := range out.Nodes {
		n := &out.Nodes[i]
		if n.Verdict.Kept() && n.Visible && n.Ref > 0 {
			all = all.Union(n.VisibleBox())
		}
	}
	out.Viewport.Width = min(max(c.Viewport.Width, all.Right()), 4000)
	out.Viewport.Height = min(max(c.Viewport.Height, all.Bottom()), 30000)
	for i := range out.Nodes {
		n := &out.Nodes[i]
		n.InViewport = !n.VisibleBox().Intersect(out.Viewport.Box()).Empty()
	}
	return &out
}
