package app

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/attach"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/snapshot/text"
)

// working opens a window with one turn of the demo in view.
func working(t *testing.T, f *fake, change func(*Options)) *bench {
	t.Helper()
	b := open(t, f, change)
	b.await("a first turn", func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 })
	b.settled()
	return b
}

// typed writes into what has the focus, and waits for what the console says of it.
func (b *bench) typed(text string) core.State {
	b.t.Helper()
	f := b.shell.win.Canvas().Focused()
	require.NotNil(b.t, f)
	for _, r := range text {
		f.TypedRune(r)
	}
	return b.checked()
}

// checked waits until the draft was checked.
func (b *bench) checked() core.State {
	b.t.Helper()
	return b.await("the check of the draft", func(s core.State) bool {
		return steps.Of(s).Console.Seq > 0 && steps.Of(s).Console.Check.Seq == steps.Of(s).Console.Seq
	})
}

func (b *bench) key(name fyne.KeyName) {
	b.t.Helper()
	f := b.shell.win.Canvas().Focused()
	require.NotNil(b.t, f)
	f.TypedKey(&fyne.KeyEvent{Name: name})
}

func TestConsole(t *testing.T) {
	f := newFake()
	b := working(t, f, nil)
	b.command(steps.CmdSteps)
	s := b.checked()
	require.Equal(t, steps.Drawer, s.Drawer)
	require.NotEmpty(t, steps.ViewOf(s).Items, "an empty draft has suggestions")
	b.shoot("console-empty-dark")

	// Tab completes the step and then the ref.
	s = b.typed(`{"cli`)
	require.Equal(t, "click", steps.Of(s).Console.Check.Items[0].Label)
	b.key(fyne.KeyTab)
	s = b.checked()
	require.Equal(t, `{"click": `, steps.Of(s).Console.Text)
	s = b.typed(`"place`)
	button := refOf(t, s, "Place order")
	require.Contains(t, steps.Of(s).Console.Check.Items[0].What, "Place order")
	b.shoot("console-completion-dark")
	b.key(fyne.KeyTab)
	b.checked()
	s = b.typed(`}`)
	require.Equal(t, `{"click": "e`+itoa(button)+`"}`, steps.Of(s).Console.Text)
	require.Empty(t, steps.Of(s).Console.Check.Problem)
	require.Equal(t, core.ToneGood, steps.ViewOf(s).State.Tone)

	// It runs, makes a turn, and its answer is shown byte for byte.
	focus := b.shell.win.Canvas().Focused().(fyne.Shortcutable)
	focus.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
	s = b.await("the run", func(s core.State) bool { return len(steps.Of(s).Console.Runs) == 1 && len(s.Tasks) == 0 })
	b.settled()
	require.Equal(t, 2, s.Current.N)
	require.Equal(t, steps.Of(s).Console.Runs[0].N, 2)
	v := steps.ViewOf(s)
	require.Equal(t, string(s.Current.Answered.Body), v.Answer.Doc.Text)
	require.Equal(t, `{"click":"e`+itoa(button)+`"}`, strings.ReplaceAll(s.Current.StepsText, " ", ""))
	b.shoot("console-answer-dark")

	// What is wrong is said with its place, and does not run.
	b.command(steps.CmdStepsPretty)
	b.shell.win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	s = b.typed("[{\"click\":\"e3\"},")
	b.key(fyne.KeyReturn)
	s = b.typed("{\"clik\":\"e3\"}]")
	require.Contains(t, steps.Of(s).Console.Check.Problem, "did you mean")
	require.Equal(t, 2, steps.Of(s).Console.Check.Line)
	b.command(steps.CmdStepsRun)
	s = b.await("the refusal", func(s core.State) bool { return s.Notice != nil })
	require.Len(t, f.in.ran, 1)
	require.Contains(t, s.Notice.Text, "not run")
	b.shoot("console-mistake-dark")
	b.shell.Dispatch(core.NoticeClosed{})

	// Up in an empty editor brings the last run back.
	b.shell.win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	b.key(fyne.KeyBackspace)
	b.checked()
	b.key(fyne.KeyUp)
	s = b.checked()
	require.Equal(t, steps.Of(s).Console.Runs[0].Text, steps.Of(s).Console.Text)
	b.command(core.CmdTheme)
	b.await("light", func(s core.State) bool { return s.Look == core.LookLight })
	b.shoot("console-light")

	// Esc leaves the editor; S puts the console away.
	b.key(fyne.KeyEscape)
	b.command(steps.CmdSteps)
	s = b.await("the drawer to go", func(s core.State) bool { return s.Drawer == core.DrawerNone })
	require.Equal(t, 2, s.Current.N)
}

func itoa(n int) string { return strings.TrimSpace(text.Thousands(n)) }

func TestConsoleKeepsNoSecret(t *testing.T) {
	f := newFake()
	b := working(t, f, nil)
	b.command(steps.CmdSteps)
	b.checked()
	s := b.shell.State()
	field := refOf(t, s, "Full name")
	s.Current.Capture.ByRef(field).Attrs["type"] = "password"
	b.shell.Dispatch(steps.Acted{Ref: field, Deed: steps.ActFill})
	s = b.await("the question", func(s core.State) bool { return s.Dialog == steps.DialogAct })
	require.True(t, steps.Of(s).Act.Ask.Masked)
	entry := b.shell.win.Canvas().Focused().(*parts.Entry)
	require.True(t, entry.Password)
	for _, r := range "hunter2" {
		entry.TypedRune(r)
	}
	b.shoot("act-masked-dark")
	the[*parts.Check](b).SetChecked(true)
	b.key(fyne.KeyReturn)
	s = b.await("the run", func(s core.State) bool { return len(steps.Of(s).Console.Runs) == 1 })
	require.Equal(t, []string{`[{"fill":{"ref":"e` + itoa(field) +
		`","value":"hunter2"}},{"press":{"key":"Enter","ref":"e` + itoa(field) + `"}}]`}, f.in.ran)
	require.Equal(t, []bool{true}, f.in.masked)
	require.Empty(t, steps.Of(s).Console.Runs[0].Text)
	require.NotContains(t, steps.Of(s).Console.Runs[0].Sealed, "hunter2")
	require.NotContains(t, s.Current.StepsText, "hunter2")
	b.command(steps.CmdStepsHistory)
	b.shell.Dispatch(steps.StepsPicked(1))
	s = b.checked()
	require.NotContains(t, steps.Of(s).Console.Text, "hunter2")
	require.Contains(t, s.Notice.Text, "not saved")
}

func TestActing(t *testing.T) {
	f := newFake()
	b := working(t, f, nil)
	s := b.shell.State()
	accept, field := refOf(t, s, "Accept all"), refOf(t, s, "Street")

	// A click chooses, until C is on; then it goes to the page.
	test.TapCanvas(b.shell.win.Canvas(), b.markAt(accept))
	b.await("a selection", func(s core.State) bool { return s.Selected.Ref == accept })
	require.Empty(t, f.in.ran)
	b.command(steps.CmdAct)
	b.await("the mode", func(s core.State) bool { return steps.Of(s).Act.On })
	at := b.markAt(accept)
	test.MoveMouse(b.shell.win.Canvas(), at)
	s = b.await("the sign", func(s core.State) bool { return s.Hover.Ref == accept })
	require.Equal(t, steps.PointNext, picture.ViewOf(s).Point.Kind)
	b.shoot("act-pointing-dark")
	test.TapCanvas(b.shell.win.Canvas(), at)
	s = b.await("the run", func(s core.State) bool { return len(steps.Of(s).Console.Runs) == 1 && len(s.Tasks) == 0 })
	require.Equal(t, []string{`{"click":"e` + itoa(accept) + `"}`}, f.in.ran)
	require.Equal(t, 2, s.Current.N)
	b.settled()
	b.shell.Dispatch(core.Hovered{})
	s = b.await("the pointer away", func(s core.State) bool { return s.Hover.Ref == 0 })
	require.Equal(t, steps.PointLast, picture.ViewOf(s).Point.Kind, "where it went is shown on the page as it is now")
	b.shoot("act-done-dark")

	// The same spot again is the same element, and not what lies around it.
	test.TapCanvas(b.shell.win.Canvas(), at)
	b.await("the second run", func(s core.State) bool {
		return len(steps.Of(s).Console.Runs) == 2 &&
			len(s.Tasks) == 0
	})
	require.Equal(t, f.in.ran[0], f.in.ran[1])
	b.settled()

	// A field asks what it is to hold.
	test.TapCanvas(b.shell.win.Canvas(), b.markAt(field))
	s = b.await("the question", func(s core.State) bool { return s.Dialog == steps.DialogAct })
	require.Equal(t, field, steps.Of(s).Act.Ask.Ref)
	b.shoot("act-fill-dark")
	b.key(fyne.KeyEscape)
	b.await("no question", func(s core.State) bool {
		return s.Dialog == core.DialogNone &&
			steps.Of(s).Act.Ask.Ref == 0
	})

	// An older turn is not acted on.
	b.shell.Dispatch(core.TurnChosen{N: 1})
	b.await("the first turn", func(s core.State) bool { return s.Current.N == 1 && len(s.Tasks) == 0 })
	b.shell.Dispatch(core.NoticeClosed{})
	test.TapCanvas(b.shell.win.Canvas(), b.markAt(accept))
	s = b.await("the refusal", func(s core.State) bool { return s.Notice != nil })
	require.Contains(t, s.Notice.Text, "not the newest")
	require.Len(t, f.in.ran, 2)

	// The right button offers what can be done.
	b.command("turn.newest")
	b.await("the newest", func(s core.State) bool { return s.Current.N == 3 && len(s.Tasks) == 0 })
	shot := b.shell.panes.picture.Shot()
	pane := fyne.CurrentApp().Driver().AbsolutePositionForObject(shot)
	shot.TappedSecondary(&fyne.PointEvent{Position: b.markAt(accept).Subtract(pane)})
	require.NotNil(t, b.shell.win.Canvas().Overlays().Top())
	b.shoot("act-menu-dark")
}

func TestLiveCaptures(t *testing.T) {
	f := newFake()
	f.in.changed = make(chan bool, 4)
	b := working(t, f, nil)
	b.command(live.CmdLive)
	s := b.await("the watch", func(s core.State) bool { return live.Of(s).Watch != 0 })
	require.Len(t, s.Session.Turns, 1, "a page that is as it was makes no turn")
	f.in.changed <- true
	s = b.await("the change", func(s core.State) bool { return len(s.Session.Turns) == 2 && live.Of(s).Stage == "" })
	require.Equal(t, 2, s.Current.N)
	require.Equal(t, live.ActionLive, s.Current.Action)
	b.settled()
	b.shoot("live-dark")

	// While an older turn is looked at, changes are listed and do not take it away.
	b.shell.Dispatch(core.TurnChosen{N: 1})
	b.await("the first turn", func(s core.State) bool { return s.Current.N == 1 && len(s.Tasks) == 0 })
	f.in.changed <- true
	s = b.await("the next change", func(s core.State) bool { return len(s.Session.Turns) == 3 })
	require.Equal(t, 1, s.Current.N)
	require.Equal(t, 1, s.UnseenTurns)
	b.command(live.CmdLive)
	s = b.await("the end", func(s core.State) bool { return live.Of(s).Watch == 0 })
	require.Equal(t, "Live", live.ViewOf(s).Text)
}

func TestDevicesAndAttach(t *testing.T) {
	f := newFake()
	b := working(t, f, nil)
	b.command(device.CmdDevices)
	b.await("the menu", func(core.State) bool { return true })
	b.shoot("devices-dark")
	b.shell.win.Canvas().Overlays().Remove(b.shell.win.Canvas().Overlays().Top())

	b.shell.Dispatch(device.Chosen{Preset: "pixel-7"})
	b.await("the device", func(s core.State) bool { return len(steps.Of(s).Console.Runs) == 1 && len(s.Tasks) == 0 })
	require.Equal(t, []string{`[{"viewport":"pixel-7"},{"reload":true}]`}, f.in.ran)
	b.command(device.CmdDeviceDark)
	s := b.await("dark", func(s core.State) bool { return s.Device.Now.Media.Scheme == "dark" && len(s.Tasks) == 0 })
	require.Contains(t, Bar(s).Viewport, "dark")
	b.command(device.CmdDeviceCustom)
	b.await("the dialog", func(s core.State) bool { return s.Dialog == device.Dialog })
	b.shell.Dispatch(device.Typed{Width: "wide", Height: "600"})
	b.await("the problem", func(s core.State) bool { return s.Device.Problem != "" })
	b.shoot("device-numbers-dark")
	b.shell.Dispatch(device.Typed{Width: "800", Height: "600", Scale: "1.5"})
	b.await("the window", func(s core.State) bool { return len(steps.Of(s).Console.Runs) == 2 && len(s.Tasks) == 0 })
	require.Equal(t, `{"viewport":{"width":800,"height":600,"deviceScaleFactor":1.5,"mobile":false,"hasTouch":false}}`,
		f.in.ran[1])

	// Attaching: a wrong address is said in the dialog, and the browser stays.
	f.in.noAttach = &core.Hinted{Err: errNobody, Hint: "Start Chrome with --remote-debugging-port=9222."}
	b.command(attach.CmdAttach)
	b.await("the dialog", func(s core.State) bool { return s.Dialog == attach.Dialog })
	for _, r := range "127.0.0.1:1" {
		b.shell.win.Canvas().Focused().TypedRune(r)
	}
	b.key(fyne.KeyReturn)
	s = b.await("the problem", func(s core.State) bool { return attach.Of(s).Problem != "" && len(s.Tasks) == 0 })
	require.Equal(t, core.PhaseReady, s.Browser.Phase)
	b.shoot("attach-dark")
	f.in.noAttach = nil
	b.key(fyne.KeyReturn)
	s = b.await("the other browser", func(s core.State) bool { return s.Browser.Attached && len(s.Tasks) == 0 })
	require.Equal(t, core.DialogNone, s.Dialog)
	b.command(attach.CmdOwnChrome)
	b.await("the own browser", func(s core.State) bool { return !s.Browser.Attached && len(s.Tasks) == 0 })
	require.Equal(t, []string{"127.0.0.1:1", "127.0.0.1:1", ""}, f.in.attached)
}

func TestConnectPage(t *testing.T) {
	f := newFake()
	f.others = map[string][]*core.Recorded{"shop": recorded(2)}
	b := working(t, f, nil)
	b.command(connect.CmdConnect)
	b.await("the page", func(s core.State) bool { return len(connect.Of(s).Recipes) == 2 })
	b.shoot("connect-dark")
	b.shell.Dispatch(connect.Picked{Index: 1})
	b.shell.Dispatch(connect.Serving{On: true})
	s := b.await("the server", func(s core.State) bool {
		return len(connect.Of(s).Sessions) == 1 &&
			connect.Of(s).Recipe == 1
	})
	b.command(core.CmdTheme)
	b.await("light", func(s core.State) bool { return s.Look == core.LookLight })
	b.shoot("connect-serving-light")
	b.shell.Dispatch(connect.Followed{ID: connect.Of(s).Sessions[0].ID})
	s = b.await("the agent's session", func(s core.State) bool { return s.Session.Name == "shop" && s.Current != nil })
	require.Equal(t, core.DialogNone, s.Dialog)
	require.Equal(t, []string{"shop"}, f.sessions())
	b.command(connect.CmdConnect)
	b.await("the page again", func(s core.State) bool {
		return s.Dialog == connect.Dialog &&
			len(connect.Of(s).Sessions) == 1
	})
	b.shell.Dispatch(connect.Stopped{ID: "7"})
	b.await("since when it is gone", func(s core.State) bool {
		return len(connect.Of(s).Sessions) == 1 && !connect.Of(s).Sessions[0].Gone.IsZero()
	})
	b.command(connect.CmdTap)
	b.shell.Dispatch(connect.Tapping{On: true})
	b.await("the tap", func(s core.State) bool { return len(connect.Of(s).Tap.Bases) == 2 })
	b.shoot("connect-tap-light")
	b.shell.Dispatch(connect.Tapping{})
	b.await("no tap", func(s core.State) bool { return len(connect.Of(s).Tap.Bases) == 0 })
}

var errNobody = errors.New("no browser answers at 127.0.0.1:1")
