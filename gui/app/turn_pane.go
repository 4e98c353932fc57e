package app

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/dumpview"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/turn"
	"github.com/refscope/refscope/snapshot/dump"
)

// turnPane is the side about the turn as a whole: facts over what was asked, answered,
// and said.
type turnPane struct {
	vm    turn.VM
	send  func(core.Msg)
	facts *details.View
	chips *fyne.Container
	text  *dumpview.View
	below *fyne.Container // chips over the text
	box   fyne.CanvasObject
}

func newTurnPane(s *Shell, on dumpview.Callbacks) *turnPane {
	p := &turnPane{send: s.store.Dispatch, chips: container.New(&parts.Flow{})}
	on.Select, on.Hover = nil, nil
	p.text = dumpview.New(on)
	p.facts = details.New(details.Callbacks{
		Copy: func(_, text string) { s.store.Dispatch(core.TextCopied{Text: text}) },
		Key:  on.Key,
		Rune: on.Rune,
	})
	say := parts.NewChip(parts.Button, s.keyed("Note…", notes.CmdNote), func() { s.run(notes.CmdNote) })
	judge := parts.NewChip(parts.Button, s.keyed("Verdict ▾", notes.CmdVerdict), func() { s.run(notes.CmdVerdict) })
	s.verdictAt = judge
	said := parts.Padded(6, 0, 12, 12, container.New(&parts.Flow{Gap: 6}, say, judge))
	p.below = container.NewBorder(parts.Padded(0, 0, 6, 6, p.chips), nil, nil, nil, p.text)
	split := container.NewVSplit(container.NewBorder(said, nil, nil, nil, p.facts), p.below)
	split.Offset = 0.58
	p.box = split
	return p
}

func (p *turnPane) object() fyne.CanvasObject { return p.box }

func (p *turnPane) set(st core.State) {
	vm := turn.ViewOf(st, time.Local)
	if vm.Equal(p.vm) {
		return
	}
	if !equalChips(vm.Chips, p.vm.Chips) {
		p.chips.RemoveAll()
		for _, c := range vm.Chips {
			chip := parts.NewChip(parts.Tab, c.Text, func() { p.send(turn.PartChosen{Part: c.Part}) })
			chip.Turn(c.On, true)
			p.chips.Add(chip)
		}
		p.below.Refresh()
	}
	p.vm = vm
	p.facts.Set(vm.Facts)
	p.text.Set(vm.Text)
}

func equalChips(a, b []turn.Chip) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// changesPane is the side about what changed: chips for the kinds of changes and for
// the way to show them, over one text or two.
type changesPane struct {
	vm          changes.VM
	send        func(core.Msg)
	views       map[changes.Mode]*parts.Chip
	groups      *fyne.Container
	left, right *dumpview.View
	place       *fyne.Container
	split       *container.Split
	box         *fyne.Container
}

func newChangesPane(s *Shell, on dumpview.Callbacks) *changesPane {
	p := &changesPane{send: s.store.Dispatch, views: map[changes.Mode]*parts.Chip{}, groups: container.New(&parts.Flow{Gap: 6})}
	on.Select = func(_ int, l dump.Line) { s.store.Dispatch(changes.Picked{Ref: l.Ref}) }
	p.left, p.right = dumpview.New(on), dumpview.New(on)
	row := container.NewHBox()
	for _, v := range []struct {
		view  changes.Mode
		title string
	}{{changes.Elements, "Elements"}, {changes.Unified, "Text, unified"}, {changes.Beside, "Text, side by side"}} {
		p.views[v.view] = parts.NewChip(parts.Tab, v.title, func() { s.store.Dispatch(changes.ModeChosen{View: v.view}) })
		row.Add(p.views[v.view])
	}
	p.split = container.NewHSplit(p.left, p.right)
	p.place = container.NewStack(p.left)
	head := container.NewVBox(parts.Padded(0, 0, 6, 6, row), parts.Padded(4, 4, 10, 10, p.groups))
	p.box = container.NewBorder(head, nil, nil, nil, p.place)
	p.vm.View = "?"
	return p
}

func (p *changesPane) object() fyne.CanvasObject { return p.box }

func (p *changesPane) set(st core.State) {
	vm := changes.ViewOf(st)
	if vm.Equal(p.vm) {
		return
	}
	for v, c := range p.views {
		c.Turn(v == vm.View, true)
	}
	p.setChips(vm.Chips)
	if vm.View != p.vm.View {
		if vm.View == changes.Beside {
			p.split.Leading, p.split.Trailing = p.left, p.right
			p.split.Refresh()
			p.place.Objects = []fyne.CanvasObject{p.split}
		} else {
			p.place.Objects = []fyne.CanvasObject{p.left}
		}
		p.place.Refresh()
		p.box.Refresh()
	}
	p.vm = vm
	p.left.Set(vm.Left)
	p.right.Set(vm.Right)
}

func (p *changesPane) setChips(chips []changes.Chip) {
	same := len(chips) == len(p.vm.Chips)
	for i := range chips {
		same = same && chips[i] == p.vm.Chips[i]
	}
	if same {
		return
	}
	p.groups.RemoveAll()
	for _, c := range chips {
		chip := parts.NewChip(parts.Toggle, c.Text, func() { p.send(changes.GroupChosen{Group: c.Group}) })
		chip.Turn(c.On, true)
		p.groups.Add(chip)
	}
	p.groups.Refresh()
	p.box.Refresh()
}

// focus is what has the keyboard while the side does.
func (p *turnPane) focus() fyne.Focusable { return p.text }

func (p *changesPane) focus() fyne.Focusable { return p.left }
