package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// palette maps a name to 0xRRGGBBAA, not premultiplied.
type palette map[fyne.ThemeColorName]uint32

// The four palettes. dark and light follow the target picture of the window; the
// high-contrast pair keeps the hues and takes grounds to black and white.
var (
	dark = palette{
		theme.ColorNameBackground:        0x15171bff,
		theme.ColorNameButton:            0x262b34ff,
		theme.ColorNameDisabledButton:    0x1f232aff,
		theme.ColorNameDisabled:          0x8b93a1ff,
		theme.ColorNameForeground:        0xd7dbe2ff,
		theme.ColorNameHeaderBackground:  0x1b1e24ff,
		theme.ColorNameHover:             0xffffff12,
		theme.ColorNamePressed:           0xffffff24,
		theme.ColorNameInputBackground:   0x101216ff,
		theme.ColorNameInputBorder:       0x66707fff,
		theme.ColorNameMenuBackground:    0x22262eff,
		theme.ColorNameOverlayBackground: 0x1e2229ff,
		theme.ColorNamePlaceHolder:       0x8b93a1ff,
		theme.ColorNameScrollBar:         0x8b93a166,
		theme.ColorNameSeparator:         0x2a2e36ff,
		theme.ColorNameShadow:            0x00000066,
		theme.ColorNameSelection:         0x2f5285ff,
		theme.ColorNameSuccess:           0x57b97cff,
		theme.ColorNameWarning:           0xe0a33bff,
		theme.ColorNameError:             0xe8726dff,

		ColorPane:   0x1b1e24ff,
		ColorStage:  0x17191eff,
		ColorLine:   0x2a2e36ff,
		ColorText:   0xd7dbe2ff,
		ColorMuted:  0x9ca4b2ff,
		ColorAccent: 0x4c9bffff,
		ColorGood:   0x57b97cff,
		ColorWarn:   0xe0a33bff,
		ColorBad:    0xe8726dff,

		ColorRef:     0xf0b866ff,
		ColorTag:     0x7fb2ffff,
		ColorString:  0x9bd08aff,
		ColorKey:     0x8fc7e8ff,
		ColorNumber:  0xd8a7f0ff,
		ColorPunct:   0x9aa3b2ff,
		ColorCut:     0xe0a33bff,
		ColorCovered: 0xf09ab6ff,
		ColorGutter:  0x7e8796ff,

		ColorRowSelected: 0x243a5aff,
		ColorRowHover:    0x232830ff,
		ColorRowRange:    0x2c4468ff,
		ColorRowGood:     0x1a2c24ff,
		ColorRowBad:      0x3a1f2bff,
		ColorRowWarn:     0x30291cff,

		ColorNoteGround:     0x22262eff,
		ColorNoteEdge:       0x353b47ff,
		ColorNoteText:       0xc6ccd6ff,
		ColorNoteGoodGround: 0x182a21ff,
		ColorNoteGoodEdge:   0x2b5a41ff,
		ColorNoteGoodText:   0xa9dfc0ff,
		ColorNoteWarnGround: 0x2e2717ff,
		ColorNoteWarnEdge:   0x5f4d20ff,
		ColorNoteWarnText:   0xf2cf86ff,
		ColorNoteBadGround:  0x2b1a22ff,
		ColorNoteBadEdge:    0x5a2a3dff,
		ColorNoteBadText:    0xf1b9cbff,

		ColorMark:      0x4c9bffff,
		ColorMarkGlow:  0x4c9bff30,
		ColorMarkPlate: 0x0b57d0ff,
		ColorMarkText:  0xffffffff,
		ColorMarkHalo:  0xffffffff,

		ColorThumb:       0x8b93a155,
		ColorThumbActive: 0xa9b1bfaa,
	}

	light = palette{
		theme.ColorNameBackground:        0xf3f4f6ff,
		theme.ColorNameButton:            0xe4e7ecff,
		theme.ColorNameDisabledButton:    0xeceef1ff,
		theme.ColorNameDisabled:          0x5f6672ff,
		theme.ColorNameForeground:        0x1d2129ff,
		theme.ColorNameHeaderBackground:  0xffffffff,
		theme.ColorNameHover:             0x0000000d,
		theme.ColorNamePressed:           0x0000001c,
		theme.ColorNameInputBackground:   0xe9edf2ff,
		theme.ColorNameInputBorder:       0x7f8896ff,
		theme.ColorNameMenuBackground:    0xffffffff,
		theme.ColorNameOverlayBackground: 0xffffffff,
		theme.ColorNamePlaceHolder:       0x5d6673ff,
		theme.ColorNameScrollBar:         0x5d667366,
		theme.ColorNameSeparator:         0xdfe3e9ff,
		theme.ColorNameShadow:            0x0000002a,
		theme.ColorNameSelection:         0xb9d4faff,
		theme.ColorNameSuccess:           0x1e7a45ff,
		theme.ColorNameWarning:           0x8a5a00ff,
		theme.ColorNameError:             0xb3261eff,

		ColorPane:   0xffffffff,
		ColorStage:  0xe9ebefff,
		ColorLine:   0xdfe3e9ff,
		ColorText:   0x1d2129ff,
		ColorMuted:  0x5a6370ff,
		ColorAccent: 0x0b62d6ff,
		ColorGood:   0x1e7a45ff,
		ColorWarn:   0x8a5a00ff,
		ColorBad:    0xb3261eff,

		ColorRef:     0x8f4e00ff,
		ColorTag:     0x0a52b8ff,
		ColorString:  0x2a6b1fff,
		ColorKey:     0x0b5c7aff,
		ColorNumber:  0x7a2ba3ff,
		ColorPunct:   0x59626fff,
		ColorCut:     0x875500ff,
		ColorCovered: 0x9c1f4dff,
		ColorGutter:  0x676f7cff,

		ColorRowSelected: 0xd6e6fdff,
		ColorRowHover:    0xf1f4f8ff,
		ColorRowRange:    0xc3dafbff,
		ColorRowGood:     0xe6f5ebff,
		ColorRowBad:      0xfde8eeff,
		ColorRowWarn:     0xfdf4e0ff,

		ColorNoteGround:     0xf5f7f9ff,
		ColorNoteEdge:       0xd5dbe3ff,
		ColorNoteText:       0x353c47ff,
		ColorNoteGoodGround: 0xe9f7eeff,
		ColorNoteGoodEdge:   0xa9d8bbff,
		ColorNoteGoodText:   0x14532dff,
		ColorNoteWarnGround: 0xfdf5e2ff,
		ColorNoteWarnEdge:   0xe6cf94ff,
		ColorNoteWarnText:   0x614000ff,
		ColorNoteBadGround:  0xfdedf1ff,
		ColorNoteBadEdge:    0xeeb5c5ff,
		ColorNoteBadText:    0x7e1738ff,

		ColorMark:      0x0b62d6ff,
		ColorMarkGlow:  0x0b62d630,
		ColorMarkPlate: 0x0b57d0ff,
		ColorMarkText:  0xffffffff,
		ColorMarkHalo:  0xffffffff,

		ColorThumb:       0x5d667355,
		ColorThumbActive: 0x3f4753aa,
	}

	darkContrast = dark.with(palette{
		theme.ColorNameBackground:        0x000000ff,
		theme.ColorNameButton:            0x1c1c1cff,
		theme.ColorNameForeground:        0xffffffff,
		theme.ColorNameHeaderBackground:  0x000000ff,
		theme.ColorNameInputBackground:   0x000000ff,
		theme.ColorNameInputBorder:       0xffffffff,
		theme.ColorNameMenuBackground:    0x000000ff,
		theme.ColorNameOverlayBackground: 0x000000ff,
		theme.ColorNamePlaceHolder:       0xd0d0d0ff,
		theme.ColorNameDisabled:          0xb0b0b0ff,
		theme.ColorNameSeparator:         0xa0a0a0ff,
		theme.ColorNameScrollBar:         0xffffffaa,
		theme.ColorNameShadow:            0xa0a0a066, // a dark one cannot be seen, and dividers of panes have it
		theme.ColorNameError:             0xff9d99ff,
		theme.ColorNameSuccess:           0x7fe3a4ff,
		theme.ColorNameWarning:           0xffd166ff,

		ColorPane: 0x000000ff, ColorStage: 0x000000ff, ColorLine: 0xa0a0a0ff,
		ColorText: 0xffffffff, ColorMuted: 0xd6d6d6ff, ColorAccent: 0x7cb8ffff,
		ColorGood: 0x7fe3a4ff, ColorWarn: 0xffd166ff, ColorBad: 0xff9d99ff,
		ColorRef: 0xffd27aff, ColorTag: 0xa8ccffff, ColorString: 0xb9efaaff, ColorKey: 0xb2e2ffff,
		ColorNumber: 0xe9c8ffff, ColorPunct: 0xdededeff, ColorCut: 0xffd166ff, ColorCovered: 0xffc0d3ff,
		ColorGutter:      0xb0b0b0ff,
		ColorRowSelected: 0x0b3a75ff, ColorRowHover: 0x2b2b2bff, ColorRowRange: 0x124a92ff,
		ColorRowGood: 0x0b3a22ff, ColorRowBad: 0x4d0f26ff, ColorRowWarn: 0x423200ff,
		ColorNoteGround: 0x000000ff, ColorNoteEdge: 0xffffffff, ColorNoteText: 0xffffffff,
		ColorNoteGoodGround: 0x000000ff, ColorNoteGoodEdge: 0x7fe3a4ff, ColorNoteGoodText: 0xffffffff,
		ColorNoteWarnGround: 0x000000ff, ColorNoteWarnEdge: 0xffd166ff, ColorNoteWarnText: 0xffffffff,
		ColorNoteBadGround: 0x000000ff, ColorNoteBadEdge: 0xff9d99ff, ColorNoteBadText: 0xffffffff,
		ColorMarkGlow: 0x7cb8ff50, ColorMarkPlate: 0x0546a8ff,
		ColorThumb: 0xffffffaa, ColorThumbActive: 0xffffffff,
	})

	lightContrast = light.with(palette{
		theme.ColorNameBackground:        0xffffffff,
		theme.ColorNameButton:            0xf0f0f0ff,
		theme.ColorNameForeground:        0x000000ff,
		theme.ColorNameInputBorder:       0x000000ff,
		theme.ColorNamePlaceHolder:       0x3c3c3cff,
		theme.ColorNameDisabled:          0x4c4c4cff,
		theme.ColorNameSeparator:         0x505050ff,
		theme.ColorNameScrollBar:         0x000000aa,
		theme.ColorNameError:             0x8c0f09ff,
		theme.ColorNameSuccess:           0x0c5229ff,
		theme.ColorNameWarning:           0x5e3d00ff,
		theme.ColorNameHeaderBackground:  0xffffffff,
		theme.ColorNameInputBackground:   0xffffffff,
		theme.ColorNameOverlayBackground: 0xffffffff,

		ColorPane: 0xffffffff, ColorStage: 0xffffffff, ColorLine: 0x505050ff,
		ColorText: 0x000000ff, ColorMuted: 0x333333ff, ColorAccent: 0x003f9eff,
		ColorGood: 0x0c5229ff, ColorWarn: 0x5e3d00ff, ColorBad: 0x8c0f09ff,
		ColorRef: 0x5c3000ff, ColorTag: 0x003a8cff, ColorString: 0x174d0eff, ColorKey: 0x00425cff,
		ColorNumber: 0x5a1080ff, ColorPunct: 0x2e2e2eff, ColorCut: 0x573800ff, ColorCovered: 0x76082fff,
		ColorGutter:      0x4c4c4cff,
		ColorRowSelected: 0xbcd8ffff, ColorRowHover: 0xe8e8e8ff, ColorRowRange: 0xa8ccffff,
		ColorRowGood: 0xcdf0d9ff, ColorRowBad: 0xffdbe5ff, ColorRowWarn: 0xffedc4ff,
		ColorNoteGround: 0xffffffff, ColorNoteEdge: 0x000000ff, ColorNoteText: 0x000000ff,
		ColorNoteGoodGround: 0xffffffff, ColorNoteGoodEdge: 0x0c5229ff, ColorNoteGoodText: 0x000000ff,
		ColorNoteWarnGround: 0xffffffff, ColorNoteWarnEdge: 0x5e3d00ff, ColorNoteWarnText: 0x000000ff,
		ColorNoteBadGround: 0xffffffff, ColorNoteBadEdge: 0x8c0f09ff, ColorNoteBadText: 0x000000ff,
		ColorMarkPlate: 0x0546a8ff, ColorThumb: 0x000000aa, ColorThumbActive: 0x000000ff,
	})
)

// with is a copy of p in which the names of o have o's colours.
func (p palette) with(o palette) palette {
	out := make(palette, len(p))
	for n, c := range p {
		out[n] = c
	}
	for n, c := range o {
		out[n] = c
	}
	return out
}

// color is the colour of a name in the palette. Names that follow the accent are
// derived, so that there is one accent in each palette.
func (p palette) color(name fyne.ThemeColorName) (color.Color, bool) {
	switch name {
	case theme.ColorNamePrimary, theme.ColorNameHyperlink:
		name = ColorAccent
	case theme.ColorNameFocus:
		c := nrgba(p[ColorAccent])
		c.A = 0x66 // a text on it is still read
		return c, true
	case theme.ColorNameForegroundOnPrimary, theme.ColorNameForegroundOnError,
		theme.ColorNameForegroundOnSuccess, theme.ColorNameForegroundOnWarning:
		// The tones are light on dark grounds and dark on light ones.
		if luma(nrgba(p[ColorAccent])) > 110 {
			return color.NRGBA{0x06, 0x12, 0x1f, 0xff}, true
		}
		return color.NRGBA{0xff, 0xff, 0xff, 0xff}, true
	}
	v, ok := p[name]
	return nrgba(v), ok
}

func nrgba(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8), uint8(v)}
}

// luma is how bright a colour looks, 0 to 255.
func luma(c color.NRGBA) int { return (299*int(c.R) + 587*int(c.G) + 114*int(c.B)) / 1000 }
