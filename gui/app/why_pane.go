package app

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/dump"
)

// newShot makes the picture with the list of what lies at a point of it above.
func (p *panes) newShot(s *Shell, key func(*fyne.KeyEvent)) fyne.CanvasObject {
	send := s.store.Dispatch
	pick := func(ref int) { send(core.Picked{Ref: ref, Source: core.PanePicture}) }
	var last picture.Pointer
	p.shot = picture.New(picture.Callbacks{
		Pick:    func(x, y float64, below bool) { send(picture.PlacePicked{X: x, Y: y, Below: below}) },
		Select:  pick,
		Goto:    pick,
		Clear:   func() { send(core.Picked{}) },
		Escape:  func() { send(core.Escaped{}) },
		Under:   s.under,
		Wheel:   func(dy float64) { send(steps.PageScrolled{DY: dy}) },
		Arrange: func(scene *overlay.Scene, cam overlay.Camera) { send(picture.ArrangeAsked{Scene: scene, Camera: cam}) },
		Point: func(x, y float64, in bool) {
			now := picture.Pointer{Over: in}
			if in {
				now.X, now.Y = math.Floor(x), math.Floor(y)
			}
			if now != last { // a pointer moves by less than a pixel, too
				last = now
				send(picture.Pointed{Pointer: now})
			}
		},
		Split: func(share float64) { send(picture.PicturesMoved{To: share}) },
		Held:  s.keys.held,
		Zoom:  func(z float64) { send(picture.Zoomed{Scale: z}) },
		Key:   key,
		Rune:  s.keys.typedRune,
	})
	p.picker = picture.NewPicker(picture.PickerCallbacks{
		Move:   func(at int) { send(picture.PickerMoved{At: at}) },
		Choose: func() { send(picture.PickerChosen{}) },
		Close:  func() { send(picture.PickerClosed{}) },
	})
	p.cover = picture.NewCoverStrip(func() { send(picture.CoverShown{}) }, func() { send(picture.CoverClosed{}) })
	return container.NewStack(p.shot, p.cover.Box, container.NewWithoutLayout(p.picker))
}

// whyDeed does what belongs to the window and is about single elements.
func (s *Shell) whyDeed(e core.Effect) bool {
	switch e := e.(type) {
	case picture.ShowUnder:
		s.panes.shot.Under()
	case picture.AskMark:
		s.panes.shot.AskNumber()
	case picture.StepPane:
		s.stepPane(e.By)
	case find.Focus:
		s.focusFind()
	case picture.ListKinds:
		s.showKinds()
	default:
		return false
	}
	return true
}

// showKinds drops the list of kinds of boxes down.
func (s *Shell) showKinds() {
	menu := fyne.NewMenu("")
	st := s.store.State()
	for _, r := range picture.KindRows(st) {
		item := fyne.NewMenuItem(r.Title, func() { s.store.Dispatch(picture.KindToggled{Kind: r.Kind}) })
		item.Checked = r.On
		menu.Items = append(menu.Items, item)
	}
	menu.Items = append(menu.Items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Show all boxes", func() { s.store.Dispatch(picture.KindsShown{}) }))
	s.dropDown(menu, s.panes.kinds)
}

// digit brings a digit that is typed in a pane without use for it to the picture, where
// it begins the number of a mark. It reports whether it did.
func (s *Shell) digit(r rune) bool {
	if r < '1' || r > '9' || s.panes.shot.Focused() || s.store.State().Dialog != core.DialogNone {
		return false
	}
	s.win.Canvas().Focus(s.panes.shot)
	s.panes.shot.TypedRune(r)
	return true
}

// stepPane moves the keyboard to the next pane, or to one before: address, turns,
// picture, drawer, the bar that finds, text, details. Those that are not in view are left out.
func (s *Shell) stepPane(by int) {
	p, hidden := s.panes, s.store.State().Hidden
	now := s.win.Canvas().Focused()
	var stops []fyne.Focusable
	at := -1
	add := func(f fyne.Focusable, here bool) {
		if f == nil {
			return
		}
		if here {
			at = len(stops)
		}
		stops = append(stops, f)
	}
	add(p.bar.address, now == fyne.Focusable(p.bar.address))
	if !hidden.Turns {
		add(p.turns.Focus(), now == p.turns.Focus())
	}
	add(p.shot, p.shot.Focused())
	if f := p.drawers.focusable(); f != nil {
		add(f, now == f)
	}
	if p.find.bar.Visible() {
		add(p.find.bar.Entry(), now == p.find.bar.Entry())
	}
	if f := p.sides.focusable(); f != nil {
		add(f, now == f)
	}
	if !hidden.Details && p.sides.detailed() {
		add(p.details.Focus(), p.details.Focused())
	}
	if at < 0 && by < 0 {
		at = 0
	}
	n := len(stops)
	s.win.Canvas().Focus(stops[((at+by)%n+n)%n])
}

// focusable is what takes the keyboard in the drawer that is out, nil where nothing does.
func (d *drawers) focusable() fyne.Focusable {
	if p, ok := d.panes[d.out].(interface{ focus() fyne.Focusable }); ok {
		return p.focus()
	}
	return nil
}

// focusable is what takes the keyboard on the side in view, nil where nothing does. A
// pane says so by a method focus.
func (d *sides) focusable() fyne.Focusable {
	switch p := d.panes[d.vm.Side].(type) {
	case interface{ focus() fyne.Focusable }:
		return p.focus()
	case *textPane:
		return p.View
	case *payloadPane:
		return p.body
	}
	return nil
}

// detailed reports whether the details are in view below the side.
func (d *sides) detailed() bool { return !d.whole }

// picked is the choice of a line of a text: its element, or, where the text is of
// something else than the shown turn, the number.
func picked(l dump.Line) core.Msg {
	if l.Node < 0 {
		return core.Picked{Ref: l.Ref, Source: core.PaneDump}
	}
	return core.NodePicked{Node: l.Node, Source: core.PaneDump}
}
