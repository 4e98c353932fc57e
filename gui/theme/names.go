package theme

import "fyne.io/fyne/v2"

// Colour names beyond Fyne's own. Ask for them with [RGBA].
const (
	// ColorPane is the ground of panes; the window's own ground is darker.
	ColorPane fyne.ThemeColorName = "refscope.pane"
	// ColorStage is the calm ground around the picture.
	ColorStage fyne.ThemeColorName = "refscope.stage"
	// ColorLine is a hairline between panes.
	ColorLine fyne.ThemeColorName = "refscope.line"
	// ColorText and ColorMuted are text and text that steps back.
	ColorText  fyne.ThemeColorName = "refscope.text"
	ColorMuted fyne.ThemeColorName = "refscope.muted"
	// ColorAccent is the one accent: selection, focus, the main button.
	ColorAccent fyne.ThemeColorName = "refscope.accent"

	// ColorGood, ColorWarn and ColorBad are text and icons of the three tones.
	ColorGood fyne.ThemeColorName = "refscope.good"
	ColorWarn fyne.ThemeColorName = "refscope.warn"
	ColorBad  fyne.ThemeColorName = "refscope.bad"

	// ColorRef is a ref number such as [12].
	ColorRef fyne.ThemeColorName = "refscope.syntax.ref"
	// ColorTag is a tag or role, ColorString a value in quotes, ColorKey a JSON
	// key, ColorNumber a number or true, false, null in JSON.
	ColorTag    fyne.ThemeColorName = "refscope.syntax.tag"
	ColorString fyne.ThemeColorName = "refscope.syntax.string"
	ColorKey    fyne.ThemeColorName = "refscope.syntax.key"
	ColorNumber fyne.ThemeColorName = "refscope.syntax.number"
	// ColorPunct is markup around the words: brackets, attribute names.
	ColorPunct fyne.ThemeColorName = "refscope.syntax.punct"
	// ColorCut is a place where something was left out or redacted.
	ColorCut fyne.ThemeColorName = "refscope.syntax.cut"
	// ColorCovered is a remark about cover, such as "(covered by [30])".
	ColorCovered fyne.ThemeColorName = "refscope.syntax.covered"
	// ColorGutter is a line number.
	ColorGutter fyne.ThemeColorName = "refscope.gutter"

	// The grounds of whole lines in a dump.
	ColorRowSelected fyne.ThemeColorName = "refscope.row.selected"
	ColorRowHover    fyne.ThemeColorName = "refscope.row.hover"
	ColorRowRange    fyne.ThemeColorName = "refscope.row.range"
	ColorRowGood     fyne.ThemeColorName = "refscope.row.good"
	ColorRowBad      fyne.ThemeColorName = "refscope.row.bad"
	ColorRowWarn     fyne.ThemeColorName = "refscope.row.warn"

	// Note boxes: ground, edge and text of each tone.
	ColorNoteGround     fyne.ThemeColorName = "refscope.note.ground"
	ColorNoteEdge       fyne.ThemeColorName = "refscope.note.edge"
	ColorNoteText       fyne.ThemeColorName = "refscope.note.text"
	ColorNoteGoodGround fyne.ThemeColorName = "refscope.note.good.ground"
	ColorNoteGoodEdge   fyne.ThemeColorName = "refscope.note.good.edge"
	ColorNoteGoodText   fyne.ThemeColorName = "refscope.note.good.text"
	ColorNoteWarnGround fyne.ThemeColorName = "refscope.note.warn.ground"
	ColorNoteWarnEdge   fyne.ThemeColorName = "refscope.note.warn.edge"
	ColorNoteWarnText   fyne.ThemeColorName = "refscope.note.warn.text"
	ColorNoteBadGround  fyne.ThemeColorName = "refscope.note.bad.ground"
	ColorNoteBadEdge    fyne.ThemeColorName = "refscope.note.bad.edge"
	ColorNoteBadText    fyne.ThemeColorName = "refscope.note.bad.text"

	// The selected mark on the picture: its box, the soft glow around it, its
	// plate and the digits on that. ColorMarkHalo separates it from any page.
	ColorMark      fyne.ThemeColorName = "refscope.mark"
	ColorMarkGlow  fyne.ThemeColorName = "refscope.mark.glow"
	ColorMarkPlate fyne.ThemeColorName = "refscope.mark.plate"
	ColorMarkText  fyne.ThemeColorName = "refscope.mark.text"
	ColorMarkHalo  fyne.ThemeColorName = "refscope.mark.halo"

	// ColorThumb and ColorThumbActive are the thumb of a scroll bar.
	ColorThumb       fyne.ThemeColorName = "refscope.thumb"
	ColorThumbActive fyne.ThemeColorName = "refscope.thumb.active"
)
