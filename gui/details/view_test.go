package details

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts/partstest"
	look "github.com/refscope/refscope/gui/theme"
)

// order is the element of the target picture.
func order() VM {
	return VM{
		Ref: 24, Title: "button “Place order”",
		Rows: []Row{
			{Label: "kept because", Value: "native button · click listener"},
			{Label: "name from", Value: "content", Tone: core.ToneMuted},
			{Label: "box", Value: "440, 478 · 150 × 38  (page 440, 478)", Copy: "440,478,150,38"},
			{Label: "identity", Value: "since turn 1 · backend 318 · s3e24 · @e24 · nv_9c41e07b"},
			{Label: "selector", Value: "main > form > button:nth-child(9)", Mono: true},
			{Label: "visible", Value: "58 % seen · 60 % reached by a click", Tone: core.ToneBad},
			{Label: "in other formats",
				Value: "aria 41 · semantic 22 · wraith 19 · skeleton 15 · and a good deal more of them, so that " +
					"this line has to wrap"},
		},
		Copies: []CopyItem{{Label: "selector", Text: "main > form > button:nth-child(9)"}, {Label: "JSON", Text: "{}"},
			{Label: "lines", Text: "[24]<button>"}},
		Note: Note{Text: "Covered: 2 of 5 points hit 30 dialog “We use cookies”. Visible 58 %. A click at its " +
			"centre arrives; a click in the lower third presses the banner.", Tone: core.ToneBad},
	}
}

// window shows a view in a window of that size and returns both.
func window(t testing.TB, mode look.Mode, size fyne.Size, on Callbacks) (*View, fyne.Window) {
	return partstest.Window(t, mode, size, func() *View { return New(on) })
}

// rowOf is the row with a label.
func rowOf(t *testing.T, v *View, label string) *row {
	for _, it := range v.items {
		if r, ok := it.(*row); ok && r.label == label {
			return r
		}
	}
	require.Fail(t, "no row "+label)
	return nil
}

func TestLooks(t *testing.T) {
	for _, mode := range []look.Mode{look.Dark, look.Light, look.Contrast} {
		v, w := window(t, mode, fyne.NewSize(560, 286), Callbacks{})
		v.Set(order())
		rowOf(t, v, "box").MouseIn(nil)
		partstest.Picture(t, w, fmt.Sprintf("details-%s", mode))
		w.Resize(fyne.NewSize(320, 420))
		partstest.Picture(t, w, fmt.Sprintf("details-narrow-%s", mode))
	}
}

func TestClickCopies(t *testing.T) {
	var got []string
	v, w := window(t, look.Dark, fyne.NewSize(560, 286),
		Callbacks{Copy: func(label, text string) { got = append(got, label+"="+text) }})
	v.Set(order())
	w.Canvas().Capture()
	test.Tap(rowOf(t, v, "box"))
	rowOf(t, v, "name from").TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	test.Tap(v.items[0].(*head).links[1])
	require.Equal(t, []string{"box=440,478,150,38", "name from=content", "JSON={}"}, got)
}

func TestCopyWithoutCallbackGoesToTheClipboard(t *testing.T) {
	v, _ := window(t, look.Dark, fyne.NewSize(560, 286), Callbacks{})
	v.Set(order())
	test.Tap(rowOf(t, v, "selector"))
	require.Equal(t, "main > form > button:nth-child(9)", fyne.CurrentApp().Clipboard().Content())
}

func TestCopiesAreSafeToPaste(t *testing.T) {
	v, _ := window(t, look.Dark, fyne.NewSize(560, 286), Callbacks{})
	v.Set(VM{Ref: 1, Title: "x",
		Rows: []Row{{Label: "name", Value: "a", Copy: "a\x1b[2J\u202eb\n\tc\r\xff👩\u200d💻 q\u200d"}}})
	test.Tap(rowOf(t, v, "name"))
	require.Equal(t, "a\\u{1b}[2J\\u{202e}b\n\tc\\u{d}\uFFFD👩\u200d💻 q\\u{200d}",
		fyne.CurrentApp().Clipboard().Content())
}

func BenchmarkSet(b *testing.B) {
	v, w := window(b, look.Dark, fyne.NewSize(560, 286), Callbacks{})
	w.Canvas().Capture()
	vm := order()
	for i := 0; b.Loop(); i++ {
		vm.Ref = i
		v.Set(vm)
	}
}

func TestEmpty(t *testing.T) {
	v, w := window(t, look.Dark, fyne.NewSize(300, 200), Callbacks{})
	v.Set(VM{Empty: "Click a box in the picture."})
	w.Canvas().Capture()
	require.Len(t, v.items, 1)
	require.Equal(t, "Click a box in the picture.", v.items[0].(*plainText).body.wrapped[0])
}

func TestHostileTextStaysSmallAndPlain(t *testing.T) {
	long := strings.Repeat("w", 50_000)
	v, w := window(t, look.Light, fyne.NewSize(400, 300), Callbacks{})
	v.Set(VM{
		Ref: 1, Title: long + "\u202e",
		Rows:   []Row{{Label: long, Value: long, Mono: true}, {Label: "name", Value: "a\u202eb\nc\x1b[31m " + long}},
		Copies: []CopyItem{{Label: long, Text: "x"}},
		Note:   Note{Text: long, Tone: core.ToneWarn},
	})
	w.Canvas().Capture()
	for _, o := range test.LaidOutObjects(w.Content()) {
		text, ok := o.(*canvas.Text)
		if !ok {
			continue
		}
		require.LessOrEqual(t, text.MinSize().Width, float32(400), text.Text)
		require.NotContains(t, text.Text, "\u202e")
		require.NotContains(t, text.Text, "\x1b")
	}
	require.Contains(t, rowOf(t, v, "name").body.wrapped[0], `\u{202e}`)
	require.LessOrEqual(t, v.box.MinSize().Height, float32(1000))
}

// However narrow the pane is, no thing to copy is cut at its edge or lies on another.
func TestThingsToCopyStayInThePane(t *testing.T) {
	for _, width := range []float32{220, 260, 320, 400, 700} {
		v, w := window(t, look.Light, fyne.NewSize(width, 300), Callbacks{})
		v.Set(VM{Ref: 1, Title: "Turn 119 · fill", Copies: []CopyItem{{Label: "Copy address"}, {Label: "Copy steps"},
			{Label: "Copy answer"}}, Rows: []Row{{Label: "box", Value: "1"}}})
		w.Canvas().Capture()
		h := v.items[0].(*head)
		require.LessOrEqual(t, h.Size().Height, v.items[1].(fyne.CanvasObject).Position().Y, "the rows come after it")
		for i, l := range h.links {
			require.GreaterOrEqual(t, l.Position().X, float32(0))
			require.LessOrEqual(t, l.Position().X+l.Size().Width, width, "%v: %s", width, l.label)
			if i > 0 {
				before := h.links[i-1]
				require.True(t, l.Position().Y > before.Position().Y ||
					l.Position().X >= before.Position().X+before.Size().Width, "%v: %s", width, l.label)
			}
		}
	}
}

// TestLinesGrowWithTheText: a size that is chosen while an element is shown wraps its lines anew, and makes them higher.
func TestLinesGrowWithTheText(t *testing.T) {
	v, _ := window(t, look.Dark, fyne.NewSize(560, 286), Callbacks{})
	v.Set(order())
	for _, scale := range []float32{1, 1.6} {
		fyne.CurrentApp().Settings().SetTheme(look.Scaled(look.Dark, scale))
		for _, it := range v.items {
			r, ok := it.(*row)
			if !ok {
				continue
			}
			require.Equal(t, r.title(), r.name.Text, "a label is not cut")
			below := float32(0)
			for _, o := range test.WidgetRenderer(r).Objects()[1:] {
				at := o.Position().AddXY(o.MinSize().Width, o.MinSize().Height)
				require.LessOrEqual(t, at.X, v.Size().Width, "%s at %v", r.label, scale)
				require.GreaterOrEqual(t, o.Position().Y, below-1, "%s at %v", r.label, scale)
				below = at.Y
			}
			require.LessOrEqual(t, below, r.Size().Height+1, "%s at %v", r.label, scale)
		}
	}
}
