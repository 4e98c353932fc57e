package overlay

import (
	"image"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/overlay/goldentest"
	"github.com/refscope/refscope/snapshot"
)

// TestKey: the strip is below the picture, as wide as it, and only where asked and
// where there is something to explain; the picture above it is the same.
func TestKey(t *testing.T) {
	p := shopPage()
	img := p.picture(t, 1)
	size := img.Rect.Size()
	s := NewScene(p.c, size, Options{Key: true})
	require.Equal(t, size, s.Size())
	require.Equal(t, size.X, s.Extent().X)
	require.Greater(t, s.Extent().Y, size.Y)
	names := []string{}
	for _, sign := range s.Signs() {
		names = append(names, sign.Name)
	}
	require.Equal(t, []string{"covered", "cut", "dashed", "named"}, names)

	with := image.NewRGBA(image.Rectangle{Max: s.Extent()})
	draw.Draw(with, img.Rect, img, image.Point{}, draw.Src)
	s.Draw(with)
	plain := image.NewRGBA(img.Rect)
	copy(plain.Pix, img.Pix)
	NewScene(p.c, size, Options{}).Draw(plain)
	require.Equal(t, plain.Pix, with.Pix[:len(plain.Pix)])
	// Whoever gives a picture without room for the strip gets the picture.
	s.Draw(img)
	require.Equal(t, plain.Pix, img.Pix)

	narrow := NewScene(p.c, image.Pt(90, 68), Options{Key: true})
	require.Greater(t, narrow.Extent().Y-68, s.Extent().Y-size.Y, "more rows on a narrow picture")
	require.Equal(t, size, NewScene(p.c, size, Options{Key: true, View: ViewModel}).Extent(), "a model gets no strip")
	require.Equal(t, size, NewScene(p.c, size, Options{}).Extent())
	clear := NewScene(formPage().c, image.Pt(1280, 720), Options{Key: true})
	require.Empty(t, clear.Signs())
	require.Equal(t, image.Pt(1280, 720), clear.Extent())
}

// TestGlass: what hides an element and lets clicks through is shaded along the edge where the
// two meet, off the words there, in a pattern that is not that of what is covered.
func TestGlass(t *testing.T) {
	p := glassPage()
	img := p.picture(t, 1)
	s := NewScene(p.c, img.Rect.Size(), Options{Key: true})
	m := s.ByRef(1)
	require.True(t, m.Glass)
	require.Equal(t, Drawn, m.Status)
	require.Empty(t, s.Hatch())
	over := image.Rect(150, 60, 370, 180)
	for _, r := range s.shaded[shadeGlass] {
		require.True(t, r.In(over))
		require.False(t, r.Overlaps(s.ByRef(5).Rects[0].Inset(bandPx)), "what lies over it is to be seen")
		for _, w := range s.textRects() {
			require.False(t, r.Overlaps(w), "the words at %v stay readable", w)
		}
	}
	for ref := 1; ref <= 6; ref++ {
		meet := s.ByRef(ref).Rects[0].Intersect(over)
		sum := 0
		for _, r := range s.shaded[shadeGlass] {
			sum += geometry.Common(r, meet)
		}
		require.Equal(t, !meet.Empty(), sum > 0, "ref %d has a sign where it is behind glass", ref)
	}
	require.Contains(t, s.Legend(), `1 button "Choose 0" (behind glass by div)`)
	require.Equal(t, []string{"top"}, s.ByRef(7).Cut)
	require.Nil(t, s.ByRef(8).Cut)
	require.Equal(t, []string{"bottom"}, s.ByRef(9).Cut)
	require.Equal(t, []string{"right", "bottom"}, s.ByRef(10).Cut)
	link := newPage(300, 100) // no larger than its letters
	box := snapshot.Box{40, 42, float64(5 * charW), lineH - 4}
	a := link.target(0, "a", "Heron", box)
	link.text(a, 40, 40, "Heron", blue)
	at := a.I
	veil := link.node(0, "div", snapshot.Box{0, 0, 300, 100}).I
	link.c.Nodes[at].Occlusion.ClickThrough, link.c.Nodes[at].Occlusion.Coverer = true, &veil
	veiled := NewScene(link.c, image.Pt(300, 100), Options{})
	whole := veiled.marks[0].Rects[0]
	require.Equal(t, geometry.Area(whole)-geometry.Area(whole.Inset(rimPx)), areas(veiled.shaded[shadeGlass]), "a rim alone")

	q := newPage(300, 100)
	n := q.target(0, "a", "Wrapped", snapshot.Box{20, 80, 270, 36})
	n.Rects = []snapshot.Box{{200, 80, 90, 16}, {20, 100, 60, 16}}
	wrapped := NewScene(q.c, image.Pt(300, 100), Options{}).ByRef(1)
	require.Equal(t, []string{"bottom"}, wrapped.Cut, "its second line is below, not to the left")
	require.Len(t, wrapped.Rects, 1)
	n.Rects, n.Box = nil, snapshot.Box{20, 83, 100, 18.5}
	require.Nil(t, NewScene(q.c, image.Pt(300, 100), Options{}).ByRef(1).Cut, "1.5 px are no cut")
	out := image.NewRGBA(image.Rectangle{Max: s.Extent()})
	draw.Draw(out, img.Rect, img, image.Point{}, draw.Src)
	s.Draw(out)
	goldentest.Picture(t, "glass", out)
	require.Empty(t, NewScene(p.c, img.Rect.Size(), Options{View: ViewModel}).shaded[shadeGlass],
		"a model sees the page as it is")
}
