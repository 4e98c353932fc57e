package text

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/overlay/atlas"
	"github.com/refscope/refscope/snapshot/dump"
	words "github.com/refscope/refscope/snapshot/text"
)

// Callbacks are what the view reports. Any of them may be nil. They run on
// Fyne's goroutine.
type Callbacks struct {
	// Select: a line was chosen by a click or a key, counted from 0. Where the
	// click was on a cell of a table row, Node and Ref of l are those of the cell.
	Select func(line int, l dump.Line)
	// Open: Enter was pressed on the chosen line.
	Open func(line int, l dump.Line)
	// Hover: the pointer came over the lines of another ref; 0 means none.
	Hover func(ref int)
	// Clear: Esc was pressed with nothing of the view's own left to give up.
	Clear func()
	// Fold: the triangle of a section was clicked, or the placeholder of its lines.
	Fold func(line int)
	// Copy takes the text that a person copied; without it the app's clipboard does.
	Copy func(text string)
	parts.Keys
}

// WindowCallbacks are those of a text about the turn in view.
func WindowCallbacks(w *parts.Window) Callbacks {
	return Callbacks{
		Select: func(_ int, l dump.Line) {
			if l.Node < 0 { // the text is of something else than the turn
				w.Send(core.Picked{Ref: l.Ref, Source: core.PaneDump})
			} else {
				w.Send(core.NodePicked{Node: l.Node, Source: core.PaneDump})
			}
		},
		Hover: func(ref int) { w.Send(core.Hovered{Ref: ref, Source: core.PaneDump}) },
		Clear: w.Leave,
		Copy:  func(text string) { w.Send(core.TextCopied{Text: text}) },
		Fold:  func(line int) { w.Send(foldToggled{Line: line}) },
		Keys:  w.Keys,
	}
}

// View is the widget. Make it with [New]; show something with [View.Set].
type View struct {
	widget.BaseWidget

	on Callbacks
	vm core.DumpVM
	ix *index

	face   *atlas.Face
	faceEm float64 // em size of face, device px
	scale  float64 // device px per Fyne unit, as the raster was last drawn

	offX, offY float64 // scroll position in Fyne units
	cursor     int     // line that the keys move from, -1 for none
	anchor     int     // first line of a range being made, -1 for none
	from, to   int     // range of lines, to excluded; empty where from == to
	pointed    int     // ref that was reported as under the pointer
	kept       *kept   // where it was before its text was reduced, nil where it was not

	focused bool
	shift   bool
	grab    grab
	grabAt  float64 // where in the thumb the pointer took it

	widths map[string]int // cells of texts that Fyne draws
}

// AccessibilityLabel implements fyne.Accessible.
func (v *View) AccessibilityLabel() string {
	return "Text with " + words.Count(v.ix.lines(), "line", "lines")
}

// AccessibilityRole implements fyne.Accessible.
func (v *View) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// padTop is the air above the first line in Fyne units.
const padTop = 4

// grab is what a drag moves.
type grab int

const (
	grabNone grab = iota
	grabText
	grabV
	grabH
)

var (
	_ fyne.Widget            = (*View)(nil)
	_ fyne.Scrollable        = (*View)(nil)
	_ fyne.Draggable         = (*View)(nil)
	_ fyne.Tappable          = (*View)(nil)
	_ fyne.SecondaryTappable = (*View)(nil)
	_ fyne.Focusable         = (*View)(nil)
	_ fyne.Shortcutable      = (*View)(nil)
	_ desktop.Mouseable      = (*View)(nil)
	_ desktop.Hoverable      = (*View)(nil)
	_ desktop.Keyable        = (*View)(nil)
)

// New makes an empty view.
func New(on Callbacks) *View {
	v := &View{on: on, ix: newIndex(core.DumpVM{}), scale: 1, cursor: -1, anchor: -1,
		widths: map[string]int{}}
	v.ExtendBaseWidget(v)
	return v
}

// Set shows vm. The place in the text is kept: across a change of document the
// selected line, or else the first line in view that the new document has too,
// stays at its height; a new selection is scrolled to only where it is not in
// view.
func (v *View) Set(vm core.DumpVM) {
	if vm == v.vm {
		return
	}
	old := v.vm
	v.vm = vm
	found := of(vm) != of(old)
	if v.kept != nil && (v.offY != v.kept.then || !found && vm.FindAt != old.FindAt) {
		v.kept.moved = true
	}
	changed := vm.Doc != old.Doc || vm.Tones != old.Tones
	if vm.Folds != old.Folds && !changed {
		v.refold(old)
	}
	switch {
	case changed && vm.Doc != nil && source(vm) == source(old):
		v.swap(old)
		changed = false
	case changed:
		v.kept = nil
		ref, y := v.landmark()
		v.ix = newIndex(vm)
		v.ix.folds = vm.Folds
		v.cursor, v.anchor, v.from, v.to = -1, -1, 0, 0
		clear(v.widths)
		if line := v.ix.first(ref); line >= 0 {
			v.offY = v.top(line) - y
		} else {
			v.offX, v.offY = 0, 0
		}
	}
	if changed || vm.Selected != old.Selected {
		if line := v.ix.first(vm.Selected); line >= 0 && !v.ix.has(v.cursor, vm.Selected) {
			v.cursor = line
			v.from, v.to = 0, 0
		} else if vm.Selected == 0 && v.ix.ref(v.cursor) != 0 || line < 0 && vm.Selected != 0 {
			v.cursor = -1
		}
		if v.cursor >= 0 {
			v.reveal(v.cursor)
		}
	}
	if line := v.currentLine(vm); line >= 0 && (found || vm.FindAt != old.FindAt) {
		v.reveal(line)
		v.revealMatch()
	}
	if v.kept != nil {
		v.kept.then = v.offY
	}
	v.Refresh()
}

// landmark is the ref to keep in place when the document changes and its height
// in the view: the selection where it is in view, else the first ref in view.
func (v *View) landmark() (ref int, y float64) {
	row := v.rowHeight()
	first := max(0, int((v.offY-padTop)/row))
	last := min(v.ix.rows()-1, int((v.offY-padTop+float64(v.Size().Height))/row))
	for at := first; at <= last; at++ {
		line := v.ix.folds.Line(at)
		r := v.ix.ref(line)
		if r > 0 && (ref == 0 || r == v.vm.Selected) {
			ref, y = r, v.top(line)-v.offY
			if r == v.vm.Selected {
				break
			}
		}
	}
	if first == 0 && ref != v.vm.Selected {
		return 0, 0 // at the top: stay at the top
	}
	return ref, y
}

// Line is the chosen line, -1 for none.
func (v *View) Line() int { return v.cursor }

// reveal scrolls a line into the middle of the view unless it is in view, and back to its beginning where the text is
// scrolled sideways beyond its end.
func (v *View) reveal(line int) {
	if float64(columnsOf(v.ix.text(line))*v.metrics().cell) <= v.offX*v.scale {
		v.offX = 0
	}
	if v.sees(line) {
		return
	}
	v.offY = v.top(line) - (float64(v.Size().Height)-v.rowHeight())/2
	v.clamp()
}

// Resize keeps the chosen line in view: what is shown of a choice beside the text takes room of it.
func (v *View) Resize(size fyne.Size) {
	seen := v.cursor >= 0 && v.sees(v.cursor)
	v.BaseWidget.Resize(size)
	if seen && !v.sees(v.cursor) {
		v.reveal(v.cursor)
		v.Refresh()
	}
}

// sees reports whether the whole of a line is in view, above the bar at the bottom.
func (v *View) sees(line int) bool {
	y := v.top(line)
	return y >= v.offY && y+v.rowHeight() <= v.offY+float64(v.Size().Height)-2*barInset-barThick
}

// clamp keeps the scroll position inside the text.
func (v *View) clamp() {
	w, h := v.content()
	size := v.Size()
	v.offX = math.Max(0, math.Min(v.offX, w-float64(size.Width)))
	v.offY = math.Max(0, math.Min(v.offY, h-float64(size.Height)))
}

// content is the size of the whole text in Fyne units, line numbers included and
// with air at the right and the bottom.
func (v *View) content() (w, h float64) {
	m := v.metrics()
	w = float64(m.gutter+(v.ix.cols+2)*m.cell) / v.scale
	return w, padTop + (float64(v.ix.rows())+0.5)*v.rowHeight()
}

// top is where a line begins in the whole text, in Fyne units; that of a folded section for a
// line in it.
func (v *View) top(line int) float64 {
	return padTop + float64(v.ix.folds.Row(line))*v.rowHeight()
}

// rowHeight is the height of a line in Fyne units.
func (v *View) rowHeight() float64 { return float64(v.metrics().row) / v.scale }

// lineAt is the line at a height in the widget, -1 where there is none.
func (v *View) lineAt(y float32) int {
	row := int(math.Floor((v.offY - padTop + float64(y)) / v.rowHeight()))
	if row < 0 || row >= v.ix.rows() {
		return -1
	}
	return v.ix.folds.Line(row)
}

// metrics are the sizes at the current scale and text size.
func (v *View) metrics() metrics {
	v.loadFace()
	if v.face == nil {
		return metrics{row: 19, cell: 8, gutter: 40, baseline: 14, bar: 2}
	}
	em := float64(v.Theme().Size(theme.SizeNameText))
	row := max(v.face.Height()+2, int(math.Round((em+6)*v.scale)))
	return metrics{
		row:      row,
		cell:     v.face.Advance(),
		gutter:   gutterWidth(v.vm.Find.Number(v.ix.lines()-1)+1, v.face.Advance()),
		baseline: (row-v.face.Height())/2 + v.face.Ascent(),
		bar:      max(2, int(math.Round(2*v.scale))),
	}
}

// loadFace makes the face for the current size where it is another one. The font
// is part of the program, so an error means a size beyond all sense; then the
// face before stays.
func (v *View) loadFace() {
	em := float64(v.Theme().Size(theme.SizeNameText)) * v.scale
	if v.face != nil && em == v.faceEm {
		return
	}
	face, err := atlas.New(theme.DefaultTextMonospaceFont().Content(), em)
	if err != nil {
		return
	}
	v.face, v.faceEm = face, em
	clear(v.widths)
}
