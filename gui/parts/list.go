package parts

import (
	"image"
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// ListCallbacks are what a list reports. Any of them may be nil.
type ListCallbacks struct {
	// Send gets the message of a row, a chip or an action that was chosen, and the words of
	// a row that was copied.
	Send func(core.Msg)
	// Hover: the pointer came over another element; 0 means none.
	Hover func(ref int)
	// Lacking: rows are in view whose pictures with these names are not there yet.
	Lacking func(pictures []string)
	Keys
	// Escape: Esc was pressed.
	Escape func()
}

// List shows [core.Rows]: headings, cards with chips, lines, tables. Titles wrap, so rows
// have heights of their own; only the rows in view are drawn. Up and Down go from row to
// row, Left and Right between the chips and the action of a row, Enter chooses.
type List struct {
	widget.BaseWidget
	on     ListCallbacks
	vm     core.ListVM
	bare   bool // as high as its rows, and without a ground of its own
	empty  *widget.RichText
	scroll *container.Scroll
	face   *face

	ruler  *Ruler
	width  float32
	wide   []float32 // of the columns
	acts   float32   // width behind the columns for the actions of their rows
	tops   []float32 // of the rows, and the end of the last
	drawn  map[int]*drawnRow
	cursor int // row of the keyboard
	stop   int // place in it: 0 the row, then its chips, then its action
	// over is the row under the pointer, -1 for none, and overStop the place in it.
	over, overStop int
	hovered        int      // ref that was reported
	lacking        []string // pictures that were reported
	focused        bool
	ring           *canvas.Rectangle // around the list while it has the keyboard
}

// AccessibilityLabel implements fyne.Accessible.
func (l *List) AccessibilityLabel() string { return text.Count(len(l.rows()), "row", "rows") }

// AccessibilityRole implements fyne.Accessible.
func (l *List) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

var (
	_ fyne.Focusable     = (*List)(nil)
	_ fyne.Shortcutable  = (*List)(nil)
	_ desktop.Hoverable  = (*face)(nil)
	_ fyne.Tappable      = (*face)(nil)
	_ desktop.Cursorable = (*face)(nil)
)

// NewList makes an empty list that scrolls.
func NewList(on ListCallbacks) *List {
	l := &List{on: on, over: -1, drawn: map[int]*drawnRow{}, empty: NewEmpty(),
		ring: canvas.NewRectangle(color.Transparent)}
	l.face = &face{l: l}
	l.face.ExtendBaseWidget(l.face)
	l.scroll = container.NewVScroll(l.face)
	l.scroll.OnScrolled = func(fyne.Position) { l.face.Refresh() }
	l.ExtendBaseWidget(l)
	return l
}

// NewShortList makes a list that is as high as its rows, to be scrolled by what holds it. Without rows it is nothing.
func NewShortList(on ListCallbacks) *List {
	l := NewList(on)
	l.bare = true
	l.scroll.Hide()
	return l
}

// Set shows vm. The place is kept while the rows are of one list.
func (l *List) Set(vm core.ListVM) {
	if vm == l.vm {
		return
	}
	old := l.vm
	l.vm = vm
	if vm.Rows != old.Rows || vm.Numbers != old.Numbers {
		l.over, l.overStop = -1, 0
		l.cursor = max(0, min(l.cursor, len(l.rows())-1))
		l.stop = 0
		l.measure()
		l.reveal(slices.IndexFunc(l.rows(), func(r core.Row) bool { return r.On }))
	}
	SayEmpty(l.empty, vm.Empty)
	Show(l.empty, vm.Empty != "")
	Show(l.scroll, vm.Empty == "" && (len(l.rows()) > 0 || !l.bare))
	if vm.Find != old.Find || vm.FindAt != old.FindAt {
		l.showFound()
	}
	if vm.Selected != old.Selected && vm.Selected != 0 {
		l.showSelected()
	}
	l.Refresh()
}

// rows are what is shown.
func (l *List) rows() []core.Row {
	if l.vm.Rows == nil {
		return nil
	}
	return l.vm.Rows.List
}

// showFound brings the current match into view.
func (l *List) showFound() {
	f := l.vm.Find
	if f == nil || l.vm.FindAt < 0 || l.vm.FindAt >= len(f.Line) {
		return
	}
	if line := f.Line[l.vm.FindAt]; line >= 0 {
		l.reveal(f.Number(line))
	}
}

// showSelected brings a row about the selected element into view, unless one is.
func (l *List) showSelected() {
	first := -1
	from, to := l.inView()
	for i := range l.rows() {
		if !l.about(i, l.vm.Selected) {
			continue
		}
		if i >= from && i < to {
			return
		}
		if first < 0 {
			first = i
		}
	}
	if first >= 0 {
		l.reveal(first)
	}
}

// about reports whether a row is about an element.
func (l *List) about(i, ref int) bool {
	r := &l.rows()[i]
	return ref > 0 && (r.Ref == ref || slices.ContainsFunc(r.Chips, func(c core.RowChip) bool { return c.Ref == ref }))
}

// measure finds the heights of all rows at the present width.
func (l *List) measure() {
	size := l.textSize()
	if l.ruler == nil || l.ruler.size != size {
		l.ruler = newRuler(size)
	}
	clear(l.drawn)
	if l.width == 0 { // not laid out yet
		l.tops = nil
		return
	}
	rows := l.rows()
	l.wide, l.acts = l.columns(rows)
	l.tops = make([]float32, len(rows)+1)
	y := float32(listPad)
	for i := range rows {
		l.tops[i] = y
		y += l.lay(i, false).high
	}
	l.tops[len(rows)] = y
}

// columns are the widths of the columns of figures, and of the actions behind them.
func (l *List) columns(rows []core.Row) (wide []float32, acts float32) {
	var longest []string
	var title, sum float32
	m := l.ruler.Measure(fyne.TextStyle{Bold: true})
	for i := range rows {
		if r := &rows[i]; r.Kind == core.RowLine && len(r.Cells) > 0 && r.Action != "" {
			acts = max(acts, m(r.Action)+cellGap)
		}
		if rows[i].Kind == core.RowPart {
			continue // its cells are in no column
		}
		if len(rows[i].Cells) > 0 && rows[i].Kind == core.RowLine {
			title = max(title, l.ruler.Measure(fyne.TextStyle{})(rows[i].Title))
		}
		for k, c := range rows[i].Cells {
			if k == len(longest) {
				longest = append(longest, "")
			}
			if len(c) > len(longest[k]) {
				longest[k] = c
			}
		}
	}
	wide = make([]float32, len(longest))
	for k, s := range longest {
		wide[k] = m(s) + cellGap
		sum += wide[k]
	}
	// A column of words leaves the titles their room, up to half of the list.
	over := sum + acts + min(title, l.width/2) + 2*rowSide + cellGap - l.width
	if k := widest(wide); over > 0 && k >= 0 && wide[k] > leastWords {
		wide[k] = max(wide[k]-over, leastWords)
	}
	return wide, acts
}

// leastWords is how narrow a column of words gets, in Fyne units. Columns of figures are narrower, and are not cut.
const leastWords = 130

// widest is the place of the largest, -1 for none.
func widest(wide []float32) int {
	at := -1
	for k, w := range wide {
		if at < 0 || w > wide[at] {
			at = k
		}
	}
	return at
}

// inView are the rows that are in view, to excluded.
func (l *List) inView() (from, to int) {
	n := len(l.rows())
	if n == 0 || len(l.tops) != n+1 {
		return 0, 0
	}
	top, bottom := float32(0), float32(math.MaxFloat32)
	if !l.bare {
		top = l.scroll.Offset.Y
		bottom = top + l.scroll.Size().Height
	}
	from, _ = slices.BinarySearch(l.tops[:n], top)
	from = max(0, from-1)
	for to = from; to < n && l.tops[to] < bottom; to++ {
	}
	return from, to
}

// InView reports whether all of a row is in view.
func (l *List) InView(i int) bool {
	at := l.scroll.Offset.Y
	return i+1 < len(l.tops) && l.tops[i] >= at && l.tops[i+1] <= at+l.scroll.Size().Height
}

// reveal scrolls a row into view.
func (l *List) reveal(i int) {
	if l.bare || i < 0 || i+1 >= len(l.tops) {
		return
	}
	top, bottom, at, room := l.tops[i], l.tops[i+1], l.scroll.Offset.Y, l.scroll.Size().Height
	switch {
	case top < at:
		l.scroll.ScrollToOffset(fyne.NewPos(0, max(0, top-listPad)))
	case bottom > at+room:
		l.scroll.ScrollToOffset(fyne.NewPos(0, max(0, min(top-listPad, bottom-room+listPad))))
	}
	l.face.Refresh()
}

// stops is how many places of a row take the keyboard, the row's own first.
func stops(r *core.Row) int {
	n := 1 + len(r.Chips) + len(r.Sorts)
	if r.Do != nil {
		n++
	}
	return n
}

// message is what a place of a row sends, nil for nothing.
func message(r *core.Row, stop int) core.Msg {
	switch k := stop - 1; {
	case stop <= 0:
		return r.Pick
	case k < len(r.Chips):
		return r.Chips[k].Msg
	case k < len(r.Chips)+len(r.Sorts):
		return r.Sorts[k-len(r.Chips)]
	}
	return r.Do
}

// choose sends what a place of a row is for: of a row that cannot be chosen, its first chip.
func (l *List) choose(i, stop int) {
	if i < 0 || i >= len(l.rows()) || l.on.Send == nil {
		return
	}
	r := &l.rows()[i]
	m := message(r, stop)
	if m == nil && stop == 0 && len(r.Chips) > 0 {
		m = r.Chips[0].Msg
	}
	if m != nil {
		l.on.Send(m)
	}
}

// live reports whether the keyboard can stop at a row.
func (l *List) live(i int) bool {
	r := &l.rows()[i]
	return r.Pick != nil || len(r.Chips) > 0 || r.Do != nil || len(r.Sorts) > 0
}

// step moves the keyboard by rows that can be chosen.
func (l *List) step(by int) {
	n, dir := len(l.rows()), 1
	if by < 0 {
		dir = -1
	}
	at := l.cursor
	for i := l.cursor + dir; i >= 0 && i < n; i += dir {
		if l.live(i) {
			at = i
			if by -= dir; by == 0 {
				break
			}
		}
	}
	l.cursor, l.stop = max(0, min(at, n-1)), 0
	l.reveal(l.cursor)
	l.face.Refresh()
}

// TypedKey implements fyne.Focusable.
func (l *List) TypedKey(k *fyne.KeyEvent) {
	n := len(l.rows())
	if n == 0 && k.Name != fyne.KeyEscape {
		l.on.PassKey(k)
		return
	}
	switch k.Name {
	case fyne.KeyUp:
		l.step(-1)
	case fyne.KeyDown:
		l.step(1)
	case fyne.KeyPageUp:
		l.step(-10)
	case fyne.KeyPageDown:
		l.step(10)
	case fyne.KeyHome:
		l.cursor = -1
		l.step(1)
	case fyne.KeyEnd:
		l.cursor = n
		l.step(-1)
	case fyne.KeyLeft, fyne.KeyRight:
		by := 1
		if k.Name == fyne.KeyLeft {
			by = -1
		}
		l.stop = max(0, min(stops(&l.rows()[l.cursor])-1, l.stop+by))
		l.face.Refresh()
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		l.choose(l.cursor, l.stop)
	case fyne.KeyEscape:
		if l.on.Escape != nil {
			l.on.Escape()
		}
	default:
		l.on.PassKey(k)
	}
}

// TypedRune implements fyne.Focusable.
func (l *List) TypedRune(r rune) {
	if r != ' ' {
		l.on.PassRune(r)
	}
}

// TypedShortcut implements fyne.Shortcutable: a copy takes the words of the row.
func (l *List) TypedShortcut(s fyne.Shortcut) {
	if _, ok := s.(*fyne.ShortcutCopy); ok && l.cursor < len(l.rows()) && l.on.Send != nil {
		l.on.Send(core.TextCopied{Text: l.rows()[l.cursor].Words()})
		return
	}
	l.on.PassShortcut(s)
}

// FocusGained implements fyne.Focusable.
func (l *List) FocusGained() {
	l.focused = true
	if l.cursor < len(l.rows()) && !l.live(l.cursor) {
		l.step(1)
	}
	l.showFocus()
}

// FocusLost implements fyne.Focusable.
func (l *List) FocusLost() { l.focused = false; l.showFocus() }

// showFocus shows where the keyboard is: at a row, and at a list without rows too.
func (l *List) showFocus() {
	l.ring.StrokeColor, l.ring.StrokeWidth = color.Transparent, 0
	if l.focused {
		l.ring.StrokeColor, l.ring.StrokeWidth = l.ink(fynetheme.ColorNameFocus), 1
	}
	l.ring.Refresh()
	l.face.Refresh()
}

// Tapped implements fyne.Tappable: a click beside the rows brings the keyboard here.
func (l *List) Tapped(*fyne.PointEvent) { l.focus() }

func (l *List) focus() { TakeFocus(l, l.focused) }

func (l *List) textSize() float32 { return l.Theme().Size(fynetheme.SizeNameText) - 0.5 }

// CreateRenderer is Fyne's.
func (l *List) CreateRenderer() fyne.WidgetRenderer {
	return &listRenderer{l: l, calm: container.NewVScroll(container.New(calmly{}, l.empty))}
}

type listRenderer struct {
	l    *List
	calm *container.Scroll // a pane may be lower than the sentence
}

func (r *listRenderer) MinSize() fyne.Size {
	if r.l.bare {
		return fyne.NewSize(80, r.l.high())
	}
	return fyne.NewSize(120, 60)
}

// high is how high all rows are.
func (l *List) high() float32 {
	if len(l.rows()) == 0 || len(l.tops) == 0 {
		return 0
	}
	return l.tops[len(l.tops)-1] + listPad
}

func (r *listRenderer) Layout(size fyne.Size) {
	if size.Width != r.l.width {
		first, into := r.l.place()
		r.l.width = size.Width
		r.l.measure()
		r.l.restore(first, into)
	}
	r.l.scroll.Resize(size)
	r.calm.Resize(size)
	r.l.ring.Resize(size)
	r.l.face.Refresh()
}

// place is the first row in view and how much of it is above; restore goes back there.
func (l *List) place() (row int, into float32) {
	from, to := l.inView()
	if l.bare || from >= to {
		return -1, 0
	}
	return from, l.scroll.Offset.Y - l.tops[from]
}

func (l *List) restore(row int, into float32) {
	if row >= 0 && row < len(l.tops) {
		l.scroll.Offset.Y = max(0, l.tops[row]+into)
	}
}

func (r *listRenderer) Refresh() {
	if r.l.ruler == nil || r.l.ruler.size != r.l.textSize() {
		r.l.measure()
	}
	clear(r.l.drawn) // colours may be others
	r.l.scroll.Refresh()
	r.l.face.Refresh()
	r.calm.Refresh()
}

func (r *listRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.l.scroll, r.calm, r.l.ring}
}
func (r *listRenderer) Destroy() {}

// face is all rows, as high as they are; it draws those in view.
type face struct {
	widget.BaseWidget
	l *List
}

// AccessibilityLabel implements fyne.Accessible.
func (f *face) AccessibilityLabel() string { return f.l.AccessibilityLabel() }

// AccessibilityRole implements fyne.Accessible.
func (f *face) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer is Fyne's.
func (f *face) CreateRenderer() fyne.WidgetRenderer { return &faceRenderer{f: f} }

// Tapped implements fyne.Tappable.
func (f *face) Tapped(e *fyne.PointEvent) {
	l := f.l
	l.focus()
	if i, stop := l.at(e.Position); i >= 0 && l.live(i) {
		l.cursor, l.stop = i, stop
		l.choose(i, stop)
		f.Refresh()
	}
}

// TappedSecondary drops down what can be done with the row.
func (f *face) TappedSecondary(e *fyne.PointEvent) {
	l := f.l
	i, _ := l.at(e.Position)
	if i < 0 || l.on.Send == nil {
		return
	}
	l.focus()
	copying := func(title, words string) *fyne.MenuItem {
		return fyne.NewMenuItem(title, func() { l.on.Send(core.TextCopied{Text: words}) })
	}
	PopUp(f, e.AbsolutePosition, copying("Copy row", l.rows()[i].Words()),
		copying("Copy all "+l.AccessibilityLabel(), l.vm.Rows.Doc.Text))
}

// MouseIn implements desktop.Hoverable.
func (f *face) MouseIn(e *desktop.MouseEvent) { f.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (f *face) MouseMoved(e *desktop.MouseEvent) {
	i, stop := f.l.at(e.Position)
	f.point(i, stop)
}

// MouseOut implements desktop.Hoverable.
func (f *face) MouseOut() { f.point(-1, 0) }

func (f *face) point(i, stop int) {
	l := f.l
	ref := 0
	if i >= 0 {
		r := &l.rows()[i]
		if ref = r.Ref; stop > 0 && stop <= len(r.Chips) {
			ref = r.Chips[stop-1].Ref
		}
	}
	if i == l.over && stop == l.overStop && ref == l.hovered { // other rows may have come under the pointer
		return
	}
	l.over, l.overStop = i, stop
	if ref != l.hovered && l.on.Hover != nil {
		l.hovered = ref
		l.on.Hover(ref)
	}
	f.Refresh()
}

// Cursor is the pointing hand over what can be chosen.
func (f *face) Cursor() desktop.Cursor {
	if i := f.l.over; i >= 0 && i < len(f.l.rows()) && message(&f.l.rows()[i], f.l.overStop) != nil {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// at is the row and the place in it at a point, -1 for none.
func (l *List) at(p fyne.Position) (row, stop int) {
	from, to := l.inView()
	for i := from; i < to; i++ {
		if p.Y < l.tops[i] || p.Y >= l.tops[i+1] {
			continue
		}
		d := l.drawn[i]
		if d == nil {
			return i, 0
		}
		for _, h := range d.hits {
			if p.X >= h.x && p.X < h.x+h.w && p.Y-l.tops[i] >= h.y && p.Y-l.tops[i] < h.y+h.h {
				return i, h.stop
			}
		}
		return i, 0
	}
	return -1, 0
}

type faceRenderer struct {
	f       *face
	objects []fyne.CanvasObject
}

func (r *faceRenderer) MinSize() fyne.Size           { return fyne.NewSize(60, r.f.l.high()) }
func (r *faceRenderer) Layout(fyne.Size)             { r.build() }
func (r *faceRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *faceRenderer) Destroy()                     {}
func (r *faceRenderer) Refresh() {
	r.build()
	canvas.Refresh(r.f)
}

// build draws the rows in view; one that looks as it did is kept.
func (r *faceRenderer) build() {
	l := r.f.l
	r.objects = r.objects[:0]
	from, to := l.inView()
	l.report(from, to)
	for i := range l.drawn {
		if i < from || i >= to {
			delete(l.drawn, i)
		}
	}
	for i := from; i < to; i++ {
		look := l.look(i)
		d := l.drawn[i]
		if d == nil || d.look != look {
			d = l.lay(i, true)
			d.look = look
			for _, o := range d.objects {
				o.Move(o.Position().Add(fyne.NewPos(0, l.tops[i])))
			}
			l.drawn[i] = d
		}
		r.objects = append(r.objects, d.objects...)
	}
}

// report reports the rows in view whose pictures are not there yet, once.
func (l *List) report(from, to int) {
	var lacking []string
	for i := from; i < to; i++ {
		if name := l.rows()[i].Picture; name != "" {
			if _, known := l.vm.Pictures.Of(name); !known {
				lacking = append(lacking, name)
			}
		}
	}
	if slices.Equal(lacking, l.lacking) {
		return
	}
	if l.lacking = lacking; len(lacking) > 0 && l.on.Lacking != nil {
		l.on.Lacking(lacking)
	}
}

// rowLook is what the drawing of a row depends on besides the row.
type rowLook struct {
	over, cursor   int // place under the pointer and of the keyboard, -1 for none
	selected, lit  bool
	found, current bool
	ref            int // the selected one, where the row has it
	picture        image.Image
}

func (l *List) look(i int) rowLook {
	k := rowLook{over: -1, cursor: -1, lit: l.about(i, l.vm.Hover)}
	k.picture, _ = l.vm.Pictures.Of(l.rows()[i].Picture)
	if l.about(i, l.vm.Selected) {
		k.selected, k.ref = true, l.vm.Selected
	}
	if i == l.over {
		k.over = l.overStop
	}
	if l.focused && i == l.cursor {
		k.cursor = l.stop
	}
	if f := l.vm.Find; f != nil {
		_, k.found = slices.BinarySearch(f.Lines, i)
		k.current = l.vm.FindAt >= 0 && l.vm.FindAt < len(f.Line) && f.Line[l.vm.FindAt] == i
	}
	return k
}

func (l *List) ink(n fyne.ThemeColorName) color.RGBA { return theme.RGBA(l.Theme(), n) }
