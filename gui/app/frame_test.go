package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/snapshot/testneed"
)

// press clicks the button or chip in view with that text.
func (b *bench) press(text string) {
	b.t.Helper()
	o := labelled(b, text)
	require.NotNil(b.t, o, "a button %q in view", text)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	test.TapCanvas(b.shell.win.Canvas(), at.AddXY(o.Size().Width/2, o.Size().Height/2))
}

// labelled finds what is in view with that text: a chip, a button, a box to tick; nil for none.
func labelled(b *bench, text string) fyne.CanvasObject {
	return inView(b, func(o fyne.CanvasObject) bool {
		switch w := o.(type) {
		case *parts.Chip:
			return w.Text() == text
		case *parts.PushButton:
			return w.Text == text
		case *parts.Check:
			return w.Text == text
		case *widget.Button:
			return w.Text == text
		}
		return false
	})
}

// the finds the first widget of a type in view.
func the[T fyne.CanvasObject](b *bench) T {
	b.t.Helper()
	found, ok := inView(b, func(o fyne.CanvasObject) bool { _, ok := o.(T); return ok }).(T)
	require.True(b.t, ok, "a %T in view", found)
	return found
}

// inView finds an object in view, in what lies over the window before the window itself.
func inView(b *bench, fits func(fyne.CanvasObject) bool) fyne.CanvasObject {
	c := b.shell.win.Canvas()
	roots := append([]fyne.CanvasObject{c.Content()}, c.Overlays().List()...)
	for _, root := range slices.Backward(roots) {
		if o := partstest.Find(root, fits); o != nil {
			return o
		}
	}
	return nil
}

// TestNoticesCoverNothing shows a notice of each tone: what went well moves nothing, what did not pushes the panes
// down by its own height and lies over none of them; when it is gone all is as before.
func TestNoticesCoverNothing(t *testing.T) {
	b := reviewing(t, 2, nil)
	at := func() [2][4]int {
		c := b.shell.win.Canvas()
		return [2][4]int{onScreen(c, b.shell.panes.picture.Shot()), onScreen(c, b.shell.panes.sides.text().Text())}
	}
	before := at()
	for _, tone := range []core.Tone{core.ToneGood, core.ToneNormal, core.ToneWarn, core.ToneBad} {
		n := &core.Notice{Tone: tone, Text: "Something happened.", Hint: "Do something about it.",
			Command: core.CmdCapture}
		b.shell.Dispatch(noticed{n})
		b.await("the notice", func(s core.State) bool { return s.Notice == n })
		toast := b.shell.panes.toast
		require.Equal(t, n.Calm(), toast.Box.Visible())
		require.Equal(t, !n.Calm(), toast.Banner.Visible())
		if n.Calm() {
			require.Equal(t, before, at(), "%v", tone)
		} else {
			banner, now := onScreen(b.shell.win.Canvas(), toast.Banner), at()
			require.GreaterOrEqual(t, now[0][1], banner[3], "%v: the picture begins below the banner", tone)
			require.GreaterOrEqual(t, now[1][1], banner[3], "%v: the text does too", tone)
		}
		b.shell.Dispatch(core.NoticeExpired{Notice: n})
		b.await("its end", func(s core.State) bool { return s.Notice == nil })
		require.False(t, toast.Box.Visible() || toast.Banner.Visible())
		require.Equal(t, before, at(), "%v", tone)
	}
}

// noticed is a message that shows a notice.
type noticed struct{ n *core.Notice }

func (m noticed) Apply(s core.State) (core.State, []core.Effect) {
	s.Notice = m.n
	return s, nil
}

// TestRecordedTurnIsNamed looks at turns that the tab does not show: the address is the
// turn's, a badge says which it is, and one press leads back to the tab.
func TestRecordedTurnIsNamed(t *testing.T) {
	b := reviewing(t, 3, nil)
	bar := b.shell.panes.bar
	require.Equal(t, "Recorded · turn 3 of 3 · window", Bar(b.shell.State()).Recorded)
	b.shell.Dispatch(core.TurnChosen{N: 1})
	s := b.await("turn 1", func(s core.State) bool { return s.Current.N == 1 && len(s.Tasks) == 0 })
	require.Equal(t, "Recorded · turn 1 of 3 · window", Bar(s).Recorded)
	require.True(t, bar.badge.Visible())
	require.Equal(t, s.Current.Capture.URL, bar.address.Text)

	b.press("Back to live tab")
	s = b.await("a turn of the tab", func(s core.State) bool { return s.Current.N == 4 && len(s.Tasks) == 0 })
	require.Empty(t, Bar(s).Recorded)
	require.False(t, bar.badge.Visible())
	b.shell.Dispatch(core.TurnChosen{N: 2})
	b.await("turn 2", func(s core.State) bool { return s.Current.N == 2 && len(s.Tasks) == 0 })
	b.press("Back to live tab")
	s = b.await("the same turn", func(s core.State) bool { return s.Current.N == 4 && len(s.Tasks) == 0 })
	require.Len(t, s.Session.Turns, 4, "nothing was captured again")
}

// TestSlowPageOffersToWait opens a page that does not answer in time.
func TestSlowPageOffersToWait(t *testing.T) {
	f := newFake()
	b := open(t, f, nil)
	b.settled()
	f.mu.Lock()
	f.openErr = &core.Hinted{Err: core.ErrSlow, Hint: "It had 30s."}
	f.mu.Unlock()
	b.shell.Dispatch(core.AddressEntered{Text: "http://slow.example/"})
	s := b.await("the complaint", func(s core.State) bool { return s.Notice != nil && len(s.Tasks) == 0 })
	require.Equal(t, "The page did not answer in time.", Note(s).Text)
	require.Equal(t, "Retry", Note(s).AlsoTitle)
	f.mu.Lock()
	f.openErr = nil
	f.mu.Unlock()
	b.press("Wait longer")
	s = b.await("the page", func(s core.State) bool { return s.Notice == nil && len(s.Tasks) == 0 && s.Current != nil })
	require.Equal(t, "http://slow.example/", s.Current.Capture.URL)
	f.mu.Lock()
	defer f.mu.Unlock()
	require.Equal(t, 1, f.longer)
}

// TestFramePictures writes the frame in situations that its other tests go through.
func TestFramePictures(t *testing.T) {
	if *pictures == "" {
		testneed.Extra(t, "no --pictures asked for")
	}
	for name, look := range map[string]core.Look{"dark": core.LookDark, "light": core.LookLight} {
		for _, size := range []fyne.Size{{Width: 1024, Height: 640}, {Width: 1366, Height: 768},
			{Width: 1600, Height: 960}} {
			b := reviewing(t, 6, func(o *Options) { o.Prefs.Look = look })
			b.shell.win.Resize(size)
			name := fmt.Sprintf("frame-%s-%v-", name, size.Width)
			b.shell.Dispatch(core.TurnChosen{N: 3})
			b.await("turn 3", func(s core.State) bool { return s.Current.N == 3 && len(s.Tasks) == 0 })
			b.shell.Dispatch(noticed{&core.Notice{Tone: core.ToneGood, Text: "Exported 3 files to shop/turn-3.",
				Command: core.CmdCapture}})
			b.settled()
			b.shoot(name + "toast")
			b.shell.Dispatch(noticed{&core.Notice{Tone: core.ToneBad, Text: "The page did not answer in time.",
				Hint: "It had 30s.", Command: core.CmdLonger, Also: core.CmdRetry}})
			b.settled()
			b.shoot(name + "error")
			b.shell.Close()
		}
	}
}

// TestMenusAreShort counts the entries of each menu and submenu, finds every command of the
// table in one of them, and reads its key behind its title.
func TestMenusAreShort(t *testing.T) {
	b := reviewing(t, 2, nil)
	found := 0
	var walk func(m *fyne.Menu)
	walk = func(m *fyne.Menu) {
		entries := 0
		for _, item := range m.Items {
			if item.IsSeparator {
				continue
			}
			entries++
			if item.ChildMenu != nil {
				walk(item.ChildMenu)
				continue
			}
			found++
			_, drawn := item.Shortcut.(fyne.KeyboardShortcut)
			require.False(t, drawn, "%s: Fyne draws keys too faint to read", item.Label)
		}
		require.LessOrEqual(t, entries, 14, m.Label)
	}
	for _, m := range b.shell.menus.main.Items {
		walk(m)
	}
	for _, c := range b.shell.commands {
		if item := b.shell.menus.items[c.ID]; item != nil {
			found--
			title, _, _ := strings.Cut(item.Label, "\t")
			require.Equal(t, c.Title, title)
			if c.Key != "" {
				require.True(t, strings.HasSuffix(item.Label, "\t"+c.Key), item.Label)
			}
		}
	}
	require.Zero(t, found, "each command stands in one menu")
}

// TestFocusGoesBackToThePicture presses Enter in the address bar: the next key is a command.
func TestFocusGoesBackToThePicture(t *testing.T) {
	b := reviewing(t, 2, nil)
	c := b.shell.win.Canvas()
	c.Focus(b.shell.panes.bar.address)
	b.shell.panes.bar.address.SetText("http://127.0.0.1:20417/other")
	b.shell.panes.bar.address.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, fyne.Focusable(b.shell.panes.picture.Shot()), c.Focused())
	b.settled()
	c.Focus(b.shell.panes.bar.address)
	shown := b.shell.panes.bar.address.Text
	test.Type(b.shell.panes.bar.address, "elsewhere")
	b.shell.panes.bar.address.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Nil(t, c.Focused(), "Esc leaves the field in one press")
	require.Equal(t, shown, b.shell.panes.bar.address.Text, "and the address is that of the page in view")
}

// TestTimelineBackFromTheSide: in a window of each height the panes take its whole width wherever the turns are.
func TestTimelineBackFromTheSide(t *testing.T) {
	b := reviewing(t, 3, nil)
	for _, high := range []float32{960, 600} {
		b.shell.win.Resize(fyne.NewSize(1400, high))
		b.settled()
		for range 2 { // to the side, and back
			b.command("view.turnsside")
			b.settled()
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.shell.panes.split)
		require.Equal(t, []float32{0, 1400}, []float32{at.X, b.shell.panes.split.Size().Width}, "%g high", high)
	}
}
