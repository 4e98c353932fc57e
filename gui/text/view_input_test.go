package text

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/dump"
)

// heard keeps what a view reported.
type heard struct {
	lines, refs, hovered, opened []int
	copied                       []string
	cleared                      int
	keys                         []fyne.KeyName
	runes                        string
	shortcuts                    int
}

// listening is a view of a text in which a selection comes back as the shell
// would send it.
func listening(t testing.TB, size fyne.Size, text string) (*View, fyne.Window, *heard) {
	h := &heard{}
	var v *View
	v, w := window(t, look.Dark, size, Callbacks{
		Select: func(line int, l dump.Line) {
			h.lines, h.refs = append(h.lines, line), append(h.refs, l.Ref)
			vm := v.vm
			vm.Selected = l.Ref
			v.Set(vm)
		},
		Open:  func(line int, _ dump.Line) { h.opened = append(h.opened, line) },
		Hover: func(ref int) { h.hovered = append(h.hovered, ref) },
		Clear: func() { h.cleared++ },
		Copy:  func(s string) { h.copied = append(h.copied, s) },
		Keys: parts.Keys{
			Key:      func(e *fyne.KeyEvent) { h.keys = append(h.keys, e.Name) },
			Rune:     func(r rune) { h.runes += string(r) },
			Shortcut: func(fyne.Shortcut) { h.shortcuts++ },
		},
	})
	v.Set(core.DumpVM{Version: 1, Doc: document("dddk", text)})
	w.Canvas().Capture()
	return v, w, h
}

// long is a text of n numbered lines; line i is about ref i+1.
func long(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s[%d]<a href=\"/products/%d\">Product number %d, in stock — order now</a>",
			strings.Repeat("\t", i%4), i+1, i, i)
	}
	return b.String()
}

// at is a place on a line.
func at(v *View, line int) fyne.Position {
	return fyne.NewPos(120, float32(v.top(line)-v.offY+v.rowHeight()/2))
}

func key(v *View, names ...fyne.KeyName) {
	for _, n := range names {
		v.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func TestTapSelectsTheLine(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(560, 520), shop)
	test.TapCanvas(w.Canvas(), at(v, 15))
	test.TapCanvas(w.Canvas(), at(v, 0))
	require.Equal(t, []int{15, 0}, h.lines)
	require.Equal(t, []int{24, 0}, h.refs)
	require.Equal(t, 0, v.Line(), "a line without a ref can be chosen as well")
	require.True(t, v.focused)
}

func TestTheMenuOfALineCopies(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(560, 520), shop)
	lines := strings.Split(shop, "\n")
	test.TapSecondaryAt(v, at(v, 4))
	partstest.Choose(t, w.Canvas(), "Copy 1 line")
	require.Equal(t, []int{4}, h.lines, "the line is chosen, so that one sees what is copied")
	v.setRange(5, 7)
	test.TapSecondaryAt(v, at(v, 6))
	partstest.Choose(t, w.Canvas(), "Copy 3 lines")
	require.Equal(t, []string{lines[4], strings.Join(lines[5:8], "\n")}, h.copied)
	test.TapSecondaryAt(v, at(v, 0))
	partstest.Choose(t, w.Canvas(), "Select all lines")
	require.Equal(t, [2]int{0, len(lines)}, [2]int{v.from, v.to})
}

func TestCellsOfATableRow(t *testing.T) {
	text := "[1]<table>\n\t[2]<tr>\n\t\t<td>東京</td><td>Free — now</td>"
	doc := document("dddk", text)
	row := doc.Lines[2]
	cut := strings.Index(text, "<td>Free")
	doc.Spans = []dump.Span{{Start: row.Start + 2, End: cut, Line: 2, Node: 3}, {Start: cut, End: row.End, Line: 2,
		Node: 4}}
	c := shopCapture()

	v, w, h := listening(t, fyne.NewSize(560, 200), "")
	v.Set(core.DumpVM{Version: 2, Doc: doc, Tones: core.NewLineTones(c, doc), Selected: 4})
	require.Equal(t, 2, v.Line(), "selecting a cell selects its row")
	partstest.Picture(t, w, "dump-cells")
	m := v.metrics()
	x := func(col int) float32 { return float32(m.gutter + col*m.cell + 2) }
	y := at(v, 2).Y
	runs := test.WidgetRenderer(v).(*renderer).frame.layout(2)
	free := columnOf(runs, cut-row.Start)
	test.TapCanvas(w.Canvas(), fyne.NewPos(x(free+5), y))
	test.TapCanvas(w.Canvas(), fyne.NewPos(x(2*tabColumns+5), y))
	test.TapCanvas(w.Canvas(), fyne.NewPos(500, y))
	require.Equal(t, []int{4, 3, 0}, h.refs)
}

func TestTapBelowTheTextDoesNothing(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(560, 900), shop)
	test.TapCanvas(w.Canvas(), fyne.NewPos(100, 880))
	require.Empty(t, h.lines)
	require.Equal(t, -1, v.Line())
}

func TestSelectionFromOutsideIsRevealed(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(560, 400), long(5000))
	vm := v.vm
	vm.Selected = 2500
	v.Set(vm)
	middle := v.top(2499) - v.offY + v.rowHeight()/2
	require.InDelta(t, 200, middle, 1, "a line out of view comes to the middle")
	off := v.offY
	vm.Selected = 2505
	v.Set(vm)
	require.Equal(t, off, v.offY, "a line in view does not move the text")
	vm.Selected = 5000
	v.Set(vm)
	require.InDelta(t, float64(5000)*v.rowHeight()+padTop+v.rowHeight()/2-400, v.offY, 0.01,
		"the last line: at the end")
	require.Empty(t, h.lines, "what comes from outside is not reported back")
	w.Canvas().Capture()
}

func TestPlaceIsKeptAcrossDocuments(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(560, 400), long(1000))
	vm := v.vm
	vm.Selected = 500
	v.Set(vm)
	y := v.top(499) - v.offY
	vm.Doc = document("semantic", "{\n\"meta\": {},\n"+strings.ReplaceAll(long(800), "\n", "\n\n"))
	vm.Version++
	v.Set(vm)
	line := v.ix.first(500)
	require.Equal(t, 1000, line)
	require.InDelta(t, y, v.top(line)-v.offY, 0.01)
	require.Equal(t, line, v.Line())

	vm.Selected = 0
	v.Set(vm)
	v.scrollTo(0, v.top(200))
	before := v.ix.ref(v.lineAt(1))
	if before == 0 {
		before = v.ix.ref(v.lineAt(1) + 1)
	}
	vm.Doc = document("dddk", long(900))
	v.Set(vm)
	require.Less(t, math.Abs(v.top(v.ix.first(before))-v.offY), 2*v.rowHeight(),
		"without a selection the first line in view stays")
}

func TestScrollingStopsAtTheEnds(t *testing.T) {
	v, w, _ := listening(t, fyne.NewSize(300, 200), long(100))
	test.Scroll(w.Canvas(), fyne.NewPos(50, 50), 0, 500)
	require.Zero(t, v.offY)
	test.Scroll(w.Canvas(), fyne.NewPos(50, 50), -30, -1e6)
	_, h := v.content()
	require.InDelta(t, h-200, v.offY, 0.01)
	require.Equal(t, 30.0, v.offX)
	v.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	test.Scroll(w.Canvas(), fyne.NewPos(50, 50), 0, -25)
	require.Equal(t, 55.0, v.offX, "Shift turns the wheel sideways")
}

func TestKeys(t *testing.T) {
	v, _, h := listening(t, fyne.NewSize(560, 400), long(200))
	key(v, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyEnd, fyne.KeyHome, fyne.KeyPageDown)
	page := int(400/v.rowHeight()) - 1
	require.Equal(t, []int{0, 1, 0, 199, 0, page}, h.lines)
	key(v, fyne.KeyReturn, fyne.KeyF3, fyne.KeyRight)
	require.Equal(t, []int{page}, h.opened)
	require.Equal(t, []fyne.KeyName{fyne.KeyF3}, h.keys)
	v.TypedRune('2')
	require.Equal(t, "2", h.runes)
	v.TypedShortcut(&fyne.ShortcutPaste{})
	require.Equal(t, 1, h.shortcuts)
	y := v.top(v.Line()) - v.offY
	require.True(t, y >= 0 && y <= 400-v.rowHeight(), "the chosen line is in view")
	key(v, fyne.KeyEscape)
	require.Equal(t, 1, h.cleared)
}

func TestRangeAndCopy(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(560, 520), shop)
	test.Drag(w.Canvas(), at(v, 7), 0, float32(2*v.rowHeight())) // the test driver reports one drag from the end point
	require.Equal(t, [2]int{5, 8}, [2]int{v.from, v.to})
	v.TypedShortcut(&fyne.ShortcutCopy{})
	require.Equal(t, []string{strings.Join(strings.Split(shop, "\n")[5:8], "\n")}, h.copied)
	key(v, fyne.KeyEscape)
	require.Equal(t, v.from, v.to)
	require.Zero(t, h.cleared, "the first Esc gives up the range")

	test.TapCanvas(w.Canvas(), at(v, 24))
	v.TypedShortcut(&fyne.ShortcutCopy{})
	require.Equal(t, "\t<p>price\\u{202e}991$ and\\u{200b} more\\u{7}</p>", h.copied[1], "nothing hidden is copied")

	v.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	key(v, fyne.KeyUp, fyne.KeyUp)
	require.Equal(t, [2]int{22, 25}, [2]int{v.from, v.to})
	key(v, fyne.KeyDown)
	require.Equal(t, [2]int{23, 25}, [2]int{v.from, v.to})
	key(v, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown)
	require.Equal(t, [2]int{24, 26}, [2]int{v.from, v.to}, "the last line is the end")
	v.TypedShortcut(&fyne.ShortcutSelectAll{})
	require.Equal(t, [2]int{0, 26}, [2]int{v.from, v.to})
}

func TestHoverReportsRefsOnce(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(560, 520), shop)
	for _, line := range []int{5, 5, 6, 0} {
		test.MoveMouse(w.Canvas(), at(v, line))
	}
	require.Equal(t, []int{3, 4, 0}, h.hovered)

	test.MoveMouse(w.Canvas(), at(v, 5))
	v.Set(core.DumpVM{Version: 2, Doc: document("dddk", long(5))}) // another text comes under the pointer, then it leaves
	v.MouseOut()
	require.Equal(t, []int{3, 4, 0, 3, 0}, h.hovered)
}

func TestScrollBarThumb(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(300, 200), long(500))
	down := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
	down.Position = fyne.NewPos(296, 5)
	v.MouseDown(down)
	drag := &fyne.DragEvent{Dragged: fyne.NewDelta(0, 90)}
	drag.Position = fyne.NewPos(296, 95)
	v.Dragged(drag)
	v.DragEnd()
	_, content := v.content()
	require.InDelta(t, 0.5, v.offY/(content-200), 0.05)
	require.Equal(t, v.from, v.to, "the bar selects no lines")
	down.Position = fyne.NewPos(296, 199)
	v.MouseDown(down)
	require.InDelta(t, content-200, v.offY, 1, "a press beside the thumb brings it there")
	v.MouseUp(down)
	test.TapCanvas(w.Canvas(), fyne.NewPos(296, 100))
	require.Empty(t, h.lines)
}

func TestForeignScriptsAreDrawnByFyne(t *testing.T) {
	v, w, _ := listening(t, fyne.NewSize(560, 520), shop)
	img := w.Canvas().Capture()
	var texts []string
	for _, o := range test.WidgetRenderer(v).Objects() {
		if text, ok := o.(*canvas.Text); ok {
			texts = append(texts, text.Text)
			require.LessOrEqual(t, text.MinSize().Width, float32(8000))
		}
	}
	require.Equal(t, []string{"東京の天気", "مرحبا بالعالم", "👩\u200d💻", "🚀"}, texts)
	// And something is to be seen where they stand.
	at := v.top(21)
	require.Greater(t, inks(img, image.Rect(200, int(at), 290, int(at+v.rowHeight()))), 60)

	v.scrollTo(0, v.top(26))
	require.Empty(t, v.ix.text(99))
}

// inks counts the pixels of a part that are not of the part's first colour.
func inks(img image.Image, r image.Rectangle) int {
	n, ground := 0, img.At(r.Min.X, r.Min.Y)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if img.At(x, y) != ground {
				n++
			}
		}
	}
	return n
}

// A line that is chosen elsewhere can be read: the text does not stay scrolled sideways beyond its end.
func TestAChosenLineIsInViewSideways(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(300, 200), long(20)+"\n"+strings.Repeat("x", 5_000))
	choose := func(ref int) {
		vm := v.vm
		vm.Selected = ref
		v.Set(vm)
	}
	v.scrollTo(60, 0)
	choose(3)
	require.Equal(t, 60.0, v.offX, "some of it is in view")
	v.scrollTo(9_000, 0)
	choose(4)
	require.Zero(t, v.offX)
	v.scrollTo(9_000, 0)
	choose(19)
	require.Zero(t, v.offX)
	require.True(t, v.sees(v.ix.first(19)))
}

func TestHostileLines(t *testing.T) {
	text := strings.Repeat("語", 30_000) + "\n" + strings.Repeat("x", 200_000) + "\n\u202e\u2066\x00\x1b[31m\xff"
	v, w, _ := listening(t, fyne.NewSize(400, 300), text)
	for range 5 {
		w.Canvas().Capture()
		for _, o := range test.WidgetRenderer(v).Objects() {
			require.LessOrEqual(t, o.MinSize().Width, float32(8000))
			require.LessOrEqual(t, o.Size().Width, float32(8000))
		}
		v.scrollTo(v.offX+60_000, 0)
	}
	require.LessOrEqual(t, len(test.WidgetRenderer(v).Objects()), 40, "objects for what is in view only")
}

func TestEmptyViewSaysWhatToDo(t *testing.T) {
	v, w := window(t, look.Light, fyne.NewSize(400, 300), Callbacks{})
	v.Set(core.DumpVM{Empty: "The text appears here after the first capture."})
	require.Greater(t, inks(w.Canvas().Capture(), image.Rect(0, 0, 400, 300)), 200)
	key(v, fyne.KeyDown, fyne.KeyEnd, fyne.KeyReturn, fyne.KeyEscape)
	v.TypedShortcut(&fyne.ShortcutSelectAll{})
	v.TypedShortcut(&fyne.ShortcutCopy{})
	test.TapCanvas(w.Canvas(), fyne.NewPos(50, 50))
	require.Equal(t, -1, v.Line())
}

func TestCrispAtAnyScale(t *testing.T) {
	for _, scale := range []float32{1, 1.25, 2} {
		v, w, h := listening(t, fyne.NewSize(560, 520), shop)
		w.Canvas().(software.WindowlessCanvas).SetScale(scale)
		w.Canvas().Capture()
		require.InDelta(t, scale, v.scale, 0.02)
		require.Equal(t, int(math.Round(19*float64(scale))), v.metrics().row)
		test.TapCanvas(w.Canvas(), at(v, 15))
		require.Equal(t, []int{15}, h.lines)
	}
}

// TestAnyScaleKeepsThePlace: rows are whole device px, so a scale that is learned with the first picture gives them
// another height; a chosen line far down stays in view, and so do the lines that somebody reads.
func TestAnyScaleKeepsThePlace(t *testing.T) {
	for _, scale := range []float32{0.8, 1.1, 1.25, 1.5, 1.75, 2} {
		v, w, _ := listening(t, fyne.NewSize(560, 400), long(5000))
		w.Canvas().Capture()
		vm := v.vm
		vm.Selected = 2500
		v.Set(vm)
		line := v.Line()
		require.True(t, v.sees(line))
		w.Canvas().(software.WindowlessCanvas).SetScale(scale)
		w.Canvas().Capture()
		require.True(t, v.sees(line), "scale %v", scale)

		vm.Selected = 0
		v.Set(vm)
		v.scrollTo(0, v.top(3000))
		first := v.lineAt(padTop)
		w.Canvas().(software.WindowlessCanvas).SetScale(1)
		w.Canvas().Capture()
		require.InDelta(t, first, v.lineAt(padTop), 1, "scale %v", scale)
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{5_000, 50_000} {
		b.Run(fmt.Sprintf("900x900, %d lines, a jump each frame", n), func(b *testing.B) {
			v, _, _ := listening(b, fyne.NewSize(900, 900), long(n))
			r := test.WidgetRenderer(v).(*renderer)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				v.offY = v.top(i * 7919 % n)
				v.clamp()
				r.prepare()
				r.placeTexts(v.Size())
				r.drawBody(900, 900)
				r.drawMargin(66, 900)
			}
		})
	}
}

func BenchmarkFrameFolded(b *testing.B) {
	v, _, _ := listening(b, fyne.NewSize(900, 900), long(50_000))
	vm := v.vm
	vm.Folds = core.NewFolds(vm.Doc).All(true).Toggle(0).Toggle(1)
	v.Set(vm)
	r := test.WidgetRenderer(v).(*renderer)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		v.offY = v.top(i * 7919 % 50_000)
		v.clamp()
		r.prepare()
		r.placeTexts(v.Size())
		r.drawBody(900, 900)
		r.drawMargin(66, 900)
	}
}

func BenchmarkFold(b *testing.B) {
	doc := document("dddk", long(50_000))
	b.Run("find the sections", func(b *testing.B) {
		for b.Loop() {
			core.NewFolds(doc)
		}
	})
	all := core.NewFolds(doc).All(true)
	b.Run("fold one more", func(b *testing.B) {
		for b.Loop() {
			all.Toggle(40)
		}
	})
}

func BenchmarkSetDocument(b *testing.B) {
	doc := document("dddk", long(50_000))
	b.SetBytes(int64(len(doc.Text)))
	for b.Loop() {
		newIndex(core.DumpVM{Doc: doc})
	}
}
