package parts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Field lays an entry out with what is in it at its right end. What has no room there
// is lost, the last first. Where the entry can LeaveFree room at its end, its text ends before those
// things.
type Field struct{}

// FitHint cuts what an entry asks for to the room that it has in so many Fyne units: Fyne would let it be scrolled.
func FitHint(e *widget.Entry, hint string, width float32) {
	th := e.Theme()
	pad, size := th.Size(theme.SizeNameInnerPadding), th.Size(theme.SizeNameText)
	room := width - 4*pad
	if e.ActionItem != nil {
		room -= e.ActionItem.MinSize().Width
	}
	measure := func(s string) float32 { return fyne.MeasureText(s, size, e.TextStyle).Width }
	if cut := Cut(hint, room, measure); cut != e.PlaceHolder {
		e.SetPlaceHolder(cut)
	}
}

// fieldText is the room that the entry keeps for its text, in Fyne units.
const fieldText = 110

// MinSize implements fyne.Layout.
func (Field) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// Layout implements fyne.Layout. Each thing at the end is in a container of its own,
// whose visibility is the layout's.
func (Field) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	room := size.Width - fieldText
	for _, o := range objects[1:] {
		inner := o.(*fyne.Container).Objects[0]
		w := o.MinSize().Width
		Show(o, inner.Visible() && w <= room)
		if o.Visible() {
			room -= w
		}
	}
	x := size.Width - 4
	for i := len(objects) - 1; i > 0; i-- {
		if o := objects[i]; o.Visible() {
			m := o.MinSize()
			x -= m.Width
			o.Resize(fyne.NewSize(m.Width, size.Height))
			o.Move(fyne.NewPos(x, 0))
		}
	}
	if e, ok := objects[0].(interface{ LeaveFree(width float32) }); ok {
		e.LeaveFree(size.Width - x)
	}
	objects[0].Resize(fyne.NewSize(size.Width, size.Height))
	objects[0].Move(fyne.NewPos(0, 0))
}
