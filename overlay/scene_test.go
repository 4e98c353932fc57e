package overlay

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

func TestStatus(t *testing.T) {
	covered := &snapshot.Occlusion{State: snapshot.Covered}
	tests := map[string]struct {
		make func(p *page) *snapshot.Node
		o    Options
		want Status
		dir  string
		dist float64
	}{
		"plain": {func(p *page) *snapshot.Node { return p.target(0, "a", "x", snapshot.Box{10, 10, 50, 20}) },
			Options{}, Drawn, "", 0},
		"partly in view": {func(p *page) *snapshot.Node { return p.target(0, "a", "x", snapshot.Box{-40, 10, 50, 20}) },
			Options{}, Drawn, "", 0},
		"a hair in view": {func(p *page) *snapshot.Node { return p.target(0, "a", "x", snapshot.Box{10, -19.7, 50, 20}) },
			Options{}, Drawn, "", 0},
		"section":         {func(p *page) *snapshot.Node { return section(p) }, Options{}, Container, "", 0},
		"section, wanted": {func(p *page) *snapshot.Node { return section(p) }, Options{Containers: true}, Drawn, "", 0},
		"above": {func(p *page) *snapshot.Node { return p.target(0, "a", "x", snapshot.Box{10, -50, 50, 20}) },
			Options{}, Offscreen, "above", 60},
		"below right": {func(p *page) *snapshot.Node { return p.target(0, "a", "x", snapshot.Box{450, 320, 50, 20}) },
			Options{}, Offscreen, "below-right", 100},
		"line of 1 px": {func(p *page) *snapshot.Node { return p.target(0, "a", "x", snapshot.Box{10, 10, 50, 0.9}) },
			Options{}, TooSmall, "", 0},
		"1 px doubled": {func(p *page) *snapshot.Node { return p.target(0, "a", "x", snapshot.Box{10, 10, 50, 1}) },
			Options{}, Drawn, "", 0},
		"covered": {func(p *page) *snapshot.Node {
			n := p.target(0, "a", "x", snapshot.Box{10, 10, 50, 20})
			n.Occlusion = covered
			return n
		}, Options{}, Covered, "", 0},
		"transparent checkbox": {func(p *page) *snapshot.Node {
			n := p.target(0, "input", "x", snapshot.Box{10, 10, 13, 13})
			n.Visible = false
			return n
		}, Options{}, Drawn, "", 0},
		"no box but text": {func(p *page) *snapshot.Node {
			n := p.target(0, "a", "x", snapshot.Box{10, 10, 0, 0})
			n.TextRects, n.InViewport = []snapshot.Box{{10, 10, 40, 16}}, true
			return n
		}, Options{}, Drawn, "", 0},
		"display: contents": {func(p *page) *snapshot.Node {
			i := p.target(0, "a", "x", snapshot.Box{}).I
			p.node(i, "span", snapshot.Box{30, 30, 40, 16})
			n := &p.c.Nodes[i]
			n.InViewport, n.Contents = true, true
			return n
		}, Options{}, Drawn, "", 0},
		"out of scope": {func(p *page) *snapshot.Node { return p.target(0, "a", "x", snapshot.Box{10, 10, 50, 20}) },
			Options{Scope: func(n *snapshot.Node) bool { return n.Tag == "button" }}, OutOfScope, "", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPage(400, 270)
			ref := tt.make(p).Ref
			m := NewScene(p.c, image.Pt(800, 540), tt.o).ByRef(ref)
			require.Equal(t, tt.want, m.Status)
			require.Equal(t, tt.dir, m.Direction)
			require.Equal(t, tt.dist, m.Distance, "in px of a picture at 2x")
			require.Equal(t, tt.want == Drawn || tt.want == Covered, !m.Label.Empty())
		})
	}
}

func section(p *page) *snapshot.Node {
	n := p.target(0, "section", "x", snapshot.Box{10, 10, 200, 200})
	n.Interactive = nil
	return n
}

func TestModelViewLeavesOutCovered(t *testing.T) {
	p := shopPage()
	for view, drawn := range map[View]bool{ViewQA: true, ViewModel: false} {
		s := NewScene(p.c, image.Pt(700, 525), Options{View: view})
		m := s.ByRef(21)
		require.Equal(t, Covered, m.Status)
		require.Equal(t, 22, m.Coverer, "the ref of the banner")
		require.Equal(t, drawn, !m.Label.Empty())
		require.Equal(t, drawn, len(s.Hatch()) > 0)
	}
}

func TestEveryRefOnce(t *testing.T) {
	p := shopPage()
	p.c.Nodes = append(p.c.Nodes, p.c.Nodes[len(p.c.Nodes)-1]) // a damaged capture: a ref twice
	s := NewScene(p.c, image.Pt(700, 525), Options{})
	require.Len(t, s.Marks(), p.ref)
	for i, m := range s.Marks() {
		require.Equal(t, i+1, m.Ref)
	}
	require.Nil(t, s.ByRef(0))
	require.Nil(t, s.ByRef(p.ref+1))
}

// TestFilteredCapture: indices are those of the full walk, also where nodes are
// missing.
func TestFilteredCapture(t *testing.T) {
	p := shopPage()
	full := NewScene(p.c, image.Pt(700, 525), Options{}).Manifest("x")
	kept := NewScene(p.c.Kept(), image.Pt(700, 525), Options{}).Manifest("x")
	require.Less(t, len(p.c.Kept().Nodes), len(p.c.Nodes))
	require.Equal(t, NewScene(p.c, image.Pt(700, 525), Options{}).Hatch(),
		NewScene(p.c.Kept(), image.Pt(700, 525), Options{}).Hatch())
	for i := range full.Marks {
		a, b := full.Marks[i], kept.Marks[i]
		a.Label, b.Label = nil, nil // text of nodes that were left out moves labels
		require.Equal(t, a, b)
	}
}

func TestNestedBoxesStayApart(t *testing.T) {
	p := newPage(300, 200)
	at := 0
	for range 4 {
		at = p.target(at, "a", "x", snapshot.Box{20, 20, 100, 60}).I
	}
	small := p.target(0, "a", "x", snapshot.Box{200, 20, 12, 12}).I
	p.target(small, "img", "x", snapshot.Box{200, 20, 12, 12})
	edge := image.Rect(20, 20, 120, 80)        // of all four
	for style, want := range map[Style][4]int{ // px inside that edge; 6 px inwards are the most, and 8 outwards
		StyleFirst: {0, 3, 6, 6},
		StyleClear: {-8, -5, -2, 1},
	} {
		s := NewScene(p.c, image.Pt(300, 200), Options{Style: style})
		for i, in := range want {
			require.Equal(t, edge.Inset(in), s.marks[i].strokes[0], "%s: box %d", style, i)
		}
		require.GreaterOrEqual(t, s.marks[5].strokes[0].Dx(), minTarget, "small ones stay what they are")
	}
}

func TestAt(t *testing.T) {
	p := shopPage()
	s := NewScene(p.c, image.Pt(700, 525), Options{})
	refs := func(x, y float64) []int {
		out := []int{}
		for _, m := range s.At(x, y) {
			out = append(out, m.Ref)
		}
		return out
	}
	require.Equal(t, []int{6, 4}, refs(100, 130), "a field, then the form around it")
	require.Equal(t, []int{12, 11}, refs(430, 150), "the later of two equal ones is on top")
	require.Equal(t, []int{13}, refs(479, 149), "a dot of 4 px is padded")
	require.Equal(t, []int{10}, refs(600, 75))
	require.Equal(t, []int{10}, refs(390, 100), "the second line of a wrapped link")
	require.Empty(t, refs(600, 100), "between its lines")
	require.Equal(t, []int{19, 22}, refs(400, 450))
	for _, bad := range [][2]float64{{-1, 5}, {5, -1}, {700, 5}, {5, 525}, {math.NaN(), 5}, {math.Inf(1), 5}} {
		require.Empty(t, refs(bad[0], bad[1]))
	}
}

// TestCoverersWords: the shade of what is covered leaves the words of what covers it alone.
func TestCoverersWords(t *testing.T) {
	by := 2
	p := newPage(200, 100)
	p.target(0, "button", "x", snapshot.Box{20, 20, 100, 40}).Occlusion = &snapshot.Occlusion{
		State: snapshot.Partly, Coverer: &by, Points: [][3]float64{{70, 30, 1}, {40, 50, 2}}}
	p.text(p.node(0, "div", snapshot.Box{0, 40, 200, 60}), 30, 42, "words", ink)
	hatch := NewScene(p.c, image.Pt(200, 100), Options{}).Hatch()
	require.NotEmpty(t, hatch)
	for _, r := range hatch {
		require.False(t, r.Overlaps(image.Rect(30, 44, 65, 56)), "%v lies on a word", r)
	}
}

func TestHatch(t *testing.T) {
	i := func(v int) *int { return &v }
	base := func() *page {
		p := newPage(200, 100)
		p.target(0, "button", "x", snapshot.Box{20, 20, 100, 40}) // node 1
		p.node(1, "span", snapshot.Box{40, 25, 20, 10})           // node 2: the button's own
		p.node(0, "div", snapshot.Box{0, 40, 200, 60})            // node 3: over its lower half
		p.node(3, "p", snapshot.Box{30, 45, 20, 10})              // node 4: inside that
		return p
	}
	tests := map[string]struct {
		o    snapshot.Occlusion
		want []image.Rectangle
	}{
		"the coverer's box": {
			snapshot.Occlusion{State: snapshot.Partly, Coverer: i(3), Points: [][3]float64{{70, 30, 1}, {40, 50, 4}}},
			[]image.Rectangle{image.Rect(20, 40, 120, 49)},
		},
		"no coverer on record: the element hit, and it explains the point": {
			snapshot.Occlusion{State: snapshot.Partly, Points: [][3]float64{{70, 30, 1}, {100, 50, 3}}},
			[]image.Rectangle{image.Rect(20, 40, 120, 49)},
		},
		"a hit less than a px before the box that explains it": {
			snapshot.Occlusion{State: snapshot.Partly, Coverer: i(3), Points: [][3]float64{{70, 30, 1}, {100, 39.2, 3}}},
			[]image.Rectangle{image.Rect(20, 40, 120, 49)},
		},
		"a child on top is not cover": {
			snapshot.Occlusion{State: snapshot.Partly, Points: [][3]float64{{70, 30, 1}, {50, 30, 2}}}, nil,
		},
		"a box that holds free points explains nothing: cells near the point": {
			snapshot.Occlusion{State: snapshot.Partly, Coverer: i(3),
				Points: [][3]float64{{30, 30, 1}, {110, 30, 1}, {30, 50, 1}, {110, 50, 3}}},
			[]image.Rectangle{image.Rect(70, 40, 120, 49), image.Rect(70, 49, 79, 60)},
		},
		"covered without points": {
			snapshot.Occlusion{State: snapshot.Covered, Coverer: i(3)},
			[]image.Rectangle{image.Rect(20, 40, 120, 49)},
		},
		"covered by nobody knows what": {
			snapshot.Occlusion{State: snapshot.Covered, Points: [][3]float64{{70, 40, -1}}},
			[]image.Rectangle{image.Rect(20, 20, 120, 29), image.Rect(20, 29, 29, 51), image.Rect(111, 29, 120, 51),
				image.Rect(20, 51, 120, 60)},
		},
		"clear": {snapshot.Occlusion{State: snapshot.Clear, Points: [][3]float64{{70, 40, 1}}}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := base()
			p.c.Nodes[1].Occlusion = &tt.o
			require.Equal(t, tt.want, NewScene(p.c, image.Pt(200, 100), Options{}).Hatch())
		})
	}
}

// TestDisjoint compares the union of rectangles with a plain one.
func TestDisjoint(t *testing.T) {
	seed := uint32(7)
	rnd := func(n int) int { seed = seed*1664525 + 1013904223; return int(seed>>8) % n }
	for range 200 {
		size := image.Pt(1+rnd(200), 1+rnd(60))
		var parts, without []image.Rectangle
		want := map[image.Point]bool{}
		for range rnd(6) {
			r := image.Rect(rnd(260)-30, rnd(90)-15, rnd(260)-30, rnd(90)-15)
			parts = append(parts, r)
			in := r.Intersect(image.Rectangle{Max: size})
			for y := in.Min.Y; y < in.Max.Y; y++ {
				for x := in.Min.X; x < in.Max.X; x++ {
					want[image.Pt(x, y)] = true
				}
			}
		}
		for range rnd(3) {
			r := image.Rect(rnd(260)-30, rnd(90)-15, rnd(260)-30, rnd(90)-15)
			without = append(without, r)
			for at := range want {
				if at.In(r) {
					delete(want, at)
				}
			}
		}
		got := map[image.Point]bool{}
		for _, r := range disjoint(parts, without, size) {
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					require.False(t, got[image.Pt(x, y)], "twice")
					got[image.Pt(x, y)] = true
				}
			}
		}
		require.Equal(t, want, got)
	}
}
