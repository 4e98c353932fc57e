package core

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLive(t *testing.T) {
	on := func(t *testing.T) State {
		s, effects := step(captured(t), LiveToggled{})
		require.Equal(t, []Effect{WatchPage{5}}, effects)
		require.Equal(t, "● Live U", s.LiveChip().Text)
		return s
	}
	t.Run("a change comes into view", func(t *testing.T) {
		s, _ := step(on(t), LiveStaged{5, "reading the page"})
		require.Equal(t, "● Live U · reading the page", s.LiveChip().Text)
		s, _ = step(s, LiveCaptured{Watch: 5, Turn: turnOf(2)})
		require.Equal(t, 2, s.Shown.N)
		require.Equal(t, "● Live U · 1 turn", s.LiveChip().Text)
		require.Len(t, s.Session.Turns, 2)
	})
	t.Run("but not over an older turn, nor over a dialog", func(t *testing.T) {
		s := on(t)
		s.Follow = FollowPaused
		s, effects := step(s, LiveCaptured{Watch: 5, Turn: turnOf(2)})
		require.Equal(t, 1, s.Shown.N)
		require.Equal(t, 1, s.Behind)
		require.Empty(t, effects)
		s = on(t)
		s.Dialog = DialogMarking
		s, _ = step(s, LiveCaptured{Watch: 5, Turn: turnOf(2)})
		require.Equal(t, 1, s.Shown.N)
		require.Len(t, s.Session.Turns, 2)
		s = on(t)
		s.Follow = FollowOff
		s, _ = step(s, LiveCaptured{Watch: 5, Turn: turnOf(2)})
		require.Equal(t, 1, s.Shown.N)
		require.Zero(t, s.Behind)
	})
	t.Run("off again", func(t *testing.T) {
		s, effects := step(on(t), LiveToggled{})
		require.Equal(t, []Effect{Cancel{5}}, effects)
		s, effects = step(s, LiveCaptured{Watch: 5, Turn: turnOf(2)}, LiveStaged{5, "x"})
		require.Empty(t, effects)
		require.Len(t, s.Session.Turns, 1, "what was under way is too late; the disk has it")
		require.Equal(t, LivePane{}, s.Live)
	})
	t.Run("it ends with a sentence", func(t *testing.T) {
		s, _ := step(on(t), LiveEnded{5, &Problem{Sentence: "The tab was closed."}})
		require.Zero(t, s.Live.Watch)
		require.Equal(t, "The tab was closed.", s.Notice.Text)
		require.Contains(t, s.Notice.Hint, "Live is off")
		s, _ = step(on(t), LiveEnded{4, &Problem{Sentence: "old"}})
		require.NotZero(t, s.Live.Watch)
	})
	t.Run("another session ends it", func(t *testing.T) {
		s, effects := step(on(t), SessionOpened{Task: 1, Session: Session{Name: "file", Kept: true, ReadOnly: true}})
		require.Contains(t, effects, Effect(Cancel{5}))
		require.Zero(t, s.Live.Watch)
	})
	t.Run("refusals", func(t *testing.T) {
		s := captured(t)
		s.Session.ReadOnly = true
		s, effects := step(s, LiveToggled{})
		require.Empty(t, effects)
		require.Contains(t, s.Notice.Text, "read only")
		s = captured(t)
		s.Browser.Phase = PhaseGone
		s, effects = step(s, LiveToggled{})
		require.Empty(t, effects)
		require.Contains(t, s.Notice.Text, "not running")
	})
}

func TestWholePage(t *testing.T) {
	s, effects := step(captured(t), WholeAsked{})
	require.Equal(t, []Effect{CaptureWhole{5}}, effects)
	s, _ = step(s, Captured{Task: 5, Turn: turnOf(2)})
	require.Equal(t, 2, s.Shown.N)
	s.Session.ReadOnly = true
	_, effects = step(s, WholeAsked{})
	require.Empty(t, effects)
}

func TestDevices(t *testing.T) {
	run := func(m Msg, change func(*State)) []Effect {
		s := captured(t)
		if change != nil {
			change(&s)
		}
		_, effects := step(s, m)
		return effects
	}
	steps := func(text string) []Effect { return []Effect{RunSteps{Task: 5, Text: text}} }
	require.Equal(t, steps(`[{"viewport":"pixel-7"},{"reload":true}]`), run(DeviceChosen{Preset: "pixel-7"}, nil))
	require.Equal(t, steps(`{"viewport":null}`), run(DeviceChosen{}, nil))
	require.Equal(t, steps(`[{"viewport":null},{"reload":true}]`), run(DeviceChosen{}, func(s *State) { s.Device.Now = DeviceState{Tab: "A", Name: "pixel-7"} }), "a name counts from the next document on")
	require.Equal(t, steps(`{"viewport":{"width":800,"height":600,"deviceScaleFactor":1.5,"mobile":true,"hasTouch":true}}`), run(DeviceChosen{Width: 800, Height: 600, Scale: 1.5, Mobile: true}, nil))
	require.Empty(t, run(DeviceChosen{Preset: "pixel-7"}, func(s *State) { s.Session.ReadOnly = true }))
	require.Equal(t, []Effect{EmulateMedia{5, MediaState{Scheme: "dark"}}}, run(MediaChosen{MediaState{Scheme: "dark"}}, nil))

	dialog := func(m DeviceTyped) (State, []Effect) {
		s, _ := step(captured(t), DeviceCustomAsked{})
		return step(s, m)
	}
	for name, m := range map[string]DeviceTyped{
		"width": {Width: "x", Height: "1"}, "height": {Width: "1", Height: "99999"}, "scale": {Width: "1", Height: "1", Scale: "9"}, "scale that is none": {Width: "1", Height: "1", Scale: "NaN"},
	} {
		s, effects := dialog(m)
		require.Empty(t, effects, name)
		require.NotEmpty(t, s.Device.Problem, name)
		require.Equal(t, DialogDevice, s.Dialog, name)
	}
	s, effects := dialog(DeviceTyped{Width: " 390 ", Height: "844", Scale: "2,5"})
	require.Equal(t, steps(`{"viewport":{"width":390,"height":844,"deviceScaleFactor":2.5,"mobile":false,"hasTouch":false}}`), effects)
	require.Equal(t, DialogNone, s.Dialog)

	s, effects = step(captured(t), MediaChosen{MediaState{Scheme: "dark", Still: true}}, Emulated{Task: 5, Device: DeviceState{Tab: "A", Width: 390, Height: 844, Scale: 3, Name: "iphone-12", Media: MediaState{"dark", true}}})
	require.Equal(t, []Effect{Capture{6, "media"}}, effects, "what it does to the page is a turn")
	require.Equal(t, "iphone-12 · 390 × 844 @3 · dark · still", s.Bar().Viewport)
	s.Browser.Tab = "B"
	require.Equal(t, "1280 × 720", s.Bar().Viewport, "another tab passes for something else")
}

func TestAttach(t *testing.T) {
	asked := func(t *testing.T) State {
		s, _ := step(captured(t), AttachAsked{})
		require.Equal(t, DialogAttach, s.Dialog)
		return s
	}
	s, effects := step(asked(t), AttachConfirmed{" "})
	require.Empty(t, effects)
	require.NotEmpty(t, s.Attach.Problem)

	s, effects = step(asked(t), AttachConfirmed{" 127.0.0.1:9222 "})
	require.Equal(t, []Effect{AttachTo{5, "127.0.0.1:9222"}}, effects)
	failed, _ := step(s, Attached{Task: 5, Where: "127.0.0.1:9222", Problem: &Problem{Sentence: "Nobody answers.", Hint: "Start it.", BrowserGone: true}})
	require.Equal(t, "Nobody answers. Start it.", failed.Attach.Problem)
	require.Equal(t, PhaseReady, failed.Browser.Phase, "the browser in use stays")
	require.Empty(t, failed.Tasks)

	other := Browser{Version: "Chrome/156", Attached: true, Tabs: []Tab{{ID: "Z", URL: "https://mail.example/"}}, Tab: "Z", Viewport: image.Pt(1, 1), Demo: demoURL}
	got, effects := step(s, Attached{Task: 5, Where: "127.0.0.1:9222", Browser: other})
	require.Equal(t, []Effect{Watch{}}, effects, "its tabs stay as they are")
	require.True(t, got.Browser.Attached)
	require.Equal(t, DialogNone, got.Dialog)
	require.Equal(t, "https://mail.example/", got.Address.Text)
	require.Contains(t, got.Notice.Text, "Attached to 127.0.0.1:9222 with 1 tab.")
	_, effects = step(got, CommandChosen{CmdOwnChrome})
	require.Equal(t, []Effect{AttachTo{6, ""}}, effects)

	live, _ := step(asked(t), LiveToggled{})
	_, effects = step(live, AttachConfirmed{"h:1"})
	require.Equal(t, []Effect{Cancel{5}, AttachTo{6, "h:1"}}, effects)
	busy := asked(t)
	busy.start(TaskCapture, "x")
	_, effects = step(busy, AttachConfirmed{"h:1"})
	require.Empty(t, effects)
}

func TestConnect(t *testing.T) {
	s, effects := step(captured(t), ConnectAsked{})
	require.Equal(t, []Effect{ListAgents{Poll: 1}}, effects)
	agent := ConnectSession{ID: "x", Client: "Agent", Session: "shop"}
	s, effects = step(s, ConnectChanged{Poll: 1, Recipes: []ConnectRecipe{{Client: "a"}, {Client: "b"}}, URL: "u", Sessions: []ConnectSession{agent}})
	require.Equal(t, []Effect{ListAgents{1, true}}, effects, "it is kept up to date")
	s, _ = step(s, ConnectPicked{1}, ConnectPicked{2}, ConnectPicked{-1})
	require.Equal(t, 1, s.Connect.Recipe)

	_, effects = step(s, ConnectStopped{"none"})
	require.Empty(t, effects)
	_, effects = step(s, ConnectStopped{"x"})
	require.Equal(t, []Effect{StopAgent{"x"}}, effects)
	early, effects := step(s, ConnectFollowed{"x"})
	require.Empty(t, effects)
	require.Contains(t, early.Connect.Problem, "no turn yet")
	agent.Turns = 1
	s, _ = step(s, ConnectChanged{Poll: 1, URL: "u", Sessions: []ConnectSession{agent}})
	got, effects := step(s, ConnectFollowed{"x"})
	require.Equal(t, DialogNone, got.Dialog)
	require.Equal(t, []Effect{OpenSession{Task: 5, Name: "shop"}}, effects)

	_, effects = step(s, ConnectServing{true})
	require.Empty(t, effects, "it runs")
	s, effects = step(s, ConnectServing{false})
	require.Equal(t, []Effect{ServeAgents{false}}, effects)
	_, effects = step(s, ConnectServing{false})
	require.Empty(t, effects, "it is being stopped")
	s, effects = step(s, ConnectChanged{})
	require.Empty(t, effects)
	require.False(t, s.Connect.Busy)
	require.Len(t, s.Connect.Recipes, 2)
	s, _ = step(s, Escaped{})
	_, effects = step(s, ConnectChanged{Poll: 1})
	require.Empty(t, effects, "the page was left, and with it its news")
}
