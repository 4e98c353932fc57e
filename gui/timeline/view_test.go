package timeline

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/gui/theme"
)

// bench is the list in a window, and what it reported.
type bench struct {
	view    *View
	paired  []Paired
	win     fyne.Window
	chosen  []int
	damaged []int
	steps   []int
	seen    map[int]bool
	filters []string
	runes   string
}

func open(t testing.TB, vm VM) *bench {
	t.Helper()
	b := &bench{seen: map[int]bool{}}
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Dark))
	b.view = New(&parts.Window{
		Send: func(m core.Msg) {
			switch m := m.(type) {
			case core.TurnChosen:
				b.chosen = append(b.chosen, m.N)
			case core.DamageChosen:
				b.damaged = append(b.damaged, m.Index)
			case Paired:
				b.paired = append(b.paired, m)
			case TurnStepped:
				b.steps = append(b.steps, m.By)
			case core.TurnSeen:
				b.seen[m.N] = true
			case FilterTyped:
				b.filters = append(b.filters, m.Text)
			}
		},
		Escape: func() {},
		Keys:   parts.Keys{Rune: func(r rune) { b.runes += string(r) }},
	})
	b.win = test.NewTempWindow(t, container.NewStack(container.NewHBox(b.view.Object()), b.view.Magnifier()))
	b.win.Resize(fyne.NewSize(900, 800))
	b.view.Object().Resize(fyne.NewSize(width, 780))
	b.view.Set(vm)
	return b
}

func rows(n int) []core.TurnRow {
	thumb := image.NewRGBA(image.Rect(0, 0, 320, 180))
	out := make([]core.TurnRow, n)
	for i := range out {
		out[i] = core.TurnRow{N: i + 1, Action: []string{"goto", "click", "fill"}[i%3], Title: "Page", Refs: 12,
			Thumb: thumb, Asked: i%2 == 0, Known: true}
		if i%10 == 3 {
			out[i].Errors = 2
		}
	}
	return out
}

// visible are the numbers of the rows that are in view.
func (b *bench) visible() []int {
	first := int(b.view.list.GetScrollOffset() / (pictureHigh + 32))
	var out []int
	for i := first; i < len(b.view.rows) && i < first+6; i++ {
		out = append(out, b.view.vm.Rows[b.view.rows[i]].N)
	}
	return out
}

func TestListShowsTheTurnInView(t *testing.T) {
	vm := VM{Rows: rows(1000), Shown: 500}
	b := open(t, vm)
	require.Contains(t, b.visible(), 500)
	require.Less(t, len(b.seen), 40, "only rows in view ask for their pictures")
	vm.Going = 900
	b.view.Set(vm)
	require.Contains(t, b.visible(), 900, "also the one that is about to be")
	b.view.list.Select(0)
	require.Equal(t, []int{1}, b.chosen)
}

func TestFilterKeepsThePlace(t *testing.T) {
	vm := VM{Rows: rows(1000), Shown: 500}
	b := open(t, vm)
	before := b.view.list.GetScrollOffset()
	require.NotZero(t, before)
	vm.Filter = "errors"
	b.view.Set(vm)
	require.Len(t, b.view.rows, 100)
	require.Equal(t, "errors", b.view.filter.Text)
	vm.Filter = ""
	b.view.Set(vm)
	require.Equal(t, before, b.view.list.GetScrollOffset(), "as it was (Playwright 40808)")

	vm.Filter = "errors"
	b.view.Set(vm)
	vm.Shown = 14
	b.view.Set(vm)
	vm.Filter = ""
	b.view.Set(vm)
	require.Contains(t, b.visible(), 14, "another turn came into view meanwhile")
	b.view.SetHorizontal(true)
	high := b.view.Object().MinSize().Height
	vm.Filter = "nothing of the kind"
	b.view.Set(vm)
	require.Contains(t, b.view.empty.Text, "No turn matches the filter")
	require.Equal(t, high, b.view.Object().MinSize().Height, "the picture above stays where it is")
}

func TestTypedFilterIsNotTypedBack(t *testing.T) {
	vm := VM{Rows: rows(30), Shown: 3}
	b := open(t, vm)
	b.view.focusFilter()
	test.Type(b.view.filter, "err")
	require.Equal(t, []string{"e", "er", "err"}, b.filters)
	for _, late := range b.filters[:2] { // the window's answers come late
		vm.Filter = late
		b.view.Set(vm)
		require.Equal(t, "err", b.view.filter.Text)
	}
	vm.Filter = "err"
	b.view.Set(vm)
	require.NotNil(t, partstest.Find(b.view.count, func(o fyne.CanvasObject) bool {
		line, ok := o.(*canvas.Text)
		return ok && line.Text == "0 of 30 turns"
	}), "how many it leaves is said while one types")
	vm.Filter = "" // a command cleared it
	b.view.Set(vm)
	require.Empty(t, b.view.filter.Text)
	require.Len(t, b.filters, 3, "what is set is not reported")
	test.Type(b.view.filter, "x")
	b.view.filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	b.view.filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Empty(t, b.view.filter.Text)
	require.Nil(t, b.win.Canvas().Focused(), "one press leaves")
	require.Equal(t, []int{1}, b.steps)
}

func TestKeysOfTheList(t *testing.T) {
	b := open(t, VM{Rows: rows(5), Damaged: []core.Damage{{N: 6, Why: "x"}}, Shown: 2})
	b.win.Canvas().Focus(b.view.list)
	b.view.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	b.view.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	b.view.list.TypedRune('j')
	require.Equal(t, []int{1, -1}, b.steps)
	require.Equal(t, "j", b.runes, "letters are the window's")
	b.view.list.Select(5)
	require.Equal(t, []int{0}, b.damaged)
	require.Empty(t, b.chosen)
	for _, keys := range []fyne.Focusable{b.view.list, b.view.film} { // the last that is not damaged
		b.chosen = nil
		keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
		require.Equal(t, []int{5, 1}, b.chosen)
	}
}

// TestADamagedTurnIsInItsPlace: a turn that cannot be shown stands where its number says, in the list and in the strip,
// and a click on it, or on one after it, means that one. One whose number is not known comes last.
func TestADamagedTurnIsInItsPlace(t *testing.T) {
	vm := VM{Rows: slices.Delete(rows(6), 2, 4), Damaged: []core.Damage{{Why: "x"}, {N: 3, Why: "x"}, {N: 4, Why: "y"}},
		Shown: 2}
	b := open(t, vm)
	b.win.Resize(fyne.NewSize(width, 1200))
	var at []string
	for _, o := range test.LaidOutObjects(b.view.list) {
		if l, ok := o.(*listed); ok {
			at = append(at, fmt.Sprint(l.row.N, l.damage != nil))
			l.Tapped(nil)
		}
	}
	require.Equal(t, []string{"1 false", "2 false", "3 true", "4 true", "5 false", "6 false", "0 true"}, at)
	require.Equal(t, []int{1, 2, 5, 6}, b.chosen)
	require.Equal(t, []int{1, 2, 0}, b.damaged)
	b.view.SetHorizontal(true)
	b.view.Object().Resize(fyne.NewSize(1600, 300))
	b.view.film.Tapped(&fyne.PointEvent{Position: fyne.NewPos(2.5*(filmWide+filmGap), 20)})
	require.Equal(t, []int{1, 2, 0, 1}, b.damaged)
	vm.Filter = "nothing"
	b.view.Set(vm)
	var said string
	for _, o := range test.LaidOutObjects(b.view.count) {
		if line, ok := o.(*canvas.Text); ok {
			said += line.Text
		}
	}
	require.Equal(t, "0 of 4 turns", said)
}

func TestMagnifier(t *testing.T) {
	b := open(t, VM{Rows: rows(5), Shown: 1})
	require.False(t, b.view.lens.box.Visible())
	c := newCell(b.view)
	c.set(b.view.vm.Rows[1], core.Remarks{Text: strings.Repeat("long ", 100)}, false, false)
	c.MouseIn(nil)
	require.True(t, b.view.lens.box.Visible())
	for _, l := range b.view.lens.lines {
		require.LessOrEqual(t, l.MinSize().Width, float32(lensWide+40))
	}
	c.MouseOut()
	require.False(t, b.view.lens.box.Visible())
	c.setDamage(core.Damage{})
	c.MouseIn(nil)
	require.False(t, b.view.lens.box.Visible())
}

// lying is the strip in a window.
func lying(t testing.TB, vm VM) *bench {
	b := open(t, vm)
	b.view.SetHorizontal(true)
	b.view.Object().Resize(fyne.NewSize(1300, 150))
	return b
}

// inStrip are the numbers of the turns in the strip.
func (b *bench) inStrip() []int {
	var out []int
	for k := range test.WidgetRenderer(b.view.film).Objects() {
		out = append(out, b.view.film.cells[k].row.N)
	}
	return out
}

func TestStripShowsTheTurnInView(t *testing.T) {
	vm := VM{Rows: rows(500), Shown: 250}
	b := lying(t, vm)
	require.Contains(t, b.inStrip(), 250)
	require.Less(t, len(b.seen), 60, "only turns in view ask for their pictures")
	for _, o := range test.WidgetRenderer(b.view.film).Objects() {
		require.LessOrEqual(t, o.Position().X+o.Size().Width, b.view.film.Size().Width, "whole cells only")
	}
	first := b.inStrip()[0]
	b.view.film.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -25)})
	require.Equal(t, first+1, b.inStrip()[0], "the wheel goes along it")
	b.view.w.Canvas = b.win.Canvas()
	b.view.film.Tapped(&fyne.PointEvent{Position: fyne.NewPos(2*(filmWide+filmGap)+5, 10)})
	require.Equal(t, fyne.Focusable(b.view.film), b.win.Canvas().Focused(), "the arrow keys are the strip's")
	require.Equal(t, []int{first + 3}, b.chosen)
	vm.Shown = 480
	b.view.Set(vm)
	require.Contains(t, b.inStrip(), 480)
	b.view.film.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	b.view.film.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	require.Equal(t, []int{-1, 1}, b.steps)
	before := b.inStrip()
	vm.Filter = "errors"
	b.view.Set(vm)
	require.NotEqual(t, before, b.inStrip())
	vm.Filter = ""
	b.view.Set(vm)
	require.Equal(t, before, b.inStrip(), "a filter that is cleared leaves it where it was")
	b.view.SetHorizontal(false)
	require.Contains(t, b.visible(), 480, "and so does the list at the side")
}

// TestLinesOfTheStripAreWhole: the line below a picture is not cut, whatever the size of the text.
func TestLinesOfTheStripAreWhole(t *testing.T) {
	b := lying(t, VM{Rows: rows(3), Shown: 1})
	for _, scale := range []float32{1, 1.6} {
		fyne.CurrentApp().Settings().SetTheme(theme.Scaled(theme.Dark, scale))
		cell := b.view.film.cells[0]
		line := test.WidgetRenderer(cell).(*cellRenderer).number
		require.GreaterOrEqual(t, cell.Size().Height, line.Position().Y+line.MinSize().Height, "at %v", scale)
	}
}

func TestChipsCountAndNarrow(t *testing.T) {
	vm := VM{Rows: rows(40), Shown: 1, Remarks: map[int]core.Remarks{7: {Count: 1, Text: "x"}}}
	vm.Rows[4].Change = &core.TurnChange{Added: 2}
	b := lying(t, vm)
	var says []string
	for _, c := range b.view.chips {
		says = append(says, c.chip.Text())
	}
	require.Equal(t, []string{"All 40", "Failed 4", "Changed 1", "With notes 1"}, says)
	b.view.chips[1].chip.Tapped(nil)
	require.Equal(t, []string{"failed"}, b.filters)
	vm.Filter = "failed"
	b.view.Set(vm)
	require.Equal(t, []int{4, 14, 24, 34}, b.inStrip())
	require.True(t, b.view.chips[1].chip.On())
	require.False(t, b.view.chips[0].chip.On())
	b.view.film.Tapped(&fyne.PointEvent{Position: fyne.NewPos(1, 10)})
	require.Equal(t, []int{4}, b.chosen)
	vm.Rows = slices.Clone(vm.Rows)
	vm.Rows[20].Known = false
	b.view.Set(vm)
	require.Equal(t, "Failed 4+", b.view.chips[1].chip.Text(), "while one was not looked at")
	vm.Rows = vm.Rows[15:22]
	b.view.Set(vm)
	require.Equal(t, "Failed", b.view.chips[1].chip.Text(), "none so far")
}

// TestStripFillsAWiderWindow: there are cells as far as there is room, the turn in view among them, and none that a
// click could choose unseen, however the window is resized.
func TestStripFillsAWiderWindow(t *testing.T) {
	b := lying(t, VM{Rows: rows(40), Shown: 12})
	for _, w := range []float32{900, 500, 1500, 300, 1100, 5400, 800} {
		b.view.Object().Resize(fyne.NewSize(w, 130))
		require.Len(t, b.inStrip(), min(40, b.view.film.room()), "%v wide", w)
		require.Contains(t, b.inStrip(), 12, "%v wide", w)
		require.Equal(t, b.inStrip()[0], b.view.film.first+1)
	}
}

// TestCardOnCard: a card that is dragged onto another compares the two turns; one that is dropped elsewhere, or where it
// was, does nothing.
func TestCardOnCard(t *testing.T) {
	b := lying(t, VM{Rows: rows(40), Shown: 1})
	shown, wide := b.inStrip(), float32(filmWide+filmGap)
	for _, tt := range []struct {
		from, to fyne.Position
		want     []Paired
	}{
		{fyne.NewPos(10, 10), fyne.NewPos(2*wide+10, 40), []Paired{{shown[0], shown[2]}}},
		{fyne.NewPos(2*wide+10, 10), fyne.NewPos(wide+10, 40), []Paired{{shown[2], shown[1]}}},
		{fyne.NewPos(10, 10), fyne.NewPos(40, 40), nil},
		{fyne.NewPos(10, 10), fyne.NewPos(2*wide+10, -80), nil},
		{fyne.NewPos(10, 10), fyne.NewPos(wide-2, 40), nil}, // between two
	} {
		b.paired = nil
		for i := range 5 {
			part := fyne.NewDelta((tt.to.X-tt.from.X)/5, (tt.to.Y-tt.from.Y)/5)
			b.view.film.Dragged(&fyne.DragEvent{Dragged: part, PointEvent: fyne.PointEvent{
				Position: tt.from.AddXY(part.DX*float32(i+1), part.DY*float32(i+1))}})
		}
		b.view.film.DragEnd()
		require.Equal(t, tt.want, b.paired, "%v to %v", tt.from, tt.to)
	}
}

// BenchmarkOpenStrip is the first screen of a session of 500 turns.
func BenchmarkOpenStrip(b *testing.B) {
	vm := VM{Rows: rows(500), Shown: 500}
	for b.Loop() {
		x := lying(b, vm)
		x.win.Canvas().Capture()
	}
}

// TestCellsAreBounded: what a page or a person says never leaves the cell.
func TestCellsAreBounded(t *testing.T) {
	b := open(t, VM{Rows: rows(1), Shown: 1})
	c := newCell(b.view)
	c.Resize(fyne.NewSize(width-12, pictureHigh+28))
	long := strings.Repeat("W\u202e", 200)
	c.set(core.TurnRow{N: 123456, Action: long, Errors: 1234567, Torn: true, Unsettled: true, Note: long, Wire: 3},
		core.Remarks{Count: 99, Verdict: long}, true, false)
	r := test.WidgetRenderer(c).(*cellRenderer)
	require.LessOrEqual(t, r.action.Position().X+r.action.MinSize().Width,
		r.fact.Position().X+r.fact.Size().Width-r.fact.MinSize().Width+1)
	require.NotContains(t, r.action.Text, "\u202e")
	require.LessOrEqual(t, r.verdict.ground.Size().Width, c.Size().Width)
	require.LessOrEqual(t, r.flags.ground.Size().Width, c.Size().Width)
	require.LessOrEqual(t, r.flags.text.MinSize().Width, r.flags.ground.Size().Width+1)
}

// TestACellSaysThatThereIsNoPage: of a turn without a page and a picture, also where nothing was sent with it.
func TestACellSaysThatThereIsNoPage(t *testing.T) {
	b := open(t, VM{Rows: rows(1), Shown: 1})
	for row, want := range map[core.TurnRow]string{{N: 1, Pageless: true}: "no page", {N: 2, Refs: 3}: ""} {
		c := newCell(b.view)
		c.set(row, core.Remarks{}, false, false)
		require.Equal(t, want, test.WidgetRenderer(c).(*cellRenderer).middle.Text)
	}
}

// BenchmarkThousandTurns is the work of a frame in which the list scrolls by 60 units,
// jumps to another turn, or is narrowed.
func BenchmarkThousandTurns(b *testing.B) {
	vm := VM{Rows: rows(1000), Shown: 1}
	x := open(b, vm)
	b.Run("scroll", func(b *testing.B) {
		for i := range b.N {
			x.view.list.ScrollToOffset(float32(i*60) - float32(int(i*60/100_000)*100_000))
		}
	})
	b.Run("step", func(b *testing.B) {
		for i := range b.N {
			vm.Shown = i%1000 + 1
			x.view.Set(vm)
		}
	})
	b.Run("filter", func(b *testing.B) {
		for i := range b.N {
			vm.Filter = []string{"", "errors", "click page"}[i%3]
			x.view.Set(vm)
		}
	})
}

// TestKeyboardComesToTheTurns: a ring shows it, and the turns stay where they are.
func TestKeyboardComesToTheTurns(t *testing.T) {
	b := open(t, VM{Rows: rows(100), Shown: 90})
	for _, lying := range []bool{false, true} {
		b.view.SetHorizontal(lying)
		at, first := b.view.list.GetScrollOffset(), b.view.film.first
		require.Positive(t, at)
		b.win.Canvas().Focus(b.view.Focus())
		require.Equal(t, theme.RGBA(b.view.film.Theme(), fynetheme.ColorNameFocus), b.view.ring.StrokeColor)
		require.Equal(t, at, b.view.list.GetScrollOffset())
		require.Equal(t, first, b.view.film.first)
		b.win.Canvas().Unfocus()
		require.Equal(t, color.Transparent, b.view.ring.StrokeColor)
	}
}
