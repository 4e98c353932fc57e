package sessions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/gui/timeline"
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
			maybe, sure := core.SessionText(tt.text)
			require.Equal(t, tt.maybe, maybe)
			require.Equal(t, tt.sure, sure)
		})
	}
}

// TestWhatAnImportedRecordingLacksIsSaid: nothing of another tool's recording is lost without a word.
func TestWhatAnImportedRecordingLacksIsSaid(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.SessionChosen("/tmp/trace.zip"))
	s, _ = apptest.Step(s, core.SessionOpened{Task: effects[0].(core.OpenSession).Task, Other: true,
		Session: core.Session{Name: "trace-0a1b2c3d", ReadOnly: true,
			Lost: []string{"it has no frames", "it has no occlusion"}}})
	require.Equal(t, "Imported as session trace-0a1b2c3d.", s.Notice.Text)
	require.Equal(t, "It has no frames. And 1 more thing is lacking.", s.Notice.Hint)
	require.Equal(t, core.CmdTurn, s.Notice.Command, "the side that lists both")
}

func TestOpenASession(t *testing.T) {
	other := core.SessionOpened{Session: core.Session{Name: "shop", Kept: true, Turns: []core.TurnRow{{N: 4}, {N: 9}}},
		Other: true}
	opening := func(t *testing.T, m core.Msg) (core.State, int) {
		t.Helper()
		s, effects := apptest.Step(apptest.Reviewing(t), m)
		require.Len(t, effects, 1)
		return s, effects[0].(core.OpenSession).Task
	}
	t.Run("by the address bar", func(t *testing.T) {
		s, effects := apptest.Step(apptest.Reviewing(t), core.AddressEntered{Text: " shop#4 "})
		require.Equal(t, []core.Effect{core.OpenSession{Task: s.TaskSeq, Name: "shop#4", Page: " shop#4 "}}, effects)
	})
	t.Run("its turn is shown, the one before it left", func(t *testing.T) {
		s, id := opening(t, core.SessionChosen("shop#4"))
		m := other
		m.Task, m.Turn = id, 4
		s, _ = apptest.Step(s, core.Picked{Ref: 2, Source: core.PaneDump})
		s, effects := apptest.Step(s, m)
		require.Equal(t, []core.Effect{core.Cancel{Task: -1}, core.Cancel{Task: -core.NotesWatch},
			core.Cancel{Task: timeline.ScanWatch(1)}, core.LoadTurn{Task: id + 1, N: 4}, core.FollowSession{Watch: -id,
				After: 9}, core.FollowNotes{Watch: -6 * core.NotesWatch, Session: 6}}, effects)
		require.Nil(t, s.Current)
		require.False(t, s.Selected.Some(), "numbers are of a session")
		require.Equal(t, core.FollowPaused, s.Follow, "an older turn was asked for")
		s = apptest.Settle(t, s)
		require.Equal(t, 4, s.Current.N)
		s, effects = apptest.Step(s, core.Surveyed{Session: 1, N: 4, Errors: 3}, apptest.Arrived(10))
		require.Empty(t, effects, "what the other session still says is dropped")
		require.Zero(t, s.Session.Turns[0].Errors)
		require.Len(t, s.Session.Turns, 2)
	})
	t.Run("a turn that it lacks", func(t *testing.T) {
		s, id := opening(t, core.SessionChosen("shop#5"))
		m := other
		m.Task, m.Turn = id, 5
		s, _ = apptest.Step(s, m)
		require.Equal(t, "The session has no turn 5; its newest is in view.", app.Note(s).Text)
		require.Equal(t, 9, apptest.Settle(t, s).Current.N)
	})
	t.Run("no such session: a page", func(t *testing.T) {
		s, effects := apptest.Step(apptest.Reviewing(t), core.AddressEntered{Text: "shop"})
		s, effects = apptest.Step(s, core.SessionOpened{Task: effects[0].(core.OpenSession).Task, Page: "shop"})
		require.Equal(t, []core.Effect{core.Navigate{Task: s.TaskSeq, Target: address.Target{URL: "https://shop"},
			Action: core.ActionGoto}}, effects)
		require.Equal(t, 3, s.Current.N, "the session in view stays")
	})
	t.Run("what fails leaves the session in view", func(t *testing.T) {
		s, id := opening(t, core.SessionChosen("/tmp/x"))
		s, effects := apptest.Step(s, core.SessionOpened{Task: id, Other: true,
			Problem: &core.Problem{Sentence: "It is no session."}})
		require.Empty(t, effects)
		require.Equal(t, "It is no session.", app.Note(s).Text)
		require.Equal(t, 3, s.Current.N)
		require.Equal(t, "shop", s.Session.Name)
	})
	t.Run("not while a capture runs", func(t *testing.T) {
		s, effects := apptest.Step(apptest.Reviewing(t), core.CaptureAsked{}, core.SessionChosen("shop"))
		require.Empty(t, effects)
		require.Equal(t, "A capture is running.", app.Note(s).Text)
	})
	t.Run("not while steps run, whose turn would be looked for in the other session", func(t *testing.T) {
		s := apptest.Reviewing(t)
		s.StartTask(core.TaskSteps, "Running the steps")
		s, effects := apptest.Step(s, core.SessionChosen("shop"))
		require.Empty(t, effects)
		require.Equal(t, "Steps are running in the tab.", app.Note(s).Text)
		s.FinishTask(s.Busy().ID)
		require.Empty(t, app.Note(s).Text, "they do not run any more")
	})
	t.Run("a page that was being loaded is captured into no recording", func(t *testing.T) {
		s := apptest.Reviewing(t)
		loading := s.StartTask(core.TaskNavigate, "Opening a page")
		s, effects := apptest.Step(s, core.SessionChosen("shop"))
		opened := core.SessionOpened{Task: effects[0].(core.OpenSession).Task, Other: true,
			Session: core.Session{Name: "old", ReadOnly: true}}
		s, effects = apptest.Step(s, opened, core.Navigated{Task: loading, Action: core.ActionGoto,
			Tab: core.Tab{ID: "A", URL: "https://new.example/"}})
		require.Empty(t, effects)
		require.Empty(t, app.Note(s).Text)
		require.Equal(t, "A", s.Browser.Tab)
		require.NotContains(t, s.Address.Text, "new.example")
	})
	t.Run("and no capture meanwhile", func(t *testing.T) {
		s, _ := opening(t, core.SessionChosen("shop"))
		s, effects := apptest.Step(s, core.CaptureAsked{})
		require.Empty(t, effects)
		require.Equal(t, "A session is being opened.", app.Note(s).Text)
		s.FinishTask(s.Tasks[0].ID)
		require.Empty(t, app.Note(s).Text)
	})
	t.Run("nothing is captured into a file", func(t *testing.T) {
		s, id := opening(t, core.SessionChosen("shop.refscope"))
		m := other
		m.Task, m.Session.ReadOnly = id, true
		s, _ = apptest.Step(s, m)
		s, effects := apptest.Step(apptest.Settle(t, s), core.CaptureAsked{})
		require.Empty(t, effects)
		require.Equal(t, core.CmdAway, app.Note(s).Command)
		require.Equal(t, core.CmdSessions, app.Note(s).Also)
	})
}

func TestListOfSessions(t *testing.T) {
	s, effects := apptest.Step(apptest.Reviewing(t), core.CommandChosen{ID: core.CmdSessions})
	require.Equal(t, []core.Effect{sessions.List{}}, effects)
	require.Equal(t, sessions.VM{Empty: "Looking for sessions…"}, sessions.ViewOf(s, time.UTC))
	s.Recent[0] = "/elsewhere/run.refscope"
	require.Empty(t, sessions.ViewOf(s, time.UTC).Rows, "no row comes before the others, to move when they come")
	s.Recent[0] = ""
	at := time.Date(2026, 11, 21, 15, 4, 0, 0, time.UTC)
	s, _ = apptest.Step(s, sessions.Listed{Rows: []sessions.Row{{Name: "shop", Path: "/home/shop", Turns: 3, Last: at,
		Title: "Your cart", Size: 2_940_000},
		{Name: "old", Turns: 1, Damaged: 1}, {Name: "odd", Why: "was made by a newer refscope"}}})
	require.Equal(t, []sessions.RowVM{
		{Name: "shop", Title: "Your cart", Turns: "3 turns", Size: "2.9 MB", Last: "2026-11-21 15:04", Current: true},
		{Name: "old", Turns: "1 turn, 1 damaged", Tone: core.ToneWarn},
		{Name: "odd", Turns: "was made by a newer refscope", Tone: core.ToneBad},
	}, sessions.ViewOf(s, time.UTC).Rows)
	empty, _ := apptest.Step(s, sessions.Listed{})
	require.Contains(t, sessions.ViewOf(empty, time.UTC).Empty, "There are no sessions yet")
	bad, _ := apptest.Step(s, sessions.Listed{Problem: &core.Problem{Sentence: "No."}})
	require.Equal(t, "No.", sessions.ViewOf(bad, time.UTC).Empty)
	s, _ = apptest.Step(s, core.Escaped{})
	require.Empty(t, s.Dialog)
	late, _ := apptest.Step(s, sessions.Listed{})
	require.Empty(t, late.Dialog, "a list that comes late opens nothing")
}

// TestEnterWaitsForTheList: what is typed and entered before the sessions are listed opens the one that it fits, once
// they are; it was taken for a name, which no session has.
func TestEnterWaitsForTheList(t *testing.T) {
	list := sessions.Listed{Rows: []sessions.Row{{Name: "old-run", Turns: 1}, {Name: "run", Turns: 1}}}
	for typed, want := range map[string]string{"old": "old-run", "run": "run", "RUN": "old-run", "else#3": "else#3"} {
		s, _ := apptest.Step(apptest.Reviewing(t), core.CommandChosen{ID: core.CmdSessions})
		s, effects := apptest.Step(s, sessions.Entered(typed))
		require.Empty(t, effects)
		gone, _ := apptest.Step(s, core.Escaped{})
		_, effects = apptest.Step(gone, list)
		require.Empty(t, effects, "it was left")
		_, effects = apptest.Step(s, list)
		require.Len(t, effects, 1)
		require.Equal(t, want, effects[0].(core.OpenSession).Name, typed)
	}
}

func TestSurveyIsAskedOnce(t *testing.T) {
	s, effects := apptest.Step(apptest.Reviewing(t), core.TurnSeen{N: 2})
	require.Equal(t, []core.Effect{core.Survey{Session: 1, SurveyAsk: core.SurveyAsk{N: 2, From: 1}}}, effects)
	s, effects = apptest.Step(s, core.TurnSeen{N: 2}, core.TurnSeen{N: 99})
	require.Empty(t, effects)
	s, _ = apptest.Step(s, core.Surveyed{Session: 1, N: 2, Errors: 2, Change: &core.TurnChange{From: 1, Added: 6,
		Removed: 2}})
	require.Equal(t, "+6 –2", s.Session.Turns[1].Fact().Text)
	require.Equal(t, core.StatusItem{Text: "2 errors", Tone: core.ToneBad}, s.Session.Turns[1].Flags(core.Remarks{}))
}

func TestFlags(t *testing.T) {
	tests := []struct {
		name string
		row  core.TurnRow
		want core.StatusItem
	}{
		{"none", core.TurnRow{}, core.StatusItem{}},
		{"all", core.TurnRow{Errors: 1, Torn: true, Unsettled: true, Note: "n", Wire: 2},
			core.StatusItem{Text: "1 error · torn · busy · 1 note · sent", Tone: core.ToneBad}},
		{"a note", core.TurnRow{Note: "n"}, core.StatusItem{Text: "1 note", Tone: core.ToneNormal}},
		{"busy", core.TurnRow{Unsettled: true, Note: "n"}, core.StatusItem{Text: "busy · 1 note", Tone: core.ToneWarn}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, tt.row.Flags(core.Remarks{})) })
	}
}
