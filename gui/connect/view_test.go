package connect

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"
)

func TestPage(t *testing.T) {
	test.NewTempApp(t)
	var did []string
	buttons := map[string]func(){}
	v := New(Callbacks{
		Pick:   func(i int) { did = append(did, "pick") },
		Copy:   func(text string) { did = append(did, "copy "+text) },
		Serve:  func(on bool) { did = append(did, map[bool]string{true: "start", false: "stop"}[on]) },
		Follow: func(id string) { did = append(did, "follow "+id) },
		Stop:   func(id string) { did = append(did, "end "+id) },
		Leave:  func() {},
		Button: func(text string, _ bool, do func()) fyne.CanvasObject {
			buttons[text] = do
			return widget.NewButton(text, do)
		},
	})
	w := test.NewTempWindow(t, v.Object())
	w.Resize(fyne.NewSize(820, 640))
	pane := Model{Recipes: []Recipe{{Client: "A", Where: "a file", How: "starts its own server", Text: "{\n  \"a\": 1\n}\n"}, {Client: "B", How: "starts its own server", Text: "b --x\n", Shell: true}}}
	v.Set(pane)
	require.Equal(t, "Paste it into a file. The client then starts its own server.", v.where.Text)
	require.Contains(t, v.server.Text, "Stopped")
	require.Empty(t, v.rows.Objects)
	buttons["Copy"]()
	v.serve.Tapped(nil)
	v.chips[1].Tapped(nil)

	pane.Recipe, pane.URL = 1, "http://127.0.0.1:1/"
	v.Set(pane)
	require.Equal(t, "Run it in a terminal. The client then starts its own server.", v.where.Text)
	require.Len(t, v.rows.Objects, 1, "a sentence while nobody is there")
	v.serve.Tapped(nil)
	pane.Sessions = []Agent{{ID: "7", Client: "evil\n\u202eclient", Session: "shop", Turns: 2, Since: time.Unix(0, 0)}}
	v.Set(pane)
	require.Len(t, v.rows.Objects, 1)
	buttons["Follow"]()
	buttons["Stop"]()
	require.Equal(t, []string{"copy {\n  \"a\": 1\n}\n", "start", "pick", "stop", "follow 7", "end 7"}, did)
	pane.Problem = "No."
	v.Set(pane)
	require.True(t, v.problem.Visible())
}
