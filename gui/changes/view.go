package changes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/dump"
)

// View is the side: chips for the kinds of changes and for the way to show them, over a list
// of elements, or one text or two.
type View struct {
	vm          VM
	send        func(core.Msg)
	modes       map[Mode]*parts.Chip
	head        *parts.Facts
	headAt      *fyne.Container
	groups      *fyne.Container
	list        *parts.List
	left, right *text.View
	place       *fyne.Container
	split       *container.Split
	box         *fyne.Container
}

// New makes the view.
func New(w *parts.Window) *View {
	texts := text.WindowCallbacks(w)
	v := &View{send: w.Send, modes: map[Mode]*parts.Chip{}, groups: container.New(&parts.Flow{Gap: 6}),
		head: parts.NewFacts(false, 12), list: parts.NewList(w.List())}
	texts.Select = func(_ int, l dump.Line) { w.Send(core.ChangePicked{Node: l.Node, Ref: l.Ref}) }
	v.left, v.right = text.New(texts), text.New(texts)
	row := container.NewHBox()
	for _, m := range []struct {
		mode  Mode
		title string
	}{{Elements, "Elements"}, {Unified, "Text"}, {Beside, "Side by side"}} {
		v.modes[m.mode] = parts.NewChip(parts.Toggle, m.title, func() { w.Send(ModeChosen(m.mode)) })
		row.Add(v.modes[m.mode])
	}
	v.split = container.NewHSplit(v.left, v.right)
	v.place = container.NewStack(v.list)
	v.headAt = parts.Padded(2, 0, 12, 12, v.head)
	top := container.NewVBox(parts.Padded(6, 2, 10, 10, row), v.headAt, parts.Padded(4, 2, 10, 10, v.groups))
	v.box = parts.Border(top, nil, nil, nil, v.place)
	v.vm.View = "?"
	return v
}

// Object returns the object to lay out.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Focus returns the object that gets the keyboard.
func (v *View) Focus() fyne.Focusable {
	if v.vm.View == Elements {
		return v.list
	}
	return v.left
}

// Show shows the state.
func (v *View) Show(s core.State) {
	vm := ViewOf(s)
	if vm.Equal(v.vm) {
		return
	}
	for m, c := range v.modes {
		c.Turn(m == vm.View, true)
	}
	v.setChips(vm.Chips)
	v.head.Set(vm.Head)
	if on := len(vm.Head) > 0; on != v.headAt.Visible() {
		parts.Show(v.headAt, on)
		v.box.Refresh()
	}
	if vm.View != v.vm.View {
		switch vm.View {
		case Beside:
			v.split.Leading, v.split.Trailing = v.left, v.right
			v.split.Refresh()
			v.place.Objects = []fyne.CanvasObject{v.split}
		case Unified:
			v.place.Objects = []fyne.CanvasObject{v.left}
		default:
			v.place.Objects = []fyne.CanvasObject{v.list}
		}
		v.place.Refresh()
		v.box.Refresh()
	}
	v.vm = vm
	v.list.Set(vm.List)
	v.left.Set(vm.Left)
	v.right.Set(vm.Right)
}

func (v *View) setChips(chips []Chip) {
	same := len(chips) == len(v.vm.Chips)
	for i := range chips {
		same = same && chips[i] == v.vm.Chips[i]
	}
	if same {
		return
	}
	v.groups.RemoveAll()
	for _, c := range chips {
		chip := parts.NewChip(parts.Toggle, c.Text, func() { v.send(GroupChosen(c.Group)) })
		chip.Turn(c.On, true)
		v.groups.Add(chip)
	}
	v.groups.Refresh()
	v.box.Refresh()
}
