package profile

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	pagetext "github.com/refscope/refscope/snapshot/text"
)

// below is what stands under the editor: the effect on the turn, or the checks.
type below struct {
	effect, checks, all *parts.Chip
	bar                 *parts.Facts
	text                *text.View
	list                *rows
	sound               *widget.RichText
	scroll, calm        fyne.CanvasObject
	line                *parts.Fill
	rows                []Row
	barAt, top, box     *fyne.Container
}

func newBelow(on Callbacks) *below {
	b := &below{bar: parts.NewFacts(false, 12), text: text.New(on.Text), line: parts.NewHairline(), sound: parts.NewEmpty()}
	b.effect = parts.NewChip(parts.Tab, "Effect", func() { on.Send(ChecksToggled{On: false}) })
	b.checks = parts.NewChip(parts.Tab, "Checks", func() { on.Send(ChecksToggled{On: true}) })
	b.all = parts.NewChip(parts.Toggle, "All lines", func() { on.Run(CmdProfileWhole) })
	b.list = newRows(func(i int) {
		if i < len(b.rows) {
			on.Send(Jumped{Line: b.rows[i].Line})
		}
	})
	b.list.escape, b.list.key = on.Escape, on.Key
	b.scroll = container.NewVScroll(b.list)
	b.calm = parts.Padded(20, 0, 24, 24, b.sound)
	b.barAt = parts.Padded(2, 4, 12, 12, b.bar)
	b.top = container.NewVBox(b.line.Rectangle, parts.Padded(0, 0, 6, 8, container.NewBorder(nil, nil, container.NewHBox(b.effect, b.checks), container.New(parts.Slim{}, b.all))),
		b.barAt)
	b.box = container.NewBorder(b.top, nil, nil, nil, container.NewStack(b.text, b.scroll, b.calm))
	b.line.Recolour(fyne.CurrentApp().Settings().Theme())
	return b
}

func (b *below) set(vm VM) {
	tag := "Checks"
	var list []Row
	if vm.Check != nil {
		list = vm.Check.Rows
		if vm.Check.Problems > 0 {
			tag += " · " + pagetext.Count(vm.Check.Problems, "remark", "remarks")
		}
		parts.SayEmpty(b.sound, "Nothing is wrong with the text, and it has no rules to try.")
	} else {
		parts.SayEmpty(b.sound, "Reading the text…")
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
	parts.Show(b.text, !vm.Checks)
	parts.Show(b.scroll, vm.Checks && len(list) > 0)
	parts.Show(b.calm, vm.Checks && len(list) == 0)
	b.text.Set(vm.Effect)
	b.rows = list
	b.list.set(checkRows(list))
}
