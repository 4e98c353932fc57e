package shell

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/state"
)

// chooser is the dialog that opens a session: an entry that narrows the list of the
// home's sessions, or takes a folder, a file, SESSION#N.
type chooser struct {
	vm     state.ChooserVM
	shown  []state.ChooserRow // that fit what is typed
	cursor int                // of shown, -1 for none
	entry  *choosing
	list   *widget.List
	empty  *widget.Label
	open   func(name string)
	box    *widget.PopUp
}

// choosing is the entry of the chooser: arrows move in the list below it.
type choosing struct {
	widget.Entry
	move   func(by int)
	escape func()
}

// TypedKey implements fyne.Focusable.
func (e *choosing) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyDown:
		e.move(1)
	case fyne.KeyUp:
		e.move(-1)
	case fyne.KeyEscape:
		e.escape()
	default:
		e.Entry.TypedKey(k)
	}
}

// newChooser makes the dialog of [state.DialogSessions].
func newChooser(s *Shell, _ state.State) dialogBox {
	c := &chooser{cursor: -1, entry: &choosing{}, empty: widget.NewLabel("")}
	leave := func() { s.store.Dispatch(state.Escaped{}) }
	c.open = func(name string) { s.store.Dispatch(state.SessionChosen{Name: name}) }
	c.entry.ExtendBaseWidget(c.entry)
	c.entry.PlaceHolder = "A session's name, NAME#3 for its turn 3, a folder, or a .refscope file"
	c.entry.escape, c.entry.move = leave, c.move
	c.entry.OnChanged = func(string) { c.narrow() }
	c.entry.OnSubmitted = func(text string) {
		if c.cursor >= 0 && c.cursor < len(c.shown) {
			text = c.shown[c.cursor].Name
		}
		if text = strings.TrimSpace(text); text != "" {
			c.open(text)
		}
	}
	c.empty.Wrapping = fyne.TextWrapWord
	c.empty.Importance = widget.LowImportance
	c.list = widget.NewList(func() int { return len(c.shown) }, newSessionRow, c.fill)
	c.list.OnSelected = func(i widget.ListItemID) {
		c.list.UnselectAll()
		if i < len(c.shown) {
			c.open(c.shown[i].Name)
		}
	}
	then := func(id string) func() {
		return func() {
			leave()
			s.run(id)
		}
	}
	head := widget.NewLabelWithStyle("Open a session", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	buttons := container.NewHBox(widget.NewButton("Folder…", then("session.folder")), widget.NewButton("File…", then("session.file")), widget.NewButton("Close", leave))
	hint := widget.NewLabel("↑ ↓ choose, Enter opens, Esc leaves.")
	hint.Importance = widget.LowImportance
	body := container.NewBorder(container.NewVBox(head, c.entry), container.NewBorder(nil, nil, hint, buttons), nil, nil, container.NewStack(c.list, container.NewVBox(c.empty)))
	c.box = widget.NewModalPopUp(parts.Padded(8, 10, 14, 14, body), s.win.Canvas())
	size := s.win.Canvas().Size()
	c.box.Resize(fyne.NewSize(min(640, size.Width*0.8), min(520, size.Height*0.8)))
	return c
}

func (c *chooser) pop() *widget.PopUp    { return c.box }
func (c *chooser) first() fyne.Focusable { return c.entry }

// set shows what was listed.
func (c *chooser) set(st state.State) {
	vm := st.Sessions(time.Local)
	if vm.Equal(c.vm) {
		return
	}
	c.vm = vm
	c.empty.SetText(vm.Empty)
	parts.Show(c.empty, vm.Empty != "")
	c.narrow()
}

// narrow keeps the sessions whose name holds what is typed. What names no session of
// the list is opened as it is.
func (c *chooser) narrow() {
	c.shown = nil
	typed := strings.ToLower(strings.TrimSpace(c.entry.Text))
	for _, r := range c.vm.Rows {
		if strings.Contains(strings.ToLower(r.Name), typed) {
			c.shown = append(c.shown, r)
		}
	}
	c.cursor = -1
	if len(c.shown) > 0 {
		c.cursor = 0
	}
	c.point()
}

func (c *chooser) move(by int) {
	if len(c.shown) > 0 {
		c.cursor = min(max(c.cursor+by, 0), len(c.shown)-1)
		c.point()
	}
}

// point shows where the keyboard is.
func (c *chooser) point() {
	if c.cursor >= 0 {
		c.list.ScrollTo(c.cursor)
	}
	c.list.Refresh()
}

// newSessionRow is a row of the list: name, turns, time.
func newSessionRow() fyne.CanvasObject {
	name := widget.NewLabel("")
	name.Truncation = fyne.TextTruncateEllipsis
	turns, last := widget.NewLabel(""), widget.NewLabel("")
	last.Importance = widget.LowImportance
	return container.NewBorder(nil, nil, nil, container.NewHBox(turns, last), name)
}

func (c *chooser) fill(i widget.ListItemID, o fyne.CanvasObject) {
	if i >= len(c.shown) {
		return
	}
	r := c.shown[i]
	parts := o.(*fyne.Container).Objects
	name := parts[0].(*widget.Label)
	facts := parts[1].(*fyne.Container).Objects
	turns, last := facts[0].(*widget.Label), facts[1].(*widget.Label)
	name.TextStyle.Bold = r.Current
	title := "    " + r.Name
	if i == c.cursor {
		title = "›  " + r.Name
	}
	if r.Current {
		title += "  (in view)"
	}
	name.SetText(title)
	turns.Importance = widget.MediumImportance
	switch r.Tone {
	case state.ToneWarn:
		turns.Importance = widget.WarningImportance
	case state.ToneBad:
		turns.Importance = widget.DangerImportance
	}
	turns.SetText(r.Turns)
	last.SetText(r.Last)
	o.Refresh() // the texts have other widths
}
