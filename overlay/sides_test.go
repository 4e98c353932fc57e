package overlay

import (
	"image"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// TestListsKeepTheirRows: in a list whose rows are hardly as high as a number, each number stands in the row of its own
// element, at the end of a line to it, or where no other element has a row. One that stood in the next row to be in one
// column with others was read as that row's.
func TestListsKeepTheirRows(t *testing.T) {
	const seeds, rowH = 60, 13
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 49))
		p := newPage(600, 400)
		for i := range 3 + r.IntN(8) {
			y := 60 + rowH*float64(i)
			a := p.target(0, "a", "A link", snapshot.Box{60, y, float64(40 + r.IntN(120)), rowH - 1})
			a.Text, a.TextRects = a.Name, []snapshot.Box{a.Box}
		}
		s := NewScene(p.c, image.Pt(600, 400), Options{View: ViewModel})
		for i := range s.marks {
			m := &s.marks[i]
			if m.Label.Empty() || m.Leader {
				continue
			}
			in := func(row image.Rectangle) bool {
				return 2*(min(m.Label.Max.Y, row.Max.Y)-max(m.Label.Min.Y, row.Min.Y)) >= m.Label.Dy()
			}
			for k := range s.marks {
				require.False(t, k != i && in(s.marks[k].Rects[0]) && !in(m.Rects[0]),
					"list %d: %s at %v stands in the row of %s", seed, m.label, m.Label, s.marks[k].label)
			}
		}
	}
}
