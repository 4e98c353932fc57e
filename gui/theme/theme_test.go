package theme

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/require"
)

// pairs are the texts and the grounds that they stand on.
var pairs = []struct {
	text    fyne.ThemeColorName
	grounds []fyne.ThemeColorName
	least   float64 // contrast ratio of WCAG 2.1; 4.5 is AA for text, 3 for what is not text
}{
	{ColorText, []fyne.ThemeColorName{ColorPane, ColorStage, theme.ColorNameBackground, ColorRowSelected, ColorRowHover,
		ColorRowRange, ColorRowGood, ColorRowBad, ColorRowWarn}, 4.5},
	{ColorMuted, []fyne.ThemeColorName{ColorPane, ColorStage, theme.ColorNameBackground, theme.ColorNameButton,
		ColorRowSelected, ColorRowHover}, 4.5},
	{ColorRef, []fyne.ThemeColorName{ColorPane, ColorRowSelected, ColorRowHover, ColorRowGood, ColorRowBad,
		ColorRowWarn}, 4.5},
	{ColorTag, []fyne.ThemeColorName{ColorPane, ColorRowSelected, ColorRowHover, ColorRowGood, ColorRowBad,
		ColorRowWarn}, 4.5},
	{ColorString, []fyne.ThemeColorName{ColorPane, ColorRowSelected, ColorRowHover, ColorRowGood, ColorRowBad,
		ColorRowWarn}, 4.5},
	{ColorKey, []fyne.ThemeColorName{ColorPane, ColorRowSelected, ColorRowHover, ColorRowGood, ColorRowBad,
		ColorRowWarn}, 4.5},
	{ColorNumber, []fyne.ThemeColorName{ColorPane, ColorRowSelected, ColorRowHover, ColorRowGood, ColorRowBad,
		ColorRowWarn}, 4.5},
	{ColorPunct, []fyne.ThemeColorName{ColorPane, ColorRowSelected, ColorRowHover, ColorRowGood, ColorRowBad,
		ColorRowWarn}, 4.5},
	{ColorCut, []fyne.ThemeColorName{ColorPane, ColorRowSelected, ColorRowHover, ColorRowGood, ColorRowBad,
		ColorRowWarn}, 4.5},
	{ColorCovered, []fyne.ThemeColorName{ColorPane, ColorRowSelected, ColorRowHover, ColorRowGood, ColorRowBad,
		ColorRowWarn}, 4.5},
	{ColorGutter, []fyne.ThemeColorName{ColorPane}, 4.5},
	{ColorGood, []fyne.ThemeColorName{ColorPane, theme.ColorNameBackground}, 4.5},
	{ColorWarn, []fyne.ThemeColorName{ColorPane, theme.ColorNameBackground}, 4.5},
	{ColorBad, []fyne.ThemeColorName{ColorPane, theme.ColorNameBackground}, 4.5},
	{ColorNoteText, []fyne.ThemeColorName{ColorNoteGround}, 4.5},
	{ColorNoteGoodText, []fyne.ThemeColorName{ColorNoteGoodGround}, 4.5},
	{ColorNoteWarnText, []fyne.ThemeColorName{ColorNoteWarnGround}, 4.5},
	{ColorNoteBadText, []fyne.ThemeColorName{ColorNoteBadGround}, 4.5},
	{ColorMarkText, []fyne.ThemeColorName{ColorMarkPlate}, 4.5},
	{theme.ColorNameForeground, []fyne.ThemeColorName{theme.ColorNameBackground, theme.ColorNameButton,
		theme.ColorNameInputBackground, theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground,
		theme.ColorNameSelection}, 4.5},
	{theme.ColorNameDisabled, []fyne.ThemeColorName{theme.ColorNameBackground, theme.ColorNameButton,
		theme.ColorNameOverlayBackground,
		theme.ColorNameMenuBackground, theme.ColorNameDisabledButton, theme.ColorNameInputBackground, ColorPane,
		ColorStage}, 4.5},
	{theme.ColorNamePlaceHolder, []fyne.ThemeColorName{theme.ColorNameInputBackground, theme.ColorNameBackground}, 4.5},
	{theme.ColorNameInputBorder, []fyne.ThemeColorName{ColorPane, theme.ColorNameBackground,
		theme.ColorNameOverlayBackground, theme.ColorNameInputBackground}, 3}, // WCAG 1.4.11: an empty check box is its edge
	{theme.ColorNameForegroundOnPrimary, []fyne.ThemeColorName{theme.ColorNamePrimary}, 4.5},
	{theme.ColorNameForegroundOnError, []fyne.ThemeColorName{theme.ColorNameError}, 4.5},
	{theme.ColorNameForegroundOnWarning, []fyne.ThemeColorName{theme.ColorNameWarning}, 4.5},
	{theme.ColorNameForegroundOnSuccess, []fyne.ThemeColorName{theme.ColorNameSuccess}, 4.5},
}

func TestContrast(t *testing.T) {
	for _, mode := range []Mode{System, Dark, Light, Contrast} {
		for name, variant := range map[string]fyne.ThemeVariant{"dark": theme.VariantDark,
			"light": theme.VariantLight} {
			t.Run(fmt.Sprintf("%s on a %s desktop", mode, name), func(t *testing.T) {
				th := New(mode)
				for _, p := range pairs {
					least := p.least
					if mode == Contrast {
						least = math.Min(7, least*1.5) // AAA for text
					}
					for _, g := range p.grounds {
						got := ratio(th.Color(p.text, variant), th.Color(g, variant))
						require.GreaterOrEqual(t, math.Round(got*100)/100, least, "%s on %s", p.text, g)
					}
				}
				least := 4.5
				if mode == Contrast {
					least = 7
				}
				for _, g := range []fyne.ThemeColorName{theme.ColorNameButton, theme.ColorNameInputBackground,
					theme.ColorNameOverlayBackground} { // of what has the keyboard
					ground := over(th.Color(theme.ColorNameFocus, variant), th.Color(g, variant))
					got := ratio(th.Color(theme.ColorNameForeground, variant), ground)
					require.GreaterOrEqual(t, got, least, "text on %s with the keyboard", g)
				}
			})
		}
	}
}

// over is a colour that lets one below it through.
func over(c, below color.Color) color.Color {
	r, g, b, a := c.RGBA() // times its alpha
	x, y, z, _ := below.RGBA()
	mix := func(top, under uint32) uint16 { return uint16(top + under*(0xffff-a)/0xffff) }
	return color.RGBA64{mix(r, x), mix(g, y), mix(b, z), 0xffff}
}

func TestPalettesNameTheSame(t *testing.T) {
	for name, p := range map[string]palette{"light": light, "dark contrast": darkContrast,
		"light contrast": lightContrast} {
		for n := range dark {
			require.Contains(t, p, n, name)
		}
		require.Len(t, p, len(dark), name)
	}
}

func TestFixedModesIgnoreTheDesktop(t *testing.T) {
	for _, mode := range []Mode{Dark, Light} {
		th := New(mode)
		for n := range dark {
			require.Equal(t, th.Color(n, theme.VariantDark), th.Color(n, theme.VariantLight), n)
		}
	}
	require.NotEqual(t, New(System).Color(ColorPane, theme.VariantDark),
		New(System).Color(ColorPane, theme.VariantLight))
	require.Equal(t, New(System).Color(ColorPane, theme.VariantDark), New("no such mode").Color(ColorPane,
		theme.VariantDark))
}

func TestRGBAUnderAForeignTheme(t *testing.T) {
	test.NewTempApp(t)
	require.NotZero(t, RGBA(theme.DefaultTheme(), ColorRowSelected).A,
		"a foreign theme does not know the name, the palette does")
	got := RGBA(New(Dark), ColorMarkGlow)
	require.LessOrEqual(t, got.B, got.A, "premultiplied")
}

func TestSizesAreKnown(t *testing.T) {
	th := New(Dark)
	require.Equal(t, float32(13), th.Size(theme.SizeNameText))
	require.Equal(t, theme.DefaultTheme().Size(theme.SizeNameSeparatorThickness),
		th.Size(theme.SizeNameSeparatorThickness))
	require.NotNil(t, th.Font(fyne.TextStyle{Monospace: true}))
	for _, m := range []Mode{System, Dark, Light, Contrast} {
		require.NotEmpty(t, m.Title())
	}
}

// ratio is the contrast ratio of WCAG 2.1, 1 to 21.
func ratio(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	if la < lb {
		la, lb = lb, la
	}
	return (la + 0.05) / (lb + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	lin := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}
