package export

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View is the export dialog: a box to tick for each item.
type View struct {
	checks  map[Export]*parts.Check
	write   *parts.PushButton
	marks   *parts.PushButton // the options of the marked picture
	filling bool              // the state is being shown: nobody ticked
	box     fyne.CanvasObject
	all     fyne.Size // what it takes with all in view
}

// New makes the dialog.
func New(w *parts.Window) *View {
	x := &View{checks: map[Export]*parts.Check{}}
	groups := exports(w.State())
	columns := container.NewHBox()
	for i, list := range [][]int{{0, 3}, {1}, {2, 4}} { // pictures over the session, texts, payloads over the findings
		column := container.NewVBox()
		for _, g := range list {
			column.Add(parts.Head(groups[g].Title))
			for _, r := range groups[g].Rows {
				c := parts.NewCheck(r.Title, func(on bool) {
					if !x.filling {
						w.Send(exportTicked{Export: r.Export, On: on})
					}
				}, w.Leave)
				x.checks[r.Export] = c
				column.Add(c)
			}
		}
		columns.Add(parts.Padded(0, 0, float32(min(i, 1)*26), 0, column))
	}
	x.write = parts.NewPushButton("", true, func() { w.Send(exportsConfirmed()) }, w.Leave)
	x.marks = parts.NewPushButton("Options of the marked picture…", false, func() { w.Run(CmdMarked) }, w.Leave)
	hint := parts.Hint("Tab moves, Space ticks, Enter exports, Esc leaves. Copies are in the Edit menu.")
	foot := container.NewVBox(hint, parts.Border(nil, nil, x.marks,
		container.NewHBox(parts.NewPushButton("Close", false, w.Leave, w.Leave), x.write)))
	body := container.NewVScroll(columns)
	x.box = parts.Border(parts.Head("Export"), foot, nil, nil, body)
	x.write.Submits(x.box)
	x.all = x.box.MinSize().AddWidthHeight(0, columns.MinSize().Height-body.MinSize().Height)
	return x
}

// Size is how large the dialog is in a window: the buttons stay in view in a low one.
func (x *View) Size(window fyne.Size) fyne.Size {
	return fyne.NewSize(x.all.Width, min(x.all.Height+dialogEdges, window.Height))
}

// dialogEdges is the room above and below what a dialog holds, in Fyne units.
const dialogEdges = 18

// Object returns the object to lay out, Focus the one that gets the keyboard.
func (x *View) Object() fyne.CanvasObject { return x.box }
func (x *View) Focus() fyne.Focusable     { return x.write }

// Show shows what is picked.
func (x *View) Show(s core.State) {
	x.filling = true
	defer func() { x.filling = false }()
	n := 0
	for _, g := range exports(s) {
		for _, r := range g.Rows {
			c := x.checks[r.Export]
			c.SetChecked(r.On && r.Can)
			parts.Enable(c, r.Can)
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
	parts.Enable(x.write, n > 0)
	parts.Enable(x.marks, CanExport(s, Export{Kind: ExportMarked}))
}
