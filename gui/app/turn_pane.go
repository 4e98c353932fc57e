package app

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/turn"
)

// turnPane is the side about the turn as a whole: facts over what was asked, answered,
// and said.
type turnPane struct {
	vm    turn.VM
	send  func(core.Msg)
	facts *details.View
	chips *fyne.Container
	text  *text.View
	below *fyne.Container // chips over the text
	box   fyne.CanvasObject
}

func newTurnPane(s *Shell, on text.Callbacks) *turnPane {
	p := &turnPane{send: s.store.Dispatch, chips: container.New(&parts.Flow{})}
	on.Select, on.Hover = nil, nil
	p.text = text.New(on)
	p.facts = details.New(details.Callbacks{
		Copy: func(_, text string) { s.store.Dispatch(core.TextCopied{Text: text}) },
		Key:  on.Key,
		Rune: on.Rune,
	})
	say := parts.NewChip(parts.Button, "Note…", func() { s.run(notes.CmdNote) })
	judge := parts.NewChip(parts.Button, "Verdict ▾", func() { s.run(notes.CmdVerdict) })
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

// focus is what has the keyboard while the side does.
func (p *turnPane) focus() fyne.Focusable { return p.text }
