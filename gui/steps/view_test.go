package steps

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
)

// heard is what a console reported.
type heard struct {
	text     string
	caret    int
	edits    int
	taken    []int
	recalled []int
	runs     int
	left     int
	canvas   fyne.Canvas
}

func console(t *testing.T) (*View, *heard) {
	t.Helper()
	test.NewTempApp(t)
	h := &heard{}
	win := &parts.Window{
		Send: func(m core.Msg) {
			switch m := m.(type) {
			case stepsEdited:
				h.text, h.caret, h.edits = m.Text, m.Caret, h.edits+1
			case stepsCompleted:
				h.taken = append(h.taken, m.Index)
			case stepsRecalled:
				h.recalled = append(h.recalled, m.By)
			}
		},
		Run:    func(string) { h.runs++ },
		Escape: func() { h.left++ },
	}
	v := New(win)
	w := test.NewTempWindow(t, v.Object())
	h.canvas, win.Canvas = w.Canvas(), w.Canvas()
	w.Resize(fyne.NewSize(900, 340))
	w.Canvas().Focus(v.Focus())
	return v, h
}

func (v *View) press(name fyne.KeyName) { v.editor.TypedKey(&fyne.KeyEvent{Name: name}) }

func offered(n int) []StepItem {
	var out []StepItem
	for range n {
		out = append(out, StepItem{Insert: "x", Label: "click",
			What: "click an element, which is said in more words than there is room for"})
	}
	return out
}

// TestCaret: the caret of the entry, in rows and runes, and that of the state, in bytes,
// are the same place.
func TestCaret(t *testing.T) {
	v, h := console(t)
	h.edits = 0 // taking the focus moves the cursor
	text := "[\n  {\"fill\": \"Zoë 日本\"},\n]"
	for at := range len(text) + 1 {
		if at < len(text) && text[at]&0xc0 == 0x80 {
			continue // within a rune
		}
		v.Set(VM{Text: text, Version: at + 1, Caret: at})
		require.Equal(t, at, v.editor.caret())
	}
	require.Zero(t, h.edits, "what the state says is not reported back")
	v.Set(VM{Text: text, Version: 99, Caret: strings.Index(text, "日")})
	v.editor.TypedRune('é')
	require.Equal(t, strings.Replace(text, "日", "é日", 1), h.text)
	require.Equal(t, strings.Index(text, "日")+2, h.caret)
	v.Set(VM{Text: h.text, Version: 99, Caret: h.caret})
	require.Equal(t, h.text, v.editor.Text, "typing is not disturbed")
}

func TestKeys(t *testing.T) {
	v, h := console(t)
	require.False(t, v.editor.AcceptsTab(), "without a suggestion Tab goes on")
	v.press(fyne.KeyTab)
	require.Empty(t, h.taken)
	v.Set(VM{Version: 1, Items: offered(3)})
	require.True(t, v.editor.AcceptsTab())
	v.press(fyne.KeyTab)
	next := &desktop.CustomShortcut{KeyName: fyne.KeySpace, Modifier: fyne.KeyModifierControl}
	v.editor.TypedShortcut(next)
	v.press(fyne.KeyTab)
	v.editor.TypedShortcut(next)
	v.editor.TypedShortcut(next)
	v.press(fyne.KeyTab)
	require.Equal(t, []int{0, 1, 0}, h.taken)
	v.editor.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	require.False(t, v.editor.AcceptsTab(), "Shift+Tab leaves")
	v.editor.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})

	v.press(fyne.KeyUp)
	require.Equal(t, []int{-1}, h.recalled, "an empty editor brings the last run back")
	v.Set(VM{Version: 2, Text: "a\nb", Caret: 3, Recalled: true})
	v.press(fyne.KeyUp)
	require.Len(t, h.recalled, 1, "within a text the keys move the cursor")
	v.press(fyne.KeyUp)
	v.press(fyne.KeyDown)
	v.press(fyne.KeyDown)
	require.Equal(t, []int{-1, -1, 1}, h.recalled)
	v.Set(VM{Version: 2, Text: "a\nb", Caret: 3})
	v.press(fyne.KeyDown)
	require.Len(t, h.recalled, 3, "a draft is not left by it")

	v.editor.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierControl})
	require.Equal(t, 1, h.runs)
	v.press(fyne.KeyEscape)
	require.Equal(t, 1, h.left)
}

func TestOffers(t *testing.T) {
	v, h := console(t)
	v.Set(VM{Version: 1, Items: offered(40)})
	v.offers.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	v.offers.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, []int{1}, h.taken)
	require.Equal(t, v.Focus(), h.canvas.Focused(), "writing goes on")
	require.False(t, v.offers.InView(30))
	for range 30 {
		v.editor.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeySpace, Modifier: fyne.KeyModifierControl})
	}
	require.True(t, v.offers.InView(30), "the marked one is in view")
}

func TestCancelIsThereWhileItRuns(t *testing.T) {
	v, _ := console(t)
	v.Set(VM{Version: 1})
	require.False(t, v.stopper.Visible())
	v.Set(VM{Version: 1, Running: 7, Stage: "running click"})
	require.True(t, v.stopper.Visible())
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject
	require.GreaterOrEqual(t, at(v.stage).X, at(v.take).X+v.take.Size().Width, "what runs is said beside the buttons")
}

// TestADialogOfThePageIsLeftByItsOwnWord: what leaves a question is its Cancel, and an alert is closed.
func TestADialogOfThePageIsLeftByItsOwnWord(t *testing.T) {
	test.NewTempApp(t)
	for kind, word := range map[string]string{"alert": "Close", "confirm": "Cancel", "prompt": "Cancel"} {
		var s core.State
		edit(&s).Act.Page = &PageDialog{Type: kind, Message: "Sure?", Prompt: "Ada"}
		form := NewPageDialog(&parts.Window{State: func() core.State { return s }})
		require.NotNil(t, partstest.Find(form.Object(), func(o fyne.CanvasObject) bool {
			b, ok := o.(*parts.PushButton)
			return ok && b.Text == word
		}), kind)
		if entry := partstest.Find(form.Object(), func(o fyne.CanvasObject) bool {
			_, ok := o.(*parts.Entry)
			return ok
		}); entry != nil {
			test.Type(entry.(*parts.Entry), "Bob")
			require.Equal(t, "Bob", entry.(*parts.Entry).Text, "what is typed replaces what the page proposes")
		}
	}
}
