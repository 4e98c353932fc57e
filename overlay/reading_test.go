package overlay

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// TestReadingOrder: rows from the top, each from the side where reading begins.
func TestReadingOrder(t *testing.T) {
	boxes := []snapshot.Box{ // in document order; the names are their place when read from the left
		{200, 10, 40, 20},  // 1: second in the first row
		{20, 12, 40, 16},   // 0
		{20, 100, 80, 300}, // 4: a sidebar
		{120, 104, 60, 24}, // 5: beside its top
		{120, 300, 60, 24}, // 6
		{20, 60, 40, 16},   // 2
		{200, 66, 40, 16},  // 3: half a row lower
	}
	tests := map[string]struct {
		dir  string
		want []int
	}{
		"from the left":  {"", []int{2, 1, 6, 7, 3, 4, 5}},
		"from the right": {"RTL", []int{1, 2, 7, 6, 4, 3, 5}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPage(300, 420)
			p.c.Nodes[0].Attrs = map[string]string{"dir": tt.dir}
			for _, b := range boxes {
				p.target(0, "a", "x", b)
			}
			s := NewScene(p.c, image.Pt(300, 420), Options{Renumber: true})
			got := []int{}
			for k, i := range s.reading {
				got = append(got, s.marks[i].Ref)
				require.Equal(t, k+1, s.marks[i].Number)
			}
			require.Equal(t, tt.want, got)
		})
	}
	// The body has the last word.
	p := newPage(300, 200)
	p.c.Nodes[0].Attrs = map[string]string{"dir": "rtl"}
	p.node(0, "body", snapshot.Box{0, 0, 300, 200}).Attrs = map[string]string{"dir": "ltr"}
	require.False(t, p.c.RightToLeft())
}
