package overlay

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

// windowZooms are the zooms of the window that the promises are held at.
var windowZooms = []float64{0.3, 0.37, 0.5, 0.65, 0.8, 0.95, 1, 1.25, 1.7, 2, 3, 4}

// TestNoStrangers: at every zoom of the window, on every page, no number lies on another
// one or reads as another element's, neither in an arranged frame nor in one before that.
func TestNoStrangers(t *testing.T) {
	all := map[string]*snapshot.Capture{}
	for name, p := range crowds() {
		all[name] = p.c
	}
	for name, c := range testpages.Captures(t) {
		all[name], all[name+", whole"] = c, unrolled(c)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			c := all[name]
			size := image.Pt(int(c.Viewport.Width), int(c.Viewport.Height))
			s := NewScene(c, size, Options{})
			line := ""
			for _, zoom := range windowZooms {
				for _, density := range []float64{1, 2} {
					cam := Camera{Scale: zoom * density, Density: density}
					view := resized(image.Rectangle{Max: size}, cam.Scale).Max
					checkFrame(t, s, cam, view, "before %g", zoom)
					s.Arrange(cam)
					lay := checkFrame(t, s, cam, view, "at %g", zoom)
					if density == 1 {
						line += fmt.Sprintf("  %g: %d", zoom, len(lay.labels))
					}
				}
			}
			t.Logf("%d marks; labels at%s", len(s.placed), line)
		})
	}
}

// TestClearFrames: below 100 % no number in the window has another box as near as its own.
func TestClearFrames(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		size := image.Pt(int(c.Viewport.Width), int(c.Viewport.Height))
		s := NewScene(c, size, Options{})
		for _, zoom := range windowZooms {
			if zoom >= 1 {
				continue
			}
			z := s.at(zoom)
			picture := image.Rectangle{Max: z.size}
			for _, i := range z.placed {
				m := &z.marks[i]
				if m.Label.Empty() || m.Leader || m.SharesBox > 0 { // beside the number of the other one
					continue
				}
				plate := m.Label.Inset(haloPx)
				own := geometry.NearnessOf(plate, m.strokes[m.anchor].Intersect(picture), 1)
				for k := range z.marks {
					o := &z.marks[k]
					if o == m || !o.shown(ViewQA) {
						continue
					}
					for _, r := range o.strokes {
						require.True(t, own.Less(geometry.NearnessOf(plate, r, 1)), "at %g the number of %d is as near to %d", zoom, m.Ref, o.Ref)
					}
				}
			}
		}
	})
}

// TestOnePlacement: at 100 % the window has every number where the exported picture has it.
func TestOnePlacement(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		s := NewScene(c, image.Pt(int(c.Viewport.Width), int(c.Viewport.Height)), Options{})
		z := s.at(1)
		require.Equal(t, len(s.marks), len(z.marks))
		for i := range s.marks {
			m, w := &s.marks[i], &z.marks[i]
			require.Equal(t, []any{m.Label, m.label, m.Leader, m.LeftOut}, []any{w.Label, w.label, w.Leader, w.LeftOut}, "mark %d", m.Ref)
		}
	})
}

// TestPlates: the plate of a mark is where its number is; one whose number has no room lies on no other number, and
// the numbers that a zoom has no room for are counted.
func TestPlates(t *testing.T) {
	view := image.Pt(1000, 700)
	for name, p := range crowds() {
		s := NewScene(p.c, image.Pt(int(p.c.Viewport.Width), int(p.c.Viewport.Height)), Options{})
		for _, zoom := range windowZooms {
			cam := Camera{Scale: zoom}
			s.Arrange(cam)
			lay := s.layoutFor(cam, view)
			inView, numbers := 0, 0
			for i := range s.marks {
				m := &s.marks[i]
				if len(s.ScreenRects(m, cam, view)) == 0 || !m.shown(ViewQA) {
					continue
				}
				inView++
				plate := s.PlateOf(m, cam, view)
				if !lay.of[i].Empty() {
					numbers++
					require.Equal(t, lay.of[i], plate.Rect, "%s at %g", name, zoom)
					continue
				}
				for k := range lay.labels {
					require.False(t, plate.Rect.Overlaps(lay.labels[k].rect), "%s at %g: the plate of %d covers a number", name, zoom, m.Ref)
				}
			}
			require.Equal(t, inView, numbers+s.Withheld(cam, view), "%s at %g", name, zoom)
		}
	}
}

// checkFrame holds the promises for one frame, counted from its labels alone.
func checkFrame(t *testing.T, s *Scene, cam Camera, view image.Point, format string, args ...any) *layout {
	t.Helper()
	lay := s.layoutFor(cam, view)
	type placed struct {
		mark, k int
	}
	var boxes []image.Rectangle
	var of []placed
	for i := range s.marks {
		for k, r := range s.marks[i].Rects {
			if s.marks[i].shown(s.options.View) {
				boxes, of = append(boxes, resized(r, cam.Scale).Add(lay.origin)), append(of, placed{i, k})
			}
		}
	}
	labels := newFinder(newGrid(view, cellOf(view, 64), 0, lay.of), len(lay.of))
	strangers := newFinder(newGrid(view, cellOf(view, 64), 0, boxes), len(boxes))
	for i, label := range lay.of {
		if label.Empty() {
			continue
		}
		for _, k := range labels.near(label) {
			if int(k) != i && label.Overlaps(lay.of[k]) {
				require.Failf(t, "two labels on each other", format+": %d and %d", append(args, s.marks[i].Ref, s.marks[k].Ref)...)
			}
		}
		m := &s.marks[i]
		anchor := m.Rects[m.anchor].Intersect(image.Rectangle{Max: s.size})
		own, worst, by := 0, 0, 0
		for _, b := range strangers.near(label) {
			o, r := &s.marks[of[b].mark], boxes[b]
			exact := o.Rects[of[b].k]
			switch a := geometry.Common(label, r); {
			case o == m:
				own += a
			case o.Status == Covered || s.tree.contains(o.pos, m.pos):
			case anchor.In(exact) && geometry.Area(exact) >= 3*geometry.Area(anchor): // the ground that it lies on
			case m.SharesBox > 0 && alike(exact, bounds(m.Rects)):
			case a > worst:
				worst, by = a, o.Ref
			}
		}
		if 5*own < geometry.Area(label) && 5*worst > 3*geometry.Area(label) {
			require.Failf(t, "a label on a stranger", format+": %d lies on %d, label %v", append(args, m.Ref, by, label)...)
		}
	}
	return lay
}

// TestArrangedRoom: with room enough all numbers are there; without it they go, and come
// back with the zoom; digits shrink below 100 % and not above.
func TestArrangedRoom(t *testing.T) {
	s := NewScene(tablePage(1000).c, image.Pt(1280, 720), Options{})
	shown := func(zoom float64) int {
		cam := Camera{Scale: zoom}
		s.Arrange(cam)
		require.True(t, s.Arranged(cam))
		return len(s.layoutFor(cam, resized(image.Rectangle{Max: s.size}, zoom).Max).labels)
	}
	require.Equal(t, 1000, shown(1))
	require.Equal(t, 1000, shown(2))
	require.Less(t, shown(0.3), 1000)

	form := NewScene(formPage().c, image.Pt(1280, 720), Options{})
	for zoom, px := range map[float64]int{0.3: 9, 0.75: 9, 0.9: 11, 1: 12, 3: 12} {
		cam := Camera{Scale: zoom}
		form.Arrange(cam)
		lay := form.layoutFor(cam, image.Pt(4000, 3000))
		require.NotEmpty(t, lay.labels, "at %g", zoom)
		least := len(letterings{})
		for _, l := range lay.labels {
			least = min(least, l.size)
		}
		require.Equal(t, px, fontPx-least, "at %g", zoom)
	}
}

// TestBoxesOutside: below 100 % the line of a box hides nothing of its element.
func TestBoxesOutside(t *testing.T) {
	p := newPage(400, 300)
	p.target(0, "button", "x", snapshot.Box{100, 100, 100, 40})
	s := NewScene(p.c, image.Pt(400, 300), Options{})
	for _, zoom := range []float64{0.3, 0.65, 1, 2} {
		cam := Camera{Scale: zoom}
		s.Arrange(cam)
		got := s.layoutFor(cam, image.Pt(800, 600)).boxes[0].rect
		want := resized(s.marks[0].Rects[0], zoom)
		if zoom < 1 {
			want = want.Inset(-1)
		}
		require.Equal(t, want, got, "at %g", zoom)
	}
}

// TestScrolledLabels: a frame that is only moved has every box and label moved by as much.
func TestScrolledLabels(t *testing.T) {
	p := shopPage()
	s := NewScene(p.c, image.Pt(700, 525), Options{})
	cam := Camera{Scale: 0.65}
	s.Arrange(cam)
	view := image.Pt(455, 341)
	rest := *s.layoutFor(cam, view)
	for _, by := range []float64{0.4, 1, 7.3, 50} {
		cam.Y = by
		now := s.layoutFor(cam, view)
		d := image.Pt(0, int(math.Floor(-by*cam.Scale+0.5)))
		for i, r := range now.of {
			if box := rest.of[i].Add(d); !r.Empty() && box.Overlaps(image.Rectangle{Max: view}) {
				require.Equal(t, box, r, "moved by %g", by)
			}
		}
	}
}

// TestFollowedLabel: someone who looks at the middle of a large element at 400 % has its
// number in view.
func TestFollowedLabel(t *testing.T) {
	p := newPage(400, 300)
	p.target(0, "img", "a large picture", snapshot.Box{20, 20, 360, 260})
	s := NewScene(p.c, image.Pt(400, 300), Options{})
	cam, view := Camera{Scale: 4, X: 100, Y: 100}, image.Pt(600, 400)
	s.Arrange(cam)
	require.True(t, s.ScreenLabel(s.ByRef(1), cam, view).In(image.Rectangle{Max: view}))
	require.False(t, s.ScreenLabel(s.ByRef(1), cam, view).Empty())
}

func BenchmarkArrange(b *testing.B) {
	for _, zoom := range []float64{0.3, 0.65, 1, 4} {
		b.Run(fmt.Sprintf("zoom=%g", zoom), func(b *testing.B) {
			s := NewScene(tablePage(1000).c, image.Pt(1280, 720), Options{})
			for b.Loop() {
				s.at(zoom)
			}
		})
	}
}
