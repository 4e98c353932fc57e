package parts

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts/partstest"
)

// listBench is a list in a window, with what it sent.
type listBench struct {
	*List
	win  fyne.Window
	sent []core.Msg
	over []int
	left int
}

func newListBench(t testing.TB, rows ...core.Row) *listBench {
	test.NewTempApp(t)
	b := &listBench{}
	b.List = NewList(ListCallbacks{Send: func(m core.Msg) { b.sent = append(b.sent, m) },
		Hover: func(ref int) { b.over = append(b.over, ref) }, Escape: func() { b.left++ }})
	b.win = test.NewTempWindow(t, b.List)
	b.win.SetPadded(false)
	b.win.Resize(fyne.NewSize(400, 300))
	b.Set(core.ListVM{Rows: core.NewRows(rows)})
	return b
}

// TestWhatWrapsAtABorderHasItsHeight: a list that is as high as its rows, and a flow, also where the window has another
// width and they wrap anew.
func TestWhatWrapsAtABorderHasItsHeight(t *testing.T) {
	test.NewTempApp(t)
	l := NewShortList(ListCallbacks{})
	l.Set(core.ListVM{Rows: core.NewRows([]core.Row{{Kind: core.RowCard, Title: strings.Repeat("wide words ", 30)}})})
	flow := container.New(&Flow{})
	for range 12 {
		flow.Add(NewChip(Tab, "a choice", nil))
	}
	box := Border(container.NewVBox(l, Padded(0, 0, 8, 8, flow)), nil, nil, nil, canvas.NewRectangle(color.Black))
	for _, wide := range []float32{900, 300, 500} {
		box.Resize(fyne.NewSize(wide, 700))
		require.InDelta(t, l.high(), l.Size().Height, 1, "%g wide", wide)
		require.InDelta(t, flow.MinSize().Height, flow.Size().Height, 1, "%g wide", wide)
	}
}

// TestAShortListWithoutRowsIsNothing: neither room nor a shadow or a bar to scroll is seen of it.
func TestAShortListWithoutRowsIsNothing(t *testing.T) {
	test.NewTempApp(t)
	l := NewShortList(ListCallbacks{})
	l.Resize(fyne.NewSize(300, 300))
	for _, rows := range [][]core.Row{nil, {{Title: "one"}}, {}} {
		l.Set(core.ListVM{Rows: core.NewRows(rows)})
		require.Equal(t, len(rows) > 0, l.MinSize().Height > 0, "%v", rows)
		require.Equal(t, len(rows) > 0, l.scroll.Visible(), "%v", rows)
	}
}

// TestTheSentenceOfALowListIsWithinIt: it does not lie on what is below.
func TestTheSentenceOfALowListIsWithinIt(t *testing.T) {
	b := newListBench(t)
	b.Set(core.ListVM{Empty: "Nothing is here. " + strings.Repeat("Do something. ", 10)})
	for _, high := range []float32{400, 120, 95} {
		b.win.Resize(fyne.NewSize(400, high))
		d := fyne.CurrentApp().Driver()
		end := d.AbsolutePositionForObject(b.empty).Y + b.empty.Size().Height
		require.LessOrEqual(t, end, high, "%g high", high)
	}
}

// words are the texts that are drawn.
func (b *listBench) words() []string {
	var out []string
	for _, o := range test.WidgetRenderer(b.face).Objects() {
		if t, ok := o.(*canvas.Text); ok {
			out = append(out, t.Text)
		}
	}
	return out
}

func (b *listBench) key(names ...fyne.KeyName) {
	for _, n := range names {
		b.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

// whereIs is the middle of a text that is drawn.
func (b *listBench) whereIs(t testing.TB, word string) fyne.Position {
	t.Helper()
	for _, o := range test.WidgetRenderer(b.face).Objects() {
		if c, ok := o.(*canvas.Text); ok && c.Text == word {
			return c.Position().AddXY(c.Size().Width/2, c.Size().Height/2)
		}
	}
	t.Fatalf("%q is not drawn: %q", word, b.words())
	return fyne.Position{}
}

func cards() []core.Row {
	return []core.Row{
		{Kind: core.RowHead, Title: "1 ERROR", Tone: core.ToneBad},
		{Kind: core.RowCard, Tone: core.ToneBad, Title: "The agent clicked a covered control",
			Body: strings.Repeat("Its click landed on the banner. ", 6),
			Chips: []core.RowChip{{Ref: 29, Text: "button “Add”", Msg: core.PickOf(-1, 29)},
				{Ref: 82, Msg: core.PickOf(-1, 82)}},
			Action: "Why", Do: core.Escaped{}},
		{Kind: core.RowLine, Lead: "+", Ref: 7, Title: "link “Home”", Tone: core.ToneGood, Pick: core.PickOf(-1, 7)},
	}
}

func TestListChoosesByClickAndKey(t *testing.T) {
	b := newListBench(t, cards()...)
	b.face.Tapped(&fyne.PointEvent{Position: b.whereIs(t, "82")})
	b.face.Tapped(&fyne.PointEvent{Position: b.whereIs(t, "Why")})
	b.face.Tapped(&fyne.PointEvent{Position: b.whereIs(t, "link “Home”")})
	b.face.Tapped(&fyne.PointEvent{Position: b.whereIs(t, "1 ERROR")})
	want := []core.Msg{core.PickOf(-1, 82), core.Escaped{}, core.PickOf(-1, 7)}
	require.Equal(t, want, b.sent, "a heading sends nothing")

	b.sent = nil
	b.key(fyne.KeyHome)
	b.win.Canvas().Focus(b.List)
	b.key(fyne.KeyReturn)                                     // a card that cannot be chosen gives its first element
	b.key(fyne.KeyRight, fyne.KeyRight, fyne.KeyReturn)       // the second chip
	b.key(fyne.KeyRight, fyne.KeyRight, fyne.KeySpace)        // the action, and no further
	b.key(fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)         // the last row
	b.key(fyne.KeyUp, fyne.KeyUp, fyne.KeyUp, fyne.KeyReturn) // headings are skipped
	require.Equal(t, []core.Msg{core.PickOf(-1, 29), core.PickOf(-1, 82), core.Escaped{}, core.PickOf(-1, 7),
		core.PickOf(-1, 29)}, b.sent)
	b.TypedShortcut(&fyne.ShortcutCopy{})
	require.Contains(t, b.sent[5].(core.TextCopied).Text, "The agent clicked a covered control Its click landed")
	test.TapSecondaryAt(b.face, fyne.NewPos(100, b.tops[0]+4))
	partstest.Choose(t, b.win.Canvas(), "Copy row")
	require.Equal(t, core.TextCopied{Text: b.rows()[0].Words()}, b.sent[6])
	test.TapSecondaryAt(b.face, fyne.NewPos(100, b.tops[0]+4))
	partstest.Choose(t, b.win.Canvas(), "Copy all "+b.AccessibilityLabel())
	require.Equal(t, core.TextCopied{Text: b.vm.Rows.Doc.Text}, b.sent[7])
	b.win.Canvas().Focus(b.List)
	b.key(fyne.KeyEscape)
	require.Equal(t, 1, b.left)
}

func TestListTellsWhatIsUnderThePointer(t *testing.T) {
	b := newListBench(t, cards()...)
	at := func(word string) *desktop.MouseEvent {
		return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: b.whereIs(t, word)}}
	}
	b.face.MouseIn(at("82"))
	require.Equal(t, desktop.PointerCursor, b.face.Cursor())
	b.face.MouseMoved(at("82"))
	b.face.MouseMoved(at("link “Home”"))
	b.face.MouseMoved(at("1 ERROR"))
	require.Equal(t, desktop.DefaultCursor, b.face.Cursor())
	b.face.MouseOut()
	require.Equal(t, []int{82, 7, 0}, b.over, "each once")

	b.face.MouseIn(at("82"))
	b.Set(core.ListVM{Rows: core.NewRows(cards())}) // other rows come under it, then it leaves
	b.face.MouseOut()
	require.Equal(t, []int{82, 7, 0, 82, 0}, b.over)
}

func TestListWrapsAndKeepsItsWidth(t *testing.T) {
	b := newListBench(t, cards()...)
	high := b.high()
	for _, width := range []float32{300, 220, 640} {
		b.win.Resize(fyne.NewSize(width, 300))
		for _, o := range test.WidgetRenderer(b.face).Objects() {
			require.LessOrEqual(t, o.Position().X+o.Size().Width, width+1, "%T at %v", o, width)
			require.GreaterOrEqual(t, o.Position().X, float32(0))
		}
	}
	require.Less(t, b.high(), high, "a wide list needs fewer lines")
}

// TestListDrawsWhatIsInView is what makes twenty thousand rows cheap.
func TestListDrawsWhatIsInView(t *testing.T) {
	rows := make([]core.Row, 20_000)
	for i := range rows {
		rows[i] = core.Row{Ref: i + 1, Title: fmt.Sprintf("row %d %s", i+1, strings.Repeat("word ", i%40)),
			Pick: core.PickOf(-1, i+1)}
	}
	b := newListBench(t, rows...)
	require.Less(t, len(test.WidgetRenderer(b.face).Objects()), 200)
	b.key(fyne.KeyEnd)
	require.Contains(t, b.words(), "20000")
	require.Less(t, len(test.WidgetRenderer(b.face).Objects()), 200)
	vm := b.vm
	vm.Selected = 9_000
	b.Set(vm)
	require.Contains(t, b.words(), "9000", "the selected one comes into view")
	before, _ := b.place()
	b.win.Resize(fyne.NewSize(500, 300))
	after, _ := b.place()
	require.Equal(t, before, after, "another width keeps the place")
}

func TestListShowsWhatWasFound(t *testing.T) {
	b := newListBench(t, cards()...)
	vm := b.vm
	vm.Find, vm.FindAt = &core.FoundText{Line: []int{2}, Lines: []int{2}, Source: vm.Rows.Doc}, 0
	b.Set(vm)
	require.True(t, b.look(2).current)
	require.False(t, b.look(1).found)
	require.Equal(t, "+ link “Home”", vm.Rows.Doc.Text[vm.Rows.Doc.Lines[2].Start:vm.Rows.Doc.Lines[2].End])
	require.Equal(t, 7, vm.Rows.Doc.Lines[2].Ref)
}

func TestListSortsByItsColumns(t *testing.T) {
	rows := []core.Row{
		{Kind: core.RowColumns, Title: "Region", Cells: []string{"Elements", "Tokens"}, Sorted: 3,
			Sorts: []core.Msg{core.Began{}, core.Escaped{}, core.NewestAsked{}}},
		{Title: "main", Cells: []string{"12", "1,271"}, Share: 0.8},
	}
	b := newListBench(t, rows...)
	b.face.Tapped(&fyne.PointEvent{Position: b.whereIs(t, "Elements")})
	b.face.Tapped(&fyne.PointEvent{Position: b.whereIs(t, "Region")})
	require.Equal(t, []core.Msg{core.Escaped{}, core.Began{}}, b.sent)
	edge := func(word string) float32 {
		for _, o := range test.WidgetRenderer(b.face).Objects() {
			if c, ok := o.(*canvas.Text); ok && c.Text == word {
				return c.Position().X + c.Size().Width
			}
		}
		return 0
	}
	require.InDelta(t, edge("Tokens"), edge("1,271"), 1.5)
	require.InDelta(t, edge("Elements"), edge("12"), 1.5)
}

func TestColumnsOverRowsWithAnAction(t *testing.T) {
	b := newListBench(t, core.Row{Kind: core.RowColumns, Title: "Answer", Cells: []string{"Time", "Tokens"}},
		core.Row{Title: "first", Cells: []string{"51", "2,100"}, Action: "Open"}, core.Row{Title: "second", Cells: []string{"7", "9"}})
	edge := func(word string) float32 {
		p := b.whereIs(t, word)
		for _, o := range test.WidgetRenderer(b.face).Objects() {
			if c, ok := o.(*canvas.Text); ok && c.Text == word {
				return c.Position().X + c.Size().Width
			}
		}
		return p.X
	}
	for title, cells := range map[string][]string{"Time": {"51", "7"}, "Tokens": {"2,100", "9"}} {
		for _, cell := range cells {
			require.InDelta(t, edge(title), edge(cell), 1.5, "%s under %s", cell, title)
		}
	}
}

// TestAColumnOfWordsLeavesTheTitlesRoom: one long note does not break the names of all rows; figures are never cut.
func TestAColumnOfWordsLeavesTheTitlesRoom(t *testing.T) {
	b := newListBench(t, core.Row{Kind: core.RowColumns, Title: "Section", Cells: []string{"Bytes", "Notes"}},
		core.Row{Title: "messages[24].content[0]", Cells: []string{"234,729", "user"}},
		core.Row{Title: "tools", Cells: []string{"64",
			"its beginning differs from that of turn 20, so that nothing is cached"}})
	words := b.words()
	require.Contains(t, words, "messages[24].content[0]", "in one line")
	require.Contains(t, words, "234,729")
	require.Contains(t, words, "user")
	require.True(t, slices.ContainsFunc(words, func(s string) bool { return strings.HasSuffix(s, "…") }), words)
	b.win.Resize(fyne.NewSize(1200, 300))
	require.Contains(t, b.words(), "its beginning differs from that of turn 20, so that nothing is cached")
}

// TestHeadsOfColumnsAreApart: a head that is wider than its column is cut, so that it does not lie over that beside it.
func TestHeadsOfColumnsAreApart(t *testing.T) {
	b := newListBench(t, core.Row{Kind: core.RowColumns, Title: "Section",
		Cells: []string{"Bytes", "Role and all the notes"}},
		core.Row{Title: "messages[24].content[0]", Cells: []string{"234,729", strings.Repeat("note ", 30)}})
	require.NotContains(t, b.words(), "Role and all the notes")
	require.True(t, slices.ContainsFunc(b.words(), func(s string) bool {
		return strings.HasPrefix(s, "Role") && strings.HasSuffix(s, "…")
	}), b.words())
}

// TestABlankBehindASymbol: the font of symbols has no blank.
func TestABlankBehindASymbol(t *testing.T) {
	for line, want := range map[string][]string{"": {""}, "a b": {"a b"}, "a → b": {"a →", "b"}, "★ 4 ★ 5": {"★", "4 ★", "5"},
		"x+ y": {"x+ y"}} {
		require.Equal(t, want, pieces(line), line)
	}
	b := newListBench(t, core.Row{Title: "one → two"})
	require.NotContains(t, b.words(), "one → two", "it is not drawn as one text")

	drawn := Text("one → two", color.Black, 13, fyne.TextStyle{}).(*fyne.Container)
	drawn.Resize(drawn.MinSize())
	arrow, two := drawn.Objects[0].(*canvas.Text), drawn.Objects[1].(*canvas.Text)
	require.Equal(t, []string{"one →", "two"}, []string{arrow.Text, two.Text})
	require.Equal(t, arrow.Position().Y, two.Position().Y)
	require.Greater(t, two.Position().X, arrow.Position().X+arrow.Size().Width)
	require.True(t, two.Visible())
	f := NewFacts(false, 4)
	f.Set([]core.StatusItem{{Text: "4 → 5"}})
	require.IsType(t, &fyne.Container{}, test.WidgetRenderer(f).Objects()[0].(*fyne.Container).Objects[0])
}

// TestListDrawsANumberOnce: the title of a finding begins with the number that the row has.
func TestListDrawsANumberOnce(t *testing.T) {
	b := newListBench(t, core.Row{Ref: 238, Title: "[238] label has no name"}, core.Row{Title: "[7] of another"},
		core.Row{Ref: 9, Code: true, Title: "[9] link"})
	require.Equal(t, []string{"238", "label has no name", "[7] of another", "9", "[9] link"}, b.words())
	require.Contains(t, b.vm.Rows.Doc.Text, "[238] label", "and is found by it")
}

func TestListIsHarmless(t *testing.T) {
	b := newListBench(t, core.Row{Title: "a\u202eb\x1b[31m\nc", Body: "x\u200by", Cells: []string{"\u2066"}})
	for _, w := range b.words() {
		require.NotContains(t, w, "\u202e")
		require.NotContains(t, w, "\x1b")
		require.NotContains(t, w, "\u200b")
		require.NotContains(t, w, "\u2066")
	}
}

func BenchmarkListOf20000(b *testing.B) {
	rows := make([]core.Row, 20_000)
	for i := range rows {
		rows[i] = core.Row{Ref: i + 1, Title: fmt.Sprintf("button “Add %d to the basket”", i+1),
			Body: "name “Add” → “Added to the basket of all things”", Pick: core.PickOf(-1, i+1)}
	}
	list := newListBench(b, core.Row{Title: "x"})
	set := core.NewRows(rows)
	b.ResetTimer()
	for b.Loop() {
		list.Set(core.ListVM{Rows: set})
		list.Set(core.ListVM{})
	}
}
