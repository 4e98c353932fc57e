package sessions

import (
	"strings"
	"time"

	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View is the dialog that opens a session: an entry that narrows the list of the
// home's sessions, or takes a folder, a file, SESSION#N.
type View struct {
	vm    VM
	shown []RowVM // that fit what is typed
	*parts.Picker
}

// New makes the dialog.
func New(w *parts.Window) *View {
	v := &View{}
	v.Picker = parts.NewPicker("A session's name, NAME#3 for its turn 3, a folder, or a recording's file", v.narrow,
		func(row int, typed string) {
			typed = strings.TrimSpace(typed)
			switch {
			case row >= 0:
				w.Send(core.SessionChosen(v.shown[row].Name))
			case typed != "":
				w.Send(entered(typed))
			}
		}, w.Leave)
	then := func(id string) func() {
		return func() {
			w.Leave()
			w.Run(id)
		}
	}
	buttons := container.NewHBox(parts.NewPushButton("Folder…", false, then("session.folder"), w.Leave),
		parts.NewPushButton("File…", false, then("session.file"), w.Leave), parts.NewPushButton("Close", false, w.Leave,
			w.Leave))
	v.Dialog("Open a session", "Arrow keys choose, Enter opens, Esc leaves.", buttons)
	return v
}

// Show shows what was listed.
func (v *View) Show(s core.State) {
	vm := viewOf(s, time.Local)
	if vm.Equal(v.vm) {
		return
	}
	v.vm = vm
	v.Refill()
}

// narrow keeps the sessions whose name or title holds what is typed. What names no session of
// the list is opened as it is.
func (v *View) narrow(typed string) []parts.PickRow {
	v.shown = nil
	var rows []parts.PickRow
	typed = strings.TrimSpace(typed)
	for _, r := range v.vm.Rows {
		if !r.fits(typed) {
			continue
		}
		v.shown = append(v.shown, r)
		row := parts.PickRow{Title: r.Name, Bold: r.Current, Facts: []core.StatusItem{{Text: r.Turns, Tone: r.Tone},
			{Text: r.Size, Tone: core.ToneMuted}, {Text: r.Last, Tone: core.ToneMuted}}}
		if r.Current {
			row.Title += "  (in view)"
		}
		if r.Title != "" {
			row.Title += "  · " + r.Title
		}
		rows = append(rows, row)
	}
	v.SetEmpty(v.vm.Empty)
	if typed != "" && len(v.vm.Rows) > 0 {
		v.SetEmpty("No session in the list has that in its name or title. " +
			"Enter opens the folder, file or turn of this name.")
	}
	return rows
}
