package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/dumpview"
	"github.com/refscope/refscope/gui/shotview"
	"github.com/refscope/refscope/gui/state"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/dump"
)

// views are the view-models as they were last shown.
type views struct {
	bar     state.BarVM
	strip   state.StripVM
	turns   state.TurnsVM
	tools   state.ToolsVM
	work    state.ProgressVM
	shot    state.ShotVM
	formats state.FormatsVM
	dump    state.DumpVM
	changes state.DumpVM
	payload state.PayloadVM
	about   about
}

// about is what the details depend on; they are worked out anew only where it
// changed, for the pointer moves far more often.
type about struct {
	turn   *state.Turn
	chosen state.Selection
	format dump.Format
	docs   int
	phase  state.Phase
	before *state.Turn
	back   bool
}

// panes are the parts of the window.
type panes struct {
	bar     *topBar
	strip   *strip
	turns   *turnList
	boxes   *chip
	labels  *chip
	covers  *chip
	before  *chip
	key     *legend
	tools   *facts
	work    *progress
	shot    *shotview.View
	formats map[dump.Format]*chip
	changes *chip // its tab
	sent    *chip // the payload's tab
	dump    *dumpview.View
	diff    *dumpview.View
	reading fyne.CanvasObject // texts over details
	payload *payloadPane
	tabs    *fyne.Container
	details *details.View
	left    *facts
	right   *facts
	status  *fyne.Container
	fills   []*fill
	root    *fyne.Container
	split   *container.Split
}

// newPanes lays the window out: the bar with the address, the strip, then turns,
// picture, and text over details, and the status at the bottom.
func newPanes(s *Shell) *panes {
	p := &panes{left: newFacts(false, 18), right: newFacts(true, 18), tools: newFacts(true, 14), formats: map[dump.Format]*chip{}}
	key := func(e *fyne.KeyEvent) { s.keys.typedKey(e, s.escape) }
	p.right.firm = true
	p.bar = newTopBar(s.store.Dispatch, s.run, key, s.escape, s.showExport)
	p.strip = newStrip(s.store.Dispatch, s.run)
	p.turns = newTurnList(s.store.Dispatch)

	top := container.NewVBox(p.ground(theme.ColorPane, p.bar.box), p.line(), p.strip.box)
	p.status = container.NewBorder(nil, nil, nil, p.right, p.left)
	status := container.NewVBox(p.line(), p.ground(theme.ColorPane, padded(3, 5, 12, 12, p.status)))
	turns := container.NewBorder(nil, nil, nil, p.line(), p.ground(theme.ColorPane, p.turns.box))

	p.split = container.NewHSplit(p.picture(s, key), p.text(s, key))
	p.split.Offset = 0.62
	p.root = container.NewStack(p.ground(theme.ColorPane, container.NewBorder(top, status, turns, nil, p.split)))
	p.recolour()
	return p
}

// picture is the middle: a row of switches over the screenshot.
func (p *panes) picture(s *Shell, key func(*fyne.KeyEvent)) fyne.CanvasObject {
	layer := func(id string) *chip { return newChip(chipToggle, s.titled(id), func() { s.run(id) }) }
	p.boxes, p.labels, p.covers = layer(state.CmdBoxes), layer(state.CmdLabels), layer(state.CmdOcclusion)
	p.before = newChip(chipToggle, s.keyed("Before", state.CmdBefore), func() { s.run(state.CmdBefore) })
	p.shot = shotview.New(shotview.Callbacks{
		Select: func(ref int) { s.store.Dispatch(state.Picked{Ref: ref, Source: state.PanePicture}) },
		Goto:   func(ref int) { s.store.Dispatch(state.Picked{Ref: ref, Source: state.PanePicture}) },
		Clear:  func() { s.store.Dispatch(state.Picked{}) },
		Menu:   s.showMarks,
		Hover:  func(ref int) { s.store.Dispatch(state.Hovered{Ref: ref, Source: state.PanePicture}) },
		Held:   s.keys.held,
		Zoom:   func(z float64) { s.store.Dispatch(state.Zoomed{Scale: z}) },
		Key:    key,
		Rune:   s.keys.typedRune,
	})
	p.work = newProgress(s.store.Dispatch)
	tools := padded(5, 5, 10, 10, container.NewBorder(nil, nil, container.NewHBox(p.boxes, p.labels, p.covers, p.before), nil, container.NewStack(p.tools, p.work.box)))
	p.key = newLegend()
	return container.NewBorder(container.NewVBox(tools, p.line()), p.key, nil, nil, p.shot)
}

// text is the right side: tabs of formats over the text, the details below.
func (p *panes) text(s *Shell, key func(*fyne.KeyEvent)) fyne.CanvasObject {
	tabs := container.New(&flow{})
	for _, f := range s.store.State().Formats {
		c := newChip(chipTab, string(f), func() { s.store.Dispatch(state.FormatChosen{Format: f}) })
		p.formats[f] = c
		tabs.Add(c)
	}
	p.changes = newChip(chipTab, "Changes", func() { s.run(state.CmdChanges) })
	p.sent = newChip(chipTab, "Payload", func() { s.run(state.CmdPayload) })
	tabs.Add(p.changes)
	tabs.Add(p.sent)
	p.tabs = tabs
	on := dumpview.Callbacks{
		Select:   func(_ int, l dump.Line) { s.store.Dispatch(state.Picked{Ref: l.Ref, Source: state.PaneDump}) },
		Hover:    func(ref int) { s.store.Dispatch(state.Hovered{Ref: ref, Source: state.PaneDump}) },
		Clear:    func() { s.store.Dispatch(state.Escaped{}) },
		Copy:     func(text string) { s.store.Dispatch(state.TextCopied{Text: text}) },
		Held:     s.keys.held,
		Key:      key,
		Rune:     s.keys.typedRune,
		Shortcut: s.keys.typedShortcut,
	}
	p.dump, p.diff = dumpview.New(on), dumpview.New(on)
	p.payload = newPayloadPane(s, on)
	p.details = details.New(details.Callbacks{
		Copy: func(_, text string) { s.store.Dispatch(state.TextCopied{Text: text}) },
		Key:  key,
		Rune: s.keys.typedRune,
	})
	split := container.NewVSplit(container.NewStack(p.dump, p.diff), p.details)
	split.Offset = 0.64
	p.reading = split
	return container.NewBorder(container.NewVBox(padded(0, 0, 6, 6, tabs), p.line()), nil, nil, nil, container.NewStack(split, p.payload.box))
}

// ground puts an object on a flat colour that follows the theme.
func (p *panes) ground(name fyne.ThemeColorName, o fyne.CanvasObject) fyne.CanvasObject {
	f := newFill(name)
	p.fills = append(p.fills, f)
	return container.NewStack(f.Rectangle, o)
}

func (p *panes) line() fyne.CanvasObject {
	f := newHairline()
	p.fills = append(p.fills, f)
	return f.Rectangle
}

// recolour gives the theme's colours to what Fyne does not colour by itself.
func (p *panes) recolour() {
	th := fyne.CurrentApp().Settings().Theme()
	for _, f := range p.fills {
		f.recolour(th)
	}
	p.strip.recolour(th)
}

// show gives every pane whose view-model changed the new one.
func (s *Shell) show(st state.State) {
	p, seen := s.panes, &s.seen
	if vm := st.Bar(); vm != seen.bar {
		seen.bar = vm
		p.bar.set(vm)
	}
	if vm := st.Strip(); vm != seen.strip {
		seen.strip = vm
		if p.strip.set(vm) {
			p.root.Refresh()
		}
	}
	if vm := st.Turns(); !vm.Equal(seen.turns) {
		seen.turns = vm
		p.turns.set(vm)
	}
	if vm := st.Tools(); vm != seen.tools {
		seen.tools = vm
		p.boxes.set(p.boxes.text, vm.Boxes, true)
		p.labels.set(p.labels.text, vm.Labels, true)
		p.covers.set(p.covers.text, vm.Occlusion, true)
		p.before.set(p.before.text, vm.Before, vm.CanBefore)
		if p.key.set(vm.Key) {
			p.root.Refresh()
		}
		p.tools.set([]state.StatusItem{{Text: vm.Zoom, Tone: state.ToneNormal}, {Text: vm.Hint, Tone: state.ToneMuted}})
	}
	if vm := st.Progress(); vm != seen.work {
		seen.work = vm
		p.work.set(vm)
		show(p.tools, vm.Task == 0)
	}
	if vm := st.Shot(); vm != seen.shot {
		seen.shot = vm
		p.shot.Set(vm)
	}
	if vm := st.FormatTabs(); !vm.Equal(seen.formats) {
		seen.formats = vm
		for f, c := range p.formats {
			c.set(string(f), f == vm.Current && vm.Side == state.SideText, true)
		}
		p.changes.set(vm.Changes, vm.Side == state.SideChanges, true)
		p.sent.set(vm.Payload, vm.Side == state.SidePayload, true)
		p.tabs.Refresh()
		show(p.reading, vm.Side != state.SidePayload)
		show(p.payload.box, vm.Side == state.SidePayload)
		show(p.dump, vm.Side == state.SideText)
		show(p.diff, vm.Side == state.SideChanges)
	}
	if vm := st.Dump(); vm != seen.dump {
		seen.dump = vm
		p.dump.Set(vm)
	}
	if vm := st.ChangesText(); vm != seen.changes {
		seen.changes = vm
		p.diff.Set(vm)
	}
	if st.Side == state.SidePayload {
		if vm := st.PayloadView(); !vm.Equal(seen.payload) {
			seen.payload = vm
			p.payload.set(vm)
		}
	}
	if a := (about{st.Shown, st.Selected, st.Format, len(st.Docs), st.Browser.Phase, st.Before, st.Back}); a != seen.about || st.Shown == nil {
		seen.about = a
		p.details.Set(st.Details())
	}
	v := st.Status()
	p.left.set(v.Left)
	if p.right.set(v.Right) {
		p.status.Refresh()
	}
	if s.menus.set(st) {
		s.win.SetMainMenu(s.menus.main)
	}
}

// zoom moves the camera of the picture.
func (p *panes) zoom(z state.Zoom) {
	switch z {
	case state.ZoomFit:
		p.shot.Fit()
	case state.ZoomActual:
		p.shot.Actual()
	case state.ZoomIn:
		p.shot.ZoomIn()
	case state.ZoomOut:
		p.shot.ZoomOut()
	case state.ZoomSelection:
		p.shot.ZoomSelection()
	}
}
