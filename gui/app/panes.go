package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/gui/timeline"
)

// view is the content of a room. Sides, drawers and dialogs are given the state only while they
// are in view, and do nothing where nothing changed. A view may also have
//
//	Do(core.Effect) bool           // does an effect that belongs to it
//	Recolour(fyne.Theme)           // takes the theme's colours
//	Size(window fyne.Size) fyne.Size // how large it is as a dialog
type view interface {
	Object() fyne.CanvasObject
	Show(core.State)
	// Focus is the object that gets the keyboard, nil for nothing.
	Focus() fyne.Focusable
}

// panes are the parts of the window.
type panes struct {
	bar     *topBar
	toast   *parts.Toast
	turns   *timeline.View
	picture *picture.Pane
	drawers *drawers
	sides   *sides
	details *details.Pane
	left    *parts.Facts
	right   *parts.Facts
	status  *fyne.Container

	root     *fyne.Container
	frame    *fyne.Container // the timeline and the middle, one beside or below the other
	pictured *fyne.Container // the picture with its drawer, and in a low window with the timeline
	edges    [2]fyne.CanvasObject
	split    *container.Split
	timeline fyne.CanvasObject // the list of turns
	middle   *fyne.Container   // picture and right side

	// What was last shown.
	note    NoteVM
	hidden  core.Hidden
	aside   bool
	low     bool
	turnsAt fyne.Size // the least size of the list of turns
}

// newPanes lays the window out: the bar with the address, then turns, picture, and text over
// details, and the status at the bottom.
func newPanes(s *Shell) *panes {
	w, prefs := s.host, s.opt.Prefs
	p := &panes{left: parts.NewFacts(false, 18), right: parts.NewFacts(true, 18)}
	p.right.Firm = true
	p.turns, p.picture, p.details = timeline.New(w), picture.NewPane(w), details.NewPane(w)
	p.bar = newTopBar(w, func() { w.Focus(p.picture.Focus()) })
	p.toast = parts.NewToast(func(i int) { s.run([]string{p.note.Command, p.note.Also}[i]) },
		func() { w.Send(core.NoticeClosed{}) })

	top := container.NewVBox(parts.Ground(theme.ColorPane, p.bar.box), parts.NewHairline(), p.toast.Banner)
	p.status = parts.Border(nil, nil, nil, p.right, p.left)
	status := container.NewVBox(parts.NewHairline(),
		parts.Ground(theme.ColorPane, parts.Padded(3, 5, 12, 12, p.status)))
	p.drawers = newDrawers(w, p.picture.Object())
	p.sides = newSides(w, p.details)
	p.pictured = container.NewStack(p.drawers.box)
	p.split = container.NewHSplit(p.pictured, p.sides.box)
	p.split.Offset = offset(prefs.Picture, 0.62)
	p.sides.split.Offset = offset(prefs.Text, 0.64)
	p.drawers.split.Offset = offset(prefs.Drawer, 0.62)
	p.timeline, p.middle = parts.Ground(theme.ColorPane, p.turns.Object()), container.NewStack(p.split)
	p.frame, p.edges = container.New(&frameLayout{p}), [2]fyne.CanvasObject{parts.NewHairline(), parts.NewHairline()}
	p.place(s.store.State().TurnsAtSide)
	fit := func(width float32) {
		p.toast.Fit(width)
		if s.dialog != nil { // the window has another size
			s.dialog.fit()
		}
	}
	whole := container.New(parts.Fitting{Of: layout.NewBorderLayout(top, status, nil, nil), Fit: fit},
		top, status, container.NewStack(p.frame, p.toast.Box))
	p.root = container.NewStack(parts.Ground(theme.ColorPane, whole), p.turns.Magnifier())
	return p
}

// views are those of all rooms that have one all the time.
func (p *panes) views() []view {
	all := []view{p.turns, p.picture, p.details}
	for _, v := range p.drawers.panes {
		all = append(all, v)
	}
	for _, v := range p.sides.panes {
		all = append(all, v)
	}
	return all
}

// do lets the view that an effect belongs to do it. It reports false where there is none.
func (p *panes) do(e core.Effect) bool {
	if p.bar.do(e) || p.sides.find.Do(e) || p.sides.do(e) {
		return true
	}
	for _, v := range p.views() {
		if d, ok := v.(interface{ Do(core.Effect) bool }); ok && d.Do(e) {
			return true
		}
	}
	return false
}

// lowFrame is how high what is between the bars has to be, in Fyne units, for the timeline to run
// below all of it. In a lower window it runs below the picture alone, and the text keeps its lines.
const lowFrame = 720

// frameLayout gives its one object the whole room, and notes how high that is.
type frameLayout struct{ p *panes }

// MinSize implements fyne.Layout.
func (l *frameLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// Layout implements fyne.Layout.
func (l *frameLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	if low := size.Height < lowFrame; low != l.p.low {
		l.p.low = low
		l.p.arrange()
	}
	l.p.frame.Objects[0].Move(fyne.Position{}) // it may have been beside the turns
	l.p.frame.Objects[0].Resize(size)
}

// place puts the timeline below the rest, or at its side.
func (p *panes) place(side bool) {
	p.aside = side
	p.turns.SetHorizontal(!side)
	p.arrange()
	p.frame.Refresh()
}

// arrange puts the timeline where it belongs at the window's height.
func (p *panes) arrange() {
	var content, picture fyne.CanvasObject = p.middle, p.drawers.box
	switch strip := parts.Border(p.edges[0], nil, nil, nil, p.timeline); {
	case p.aside:
		content = parts.Border(nil, nil, parts.Border(nil, nil, nil, p.edges[1], p.timeline),
			nil, p.middle)
	case p.low:
		picture = parts.Border(nil, strip, nil, nil, p.drawers.box)
	default:
		content = parts.Border(nil, strip, nil, nil, p.middle)
	}
	p.pictured.Objects, p.frame.Objects = []fyne.CanvasObject{picture}, []fyne.CanvasObject{content}
	p.pictured.Refresh()
}

// offset is the position of a split: as remembered, within reason, else as it begins.
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
		p.middle.Objects = []fyne.CanvasObject{p.pictured}
	} else {
		p.split.Leading = p.pictured
		p.split.Refresh()
		p.middle.Objects = []fyne.CanvasObject{p.split}
	}
	p.sides.hideDetails(h.Details)
	p.root.Refresh()
}

// recolour gives the theme's colours to what Fyne does not colour.
func (p *panes) recolour() {
	th := fyne.CurrentApp().Settings().Theme()
	p.toast.Recolour(th)
	for _, v := range p.views() {
		if c, ok := v.(interface{ Recolour(fyne.Theme) }); ok {
			c.Recolour(th)
		}
	}
}

// show passes the state to every pane.
func (s *Shell) show(st core.State) {
	p := s.panes
	p.bar.show(st)
	if vm := Note(st); vm != p.note {
		p.note = vm
		note := parts.Note{Text: vm.Text, Hint: vm.Hint, Tone: vm.Tone}
		for _, title := range []string{vm.CommandTitle, vm.AlsoTitle} {
			if title != "" {
				note.Actions = append(note.Actions, title)
			}
		}
		p.toast.Set(note)
		p.root.Refresh() // a banner takes room above the panes
	}
	p.turns.Show(st)
	if size := p.timeline.MinSize(); size != p.turnsAt { // its head comes with the first turn
		p.turnsAt = size
		p.arrange()
		p.frame.Refresh()
	}
	p.picture.Show(st)
	p.drawers.show(st)
	p.sides.show(st)
	p.details.Show(st)
	if st.TurnsAtSide != p.aside {
		p.place(st.TurnsAtSide)
	}
	if st.Hidden != p.hidden {
		p.hidden = st.Hidden
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

// digit brings a digit that is typed in a pane without use for it to the picture, where
// it begins the number of a mark. It reports whether it did.
func (s *Shell) digit(r rune) bool {
	shot := s.panes.picture.Shot()
	if r < '1' || r > '9' || shot.Focused() || s.store.State().Dialog != core.DialogNone {
		return false
	}
	s.host.Focus(shot)
	shot.TypedRune(r)
	return true
}

// focusSide focuses the side in view.
func (s *Shell) focusSide() {
	if f := s.panes.sides.focusable(); f != nil {
		s.host.Focus(f)
	}
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
	within := func(of fyne.CanvasObject) bool { return parts.Holds(of, now) }
	add(p.bar.address, within(p.bar.box))
	if !hidden.Turns {
		add(p.turns.Focus(), within(p.turns.Object()))
	}
	add(p.picture.Shot(), within(p.picture.Object()))
	if f := p.drawers.focusable(); f != nil {
		add(f, now == f || within(p.drawers.panes[p.drawers.out].Object()))
	}
	finds, details := within(p.sides.find), !hidden.Details && !p.sides.whole && within(p.details.Object())
	if p.sides.find.Visible() {
		add(p.sides.find.Entry(), finds)
	}
	if f := p.sides.enter(); f != nil {
		add(f, now == f || !finds && !details && within(p.sides.box))
	}
	if !hidden.Details && !p.sides.whole {
		add(p.details.Focus(), details)
	}
	if at < 0 && by < 0 {
		at = 0
	}
	n := len(stops)
	s.win.Canvas().Focus(stops[((at+by)%n+n)%n])
}
