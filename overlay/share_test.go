package overlay

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/goldentest"
	"github.com/refscope/refscope/snapshot"
)

// TestSharedBox: a hidden checkbox and its label keep a number each, side by side
// where there is room, and each names the other.
func TestSharedBox(t *testing.T) {
	p := choicePage()
	img := p.picture(t, 1)
	s := NewScene(p.c, img.Rect.Size(), Options{})
	for ref := 1; ref < len(s.marks); ref += 2 {
		a, b := s.ByRef(ref), s.ByRef(ref+1)
		require.Equal(t, b.Ref, a.SharesBox)
		require.Equal(t, a.Ref, b.SharesBox)
		require.False(t, a.Label.Overlaps(b.Label))
		require.Equal(t, a.strokes, b.strokes, "they are drawn as one box")
	}
	require.Equal(t, s.ByRef(1).Label.Max.X, s.ByRef(2).Label.Min.X, "side by side")
	require.Equal(t, s.ByRef(1).Label.Min.Y, s.ByRef(2).Label.Min.Y)
	require.Equal(t, 2, s.Manifest("x").Marks[0].SharesBox)
	s.Draw(img)
	goldentest.Picture(t, "choices", img)

	q := newPage(200, 100)
	for range 3 {
		q.target(0, "a", "x", snapshot.Box{20, 20, 80, 30})
	}
	q.target(0, "a", "x", snapshot.Box{20, 20, 80, 34})
	three := NewScene(q.c, image.Pt(200, 100), Options{})
	shares := []int{}
	for _, m := range three.Marks() {
		shares = append(shares, m.SharesBox)
	}
	require.Equal(t, []int{2, 1, 1, 0}, shares, "the first names the second, the others the first")
}

// TestCoverers: what covers a mark is in the picture too, unless it holds the mark;
// with new numbers a label never mixes them with refs.
func TestCoverers(t *testing.T) {
	p := shopPage()
	s := NewScene(p.c, image.Pt(700, 525), Options{})
	require.Equal(t, Drawn, s.ByRef(22).Status, "the banner")
	require.Equal(t, Container, s.ByRef(4).Status, "the form covers nothing")
	require.Equal(t, "21←22", s.ByRef(21).label)
	require.Equal(t, Container, NewScene(p.c, image.Pt(700, 525), Options{View: ViewModel}).ByRef(22).Status)

	re := NewScene(p.c, image.Pt(700, 525), Options{Renumber: true})
	by := re.ByRef(22).Number
	require.Positive(t, by)
	require.Equal(t, "19←"+re.ByRef(22).label, re.ByRef(21).label)
	require.Contains(t, re.Legend(), `link "Help" (covered by [`+re.ByRef(22).label+`])`)

	q := newPage(300, 200)
	main := q.target(0, "main", "Page", snapshot.Box{0, 0, 300, 200})
	main.Interactive = nil
	at := main.I
	b := q.target(at, "button", "Under", snapshot.Box{20, 20, 80, 30}).I
	layer := q.node(at, "div", snapshot.Box{0, 0, 300, 100})
	li := layer.I
	q.clicks(b, li, layer.Box)
	in := NewScene(q.c, image.Pt(300, 200), Options{})
	m := in.ByRef(2)
	require.Equal(t, Covered, m.Status)
	require.Zero(t, m.Coverer, "main holds both")
	require.Equal(t, li, m.CovererNode)
	require.Equal(t, "2", m.label)
	require.Equal(t, Container, in.ByRef(1).Status)
	require.Contains(t, in.Legend(), `2 button "Under" (covered by div)`)

	// A button on a picture takes some of its clicks, and that is no cover worth a name.
	r := newPage(300, 200)
	photo := r.target(0, "img", "Photo", snapshot.Box{20, 20, 200, 150}).I
	heart := r.target(0, "button", "Like", snapshot.Box{180, 30, 30, 30}).I
	r.c.Nodes[photo].Occlusion = &snapshot.Occlusion{State: snapshot.Partly, HitShare: 0.9, VisibleShare: 0.9,
		Coverer: &heart,
		Points:  [][3]float64{{120, 95, float64(photo)}, {200, 40, float64(heart)}}}
	on := NewScene(r.c, image.Pt(300, 200), Options{})
	require.Equal(t, "1", on.ByRef(1).label)
	require.Empty(t, on.Hatch())
	require.Equal(t, 2, on.ByRef(1).Coverer)
	// A neighbour that shares the border covers a line of px, one that lies over more is named.
	for over, want := range map[float64]string{1: "1", 5: "1←2"} {
		row := newPage(300, 200)
		one := row.target(0, "button", "One", snapshot.Box{40, 60, 60, 34}).I
		two := row.target(0, "button", "Two", snapshot.Box{100 - over, 60, 60, 34}).I
		row.c.Nodes[one].Occlusion = &snapshot.Occlusion{State: snapshot.Partly, HitShare: 0.9, VisibleShare: 0.9,
			Coverer: &two,
			Points:  [][3]float64{{70, 77, float64(one)}, {99, 77, float64(two)}}}
		require.Equal(t, want, NewScene(row.c, image.Pt(300, 200), Options{}).ByRef(1).label, "%g px", over)
	}
}
