package core_test

import (
	"image"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/dump"
)

func TestFirstStart(t *testing.T) {
	row := []core.TurnRow{{N: 4}, {N: 7}}
	tests := []struct {
		name    string
		url     string
		session core.SessionOpened
		browser core.BrowserStarted
		want    []core.Effect // of whichever comes last
		address string
	}{
		{"empty session: demo, captured", "", core.SessionOpened{Task: 1, Session: core.Session{Kept: true}},
			core.BrowserStarted{Task: 2, Browser: apptest.Chrome()},
			[]core.Effect{core.Watch{}, core.Navigate{Task: 3, Target: address.Target{URL: apptest.DemoURL},
				Action: "goto"}}, apptest.DemoURL},
		{"session with turns: demo, not captured", "", core.SessionOpened{Task: 1, Session: core.Session{Turns: row}},
			core.BrowserStarted{Task: 2, Browser: apptest.Chrome()},
			[]core.Effect{core.Watch{}, core.Navigate{Task: 4, Target: address.Target{URL: apptest.DemoURL},
				Action: ""}}, apptest.DemoURL},
		{"a page was asked for", "example.org", core.SessionOpened{Task: 1, Session: core.Session{Turns: row}},
			core.BrowserStarted{Task: 2, Browser: apptest.Chrome()},
			[]core.Effect{core.Watch{}, core.Navigate{Task: 4, Target: address.Target{URL: "https://example.org"},
				Action: "goto"}}, "https://example.org"},
		{"the folder cannot be used: the demo all the same", "",
			core.SessionOpened{Task: 1, Problem: &core.Problem{Sentence: "No."}}, core.BrowserStarted{Task: 2,
				Browser: apptest.Chrome()},
			[]core.Effect{core.Watch{}, core.Navigate{Task: 3, Target: address.Target{URL: apptest.DemoURL},
				Action: "goto"}}, apptest.DemoURL},
		{"somebody else's browser is left alone", "", core.SessionOpened{Task: 1},
			core.BrowserStarted{Task: 2, Browser: func() core.Browser {
				b := apptest.Chrome()
				b.Attached, b.Tabs = true, []core.Tab{{ID: "A", URL: "https://mail.example/"}}
				return b
			}()}, []core.Effect{core.Watch{}}, "https://mail.example/"},
		{"no Chrome", "", core.SessionOpened{Task: 1},
			core.BrowserStarted{Task: 2, Browser: core.Browser{Demo: apptest.DemoURL},
				Problem: &core.Problem{Sentence: "No Chrome found."}}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, effects := apptest.Step(apptest.Begun(t, tt.url), tt.session, tt.browser)
			require.Equal(t, tt.want, effects)
			require.Equal(t, tt.address, s.Address.Text)

			// The other order comes to the same end.
			other, effects := apptest.Step(apptest.Begun(t, tt.url), tt.browser, tt.session)
			require.Equal(t, s.Address.Text, other.Address.Text)
			if len(tt.want) > 1 {
				require.Equal(t, tt.want[1].(core.Navigate).Action, effects[len(effects)-1].(core.Navigate).Action)
			}
		})
	}
}

func TestNewestTurnIsShownAgain(t *testing.T) {
	s := apptest.Begun(t, "")
	s, effects := apptest.Step(s,
		core.SessionOpened{Task: 1, Session: core.Session{Turns: []core.TurnRow{{N: 4}, {N: 7}}}})
	require.Equal(t, []core.Effect{core.LoadTurn{Task: 3, N: 7}}, effects)
	s, effects = apptest.Step(s, core.TurnLoaded{Task: 3, N: 7, Turn: apptest.TurnOf(7)})
	require.Equal(t, 7, s.Current.N)
	require.Equal(t, []core.Effect{text.Render{Turn: s.Current, Format: "dddk"}, core.Compare{Task: 4, Turn: s.Current,
		From: 4}}, effects)
	require.Equal(t, 3, s.Session.Turns[1].Refs)
}

func TestSelection(t *testing.T) {
	s := apptest.Captured(t)
	s, _ = apptest.Step(s, core.Picked{Ref: 2, Source: core.PanePicture})
	require.Equal(t, core.Selection{Node: 2, Ref: 2, Source: core.PanePicture}, s.Selected)
	require.Equal(t, 2, picture.ViewOf(s).Selected)
	require.Equal(t, 2, text.ViewOf(s).Selected)

	t.Run("survives a change of format", func(t *testing.T) {
		s, effects := apptest.Step(s, core.FormatChosen{Format: "semantic"})
		require.Equal(t, []core.Effect{text.Render{Turn: s.Current, Format: "semantic"}}, effects)
		s, _ = apptest.Step(s, core.Rendered{Turn: 1, Doc: core.Doc{Format: "semantic", Doc: &dump.Document{}}})
		require.Equal(t, 2, s.Selected.Ref)
		require.Equal(t, 2, text.ViewOf(s).Selected)
	})
	t.Run("follows its element into another turn", func(t *testing.T) {
		s, _ := apptest.Step(s, core.CaptureAsked{}, core.Captured{Task: 5, Turn: apptest.TurnOf(2)})
		require.Equal(t, core.Selection{Node: 2, Ref: 2, Source: core.PaneTurn}, s.Selected)
	})
	t.Run("ends where the other turn lacks the element", func(t *testing.T) {
		next := apptest.TurnOf(2)
		next.Capture.Nodes[2].Ref = 9
		s, _ := apptest.Step(s, core.CaptureAsked{}, core.Captured{Task: 5, Turn: next})
		require.False(t, s.Selected.Some())
	})
	t.Run("a number that is not there selects nothing", func(t *testing.T) {
		s, _ := apptest.Step(s, core.Picked{Ref: 99, Source: core.PanePicture})
		require.False(t, s.Selected.Some())
	})
	t.Run("esc leaves help, then a notice, then the selection", func(t *testing.T) {
		s, _ := apptest.Step(s, core.HelpToggled(), core.AddressEntered{Text: "two words"})
		s, _ = apptest.Step(s, core.Escaped{})
		require.Empty(t, s.Dialog)
		require.NotNil(t, s.Notice)
		s, _ = apptest.Step(s, core.Escaped{})
		require.Nil(t, s.Notice)
		require.True(t, s.Selected.Some())
		s, _ = apptest.Step(s, core.Escaped{})
		require.False(t, s.Selected.Some())
	})
}

func TestTexts(t *testing.T) {
	s := apptest.Captured(t)
	require.Equal(t, "Writing the text…", text.ViewOf(s).Empty)
	doc := &dump.Document{Text: "x"}
	s, _ = apptest.Step(s, core.Rendered{Turn: 1, Doc: core.Doc{Format: "dddk", Doc: doc}})
	require.Same(t, doc, text.ViewOf(s).Doc)

	s, _ = apptest.Step(s, core.Rendered{Turn: 99, Doc: core.Doc{Format: "semantic", Doc: doc}})
	require.Nil(t, s.Doc("semantic"), "a text of a turn that is not in view is dropped")

	_, effects := apptest.Step(s, core.FormatChosen{Format: "dddk"})
	require.Empty(t, effects, "a text that is there is not made again")
	after, effects := apptest.Step(s, core.FormatChosen{Format: "nonsense"})
	require.Equal(t, s.Format, after.Format)
	require.Empty(t, effects)
}

func TestCancel(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.CaptureAsked{})
	require.Equal(t, []core.Effect{core.Capture{Task: 5, Action: "capture"}}, effects)
	require.Equal(t, 5, picture.Progress(s).Task)
	s, effects = apptest.Step(s, core.Progressed(5, "reading the page"),
		core.CommandChosen{ID: "task.cancel"})
	require.Equal(t, []core.Effect{core.Cancel{Task: 5}}, effects)
	require.True(t, picture.Progress(s).Stopping)
	_, effects = apptest.Step(s, core.CancelAsked(5))
	require.Empty(t, effects, "once is enough")
	s, _ = apptest.Step(s, core.Captured{Task: 5, Problem: &core.Problem{Sentence: "context canceled", Canceled: true}})
	require.Empty(t, s.Tasks)
	require.Equal(t, "The capture was stopped; nothing was recorded.", s.Notice.Text)
	require.Equal(t, 1, s.Current.N, "what was in view stays")
}

func TestNewAddressReplacesALoad(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), core.AddressEntered{Text: "slow.example"})
	require.Equal(t, "https://slow.example", s.Address.Text)
	s, effects := apptest.Step(s, core.AddressEntered{Text: "localhost:8080/x"})
	require.Equal(t, []core.Effect{core.Cancel{Task: 5},
		core.Navigate{Task: 6, Target: address.Target{URL: "http://localhost:8080/x"}, Action: "goto"}}, effects)
	s, effects = apptest.Step(s, core.Navigated{Task: 5, Problem: &core.Problem{Canceled: true}})
	require.Nil(t, s.Notice, "what gave way says nothing")
	require.Empty(t, effects)
	s, effects = apptest.Step(s, core.Navigated{Task: 6, Tab: core.Tab{ID: "A", URL: "http://localhost:8080/x"},
		Action: "goto"})
	require.Equal(t, []core.Effect{core.Capture{Task: 7, Action: "goto"}}, effects)
	_, effects = apptest.Step(s, core.AddressEntered{Text: "other.example"})
	require.Empty(t, effects, "a capture is not broken off by an address")
}

// TestAStoppedLoadIsTriedAgain: the address bar says what is in view once a load was stopped, and a button opens the page
// that was asked for.
func TestAStoppedLoadIsTriedAgain(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.AddressEntered{Text: "slow.example"})
	asked := effects[0].(core.Navigate)
	s, _ = apptest.Step(s, core.CommandChosen{ID: "task.cancel"})
	s, _ = apptest.Step(s, core.Navigated{Task: asked.Task, Problem: &core.Problem{Canceled: true}})
	require.Equal(t, "Loading the page was stopped.", s.Notice.Text)
	require.NotContains(t, s.Address.Text, "slow.example")
	_, effects = apptest.Step(s, core.CommandChosen{ID: s.Notice.Command})
	require.Len(t, effects, 1)
	require.Equal(t, asked.Target, effects[0].(core.Navigate).Target)
}

func TestAddressBeforeChromeIsThere(t *testing.T) {
	s, effects := apptest.Step(apptest.Begun(t, ""), core.AddressEntered{Text: "example.org"})
	require.Empty(t, effects)
	_, effects = apptest.Step(s, core.SessionOpened{Task: 1}, core.BrowserStarted{Task: 2, Browser: apptest.Chrome()})
	require.Equal(t, []core.Effect{core.Watch{},
		core.Navigate{Task: 3, Target: address.Target{URL: "https://example.org"}, Action: "goto"}}, effects)
}

func TestProblems(t *testing.T) {
	bad := &core.Problem{Sentence: "Nothing answers there.", Hint: "Check the server."}
	tests := []struct {
		name    string
		msgs    []core.Msg
		text    string
		command string
	}{
		{"not an address", []core.Msg{core.AddressEntered{Text: "two words"}}, `"two words" is not an address.`, ""},
		{"page", []core.Msg{core.AddressEntered{Text: "x.example"}, core.Navigated{Task: 5, Problem: bad}},
			bad.Sentence, core.CmdRetry},
		{"capture", []core.Msg{core.CaptureAsked{}, core.Captured{Task: 5, Problem: bad}}, bad.Sentence, ""},
		{"chrome killed while idle", []core.Msg{core.BrowserGone{}}, "Chrome has ended.", core.CmdStartBrowser},
		{"chrome killed during a capture",
			[]core.Msg{core.CaptureAsked{}, core.Captured{Task: 5, Problem: &core.Problem{BrowserGone: true}}},
			"Chrome has ended.", core.CmdStartBrowser},
		{"nothing to capture with", []core.Msg{core.BrowserGone{}, core.NoticeClosed{}, core.CaptureAsked{}},
			"Chrome is not running.", core.CmdStartBrowser},
		{"turn", []core.Msg{core.TurnLoaded{}, core.TurnChosen{N: 1}, core.DamageChosen{Index: 0}, core.NoticeClosed{},
			core.Captured{}, core.MoveAsked{Move: core.MoveBack}, core.Navigated{Task: 5, Problem: bad}}, bad.Sentence,
			""},
		{"export", []core.Msg{export.Placed{Export: export.Export{Kind: export.ExportClean}, Path: "/x"},
			export.Exported{Task: 5, Problem: bad}}, bad.Sentence, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := apptest.Step(apptest.Captured(t), tt.msgs...)
			strip := app.Note(s)
			require.Equal(t, tt.text, strip.Text)
			require.Equal(t, tt.command, strip.Command)
			require.Empty(t, s.Tasks)
			require.Equal(t, 1, s.Current.N, "the turn in view stays")
			require.Len(t, s.Session.Turns, 1, "the session stays whole")
		})
	}
}

func TestChromeComesBack(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), core.BrowserGone{})
	require.Equal(t, "Start Chrome again", app.Note(s).CommandTitle)
	s, effects := apptest.Step(s, core.CommandChosen{ID: core.CmdStartBrowser})
	require.Equal(t, []core.Effect{core.Launch{Task: 5}}, effects)
	require.Nil(t, s.Notice)
	s, effects = apptest.Step(s, core.BrowserStarted{Task: 5, Browser: apptest.Chrome()})
	require.Equal(t, []core.Effect{core.Watch{}, core.Navigate{Task: 6, Target: address.Target{URL: apptest.DemoURL},
		Action: ""}}, effects, "the page that was in view before")
	require.Equal(t, 1, s.Current.N)
}

// After a page was not opened, the tab shows another one than the turn in view, which is a record then.
func TestATurnOfAPageThatTheTabHasLeftIsARecord(t *testing.T) {
	no := &core.Problem{Sentence: "No."}
	for _, tt := range []struct {
		name, url string
		recorded  bool
	}{
		{"an error page of Chrome's", "chrome-error://chromewebdata/", true},
		{"half of the page", "https://x.example/", true},
		{"it was refused before it began", apptest.DemoURL, false},
		{"a place in the page", apptest.DemoURL + "#more", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := apptest.Step(apptest.Captured(t), core.AddressEntered{Text: "x.example"})
			require.Empty(t, s.Recorded())
			s, _ = apptest.Step(s, core.Navigated{Task: 5, Problem: no, Tabs: []core.Tab{{ID: "A", URL: tt.url}}})
			require.Equal(t, tt.recorded, s.Recorded() != "", s.Recorded())
			require.Equal(t, "No.", s.Notice.Text)
		})
	}
}

func TestNoticeGoesWhenItIsNoLongerTrue(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), core.AddressEntered{Text: "x.example"},
		core.Navigated{Task: 5, Problem: &core.Problem{Sentence: "No."}})
	require.NotNil(t, s.Notice)
	s, _ = apptest.Step(s, core.AddressEntered{Text: "y.example"})
	require.Nil(t, s.Notice)

	s, _ = apptest.Step(apptest.Captured(t),
		core.SessionOpened{Problem: &core.Problem{Sentence: "The folder cannot be written."}}, core.CaptureAsked{})
	require.NotNil(t, s.Notice, "a capture does not make a folder writable")
}

func TestTabs(t *testing.T) {
	s := apptest.Captured(t)
	tabs := []core.Tab{{ID: "A", URL: apptest.DemoURL, Title: "Demo"}, {ID: "B", URL: "https://b.example/",
		Title: "B\u202e\n"}}
	s, effects := apptest.Step(s, core.TabsListed{Tabs: tabs, Open: true})
	require.Equal(t, []core.Effect{core.ShowTabs{}}, effects)
	_, effects = apptest.Step(s, core.TabChosen("A"))
	require.Empty(t, effects, "it is in use already")
	s, effects = apptest.Step(s, core.TabChosen("B"))
	require.Equal(t, []core.Effect{core.SelectTab{Task: 5, ID: "B"}}, effects)
	s, effects = apptest.Step(s, core.Navigated{Task: 5, Tab: tabs[1], Tabs: tabs})
	require.Empty(t, effects, "looking at a tab takes no turn")
	require.Equal(t, "https://b.example/", s.Address.Text)
	require.Equal(t, `B\u{202e} ▾`, app.Bar(s).Tab+" ▾")
}

func TestOldStateStaysWhatItWas(t *testing.T) {
	s := apptest.Captured(t)
	s, _ = apptest.Step(s, core.CaptureAsked{})
	rows, tasks := s.Session.Turns, s.Tasks
	_, _ = apptest.Step(s, core.Surveyed{Session: 1, N: 1, Thumb: image.NewRGBA(image.Rect(0, 0, 1, 1))},
		core.Progressed(5, "x"), core.CancelAsked(5), core.Captured{Task: 5,
			Turn: apptest.TurnOf(2)})
	require.Nil(t, rows[0].Thumb)
	require.Len(t, rows, 1)
	require.Equal(t, core.Task{ID: 5, Kind: core.TaskCapture, Sentence: "Capturing the page"}, tasks[0])
}

// TestChromeComesBehindTheTextOfARecording: a recording that is named comes into view with its text before a browser is
// started.
func TestChromeComesBehindTheTextOfARecording(t *testing.T) {
	launches := func(effects []core.Effect) bool {
		return slices.ContainsFunc(effects, func(e core.Effect) bool { _, ok := e.(core.Launch); return ok })
	}
	s := apptest.Blank()
	s.FirstURL, s.Side = "shop.refscope", core.SideText
	s, effects := apptest.Step(s, core.Began{})
	require.False(t, launches(effects))
	opened := core.SessionOpened{Task: effects[0].(core.OpenSession).Task, Other: true,
		Session: core.Session{Name: "shop", Path: "/home/shop", Kept: true, Turns: []core.TurnRow{{N: 1}}}}
	_, effects = apptest.Step(s, opened)
	require.True(t, launches(effects), "the window's own session takes turns")
	opened.Session.ReadOnly = true
	s, effects = apptest.Step(s, opened)
	require.False(t, launches(effects))
	i := slices.IndexFunc(effects, func(e core.Effect) bool { _, ok := e.(core.LoadTurn); return ok })
	require.GreaterOrEqual(t, i, 0)
	s, effects = apptest.Step(s, core.TurnLoaded{Task: effects[i].(core.LoadTurn).Task, N: 1, Turn: apptest.TurnOf(1)})
	require.NotNil(t, s.Current)
	require.False(t, launches(effects), "its text is not there")

	d := core.NewDoc(apptest.Capture(), &dump.Document{Format: "dddk"}, func(string) int { return 0 })
	with, effects := apptest.Step(s, core.Rendered{Turn: 1, Doc: d})
	require.True(t, launches(effects))
	_, effects = apptest.Step(with, core.HelpToggled())
	require.False(t, launches(effects), "once")
}

// TestTurnsInMemoryAreAskedFor: turns that are nowhere on disk are named before the window closes over them.
func TestTurnsInMemoryAreAskedFor(t *testing.T) {
	for _, tt := range []struct {
		name    string
		session core.Session
		want    []string
	}{
		{"kept", core.Session{Phase: core.PhaseReady, Kept: true, Turns: []core.TurnRow{{N: 1}}}, nil},
		{"no turns", core.Session{Phase: core.PhaseReady}, nil},
		{"not read yet", core.Session{Phase: core.PhaseStarting, Turns: []core.TurnRow{{N: 1}}}, nil},
		{"one not saved", core.Session{Phase: core.PhaseReady, Kept: true, Turns: []core.TurnRow{{N: 1},
			{N: 2, Unsaved: true}}}, []string{"1 turn is in memory only, and lost when the window closes."}},
		{"in memory", core.Session{Phase: core.PhaseReady, Turns: []core.TurnRow{{N: 1}, {N: 2}}},
			[]string{"2 turns are in memory only, and lost when the window closes."}},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, core.State{Session: tt.session}.Unfinished()) })
	}
}
