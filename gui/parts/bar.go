package parts

import "fyne.io/fyne/v2"

// Bar lays out the objects on the left, a field that takes the room there is, then chips
// at the right edge, each in a container of its own. Where there is not enough room the
// field keeps Least Fyne units and chips are lost, those in front first: what they do is in
// the menus too.
type Bar struct{ Least float32 }

// barGap is the room between two things of a bar.
const barGap = 4

// MinSize implements fyne.Layout.
func (b Bar) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var h float32
	for _, o := range objects {
		h = max(h, o.MinSize().Height)
	}
	return fyne.NewSize(objects[0].MinSize().Width+barGap+b.Least, h)
}

// Layout implements fyne.Layout. Each chip is in a container of its own, whose
// visibility is the layout's; that of the chip is the bar's.
func (b Bar) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left, field, chips := objects[0], objects[1], objects[2:]
	w := left.MinSize().Width
	left.Resize(fyne.NewSize(w, size.Height))
	left.Move(fyne.NewPos(0, 0))
	room := size.Width - w - barGap - b.Least
	x := size.Width
	lost := false
	for i := len(chips) - 1; i >= 0; i-- {
		if !chips[i].(*fyne.Container).Objects[0].Visible() {
			chips[i].Hide()
			continue
		}
		m := chips[i].MinSize()
		lost = lost || m.Width+barGap > room
		Show(chips[i], !lost)
		if lost {
			continue
		}
		room -= m.Width + barGap
		x -= m.Width
		chips[i].Resize(m)
		chips[i].Move(fyne.NewPos(x, (size.Height-m.Height)/2))
		x -= barGap
	}
	field.Move(fyne.NewPos(w+barGap, 0))
	field.Resize(fyne.NewSize(max(0, x-w-barGap), size.Height))
}
