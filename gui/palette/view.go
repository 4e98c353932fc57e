package palette

import (
	"cmp"

	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View is the dialog that finds a command and runs it.
type View struct {
	w     *parts.Window
	shown []Row
	*parts.Picker
}

// New makes the dialog.
func New(w *parts.Window) *View {
	p := &View{w: w}
	p.Picker = parts.NewPicker("What do you want to do?", p.narrow, func(row int, _ string) {
		if row >= 0 && p.shown[row].Enabled {
			w.Send(Chosen(p.shown[row].ID))
		}
	}, w.Leave)
	p.Fill()
	p.Dialog("Commands", "Arrow keys choose, Enter runs, Esc leaves. Greyed commands are unavailable.",
		container.NewHBox(parts.NewPushButton("Close", false, w.Leave, w.Leave)))
	return p
}

// Show leaves the list as it is until something is typed: rows do not move under a finger. A
// command that cannot be run any more then does nothing.
func (p *View) Show(core.State) {}

func (p *View) narrow(typed string) []parts.PickRow {
	p.shown = Rows(p.w.State(), typed)
	p.SetEmpty("")
	if len(p.shown) == 0 {
		p.SetEmpty("No command matches.")
	}
	rows := make([]parts.PickRow, len(p.shown))
	for i, r := range p.shown {
		row := parts.PickRow{Title: r.Title, Faint: !r.Enabled,
			Facts: []core.StatusItem{{Text: cmp.Or(r.Why, r.Menu), Tone: core.ToneMuted}}, Key: r.Key}
		if r.Checked {
			row.Title += "  (on)"
		}
		rows[i] = row
	}
	return rows
}
