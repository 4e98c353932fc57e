package parts

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	fynetheme "fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/require"
)

// writer is an editor in a window of 400 x 200 units, with what it told.
type writer struct {
	*Editor
	win     fyne.Window
	changed []string
	undone  []bool
	left    int
	keys    []fyne.KeyName
}

func newWriter(t testing.TB, text string, cursor int) *writer {
	w := &writer{Editor: NewEditor()}
	w.Changed = func(text string) { w.changed = append(w.changed, text) }
	w.Undo = func(redo bool) { w.undone = append(w.undone, redo) }
	w.Escape = func() { w.left++ }
	w.Key = func(k *fyne.KeyEvent) { w.keys = append(w.keys, k.Name) }
	test.NewTempApp(t)
	w.win = test.NewTempWindow(t, w.Editor)
	w.win.Resize(fyne.NewSize(400, 200))
	w.Fill(text, cursor)
	w.win.Canvas().Focus(w.Editor)
	return w
}

func (w *writer) press(names ...fyne.KeyName) {
	for _, n := range names {
		w.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func ctrl(name fyne.KeyName, shift ...fyne.KeyModifier) fyne.Shortcut {
	s := &desktop.CustomShortcut{KeyName: name, Modifier: fyne.KeyModifierShortcutDefault}
	for _, m := range shift {
		s.Modifier |= m
	}
	return s
}

func TestEditorWrites(t *testing.T) {
	w := newWriter(t, "# one\ntwo", 5)
	require.Empty(t, w.changed, "a text that is given was not written")
	test.Type(w.Editor, "xé")
	w.press(fyne.KeyReturn, fyne.KeyTab, fyne.KeyBackspace, fyne.KeyHome, fyne.KeyDelete)
	require.Equal(t, []string{"# onex\ntwo", "# onexé\ntwo", "# onexé\n\ntwo", "# onexé\n  \ntwo", "# onexé\n \ntwo",
		"# onexé\n\ntwo"}, w.changed)
	w.TypedShortcut(ctrl(fyne.KeyEnd))
	require.Equal(t, len(w.Text()), w.Offset())
	require.Equal(t, 3, w.Line())
	w.TypedShortcut(ctrl(fyne.KeyBackspace))
	w.TypedShortcut(ctrl(fyne.KeyLeft, fyne.KeyModifierShift))
	w.TypedShortcut(ctrl(fyne.KeyLeft, fyne.KeyModifierShift))
	w.press(fyne.KeyBackspace)
	require.Equal(t, "# onexé", w.Text())
	w.TypedShortcut(&fyne.ShortcutUndo{})
	w.TypedShortcut(&fyne.ShortcutRedo{})
	w.TypedShortcut(ctrl(fyne.KeyZ, fyne.KeyModifierShift))
	require.Equal(t, []bool{false, true, true}, w.undone)
	w.press(fyne.KeyEscape, fyne.KeyF5)
	require.Equal(t, 1, w.left)
	require.Equal(t, []fyne.KeyName{fyne.KeyF5}, w.keys)
	n := len(w.changed)
	w.TypedShortcut(ctrl(fyne.KeyP))
	w.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyLeft, Modifier: fyne.KeyModifierAlt})
	require.Len(t, w.changed, n)
}

func TestEditorsClipboard(t *testing.T) {
	w := newWriter(t, "one two\nthree", 4)
	clip := fyne.CurrentApp().Clipboard()
	clip.SetContent("kept")
	w.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clip})
	require.Equal(t, "kept", clip.Content(), "nothing is selected")
	shift := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}
	w.KeyDown(shift)
	w.press(fyne.KeyDown)
	require.False(t, w.AcceptsTab(), "Shift+Tab leaves")
	w.KeyUp(shift)
	require.True(t, w.AcceptsTab())
	w.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clip})
	require.Equal(t, "two\nthre", clip.Content())
	w.TypedShortcut(&fyne.ShortcutCut{Clipboard: clip})
	require.Equal(t, "one e", w.Text())
	w.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip})
	require.Equal(t, "one two\nthree", w.Text())
	w.TypedShortcut(&fyne.ShortcutSelectAll{})
	test.Type(w.Editor, "x")
	require.Equal(t, "x", w.Text())
}

func TestEditorsPointer(t *testing.T) {
	w := newWriter(t, strings.Repeat("one two three\n", 100), 0)
	spot := func(row, column int) fyne.Position {
		return fyne.NewPos(sheetPad+(float32(column)+0.1)*w.cell, sheetPad+(float32(row)+0.5)*w.row)
	}
	down := func(p fyne.Position, m fyne.KeyModifier) {
		e := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: m}
		e.Position = p
		w.sheet.MouseDown(e)
	}
	down(spot(2, 4), 0)
	require.Equal(t, 2*14+4, w.Offset())
	down(spot(3, 3), fyne.KeyModifierShift)
	require.Equal(t, "two three\none", w.text.Selected())
	w.sheet.DoubleTapped(&fyne.PointEvent{Position: spot(5, 5)})
	require.Equal(t, "two", w.text.Selected())
	down(spot(1, 4), 0)
	for range 3 { // as the driver does while the pointer moves below the edge
		w.sheet.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{
			Position: fyne.NewPos(10, w.scroll.Offset.Y+w.scroll.Size().Height+3*w.row)}})
	}
	require.Positive(t, w.scroll.Offset.Y, "it scrolls")
	require.True(t, strings.HasPrefix(w.text.Selected(), "two three\none"))
	down(fyne.NewPos(1000, 1e6), 0)
	require.Equal(t, len(w.Text()), w.Offset())
}

// TestEditorDrawsWhatIsInView: the cursor is in view after each key, and as many rows are drawn as there is room for.
func TestEditorDrawsWhatIsInView(t *testing.T) {
	w := newWriter(t, strings.Repeat("- a line of a profile that says something about the site, and wraps\n", 3000), 0)
	r := test.WidgetRenderer(w.sheet).(*sheetRenderer)
	seen := func() {
		t.Helper()
		y := sheetPad + float32(w.text.Row(w.text.Cursor()))*w.row
		require.GreaterOrEqual(t, y+1, w.scroll.Offset.Y)
		require.LessOrEqual(t, y+w.row, w.scroll.Offset.Y+w.scroll.Size().Height+1)
		require.LessOrEqual(t, len(r.Objects()), int(200/w.row)+6)
		require.Contains(t, r.Objects(), fyne.CanvasObject(r.cursor))
	}
	seen()
	for _, s := range []fyne.Shortcut{ctrl(fyne.KeyEnd), ctrl(fyne.KeyHome)} {
		w.TypedShortcut(s)
		seen()
	}
	w.press(fyne.KeyPageDown, fyne.KeyPageDown, fyne.KeyDown)
	seen()
	w.GoToLine(1500)
	seen()
	w.win.Resize(fyne.NewSize(300, 200))
	seen()
	require.Equal(t, 1500, w.Line())
	first := w.text.Row(w.text.Cursor())
	test.Type(w.Editor, strings.Repeat("w", 200))
	require.Greater(t, w.text.Row(w.text.Cursor()), first+2, "it wraps")
	seen()
}

// TestEditorMeasuresAsItDraws: the cursor stands where the text before it ends.
func TestEditorMeasuresAsItDraws(t *testing.T) {
	w := newWriter(t, "", 0)
	for _, s := range []string{"plain words, 0123456789 and {\"json\": [1]}", "日本語 and é", "a\tb",
		"x\u202ey\u200b"} {
		size := fyne.MeasureText(drawn(s), w.Theme().Size(fynetheme.SizeNameText), fyne.TextStyle{Monospace: true})
		require.InDelta(t, size.Width, w.measure(s), 1, s)
	}
	require.Equal(t, "x\uFFFDy\uFFFD", drawn("x\u202ey\u200b"), "what is not seen has a sign")
	require.Equal(t, "a    b", drawn("a\tb\r"))
}

// BenchmarkEditor is one letter in a text of 200 kB.
func BenchmarkEditor(b *testing.B) {
	w := newWriter(b, strings.Repeat("- a line of a profile that says something about the site, wrapped\n", 3100), 0)
	for _, line := range []int{1, 1550, 3101} {
		b.Run(map[int]string{1: "top", 1550: "middle", 3101: "end"}[line], func(b *testing.B) {
			w.GoToLine(line)
			for b.Loop() {
				w.TypedRune('x')
			}
		})
	}
}
