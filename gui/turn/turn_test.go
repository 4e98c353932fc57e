package turn_test

import (
	"image"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/turn"
	"github.com/refscope/refscope/snapshot"
)

// TestWhatWasDoneIsInView: the list where steps can be read, the JSON at once where only that
// was recorded, as by agents with steps of their own.
func TestWhatWasDoneIsInView(t *testing.T) {
	for name, tt := range map[string]struct {
		steps, answer string
		chips         []string
		json          bool
	}{
		"steps": {`{"steps":[{"click":"e2"}]}`, `{"steps":[{"status":"ok"}]}`,
			[]string{"Activity", "Steps as JSON", "Answer as JSON"}, false},
		"of another shape": {`[{"click":2}]`, "", []string{"Steps as JSON"}, true},
		"an answer alone":  {"", `{"thought":"done"}`, []string{"Answer as JSON"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := apptest.Captured(t)
			shown := *s.Current
			shown.Activity = core.NewTurnActivity(shown.Capture, []byte(tt.steps), []byte(tt.answer))
			s.Current = &shown
			v := turn.ViewOf(s, time.UTC)
			var chips []string
			for _, c := range v.Chips {
				chips = append(chips, c.Text)
			}
			require.Equal(t, tt.chips, chips)
			require.True(t, v.Chips[0].On)
			require.Equal(t, tt.json, v.Text.Doc != nil)
		})
	}
}

// A dialog belongs to the turn before which it opened, and is in none of the later ones.
func TestDialogsOfTheTurn(t *testing.T) {
	at := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	turnAt := func(n int, seconds float64) *core.Turn {
		c := apptest.Capture()
		c.TakenAt = at.Add(time.Duration(seconds) * time.Second)
		c.Dialogs = []snapshot.Dialog{{Type: "alert", Message: "Sold out", Age: 1000 * (seconds - 9)}}
		made := core.NewTurn(n, "goto", c, []byte("png"), image.NewRGBA(image.Rect(0, 0, 200, 100)))
		made.Activity = core.NewTurnActivity(c, nil, nil)
		return made
	}
	said := func(s core.State) string {
		v := turn.ViewOf(s, time.UTC)
		if v.List.Rows == nil {
			return v.List.Empty
		}
		return v.List.Rows.Doc.Text
	}
	next := func(s core.State, m *core.Turn) core.State {
		s, effects := apptest.Step(s, core.CaptureAsked{})
		s, _ = apptest.Step(s, core.Captured{Task: effects[0].(core.Capture).Task, Turn: m})
		return s
	}
	s := next(apptest.Captured(t), turnAt(2, 10))
	require.Contains(t, said(s), "Sold out")
	s = next(s, turnAt(3, 20))
	require.Equal(t, 3, s.Current.N)
	require.NotContains(t, said(s), "Sold out", "it stands in turn 2")
}

// TestWhatWasNotImportedIsListed: what a recording of another tool lacks stands with each of its turns, once.
func TestWhatWasNotImportedIsListed(t *testing.T) {
	s := apptest.Captured(t)
	s.Current.Lacks = []string{"no bytes"}
	s.Session.Lost = []string{"1 span is no call of a model: left out", "no bytes"}
	var lacking []string
	for _, r := range turn.ViewOf(s, time.UTC).Facts.Rows {
		if r.Label == "Missing" || r.Label == "Not imported" {
			lacking = append(lacking, r.Label+": "+r.Value)
		}
	}
	require.Equal(t, []string{"Missing: no bytes", "Not imported: 1 span is no call of a model: left out"}, lacking)
}

// TestMomentOfARecordingOfAnotherTool: that text and picture match is not said where nothing measured it, and nothing
// of a page where there is none.
func TestMomentOfARecordingOfAnotherTool(t *testing.T) {
	rows := func(s core.State) map[string]string {
		out := map[string]string{}
		for _, r := range turn.ViewOf(s, time.UTC).Facts.Rows {
			out[r.Label] = r.Value
		}
		return out
	}
	s := apptest.Captured(t)
	require.Equal(t, "● Text and picture match", rows(s)["Consistency"])
	s.Current.Lacks = []string{"a trace keeps no boxes"}
	require.Equal(t, "● Text and picture not compared", rows(s)["Consistency"])
	s.Current.Capture = &snapshot.Capture{URL: "https://tea.example/"}
	got := rows(s)
	require.Equal(t, "No page belongs to this turn", got["Consistency"])
	for _, of := range []string{"Viewport", "Scroll", "Time"} {
		require.NotContains(t, got, of)
	}
}

// TestNothingIsSaidOfAChangeThatNobodySaw: as in Changes, where one of two turns has no page, or both have one capture.
func TestNothingIsSaidOfAChangeThatNobodySaw(t *testing.T) {
	at := func(minute int) *snapshot.Capture {
		c := *apptest.Captured(t).Current.Capture
		c.TakenAt = time.Date(2026, 11, 21, 12, minute, 0, 0, time.UTC)
		return &c
	}
	since := func(c *snapshot.Capture) string {
		s := apptest.Captured(t)
		before := *s.Current
		before.N, before.Capture = 0, at(1)
		s.Current.N, s.Current.Capture = 1, c
		s.Previous, s.Changes = &before, core.NewChanges(&before, s.Current)
		for _, r := range turn.ViewOf(s, time.UTC).Facts.Rows {
			if r.Label == "Since turn 0" {
				return r.Value
			}
		}
		return ""
	}
	require.Equal(t, "nothing changed", since(at(2)))
	require.Equal(t, "what changed is not known", since(at(1)))
	require.Equal(t, "what changed is not known", since(&snapshot.Capture{}))
}

// TestWordsOfPoints: a step that clicks has the word of a click on the picture where it acted, and no other step has; on
// the picture afterwards no word is left but of what failed.
func TestWordsOfPoints(t *testing.T) {
	for _, tt := range []struct {
		step, status, before, after string
		aimed                       bool
	}{
		{`{"click":"e2"}`, "ok", "click", "", true},
		{`{"action":"left_click","params":"e2"}`, "ok", "left_click", "", true},
		{`{"fill":{"ref":"e2","value":"Ada"}}`, "ok", "fill", "", false},
		{`{"type":{"ref":"e2","text":"Ada"}}`, "ok", "type", "", false},
		{`{"selectOption":{"ref":"e2","label":"Large"}}`, "ok", "selectOption", "", false},
		{`{"upload":{"ref":"e2","files":["a.png"]}}`, "ok", "upload", "", false},
		{`{"press":{"ref":"e2","key":"Enter"}}`, "ok", "press", "", false},
		{`{"hover":{"ref":"e2"}}`, "ok", "hover", "", false},
		{`{"fill":{"ref":"e2","value":"Ada"}}`, "error", "fill failed", "fill failed", false},
	} {
		t.Run(tt.step, func(t *testing.T) {
			s := apptest.Captured(t)
			made := apptest.TurnOf(2)
			made.Activity = core.NewTurnActivity(made.Capture, []byte(`{"steps":[`+tt.step+`]}`),
				[]byte(`{"steps":[{"status":"`+tt.status+`","error":`+map[string]string{"ok": "null",
					"error": `"no"`}[tt.status]+`}]}`))
			s.Previous, s.Current, s.Changes = s.Current, made, &core.Changes{}
			s, _ = turn.Room().Compared(s)
			at, then := turn.Of(s).Points, turn.Of(s).Marked
			require.NotNil(t, at)
			require.Equal(t, core.ActionPoint{X: at.Points[0].X, Y: at.Points[0].Y, Label: tt.before,
				Aimed: tt.aimed, Lands: tt.status == "ok"}, at.Points[0])
			require.Equal(t, core.ActionPoint{X: at.Points[0].X, Y: at.Points[0].Y, Label: tt.after,
				Lands: tt.status == "ok"}, then.Points[0], "in the colour of what went well or did not")
		})
	}
}
