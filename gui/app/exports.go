package app

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/parts"
)

// exports is the dialog that hands things out: a box to tick for each.
type exports struct {
	checks  map[export.Export]*parts.Check
	write   *parts.PushButton
	filling bool // the state is being shown: nobody ticked
	box     *widget.PopUp
}

// newExports makes the dialog of [core.DialogExport].
func newExports(s *Shell, st core.State) dialogBox {
	x := &exports{checks: map[export.Export]*parts.Check{}}
	leave := func() { s.store.Dispatch(core.Escaped{}) }
	groups := export.Exports(st)
	columns := container.NewHBox()
	for i, list := range [][]int{{0, 3}, {1}, {2}} { // pictures over the session, texts, payloads
		column := container.NewVBox()
		for _, g := range list {
			column.Add(widget.NewLabelWithStyle(groups[g].Title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
			for _, r := range groups[g].Rows {
				c := parts.NewCheck(r.Title, func(on bool) {
					if !x.filling {
						s.store.Dispatch(export.ExportTicked{Export: r.Export, On: on})
					}
				}, leave)
				x.checks[r.Export] = c
				column.Add(c)
			}
		}
		columns.Add(parts.Padded(0, 0, float32(min(i, 1)*26), 0, column))
	}
	x.write = parts.NewPushButton("", true, func() { s.store.Dispatch(export.ExportsConfirmed{}) }, leave)
	marks := parts.NewPushButton("Choices of the marked picture…", false, func() { s.run(export.CmdMarked) }, leave)
	hint := widget.NewLabel("Tab moves, Space ticks, Enter exports, Esc leaves. Copies are in the Edit menu.")
	hint.Importance = widget.LowImportance
	head := widget.NewLabelWithStyle("Export", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	foot := container.NewVBox(hint, container.NewBorder(nil, nil, marks, container.NewHBox(parts.NewPushButton("Close", false, leave, leave), x.write)))
	x.box = widget.NewModalPopUp(parts.Padded(8, 10, 14, 14, container.NewBorder(head, foot, nil, nil, columns)), s.win.Canvas())
	return x
}

func (x *exports) pop() *widget.PopUp    { return x.box }
func (x *exports) first() fyne.Focusable { return x.write }

// set shows what is picked.
func (x *exports) set(st core.State) {
	x.filling = true
	defer func() { x.filling = false }()
	n := 0
	for _, g := range export.Exports(st) {
		for _, r := range g.Rows {
			c := x.checks[r.Export]
			c.SetChecked(r.On && r.Can)
			enable(c, r.Can)
			if r.On && r.Can {
				n++
			}
		}
	}
	text := "Export…"
	if n > 1 {
		text = fmt.Sprintf("Export %d files…", n)
	}
	if x.write.Text != text {
		x.write.SetText(text)
	}
	enable(x.write, n > 0)
}
