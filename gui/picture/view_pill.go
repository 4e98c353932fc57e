package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// maxPill is how many runes a pill shows: one line, far below the width of a
// texture.
const maxPill = 90

// pill is a short sentence on a rounded ground, over the picture.
type pill struct {
	ground *canvas.Rectangle
	// words are the same as long as the pill: what a layout makes has Fyne lay out and paint again, without end.
	words *canvas.Text
}

func newPill() *pill {
	return &pill{canvas.NewRectangle(nil), canvas.NewText("", nil)}
}

// place shows a label where at puts a pill of its size.
func (p *pill) place(th fyne.Theme, label string, warn bool, at func(fyne.Size) fyne.Position) []fyne.CanvasObject {
	tone := core.ToneNormal
	if warn {
		tone = core.ToneWarn
	}
	ground, edge, ink := parts.NoteColors(tone)
	words := p.words
	words.Text, words.Color = text.Cut(text.Line(label), maxPill), look.RGBA(th, ink)
	words.TextSize = th.Size(theme.SizeNameText) - 1
	p.ground.FillColor, p.ground.StrokeColor, p.ground.StrokeWidth = look.RGBA(th, ground), look.RGBA(th, edge), 1
	inner := words.MinSize()
	size := fyne.NewSize(inner.Width+22, inner.Height+10)
	p.ground.CornerRadius = size.Height / 2
	pos := at(size)
	p.ground.Move(pos)
	p.ground.Resize(size)
	words.Move(pos.AddXY(11, 5))
	words.Resize(inner)
	return []fyne.CanvasObject{p.ground, words}
}
