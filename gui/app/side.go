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
	"github.com/refscope/refscope/snapshot/dump"
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
	of  func(core.State) core.DumpVM
	vm  core.DumpVM
	box fyne.CanvasObject // the text, and what is said at its end
}

func newTextPane(on text.Callbacks, of func(core.State) core.DumpVM) *textPane {
	p := &textPane{View: text.New(on), of: of}
	p.box = p.View
	return p
}

func (p *textPane) object() fyne.CanvasObject { return p.box }

func (p *textPane) set(st core.State) {
	if vm := p.of(st); vm != p.vm {
		p.vm = vm
		p.Set(vm)
	}
}

// sides is the right side of the window: tabs over the side in view, and the details of
// the selection below it, but for sides that take the whole height.
type sides struct {
	vm      core.FormatsVM
	tabs    map[core.Side]*parts.Chip
	formats map[dump.Format]*parts.Chip
	rows    *fyne.Container // of tabs
	second  *fyne.Container // the formats, below the tabs of the text
	panes   map[core.Side]pane
	stack   *fyne.Container // all sides, one of them visible
	split   *container.Split
	place   *fyne.Container
	box     fyne.CanvasObject
	whole   bool // the side in view takes the whole height
	bare    bool // the details are put away
}

func newSides(s *Shell, p *panes, on text.Callbacks, details fyne.CanvasObject) *sides {
	d := &sides{tabs: map[core.Side]*parts.Chip{}, formats: map[dump.Format]*parts.Chip{}, panes: sidePanes(s, on), stack: container.NewStack()}
	d.vm.Side = "none yet"
	d.text().box = container.NewBorder(nil, p.cut.line, nil, nil, d.text().View)
	flows := [2]*parts.Flow{{}, {}}
	tabs, formats := container.New(flows[0]), container.New(flows[1])
	for _, r := range s.store.State().Sides() {
		c := parts.NewChip(parts.Tab, r.Title, func() { s.run(r.Command) })
		d.tabs[r.Side] = c
		tabs.Add(c)
		o := d.panes[r.Side].object()
		o.Hide()
		d.stack.Add(o)
	}
	for _, f := range s.store.State().Formats {
		c := parts.NewChip(parts.Tab, string(f), func() { s.store.Dispatch(core.FormatChosen{Format: f}) })
		d.formats[f] = c
		formats.Add(c)
	}
	d.second = container.NewVBox(p.line(), parts.Padded(0, 0, 6, 6, formats))
	d.rows = container.NewVBox(parts.Padded(0, 0, 6, 6, tabs), d.second, p.line())
	d.split = container.NewVSplit(container.NewStack(), details)
	d.split.Offset = 0.64
	d.place = container.NewStack()
	d.box = container.New(&tabbed{flows: flows[:], margin: 12}, container.NewVBox(d.rows, p.find.bar), d.place)
	return d
}

// tabbed lays tabs out over what they show. The tabs flow like words, so how high they are
// follows from the width, which a border layout learns a layout too late.
type tabbed struct {
	flows  []*parts.Flow
	margin float32 // beside the tabs, both sides together
}

// MinSize implements fyne.Layout.
func (t *tabbed) MinSize(objects []fyne.CanvasObject) fyne.Size {
	tabs, below := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(max(tabs.Width, below.Width), tabs.Height+below.Height)
}

// Layout implements fyne.Layout.
func (t *tabbed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, f := range t.flows {
		f.Fit(size.Width - t.margin)
	}
	h := objects[0].MinSize().Height
	objects[0].Resize(fyne.NewSize(size.Width, h))
	objects[0].Move(fyne.NewPos(0, 0))
	objects[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-h)))
	objects[1].Move(fyne.NewPos(0, h))
}

// set shows the side in view.
func (d *sides) set(st core.State) {
	if vm := st.FormatTabs(); !vm.Equal(d.vm) {
		moved := vm.Side != d.vm.Side
		d.vm = vm
		for _, t := range vm.Sides {
			d.tabs[t.Side].Set(t.Text, t.On, true)
		}
		for f, c := range d.formats {
			c.Turn(f == vm.Current, true)
		}
		if moved {
			d.choose(st, vm.Side)
		}
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
	parts.Show(d.second, side == core.SideText)
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
