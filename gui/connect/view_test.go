package connect

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
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
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject
	require.GreaterOrEqual(t, at(v.where).Y, at(v.chips[1]).Y+v.chips[1].Size().Height,
		"clients that are found later push the sentence down")
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
	require.NotNil(t, button(v.Object(), "Copied"), "it says so")
	button(v.Object(), "Copied").MouseOut()
	require.NotNil(t, button(v.Object(), "Copy"))
	stop := partstest.Find(v.rows, func(o fyne.CanvasObject) bool {
		b, ok := o.(*parts.PushButton)
		return ok && strings.HasPrefix(b.Text, "Stop evil")
	}).(*parts.PushButton)
	stop.OnTapped()
	require.Equal(t, []core.Msg{core.TextCopied{Text: "{\n  \"a\": 1\n}\n"}, Serving{On: true}, Picked{Index: 1},
		Serving{},
		Followed{ID: "7"}, Stopped{ID: "7"}}, sent)
	pane.Problem = "No."
	v.set(pane)
	require.True(t, v.problem.Visible())
}

// button is the visible button with that text; nil for none.
func button(o fyne.CanvasObject, text string) *parts.PushButton {
	found, _ := partstest.Find(o, func(o fyne.CanvasObject) bool {
		b, ok := o.(*parts.PushButton)
		return ok && b.Text == text
	}).(*parts.PushButton)
	return found
}

// TestTheTapsPage starts the tap, copies a base URL and reads what has arrived.
func TestTheTapsPage(t *testing.T) {
	test.NewTempApp(t)
	var sent []core.Msg
	v := New(&parts.Window{Send: func(m core.Msg) { sent = append(sent, m) }})
	test.NewTempWindow(t, v.Object()).Resize(fyne.NewSize(820, 640))
	pane := Model{Page: Requests}
	v.set(pane)
	require.False(t, v.tools.Visible())
	require.Contains(t, v.tap.about.Text, "byte for byte")
	v.tap.hosts.SetText("ollama=http://127.0.0.1:11434")
	v.tap.serve.Tapped(nil)
	pane.Tap = Tap{Bases: []Base{{"OPENAI_BASE_URL", "http://127.0.0.1:1/x/openai/v1"}}, Session: "shop", Turns: 1,
		Last: "turn 3, gpt\u202e, status 200, page paired"}
	v.set(pane)
	require.Contains(t, v.tap.about.Text, "turn of the session shop")
	require.Contains(t, v.tap.last.Text, "1 request recorded. Last: turn 3")
	require.NotContains(t, v.tap.last.Text, "\u202e")
	test.Tap(button(v.tap.rows, "Copy"))
	v.tap.serve.Tapped(nil)
	v.pages[Tools].Tapped(nil)
	require.Equal(t, []core.Msg{Tapping{On: true, Hosts: "ollama=http://127.0.0.1:11434"},
		core.TextCopied{Text: "http://127.0.0.1:1/x/openai/v1"},
		Tapping{Hosts: "ollama=http://127.0.0.1:11434"}, Asked{Tools}}, sent)
}

func TestHostsAreSplit(t *testing.T) {
	s, effects := Tapping{On: true, Hosts: " a=http://x , ,b=http://y"}.Apply(core.State{})
	require.Equal(t, []core.Effect{ServeTap{On: true, Hosts: []string{"a=http://x", "b=http://y"}}}, effects)
	_, effects = Tapping{On: true}.Apply(s)
	require.Empty(t, effects, "it is being started")
	s, _ = Changed{Tap: Tap{Bases: []Base{{"A", "u"}}}}.Apply(s)
	_, effects = Tapping{On: true}.Apply(s)
	require.Empty(t, effects, "it runs")
	_, effects = Tapping{}.Apply(s)
	require.Equal(t, []core.Effect{ServeTap{}}, effects)
}

// TestAgentsThatHaveLeft stay in the list with since when, can be followed, and cannot be stopped.
func TestAgentsThatHaveLeft(t *testing.T) {
	at := time.Unix(1_000_000, 0)
	a, b := Agent{ID: "1", Client: "a", Turns: 2, Session: "s"}, Agent{ID: "2", Client: "b", Busy: "browse_click"}
	list := withGone([]Agent{a, b}, []Agent{a}, at)
	require.Equal(t, []Agent{a, {ID: "2", Client: "b", Gone: at}}, list)
	list = withGone(list, []Agent{a}, at.Add(time.Minute))
	require.Equal(t, at, list[1].Gone, "since it was found to have left")
	require.Equal(t, []Agent{a, b}, withGone(list, []Agent{a, b}, at.Add(time.Hour)), "it is back")
	var many []Agent
	for i := range 30 {
		many = append(many, Agent{ID: fmt.Sprint(i)})
	}
	many = withGone(many, nil, at)
	require.Len(t, many, maxGone)
	require.Equal(t, "29", many[maxGone-1].ID)
}
