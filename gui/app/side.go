package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/costs"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/turn"
	"github.com/refscope/refscope/gui/whatif"
)

// pane is one of several things that take turns in a place: the sides, the drawers. It
// is given the state only while it is in view, and keeps what it showed last, so that it
// does nothing where nothing changed.
type pane interface {
	object() fyne.CanvasObject
	set(st core.State)
}

// sidePanes makes the pane of each side of [core.Sides]. on are the callbacks that
// every text has.
func sidePanes(s *Shell, on text.Callbacks) map[core.Side]pane {
	return map[core.Side]pane{
		core.SideText: newTextPane(on, text.ViewOf),
		changes.Side:  roomPane{changes.New(listCallbacks(s, on), on)},
		payload.Side:  newPayloadPane(s, on),
		turn.Side:     newTurnPane(s, on),
		profile.Side:  newProfilePane(s, on),
		whatif.Side:   newWhatIfPane(s, on),
		costs.Side:    roomPane{costs.New(listCallbacks(s, on))},
		findings.Side: roomPane{findings.New(listCallbacks(s, on))},
	}
}

// drawerPanes makes the pane of each drawer below the picture.
func drawerPanes(s *Shell) map[core.Drawer]pane {
	return map[core.Drawer]pane{
		steps.Drawer: newStepsPane(s),
	}
}

// textPane is a side that is one text.
type textPane struct {
	*text.View
	head *text.Head
	of   func(core.State) core.DumpVM
	vm   core.DumpVM
	box  fyne.CanvasObject // the text between its head and what is said at its end
}

func newTextPane(on text.Callbacks, of func(core.State) core.DumpVM) *textPane {
	return &textPane{View: text.New(on), of: of}
}

func (p *textPane) object() fyne.CanvasObject { return p.box }

func (p *textPane) set(st core.State) {
	p.head.Show(st)
	if vm := p.of(st); vm != p.vm {
		p.vm = vm
		p.Set(vm)
	}
}

// sides is the right side of the window: tabs over the side in view, and the details of
// the selection below it, but for sides that take the whole height.
type sides struct {
	vm    core.SidesVM
	tabs  map[core.Side]*parts.Chip
	row   *parts.TabRow
	rows  *fyne.Container // of tabs
	panes map[core.Side]pane
	stack *fyne.Container // all sides, one of them visible
	split *container.Split
	place *fyne.Container
	box   fyne.CanvasObject
	whole bool // the side in view takes the whole height
	bare  bool // the details are put away
}

func newSides(s *Shell, p *panes, on text.Callbacks, details fyne.CanvasObject) *sides {
	d := &sides{tabs: map[core.Side]*parts.Chip{}, panes: sidePanes(s, on), stack: container.NewStack()}
	d.vm.Side = "none yet"
	d.text().head = text.NewHead(s.store.Dispatch)
	d.text().box = container.NewBorder(d.text().head.Object(), p.cut.line, nil, nil, d.text().View)
	var tabs []*parts.Chip
	for _, r := range s.store.State().Sides() {
		c := parts.NewChip(parts.Tab, r.Title, func() { s.run(r.Command) })
		d.tabs[r.Side] = c
		tabs = append(tabs, c)
		o := d.panes[r.Side].object()
		o.Hide()
		d.stack.Add(o)
	}
	d.row = parts.NewTabRow(tabs, func(hidden []int, under fyne.CanvasObject) { s.showSides(hidden, under) })
	d.rows = container.NewVBox(parts.Padded(0, 0, 6, 6, d.row.Box), p.line())
	d.split = container.NewVSplit(container.NewStack(), details)
	d.split.Offset = 0.64
	d.place = container.NewStack()
	d.box = container.NewBorder(container.NewVBox(d.rows, p.find.bar), nil, nil, nil, d.place)
	return d
}

// set shows the side in view.
func (d *sides) set(st core.State) {
	if vm := st.SidesInView(); !vm.Equal(d.vm) {
		moved := vm.Side != d.vm.Side
		d.vm = vm
		for _, t := range vm.Sides {
			d.tabs[t.Side].Set(t.Title, t.On, true)
			d.tabs[t.Side].SetBadges(t.Badges)
		}
		if moved {
			d.choose(st, vm.Side)
		}
		d.row.Box.Refresh()
		d.rows.Refresh()
		d.box.Refresh() // the rows have another height
	}
	d.panes[d.vm.Side].set(st)
}

// choose brings a side into view.
func (d *sides) choose(st core.State, side core.Side) {
	d.whole = false
	for _, r := range st.Sides() {
		parts.Show(d.panes[r.Side].object(), r.Side == side)
		d.whole = d.whole || r.Side == side && r.Whole
	}
	d.lay()
}

// hideDetails puts the details away, or brings them back.
func (d *sides) hideDetails(hide bool) {
	d.bare = hide
	d.lay()
}

// lay puts the side into its place, over the details or alone.
func (d *sides) lay() {
	if d.whole || d.bare {
		d.place.Objects = []fyne.CanvasObject{d.stack}
	} else {
		d.split.Leading = d.stack
		d.split.Refresh()
		d.place.Objects = []fyne.CanvasObject{d.split}
	}
	d.place.Refresh()
}

// showSides drops down the sides whose tabs have no room, from the button under.
func (s *Shell) showSides(hidden []int, under fyne.CanvasObject) {
	st := s.store.State()
	menu := fyne.NewMenu("")
	for _, i := range hidden {
		t := st.SideTabs()[i]
		menu.Items = append(menu.Items, fyne.NewMenuItem(t.Text(), func() { s.store.Dispatch(core.SideChosen{Side: t.Side}) }))
	}
	s.dropDown(menu, under)
}

// text is the pane of the text formats.
func (d *sides) text() *textPane { return d.panes[core.SideText].(*textPane) }

// profile is the pane of the profile editor.
func (d *sides) profile() *profilePane { return d.panes[profile.Side].(*profilePane) }

// payload is the pane of payloads.
func (d *sides) payload() *payloadPane { return d.panes[payload.Side].(*payloadPane) }

// drawers is the picture, over the drawer that is out.
type drawers struct {
	out   core.Drawer
	panes map[core.Drawer]pane
	above fyne.CanvasObject
	split *container.Split
	box   *fyne.Container
}

func newDrawers(s *Shell, above fyne.CanvasObject) *drawers {
	d := &drawers{panes: drawerPanes(s), above: above, box: container.NewStack(above)}
	d.split = container.NewVSplit(container.NewStack(), container.NewStack())
	d.split.Offset = 0.62
	return d
}

// set draws out what the state says. A drawer that is not known is none.
func (d *drawers) set(st core.State) {
	p := d.panes[st.Drawer]
	if st.Drawer != d.out {
		d.out = st.Drawer
		d.box.Objects = []fyne.CanvasObject{d.above}
		if p != nil {
			d.split.Leading, d.split.Trailing = d.above, p.object()
			d.split.Refresh()
			d.box.Objects = []fyne.CanvasObject{d.split}
		}
		d.box.Refresh()
	}
	if p != nil {
		p.set(st)
	}
}
