package live_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/attach"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/steps"
)

func TestLive(t *testing.T) {
	on := func(t *testing.T) core.State {
		s, effects := apptest.Step(apptest.Captured(t), live.Toggled())
		require.Equal(t, []core.Effect{live.WatchPage{Watch: 5}}, effects)
		require.Equal(t, "● Live", live.ViewOf(s).Text)
		return s
	}
	t.Run("a change comes into view", func(t *testing.T) {
		s, _ := apptest.Step(on(t), live.Staged(5, "reading the page"))
		require.Equal(t, "● Live · reading the page", live.ViewOf(s).Text)
		s, _ = apptest.Step(s, live.Captured{Watch: 5, Turn: apptest.TurnOf(2)})
		require.Equal(t, 2, s.Current.N)
		require.Equal(t, "● Live · 1 turn", live.ViewOf(s).Text)
		require.Len(t, s.Session.Turns, 2)
	})
	t.Run("but not over an older turn, nor over a dialog", func(t *testing.T) {
		s := on(t)
		s.Follow = core.FollowPaused
		s, effects := apptest.Step(s, live.Captured{Watch: 5, Turn: apptest.TurnOf(2)})
		require.Equal(t, 1, s.Current.N)
		require.Equal(t, 1, s.UnseenTurns)
		require.Empty(t, effects)
		s = on(t)
		s.Dialog = core.DialogMarking
		s, _ = apptest.Step(s, live.Captured{Watch: 5, Turn: apptest.TurnOf(2)})
		require.Equal(t, 1, s.Current.N)
		require.Len(t, s.Session.Turns, 2)
		s = on(t)
		s.Follow = core.FollowOff
		s, _ = apptest.Step(s, live.Captured{Watch: 5, Turn: apptest.TurnOf(2)})
		require.Equal(t, 1, s.Current.N)
		require.Zero(t, s.UnseenTurns)
	})
	t.Run("off again", func(t *testing.T) {
		s, effects := apptest.Step(on(t), live.Toggled())
		require.Equal(t, []core.Effect{core.Cancel{Task: 5}}, effects)
		s, effects = apptest.Step(s, live.Captured{Watch: 5, Turn: apptest.TurnOf(2)},
			live.Staged(5, "x"))
		require.Empty(t, effects)
		require.Len(t, s.Session.Turns, 1, "what was under way is too late; the disk has it")
		require.Equal(t, live.Model{}, live.Of(s))
	})
	t.Run("a page that never settles is said to be that", func(t *testing.T) {
		s, _ := apptest.Step(on(t), live.Captured{Watch: 5, Turn: apptest.TurnOf(2)}, live.Paced(5, true))
		require.Equal(t, "● Live · 1 turn · never settles, a look every 5 s", live.ViewOf(s).Text)
		s, _ = apptest.Step(s, live.Paced(5, false))
		require.Equal(t, "● Live · 1 turn", live.ViewOf(s).Text)
	})
	t.Run("it ends with a sentence", func(t *testing.T) {
		s, _ := apptest.Step(on(t), live.Ended(5, &core.Problem{Sentence: "The tab was closed."}))
		require.Zero(t, live.Of(s).Watch)
		require.Equal(t, "The tab was closed.", s.Notice.Text)
		require.Contains(t, s.Notice.Hint, "Live is off")
		s, _ = apptest.Step(on(t), live.Ended(4, &core.Problem{Sentence: "old"}))
		require.NotZero(t, live.Of(s).Watch)
	})
	t.Run("another session ends it", func(t *testing.T) {
		s, effects := apptest.Step(on(t), core.SessionOpened{Task: 1, Session: core.Session{Name: "file", Kept: true,
			ReadOnly: true}})
		require.Contains(t, effects, core.Effect(core.Cancel{Task: 5}))
		require.Zero(t, live.Of(s).Watch)
	})
	t.Run("refusals", func(t *testing.T) {
		s := apptest.Captured(t)
		s.Session.ReadOnly = true
		s, effects := apptest.Step(s, live.Toggled())
		require.Empty(t, effects)
		require.Contains(t, s.Notice.Text, "read only")
		s = apptest.Captured(t)
		s.Browser.Phase = core.PhaseGone
		s, effects = apptest.Step(s, live.Toggled())
		require.Empty(t, effects)
		require.Contains(t, s.Notice.Text, "not running")
	})
}

func TestWholePage(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), live.WholeAsked())
	require.Equal(t, []core.Effect{live.CaptureWhole{Task: 5}}, effects)
	s, _ = apptest.Step(s, core.Captured{Task: 5, Turn: apptest.TurnOf(2)})
	require.Equal(t, 2, s.Current.N)
	s.Session.ReadOnly = true
	_, effects = apptest.Step(s, live.WholeAsked())
	require.Empty(t, effects)
}

func TestDevices(t *testing.T) {
	run := func(m core.Msg, change func(*core.State)) []core.Effect {
		s := apptest.Captured(t)
		if change != nil {
			change(&s)
		}
		_, effects := apptest.Step(s, m)
		return effects
	}
	steps := func(text string) []core.Effect { return []core.Effect{steps.RunSteps{Task: 5, Text: text}} }
	require.Equal(t, steps(`[{"viewport":"pixel-7"},{"reload":true}]`), run(device.Chosen{Preset: "pixel-7"}, nil))
	require.Equal(t, steps(`{"viewport":null}`), run(device.Chosen{}, nil))
	require.Equal(t, steps(`[{"viewport":null},{"reload":true}]`),
		run(device.Chosen{}, func(s *core.State) { s.Device.Now = core.DeviceState{Tab: "A", Name: "pixel-7"} }),
		"a name counts from the next document on")
	require.Equal(t, steps(`{"viewport":{"width":800,"height":600,"deviceScaleFactor":1.5,"mobile":true,"hasTouch":true}}`), run(device.Chosen{Width: 800, Height: 600, Scale: 1.5, Mobile: true}, nil))
	require.Empty(t, run(device.Chosen{Preset: "pixel-7"}, func(s *core.State) { s.Session.ReadOnly = true }))
	require.Equal(t, []core.Effect{device.EmulateMedia{Task: 5, Media: core.MediaState{Scheme: "dark"}}},
		run(device.MediaChosen(core.MediaState{Scheme: "dark"}), nil))

	dialog := func(m device.Typed) (core.State, []core.Effect) {
		s, _ := apptest.Step(apptest.Captured(t), device.CustomAsked())
		return apptest.Step(s, m)
	}
	for name, m := range map[string]device.Typed{
		"width": {Width: "x", Height: "1"}, "height": {Width: "1", Height: "99999"}, "scale": {Width: "1", Height: "1",
			Scale: "9"}, "scale that is none": {Width: "1", Height: "1", Scale: "NaN"},
	} {
		s, effects := dialog(m)
		require.Empty(t, effects, name)
		require.NotEmpty(t, s.Device.Problem, name)
		require.Equal(t, device.Dialog, s.Dialog, name)
	}
	s, effects := dialog(device.Typed{Width: " 390 ", Height: "844", Scale: "2,5"})
	require.Equal(t, steps(`{"viewport":{"width":390,"height":844,"deviceScaleFactor":2.5,"mobile":false,"hasTouch":false}}`), effects)
	require.Equal(t, core.DialogNone, s.Dialog)

	s, effects = apptest.Step(apptest.Captured(t),
		device.MediaChosen(core.MediaState{Scheme: "dark", Still: true}), device.Emulated(5, core.DeviceState{Tab: "A", Width: 390, Height: 844, Scale: 3, Name: "iphone-12",
			Media: core.MediaState{Scheme: "dark", Still: true}}, nil))
	require.Equal(t, []core.Effect{core.Capture{Task: 6, Action: "media"}}, effects,
		"what it does to the page is a turn")
	require.Equal(t, "iphone-12 · 390 × 844 @3 · dark · still", app.Bar(s).Viewport)
	s.Browser.Tab = "B"
	require.Equal(t, "1280 × 720", app.Bar(s).Viewport, "another tab passes for something else")
}

func TestAttach(t *testing.T) {
	asked := func(t *testing.T) core.State {
		s, _ := apptest.Step(apptest.Captured(t), attach.Asked())
		require.Equal(t, attach.Dialog, s.Dialog)
		return s
	}
	s, effects := apptest.Step(asked(t), attach.Confirmed(" "))
	require.Empty(t, effects)
	require.NotEmpty(t, attach.Of(s).Problem)

	s, effects = apptest.Step(asked(t), attach.Confirmed(" 127.0.0.1:9222 "))
	require.Equal(t, []core.Effect{attach.Attach{Task: 5, Where: "127.0.0.1:9222"}}, effects)
	failed, _ := apptest.Step(s, attach.Attached{Asked: attach.Attach{Task: 5, Where: "127.0.0.1:9222"},
		Problem: &core.Problem{Sentence: "Nobody answers.", Hint: "Start it.", BrowserGone: true}})
	require.Equal(t, "Nobody answers. Start it.", attach.Of(failed).Problem)
	require.Equal(t, core.PhaseReady, failed.Browser.Phase, "the browser in use stays")
	require.Empty(t, failed.Tasks)

	other := core.Browser{Version: "Chrome/156", Attached: true,
		Tabs: []core.Tab{{ID: "Z", URL: "https://mail.example/"}}, Tab: "Z", Viewport: image.Pt(1, 1),
		Demo: apptest.DemoURL}
	got, effects := apptest.Step(s, attach.Attached{Asked: attach.Attach{Task: 5, Where: "127.0.0.1:9222"}, Browser: other})
	require.Equal(t, []core.Effect{core.Watch{}}, effects, "its tabs stay as they are")
	require.True(t, got.Browser.Attached)
	require.Equal(t, core.DialogNone, got.Dialog)
	require.Equal(t, "https://mail.example/", got.Address.Text)
	require.Contains(t, got.Notice.Text, "Attached to 127.0.0.1:9222 with 1 tab.")
	_, effects = apptest.Step(got, core.CommandChosen{ID: attach.CmdOwnChrome})
	require.Equal(t, []core.Effect{attach.Attach{Task: 6, Where: ""}}, effects)

	live, _ := apptest.Step(asked(t), live.Toggled())
	_, effects = apptest.Step(live, attach.Confirmed("h:1"))
	require.Equal(t, []core.Effect{core.Cancel{Task: 5}, attach.Attach{Task: 6, Where: "h:1"}}, effects)
	busy := asked(t)
	busy.StartTask(core.TaskCapture, "x")
	_, effects = apptest.Step(busy, attach.Confirmed("h:1"))
	require.Empty(t, effects)
}

func TestConnect(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), connect.Asked{})
	require.Equal(t, []core.Effect{connect.ListAgents{Poll: 1}}, effects)
	agent := connect.Agent{ID: "x", Client: "Agent", Session: "shop"}
	s, effects = apptest.Step(s, connect.Changed{Poll: 1, Recipes: []connect.Recipe{{Client: "a"}, {Client: "b"}},
		URL: "u", Sessions: []connect.Agent{agent}})
	require.Equal(t, []core.Effect{connect.ListAgents{Poll: 1, Later: true}}, effects, "it is kept up to date")
	s, _ = apptest.Step(s, connect.Picked{Index: 1}, connect.Picked{Index: 2}, connect.Picked{Index: -1})
	require.Equal(t, 1, connect.Of(s).Recipe)

	_, effects = apptest.Step(s, connect.Stopped{ID: "none"})
	require.Empty(t, effects)
	_, effects = apptest.Step(s, connect.Stopped{ID: "x"})
	require.Equal(t, []core.Effect{connect.StopAgent{ID: "x"}}, effects)
	early, effects := apptest.Step(s, connect.Followed{ID: "x"})
	require.Empty(t, effects)
	require.Contains(t, connect.Of(early).Problem, "no turns yet")
	agent.Turns = 1
	s, _ = apptest.Step(s, connect.Changed{Poll: 1, URL: "u", Sessions: []connect.Agent{agent}})
	got, effects := apptest.Step(s, connect.Followed{ID: "x"})
	require.Equal(t, core.DialogNone, got.Dialog)
	require.Equal(t, []core.Effect{core.OpenSession{Task: 5, Name: "shop"}}, effects)

	_, effects = apptest.Step(s, connect.Serving{On: true})
	require.Empty(t, effects, "it runs")
	s, effects = apptest.Step(s, connect.Serving{On: false})
	require.Equal(t, []core.Effect{connect.ServeAgents{On: false}}, effects)
	_, effects = apptest.Step(s, connect.Serving{On: false})
	require.Empty(t, effects, "it is being stopped")
	s, effects = apptest.Step(s, connect.Changed{})
	require.Empty(t, effects)
	require.False(t, connect.Of(s).Busy)
	require.Len(t, connect.Of(s).Recipes, 2)
	s, _ = apptest.Step(s, core.Escaped{})
	_, effects = apptest.Step(s, connect.Changed{Poll: 1})
	require.Empty(t, effects, "the page was left, and with it its news")
}
