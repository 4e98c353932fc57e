package core

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/dump"
)

func TestFirstStart(t *testing.T) {
	row := []TurnRow{{N: 4}, {N: 7}}
	tests := []struct {
		name    string
		url     string
		session SessionOpened
		browser BrowserStarted
		want    []Effect // of whichever comes last
		address string
	}{
		{"empty session: demo, captured", "", SessionOpened{Task: 1, Session: Session{Kept: true}}, BrowserStarted{Task: 2, Browser: chrome()},
			[]Effect{Watch{}, Navigate{3, address.Target{URL: demoURL}, "goto"}}, demoURL},
		{"session with turns: demo, not captured", "", SessionOpened{Task: 1, Session: Session{Turns: row}}, BrowserStarted{Task: 2, Browser: chrome()},
			[]Effect{Watch{}, Navigate{4, address.Target{URL: demoURL}, ""}}, demoURL},
		{"a page was asked for", "example.org", SessionOpened{Task: 1, Session: Session{Turns: row}}, BrowserStarted{Task: 2, Browser: chrome()},
			[]Effect{Watch{}, Navigate{4, address.Target{URL: "https://example.org"}, "goto"}}, "https://example.org"},
		{"the folder cannot be used: the demo all the same", "", SessionOpened{Task: 1, Problem: &Problem{Sentence: "No."}}, BrowserStarted{Task: 2, Browser: chrome()},
			[]Effect{Watch{}, Navigate{3, address.Target{URL: demoURL}, "goto"}}, demoURL},
		{"somebody else's browser is left alone", "", SessionOpened{Task: 1}, BrowserStarted{Task: 2, Browser: func() Browser {
			b := chrome()
			b.Attached, b.Tabs = true, []Tab{{ID: "A", URL: "https://mail.example/"}}
			return b
		}()}, []Effect{Watch{}}, "https://mail.example/"},
		{"no Chrome", "", SessionOpened{Task: 1}, BrowserStarted{Task: 2, Browser: Browser{Demo: demoURL}, Problem: &Problem{Sentence: "No Chrome found."}}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, effects := step(begun(t, tt.url), tt.session, tt.browser)
			require.Equal(t, tt.want, effects)
			require.Equal(t, tt.address, s.Address.Text)

			// The other order comes to the same end.
			other, effects := step(begun(t, tt.url), tt.browser, tt.session)
			require.Equal(t, s.Address.Text, other.Address.Text)
			if len(tt.want) > 1 {
				require.Equal(t, tt.want[1].(Navigate).Action, effects[len(effects)-1].(Navigate).Action)
			}
		})
	}
}

func TestNewestTurnIsShownAgain(t *testing.T) {
	s := begun(t, "")
	s, effects := step(s, SessionOpened{Task: 1, Session: Session{Turns: []TurnRow{{N: 4}, {N: 7}}}})
	require.Equal(t, []Effect{LoadTurn{3, 7}}, effects)
	s, effects = step(s, TurnLoaded{Task: 3, N: 7, Turn: turnOf(7)})
	require.Equal(t, 7, s.Shown.N)
	require.Equal(t, []Effect{Render{s.Shown, "dddk"}, Compare{Task: 4, Turn: s.Shown, From: 4, Session: s.Session.Opened}}, effects)
	require.Equal(t, 3, s.Session.Turns[1].Refs)
}

func TestSelection(t *testing.T) {
	s := captured(t)
	s, _ = step(s, Picked{Ref: 2, Source: PanePicture})
	require.Equal(t, Selection{Node: 2, Ref: 2, Source: PanePicture}, s.Selected)
	require.Equal(t, 2, s.Shot().Selected)
	require.Equal(t, 2, s.Dump().Selected)

	t.Run("survives a change of format", func(t *testing.T) {
		s, effects := step(s, FormatChosen{"semantic"})
		require.Equal(t, []Effect{Render{s.Shown, "semantic"}}, effects)
		s, _ = step(s, Rendered{Turn: 1, Doc: Doc{Format: "semantic", Doc: &dump.Document{}}})
		require.Equal(t, 2, s.Selected.Ref)
		require.Equal(t, 2, s.Dump().Selected)
	})
	t.Run("follows its element into another turn", func(t *testing.T) {
		s, _ := step(s, CaptureAsked{}, Captured{Task: 5, Turn: turnOf(2)})
		require.Equal(t, Selection{Node: 2, Ref: 2, Source: PaneTurn}, s.Selected)
	})
	t.Run("ends where the other turn lacks the element", func(t *testing.T) {
		next := turnOf(2)
		next.Capture.Nodes[2].Ref = 9
		s, _ := step(s, CaptureAsked{}, Captured{Task: 5, Turn: next})
		require.False(t, s.Selected.Some())
	})
	t.Run("a number that is not there selects nothing", func(t *testing.T) {
		s, _ := step(s, Picked{Ref: 99, Source: PanePicture})
		require.False(t, s.Selected.Some())
	})
	t.Run("esc leaves help, then a notice, then the selection", func(t *testing.T) {
		s, _ := step(s, HelpToggled{}, AddressEntered{"two words"})
		s, _ = step(s, Escaped{})
		require.Empty(t, s.Dialog)
		require.NotNil(t, s.Notice)
		s, _ = step(s, Escaped{})
		require.Nil(t, s.Notice)
		require.True(t, s.Selected.Some())
		s, _ = step(s, Escaped{})
		require.False(t, s.Selected.Some())
	})
}

func TestTexts(t *testing.T) {
	s := captured(t)
	require.Equal(t, "Writing the text…", s.Dump().Empty)
	doc := &dump.Document{Text: "x"}
	s, _ = step(s, Rendered{Turn: 1, Doc: Doc{Format: "dddk", Doc: doc}})
	require.Same(t, doc, s.Dump().Doc)

	s, _ = step(s, Rendered{Turn: 99, Doc: Doc{Format: "semantic", Doc: doc}})
	require.Nil(t, s.Doc("semantic"), "a text of a turn that is not in view is dropped")

	_, effects := step(s, FormatChosen{"dddk"})
	require.Empty(t, effects, "a text that is there is not made again")
	after, effects := step(s, FormatChosen{"nonsense"})
	require.Equal(t, s.Format, after.Format)
	require.Empty(t, effects)
}

func TestCancel(t *testing.T) {
	s, effects := step(captured(t), CaptureAsked{})
	require.Equal(t, []Effect{Capture{5, "capture"}}, effects)
	require.Equal(t, 5, s.Progress().Task)
	s, effects = step(s, Progressed{5, "reading the page"}, CommandChosen{"task.cancel"})
	require.Equal(t, []Effect{Cancel{5}}, effects)
	require.True(t, s.Progress().Stopping)
	_, effects = step(s, CancelAsked{5})
	require.Empty(t, effects, "once is enough")
	s, _ = step(s, Captured{Task: 5, Problem: &Problem{Sentence: "context canceled", Canceled: true}})
	require.Empty(t, s.Tasks)
	require.Equal(t, "The capture was stopped; nothing was recorded.", s.Notice.Text)
	require.Equal(t, 1, s.Shown.N, "what was in view stays")
}

func TestNewAddressReplacesALoad(t *testing.T) {
	s, _ := step(captured(t), AddressEntered{"slow.example"})
	require.Equal(t, "https://slow.example", s.Address.Text)
	s, effects := step(s, AddressEntered{"localhost:8080/x"})
	require.Equal(t, []Effect{Cancel{5}, Navigate{6, address.Target{URL: "http://localhost:8080/x"}, "goto"}}, effects)
	s, effects = step(s, Navigated{Task: 5, Problem: &Problem{Canceled: true}})
	require.Nil(t, s.Notice, "what gave way says nothing")
	require.Empty(t, effects)
	s, effects = step(s, Navigated{Task: 6, Tab: Tab{ID: "A", URL: "http://localhost:8080/x"}, Action: "goto"})
	require.Equal(t, []Effect{Capture{7, "goto"}}, effects)
	_, effects = step(s, AddressEntered{"other.example"})
	require.Empty(t, effects, "a capture is not broken off by an address")
}

func TestAddressBeforeChromeIsThere(t *testing.T) {
	s, effects := step(begun(t, ""), AddressEntered{"example.org"})
	require.Empty(t, effects)
	_, effects = step(s, SessionOpened{Task: 1}, BrowserStarted{Task: 2, Browser: chrome()})
	require.Equal(t, []Effect{Watch{}, Navigate{3, address.Target{URL: "https://example.org"}, "goto"}}, effects)
}

func TestProblems(t *testing.T) {
	bad := &Problem{Sentence: "Nothing answers there.", Hint: "Check the server."}
	tests := []struct {
		name    string
		msgs    []Msg
		text    string
		command string
	}{
		{"not an address", []Msg{AddressEntered{"two words"}}, `"two words" is not an address.`, ""},
		{"page", []Msg{AddressEntered{"x.example"}, Navigated{Task: 5, Problem: bad}}, bad.Sentence, ""},
		{"capture", []Msg{CaptureAsked{}, Captured{Task: 5, Problem: bad}}, bad.Sentence, ""},
		{"chrome killed while idle", []Msg{BrowserGone{}}, "Chrome has ended.", CmdStartBrowser},
		{"chrome killed during a capture", []Msg{CaptureAsked{}, Captured{Task: 5, Problem: &Problem{BrowserGone: true}}}, "Chrome has ended.", CmdStartBrowser},
		{"nothing to capture with", []Msg{BrowserGone{}, NoticeClosed{}, CaptureAsked{}}, "Chrome is not running.", CmdStartBrowser},
		{"turn", []Msg{TurnLoaded{}, TurnChosen{1}, DamageChosen{0}, NoticeClosed{}, Captured{}, MoveAsked{MoveBack}, Navigated{Task: 5, Problem: bad}}, bad.Sentence, ""},
		{"export", []Msg{ExportPlaced{Export{Kind: ExportClean}, "/x"}, Exported{Task: 5, Problem: bad}}, bad.Sentence, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := step(captured(t), tt.msgs...)
			strip := s.Strip()
			require.Equal(t, tt.text, strip.Text)
			require.Equal(t, tt.command, strip.Command)
			require.Empty(t, s.Tasks)
			require.Equal(t, 1, s.Shown.N, "the turn in view stays")
			require.Len(t, s.Session.Turns, 1, "the session stays whole")
		})
	}
}

func TestChromeComesBack(t *testing.T) {
	s, _ := step(captured(t), BrowserGone{})
	require.Equal(t, "Start Chrome again", s.Strip().CommandTitle)
	s, effects := step(s, CommandChosen{CmdStartBrowser})
	require.Equal(t, []Effect{Launch{5}}, effects)
	require.Nil(t, s.Notice)
	s, effects = step(s, BrowserStarted{Task: 5, Browser: chrome()})
	require.Equal(t, []Effect{Watch{}, Navigate{6, address.Target{URL: demoURL}, ""}}, effects, "the page that was in view before")
	require.Equal(t, 1, s.Shown.N)
}

func TestNoticeGoesWhenItIsNoLongerTrue(t *testing.T) {
	s, _ := step(captured(t), AddressEntered{"x.example"}, Navigated{Task: 5, Problem: &Problem{Sentence: "No."}})
	require.NotNil(t, s.Notice)
	s, _ = step(s, AddressEntered{"y.example"})
	require.Nil(t, s.Notice)

	s, _ = step(captured(t), SessionOpened{Problem: &Problem{Sentence: "The folder cannot be written."}}, CaptureAsked{})
	require.NotNil(t, s.Notice, "a capture does not make a folder writable")
}

func TestTabs(t *testing.T) {
	s := captured(t)
	tabs := []Tab{{ID: "A", URL: demoURL, Title: "Demo"}, {ID: "B", URL: "https://b.example/", Title: "B\u202e\n"}}
	s, effects := step(s, TabsListed{Tabs: tabs, Open: true})
	require.Equal(t, []Effect{ShowTabs{}}, effects)
	_, effects = step(s, TabChosen{"A"})
	require.Empty(t, effects, "it is in use already")
	s, effects = step(s, TabChosen{"B"})
	require.Equal(t, []Effect{SelectTab{5, "B"}}, effects)
	s, effects = step(s, Navigated{Task: 5, Tab: tabs[1], Tabs: tabs})
	require.Empty(t, effects, "looking at a tab takes no turn")
	require.Equal(t, "https://b.example/", s.Address.Text)
	require.Equal(t, `B\u202e ▾`, s.Bar().Tab+" ▾")
}

func TestOldStateStaysWhatItWas(t *testing.T) {
	s := captured(t)
	s, _ = step(s, CaptureAsked{})
	rows, tasks := s.Session.Turns, s.Tasks
	_, _ = step(s, Surveyed{Session: 1, N: 1, Thumb: image.NewRGBA(image.Rect(0, 0, 1, 1))}, Progressed{5, "x"}, CancelAsked{5}, Captured{Task: 5, Turn: turnOf(2)})
	require.Nil(t, rows[0].Thumb)
	require.Len(t, rows, 1)
	require.Equal(t, Task{ID: 5, Kind: TaskCapture, Sentence: "Capturing the page"}, tasks[0])
}
