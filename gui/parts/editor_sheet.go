package parts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts/edit"
	"github.com/refscope/refscope/gui/theme"
)

// sheet is what an [Editor] scrolls: as high as all rows of the text. It draws those that are in view, and is what the
// pointer meets.
type sheet struct {
	widget.BaseWidget
	e     *Editor
	width float32 // that the text is laid out in
	size  float32 // of the theme's text
}

// sheetPad is the air around the text, and sheetBar the room for the scroll bar, in Fyne units.
const (
	sheetPad = 6
	sheetBar = 12
)

// CreateRenderer implements fyne.Widget.
func (s *sheet) CreateRenderer() fyne.WidgetRenderer {
	return &sheetRenderer{s: s, cursor: canvas.NewRectangle(nil), hint: canvas.NewText("", nil)}
}

// wrap lays the text out again where the width or the theme's sizes are others.
func (s *sheet) wrap() {
	width, size := s.Size().Width-2*sheetPad-sheetBar, s.Theme().Size(fynetheme.SizeNameText)
	if width > 0 && (width != s.width || size != s.size) {
		s.width, s.size = width, size
		s.e.measureRows(width)
	}
}

// Resize implements fyne.CanvasObject. Where the text wraps elsewhere, the cursor stays in view if it was, and else the
// first row.
func (s *sheet) Resize(size fyne.Size) {
	e := s.e
	if s.width == 0 || size.Width == s.Size().Width {
		s.BaseWidget.Resize(size)
		return
	}
	line, from, _ := e.text.RowBytes(int(e.scroll.Offset.Y / e.row))
	seen := e.inView()
	s.BaseWidget.Resize(size)
	s.wrap()
	e.scroll.ScrollToOffset(fyne.NewPos(0, float32(e.text.Row(edit.Place{Line: line, Byte: from}))*e.row))
	if seen {
		e.reveal()
	}
}

// at is the place in the text under a point.
func (s *sheet) at(p fyne.Position) edit.Place {
	t := s.e.text
	if s.e.row <= 0 {
		return t.Cursor()
	}
	row := int((p.Y - sheetPad) / s.e.row)
	switch {
	case p.Y < sheetPad:
		row = 0
	case row >= t.Rows():
		row = t.Rows() - 1
	}
	return t.PlaceAt(row, p.X-sheetPad)
}

// MouseDown puts the cursor under the pointer, or with Shift selects up to there.
func (s *sheet) MouseDown(m *desktop.MouseEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.e); c != nil {
		c.Focus(s.e)
	}
	p := s.at(m.Position)
	if from, to := s.e.text.Selection(); m.Button == desktop.MouseButtonSecondary && from.Before(p) && p.Before(to) {
		return // the menu is about what is selected
	}
	s.e.text.GoTo(p, m.Modifier&fyne.KeyModifierShift != 0)
	s.e.moved()
}

// MouseUp implements desktop.Mouseable.
func (s *sheet) MouseUp(*desktop.MouseEvent) {}

// Dragged selects up to the pointer; beyond an edge it scrolls.
func (s *sheet) Dragged(d *fyne.DragEvent) {
	s.e.text.GoTo(s.at(d.Position), true)
	s.e.moved()
}

// DragEnd implements fyne.Draggable.
func (s *sheet) DragEnd() {}

// DoubleTapped selects a word.
func (s *sheet) DoubleTapped(p *fyne.PointEvent) {
	s.e.text.Select(s.e.text.Word(s.at(p.Position)))
	s.e.moved()
}

// TappedSecondary drops the menu of a text down.
func (s *sheet) TappedSecondary(p *fyne.PointEvent) {
	clip := fyne.CurrentApp().Clipboard()
	PopUp(s.e, p.AbsolutePosition,
		fyne.NewMenuItem("Cut", func() { s.e.cut(clip) }),
		fyne.NewMenuItem("Copy", func() { s.e.copy(clip) }),
		fyne.NewMenuItem("Paste", func() { s.e.paste(clip) }),
		fyne.NewMenuItem("Select all", s.e.selectAll))
}

// Cursor implements desktop.Cursorable.
func (*sheet) Cursor() desktop.Cursor { return desktop.TextCursor }

// sheetRenderer draws the rows in view. A row keeps its object while it is in view, so that scrolling by a row renders
// one text.
type sheetRenderer struct {
	s        *sheet
	cursor   *canvas.Rectangle
	hint     *canvas.Text
	texts    []*canvas.Text
	selected []*canvas.Rectangle
	objects  []fyne.CanvasObject
}

func (r *sheetRenderer) MinSize() fyne.Size {
	r.s.wrap()
	return fyne.NewSize(0, float32(r.s.e.text.Rows())*r.s.e.row+2*sheetPad)
}

func (r *sheetRenderer) Layout(fyne.Size) { r.Refresh() }

func (r *sheetRenderer) Refresh() {
	s, e := r.s, r.s.e
	s.wrap()
	r.objects = r.objects[:0]
	if s.width <= 0 || e.row <= 0 {
		return
	}
	first := max(0, int((e.scroll.Offset.Y-sheetPad)/e.row))
	last := min(e.text.Rows()-1, int((e.scroll.Offset.Y+e.scroll.Size().Height)/e.row))
	if n := int(e.scroll.Size().Height/e.row) + 3; n > len(r.texts) {
		r.grow(n)
	}
	r.selection(first, last)
	for row := first; row <= last; row++ {
		t := r.texts[row%len(r.texts)]
		line, from, to := e.text.RowBytes(row)
		r.set(t, drawn(e.text.Line(line)[from:to]), theme.ColorText)
		t.Move(fyne.NewPos(sheetPad, sheetPad+float32(row)*e.row))
		r.objects = append(r.objects, t)
	}
	if e.whole == "" {
		r.set(r.hint, e.Hint, fynetheme.ColorNamePlaceHolder)
		r.hint.Move(fyne.NewPos(sheetPad, sheetPad))
		r.objects = append(r.objects, r.hint)
	}
	if p := e.text.Cursor(); e.focused {
		r.cursor.FillColor = theme.RGBA(s.Theme(), theme.ColorAccent)
		r.cursor.Move(fyne.NewPos(sheetPad-1+e.text.X(p), sheetPad+float32(e.text.Row(p))*e.row))
		r.cursor.Resize(fyne.NewSize(2, e.row))
		r.objects = append(r.objects, r.cursor)
	}
	canvas.Refresh(s)
}

// grow makes more texts. Which row has which changes then.
func (r *sheetRenderer) grow(n int) {
	for len(r.texts) < n {
		t := canvas.NewText("", nil)
		t.TextStyle.Monospace = true
		r.texts = append(r.texts, t)
	}
}

// set changes a text where it has to be rendered again.
func (r *sheetRenderer) set(t *canvas.Text, words string, name fyne.ThemeColorName) {
	c := theme.RGBA(r.s.Theme(), name)
	if t.Text == words && t.Color == c && t.TextSize == r.s.size {
		return
	}
	t.Text, t.Color, t.TextSize, t.TextStyle.Monospace = words, c, r.s.size, true
	t.Resize(t.MinSize())
	canvas.Refresh(t)
}

// selection draws the ground of what is selected in some rows.
func (r *sheetRenderer) selection(first, last int) {
	e := r.s.e
	from, to := e.text.Selection()
	if from == to {
		return
	}
	n := 0
	for row := max(first, e.text.Row(from)); row <= min(last, e.text.Row(to)); row++ {
		if n == len(r.selected) {
			r.selected = append(r.selected, canvas.NewRectangle(nil))
		}
		o := r.selected[n]
		n++
		line, begin, end := e.text.RowBytes(row)
		x := float32(0)
		if row == e.text.Row(from) {
			x = e.text.X(from)
		}
		width := e.measure(e.text.Line(line)[begin:end]) - x
		if row == e.text.Row(to) {
			width = e.text.X(to) - x
		} else if end == len(e.text.Line(line)) {
			width += e.cell / 2 // the line's break
		}
		o.FillColor = theme.RGBA(r.s.Theme(), fynetheme.ColorNameSelection)
		o.Move(fyne.NewPos(sheetPad+x, sheetPad+float32(row)*e.row))
		o.Resize(fyne.NewSize(max(0, width), e.row))
		r.objects = append(r.objects, o)
	}
}

func (r *sheetRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (*sheetRenderer) Destroy() {}
