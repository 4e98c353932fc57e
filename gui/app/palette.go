package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/palette"
	"github.com/refscope/refscope/gui/parts"
)

// palette is the dialog that finds a command and runs it.
type paletteDialog struct {
	find  func(typed string) []palette.Row
	shown []palette.Row
	pick  *parts.Picker
	box   *widget.PopUp
}

// newPalette makes the dialog of [core.DialogPalette].
func newPalette(s *Shell, _ core.State) dialogBox {
	p := &paletteDialog{find: func(typed string) []palette.Row { return palette.Rows(s.store.State(), typed) }}
	leave := func() { s.store.Dispatch(core.Escaped{}) }
	p.pick = parts.NewPicker("What do you want to do?", p.narrow, func(row int, _ string) {
		if row >= 0 && p.shown[row].Enabled {
			s.store.Dispatch(palette.Chosen{ID: p.shown[row].ID})
		}
	}, leave)
	p.pick.Fill()
	p.box = pickDialog(s, "Commands", "Arrow keys choose, Enter runs, Esc leaves. Greyed commands are unavailable.",
		container.NewHBox(parts.NewPushButton("Close", false, leave, leave)), p.pick)
	return p
}

func (p *paletteDialog) pop() *widget.PopUp    { return p.box }
func (p *paletteDialog) first() fyne.Focusable { return p.pick.Entry }

// set leaves the list as it is until something is typed: rows do not move under a finger. A
// command that cannot be run any more then does nothing.
func (p *paletteDialog) set(core.State) {}

func (p *paletteDialog) narrow(typed string) []parts.PickRow {
	p.shown = p.find(typed)
	p.pick.SetEmpty("")
	if len(p.shown) == 0 {
		p.pick.SetEmpty("No command matches.")
	}
	rows := make([]parts.PickRow, len(p.shown))
	for i, r := range p.shown {
		row := parts.PickRow{Title: r.Title, Faint: !r.Enabled, Facts: []core.StatusItem{{Text: r.Menu, Tone: core.ToneMuted}}, Key: r.Key}
		if r.Checked {
			row.Title += "  (on)"
		}
		rows[i] = row
	}
	return rows
}
