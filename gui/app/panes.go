package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/snapshot/dump"
)

// views are the view-models as they were last shown.
type views struct {
	bar    BarVM
	note   NoteVM
	turns  timeline.VM
	pairs  picture.PicturesVM
	tools  picture.ToolsVM
	work   ProgressVM
	shot   picture.VM
	about  about
	hidden core.Hidden
	aside  bool
}

// about is what the details depend on; they are worked out anew only where it
// changed, for the pointer moves far more often.
type about struct {
	turn   *core.Turn
	chosen core.Selection
	format dump.Format
	docs   int
	phase  core.Phase
	before *core.Turn
	back   bool
	why    details.Model
	shown  *core.Numbers
}

// panes are the parts of the window.
type panes struct {
	bar      *topBar
	toast    *parts.Toast
	turns    *timeline.View
	boxes    *parts.Chip
	labels   *parts.Chip
	covers   *parts.Chip
	before   *parts.Chip
	act      *parts.Chip
	live     *parts.Chip
	key      *legend
	tools    *parts.Facts
	work     *progress
	shot     *picture.View
	drawers  *drawers
	sides    *sides
	details  *details.View
	left     *parts.Facts
	right    *parts.Facts
	status   *fyne.Container
	fills    []*parts.Fill
	root     *fyne.Container
	frame    *fyne.Container // the timeline and the middle, one beside or below the other
	edges    [2]fyne.CanvasObject
	split    *container.Split
	timeline fyne.CanvasObject // the list of turns
	middle   *fyne.Container   // picture and right side
	kinds    *parts.Chip
	picker   *picture.PickerList
	cover    *picture.CoverStrip
	find     *findPane
	cut      *cutStrip
	compare  *picturesRow
}

// newPanes lays the window out: the bar with the address, the strip, then turns,
// picture, and text over details, and the status at the bottom.
func newPanes(s *Shell) *panes {
	p := &panes{left: parts.NewFacts(false, 18), right: parts.NewFacts(true, 18), tools: parts.NewFacts(true, 14)}
	key := func(e *fyne.KeyEvent) { s.keys.typedKey(e, s.escape) }
	p.right.Firm = true
	p.bar = newTopBar(s.store.Dispatch, s.run, key, s.escape, func() { s.win.Canvas().Focus(p.shot) }, func() { s.run(core.CmdExport) })
	p.toast = parts.NewToast(func(i int) { s.run([]string{s.seen.note.Command, s.seen.note.Also}[i]) },
		func() { s.store.Dispatch(core.NoticeClosed{}) })
	p.bar.address.shortcut = s.keys.typedShortcut
	p.turns = newTimeline(s, key)

	top := container.NewVBox(p.ground(theme.ColorPane, p.bar.box), p.line())
	p.status = container.NewBorder(nil, nil, nil, p.right, p.left)
	status := container.NewVBox(p.line(), p.ground(theme.ColorPane, parts.Padded(3, 5, 12, 12, p.status)))
	p.split = container.NewHSplit(p.picture(s, key), p.side(s, key))
	p.split.Offset = offset(s.opt.Prefs.Picture, 0.62)
	p.sides.split.Offset = offset(s.opt.Prefs.Text, 0.64)
	p.drawers.split.Offset = offset(s.opt.Prefs.Drawer, 0.62)
	p.timeline, p.middle = p.ground(theme.ColorPane, p.turns.Object()), container.NewStack(p.split)
	p.frame, p.edges = container.NewStack(), [2]fyne.CanvasObject{p.line(), p.line()}
	p.place(s.store.State().TurnsAtSide)
	p.root = container.NewStack(p.ground(theme.ColorPane, container.NewBorder(top, status, nil, nil, container.NewStack(p.frame, p.toast.Box))), p.turns.Magnifier())
	p.recolour()
	return p
}

// picture is the middle: a row of switches over the screenshot.
func (p *panes) picture(s *Shell, key func(*fyne.KeyEvent)) fyne.CanvasObject {
	layer := func(id string) *parts.Chip { return parts.NewChip(parts.Toggle, s.titled(id), func() { s.run(id) }) }
	p.boxes, p.labels, p.covers = layer(picture.CmdBoxes), layer(picture.CmdLabels), layer(picture.CmdOcclusion)
	p.before = parts.NewChip(parts.Toggle, "Before", func() { s.run(picture.CmdBefore) })
	p.act = parts.NewChip(parts.Toggle, "Act", func() { s.run(steps.CmdAct) })
	p.live = parts.NewChip(parts.Toggle, "", func() { s.run(live.CmdLive) })
	p.kinds = parts.NewChip(parts.Toggle, "Kinds ▾", func() { s.run(picture.CmdKinds) })
	shot := p.newShot(s, key)
	p.work = newProgress(s.store.Dispatch)
	tools := parts.Padded(5, 5, 10, 10, container.NewBorder(nil, nil, container.NewHBox(p.boxes, p.kinds, p.labels, p.covers, p.before, p.act, p.live), nil, container.NewStack(p.tools, p.work.box)))
	p.key = newLegend()
	p.compare = newPicturesRow(s, p.line(), key)
	p.drawers = newDrawers(s, container.NewBorder(container.NewVBox(tools, p.line(), p.compare.box), p.key, nil, nil, shot))
	return p.drawers.box
}

// side is the right side: tabs over what they show, the details below.
func (p *panes) side(s *Shell, key func(*fyne.KeyEvent)) fyne.CanvasObject {
	on := text.Callbacks{
		Select:   func(_ int, l dump.Line) { s.store.Dispatch(picked(l)) },
		Hover:    func(ref int) { s.store.Dispatch(core.Hovered{Ref: ref, Source: core.PaneDump}) },
		Clear:    func() { s.store.Dispatch(core.Escaped{}) },
		Copy:     func(text string) { s.store.Dispatch(core.TextCopied{Text: text}) },
		Fold:     func(line int) { s.store.Dispatch(text.FoldToggled{Line: line}) },
		Held:     s.keys.held,
		Key:      key,
		Rune:     s.keys.typedRune,
		Shortcut: s.keys.typedShortcut,
	}
	p.find, p.cut = newFindPane(s, key), newCutStrip(s, p.line())
	p.details = details.New(details.Callbacks{
		Go:   func(g details.Link) { s.store.Dispatch(g.Msg()) },
		Copy: func(_, text string) { s.store.Dispatch(core.TextCopied{Text: text}) },
		Key:  key,
		Rune: s.keys.typedRune,
	})
	p.sides = newSides(s, p, on, p.details)
	return p.sides.box
}

// strip is a timeline that can lie down, as a strip of pictures.
type strip interface{ SetHorizontal(on bool) }

// place puts the timeline below the rest, or at its side.
func (p *panes) place(side bool) {
	if h, ok := any(p.turns).(strip); ok {
		h.SetHorizontal(!side)
	} else {
		side = true
	}
	content := container.NewBorder(nil, container.NewBorder(p.edges[0], nil, nil, nil, p.timeline), nil, nil, p.middle)
	if side {
		content = container.NewBorder(nil, nil, container.NewBorder(nil, nil, nil, p.edges[1], p.timeline), nil, p.middle)
	}
	p.frame.Objects = []fyne.CanvasObject{content}
	p.frame.Refresh()
}

// offset is where a split stands: as remembered, within reason, else as it begins.
func offset(remembered, first float64) float64 {
	if remembered < 0.1 || remembered > 0.9 {
		return first
	}
	return remembered
}

// hide puts parts of the window away, or brings them back.
func (p *panes) hide(h core.Hidden) {
	parts.Show(p.timeline, !h.Turns)
	if h.Side {
		p.middle.Objects = []fyne.CanvasObject{p.drawers.box}
	} else {
		p.split.Leading = p.drawers.box
		p.split.Refresh()
		p.middle.Objects = []fyne.CanvasObject{p.split}
	}
	p.sides.hideDetails(h.Details)
	p.root.Refresh()
}

// ground puts an object on a flat colour that follows the theme.
func (p *panes) ground(name fyne.ThemeColorName, o fyne.CanvasObject) fyne.CanvasObject {
	f := parts.NewFill(name)
	p.fills = append(p.fills, f)
	return container.NewStack(f.Rectangle, o)
}

func (p *panes) line() fyne.CanvasObject {
	f := parts.NewHairline()
	p.fills = append(p.fills, f)
	return f.Rectangle
}

// recolour gives the theme's colours to what Fyne does not colour by itself.
func (p *panes) recolour() {
	th := fyne.CurrentApp().Settings().Theme()
	for _, f := range p.fills {
		f.Recolour(th)
	}
	p.toast.Recolour(th)
	p.cover.Recolour(th)
	for _, side := range p.sides.panes {
		if c, ok := side.(interface{ Recolour(fyne.Theme) }); ok {
			c.Recolour(th)
		}
	}
}

// show gives every pane whose view-model changed the new one.
func (s *Shell) show(st core.State) {
	p, seen := s.panes, &s.seen
	if vm := Bar(st); vm != seen.bar {
		seen.bar = vm
		p.bar.set(vm)
	}
	if vm := Note(st); vm != seen.note {
		seen.note = vm
		note := parts.Note{Text: vm.Text, Hint: vm.Hint, Tone: vm.Tone}
		for _, title := range []string{vm.CommandTitle, vm.AlsoTitle} {
			if title != "" {
				note.Actions = append(note.Actions, title)
			}
		}
		p.toast.Set(note)
	}
	if vm := timeline.ViewOf(st); !vm.Equal(seen.turns) {
		seen.turns = vm
		p.turns.Set(vm)
	}
	if vm := picture.Tools(st); vm != seen.tools {
		seen.tools = vm
		p.boxes.Turn(vm.Boxes, true)
		p.labels.Turn(vm.Labels, true)
		p.covers.Turn(vm.Occlusion, true)
		p.before.Turn(vm.Before, vm.CanBefore)
		p.act.Turn(vm.Act, vm.Act || !st.Session.ReadOnly)
		if p.live.Text() != vm.Live.Text {
			defer p.root.Refresh() // its width changed
		}
		p.live.Set(vm.Live.Text, vm.Live.On, vm.Live.CanToggle)
		p.kinds.Turn(vm.Filtered, vm.Zoom != "")
		if p.key.set(vm.Key) {
			p.root.Refresh()
		}
		p.tools.Set([]core.StatusItem{{Text: vm.Zoom, Tone: core.ToneNormal}, {Text: vm.Hint, Tone: vm.Tone()}})
	}
	if vm := picture.PicturesRow(st); vm != seen.pairs {
		seen.pairs = vm
		if p.compare.set(vm) {
			p.root.Refresh()
		}
	}
	if vm := Progress(st); vm != seen.work {
		seen.work = vm
		p.work.set(vm)
		parts.Show(p.tools, vm.Task == 0)
	}
	if vm := picture.ViewOf(st); vm != seen.shot {
		seen.shot = vm
		p.shot.Set(vm)
		p.cover.Set(vm.Cover)
	}
	p.picker.Set(picture.PickerView(st), p.shot)
	p.drawers.set(st)
	p.sides.set(st)
	if found, cut := p.find.set(st), p.cut.set(text.CutView(st)); found || cut {
		p.sides.box.Refresh()
		p.sides.text().box.Refresh()
	}
	if a := (about{st.Shown, st.Selected, st.Format, len(st.Docs), st.Browser.Phase, st.Before, st.Back, details.Of(st), st.Numbers()}); a != seen.about || st.Shown == nil {
		seen.about = a
		p.details.Set(details.ViewOf(st))
	}
	if st.TurnsAtSide != seen.aside {
		seen.aside = st.TurnsAtSide
		p.place(st.TurnsAtSide)
		p.recolour()
	}
	if st.Hidden != seen.hidden {
		seen.hidden = st.Hidden
		p.hide(st.Hidden)
	}
	v := Status(st)
	p.left.Set(v.Left)
	if p.right.Set(v.Right) {
		p.status.Refresh()
	}
	if s.menus.set(st) {
		s.win.SetMainMenu(s.menus.main)
	}
}

// zoom moves the camera of the picture.
func (p *panes) zoom(z picture.Zoom) {
	switch z {
	case picture.ZoomFit:
		p.shot.Fit()
	case picture.ZoomWhole:
		p.shot.FitWhole()
	case picture.ZoomActual:
		p.shot.Actual()
	case picture.ZoomIn:
		p.shot.ZoomIn()
	case picture.ZoomOut:
		p.shot.ZoomOut()
	case picture.ZoomSelection:
		p.shot.ZoomSelection()
	}
}
