package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/steps"
)

// showActs lists what can be done in the page with the element at a point of the picture
// in image px.
func (s *Shell) showActs(x, y float64) {
	st := s.store.State()
	ref := steps.MarkAt(st, x, y)
	deeds := steps.Deeds(st, ref)
	if len(deeds) == 0 {
		return
	}
	head := fyne.NewMenuItem(details.Label(st, ref), nil)
	head.Disabled = true
	menu := fyne.NewMenu("", head, fyne.NewMenuItemSeparator())
	pressed := false
	for _, d := range deeds {
		if d.Deed == steps.ActPress && !pressed {
			pressed = true
			menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
		}
		menu.Items = append(menu.Items, fyne.NewMenuItem(d.Title, func() { s.store.Dispatch(steps.Acted{Ref: ref, Deed: d.Deed, Key: d.Key}) }))
	}
	menu.Items = append(menu.Items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("What is under the pointer", func() { s.store.Dispatch(picture.PickerAsked{X: x, Y: y}) }))
	shot, canvas := s.panes.shot, s.win.Canvas()
	cam, scale := shot.Camera(), float64(canvas.Scale())
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(shot).AddXY(float32((x-cam.X)*cam.Scale/scale), float32((y-cam.Y)*cam.Scale/scale))
	widget.ShowPopUpMenuAtPosition(menu, canvas, at)
}

// under lists what can be done at a point where clicks go to the page, else what is there.
func (s *Shell) under(x, y float64) {
	if st := s.store.State(); steps.Of(st).Act.On && len(steps.Deeds(st, steps.MarkAt(st, x, y))) > 0 {
		s.showActs(x, y)
		return
	}
	s.store.Dispatch(picture.PickerAsked{X: x, Y: y})
}
