package changes

import (
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// BaseView is the dialog that asks which turn to compare with.
type BaseView struct {
	w    *parts.Window
	rows []BaseRow
	*parts.Picker
}

// NewBase makes the dialog.
func NewBase(w *parts.Window) *BaseView {
	v := &BaseView{w: w}
	v.Picker = parts.NewPicker("A number, an action, a page, or SESSION#N", v.narrow, func(row int, _ string) {
		if row >= 0 && row < len(v.rows) {
			w.Send(basePicked{v.rows[row].Base})
		}
	}, w.Leave)
	v.Fill()
	v.Dialog("Compare the turn in view with", "Arrow keys choose, Enter compares, Esc leaves. "+
		"Changes, pictures, texts and findings then start from that turn.",
		container.NewHBox(parts.NewPushButton("Close", false, w.Leave, w.Leave)))
	return v
}

// Show leaves the list as it is until something is typed: rows do not move under a finger.
func (v *BaseView) Show(core.State) {}

func (v *BaseView) narrow(typed string) []parts.PickRow {
	v.rows = baseRows(v.w.State(), typed)
	v.SetEmpty("")
	if len(v.rows) == 0 {
		v.SetEmpty("No turn fits. SESSION#N names one of another session, by its name, folder or file.")
	}
	rows := make([]parts.PickRow, len(v.rows))
	for i, r := range v.rows {
		rows[i] = parts.PickRow{Title: r.Title, Bold: r.On}
	}
	return rows
}
