package parts

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/theme"
)

// KeyCaps draws a shortcut such as "Ctrl+Shift+P" as the caps of its keys, in the colours of
// the theme at hand. "" draws nothing.
func KeyCaps(key string) *fyne.Container {
	th := fyne.CurrentApp().Settings().Theme()
	row := container.New(Row{Gap: 3, Firm: true})
	for _, k := range keysOf(key) {
		word := canvas.NewText(k, theme.RGBA(th, theme.ColorText))
		word.TextSize, word.Alignment = th.Size(fynetheme.SizeNameText)-2, fyne.TextAlignCenter
		edge := canvas.NewRectangle(theme.RGBA(th, fynetheme.ColorNameInputBackground))
		edge.StrokeColor, edge.StrokeWidth, edge.CornerRadius = theme.RGBA(th, theme.ColorMuted), 1, 3
		row.Add(container.New(capLayout{}, edge, word))
	}
	return row
}

// keysOf are the keys of a shortcut; the plus sign is a key too.
func keysOf(key string) []string {
	if key == "" {
		return nil
	}
	if rest, ok := strings.CutSuffix(key, "+"); ok { // "+" and "Ctrl++"
		return append(keysOf(strings.TrimSuffix(rest, "+")), "+")
	}
	return strings.Split(key, "+")
}

// capLayout puts a word into the middle of its cap, which is at least as wide as it is high.
type capLayout struct{}

func (capLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	m := objects[1].MinSize()
	return fyne.NewSize(max(m.Width+8, m.Height+2), m.Height+2)
}

func (capLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}
