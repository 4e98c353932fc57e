package profile

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	pagetext "github.com/refscope/refscope/snapshot/text"
)

// below is the part under the editor: the effect on the turn, or the checks.
type below struct {
	effect, checks, all *parts.Chip
	bar                 *parts.Facts
	effects             *parts.List
	text                *text.View
	list                *parts.List
	barAt, top, box     *fyne.Container
}

func newBelow(w *parts.Window) *below {
	b := &below{bar: parts.NewFacts(false, 12), text: text.New(text.WindowCallbacks(w)),
		effects: parts.NewList(w.List()), list: parts.NewList(w.List())}
	b.effect = parts.NewChip(parts.Tab, "Effect", func() { w.Send(checksToggled(false)) })
	b.checks = parts.NewChip(parts.Tab, "Checks", func() { w.Send(checksToggled(true)) })
	b.all = w.Chip(parts.Toggle, "All lines", CmdProfileWhole)
	b.barAt = parts.Padded(2, 4, 12, 12, b.bar)
	b.top = container.NewVBox(parts.NewHairline(),
		parts.Padded(0, 0, 6, 8, parts.Border(nil, nil, container.NewHBox(b.effect, b.checks),
			container.New(parts.Slim{}, b.all))),
		b.barAt)
	b.box = parts.Border(b.top, nil, nil, nil, container.NewStack(b.text, b.effects, b.list))
	return b
}

func (b *below) set(vm VM) {
	tag := "Checks"
	if vm.Check != nil && vm.Check.Problems > 0 {
		tag += " · " + pagetext.Count(vm.Check.Problems, "problem", "problems")
	}
	b.effect.Set("Effect", !vm.Checks, true)
	b.checks.Set(tag, vm.Checks, true)
	b.all.Turn(vm.Whole, !vm.Checks)
	parts.Show(b.all, !vm.Checks)
	b.bar.Set(vm.Bar)
	if on := len(vm.Bar) > 0 && !vm.Checks; on != b.barAt.Visible() {
		parts.Show(b.barAt, on)
		b.box.Refresh() // the top has another height
	}
	whole := vm.Whole && vm.Effect.Empty == ""
	parts.Show(b.text, !vm.Checks && whole)
	parts.Show(b.effects, !vm.Checks && !whole)
	parts.Show(b.list, vm.Checks)
	b.text.Set(vm.EffectText)
	b.effects.Set(vm.Effect)
	b.list.Set(vm.CheckList)
}
