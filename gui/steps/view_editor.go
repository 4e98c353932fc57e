package steps

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
)

// editor is the entry that steps are written in.
type editor struct {
	widget.Entry
	w       *parts.Window
	filling bool // the state is being shown: nobody writes
	offers  int  // how many suggestions there are
	marked  int  // the one that Tab takes
	mark    func(int)
	recall  bool // its text is a run of the history
	shift   bool
}

func newEditor(w *parts.Window, mark func(int)) *editor {
	e := &editor{w: w, mark: mark}
	e.MultiLine = true
	e.Wrapping = fyne.TextWrapOff
	e.TextStyle.Monospace = true
	e.PlaceHolder = "{\"click\": \"e12\"}\n\nor a list: [{…}, {…}]"
	e.ExtendBaseWidget(e)
	changed := func() {
		if !e.filling {
			w.Send(stepsEdited{Text: e.Text, Caret: e.caret()})
		}
	}
	e.OnChanged = func(string) { changed() }
	e.OnCursorChanged = changed
	return e
}

// caret is the place of the cursor in bytes.
func (e *editor) caret() int {
	at, rest := 0, e.Text
	for range e.CursorRow {
		line, more, ok := strings.Cut(rest, "\n")
		if !ok {
			return len(e.Text)
		}
		at, rest = at+len(line)+1, more
	}
	line, _, _ := strings.Cut(rest, "\n")
	for range e.CursorColumn {
		_, n := utf8.DecodeRuneInString(line)
		at, line = at+n, line[n:]
	}
	return at
}

// write puts a text in, with the caret in bytes.
func (e *editor) write(text string, caret int) {
	e.filling = true
	defer func() { e.filling = false }()
	e.SetText(text)
	before := text[:min(max(caret, 0), len(text))]
	e.CursorRow = strings.Count(before, "\n")
	e.CursorColumn = utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	e.Refresh()
}

// AcceptsTab keeps the Tab key while there is a suggestion to take. Else, and with Shift,
// Tab leaves the editor: the keyboard is never caught in here.
func (e *editor) AcceptsTab() bool { return e.offers > 0 && !e.shift }

// KeyDown follows the Shift key, which key events lack.
func (e *editor) KeyDown(k *fyne.KeyEvent) {
	if k.Name == desktop.KeyShiftLeft || k.Name == desktop.KeyShiftRight {
		e.shift = true
	}
	e.Entry.KeyDown(k)
}

// KeyUp: see KeyDown.
func (e *editor) KeyUp(k *fyne.KeyEvent) {
	if k.Name == desktop.KeyShiftLeft || k.Name == desktop.KeyShiftRight {
		e.shift = false
	}
	e.Entry.KeyUp(k)
}

// FocusLost forgets a Shift key that comes up elsewhere.
func (e *editor) FocusLost() {
	e.shift = false
	e.Entry.FocusLost()
}

// TypedKey implements fyne.Focusable.
func (e *editor) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyTab:
		if e.offers > 0 {
			e.w.Send(stepsCompleted{Index: e.marked})
		}
	case k.Name == fyne.KeyEscape:
		e.w.Escape()
	case k.Name == fyne.KeyUp && e.CursorRow == 0 && (e.Text == "" || e.recall):
		e.w.Send(stepsRecalled{By: -1})
	case k.Name == fyne.KeyDown && e.recall && e.CursorRow == strings.Count(e.Text, "\n"):
		e.w.Send(stepsRecalled{By: 1})
	case len(k.Name) > 1 && k.Name[0] == 'F' && e.w.Key != nil:
		e.w.Key(k)
	default:
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable. Ctrl+Space marks the next suggestion, and
// Ctrl+Enter runs, where no main menu takes it first.
func (e *editor) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok &&
		c.Modifier&(fyne.KeyModifierControl|fyne.KeyModifierShortcutDefault) != 0 {
		switch c.KeyName {
		case fyne.KeySpace:
			if e.offers > 0 {
				e.mark((e.marked + 1) % e.offers)
			}
			return
		case fyne.KeyReturn, fyne.KeyEnter:
			e.w.Run(CmdStepsRun)
			return
		}
	}
	e.Entry.TypedShortcut(s)
}
