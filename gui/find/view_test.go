package find

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
)

// listening is a bar that shows what was typed into it, as the shell would, and keeps
// what it reported.
func listening(t *testing.T) (*Bar, *[]string) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(look.New(look.Dark))
	var said []string
	var b *Bar
	w := app.NewWindow("")
	b = New(&parts.Window{
		Canvas: w.Canvas(),
		Send: func(m core.Msg) {
			switch m := m.(type) {
			case Typed:
				q := m.Query
				said = append(said, fmt.Sprintf("%s %v %v", q.Text, q.Case, q.Regexp))
				vm := b.vm
				vm.Query = q
				b.Set(vm)
			case stepped:
				said = append(said, fmt.Sprint("step ", m.By))
			case closed:
				said = append(said, "close")
			}
		},
		Run:       func(string) { said = append(said, "filter") },
		Keys:      parts.Keys{Key: func(e *fyne.KeyEvent) { said = append(said, string(e.Name)) }},
		FocusSide: func() {},
	})
	b.Show()
	w.SetContent(b)
	w.Resize(fyne.NewSize(500, 80))
	b.Set(VM{Open: true, Version: 1, Can: true})
	return b, &said
}

func TestTyping(t *testing.T) {
	b, said := listening(t)
	test.Type(b.Entry(), "ab")
	test.Tap(b.cases)
	test.Tap(b.regexp)
	require.Equal(t, []string{"a false false", "ab false false", "ab true false", "ab true true"}, *said)
	require.True(t, b.cases.On())
}

func TestKeys(t *testing.T) {
	b, said := listening(t)
	press := func(names ...fyne.KeyName) {
		for _, n := range names {
			b.Entry().TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	press(fyne.KeyReturn, fyne.KeyF3, fyne.KeyUp, fyne.KeyDown)
	b.entry.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	press(fyne.KeyReturn, fyne.KeyF3)
	b.entry.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	press(fyne.KeyF6, fyne.KeyEscape)
	require.Equal(t, []string{"step 1", "step 1", "step -1", "step 1", "step -1", "step -1", "F6", "close"}, *said)
	test.Tap(b.next)
	test.Tap(b.back)
	test.Tap(b.filter)
	require.Equal(t, []string{"step 1", "step -1", "filter"}, (*said)[8:])
}

// TestTheEntryIsNotDisturbed: what comes back late does not overwrite what is typed.
func TestTheEntryIsNotDisturbed(t *testing.T) {
	b, _ := listening(t)
	test.Type(b.Entry(), "ab")
	vm := b.vm
	vm.Query.Text, vm.Count = "a", "1 of 2"
	b.Set(vm)
	require.Equal(t, "ab", b.entry.Text)
	vm.Version++
	b.Set(vm)
	require.Equal(t, "a", b.entry.Text)
	require.True(t, b.Do(focus{}))
	require.Equal(t, "a", b.entry.SelectedText())
	vm.Can = false
	b.Set(vm)
	require.NotPanics(t, func() { test.Tap(b.next) })
}
