package replays_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// sentTo has a turn in view that holds a request.
func sentTo(t *testing.T) core.State {
	t.Helper()
	s := apptest.Captured(t)
	now := *s.Current
	now.Payloads = []turn.Payload{{Dialect: wire.OpenAIChat, Model: "m-1", Way: turn.Request,
		Bytes: []byte(`{"model":"m-1"}`)}}
	s.Current, s.Session.Kept = &now, true
	return s
}

// TestAskingAgain: what it costs and where it goes is known before anything is sent, each change is a choice of its
// own, and what came is told with the table in view.
func TestAskingAgain(t *testing.T) {
	s, w := sentTo(t), coretest.Worker(engine{})
	require.False(t, replays.CanAsk(apptest.Captured(t)), "a turn without a request")
	s, effects := apptest.Step(s, core.CommandChosen{ID: core.CmdAsk})
	require.Equal(t, replays.Dialog, s.Dialog)
	require.Equal(t, "Counting…", replays.AskViewOf(s).Facts[0].Text)
	answer := func(m core.Msg) {
		t.Helper()
		s, effects = apptest.Step(s, m)
	}
	answer(effects[0].(core.Work).Do(t.Context(), w))
	v := replays.AskViewOf(s)
	require.False(t, v.Can, "the vendor wants a key")
	require.Contains(t, v.Problem, "No key for api.example")
	require.Equal(t, "Every byte as it was recorded.", v.Changes)

	answer(replays.AskChanged{Again: replays.Again{N: 5, Endpoint: "http://127.0.0.1:1/v1", Model: "m-2"}})
	require.False(t, replays.AskViewOf(s).Can && replays.AskViewOf(s).Changes == "")
	answer(effects[0].(core.Work).Do(t.Context(), w))
	v = replays.AskViewOf(s)
	require.True(t, v.Can)
	require.Equal(t, "5 × 11,808 = 59,040 tokens in", v.Facts[0].Text)
	require.Equal(t, "model: m-1 -> m-2", v.Changes)
	require.Equal(t, "Ask 5 times", v.Send)

	file := s
	file.Session.File = true
	require.False(t, replays.AskViewOf(file).Can, "a file takes no answers")

	answer(replays.AskConfirmed())
	require.Equal(t, core.DialogNone, s.Dialog)
	answer(effects[0].(core.Work).Do(t.Context(), w))
	require.Equal(t, replays.Side, s.Side)
	require.Equal(t, "1 of 5 answers failed.", s.Notice.Text)
}

// quotedFor is the answer to what the dialog asks first.
func quotedFor(t *testing.T, s core.State) core.Msg {
	t.Helper()
	_, effects := apptest.Step(s, core.CommandChosen{ID: core.CmdAsk})
	return effects[0].(core.Work).Do(t.Context(), coretest.Worker(engine{}))
}

// TestTheDialogAsksForWhatIsTicked: what a person does in the dialog is what is asked for.
func TestTheDialogAsksForWhatIsTicked(t *testing.T) {
	s := sentTo(t)
	s, _ = apptest.Step(s, core.CommandChosen{ID: core.CmdAsk})
	var sent []core.Msg
	w := &parts.Window{State: func() core.State { return s }, Send: func(m core.Msg) { sent = append(sent, m) }}
	s, _ = apptest.Step(s, quotedFor(t, s))
	var v *replays.AskView
	box, win := partstest.Window(t, theme.Dark, fyne.NewSize(640, 330), func() fyne.CanvasObject {
		v = replays.NewAsk(w)
		return v.Object()
	})
	v.Show(s)
	require.Empty(t, sent, "showing is not changing")
	partstest.Picture(t, win, "ask")
	ticked := 0
	partstest.Find(box, func(o fyne.CanvasObject) bool {
		if c, ok := o.(*parts.Check); ok {
			c.SetChecked(true)
			ticked++
		}
		return false
	})
	require.Equal(t, 2, ticked)
	last := sent[len(sent)-1].(replays.AskChanged).Again
	require.True(t, last.Build && last.NoImage)
	require.Equal(t, 1, last.N)
}
