package connect

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

func TestPage(t *testing.T) {
	test.NewTempApp(t)
	var sent []core.Msg
	v := New(&parts.Window{Send: func(m core.Msg) { sent = append(sent, m) }})
	press := func(text string) { test.Tap(button(v.Object(), text)) }
	w := test.NewTempWindow(t, v.Object())
	w.Resize(fyne.NewSize(820, 640))
	pane := Model{Recipes: []Recipe{{Client: "A", Where: "a file", How: "starts its own server",
		Text: "{\n  \"a\": 1\n}\n"}, {Client: "B", How: "starts its own server", Text: "b --x\n", Shell: true}}}
	v.set(pane)
	require.Equal(t, "Paste it into a file. The client then starts its own server.", v.where.Text)
	require.Contains(t, v.server.Text, "Stopped")
	require.Empty(t, v.rows.Objects)
	press("Copy")
	v.serve.Tapped(nil)
	v.chips[1].Tapped(nil)

	pane.Recipe, pane.URL = 1, "http://127.0.0.1:1/"
	v.set(pane)
	require.Equal(t, "Run it in a terminal. The client then starts its own server.", v.where.Text)
	require.Len(t, v.rows.Objects, 1, "a sentence while nobody is there")
	v.serve.Tapped(nil)
	pane.Sessions = []Agent{{ID: "7", Client: "evil\n\u202eclient", Session: "shop", Turns: 2, Since: time.Unix(0, 0)}}
	v.set(pane)
	require.Len(t, v.rows.Objects, 1)
	press("Follow")
	button(v.rows, "Stop").OnTapped()
	require.Equal(t, []core.Msg{core.TextCopied{Text: "{\n  \"a\": 1\n}\n"}, Serving{On: true}, Picked{Index: 1},
		Serving{},
		Followed{ID: "7"}, Stopped{ID: "7"}}, sent)
	pane.Problem = "No."
	v.set(pane)
	require.True(t, v.problem.Visible())
}

// button finds a button by its text.
func button(o fyne.CanvasObject, text string) *parts.PushButton {
	if b, ok := o.(*parts.PushButton); ok && b.Text == text {
		return b
	}
	var inner []fyne.CanvasObject
	switch w := o.(type) {
	case *fyne.Container:
		inner = w.Objects
	case fyne.Widget:
		inner = test.WidgetRenderer(w).Objects()
	}
	for _, x := range inner {
		if b := button(x, text); b != nil {
			return b
		}
	}
	return nil
}
