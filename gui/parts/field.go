package parts

import "fyne.io/fyne/v2"

// Field lays an entry out with what is in it at its right end. What has no room there
// is lost, the last first.
type Field struct{}

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
	objects[0].Resize(fyne.NewSize(size.Width, size.Height))
	objects[0].Move(fyne.NewPos(0, 0))
}
