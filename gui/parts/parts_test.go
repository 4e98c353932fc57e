package parts

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// TestPickerBeginsWithItsFirstRow: also where it is filled before it has room, as a dialog is.
func TestPickerBeginsWithItsFirstRow(t *testing.T) {
	test.NewTempApp(t)
	p := NewPicker("which?", func(string) []PickRow { return make([]PickRow, 100) }, nil, nil)
	p.list.MinSize() // as the window measures it
	p.Fill()
	test.NewTempWindow(t, p.List).Resize(fyne.NewSize(400, 300))
	require.Zero(t, p.list.GetScrollOffset())
}

func TestPicker(t *testing.T) {
	test.NewTempApp(t)
	all := []string{"alpha", "beta", "gamma"}
	var chosen []string
	left := false
	var shown []string
	p := NewPicker("which?", func(typed string) (rows []PickRow) {
		shown = nil
		for _, name := range all {
			if strings.Contains(name, typed) {
				shown = append(shown, name)
				rows = append(rows, PickRow{Title: name,
					Facts: []core.StatusItem{{Text: "a fact", Tone: core.ToneWarn}}})
			}
		}
		return rows
	}, func(row int, typed string) {
		if row < 0 {
			chosen = append(chosen, "typed "+typed)
			return
		}
		chosen = append(chosen, shown[row])
	}, func() { left = true })
	p.Fill()
	w := test.NewTempWindow(t, container.NewBorder(p.Entry, nil, nil, nil, p.List))
	w.Resize(fyne.NewSize(400, 300))
	key := func(name fyne.KeyName) { p.Entry.TypedKey(&fyne.KeyEvent{Name: name}) }

	require.Len(t, p.Rows(), 3)
	key(fyne.KeyDown)
	key(fyne.KeyPageDown)
	require.Equal(t, 2, p.Cursor(), "it stops at the last")
	key(fyne.KeyReturn)
	key(fyne.KeyPageUp)
	key(fyne.KeyReturn)
	test.Type(p.Entry, "et")
	require.Len(t, p.Rows(), 1)
	key(fyne.KeyReturn)
	test.Type(p.Entry, "x")
	require.Equal(t, -1, p.Cursor())
	key(fyne.KeyReturn)
	require.Equal(t, []string{"gamma", "alpha", "beta", "typed etx"}, chosen)
	key(fyne.KeyEscape)
	require.True(t, left)
}

func TestFlowGoesOnInTheNextLine(t *testing.T) {
	test.NewTempApp(t)
	box := func(w float32) fyne.CanvasObject {
		r := canvas.NewRectangle(color.Black)
		r.SetMinSize(fyne.NewSize(w, 10))
		return r
	}
	a, b, c := box(60), box(60), box(60)
	hidden := box(60)
	hidden.Hide()
	f := &Flow{Gap: 4}
	objects := []fyne.CanvasObject{a, hidden, b, c}
	f.Layout(objects, fyne.NewSize(130, 100))
	require.Equal(t, fyne.NewPos(0, 0), a.Position())
	require.Equal(t, fyne.NewPos(64, 0), b.Position(), "what is hidden takes no room")
	require.Equal(t, fyne.NewPos(0, 12), c.Position())
	require.Equal(t, float32(22), f.MinSize(objects).Height)
}

// TestABannerSaysAll: what went wrong is not cut in a narrow window, and takes one line in a wide one.
func TestABannerSaysAll(t *testing.T) {
	test.NewTempApp(t)
	banner := NewToast(func(int) {}, func() {})
	box := container.New(Fitting{Of: layout.NewBorderLayout(banner.Banner, nil, nil, nil), Fit: banner.Fit}, banner.Banner)
	banner.Set(Note{Text: "The profile was not saved.", Hint: strings.Repeat("Correct the line. ", 6), Tone: core.ToneBad,
		Actions: []string{"Go there"}})
	box.Resize(fyne.NewSize(2000, 400))
	one := banner.Banner.Size().Height
	box.Resize(fyne.NewSize(600, 400))
	two := banner.Banner.Size().Height
	require.Greater(t, two, one)
	require.LessOrEqual(t, banner.text.MinSize().Height, banner.text.Size().Height, "nothing of it is cut")
	box.Resize(fyne.NewSize(2000, 400))
	require.Equal(t, one, banner.Banner.Size().Height)
	banner.Set(Note{Text: "Saved."})
	require.False(t, banner.Banner.Visible())
}

func TestTabsWithoutRoom(t *testing.T) {
	test.NewTempApp(t)
	tabs := []*Chip{NewChip(Tab, "Text", nil), NewChip(Tab, "Findings", nil), NewChip(Tab, "Activity", nil)}
	tabs[0].Turn(true, true)
	tabs[1].SetBadges([]core.StatusItem{{Text: "2", Tone: core.ToneMuted}})
	tabs[2].SetBadges([]core.StatusItem{{Text: "1", Tone: core.ToneBad}})
	row := NewTabRow(tabs, nil)
	test.NewTempWindow(t, row.Box)
	wide := float32(0)
	for _, c := range tabs {
		wide += c.MinSize().Width
	}
	row.Layout(nil, fyne.NewSize(wide, 30))
	require.Empty(t, row.Hidden())
	row.Layout(nil, fyne.NewSize(wide-1, 30))
	require.Equal(t, []int{1, 2}, row.Hidden())
	require.Equal(t, tabs[2].badges, row.more.badges, "what is wrong is seen where its tab is not")
	require.LessOrEqual(t, row.more.Position().X+row.more.Size().Width, wide-1)
	row.Layout(nil, fyne.NewSize(wide, 30))
	require.Empty(t, row.Hidden())
}

// TestBadgesHaveAnEdgeOfTheirTone: in high contrast all grounds are alike.
func TestBadgesHaveAnEdgeOfTheirTone(t *testing.T) {
	test.NewTempApp(t)
	test.ApplyTheme(t, theme.New(theme.Contrast))
	edge := func(tone core.Tone) color.Color {
		c := NewChip(Tab, "Activity", nil)
		c.SetBadges([]core.StatusItem{{Text: "1", Tone: tone}})
		return test.WidgetRenderer(c).(*chipRenderer).pills[0].StrokeColor
	}
	require.NotEqual(t, edge(core.ToneBad), edge(core.ToneGood))
	require.NotEqual(t, edge(core.ToneBad), edge(core.ToneMuted))
}

func TestChips(t *testing.T) {
	test.NewTempApp(t)
	taps := 0
	c := NewChip(Toggle, "Boxes", func() { taps++ })
	test.NewTempWindow(t, c)
	test.Tap(c)
	c.Turn(true, false)
	test.Tap(c)
	require.Equal(t, 1, taps, "a chip that cannot be pressed does nothing")
	require.True(t, c.On())
	require.Equal(t, "Boxes", c.Text())
}

// TestRings: the ring of what has the keyboard stands out from its own ground, the accent's too.
func TestRings(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Dark))
	other, main := NewChip(Button, "Export", nil), NewChip(Button, "Capture", nil)
	main.Turn(true, true)
	for _, b := range []fyne.Widget{other, main, NewPushButton("Close", false, nil, nil),
		NewPushButton("Export", true, nil, nil)} {
		w := test.NewTempWindow(t, b)
		w.Canvas().Focus(b.(fyne.Focusable))
		ground := test.WidgetRenderer(b).Objects()[0].(*canvas.Rectangle)
		require.Equal(t, float32(2), ground.StrokeWidth)
		ring := color.NRGBAModel.Convert(ground.StrokeColor).(color.NRGBA)
		fill := color.NRGBAModel.Convert(ground.FillColor).(color.NRGBA)
		require.Greater(t, math.Abs(float64(ring.R)-float64(fill.R)), 20.0, "%s",
			b.(fyne.Accessible).AccessibilityLabel())
	}
}

func TestPushButton(t *testing.T) {
	test.NewTempApp(t)
	done, left := 0, 0
	b := NewPushButton("Do it", true, func() { done++ }, func() { left++ })
	test.NewTempWindow(t, b)
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.Disable()
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Equal(t, 1, done)
	require.Equal(t, 1, left)
}

// TestSelectByKeys chooses without the list dropped down, and Enter takes what is chosen.
func TestSelectByKeys(t *testing.T) {
	test.NewTempApp(t)
	left, taken := 0, ""
	s := NewSelect([]string{"small", "medium", "large"}, func(string) {}, func() { left++ })
	s.Enter = func() { taken = s.Selected }
	for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp,
		fyne.KeyReturn} {
		s.TypedKey(&fyne.KeyEvent{Name: k})
	}
	require.Equal(t, "medium", taken)
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Equal(t, 1, left)
}

// TestSelectHasAnEdge in every theme, and its words stand out from its ground.
func TestSelectHasAnEdge(t *testing.T) {
	app := test.NewTempApp(t)
	s := NewSelect([]string{"dddk"}, func(string) {}, func() {})
	w := app.NewWindow("select")
	w.SetContent(s)
	for _, m := range []theme.Mode{theme.Dark, theme.Light, theme.Contrast} {
		app.Settings().SetTheme(theme.New(m))
		s.Refresh()
		ground := test.WidgetRenderer(s).Objects()[0].(*canvas.Rectangle)
		require.Equal(t, theme.RGBA(theme.New(m), fynetheme.ColorNameInputBorder), ground.StrokeColor, m)
		require.NotEqual(t, ground.StrokeColor, ground.FillColor, m)
	}
}

// A bar of work moves in eight steps a round, each of which paints the window once, and holds nothing where it rests.
func TestBusyBarMovesInSteps(t *testing.T) {
	test.NewTempApp(t)
	b := NewBusyBar()
	b.Resize(fyne.NewSize(96, 4))
	piece := test.WidgetRenderer(b).Objects()[1].(*canvas.Rectangle)
	b.Start()
	moves := b.moves
	b.Start()
	require.Same(t, moves, b.moves, "started twice, it moves once")
	var places []float32
	for done := float32(0); done <= 1; done += 1.0 / 512 {
		moves.Tick(done)
		require.LessOrEqual(t, piece.Position().X+piece.Size().Width, float32(96))
		if n := len(places); n == 0 || places[n-1] != piece.Position().X {
			places = append(places, piece.Position().X)
		}
	}
	require.Len(t, places, busySteps)
	require.IsIncreasing(t, places)
	b.Stop()
	require.Nil(t, b.moves)
}

// TestAPickerFitsANarrowWindow: what its keys do is read there too, in several lines.
func TestAPickerFitsANarrowWindow(t *testing.T) {
	test.NewTempApp(t)
	p := NewPicker("Name", func(string) []PickRow { return nil }, func(int, string) {}, func() {})
	hint := "Arrow keys choose, Enter compares, Esc leaves. Changes, pictures, texts and findings then start from that " +
		"turn."
	box := p.Dialog("Compare with", hint, NewPushButton("Close", false, func() {}, func() {}))
	w := test.NewTempWindow(t, box)
	size := PickSize(fyne.NewSize(700, 800))
	w.SetPadded(false)
	w.Resize(size)
	require.LessOrEqual(t, box.MinSize().Width, size.Width)
	words := partstest.Find(box, func(o fyne.CanvasObject) bool {
		l, ok := o.(*widget.Label)
		return ok && l.Text == hint
	})
	require.Greater(t, words.Size().Height, 1.5*Hint("One line").MinSize().Height)
}

// TestSentencesOfAnEmptyViewAreParagraphs: what is said in several lines stays so, each without characters that harm.
func TestSentencesOfAnEmptyViewAreParagraphs(t *testing.T) {
	empty := NewEmpty()
	SayEmpty(empty, "No picture.\nMissing: \x1b a  b")
	require.Len(t, empty.Segments, 2)
	require.Equal(t, "No picture.", empty.Segments[0].Textual())
	require.Equal(t, text.Line("Missing: \x1b a  b"), empty.Segments[1].Textual())
	SayEmpty(empty, "Nothing.")
	require.Len(t, empty.Segments, 1)
}
