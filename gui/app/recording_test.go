package app

import (
	"context"
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/snapshot/turn"
)

// recording is an engine with the session "shop" of two turns, besides the window's own, which has one.
func recording() *fake {
	f := newFake()
	made := func(n int) *core.Recorded {
		c := coretest.Checkout()
		turn.NewLedger().Assign("A", 1, c)
		return &core.Recorded{Record: turn.Record{N: n, Action: "click", Capture: c, Picture: coretest.Picture(c)}}
	}
	f.turns = []*core.Recorded{made(1)}
	f.others = map[string][]*core.Recorded{"shop": {made(1), made(2)}}
	return f
}

func TestARecordingOpensWithoutChrome(t *testing.T) {
	f := recording()
	f.noChrome = &core.Hinted{Err: errors.New("Chrome is missing"), Hint: "Install it with: x.", Command: "x"}
	b := open(t, f, func(o *Options) { o.URL = "shop#1" })
	s := b.await("the turn that was named, and then the browser", func(s core.State) bool {
		return s.Current != nil && len(s.Tasks) == 0 && s.Browser.Phase == core.PhaseFailed
	})
	require.Equal(t, "shop", s.Session.Name)
	require.Equal(t, 1, s.Current.N)
	require.True(t, s.Session.ReadOnly)
	require.Equal(t, "Chrome is missing: live pages are off, recordings work.", Note(s).Text)
	require.Equal(t, "Install it with: x.", Note(s).Hint)
	require.Equal(t, "Copy how to install", Note(s).AlsoTitle)
	require.NotContains(t, f.sessions(), "", "the window's own session was never opened")
	b.shoot("10-recording-without-chrome")
	b.press("Copy how to install")
	require.Equal(t, "x", b.shell.opt.App.Clipboard().Content())
}

func TestARecordingThatIsNotThere(t *testing.T) {
	b := open(t, recording(), func(o *Options) { o.URL = "nowhere.refscope" })
	s := b.await("the window's own session", func(s core.State) bool {
		return s.Current != nil && len(s.Tasks) == 0 && s.Browser.Phase == core.PhaseReady
	})
	require.Equal(t, "window", s.Session.Name)
	require.Contains(t, Note(s).Text, "Session not found: nowhere.refscope")
	require.Empty(t, b.engine.opened(), "no page was asked for")
}

func TestAPageIsOpenedWhereNoSessionHasItsName(t *testing.T) {
	b := open(t, recording(), func(o *Options) { o.URL = "localhost" })
	b.await("the page", func(s core.State) bool { return s.Current != nil && s.Current.N == 2 && len(s.Tasks) == 0 })
	require.Equal(t, []string{"http://localhost"}, b.engine.opened())
}

// TestNothingIsAddedToARecording asks for everything that would take a turn while a recording is in view.
func TestNothingIsAddedToARecording(t *testing.T) {
	at := func(t *testing.T, url string) *bench {
		f := recording()
		f.tab.URL = url
		b := open(t, f, func(o *Options) { o.URL = "shop" })
		b.await("the recording", func(s core.State) bool {
			return s.Current != nil && len(s.Tasks) == 0 && s.Browser.Phase == core.PhaseReady
		})
		return b
	}
	opened := func(t *testing.T) *bench { return at(t, "https://a.example/") }
	t.Run("every command", func(t *testing.T) {
		b := opened(t)
		for _, c := range b.shell.State().Commands() {
			if c.ID == core.CmdLive || c.ID == core.CmdAway || c.ID == "quit" {
				continue // these leave it
			}
			s, effects := core.Update(b.shell.State(), core.CommandChosen{ID: c.ID})
			for _, e := range effects {
				switch e.(type) {
				case core.Capture, core.Navigate, core.MoveTo, core.SelectTab, live.CaptureWhole, live.WatchPage:
					t.Errorf("%s does %T in a recording: %+v", c.ID, e, s.Notice)
				}
			}
		}
	})
	t.Run("back to the live tab, in one press", func(t *testing.T) {
		b := opened(t)
		b.command(core.CmdLive)
		s := b.await("a turn of the tab in the window's own session", func(s core.State) bool {
			return s.Session.Name == "window" && s.Current != nil && s.Current.Action == core.ActionCapture && len(s.Tasks) == 0
		})
		require.Empty(t, s.Recorded())
		require.Len(t, b.engine.others["shop"], 2, "the recording has the turns that it had")
	})
	t.Run("back to a tab in which nothing was opened", func(t *testing.T) {
		b := at(t, "about:blank")
		turns := len(b.engine.own)
		b.command(core.CmdLive)
		s := b.await("the window's own session", func(s core.State) bool {
			return s.Session.Name == "window" && s.Session.Phase == core.PhaseReady && len(s.Tasks) == 0
		})
		require.Len(t, s.Session.Turns, turns, "an empty page is no turn")
	})
	t.Run("an address, asked once", func(t *testing.T) {
		b := opened(t)
		b.shell.Dispatch(core.AddressEntered{Text: "https://a.example/x"})
		s := b.await("the question", func(s core.State) bool { return s.Notice != nil && len(s.Tasks) == 0 })
		require.Contains(t, Note(s).Text, "“shop” is a recording")
		require.Empty(t, b.engine.opened())
		b.press("Go to the window's session")
		b.await("the page in the window's own session", func(s core.State) bool {
			return s.Session.Name == "window" && s.Current != nil && s.Current.Action == core.ActionGoto && len(s.Tasks) == 0
		})
		require.Equal(t, []string{"https://a.example/x"}, b.engine.opened())
		require.Len(t, b.engine.others["shop"], 2, "the recording has the turns that it had")
		b.shell.Dispatch(core.SessionChosen("shop"))
		b.await("the recording again", func(s core.State) bool { return s.Session.Name == "shop" && len(s.Tasks) == 0 })
		b.shell.Dispatch(core.AddressEntered{Text: "https://a.example/y"})
		b.await("the next page, without a question", func(s core.State) bool {
			return s.Session.Name == "window" && len(b.engine.opened()) == 2 && len(s.Tasks) == 0
		})
		require.Len(t, b.engine.others["shop"], 2)
	})
}

func TestATypedNoteIsNeverLost(t *testing.T) {
	f := recording()
	b := open(t, f, func(o *Options) { o.URL = "shop" })
	b.await("the recording", func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 })
	b.command(notes.CmdNote)
	b.await("the dialog", func(s core.State) bool { return s.Dialog == notes.Dialog })
	b.shell.Dispatch(notes.Changed(notes.Draft{Verdict: notes.VerdictBad, Text: "wrong basket"}))
	b.await("the draft on disk", func(core.State) bool {
		kept, _ := f.Drafts(context.Background(), "/home/shop")
		return kept[2].Text == "wrong basket"
	})
	b.shell.escape()
	b.await("the dialog gone", func(s core.State) bool { return s.Dialog == core.DialogNone })
	require.Empty(t, f.notes.list)

	again := open(t, f, func(o *Options) { o.URL = "shop" }) // as after a crash
	again.await("the drafts", func(s core.State) bool {
		return s.Current != nil && len(s.Tasks) == 0 && notes.Of(s).Drafts != nil
	})
	again.command(notes.CmdNote)
	s := again.await("the dialog", func(s core.State) bool { return s.Dialog == notes.Dialog })
	require.Equal(t, "wrong basket", notes.Of(s).Draft.Text)
	require.Equal(t, notes.VerdictBad, notes.Of(s).Draft.Verdict)

	f.mu.Lock()
	f.notes.err = errors.New("the disk is full")
	f.mu.Unlock()
	again.shell.Dispatch(notes.Confirmed())
	s = again.await("the complaint", func(s core.State) bool { return s.Notice != nil && s.Notice.Tone == core.ToneBad })
	require.Contains(t, Note(s).Hint, "What you wrote is kept.")
	f.mu.Lock()
	f.notes.err = nil
	f.mu.Unlock()
	again.press("Add note…")
	again.await("the dialog", func(s core.State) bool { return s.Dialog == notes.Dialog })
	again.shell.Dispatch(notes.Confirmed())
	again.await("the note, and no draft any more", func(s core.State) bool {
		kept, _ := f.Drafts(context.Background(), "/home/shop")
		return len(s.Session.Notes) == 1 && len(kept) == 0
	})
}

// TestCtrlEnterSavesANote: the main menu, which a real window asks first, has the key for the steps and passes it on.
func TestCtrlEnterSavesANote(t *testing.T) {
	f := newFake()
	b := open(t, f, nil)
	b.await("a turn", func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 })
	b.command(notes.CmdNote)
	b.await("the dialog", func(s core.State) bool { return s.Dialog == notes.Dialog })
	b.settled()
	field := b.shell.win.Canvas().Focused().(*parts.Entry)
	test.Type(field, "a note")
	field.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	field.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	test.Type(field, "more")
	require.Equal(t, "a note\nmore", field.Text, "Shift+Enter begins a line, as Enter does")
	b.settled()
	b.shell.menus.items[steps.CmdStepsRun].Action()
	b.await("the note", func(s core.State) bool { return s.Dialog == core.DialogNone && len(notes.Of(s).Own) == 1 })
}
