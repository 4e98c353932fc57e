package overlay

import (
	"encoding/json"
	"image"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

// lacking is a capture in which every nth ref has no number any more, from the first on, as
// if those elements were gone.
func lacking(c *snapshot.Capture, nth int) *snapshot.Capture {
	out := *c
	out.Nodes = slices.Clone(c.Nodes)
	k := 0
	for i := range out.Nodes {
		if out.Nodes[i].Ref > 0 {
			if k%nth == 0 {
				out.Nodes[i].Ref = 0
			}
			k++
		}
	}
	return &out
}

// shifted is a capture whose content is moved by dx, dy CSS px.
func shifted(c *snapshot.Capture, dx, dy float64) *snapshot.Capture {
	out := *c
	out.Nodes = nil
	for i := range c.Nodes {
		out.Nodes = append(out.Nodes, moved(&c.Nodes[i], c.Nodes[i].InViewport, dx, dy))
	}
	return &out
}

// jumps counts labels that lie elsewhere beside a box which is as it was, and all of such
// boxes.
func jumps(a, b *Scene) (n, of int) {
	for i := range a.marks {
		m := &a.marks[i]
		o := b.ByRef(m.Ref)
		if o == nil || m.Label.Empty() || o.Label.Empty() || m.Rects[0].Size() != o.Rects[0].Size() {
			continue
		}
		of++
		if m.Label.Sub(m.Rects[0].Min) != o.Label.Sub(o.Rects[0].Min) {
			n++
		}
	}
	return n, of
}

// TestKeptLabels: from turn to turn labels stay where they are, though neighbours come, go or
// all of the page moves, and the promises about every picture hold.
func TestKeptLabels(t *testing.T) {
	captures := map[string]*snapshot.Capture{}
	for name, p := range crowds() {
		captures[name] = p.c
	}
	maps.Copy(captures, testpages.Captures(t))
	edits := []struct {
		name string
		most int // labels that jump, of 1000: those whose place is taken by what is new
		edit func(c *snapshot.Capture) (before, after *snapshot.Capture)
	}{
		{"the same page", 0, func(c *snapshot.Capture) (a, b *snapshot.Capture) { return c, c }},
		{"some go", 25, func(c *snapshot.Capture) (a, b *snapshot.Capture) { return c, lacking(c, 7) }},
		{"some come", 100, func(c *snapshot.Capture) (a, b *snapshot.Capture) { return lacking(c, 7), c }},
		{"moved by 12 px", 25, func(c *snapshot.Capture) (a, b *snapshot.Capture) { return c, shifted(c, 0, 12) }},
	}
	for _, style := range []Style{StyleFirst, StyleClear} {
		for _, e := range edits {
			afresh, stayed, all := 0, 0, 0
			for _, name := range slices.Sorted(maps.Keys(captures)) {
				if testing.Short() && len(captures[name].Nodes) > 1000 {
					continue
				}
				was, is := e.edit(captures[name])
				size := image.Pt(int(was.Viewport.Width), int(was.Viewport.Height))
				o := Options{View: ViewModel, Style: style}
				a, fresh := NewScene(was, size, o), NewScene(is, size, o)
				o.Kept = a.Kept()
				b := NewScene(is, size, o)
				gates(t, b)
				n, _ := jumps(a, fresh)
				k, of := jumps(a, b)
				afresh, stayed, all = afresh+n, stayed+k, all+of
			}
			t.Logf("%s, %s: of %d labels %d jump; with those of the turn before kept, %d", style, e.name, all, afresh, stayed)
			require.NotZero(t, all)
			assert.LessOrEqual(t, 1000*stayed, e.most*all, "%s: of %d labels %d jump", e.name, all, stayed)
			assert.LessOrEqual(t, stayed, afresh)
		}
	}
}

// TestKeptGivesWay: where what is new has room only on a label of before, that one moves. Each crowd
// has room for all labels where they are placed afresh.
func TestKeptGivesWay(t *testing.T) {
	for _, boxes := range [][]snapshot.Box{
		{{0, 55, 15, 10}, {30, 45, 30, 15}, {70, 30, 35, 10}, {95, 45, 30, 15}, {70, 10, 30, 20}, {60, 55, 20, 15},
			{25, 40, 15, 15}, {65, 35, 35, 20}, {115, 65, 35, 15}},
		{{115, 15, 30, 10}, {70, 25, 20, 10}, {55, 10, 10, 15}, {110, 35, 20, 10}, {115, 55, 25, 20}, {85, 25, 20, 10},
			{100, 30, 15, 15}, {45, 60, 25, 20}, {115, 55, 15, 20}},
		{{60, 5, 20, 20}, {45, 40, 10, 10}, {115, 5, 35, 20}, {20, 55, 35, 20}, {90, 60, 10, 10}, {80, 25, 20, 15},
			{115, 55, 30, 15}, {10, 35, 10, 15}, {45, 10, 35, 15}, {105, 0, 20, 20}},
	} {
		p, size := newPage(120, 70), image.Pt(120, 70)
		for _, b := range boxes {
			p.target(0, "a", "x", b)
		}
		o := Options{View: ViewModel}
		require.Zero(t, NewScene(p.c, size, o).quality().LabelOverlaps)
		o.Kept = NewScene(lacking(p.c, 3), size, o).Kept()
		require.Zero(t, NewScene(p.c, size, o).quality().LabelOverlaps, "%v", boxes)
	}
}

// TestKeptFromManifest: the labels of a turn that was exported are those of its scene.
func TestKeptFromManifest(t *testing.T) {
	s := NewScene(shopPage().c, image.Pt(700, 525), Options{View: ViewModel})
	b, err := json.Marshal(s.Manifest("x.png"))
	require.NoError(t, err)
	var m Manifest
	require.NoError(t, json.Unmarshal(b, &m))
	byRef := func(list []Kept) []Kept {
		slices.SortFunc(list, func(a, b Kept) int { return a.Ref - b.Ref })
		return list
	}
	want := byRef(s.Kept())
	require.NotEmpty(t, want)
	require.Equal(t, want, byRef(m.Kept()))
}
