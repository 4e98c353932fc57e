package parts

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts/edit"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// Editor is a field for long texts: lines wrap between words, only the rows in view are drawn, and a key costs the same
// at each place of the text. Its cursor does not blink, so a text that nobody writes in costs nothing. Set its fields
// before it is shown.
type Editor struct {
	widget.BaseWidget
	// Label says what text it is, Hint what to write where there is none.
	Label, Hint string
	// Changed: a person wrote; Moved: the cursor is elsewhere.
	Changed func(text string)
	Moved   func()
	// Undo takes the newest change back, or with redo makes it again: the state knows the changes.
	Undo func(redo bool)
	// Escape leaves the editor; Key gets the function keys.
	Escape func()
	Key    func(*fyne.KeyEvent)

	text    *edit.Text
	whole   string // of text
	sheet   *sheet
	scroll  *container.Scroll
	focused bool
	shift   bool
	cell    float32            // width of a character of ASCII
	row     float32            // height of a row
	widths  map[string]float32 // of characters beyond ASCII
}

var (
	_ fyne.Tabbable      = (*Editor)(nil)
	_ fyne.Shortcutable  = (*Editor)(nil)
	_ desktop.Keyable    = (*Editor)(nil)
	_ fyne.Accessible    = (*Editor)(nil)
	_ desktop.Mouseable  = (*sheet)(nil)
	_ desktop.Cursorable = (*sheet)(nil)
	_ fyne.Draggable     = (*sheet)(nil)
)

// NewEditor makes an empty editor.
func NewEditor() *Editor {
	e := &Editor{text: edit.New(""), widths: map[string]float32{}, Changed: func(string) {}, Moved: func() {},
		Undo: func(bool) {}, Escape: func() {}, Key: func(*fyne.KeyEvent) {}}
	e.sheet = &sheet{e: e}
	e.sheet.ExtendBaseWidget(e.sheet)
	e.scroll = container.NewVScroll(e.sheet)
	e.scroll.OnScrolled = func(fyne.Position) { e.sheet.Refresh() }
	e.ExtendBaseWidget(e)
	return e
}

// AccessibilityLabel implements fyne.Accessible.
func (e *Editor) AccessibilityLabel() string { return e.Label }

// AccessibilityRole implements fyne.Accessible.
func (e *Editor) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// Text is the text.
func (e *Editor) Text() string { return e.whole }

// Line is the line that the cursor is in, from 1.
func (e *Editor) Line() int { return e.text.Cursor().Line + 1 }

// Offset is the byte of the text that the cursor is at.
func (e *Editor) Offset() int { return e.text.Offset(e.text.Cursor()) }

// Fill gives the editor a text that nobody wrote in it, with the cursor at a byte of it.
func (e *Editor) Fill(text string, cursor int) {
	if text != e.whole {
		e.whole = text
		e.text.Set(text)
	}
	e.text.GoTo(e.text.At(cursor), false)
	e.moved()
}

// GoToLine moves the cursor to a line, from 1.
func (e *Editor) GoToLine(line int) {
	e.text.GoTo(edit.Place{Line: line - 1}, false)
	e.moved()
}

// moved shows the cursor, where it is now.
func (e *Editor) moved() {
	e.scroll.Refresh() // the text may have another height
	e.reveal()
	e.sheet.Refresh()
	e.Moved()
}

// reveal scrolls as far as it takes to have the cursor in view.
func (e *Editor) reveal() {
	top, bottom := e.cursorRow()
	switch high := e.scroll.Size().Height; {
	case high <= 0: // not laid out yet
	case top < e.scroll.Offset.Y:
		e.scroll.ScrollToOffset(fyne.NewPos(0, top))
	case bottom > e.scroll.Offset.Y+high:
		e.scroll.ScrollToOffset(fyne.NewPos(0, bottom-high))
	}
}

// cursorRow is where the cursor's row begins and ends, with the air around the text.
func (e *Editor) cursorRow() (top, bottom float32) {
	top = float32(e.text.Row(e.text.Cursor())) * e.row
	return top, top + e.row + 2*sheetPad
}

// inView reports whether the cursor is in view.
func (e *Editor) inView() bool {
	top, bottom := e.cursorRow()
	return top < e.scroll.Offset.Y+e.scroll.Size().Height && bottom > e.scroll.Offset.Y
}

// wrote tells of a change that a person made.
func (e *Editor) wrote() {
	e.whole = e.text.String()
	e.moved()
	e.Changed(e.whole)
}

func (e *Editor) insert(text string) {
	e.text.Insert(text)
	e.wrote()
}

// remove takes the selection out, or what a move leads over.
func (e *Editor) remove(m edit.Move) {
	if e.text.Delete(m) {
		e.wrote()
	}
}

func (e *Editor) move(m edit.Move, extend bool) {
	e.text.Move(m, extend)
	e.moved()
}

// page is how many rows are in view, but one.
func (e *Editor) page() int { return max(1, int(e.scroll.Size().Height/max(1, e.row))-1) }

// FocusGained and FocusLost show and hide the cursor.
func (e *Editor) FocusGained() { e.focused = true; e.Refresh() }

// FocusLost: see FocusGained.
func (e *Editor) FocusLost() { e.focused, e.shift = false, false; e.Refresh() }

// AcceptsTab keeps the Tab key; with Shift it leaves, as Esc does, so the keyboard is never caught.
func (e *Editor) AcceptsTab() bool { return !e.shift }

// KeyDown and KeyUp follow the Shift key, which key events lack.
func (e *Editor) KeyDown(k *fyne.KeyEvent) { e.follow(k.Name, true) }

// KeyUp: see KeyDown.
func (e *Editor) KeyUp(k *fyne.KeyEvent) { e.follow(k.Name, false) }

func (e *Editor) follow(k fyne.KeyName, down bool) {
	if k == desktop.KeyShiftLeft || k == desktop.KeyShiftRight {
		e.shift = down
	}
}

// TypedRune implements fyne.Focusable.
func (e *Editor) TypedRune(r rune) { e.insert(string(r)) }

// ways are the keys that move the cursor, those with Ctrl apart.
var (
	ways = map[fyne.KeyName]edit.Move{fyne.KeyLeft: edit.Left, fyne.KeyRight: edit.Right, fyne.KeyUp: edit.Up,
		fyne.KeyDown: edit.Down, fyne.KeyHome: edit.Home, fyne.KeyEnd: edit.End}
	farWays = map[fyne.KeyName]edit.Move{fyne.KeyLeft: edit.WordLeft, fyne.KeyRight: edit.WordRight,
		fyne.KeyHome: edit.First, fyne.KeyEnd: edit.Last}
)

// TypedKey implements fyne.Focusable.
func (e *Editor) TypedKey(k *fyne.KeyEvent) {
	if m, ok := ways[k.Name]; ok {
		e.move(m, e.shift)
		return
	}
	switch k.Name {
	case fyne.KeyPageUp, fyne.KeyPageDown:
		by := e.page()
		if k.Name == fyne.KeyPageUp {
			by = -by
		}
		e.text.Down(by, e.shift)
		e.moved()
	case fyne.KeyReturn, fyne.KeyEnter:
		e.insert("\n")
	case fyne.KeyTab: // to the next even column, as lists are indented
		at := e.text.Cursor()
		n := utf8.RuneCountInString(e.text.Line(at.Line)[:at.Byte])
		e.insert("  "[n%2:])
	case fyne.KeyBackspace:
		e.remove(edit.Left)
	case fyne.KeyDelete:
		e.remove(edit.Right)
	case fyne.KeyEscape:
		e.Escape()
	default:
		if len(k.Name) >= 2 && k.Name[0] == 'F' {
			e.Key(k)
		}
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (e *Editor) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		e.copy(s.Clipboard)
	case *fyne.ShortcutCut:
		e.cut(s.Clipboard)
	case *fyne.ShortcutPaste:
		e.paste(s.Clipboard)
	case *fyne.ShortcutSelectAll:
		e.selectAll()
	case *fyne.ShortcutUndo:
		e.Undo(false)
	case *fyne.ShortcutRedo:
		e.Undo(true)
	case *desktop.CustomShortcut:
		extend := s.Modifier&fyne.KeyModifierShift != 0
		m, moves := farWays[s.KeyName]
		switch {
		case s.Modifier&^fyne.KeyModifierShift != fyne.KeyModifierShortcutDefault:
		case moves:
			e.move(m, extend)
		case s.KeyName == fyne.KeyBackspace:
			e.remove(edit.WordLeft)
		case s.KeyName == fyne.KeyDelete:
			e.remove(edit.WordRight)
		case s.KeyName == fyne.KeyZ && extend:
			e.Undo(true)
		}
	}
}

func (e *Editor) copy(c fyne.Clipboard) {
	if s := e.text.Selected(); s != "" {
		c.SetContent(s)
	}
}

func (e *Editor) cut(c fyne.Clipboard) {
	if s := e.text.Selected(); s != "" {
		c.SetContent(s)
		e.insert("")
	}
}

func (e *Editor) paste(c fyne.Clipboard) {
	if s := c.Content(); s != "" {
		e.insert(s)
	}
}

func (e *Editor) selectAll() {
	e.text.Move(edit.First, false)
	e.text.Move(edit.Last, true)
	e.sheet.Refresh() // what is in view stays
	e.Moved()
}

// CreateRenderer implements fyne.Widget.
func (e *Editor) CreateRenderer() fyne.WidgetRenderer {
	r := &editorRenderer{e: e, ground: canvas.NewRectangle(nil), edge: canvas.NewRectangle(nil)}
	r.edge.StrokeWidth = 1
	r.edge.CornerRadius, r.ground.CornerRadius = 3, 3
	r.Refresh()
	return r
}

type editorRenderer struct {
	e            *Editor
	ground, edge *canvas.Rectangle
}

func (r *editorRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.edge.Resize(size)
	r.e.scroll.Resize(size)
}

func (r *editorRenderer) MinSize() fyne.Size { return fyne.NewSize(80, 60) }

func (r *editorRenderer) Refresh() {
	r.ground.FillColor = theme.RGBA(r.e.Theme(), fynetheme.ColorNameInputBackground)
	edge := fynetheme.ColorNameInputBorder
	if r.e.focused {
		edge = theme.ColorAccent
	}
	r.edge.StrokeColor = theme.RGBA(r.e.Theme(), edge)
	canvas.Refresh(r.ground)
	canvas.Refresh(r.edge)
	r.e.sheet.Refresh()
}

func (r *editorRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.e.scroll, r.edge}
}

func (*editorRenderer) Destroy() {}

// drawn is a piece of a row as it is drawn: tabs are spaces, and what cannot be seen has a sign.
func drawn(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] < 0x7f
	}
	if plain {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case text.Invisible(r) && !text.Joiner(r):
			return utf8.RuneError
		}
		return r
	}, strings.ReplaceAll(s, "\t", "    "))
}

// measure is how wide a piece of a row is drawn.
func (e *Editor) measure(s string) float32 {
	s = drawn(s)
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			continue
		}
		if w, ok := e.widths[s]; ok {
			return w
		}
		w := fyne.MeasureText(s, e.Theme().Size(fynetheme.SizeNameText), fyne.TextStyle{Monospace: true}).Width
		if utf8.RuneCountInString(s) == 1 {
			e.widths[s] = w
		}
		return w
	}
	return float32(len(s)) * e.cell
}

// measureRows takes the sizes of the theme over and lays the text out in a width.
func (e *Editor) measureRows(width float32) {
	const many = 64
	size := fyne.MeasureText(strings.Repeat("x", many), e.Theme().Size(fynetheme.SizeNameText),
		fyne.TextStyle{Monospace: true})
	e.cell, e.row = size.Width/many, size.Height+1
	clear(e.widths)
	e.text.Wrap(width, e.measure)
}
