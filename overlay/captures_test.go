package overlay

import (
	"image"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestCaptures holds the gates on real pages: as captured, at another density, and
// as one picture of the whole page, which is more crowded than any viewport.
func TestCaptures(t *testing.T) {
	all := testpages.Captures(t)
	t.Logf("%-42s %5s %-7s %5s %5s | %s", "capture", "refs", "picture", "drawn", "ms",
		"overlaps hidden off misled(avoidable) buried leaders small named shared")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		for _, v := range []struct {
			what  string
			c     *snapshot.Capture
			scale float64
		}{{"1x", c, 1}, {"1.5x", c, 1.5}, {"page", unrolled(c), 1}} {
			t.Run(name+"/"+v.what, func(t *testing.T) {
				size := image.Pt(int(v.c.Viewport.Width*v.scale), int(v.c.Viewport.Height*v.scale))
				began := time.Now()
				s := NewScene(v.c, size, Options{})
				took := time.Since(began)
				g, q := gates(t, s), s.quality()
				shared := 0
				for i := range s.marks {
					if s.marks[i].SharesBox > 0 {
						shared++
					}
				}
				everyRefOnce(t, s)
				t.Logf("%-42s %5d %-7s %5d %5.1f | %d %d %d %d(%d) %d %d %d %d %d", name, len(s.marks), v.what, g.drawn,
					took.Seconds()*1000,
					g.overlaps, g.hidden, g.off, g.misled, g.avoidable, g.buried, q.Leaders, q.SmallDigits, q.Named, shared)
			})
		}
	}
}

// everyRefOnce: every kept element with a ref is in the manifest once, in the
// picture or with a reason.
func everyRefOnce(t *testing.T, s *Scene) {
	t.Helper()
	want := map[int]bool{}
	for i := range s.capture.Nodes {
		if n := &s.capture.Nodes[i]; n.Ref > 0 && n.Verdict.Kept() {
			want[n.Ref] = true
		}
	}
	m := s.Manifest("x.png")
	require.Len(t, m.Marks, len(want))
	sum := 0
	for _, n := range m.Counts {
		sum += n
	}
	require.Equal(t, len(want), sum)
	lines := strings.Count(s.Legend(), "\n")
	drawn := 0
	for _, k := range m.Marks {
		require.True(t, want[k.Ref], "ref %d", k.Ref)
		require.NotEmpty(t, k.Status)
		require.Equal(t, k.Number > 0, k.Label != nil, "ref %d", k.Ref)
		if k.Number > 0 {
			drawn++
		} else {
			require.NotEqual(t, Drawn, k.Status, "ref %d", k.Ref)
		}
	}
	for i := range s.marks {
		if s.marks[i].LeftOut {
			drawn++ // its line says that there is no room
		}
	}
	require.Equal(t, drawn, lines, "one line of the legend for each mark in the picture")
}
