package parts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
)

// Table is a side that is one table: chips that choose what it has, facts about the whole, and the rows.
type Table struct {
	vm      core.TableVM
	content func(core.State) core.TableVM
	chips   []*Chip
	facts   *Facts
	list    *List
	box     fyne.CanvasObject
}

// NewTable makes the side. Chips are the choices in their order, chosen makes the message of a click on one, and
// content is what a state shows.
func NewTable(w *Window, chips []string,
	chosen func(choice int) core.Msg, content func(core.State) core.TableVM) *Table {
	t := &Table{content: content, facts: NewFacts(true, 12), list: NewList(w.List())}
	row := container.NewHBox()
	for i, title := range chips {
		chip := NewChip(Toggle, title, func() { w.Send(chosen(i)) })
		t.chips = append(t.chips, chip)
		row.Add(chip)
	}
	head := Border(nil, nil, row, nil, container.New(Slim{}, t.facts))
	t.box = Border(Padded(6, 2, 10, 12, head), nil, nil, nil, t.list)
	t.vm.Choice = -1
	return t
}

// Object returns the object to lay out, Focus the one that gets the keyboard.
func (t *Table) Object() fyne.CanvasObject { return t.box }
func (t *Table) Focus() fyne.Focusable     { return t.list }

// Show shows the state.
func (t *Table) Show(s core.State) {
	vm := t.content(s)
	if vm.Equal(t.vm) {
		return
	}
	t.vm = vm
	for i, c := range t.chips {
		c.Turn(i == vm.Choice, true)
	}
	t.facts.Set(vm.Facts)
	t.list.Set(vm.List)
}
