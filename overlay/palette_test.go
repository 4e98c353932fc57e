package overlay

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/goldentest"
)

// TestPalettes: digits are readable on every colour, every role has one of its
// group's, and a palette is a style of its own.
func TestPalettes(t *testing.T) {
	styles := map[string]bool{(&Options{Palette: PaletteBlack}).style(): true}
	for _, p := range []Palette{PaletteRole} {
		name := (&Options{Palette: p}).style()
		require.False(t, styles[name], "%s is the style of two palettes", name)
		styles[name] = true
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
	require.Equal(t, "refscope-1-role", m.Style)
	black := NewScene(p.c, img.Rect.Size(), Options{}).Manifest("x.png")
	for i := range m.Marks {
		require.Equal(t, m.Marks[i].Number > 0, m.Marks[i].Color != "")
		require.Empty(t, black.Marks[i].Color)
		m.Marks[i].Color = ""
		require.Equal(t, black.Marks[i], m.Marks[i])
	}
	require.GreaterOrEqual(t, m.Quality.MinContrast, 4.5)
}
