package core

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/address"
)

func TestSessionText(t *testing.T) {
	tests := []struct {
		text        string
		maybe, sure bool
	}{
		{"shop", true, false},
		{"shop#3", true, false},
		{"shop.example#3", true, false},
		{"shop.example", false, false},
		{"./sessions/shop", true, true},
		{"/tmp/shop#12", true, true},
		{"/tmp/shop.refscope", true, true},
		{"Shop.REFSCOPE", true, true},
		{"./page.html", false, false},
		{"/tmp/page.html", false, false},
		{"page.html", false, false},
		{"file:///tmp/page.html", false, false},
		{"https://shop.example/a.refscope", false, false},
		{"localhost", false, false},
		{"localhost:8080", false, false},
		{"8080", false, false},
		{"shop#three", false, false},
		{"shop#-1", false, false},
		{"two words", false, false},
		{"about:blank", false, false},
		{"", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			maybe, sure := sessionText(tt.text)
			require.Equal(t, tt.maybe, maybe)
			require.Equal(t, tt.sure, sure)
		})
	}
}

func TestOpenASession(t *testing.T) {
	other := SessionOpened{Session: Session{Name: "shop", Kept: true, Turns: []TurnRow{{N: 4}, {N: 9}}}, Other: true}
	opening := func(t *testing.T, m Msg) (State, int) {
		t.Helper()
		s, effects := step(reviewing(t), m)
		require.Len(t, effects, 1)
		return s, effects[0].(OpenSession).Task
	}
	t.Run("by the address bar", func(t *testing.T) {
		s, effects := step(reviewing(t), AddressEntered{" shop#4 "})
		require.Equal(t, []Effect{OpenSession{Task: s.TaskSeq, Name: "shop#4", Page: " shop#4 "}}, effects)
	})
	t.Run("its turn is shown, the one before it left", func(t *testing.T) {
		s, id := opening(t, SessionChosen{"shop#4"})
		m := other
		m.Task, m.Turn = id, 4
		s, _ = step(s, Picked{Ref: 2, Source: PaneDump})
		s, effects := step(s, m)
		require.Equal(t, []Effect{Cancel{-1}, Cancel{-notesWatch}, Cancel{scanWatch(1)}, LoadTurn{id + 1, 4}, FollowSession{-id, 9}, FollowNotes{-6 * notesWatch, 6}}, effects)
		require.Nil(t, s.Shown)
		require.False(t, s.Selected.Some(), "numbers are of a session")
		require.Equal(t, FollowPaused, s.Follow, "an older turn was asked for")
		s = settle(t, s)
		require.Equal(t, 4, s.Shown.N)
		s, effects = step(s, Surveyed{Session: 1, N: 4, Errors: 3}, arrived(10))
		require.Empty(t, effects, "what the other session still says is dropped")
		require.Zero(t, s.Session.Turns[0].Errors)
		require.Len(t, s.Session.Turns, 2)
	})
	t.Run("a turn that it lacks", func(t *testing.T) {
		s, id := opening(t, SessionChosen{"shop#5"})
		m := other
		m.Task, m.Turn = id, 5
		s, _ = step(s, m)
		require.Equal(t, "The session has no turn 5; its newest is in view.", s.Strip().Text)
		require.Equal(t, 9, settle(t, s).Shown.N)
	})
	t.Run("no such session: a page", func(t *testing.T) {
		s, effects := step(reviewing(t), AddressEntered{"shop"})
		s, effects = step(s, SessionOpened{Task: effects[0].(OpenSession).Task, Page: "shop"})
		require.Equal(t, []Effect{Navigate{s.TaskSeq, address.Target{URL: "https://shop"}, ActionGoto}}, effects)
		require.Equal(t, 3, s.Shown.N, "the session in view stays")
	})
	t.Run("what fails leaves the session in view", func(t *testing.T) {
		s, id := opening(t, SessionChosen{"/tmp/x"})
		s, effects := step(s, SessionOpened{Task: id, Other: true, Problem: &Problem{Sentence: "It is no session."}})
		require.Empty(t, effects)
		require.Equal(t, "It is no session.", s.Strip().Text)
		require.Equal(t, 3, s.Shown.N)
		require.Equal(t, "shop", s.Session.Name)
	})
	t.Run("not while a capture runs", func(t *testing.T) {
		s, effects := step(reviewing(t), CaptureAsked{}, SessionChosen{"shop"})
		require.Empty(t, effects)
		require.Equal(t, "A capture is running.", s.Strip().Text)
	})
	t.Run("and no capture meanwhile", func(t *testing.T) {
		s, _ := opening(t, SessionChosen{"shop"})
		s, effects := step(s, CaptureAsked{})
		require.Empty(t, effects)
		require.Equal(t, "A session is being opened.", s.Strip().Text)
	})
	t.Run("nothing is captured into a file", func(t *testing.T) {
		s, id := opening(t, SessionChosen{"shop.refscope"})
		m := other
		m.Task, m.Session.ReadOnly = id, true
		s, _ = step(s, m)
		s, effects := step(settle(t, s), CaptureAsked{})
		require.Empty(t, effects)
		require.Equal(t, CmdSessions, s.Strip().Command)
	})
}

func TestListOfSessions(t *testing.T) {
	s, effects := step(reviewing(t), CommandChosen{CmdSessions})
	require.Equal(t, []Effect{ListSessions{}}, effects)
	require.Equal(t, ChooserVM{Empty: "Looking for sessions…"}, s.Sessions(time.UTC))
	at := time.Date(2026, 11, 21, 15, 4, 0, 0, time.UTC)
	s, _ = step(s, SessionsListed{Rows: []SessionRow{{Name: "shop", Path: "/home/shop", Turns: 3, Last: at}, {Name: "old", Turns: 1, Damaged: 1}, {Name: "odd", Why: "was made by a newer refscope"}}})
	require.Equal(t, []ChooserRow{
		{Name: "shop", Turns: "3 turns", Last: "2026-11-21 15:04", Current: true},
		{Name: "old", Turns: "1 turn, 1 damaged", Tone: ToneWarn},
		{Name: "odd", Turns: "was made by a newer refscope", Tone: ToneBad},
	}, s.Sessions(time.UTC).Rows)
	empty, _ := step(s, SessionsListed{})
	require.Contains(t, empty.Sessions(time.UTC).Empty, "There are no sessions yet")
	bad, _ := step(s, SessionsListed{Problem: &Problem{Sentence: "No."}})
	require.Equal(t, "No.", bad.Sessions(time.UTC).Empty)
	s, _ = step(s, Escaped{})
	require.Empty(t, s.Dialog)
	late, _ := step(s, SessionsListed{})
	require.Empty(t, late.Dialog, "a list that comes late opens nothing")
}

func TestSurveyIsAskedOnce(t *testing.T) {
	s, effects := step(reviewing(t), TurnSeen{2})
	require.Equal(t, []Effect{Survey{1, []SurveyAsk{{2, 1}}}}, effects)
	s, effects = step(s, TurnSeen{2}, TurnSeen{99})
	require.Empty(t, effects)
	s, _ = step(s, Surveyed{Session: 1, N: 2, Errors: 2, Change: &TurnChange{From: 1, Added: 6, Removed: 2}})
	require.Equal(t, "+6 −2", s.Session.Turns[1].Fact().Text)
	require.Equal(t, StatusItem{"2 errors", ToneBad}, s.Session.Turns[1].Flags(Remarks{}))
}

func TestFlags(t *testing.T) {
	tests := []struct {
		name string
		row  TurnRow
		want StatusItem
	}{
		{"none", TurnRow{}, StatusItem{}},
		{"all", TurnRow{Errors: 1, Torn: true, Unsettled: true, Note: "n", Wire: 2}, StatusItem{"1 error · torn · busy · ✎ 1 note · sent", ToneBad}},
		{"a note", TurnRow{Note: "n"}, StatusItem{"✎ 1 note", ToneNormal}},
		{"busy", TurnRow{Unsettled: true, Note: "n"}, StatusItem{"busy · ✎ 1 note", ToneWarn}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, tt.row.Flags(Remarks{})) })
	}
}
