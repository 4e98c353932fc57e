package overlay

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/goldentest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestPalettes: digits are readable on every colour, every role has one of its
// group's, and a palette is a style of its own.
func TestPalettes(t *testing.T) {
	styles := map[string]bool{}
	for _, style := range []Style{StyleFirst, StyleClear} {
		for _, p := range []Palette{PaletteBlack, PaletteRole, PaletteTints} {
			name := (&Options{Style: style, Palette: p}).style()
			require.False(t, styles[name], "%s is the style of two palettes", name)
			styles[name] = true
		}
	}
	for _, p := range []Palette{PaletteRole} {
		seen := map[color.RGBA]string{}
		for _, c := range p.colors() {
			require.GreaterOrEqual(t, contrast(c.color, digitColor), 4.5, c.word)
			require.Empty(t, seen[c.color], "%s has the colour of another group", c.word)
			require.NotEmpty(t, c.word)
			seen[c.color] = c.word
		}
	}
	require.GreaterOrEqual(t, contrast(PaletteBlack.color(groupLink), digitColor), 7.0)
	tests := map[string]string{
		"link": "link", "button": "button", "textbox": "field", "combobox": "field", "checkbox": "choice", "option": "choice",
		"tab": "menu or tab", "heading": "heading", "img": "image", "": "other", "made-up": "other",
	}
	for role, word := range tests {
		c := PaletteRole.colors()[group(role)]
		require.Equal(t, word, c.word, role)
		require.Equal(t, c.color, PaletteRole.color(group(role)))
		require.Equal(t, color.RGBA{A: 255}, PaletteBlack.color(group(role)))
	}
}

// TestRolePalette: the picture and the manifest have the colours, and nothing else
// changes: labels stay where they are.
func TestRolePalette(t *testing.T) {
	p := shopPage()
	img := p.picture(t, 1)
	s := NewScene(p.c, img.Rect.Size(), Options{Palette: PaletteRole, Key: true})
	out := image.NewRGBA(image.Rectangle{Max: s.Extent()})
	draw.Draw(out, img.Rect, img, image.Point{}, draw.Src)
	s.Draw(out)
	goldentest.Picture(t, "shop-role", out)
	m := s.Manifest("x.png")
	require.Equal(t, "refscope-2-role", m.Style)
	black := NewScene(p.c, img.Rect.Size(), Options{}).Manifest("x.png")
	for i := range m.Marks {
		require.Equal(t, m.Marks[i].Number > 0, m.Marks[i].Color != "")
		require.Empty(t, black.Marks[i].Color)
		m.Marks[i].Color = ""
		require.Equal(t, black.Marks[i], m.Marks[i])
	}
	require.GreaterOrEqual(t, m.Quality.MinContrast, 12.0)
	require.GreaterOrEqual(t, m.Quality.OutlineContrast, 4.5)
}

// TestTints: the colours have one contrast, neighbours differ on real pages, and a mark keeps
// its colour where only a later one comes.
func TestTints(t *testing.T) {
	seen := map[color.RGBA]bool{}
	for _, c := range PaletteTints.colors() {
		require.InDelta(t, 7.1, contrast(c.color, digitColor), 0.05)
		require.False(t, seen[c.color])
		seen[c.color] = true
	}
	pairs, same := 0, 0
	for name, c := range testpages.Captures(t) {
		size := image.Pt(int(c.Viewport.Width), int(c.Viewport.Height))
		o := Options{View: ViewModel, All: true, Palette: PaletteTints}
		s := NewScene(c, size, o)
		for i := range s.marks {
			for k := range i {
				a, b := &s.marks[i], &s.marks[k]
				if !a.shown(ViewModel) || !b.shown(ViewModel) || !neighbours(a, b) {
					continue
				}
				pairs++
				if a.group == b.group {
					same++
				}
			}
		}
		last := 0
		for i := range s.marks {
			if s.marks[i].shown(ViewModel) {
				last = s.marks[i].Ref
			}
		}
		o.Scope = func(n *snapshot.Node) bool { return n.Ref != last }
		less := NewScene(c, size, o)
		for i := range s.marks {
			if m := &s.marks[i]; m.Ref != last {
				require.Equal(t, m.group, less.marks[i].group, "%s: ref %d", name, m.Ref)
			}
		}
	}
	t.Logf("%d pairs of neighbours, %d of one colour", pairs, same)
	require.NotZero(t, pairs)
	require.LessOrEqual(t, 100*same, pairs, "neighbours of one colour")

	p := shopPage()
	img := p.picture(t, 1)
	s := NewScene(p.c, img.Rect.Size(), Options{View: ViewModel, All: true, Style: StyleClear, Palette: PaletteTints})
	s.Draw(img)
	goldentest.Picture(t, "shop-tints", img)
	require.Equal(t, "refscope-2-tints", s.Manifest("x.png").Style)
}

func neighbours(a, b *Mark) bool {
	for _, r := range a.Rects {
		for _, q := range b.Rects {
			if touches(r.Inset(-tintReach), q) {
				return true
			}
		}
	}
	return false
}
