package app

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/sessions"
)

// chooser is the dialog that opens a session: an entry that narrows the list of the
// home's sessions, or takes a folder, a file, SESSION#N.
type chooser struct {
	vm    sessions.VM
	shown []sessions.RowVM // that fit what is typed
	pick  *parts.Picker
	box   *widget.PopUp
}

// newChooser makes the dialog of [core.DialogSessions].
func newChooser(s *Shell, _ core.State) dialogBox {
	c := &chooser{}
	leave := func() { s.store.Dispatch(core.Escaped{}) }
	c.pick = parts.NewPicker("A session's name, NAME#3 for its turn 3, a folder, or a .refscope file", c.narrow, func(row int, typed string) {
		if row >= 0 {
			typed = c.shown[row].Name
		}
		if typed = strings.TrimSpace(typed); typed != "" {
			s.store.Dispatch(core.SessionChosen{Name: typed})
		}
	}, leave)
	then := func(id string) func() {
		return func() {
			leave()
			s.run(id)
		}
	}
	buttons := container.NewHBox(parts.NewPushButton("Folder…", false, then("session.folder"), leave),
		parts.NewPushButton("File…", false, then("session.file"), leave), parts.NewPushButton("Close", false, leave, leave))
	c.box = pickDialog(s, "Open a session", "Arrow keys choose, Enter opens, Esc leaves.", buttons, c.pick)
	return c
}

// pickDialog lays a picker out as a dialog.
func pickDialog(s *Shell, title, hint string, buttons fyne.CanvasObject, p *parts.Picker) *widget.PopUp {
	head := widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	words := widget.NewLabel(hint)
	words.Importance = widget.LowImportance
	body := container.NewBorder(container.NewVBox(head, p.Entry), container.NewBorder(nil, nil, words, buttons), nil, nil, p.List)
	box := widget.NewModalPopUp(parts.Padded(8, 10, 14, 14, body), s.win.Canvas())
	size := s.win.Canvas().Size()
	box.Resize(fyne.NewSize(min(640, size.Width*0.8), min(520, size.Height*0.8)))
	return box
}

func (c *chooser) pop() *widget.PopUp    { return c.box }
func (c *chooser) first() fyne.Focusable { return c.pick.Entry }

// set shows what was listed.
func (c *chooser) set(st core.State) {
	vm := sessions.ViewOf(st, time.Local)
	if vm.Equal(c.vm) {
		return
	}
	c.vm = vm
	c.pick.SetEmpty(vm.Empty)
	c.pick.Fill()
}

// narrow keeps the sessions whose name holds what is typed. What names no session of
// the list is opened as it is.
func (c *chooser) narrow(typed string) []parts.PickRow {
	c.shown = nil
	var rows []parts.PickRow
	typed = strings.ToLower(strings.TrimSpace(typed))
	for _, r := range c.vm.Rows {
		if !strings.Contains(strings.ToLower(r.Name), typed) {
			continue
		}
		c.shown = append(c.shown, r)
		row := parts.PickRow{Title: r.Name, Bold: r.Current, Facts: []core.StatusItem{{Text: r.Turns, Tone: r.Tone}, {Text: r.Last, Tone: core.ToneMuted}}}
		if r.Current {
			row.Title += "  (in view)"
		}
		rows = append(rows, row)
	}
	return rows
}
