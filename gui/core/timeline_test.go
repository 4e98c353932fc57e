package core

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func known(s State) State {
	rows := append([]TurnRow(nil), s.Session.Turns...)
	for i := range rows {
		rows[i].Known = true
		rows[i].Change = &TurnChange{From: rows[i].N - 1}
		if rows[i].N%10 == 3 {
			rows[i].Errors = 1
		}
		if rows[i].N%10 == 5 {
			rows[i].Change = &TurnChange{Added: 2}
		}
	}
	s.Session.Turns = rows
	return s
}

func TestTurnFilter(t *testing.T) {
	row := TurnRow{N: 12, Action: "click, fill", URL: "https://Shop.example/cart", Title: "Your Cart", Note: "first", Errors: 1, Torn: true}
	said := Remarks{Count: 1, Verdict: "fail", Text: "fail The total is wrong"}
	tests := []struct {
		text string
		want bool
	}{
		{"", true}, {"  ", true}, {"CLICK", true}, {"your cart", true}, {"goto", false}, {"total", true},
		{"errors", true}, {"changed", false}, {"torn", true}, {"busy", false}, {"sent", false},
		{"bad", true}, {"good", false}, {"question", false}, {"verdict:fa", true}, {"verdict:", true}, {"verdict:pass", false},
		{"note:", true}, {"note:wrong", true}, {"note:first", true}, {"note:right", false},
		{"action:fill", true}, {"action:cart", false}, {"url:shop", true}, {"url:click", false},
		{"#12", true}, {"#1", false}, {"#", false}, {"errors click", true}, {"errors goto", false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) { require.Equal(t, tt.want, ParseTurnFilter(tt.text).Match(row, said)) })
	}
	require.False(t, ParseTurnFilter("note:").Match(TurnRow{}, Remarks{}))
	require.True(t, ParseTurnFilter("x errors").Scans())
	require.False(t, ParseTurnFilter("x").Scans())
}

func TestStepsNeverWaitAndNeverStarve(t *testing.T) {
	s := long(t, 50)
	s, effects := step(s, TurnStepped{1})
	load := effects[len(effects)-1].(LoadTurn)
	require.Equal(t, 2, load.N)
	for range 5 { // the key is held down
		s, effects = step(s, TurnStepped{1})
		require.Empty(t, effects, "the turn that is being opened is not given up")
	}
	require.Equal(t, 7, s.Turns().Going)
	s, effects = step(s, TurnLoaded{Task: load.Task, N: 2, Turn: turnOf(2)})
	require.Equal(t, 2, s.Shown.N, "it comes into view first")
	load = effects[len(effects)-1].(LoadTurn)
	require.Equal(t, 7, load.N, "and then the last that was asked for")
	s, _ = step(s, TurnLoaded{Task: load.Task, N: 7, Turn: turnOf(7)})
	require.Equal(t, 7, s.Shown.N)
	require.Zero(t, s.Going)

	// A click gives up what is being opened; one that fails is not tried again.
	s, effects = step(s, TurnStepped{1})
	first := effects[len(effects)-1].(LoadTurn)
	s, effects = step(s, TurnChosen{40})
	require.Contains(t, effects, Effect(Cancel{first.Task}))
	load = effects[len(effects)-1].(LoadTurn)
	s, _ = step(s, TurnLoaded{Task: first.Task, N: 8, Turn: turnOf(8)})
	require.Equal(t, 7, s.Shown.N)
	s, effects = step(s, TurnLoaded{Task: load.Task, N: 40, Problem: &Problem{Sentence: "Turn 40 is damaged."}})
	require.Empty(t, effects)
	require.Zero(t, s.Going)
}

func TestStepsStayInTheFilter(t *testing.T) {
	s, _ := step(long(t, 9), FilterTyped{"click"})
	require.Equal(t, 1, s.Shown.N, "the turn in view stays in view")
	_, effects := step(s, TurnStepped{1})
	require.Equal(t, 4, effects[len(effects)-1].(LoadTurn).N)
	s, _ = step(s, FilterTyped{""})
	require.Equal(t, 1, s.Shown.N)
	_, effects = step(s, TurnStepped{1})
	require.Equal(t, 2, effects[len(effects)-1].(LoadTurn).N)
}

func TestNextNews(t *testing.T) {
	s := known(long(t, 30))
	for _, want := range []int{3, 5, 13} {
		var effects []Effect
		s, effects = step(s, NewsStepped{1})
		load := effects[len(effects)-1].(LoadTurn)
		require.Equal(t, want, load.N)
		s, _ = step(s, TurnLoaded{Task: load.Task, N: want, Turn: turnOf(want)})
	}
	// turnOf has no errors of its own, so 13 lost its flag when it was opened.
	_, effects := step(s, NewsStepped{-1})
	require.Equal(t, 5, effects[len(effects)-1].(LoadTurn).N)
	s.Shown = turnOf(29)
	s, effects = step(s, NewsStepped{1})
	require.Empty(t, effects)
	require.Equal(t, "No later turn has an error or a change.", s.Notice.Text)
}

func TestNewsWaitsForTurnsThatNobodyLookedAt(t *testing.T) {
	s := long(t, 30)
	s, effects := step(s, NewsStepped{1})
	scan := effects[len(effects)-1].(ScanTurns)
	require.Len(t, scan.Turns, 30)
	require.Equal(t, SurveyAsk{N: 2, From: 1}, scan.Turns[1], "from the turn in view on")
	require.Equal(t, "looking at 30 turns…", s.Turns().Note)
	s, effects = step(s, NewsStepped{1})
	require.Empty(t, effects, "it is asked once")
	var rows []ScannedTurn
	for n := 1; n <= 12; n++ {
		rows = append(rows, ScannedTurn{N: n})
	}
	s, effects = step(s, TurnsScanned{Session: 1, Left: 18, Rows: rows})
	require.Empty(t, effects)
	require.Equal(t, 1, s.Timeline.Seek, "it goes on waiting")
	s, effects = step(s, TurnsScanned{Session: 1, Left: 10, Rows: []ScannedTurn{{N: 13, Errors: 2}, {N: 14}}})
	require.Equal(t, 13, effects[len(effects)-1].(LoadTurn).N)
	require.Zero(t, s.Timeline.Seek)
	other, _ := step(s, TurnsScanned{Session: 9, Rows: []ScannedTurn{{N: 20, Errors: 9}}})
	require.Zero(t, other.Session.Turns[19].Errors, "of a session that was left")
	s, _ = step(s, TurnsScanned{Session: 1})
	require.True(t, s.Session.Turns[29].Known, "what cannot be read is not asked for again")

	s = long(t, 3)
	_, effects = step(s, FilterTyped{"errors"})
	require.IsType(t, ScanTurns{}, effects[0])
}

// BenchmarkTimelineMessage is what a message costs the window's goroutine in a session
// of 1,000 turns, its views included.
func BenchmarkTimelineMessage(b *testing.B) {
	s := known(long(b, 1000))
	b.ResetTimer()
	for i := range b.N {
		s, _ = Update(s, Surveyed{Session: 1, N: i%1000 + 1, Errors: 1})
		s, _ = Update(s, FilterTyped{"errors page"})
		_, _ = Update(s, TurnStepped{1})
		_ = s.Turns()
	}
}
