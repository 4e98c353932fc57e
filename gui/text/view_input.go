package text

import (
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/snapshot/dump"
	words "github.com/refscope/refscope/snapshot/text"
)

// Scrolled moves the text. With Shift a wheel that only turns one way moves it
// sideways.
func (v *View) Scrolled(e *fyne.ScrollEvent) {
	dx, dy := float64(e.Scrolled.DX), float64(e.Scrolled.DY)
	if v.shift && dx == 0 {
		dx, dy = dy, 0
	}
	v.scrollTo(v.offX-dx, v.offY-dy)
}

func (v *View) scrollTo(x, y float64) {
	oldX, oldY := v.offX, v.offY
	v.offX, v.offY = x, y
	v.clamp()
	if v.offX != oldX || v.offY != oldY {
		v.Refresh()
	}
}

// Tapped chooses the line, or extends the range to it with Shift.
func (v *View) Tapped(e *fyne.PointEvent) {
	v.takeFocus()
	if v.barAt(e.Position) != grabNone {
		return
	}
	line := v.lineAt(e.Position.Y)
	if line < 0 {
		return
	}
	if v.overFold(line, e.Position.X) {
		v.on.Fold(line)
		return
	}
	if v.shift && v.cursor >= 0 {
		v.setRange(v.cursor, line)
		return
	}
	v.chooseAt(line, v.byteAt(line, e.Position.X))
}

// byteAt is the byte of a line under a place in the widget, -1 where there is no
// text.
func (v *View) byteAt(line int, x float32) int {
	m := v.metrics()
	px := int(math.Round((float64(x)+v.offX)*v.scale)) - m.gutter
	if px < 0 || v.face == nil || len(v.ix.cells[line]) == 0 {
		return -1 // only cells ask
	}
	return byteOf(v.runs(line), px/m.cell)
}

// runs is a line in its columns.
func (v *View) runs(line int) []run {
	text := v.ix.text(line)
	runs, _ := layoutLine(text, tokenize(v.vm.Doc.Format, text, nil), v.face.Has, v.measure, nil)
	return runs
}

// TappedSecondary drops down what can be done with the line, or with the range that it is in.
func (v *View) TappedSecondary(e *fyne.PointEvent) {
	v.takeFocus()
	line := v.lineAt(e.Position.Y)
	if line < 0 {
		return
	}
	if line < v.from || line >= v.to {
		v.choose(line)
	}
	parts.PopUp(v, e.AbsolutePosition,
		fyne.NewMenuItem("Copy "+words.Count(max(1, v.to-v.from), "line", "lines"), v.copy),
		fyne.NewMenuItem("Select all lines", v.selectAll))
}

// choose makes a line the chosen one, gives up the range and reports it.
func (v *View) choose(line int) { v.chooseAt(line, -1) }

// chooseAt is choose for a click on a byte of the line.
func (v *View) chooseAt(line, at int) {
	v.cursor, v.anchor, v.from, v.to = line, -1, 0, 0
	v.Refresh()
	if v.on.Select != nil {
		v.on.Select(line, v.ix.info(line, at))
	}
}

func (v *View) lineInfo(line int) dump.Line { return v.ix.doc.Lines[line] }

// setRange selects the lines from a to b, whichever comes first, both included.
func (v *View) setRange(a, b int) {
	if a > b {
		a, b = b, a
	}
	v.from, v.to = a, b+1
	v.Refresh()
}

// MouseDown takes hold of a scroll bar's thumb, or begins a range.
func (v *View) MouseDown(e *desktop.MouseEvent) {
	v.takeFocus() // first: it forgets what is held down
	v.shift = e.Modifier&fyne.KeyModifierShift != 0
	if e.Button == desktop.MouseButtonSecondary {
		return
	}
	v.grab, v.anchor = v.barAt(e.Position), -1
	switch v.grab {
	case grabV, grabH:
		v.takeThumb(e.Position)
	default:
		v.grab = grabText
		v.anchor = v.lineAt(e.Position.Y)
	}
}

// MouseUp ends what MouseDown began.
func (v *View) MouseUp(*desktop.MouseEvent) { v.grab = grabNone }

// Dragged moves the thumb, or grows the range and scrolls at the edges.
func (v *View) Dragged(e *fyne.DragEvent) {
	switch v.grab {
	case grabV, grabH:
		v.dragThumb(e.Position)
		return
	case grabNone:
		v.grab = grabText
		v.anchor = v.lineAt(e.Position.Y - e.Dragged.DY)
	}
	if v.anchor < 0 {
		return
	}
	h := v.Size().Height
	switch {
	case e.Position.Y < 0:
		v.scrollTo(v.offX, v.offY-math.Max(v.rowHeight(), float64(-e.Position.Y)/4))
	case e.Position.Y > h:
		v.scrollTo(v.offX, v.offY+math.Max(v.rowHeight(), float64(e.Position.Y-h)/4))
	}
	y := float32(math.Max(0, math.Min(float64(e.Position.Y), float64(h)-1)))
	line := v.lineAt(y)
	if line < 0 {
		line = v.ix.folds.Line(v.ix.rows() - 1)
	}
	v.setRange(v.anchor, line)
}

// DragEnd ends a drag.
func (v *View) DragEnd() { v.grab = grabNone }

// MouseIn and MouseMoved tint the line under the pointer and report its ref.
func (v *View) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }

// MouseMoved: see MouseIn.
func (v *View) MouseMoved(e *desktop.MouseEvent) {
	line := v.lineAt(e.Position.Y)
	if v.barAt(e.Position) != grabNone {
		line = -1
	}
	v.setHovered(line)
}

// MouseOut ends the tint.
func (v *View) MouseOut() { v.setHovered(-1) }

func (v *View) setHovered(line int) {
	if ref := v.ix.ref(line); ref != v.pointed && v.on.Hover != nil {
		v.pointed = ref
		v.on.Hover(ref)
	}
}

func (v *View) takeFocus() { parts.TakeFocus(v, v.focused) }

// FocusGained shows the focus ring.
func (v *View) FocusGained() { v.focused = true; v.Refresh() }

// FocusLost hides it.
func (v *View) FocusLost() { v.focused, v.shift = false, false; v.Refresh() }

// KeyDown and KeyUp follow the Shift key, which key events lack.
func (v *View) KeyDown(e *fyne.KeyEvent) { v.on.Follow(e.Name, true, &v.shift) }

// KeyUp: see KeyDown.
func (v *View) KeyUp(e *fyne.KeyEvent) { v.on.Follow(e.Name, false, &v.shift) }

// TypedRune passes characters on.
func (v *View) TypedRune(r rune) { v.on.PassRune(r) }

// TypedKey moves the chosen line, or passes the key on.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	n := v.ix.lines()
	page := max(1, int(float64(v.Size().Height)/v.rowHeight())-1)
	cell := 4 * float64(v.metrics().cell) / v.scale
	switch e.Name {
	case fyne.KeyUp:
		v.step(-1)
	case fyne.KeyDown:
		v.step(1)
	case fyne.KeyPageUp:
		v.step(-page)
	case fyne.KeyPageDown:
		v.step(page)
	case fyne.KeyHome:
		v.step(-n)
	case fyne.KeyEnd:
		v.step(n)
	case fyne.KeyLeft:
		v.scrollTo(v.offX-cell, v.offY)
	case fyne.KeyRight:
		v.scrollTo(v.offX+cell, v.offY)
	case fyne.KeyReturn, fyne.KeyEnter:
		if v.cursor >= 0 && v.on.Open != nil {
			v.on.Open(v.cursor, v.lineInfo(v.cursor))
		}
	case fyne.KeyEscape:
		switch {
		case v.from < v.to:
			v.from, v.to = 0, 0
			v.Refresh()
		case v.on.Clear != nil:
			v.cursor = -1
			v.Refresh()
			v.on.Clear()
		}
	default:
		v.on.PassKey(e)
	}
}

// step moves the chosen line by d lines, or with Shift the end of the range.
func (v *View) step(d int) {
	n := v.ix.lines()
	if n == 0 {
		return
	}
	if v.shift && v.cursor >= 0 {
		if v.from == v.to || v.anchor < 0 {
			v.anchor, v.from, v.to = v.cursor, v.cursor, v.cursor+1
		}
		end := v.to - 1
		if end == v.anchor {
			end = v.from
		}
		end = v.ix.folds.Line(min(max(v.ix.folds.Row(end)+d, 0), v.ix.rows()-1))
		v.setRange(v.anchor, end)
		v.follows(end)
		return
	}
	row := v.ix.folds.Row(v.cursor) + d
	if v.cursor < 0 { // begin where the eye is
		row = max(0, int(math.Ceil((v.offY-padTop)/v.rowHeight())))
		if d < -n+1 || d >= n {
			row = d
		}
	}
	line := v.ix.folds.Line(min(max(row, 0), v.ix.rows()-1))
	v.follows(line)
	v.choose(line)
}

// follows scrolls just far enough for a line to be in view, as a reader who
// walks through the text expects.
func (v *View) follows(line int) {
	row, h := v.rowHeight(), float64(v.Size().Height)
	y := v.top(line)
	switch {
	case y-padTop < v.offY:
		v.offY = y - padTop
	case y+row > v.offY+h:
		v.offY = y + row - h
	}
	v.clamp()
}

// TypedShortcut copies lines or selects all; other shortcuts are passed on.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	switch s.(type) {
	case *fyne.ShortcutCopy:
		v.copy()
	case *fyne.ShortcutSelectAll:
		v.selectAll()
	default:
		v.on.PassShortcut(s)
	}
}

// copy copies the range of lines, or the chosen line.
func (v *View) copy() {
	text := v.SelectedText()
	switch {
	case text == "":
	case v.on.Copy != nil:
		v.on.Copy(text)
	default:
		fyne.CurrentApp().Clipboard().SetContent(text)
	}
}

// selectAll makes all lines the range.
func (v *View) selectAll() {
	if n := v.ix.lines(); n > 0 {
		v.anchor = 0
		v.setRange(0, n-1)
	}
}

// SelectedText is the text of the range of lines, or of the chosen line, joined
// by newlines. It is what is seen: characters that cannot be seen are escapes.
func (v *View) SelectedText() string {
	from, to := v.from, v.to
	if from == to && v.cursor >= 0 {
		from, to = v.cursor, v.cursor+1
	}
	var b strings.Builder
	for line := from; line < to; line++ {
		if line > from {
			b.WriteByte('\n')
		}
		b.WriteString(shown(v.ix.text(line)))
	}
	return b.String()
}
