package overlay

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// TestHides counts letters by hand: a label is put on the text of its own element, on another's, and on none.
func TestHides(t *testing.T) {
	p := newPage(300, 120)
	a := p.target(0, "a", "Own", snapshot.Box{60, 40, 90, 20})
	p.text(a, 64, 42, "I I I", ink)
	other := p.node(0, "p", snapshot.Box{60, 80, 90, 20})
	p.text(other, 64, 82, "I I I", ink)
	img := p.picture(t, 1)
	s := NewScene(p.c, img.Rect.Size(), Options{})
	require.Equal(t, &Hidden{}, s.Hides(img), "a label beside its box hides nothing")
	m := &s.marks[s.placed[0]]
	m.Label = image.Rect(64, 42, 64+3*charW, 42+lineH)
	require.Equal(t, &Hidden{Own: 2}, s.Hides(img))
	m.Label = image.Rect(64, 82, 64+3*charW, 82+lineH)
	require.Equal(t, &Hidden{Others: 2}, s.Hides(img))
	require.Nil(t, s.Hides(image.NewRGBA(image.Rect(0, 0, 9, 9))), "a picture of another size")
}

// TestGaps: a full stop right behind a link stays readable, and the rest of that side of its box is drawn.
func TestGaps(t *testing.T) {
	p := newPage(300, 100)
	a := p.target(0, "a", "Privacy Notice", snapshot.Box{40, 40, 14 * charW, lineH})
	p.text(a, 40, 40, "Privacy Notice", blue)
	p.text(p.node(0, "p", snapshot.Box{40 + 14*charW, 40, charW, lineH}), 40+14*charW-2, 40, ".", ink)
	clean := p.picture(t, 1)
	s := NewScene(p.c, clean.Rect.Size(), Options{View: ViewModel})
	require.Zero(t, *s.Hides(clean))
	marked := image.NewRGBA(clean.Rect)
	copy(marked.Pix, clean.Pix)
	s.Draw(marked)
	side := s.ByRef(1).strokes[0].Max.X
	drawn, open := 0, 0
	for y := 40; y < 56; y++ {
		if marked.RGBAAt(side, y) == black {
			drawn++
		} else {
			open++
		}
	}
	require.NotZero(t, open, "the side gives way to the full stop")
	require.NotZero(t, drawn, "and only to it")
	s.options.Style = StyleFirst
	require.NotZero(t, s.Hides(clean).Outlined, "where lines do not give way they hide it")
}
