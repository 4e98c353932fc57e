package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Mode is a way to look. It is a word so that it can be kept in preferences.
type Mode string

const (
	// System follows the desktop's light or dark setting.
	System Mode = "system"
	// Dark and Light are fixed.
	Dark  Mode = "dark"
	Light Mode = "light"
	// Contrast is high contrast on the desktop's light or dark setting.
	Contrast Mode = "contrast"
)

// Title is the mode's name for a menu.
func (m Mode) Title() string {
	switch m {
	case Dark:
		return "Dark"
	case Light:
		return "Light"
	case Contrast:
		return "High contrast"
	}
	return "Follow the desktop"
}

// New is the theme for a mode; an unknown mode is [System].
func New(m Mode) fyne.Theme { return Scaled(m, 1) }

// Scaled is the theme for a mode with every size of Fyne's names multiplied by scale, so
// that text and all that is sized by it grow together.
func Scaled(m Mode, scale float32) fyne.Theme {
	return look{Theme: theme.DefaultTheme(), mode: m, scale: scale}
}

// look is Fyne's default theme with our colours and sizes. Icons and fonts are
// Fyne's.
type look struct {
	fyne.Theme
	mode  Mode
	scale float32
}

func (l look) palette(v fyne.ThemeVariant) palette {
	switch {
	case l.mode == Contrast && v == theme.VariantLight:
		return lightContrast
	case l.mode == Contrast:
		return darkContrast
	case l.mode == Dark:
		return dark
	case l.mode == Light:
		return light
	case v == theme.VariantLight:
		return light
	}
	return dark
}

// Color is the colour of a name, Fyne's or ours.
func (l look) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if c, ok := l.palette(v).color(name); ok {
		return c
	}
	switch l.mode {
	case Dark:
		v = theme.VariantDark
	case Light:
		v = theme.VariantLight
	}
	return l.Theme.Color(name, v)
}

// Size is a size in Fyne's units: compact, so that a window shows much and stays
// calm.
func (l look) Size(name fyne.ThemeSizeName) float32 {
	return l.size(name) * l.scale
}

func (l look) size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameText:
		return 13
	case theme.SizeNameCaptionText:
		return 11
	case theme.SizeNameSubHeadingText:
		return 15
	case theme.SizeNameHeadingText:
		return 19
	case theme.SizeNamePadding:
		return 4
	case theme.SizeNameInnerPadding:
		return 6
	case theme.SizeNameLineSpacing:
		return 3
	case theme.SizeNameInlineIcon:
		return 17
	case theme.SizeNameScrollBar:
		return 10
	case theme.SizeNameScrollBarSmall:
		return 4
	case theme.SizeNameScrollBarRadius:
		return 3
	case theme.SizeNameInputRadius:
		return 6
	case theme.SizeNameSelectionRadius:
		return 4
	}
	return l.Theme.Size(name)
}

// RGBA is a colour of th for the app's variant, premultiplied as images want it.
// Under a theme that is not ours, names of ours come from our own palette.
func RGBA(th fyne.Theme, name fyne.ThemeColorName) color.RGBA {
	v := theme.VariantDark
	if app := fyne.CurrentApp(); app != nil {
		v = app.Settings().ThemeVariant()
	}
	if _, ours := th.(look); !ours {
		if _, named := dark[name]; named {
			th = New(System)
		}
	}
	return color.RGBAModel.Convert(th.Color(name, v)).(color.RGBA)
}
