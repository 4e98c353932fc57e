package picture

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Pane is the picture under a row of switches, with the list of what lies at a point of it,
// the row that compares two pictures, and the key of its signs.
type Pane struct {
	w *parts.Window

	switches ToolsVM
	pairs    PicturesVM
	work     ProgressVM
	vm       VM

	shot    *View
	picker  *PickerList
	cover   *CoverStrip
	compare *picturesRow
	key     *legend

	boxes, labels, covers, costs, before, act, live, kinds, untold, leftOut *parts.Chip

	whose    *parts.DropDown
	choice   *fyne.Container // of whose
	facts    *parts.Facts
	progress *progress
	tools    *fyne.Container
	chips    *fyne.Container // switches and zoom
	places   *fyne.Container // where the picture can be moved to
	zooms    *parts.DropDown // the zoom, with the places in a row that has no room for them
	zoomed   *fyne.Container // of zooms
	box      *fyne.Container
}

// toolsLayout lays out the row over the picture: switches and zoom, on in a further line where there is no room, then
// the hint, and at its end the places, where nothing else needs the room; they drop down from the zoom too.
type toolsLayout struct {
	p    *Pane
	flow parts.Flow
	wide float32 // of the lines
}

// toolsMargin is what lies at both sides of the row, in Fyne units.
const toolsMargin = 10

// fit gives the row its width ahead of the layout. The progress of work takes the zoom's place where there is one line,
// and where either has no room in it there are two all the time, so that nothing moves when work begins and ends.
func (l *toolsLayout) fit(width float32) {
	l.flow.Fit(width)
	l.flow.MinSize(l.p.chips.Objects[:len(l.p.chips.Objects)-1])
	end := l.flow.End()
	tail := max(l.p.zoomed.MinSize().Width, l.p.progress.box.MinSize().Width)
	wraps := end.Y > 0 || end.X+tail > width
	if l.wide = width; wraps && end.Y == 0 {
		l.wide = end.X - 1 // also where the zoom alone would have room
		l.flow.Fit(l.wide)
	}
	parts.Show(l.p.zoomed, l.p.switches.Zoom != "" && (l.p.work.Task == 0 || wraps))
}

// MinSize implements fyne.Layout.
func (l *toolsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	chips := l.flow.MinSize(l.p.chips.Objects)
	return fyne.NewSize(chips.Width, max(chips.Height, objects[1].MinSize().Height))
}

// Layout implements fyne.Layout.
func (l *toolsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.fit(size.Width)
	objects[0].Resize(size)
	l.flow.Layout(l.p.chips.Objects, fyne.NewSize(l.wide, size.Height))
	at, end := l.flow.End(), size.Width
	w, high := l.p.places.MinSize().Width, size.Height-at.Y
	fits := l.p.zoomed.Visible() && l.p.work.Task == 0 && l.p.switches.Hint == "" && at.X+w <= end
	if parts.Show(l.p.places, fits); fits {
		end -= w
		l.p.places.Move(fyne.NewPos(end, at.Y))
		l.p.places.Resize(fyne.NewSize(w, high))
	}
	objects[1].Move(at)
	objects[1].Resize(fyne.NewSize(max(0, end-at.X), high))
}

// NewPane makes an empty one.
func NewPane(w *parts.Window) *Pane {
	p := &Pane{w: w, facts: parts.NewFacts(true, 14), compare: newPicturesRow(w), key: newLegend(),
		progress: newProgress(w)}
	layer := func(id string) *parts.Chip { return w.Chip(parts.Toggle, w.Title(id), id) }
	p.boxes, p.labels, p.covers = layer(cmdBoxes), layer(CmdLabels), layer(CmdOcclusion)
	p.costs = w.Chip(parts.Toggle, "Token map", CmdCosts)
	p.before, p.act = w.Chip(parts.Toggle, "Before", CmdBefore), w.Chip(parts.Toggle, "Act", steps.CmdAct)
	p.untold = w.Chip(parts.Toggle, "", cmdUntold)
	p.untold.Hide()
	p.leftOut = w.Chip(parts.Toggle, "", cmdLeftOut)
	p.leftOut.Hide()
	p.live, p.kinds = w.Chip(parts.Toggle, "", live.CmdLive), w.Chip(parts.Toggle, "Kinds ▾", cmdKinds)
	p.newShot()
	p.picker = newPicker(PickerCallbacks{
		Move:   func(at int) { w.Send(PickerMoved{At: at}) },
		Choose: func() { w.Send(PickerChosen{}) },
		Close:  func() { w.Send(PickerClosed{}) },
	})
	p.cover = newCoverStrip(func() { w.Send(coverShown()) }, func() { w.Send(coverClosed()) })
	p.whose = parts.NewDropDown(w.Send)
	p.choice = container.New(parts.Slim{}, p.whose)
	p.choice.Hide()
	p.places = container.NewHBox(w.Chip(parts.Tab, "Fit width", cmdFit), w.Chip(parts.Tab, "100 %", cmdActual),
		w.Chip(parts.Tab, "Go to mark", cmdGoto))
	p.places.Hide()
	p.zooms = parts.NewDropDown(w.Send)
	p.zoomed = container.New(parts.Slim{}, p.zooms)
	p.zoomed.Hide()
	p.chips = container.NewWithoutLayout(p.choice, p.boxes, p.kinds, p.labels, p.covers, p.untold, p.leftOut, p.costs,
		p.before, p.act, p.live, p.zoomed)
	tools := &toolsLayout{p: p, flow: parts.Flow{Gap: 4}}
	p.tools = container.New(tools, p.chips, container.NewStack(p.facts, p.progress.box), p.places)
	head := container.NewVBox(parts.Padded(5, 5, toolsMargin, toolsMargin, p.tools), parts.NewHairline(), p.compare.box)
	p.box = container.New(parts.Fitting{Of: layout.NewBorderLayout(head, p.key, nil, nil),
		Fit: func(width float32) { tools.fit(width - 2*toolsMargin) }}, head, p.key, container.NewStack(p.shot,
		p.cover.Box, container.NewWithoutLayout(p.picker)))
	return p
}

// newShot makes the picture itself.
func (p *Pane) newShot() {
	w := p.w
	pick := func(ref int) { w.Send(core.Picked{Ref: ref, Source: core.PanePicture}) }
	var last Pointer
	p.shot = newView(Callbacks{
		Pick:    func(x, y float64, below bool) { w.Send(PlacePicked(x, y, below)) },
		Select:  pick,
		Goto:    pick,
		Clear:   func() { w.Send(core.Picked{}) },
		Escape:  func() { w.Send(core.Escaped{}) },
		Under:   p.under,
		Wheel:   func(dy float64) { w.Send(steps.PageScrolled(dy)) },
		Arrange: func(scene *overlay.Scene, cam overlay.Camera) { w.Send(ArrangeAsked{Scene: scene, Camera: cam}) },
		Point: func(x, y float64, in bool) {
			now := Pointer{Over: in}
			if in {
				now.X, now.Y = math.Floor(x), math.Floor(y)
			}
			if now != last { // a pointer moves by less than a pixel, too
				last = now
				w.Send(Pointed{Pointer: now})
			}
		},
		Split:    func(share float64) { w.Send(picturesMoved(share)) },
		Zoom:     func(z float64) { w.Send(Zoomed(z)) },
		Withheld: func(n int) { w.Send(numbersWithheld(n)) },
		Keys:     w.Keys,
	})
}

// Object returns the object to lay out, Focus the one that gets the keyboard, and Shot the picture in it.
func (p *Pane) Object() fyne.CanvasObject { return p.box }
func (p *Pane) Focus() fyne.Focusable     { return p.shot }

// Shot is the picture in it.
func (p *Pane) Shot() *View { return p.shot }

// Recolour gives the theme's colours to what Fyne does not colour.
func (p *Pane) Recolour(th fyne.Theme) { p.cover.Recolour(th) }

// Show shows the state.
func (p *Pane) Show(s core.State) {
	if vm := Tools(s); vm != p.switches {
		p.showTools(vm)
	}
	if vm := PicturesRow(s); vm != p.pairs {
		p.pairs = vm
		if p.compare.set(vm) {
			p.box.Refresh()
		}
	}
	if vm := Progress(s); vm != p.work {
		p.work = vm
		p.progress.set(vm)
		parts.Show(p.facts, vm.Task == 0)
		p.showRow()
	}
	if vm := ViewOf(s); vm != p.vm {
		p.vm = vm
		p.shot.Set(vm)
		p.cover.Set(vm.Cover)
	}
	p.picker.Set(PickerView(s), p.shot)
}

func (p *Pane) showTools(vm ToolsVM) {
	p.switches = vm
	// The token map lies in the place of the marks.
	p.boxes.Turn(vm.Boxes && !vm.Replaced, !vm.Replaced)
	p.labels.Turn(vm.Labels && !vm.Replaced, !vm.Replaced)
	p.covers.Turn(vm.Occlusion && !vm.Replaced, !vm.Replaced)
	p.costs.Turn(vm.Costs, vm.Zoom != "")
	p.before.Turn(vm.Before, vm.CanBefore)
	p.act.Turn(vm.Act, vm.CanAct)
	p.live.Set(vm.Live.Text, vm.Live.On, vm.Live.CanToggle)
	for _, c := range []struct {
		chip  *parts.Chip
		title string
		n     int
		on    bool
	}{{p.untold, "Not told", vm.NotTold, vm.Untold}, {p.leftOut, "Left out", vm.LeftOut, vm.LeftOutOn}} {
		c.chip.Set(c.title+" "+text.Thousands(c.n), c.on && !vm.Replaced, !vm.Replaced)
		parts.Show(c.chip, c.n > 0)
	}
	p.kinds.Turn(vm.Filtered && !vm.Replaced, vm.Zoom != "" && !vm.Replaced)
	var whose []parts.Choice
	for _, one := range []Whose{WhoseAgent, WhoseOurs, WhoseBoth} {
		whose = append(whose, parts.Choice{Title: one.String(), On: one == vm.Whose, Msg: whoseChosen{one}})
	}
	p.whose.Set(vm.Whose.String(), false, whose)
	parts.Show(p.choice, vm.CanWhose)
	p.key.set(vm.Key, overlay.Layers{Boxes: vm.Boxes, Labels: vm.Labels, Occlusion: vm.Occlusion}, vm.Withheld)
	var zooms []parts.Choice
	for _, id := range []string{cmdFit, cmdWhole, cmdActual, cmdGoto} {
		zooms = append(zooms, parts.Choice{Title: p.w.Title(id), Gap: id == cmdGoto, Msg: core.CommandChosen{ID: id}})
	}
	p.zooms.Set(vm.Zoom, false, zooms)
	p.facts.Set([]core.StatusItem{{Text: vm.Hint, Tone: vm.Tone()}})
	p.showRow()
}

// showRow lays the row over the picture out again, and what is below it where the row has another height then.
func (p *Pane) showRow() {
	p.tools.Refresh()
	if p.tools.MinSize().Height != p.tools.Size().Height {
		p.box.Refresh()
	}
}

// Do does what belongs to the picture.
func (p *Pane) Do(e core.Effect) bool {
	switch e := e.(type) {
	case ZoomTo:
		p.zoom(e.Zoom)
	case showPlace:
		p.shot.LookAt(snapshot.Box{float64(e.X), float64(e.Y), float64(e.W), float64(e.H)})
	case showUnder:
		p.shot.Under()
	case askMark:
		p.shot.askNumber()
	case listKinds:
		p.listKinds()
	case notes.DropVerdicts:
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.shot)
		if m := notes.VerdictMenu(p.w); len(m.Items) > 0 {
			widget.ShowPopUpMenuAtPosition(m, p.w.Canvas, at.AddXY(8, 8))
		}
	default:
		return false
	}
	return true
}

// zoom moves the camera.
func (p *Pane) zoom(z Zoom) {
	switch z {
	case ZoomFit:
		p.shot.Fit()
	case ZoomWhole:
		p.shot.fitWhole()
	case ZoomActual:
		p.shot.Actual()
	case ZoomIn:
		p.shot.ZoomIn()
	case ZoomOut:
		p.shot.zoomOut()
	case ZoomSelection:
		p.shot.zoomSelection()
	}
}

// listKinds drops the list of kinds of boxes down.
func (p *Pane) listKinds() {
	menu := fyne.NewMenu("")
	for _, r := range KindRows(p.w.State()) {
		menu.Items = append(menu.Items, p.w.MenuItem(r.Title, r.On, KindToggled(r.Kind)))
	}
	menu.Items = append(menu.Items, fyne.NewMenuItemSeparator(), p.w.MenuItem("Show all boxes", false, KindsShown()))
	p.w.DropDown(menu, p.kinds)
}

// under lists what can be done at a point in image px where clicks go to the page, else what
// is there.
func (p *Pane) under(x, y float64) {
	s := p.w.State()
	if ref := steps.MarkAt(s, x, y); steps.Of(s).Act.On && len(steps.Deeds(s, ref)) > 0 {
		p.listActs(s, ref, x, y)
		return
	}
	p.w.Send(PickerAsked(x, y))
}

// listActs lists what can be done in the page with the element at a point of the picture.
func (p *Pane) listActs(s core.State, ref int, x, y float64) {
	head := fyne.NewMenuItem(details.Label(s, ref), nil)
	head.Disabled = true
	menu := fyne.NewMenu("", head, fyne.NewMenuItemSeparator())
	pressed := false
	for _, d := range steps.Deeds(s, ref) {
		if d.Deed == steps.ActPress && !pressed {
			pressed = true
			menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
		}
		menu.Items = append(menu.Items,
			fyne.NewMenuItem(d.Title, func() { p.w.Send(steps.Acted{Ref: ref, Deed: d.Deed, Key: d.Key}) }))
	}
	menu.Items = append(menu.Items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Elements under the pointer",
		func() { p.w.Send(PickerAsked(x, y)) }))
	cam, scale := p.shot.Camera(), float64(p.w.Canvas.Scale())
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.shot)
	widget.ShowPopUpMenuAtPosition(menu, p.w.Canvas, at.AddXY(float32((x-cam.X)*cam.Scale/scale),
		float32((y-cam.Y)*cam.Scale/scale)))
}
