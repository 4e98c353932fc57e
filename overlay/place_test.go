package overlay

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/overlay/goldentest"
	"github.com/refscope/refscope/snapshot"
)

// TestPlacement holds the promises on dense layouts: the gates of the placement
// study (M1, M4, M6, M7), recounted here in the plainest way.
func TestPlacement(t *testing.T) {
	for name, p := range pages() {
		t.Run(name, func(t *testing.T) {
			s := NewScene(p.c, image.Pt(1280, 720), Options{})
			q := s.quality()
			t.Logf("%+v", q)
			picture := image.Rect(0, 0, 1280, 720)
			var labels []image.Rectangle
			hide := 0
			for i := range s.marks {
				m := &s.marks[i]
				require.Equal(t, Drawn, m.Status, "ref %d", m.Ref)
				if m.LeftOut {
					continue
				}
				require.False(t, m.Label.Empty(), "ref %d has no label", m.Ref)
				require.True(t, m.Label.In(picture), "label of ref %d at %v", m.Ref, m.Label)
				if !m.Leader {
					require.LessOrEqual(t, geometry.Distance(m.Label, m.strokes[m.anchor]), outerPx, "ref %d", m.Ref)
				}
				require.LessOrEqual(t, geometry.Distance(m.Label, m.strokes[m.anchor]), edgeMax)
				labels = append(labels, m.Label)
				if own := geometry.Common(m.Label, m.Rects[m.anchor]); 2*own > geometry.Area(m.Rects[m.anchor]) {
					hide++ // inside an icon rather than on the next one, and not over all of it
					require.LessOrEqual(t, 5*own, 3*geometry.Area(m.Rects[m.anchor]), "ref %d", m.Ref)
				}
			}
			pairs := 0
			for i := range labels {
				for k := range labels[:i] {
					if labels[i].Overlaps(labels[k]) {
						pairs++
					}
				}
			}
			require.Equal(t, pairs, q.LabelOverlaps)
			require.LessOrEqual(t, pairs, map[bool]int{true: 0, false: len(labels) / 200}[len(labels) <= 300])
			require.Zero(t, q.LabelsOffImage)
			require.Zero(t, q.LabelsOnStrangers)
			require.Equal(t, hide, q.OwnTargetHidden)
			require.True(t, hide == 0 || strings.HasPrefix(name, "icon grid"), "%d elements hidden", hide)
			require.Zero(t, q.LabelsOnText)
			require.GreaterOrEqual(t, q.MinContrast, 7.0)
		})
	}
}

// TestQualityCounts proves that the score can fail: labels are put where each
// number must count them.
func TestQualityCounts(t *testing.T) {
	p := newPage(400, 300)
	p.target(0, "button", "a", snapshot.Box{10, 10, 60, 30})
	p.target(0, "button", "b", snapshot.Box{200, 100, 14, 14})
	p.text(p.node(0, "p", snapshot.Box{10, 200, 300, 20}), 10, 200, "Text of another element", ink)
	s := NewScene(p.c, image.Pt(400, 300), Options{})
	require.Equal(t, Quality{MinContrast: 21, OutlineContrast: 21}, s.quality())

	at := func(a, b image.Point) Quality {
		size := s.marks[0].Label.Size()
		s.marks[0].Label = image.Rectangle{a, a.Add(size)}
		s.marks[1].Label = image.Rectangle{b, b.Add(size)}
		return s.quality()
	}
	free := image.Pt(300, 20)
	require.Equal(t, 1, at(free, free).LabelOverlaps)
	require.Equal(t, 1, at(image.Pt(-3, 100), free).LabelsOffImage)
	require.Equal(t, 1, at(free, image.Pt(20, 15)).LabelsOnStrangers)
	require.Equal(t, 1, at(free, image.Pt(201, 101)).OwnTargetHidden)
	require.Equal(t, 1, at(free, image.Pt(20, 202)).LabelsOnText)
}

// TestRescue: a target without any free slot around it gets its number at the
// end of a line, through the gap between its neighbours.
func TestRescue(t *testing.T) {
	p := newPage(300, 200)
	b := snapshot.Box{141, 96, 8, 8}
	p.target(0, "button", "small", b)
	for _, n := range []snapshot.Box{
		{101, 66, 46, 28}, {149, 66, 30, 31}, {101, 106, 46, 30}, {149, 103, 30, 33}, {101, 96, 38, 8},
	} {
		p.target(0, "button", "around", n)
	}
	s := NewScene(p.c, image.Pt(300, 200), Options{})
	m := s.ByRef(1)
	require.True(t, m.Leader)
	require.LessOrEqual(t, geometry.Distance(m.Label, m.strokes[0]), leaderMax)
	q := s.quality()
	require.Zero(t, q.LabelOverlaps+q.LabelsOnStrangers+q.OwnTargetHidden+q.LabelsOffImage)
	require.NotZero(t, q.Leaders)
	img := p.picture(t, 1)
	s.Draw(img)
	goldentest.Picture(t, "leader", img)
}

func TestTinyPictures(t *testing.T) {
	p := shopPage()
	for _, size := range []image.Point{{}, {1, 1}, {5, 3}, {20, 12}, {40, 9}, {-5, 10}} {
		s := NewScene(p.c, size, Options{})
		img := image.NewRGBA(image.Rectangle{Max: image.Pt(max(0, size.X), max(0, size.Y))})
		s.Draw(img)
		for _, m := range s.Marks() {
			require.True(t, m.Label.Empty() || m.Label.In(img.Rect), "label %v in %v", m.Label, size)
		}
		Compose(image.NewRGBA(image.Rect(0, 0, 30, 20)), NewPyramid(img), s, Camera{Scale: 2}, Layers{true, true, true, true},
			ground)
	}
}

// FuzzScene makes captures out of bytes: boxes of any kind, parents, states, refs.
func FuzzScene(f *testing.F) {
	f.Add([]byte("seed"), uint16(300), uint16(200))
	nan := make([]byte, 36*6)
	for i := 0; i+8 <= len(nan); i += 8 {
		v := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -50, 1e300, 20}[i/8%6]
		binary.LittleEndian.PutUint64(nan[i:], math.Float64bits(v))
	}
	f.Add(nan, uint16(64), uint16(48))
	f.Fuzz(func(t *testing.T, data []byte, w, h uint16) {
		c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: float64(w % 2000), Height: 200}}
		next := func(n int) []byte {
			out := make([]byte, n)
			data = data[copy(out, data):]
			return out
		}
		num := func() float64 {
			b := next(8)
			if b[7]&1 == 0 { // mostly ordinary numbers
				return float64(int16(binary.LittleEndian.Uint16(b))) / 16
			}
			return math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
		for len(data) > 0 && len(c.Nodes) < 60 {
			i, b := len(c.Nodes), next(4)
			n := snapshot.Node{
				I: i, Parent: int(int8(b[0])), Tag: []string{"a", "form", "img"}[b[1]%3],
				Ref: int(b[1] % 32), Name: string(b), Visible: b[2]&1 == 0, InViewport: b[2]&2 == 0,
				Verdict: snapshot.VerdictRef, Box: snapshot.Box{num(), num(), num(), num()},
			}
			if b[2]&4 != 0 {
				n.Rects = []snapshot.Box{n.Box, {num(), num(), num(), num()}}
				n.TextRects = n.Rects
			}
			if b[2]&8 != 0 {
				n.Clip = &snapshot.Box{num(), num(), num(), num()}
			}
			if b[2]&16 != 0 {
				cover := int(int8(b[3]))
				n.Occlusion = &snapshot.Occlusion{State: []snapshot.OcclusionState{"partly", "covered", "clear"}[b[3]%3],
					ClickThrough: b[3]&2 == 0,
					VisibleShare: num(), Coverer: &cover, Points: [][3]float64{{num(), num(), num()}, {1, 2, float64(i)}}}
			}
			c.Nodes = append(c.Nodes, n)
		}
		size := image.Pt(int(w%800), int(h%600))
		for _, o := range []Options{{}, {View: ViewModel, Containers: true, Renumber: true},
			{Palette: PaletteRole, Key: true, Renumber: true}} {
			s := NewScene(c, size, o)
			img := image.NewRGBA(image.Rectangle{Max: size})
			s.Draw(img)
			s.Draw(image.NewRGBA(image.Rectangle{Max: s.Extent()}))
			for i := range s.marks {
				m := &s.marks[i]
				if !m.Label.Empty() && !m.Label.In(img.Rect) {
					t.Fatalf("label %v leaves the picture of %v", m.Label, size)
				}
				if i > 0 && m.Ref <= s.marks[i-1].Ref {
					t.Fatalf("ref %d after %d", m.Ref, s.marks[i-1].Ref)
				}
				n := &c.Nodes[m.pos]
				if m.Status == Drawn && !n.InViewport {
					t.Fatalf("ref %d is drawn and not in the viewport", m.Ref)
				}
			}
			checkTiling(t, c, s, o)
			if _, err := json.Marshal(s.Manifest("x")); err != nil {
				t.Fatal(err)
			}
			s.Legend()
			s.At(float64(size.X/2), math.NaN())
			s.At(float64(size.X/2), float64(size.Y/2))
			frame := image.NewRGBA(image.Rect(0, 0, 90, 70))
			for _, cam := range []Camera{{Scale: 0.3}, {Scale: 7, X: 20, Y: -4}, {}, {Scale: math.NaN()}, {Scale: 1e9, X: 1e18},
				{Scale: 1e-9}} {
				Compose(frame, NewPyramid(img), s, cam, Layers{true, true, true, true}, ground)
			}
		}
	})
}

func BenchmarkPlaceAndDraw(b *testing.B) {
	all := pages()
	for _, name := range []string{"form n=50", "icon grid n=200", "nested cards n=200", "table n=1000", "prose"} {
		p := all[name]
		img := p.picture(b, 1)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				NewScene(p.c, image.Pt(1280, 720), Options{}).Draw(img)
			}
		})
	}
}

// The cells of a long page stay small, so that a mark costs the same wherever it is; those of
// one that is large both ways grow, as there would be millions.
func TestCellsOfLargePictures(t *testing.T) {
	require.Equal(t, 64, cellOf(image.Pt(1280, 500_000), 64))
	require.Equal(t, 64, cellOf(image.Pt(500_000, 720), 64))
	for _, size := range []image.Point{{60_000, 60_000}, {20_480, 500_000}} {
		cell := cellOf(size, 64)
		require.LessOrEqual(t, (size.X/cell)*(size.Y/cell), mostCells, size)
	}
}

// BenchmarkGrowth shows what a mark costs on pages of more and more of them: the
// time for each stays the same.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{1000, 10_000, 50_000} {
		p := newPage(1280, float64(n)*10)
		for i := range n {
			x, y := 20+float64(i%3)*400, 20+float64(i/3)*29
			p.text(p.target(0, "a", "x", snapshot.Box{x, y, 210, lineH}), x, y, "A link in a long list", blue)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				NewScene(p.c, image.Pt(1280, n*10), Options{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/mark")
		})
	}
}

// BenchmarkPileUp is what a hostile page does: thousands of boxes on one spot.
func BenchmarkPileUp(b *testing.B) {
	p := newPage(1280, 720)
	for i := range 5000 {
		p.target(0, "a", "x", snapshot.Box{float64(i % 7), float64(i % 5), 1200, 700})
	}
	for b.Loop() {
		NewScene(p.c, image.Pt(1280, 720), Options{})
	}
}
