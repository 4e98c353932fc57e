package overlay

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestClearBoxes: in the second style a box keeps off the letters of its own text and of its
// neighbours', and one around another moves out before that moves in.
func TestClearBoxes(t *testing.T) {
	p := newPage(400, 300)
	link := p.target(0, "a", "Alone", snapshot.Box{40, 20, 70, lineH})
	p.text(link, 40, 20, "Alone here", blue)
	field := p.target(0, "input", "Padded", snapshot.Box{200, 20, 120, 40})
	p.text(field, 220, 32, "padded", ink)
	// A heading with a link of its size in it.
	head := p.target(0, "h2", "Inside", snapshot.Box{40, 80, 70, lineH}).I
	p.text(p.target(head, "a", "Inside", snapshot.Box{40, 80, 70, lineH}), 40, 80, "Inside it.", blue)
	// A link right above a line of text.
	p.text(p.target(0, "a", "Above", snapshot.Box{40, 140, 70, lineH}), 40, 140, "Above a li", blue)
	p.text(p.node(0, "p", snapshot.Box{40, 156, 200, lineH}), 40, 156, "ne of text without a link", ink)
	// One link in two boxes on one line, and one that is wrapped.
	two := p.target(0, "a", "Two boxes", snapshot.Box{40, 200, 140, lineH})
	two.Rects = []snapshot.Box{{40, 200, 70, lineH}, {110, 200, 70, lineH}}
	wrapped := p.target(0, "a", "Wrapped", snapshot.Box{40, 240, 200, 40})
	wrapped.Rects = []snapshot.Box{{180, 240, 60, lineH}, {40, 260, 50, lineH}}

	size := image.Pt(400, 300)
	s := NewScene(p.c, size, Options{View: ViewModel, All: true, Style: StyleClear})
	require.Equal(t, image.Rect(38, 20, 112, 38), s.marks[0].strokes[0], "letters begin at its sides and not at its top")
	require.Equal(t, image.Rect(200, 20, 320, 60), s.marks[1].strokes[0], "there is room inside")
	outer, inner := s.marks[2].strokes[0], s.marks[3].strokes[0]
	require.True(t, inner.Inset(-apart).In(outer), "%v in %v", inner, outer)
	require.True(t, image.Rect(40, 83, 110, 96).In(inner.Inset(strokeIn)), "%v keeps the letters whole", inner)
	require.LessOrEqual(t, s.marks[4].strokes[0].Max.Y+strokeOut, 156+lineH/6, "the letters below")
	require.Equal(t, []image.Rectangle{image.Rect(40, 200, 180, 216)}, s.marks[5].Rects)
	require.Len(t, s.marks[6].Rects, 2)
	for _, h := range s.halos {
		require.False(t, h.rect.Overlaps(image.Rect(40, 158, 215, 172)), "a halo on letters: %v", h)
	}
	first := NewScene(p.c, size, Options{View: ViewModel, All: true, Style: StyleFirst})
	require.Equal(t, image.Rect(40, 20, 110, 36), first.marks[0].strokes[0])
	require.Len(t, first.marks[5].Rects, 2)
}

// TestClearLabels: where another box is as near to a label as its own, the second style takes
// another place, or a line.
func TestClearLabels(t *testing.T) {
	unclear := func(c *snapshot.Capture, style Style) (n, of int) {
		s := NewScene(c, image.Pt(int(c.Viewport.Width), int(c.Viewport.Height)), Options{View: ViewModel, All: true, Style: style})
		for _, i := range s.placed {
			m := &s.marks[i]
			if of++; m.Leader {
				continue
			}
			plate := m.Label.Inset(haloPx)
			for k := range s.marks {
				if o := &s.marks[k]; o != m && o.shown(ViewModel) &&
					!geometry.NearnessOf(plate, m.strokes[m.anchor], 1).Less(geometry.NearnessOf(plate, o.strokes[0], 1)) {
					n++
					break
				}
			}
		}
		return n, of
	}
	first, clear, all := 0, 0, 0
	for _, c := range testpages.Captures(t) {
		a, of := unclear(c, StyleFirst)
		b, _ := unclear(c, StyleClear)
		first, clear, all = first+a, clear+b, all+of
	}
	t.Logf("of %d labels %d are unclear, in the second style %d", all, first, clear)
	require.NotZero(t, first)
	require.LessOrEqual(t, 100*clear, all)
}
