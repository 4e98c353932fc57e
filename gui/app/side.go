package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/aim"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/costs"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/messages"
	"github.com/refscope/refscope/gui/network"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/turn"
	"github.com/refscope/refscope/gui/whatif"
)

// sidePanes makes the view of each side of [core.State.Sides].
func sidePanes(w *parts.Window) map[core.Side]view {
	return map[core.Side]view{
		core.SideText: text.NewPane(w),
		messages.Side: messages.New(w),
		changes.Side:  changes.New(w),
		payload.Side:  payload.New(w),
		turn.Side:     turn.New(w),
		profile.Side:  profile.New(w),
		whatif.Side:   whatif.New(w, w.State().Formats),
		costs.Side:    costs.New(w),
		network.Side:  network.New(w),
		findings.Side: findings.New(w),
		replays.Side:  replays.New(w),
	}
}

// drawerPanes makes the view of each drawer below the picture.
func drawerPanes(w *parts.Window) map[core.Drawer]view {
	return map[core.Drawer]view{steps.Drawer: steps.New(w)}
}

// sides is the right side of the window: tabs over the side in view, and the details of
// the selection below it, but for sides that take the whole height.
type sides struct {
	w     *parts.Window
	vm    core.SidesVM
	tabs  map[core.Side]*parts.Chip
	row   *parts.TabRow
	rows  *fyne.Container // of tabs
	panes map[core.Side]view
	find  *find.Bar
	aim   *aim.Strip
	stack *fyne.Container // all sides, one of them visible
	split *container.Split
	place *fyne.Container
	box   fyne.CanvasObject
	whole bool // the side in view takes the whole height
	bare  bool // the details are put away
}

func newSides(w *parts.Window, details view) *sides {
	d := &sides{w: w, tabs: map[core.Side]*parts.Chip{}, panes: sidePanes(w), stack: container.NewStack(),
		find: find.New(w), aim: aim.New(w)}
	d.vm.Side = "none yet"
	var tabs []*parts.Chip
	for _, r := range w.State().Sides() {
		c := w.Chip(parts.Tab, r.Title, r.Command)
		d.tabs[r.Side] = c
		tabs = append(tabs, c)
		o := d.panes[r.Side].Object()
		o.Hide()
		d.stack.Add(o)
	}
	d.row = parts.NewTabRow(tabs, d.dropDown)
	d.rows = container.NewVBox(parts.Padded(0, 0, 6, 6, d.row.Box), parts.NewHairline())
	d.split = container.NewVSplit(container.NewStack(), details.Object())
	d.place = container.NewStack()
	d.box = parts.Border(container.NewVBox(d.aim.Object(), d.rows, d.find), nil, nil, nil, d.place)
	return d
}

// show shows the side in view.
func (d *sides) show(st core.State) {
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
	d.panes[d.vm.Side].Show(st)
	if d.aim.Show(st) {
		d.box.Refresh()
	}
	if d.find.ShowState(st) {
		d.box.Refresh()
	}
}

// do lets the side in view do what belongs to it, before the others.
func (d *sides) do(e core.Effect) bool {
	v, ok := d.panes[d.vm.Side].(interface{ Do(core.Effect) bool })
	return ok && v.Do(e)
}

// choose brings a side into view.
func (d *sides) choose(st core.State, side core.Side) {
	d.whole = false
	for _, r := range st.Sides() {
		parts.Show(d.panes[r.Side].Object(), r.Side == side)
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

// dropDown drops down the sides whose tabs have no room, from the button under.
func (d *sides) dropDown(hidden []int, under fyne.CanvasObject) {
	tabs, menu := d.w.State().SideTabs(), fyne.NewMenu("")
	for _, i := range hidden {
		menu.Items = append(menu.Items, d.w.MenuItem(tabs[i].Text(), false, core.SideChosen(tabs[i].Side)))
	}
	d.w.DropDown(menu, under)
}

// text is the side of the text formats.
func (d *sides) text() *text.Pane { return d.panes[core.SideText].(*text.Pane) }

// enter is where the keyboard comes in when it goes from pane to pane: a side that takes none as it comes into view,
// so that keys of one letter stay commands, has a place for it all the same.
func (d *sides) enter() fyne.Focusable {
	f := d.focusable()
	if v, ok := d.panes[d.vm.Side].(interface{ Enter() fyne.Focusable }); ok {
		f = v.Enter()
	}
	if tab := d.tabs[d.vm.Side]; f == nil && tab != nil && tab.Visible() {
		return tab // of a side that only says something
	}
	return f
}

// focusable is what takes the keyboard on the side in view, nil where nothing does.
func (d *sides) focusable() fyne.Focusable { return d.panes[d.vm.Side].Focus() }

// drawers is the picture, over the drawer that is out.
type drawers struct {
	out   core.Drawer
	panes map[core.Drawer]view
	above fyne.CanvasObject
	split *container.Split
	box   *fyne.Container
}

func newDrawers(w *parts.Window, above fyne.CanvasObject) *drawers {
	d := &drawers{panes: drawerPanes(w), above: above, box: container.NewStack(above)}
	d.split = container.NewVSplit(container.NewStack(), container.NewStack())
	return d
}

// show opens the drawer of the state. A drawer that is unknown is none.
func (d *drawers) show(st core.State) {
	p := d.panes[st.Drawer]
	if st.Drawer != d.out {
		d.out = st.Drawer
		d.box.Objects = []fyne.CanvasObject{d.above}
		if p != nil {
			d.split.Leading, d.split.Trailing = d.above, p.Object()
			d.split.Refresh()
			d.box.Objects = []fyne.CanvasObject{d.split}
		}
		d.box.Refresh()
	}
	if p != nil {
		p.Show(st)
	}
}

// focusable is what takes the keyboard in the drawer that is out, nil where nothing does.
func (d *drawers) focusable() fyne.Focusable {
	if p := d.panes[d.out]; p != nil {
		return p.Focus()
	}
	return nil
}
