package overlay

import (
	"image"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/readability"
)

// TestBaselines compares the placement with those of the systems of the study, on
// all layouts: no rule has fewer labels on each other, hidden, or on a stranger.
// With -v it prints the table.
func TestBaselines(t *testing.T) {
	all := crowds()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	t.Logf("%-20s %-18s %5s %8s %6s %4s %8s %6s %6s %8s %6s", "layout", "system", "marks", "overlaps", "hidden", "off",
		"misled", "buried", "on %", "px away", "ms")
	for _, name := range names {
		p := all[name]
		s := NewScene(p.c, image.Pt(int(p.c.Viewport.Width), int(p.c.Viewport.Height)), Options{View: ViewModel})
		picture := image.Rectangle{Max: s.size}
		var of []*Mark
		var boxes []image.Rectangle
		var digits []int
		for i := range s.marks {
			if m := &s.marks[i]; m.shown(ViewModel) {
				of, boxes, digits = append(of, m), append(boxes, m.Rects[0].Intersect(picture)), append(digits, len(m.label))
			}
		}
		show := func(system string, c score, took time.Duration) {
			t.Logf("%-20s %-18s %5d %8d %6d %4d %8d %6d %6.1f %8.1f %6.1f", name, system, c.drawn, c.overlaps, c.hidden, c.off,
				c.misled, c.buried, c.foreign, c.distance, took.Seconds()*1000)
		}
		began := time.Now()
		NewScene(p.c, s.size, Options{View: ViewModel})
		took := time.Since(began)
		ours := s.ours()
		show("Refscope", ours, took)
		for _, r := range readability.Systems() {
			began := time.Now()
			labels := r.Place(picture, boxes, digits)
			took := time.Since(began)
			c := s.count(of, labels)
			show(r.Name, c, took)
			require.LessOrEqual(t, ours.overlaps, c.overlaps, "%s: %s has fewer overlaps", name, r.Name)
			require.LessOrEqual(t, ours.hidden, c.hidden, "%s: %s has fewer hidden labels", name, r.Name)
			require.LessOrEqual(t, ours.misled, c.misled, "%s: %s has fewer labels on strangers", name, r.Name)
		}
	}
}
