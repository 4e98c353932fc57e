package profile

import (
	"sort"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Editor is the entry with the text of the profile. Undo and redo are the state's, so that they also
// take back what came from elsewhere: a restored version, a merged text, a section.
type Editor struct {
	widget.Entry
	given   int // of the text that it was given last
	filling bool
	undo    func(redo bool)
	escape  func()
	key     func(*fyne.KeyEvent)
}

// AccessibilityLabel implements fyne.Accessible.
func (e *Editor) AccessibilityLabel() string { return "Text of the profile" }

// AccessibilityRole implements fyne.Accessible.
func (e *Editor) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

func newEditor() *Editor {
	e := &Editor{given: -1}
	e.MultiLine, e.Wrapping = true, fyne.TextWrapWord
	e.TextStyle.Monospace = true
	e.PlaceHolder = "Write markdown here."
	e.ExtendBaseWidget(e)
	return e
}

// fill sets the editor's text and puts the cursor at a byte of it.
func (e *Editor) fill(text string, given, cursor int) {
	e.given = given
	if e.Text != text {
		e.filling = true
		e.SetText(text)
		e.filling = false
	}
	e.goTo(cursor)
}

// goTo moves the cursor to a byte of the text. Lines are wrapped, so the row of a byte
// is found by asking the entry for the place of rows.
func (e *Editor) goTo(cursor int) {
	cursor = min(max(cursor, 0), len(e.Text))
	want := utf8.RuneCountInString(e.Text[:cursor])
	at := func(row int) int {
		e.CursorRow, e.CursorColumn = row, 0
		return e.CursorTextOffset()
	}
	// Fyne places a row beyond the last at 0, so the rows are counted first.
	rows := sort.Search(strings.Count(e.Text, "\n")+len(e.Text)+2, func(row int) bool {
		return row > 0 && at(row) == 0
	})
	row := max(0, sort.Search(rows, func(row int) bool { return at(row) > want })-1)
	begin := at(row)
	e.CursorRow, e.CursorColumn = row, want-begin
	e.Refresh()
}

// line is the line of the text that the cursor is in, from 1.
func (e *Editor) line() int {
	n, line := e.CursorTextOffset(), 1
	for _, r := range e.Text {
		if n--; n < 0 {
			break
		}
		if r == '\n' {
			line++
		}
	}
	return line
}

// TypedKey implements fyne.Focusable.
func (e *Editor) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyEscape:
		e.escape()
	case len(k.Name) >= 2 && k.Name[0] == 'F':
		e.key(k)
	default:
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (e *Editor) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *desktop.CustomShortcut: // the entry does not know Ctrl+Home and Ctrl+End
		switch {
		case s.Modifier == fyne.KeyModifierShortcutDefault && s.KeyName == fyne.KeyHome:
			e.goTo(0)
		case s.Modifier == fyne.KeyModifierShortcutDefault && s.KeyName == fyne.KeyEnd:
			e.goTo(len(e.Text))
		default:
			e.Entry.TypedShortcut(s)
		}
	case *fyne.ShortcutUndo:
		e.undo(false)
	case *fyne.ShortcutRedo:
		e.undo(true)
	default:
		e.Entry.TypedShortcut(s)
	}
}
