package overlay

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
)

// TestNumberInTheMargin: a link amid text without room for a number has it at the end of a line between two lines of
// text, and no letter is hidden.
func TestNumberInTheMargin(t *testing.T) {
	for _, scale := range []float64{1, 2} {
		p := newPage(700, 300)
		var link snapshot.Box
		for row := range 10 {
			y := 20 + float64(row)*18
			para := p.node(0, "p", snapshot.Box{100, y, 490, lineH}).I
			for col := range 7 {
				b := snapshot.Box{100 + float64(col)*70, y, 69, lineH}
				if row == 5 && col == 3 {
					link = b
					p.text(p.target(para, "a", "integers", b), b.X(), b.Y(), "integersxx", blue)
					continue
				}
				p.text(&p.c.Nodes[para], b.X(), b.Y(), "arithmetic", ink)
			}
		}
		img := p.picture(t, scale)
		s := NewScene(p.c, img.Rect.Size(), Options{View: ViewModel})
		m := s.ByRef(1)
		require.False(t, m.LeftOut, "at %g", scale)
		require.True(t, m.Leader, "at %g", scale)
		at := s.scale.rect(link)
		require.Greater(t, geometry.Distance(m.Label, at), s.px(leaderMax), "at %g: beside the text", scale)
		from, to := leaderLine(m.Label, m.strokes[m.anchor])
		require.Equal(t, from.Y, to.Y, "at %g: along the line of text", scale)
		require.Equal(t, &Hidden{}, s.Hides(img), "at %g", scale)
	}
}

// TestNumberAtAnotherLine: a link of two lines whose first has no room for a number has it at the second.
func TestNumberAtAnotherLine(t *testing.T) {
	p := newPage(300, 120)
	a := p.target(0, "a", "wrapped", snapshot.Box{0, 20, 300, 36})
	a.Rects = []snapshot.Box{{230, 20, 70, lineH}, {0, 38, 70, lineH}}
	a.TextRects = a.Rects
	for _, b := range []snapshot.Box{{0, 2, 300, lineH}, {0, 20, 228, lineH}, {110, 38, 190, lineH}, {0, 56, 300, lineH}} {
		n := p.node(0, "p", b)
		n.TextRects = []snapshot.Box{b}
	}
	s := NewScene(p.c, image.Pt(300, 120), Options{View: ViewModel})
	m := s.ByRef(1)
	require.False(t, m.LeftOut)
	require.LessOrEqual(t, geometry.Distance(m.Label, m.strokes[1]), outerPx)
	require.Zero(t, s.hidingLetters())
}

// TestBullets: no number stands on the bullet of a list, and one where a list has no room for bullets may.
func TestBullets(t *testing.T) {
	for _, indent := range []float64{40, 0} {
		p := newPage(400, 200)
		list := p.node(0, "ul", snapshot.Box{60, 20, 300, 100}).I
		for row := range 4 {
			li := p.node(list, "li", snapshot.Box{60 + indent, 20 + float64(row)*18, 300 - indent, lineH}).I
			b := p.c.Nodes[li].Box
			p.text(p.target(li, "a", "item", snapshot.Box{b.X(), b.Y(), 28, lineH}), b.X(), b.Y(), "item", blue)
			p.text(&p.c.Nodes[li], b.X()+30, b.Y(), "of a list", ink)
		}
		s := NewScene(p.c, image.Pt(400, 200), Options{View: ViewModel})
		bullets := s.bullets()
		require.Len(t, bullets, map[bool]int{true: 4}[indent > 0])
		for _, m := range s.Marks() {
			for _, b := range bullets {
				require.False(t, m.Label.Overlaps(b.rect), "%d at %v", m.Ref, m.Label)
			}
		}
	}
}

// TestWordsOfUnloadedPictures: the words that a browser paints for a picture that it could not load are letters, as far as
// they go in its box; a picture that loaded has none.
func TestWordsOfUnloadedPictures(t *testing.T) {
	for _, tt := range []struct {
		alt    string
		box    snapshot.Box
		broken bool
		lines  int
	}{
		{"a photograph of the harbour", snapshot.Box{20, 38, 205, 18}, true, 1},
		{"a photograph of the harbour, taken from the hill behind the town", snapshot.Box{20, 38, 250, 36}, true, 2},
		{"このページの先頭です", snapshot.Box{20, 38, 176, 20}, true, 1},
		{"Shop", snapshot.Box{20, 38, 200, 18}, true, 1},
		{"Shop", snapshot.Box{20, 38, 200, 18}, false, 0},
		{"Shop", snapshot.Box{20, 38, 300, 200}, true, 1},
		{"a photograph of the harbour", snapshot.Box{20, 38, 205, 18}, false, 0},
		{"", snapshot.Box{20, 38, 16, 16}, true, 0},
	} {
		p := newPage(400, 300)
		p.text(p.target(0, "a", "a link", snapshot.Box{20, 20, 42, lineH}), 20, 20, "a link", blue)
		img := p.node(0, "img", tt.box)
		img.Attrs, img.Broken = map[string]string{"alt": tt.alt}, tt.broken
		above := p.node(0, "p", snapshot.Box{0, 2, 400, lineH})
		above.TextRects = []snapshot.Box{above.Box}
		after := p.node(0, "p", snapshot.Box{64, 20, 336, lineH})
		after.TextRects = []snapshot.Box{after.Box}
		s := NewScene(p.c, image.Pt(400, 300), Options{View: ViewModel})
		words := s.unloaded()
		require.Len(t, words, tt.lines, tt.alt)
		if tt.lines > 0 {
			require.Subset(t, s.textLines(), words, tt.alt)
		}
		for _, w := range words {
			require.False(t, s.ByRef(1).Label.Overlaps(w.rect), "%s: %v", tt.alt, s.ByRef(1).Label)
		}
	}
}

// TestNumberOnAnArrow: a select without room around it has its number on its arrow, and one with room does not.
func TestNumberOnAnArrow(t *testing.T) {
	for _, room := range []bool{true, false} {
		p := newPage(300, 100)
		p.target(0, "select", "Month", snapshot.Box{8, 40, 44, 20}).Value = "01"
		blocks := []snapshot.Box{{0, 22, 300, 18}, {53, 40, 247, 20}, {0, 60, 300, 18}}
		if room {
			blocks = blocks[:1]
		}
		for _, b := range blocks {
			n := p.node(0, "p", b)
			n.TextRects = []snapshot.Box{b}
		}
		s := NewScene(p.c, image.Pt(300, 100), Options{View: ViewModel})
		m := s.ByRef(1)
		require.False(t, m.LeftOut)
		require.Equal(t, !room, m.Label.In(image.Rect(52-selectArrow, 40, 52, 60)), "room %v: %v", room, m.Label)
		require.Zero(t, s.hidingLetters())
	}
}

// TestMakeRoom: a number that can stand elsewhere gives its place to one that cannot, and one that was there on the
// picture before does not.
func TestMakeRoom(t *testing.T) {
	for _, kept := range []bool{false, true} {
		p := newPage(300, 100)
		for _, b := range []snapshot.Box{{0, 20, 300, 20}, {0, 40, 58, 16}, {191, 40, 109, 16}, {0, 56, 300, 20}} {
			n := p.node(0, "p", b)
			n.TextRects = []snapshot.Box{b}
		}
		for _, b := range []snapshot.Box{{100, 40, 28, lineH}, {148, 40, 42, lineH}} {
			p.target(0, "a", "link", b).TextRects = []snapshot.Box{b}
		}
		s := NewScene(p.c, image.Pt(300, 100), Options{View: ViewModel})
		w := &placement{s: s, picture: image.Rectangle{Max: s.size}, last: true}
		w.gather()
		w.labels, w.kept = newOccupancy(s.size, 64, len(w.items)), make([]bool, len(w.items))
		first, second := int(w.itemOf[0]), int(w.itemOf[1])
		c, ok := w.inSlot(first, rightMiddle, s.regular)
		require.True(t, ok)
		w.set(first, c)
		_, ok = w.nearPlace(second)
		require.False(t, ok, "there is one place alone")
		w.kept[first] = kept
		require.Equal(t, !kept, w.makeRoom(second))
		require.Equal(t, kept, w.items[first].place == c)
		require.Equal(t, kept, w.items[second].place.rect.Empty())
	}
}
