package collect

import (
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/assert"
)

// TestOcclude: the tree is 0 around all; 1 the element with 2 in it; 3 a cover with 4
// in it; 5 glass; 6 the element's label.
func TestOcclude(t *testing.T) {
	parents := []int{-1, 0, 1, 0, 3, 0, 0}
	tree := family{func(i int) int { return parents[i] }}
	label := stand{labels: []int{6}}
	hit := func(i int) sample { return sample{hit: i, cover: i, layer: -1, hidden: tree.foreign(1, i, label)} }
	shaded := func(s sample, hidden, through bool) sample {
		s.hidden, s.through, s.layer = hidden, through, 5
		return s
	}
	for name, c := range map[string]struct {
		points     []sample
		grid       int
		passes     bool
		control    bool
		unseen     bool
		thin       bool
		state      snapshot.OcclusionState
		seen, hits float64
		coverer    int // -1 for none
		through    bool
	}{
		"free":                        {points: []sample{hit(1), hit(2)}, state: snapshot.Clear, seen: 1, hits: 1, coverer: -1},
		"transparent":                 {points: []sample{hit(1), hit(2)}, unseen: true, state: snapshot.Clear, hits: 1, coverer: -1},
		"its label":                   {points: []sample{hit(6), hit(1)}, state: snapshot.Clear, seen: 1, hits: 1, coverer: -1},
		"around counts neither way":   {points: []sample{hit(1), hit(0), hit(-1)}, state: snapshot.Clear, seen: 1, hits: 1, coverer: -1},
		"only around":                 {points: []sample{hit(0)}, state: snapshot.Clear, seen: 1, hits: 1, coverer: -1},
		"click point taken":           {points: []sample{{hit: 4, cover: 3, layer: -1, hidden: true}, hit(1)}, state: snapshot.Covered, seen: .5, hits: .5, coverer: 3},
		"a corner taken":              {points: []sample{hit(1), hit(3), hit(1), hit(1)}, state: snapshot.Partly, seen: .75, hits: .75, coverer: 3},
		"the grid gives the shares":   {points: []sample{hit(1), hit(1), hit(3), hit(3)}, grid: 2, state: snapshot.Partly, seen: .5, hits: .5, coverer: 3},
		"opaque glass":                {points: []sample{shaded(hit(1), true, true), hit(1)}, state: snapshot.Clear, seen: .5, hits: 1, coverer: 5, through: true},
		"translucent glass":           {points: []sample{shaded(hit(1), false, true)}, state: snapshot.Clear, seen: 1, hits: 1, coverer: 5, through: true},
		"an empty catcher":            {points: []sample{{hit: 3, cover: 3, layer: -1}, {hit: 3, cover: 3, layer: -1}}, state: snapshot.Covered, seen: 1, hits: 0, coverer: 3},
		"glass over what is covered":  {points: []sample{shaded(hit(3), true, false)}, state: snapshot.Covered, seen: 0, hits: 0, coverer: 3},
		"ignores the pointer":         {points: []sample{hit(0), hit(0)}, passes: true, state: snapshot.Clear, seen: 1, hits: 1, coverer: -1},
		"ignores it, under a cover":   {points: []sample{hit(0), hit(3)}, passes: true, state: snapshot.Clear, seen: .5, hits: 1, coverer: 3},
		"ignores it, lies over other": {points: []sample{{hit: 3, cover: 3, layer: -1}}, passes: true, state: snapshot.Clear, seen: 1, hits: 1, coverer: -1},
		"a control that ignores it":   {points: []sample{hit(0), hit(0)}, passes: true, control: true, state: snapshot.Covered, seen: 1, hits: 0, coverer: -1},
		"inert":                       {points: []sample{hit(0), hit(0)}, control: true, state: snapshot.Covered, seen: 1, hits: 0, coverer: -1},
		"a thin line of a drawing":    {points: []sample{hit(0), hit(0)}, control: true, thin: true, state: snapshot.Clear, seen: 1, hits: 1, coverer: -1},
		"inert, one point unknown":    {points: []sample{hit(0), hit(-1)}, control: true, state: snapshot.Clear, seen: 1, hits: 1, coverer: -1},
		"its middle is a hole":        {points: []sample{hit(0), hit(1)}, control: true, state: snapshot.Clear, seen: 1, hits: 1, coverer: -1},
		"a hole, the rest is taken":   {points: []sample{hit(0), hit(3)}, control: true, state: snapshot.Covered, seen: 0, hits: 0, coverer: 3},
		"a hole, half is taken":       {points: []sample{hit(0), hit(3), hit(1)}, control: true, state: snapshot.Partly, seen: .5, hits: .5, coverer: 3},
	} {
		t.Run(name, func(t *testing.T) {
			n := &snapshot.Node{I: 1, NoPointer: c.passes, Visible: !c.unseen}
			if c.control {
				n.Interactive = []string{"native"}
			}
			o := (&tested{node: n, points: c.points, grid: c.grid, stand: label, solid: !c.thin}).occlude(tree)
			got := -1
			if o.Coverer != nil {
				got = *o.Coverer
			}
			assert.Equal(t, c.state, o.State)
			assert.InDelta(t, c.seen, o.VisibleShare, 1e-9, "visibleShare")
			assert.InDelta(t, c.hits, o.HitShare, 1e-9, "hitShare")
			assert.Equal(t, c.coverer, got, "coverer")
			assert.Equal(t, c.through, o.ClickThrough, "clickThrough")
		})
	}
	assert.Nil(t, (&tested{node: &snapshot.Node{I: 1}}).occlude(tree))
}

// TestUnder: what a frame around says of a point in a frame.
func TestUnder(t *testing.T) {
	inner := sample{hit: 7, cover: 7, layer: -1}
	for name, c := range map[string]struct {
		from probed
		own  bool
		want sample
	}{
		"shows the frame":        {probed{hit: 2, layer: -1}, true, inner},
		"opaque glass over it":   {probed{2, shadeHidden | shadeThrough, 9, 2}, true, sample{hit: 7, cover: 7, hidden: true, through: true, layer: 9}},
		"a cover over it":        {probed{hit: 5, layer: -1, cover: 4}, false, sample{hit: 5, cover: 4, hidden: true, layer: -1}},
		"a catcher over it":      {probed{5, shadeSeen, -1, 5}, false, sample{hit: 5, cover: 5, layer: -1}},
		"nothing is known of it": {probed{hit: -1, layer: -1}, false, inner},
	} {
		t.Run(name, func(t *testing.T) {
			s := inner
			s.under(c.from, c.own)
			assert.Equal(t, c.want, s)
		})
	}
}
