package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/timeline"
)

func known(s core.State) core.State {
	rows := append([]core.TurnRow(nil), s.Session.Turns...)
	for i := range rows {
		rows[i].Known = true
		rows[i].Change = &core.TurnChange{From: rows[i].N - 1}
		if rows[i].N%10 == 3 {
			rows[i].Errors = 1
		}
		if rows[i].N%10 == 5 {
			rows[i].Change = &core.TurnChange{Added: 2}
		}
	}
	s.Session.Turns = rows
	return s
}

func TestTurnFilter(t *testing.T) {
	row := core.TurnRow{N: 12, Action: "click, fill", URL: "https://Shop.example/cart", Title: "Your Cart",
		Note: "first", Errors: 1, Torn: true}
	said := core.Remarks{Count: 1, Verdict: "fail", Text: "fail The total is wrong"}
	tests := []struct {
		text string
		want bool
	}{
		{"", true}, {"  ", true}, {"CLICK", true}, {"your cart", true}, {"goto", false}, {"total", true},
		{"errors", true}, {"changed", false}, {"torn", true}, {"busy", false}, {"sent", false},
		{"bad", true}, {"good", false}, {"question", false}, {"verdict:fa", true}, {"verdict:", true}, {
			"verdict:pass", false},
		{"note:", true}, {"note:wrong", true}, {"note:first", true}, {"note:right", false},
		{"action:fill", true}, {"action:cart", false}, {"url:shop", true}, {"url:click", false},
		{"#12", true}, {"#1", false}, {"#", false}, {"errors click", true}, {"error", true}, {"failed", true}, {
			"FAIL", true}, {"failed goto", false}, {"errors goto", false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			require.Equal(t, tt.want, timeline.ParseTurnFilter(tt.text).Match(row, said, nil))
		})
	}
	require.False(t, timeline.ParseTurnFilter("note:").Match(core.TurnRow{}, core.Remarks{}, nil))
	require.True(t, timeline.ParseTurnFilter("x errors").Scans())
	require.False(t, timeline.ParseTurnFilter("x").Scans())
}

func TestStepsNeverWaitAndNeverStarve(t *testing.T) {
	s := apptest.Long(t, 50)
	s, effects := apptest.Step(s, timeline.TurnStepped{By: 1})
	load := effects[len(effects)-1].(core.LoadTurn)
	require.Equal(t, 2, load.N)
	for range 5 { // the key is held down
		s, effects = apptest.Step(s, timeline.TurnStepped{By: 1})
		require.Empty(t, effects, "the turn that is being opened is not given up")
	}
	require.Equal(t, 7, timeline.ViewOf(s).Going)
	s, effects = apptest.Step(s, core.TurnLoaded{Task: load.Task, N: 2, Turn: apptest.TurnOf(2)})
	require.Equal(t, 2, s.Current.N, "it comes into view first")
	load = effects[len(effects)-1].(core.LoadTurn)
	require.Equal(t, 7, load.N, "and then the last that was asked for")
	s, _ = apptest.Step(s, core.TurnLoaded{Task: load.Task, N: 7, Turn: apptest.TurnOf(7)})
	require.Equal(t, 7, s.Current.N)
	require.Zero(t, s.PendingTurn)

	// A click gives up what is being opened; one that fails is not tried again.
	s, effects = apptest.Step(s, timeline.TurnStepped{By: 1})
	first := effects[len(effects)-1].(core.LoadTurn)
	s, effects = apptest.Step(s, core.TurnChosen{N: 40})
	require.Contains(t, effects, core.Effect(core.Cancel{Task: first.Task}))
	load = effects[len(effects)-1].(core.LoadTurn)
	s, _ = apptest.Step(s, core.TurnLoaded{Task: first.Task, N: 8, Turn: apptest.TurnOf(8)})
	require.Equal(t, 7, s.Current.N)
	s, effects = apptest.Step(s, core.TurnLoaded{Task: load.Task, N: 40,
		Problem: &core.Problem{Sentence: "Turn 40 is damaged."}})
	require.Empty(t, effects)
	require.Zero(t, s.PendingTurn)
}

func TestStepsStayInTheFilter(t *testing.T) {
	s, _ := apptest.Step(apptest.Long(t, 9), timeline.FilterTyped{Text: "click"})
	require.Equal(t, 1, s.Current.N, "the turn in view stays in view")
	_, effects := apptest.Step(s, timeline.TurnStepped{By: 1})
	require.Equal(t, 4, effects[len(effects)-1].(core.LoadTurn).N)
	s, _ = apptest.Step(s, timeline.FilterTyped{Text: ""})
	require.Equal(t, 1, s.Current.N)
	_, effects = apptest.Step(s, timeline.TurnStepped{By: 1})
	require.Equal(t, 2, effects[len(effects)-1].(core.LoadTurn).N)
}

func TestNextOfAKind(t *testing.T) {
	for kind, wants := range map[timeline.Kind][]int{timeline.Failed: {3, 13}, timeline.Changed: {5}} {
		s := known(apptest.Long(t, 30))
		for _, want := range wants {
			var effects []core.Effect
			s, effects = apptest.Step(s, timeline.Sought(kind))
			load := effects[len(effects)-1].(core.LoadTurn)
			require.Equal(t, want, load.N, kind)
			s, _ = apptest.Step(s, core.TurnLoaded{Task: load.Task, N: want, Turn: apptest.TurnOf(want)})
		}
	}
	s := known(apptest.Long(t, 30))
	s.Current = apptest.TurnOf(29)
	_, effects := apptest.Step(s, timeline.Sought(timeline.Failed))
	require.Equal(t, 3, effects[len(effects)-1].(core.LoadTurn).N, "after the last comes the first")
	s, _ = apptest.Step(s, timeline.FilterTyped{Text: "#7"})
	s, effects = apptest.Step(s, timeline.Sought(timeline.Failed))
	require.Empty(t, effects)
	require.Equal(t, "No other turn that fits the filter failed.", s.Notice.Text)
}

func TestGrammarWhileOneTypes(t *testing.T) {
	for typed, want := range map[string]string{
		"fa": "failed  turns with errors", "failed ": "failed", "note:x": "note:WORD with that word",
		"zz": "in action, title",
		"":   "or any word", "goto act": "action:click",
	} {
		require.Contains(t, timeline.Completions(typed), want, typed)
	}
	require.NotContains(t, timeline.Completions("fa"), "changed")
}

func TestNewsWaitsForTurnsThatNobodyLookedAt(t *testing.T) {
	s := apptest.Long(t, 30)
	s, effects := apptest.Step(s, timeline.Sought(timeline.Failed))
	scan := effects[len(effects)-1].(timeline.ScanTurns)
	require.Len(t, scan.Turns, 30)
	require.Equal(t, core.SurveyAsk{N: 2, From: 1}, scan.Turns[1], "from the turn in view on")
	require.Equal(t, "Reading 30 turns…", timeline.ViewOf(s).Note)
	s, effects = apptest.Step(s, timeline.Sought(timeline.Failed))
	require.Empty(t, effects, "it is asked once")
	var rows []timeline.ScannedTurn
	for n := 1; n <= 12; n++ {
		rows = append(rows, timeline.ScannedTurn{N: n})
	}
	s, effects = apptest.Step(s, timeline.TurnsScanned(1, 18, rows))
	require.Empty(t, effects)
	require.Equal(t, timeline.Failed, timeline.Of(s).Seek, "it goes on waiting")
	s, effects = apptest.Step(s, timeline.TurnsScanned(1, 10, []timeline.ScannedTurn{{N: 13, Errors: 2}, {N: 14}}))
	require.Equal(t, 13, effects[len(effects)-1].(core.LoadTurn).N)
	require.Empty(t, timeline.Of(s).Seek)
	other, _ := apptest.Step(s, timeline.TurnsScanned(9, 0, []timeline.ScannedTurn{{N: 20, Errors: 9}}))
	require.Zero(t, other.Session.Turns[19].Errors, "of a session that was left")
	s, _ = apptest.Step(s, timeline.TurnsScanned(1, 0, nil))
	require.True(t, s.Session.Turns[29].Known, "what cannot be read is not asked for again")

	s = apptest.Long(t, 3)
	_, effects = apptest.Step(s, timeline.FilterTyped{Text: "errors"})
	require.IsType(t, timeline.ScanTurns{}, effects[0])
}

// BenchmarkTimelineMessage is what a message costs the window's goroutine in a session
// of 1,000 turns, its views included.
func BenchmarkTimelineMessage(b *testing.B) {
	s := known(apptest.Long(b, 1000))
	b.ResetTimer()
	for i := range b.N {
		s, _ = core.Update(s, core.Surveyed{Session: 1, N: i%1000 + 1, Errors: 1})
		s, _ = core.Update(s, timeline.FilterTyped{Text: "errors page"})
		_, _ = core.Update(s, timeline.TurnStepped{By: 1})
		_ = timeline.ViewOf(s)
	}
}
