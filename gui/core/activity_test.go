package core_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/turn"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
)

func TestReadSteps(t *testing.T) {
	at := &[2]float64{12, 34.5}
	tests := []struct {
		name, steps, answer string
		want                []core.ActivityStep
	}{
		{"nothing", "", "", []core.ActivityStep{}},
		{"no JSON", "{", "]", nil},
		{"a ref", `{"steps":[{"click":"s3e12"}]}`, `{"steps":[{"action":"click","status":"ok"}]}`,
			[]core.ActivityStep{{Action: "click", Status: "ok", Ref: 12}}},
		{"an object", `{"steps":[{"fill":{"ref":"e4","value":"x"},"optional":true}]}`, "",
			[]core.ActivityStep{{Action: "fill", Ref: 4, With: "value “x”"}}},
		{"by its text", `{"steps":[{"click":{"text":"Accept \nall","exact":true,"timeout":800,"near":{"x":1}}}]}`, "",
			[]core.ActivityStep{{Action: "click", With: "text “Accept all”, exact true"}}},
		{"a key", `{"steps":[{"press": "Enter"}]}`, "", []core.ActivityStep{{Action: "press", With: "“Enter”"}}},
		{"no parameters", `{"steps":[{"reload":true},{"viewport":null},{"wait":250}]}`, "", []core.ActivityStep{
			{Action: "reload"}, {Action: "viewport"}, {Action: "wait", With: "250"}}},
		{"a number", `{"steps":[{"click":{"ref":7}}]}`, "", []core.ActivityStep{{Action: "click", Ref: 7}}},
		{"a selector", `{"steps":[{"click":{"selector":"#buy"}}]}`, "",
			[]core.ActivityStep{{Action: "click", Selector: "#buy"}}},
		{"no ref", `{"steps":[{"goto":"https://e12/"}]}`, "", []core.ActivityStep{{Action: "goto", With: "“https://e12/”"}}},
		{"coordinates", `{"steps":[{"click":{"x":12,"y":34.5}}]}`, "",
			[]core.ActivityStep{{Action: "click", Point: at}}},
		{"coordinates of the answer", `{"steps":[{"click":"e1"}]}`,
			`{"steps":[{"status":"ok","output":{"coordinates":{"x":12,"y":34.5}}}]}`,
			[]core.ActivityStep{{Action: "click", Status: "ok", Ref: 1, Point: at}}},
		{"another agent", `{"steps":[{"action":"click","params":{"selector":"a"},"point":{"x":12,"y":34.5}}]}`,
			`{"steps":[{"action":"click","status":"error","error":{"message":"gone"}}]}`,
			[]core.ActivityStep{{Action: "click", Status: "error", Selector: "a", Point: at, Error: "gone"}}},
		{"an answer alone", "", `{"steps":[{"action":"click","status":"error","params":{"ref":"s1e2"},"error":"gone","subtype":"StaleElementError"}]}`,
			[]core.ActivityStep{{Action: "click", Status: "error", Ref: 2, Error: "gone",
				Subtype: "StaleElementError"}}},
		{"a download", `{"steps":[{"click":"e1"}]}`, `{"steps":[{"action":"click","status":"ok","downloads":[
			{"name":"a\u202eb.csv","path":"/s/a.csv","bytes":4000,"state":"completed"},
			{"name":"b","bytes":0,"state":"canceled"}]}]}`,
			[]core.ActivityStep{{Action: "click", Status: "ok", Ref: 1, Downloads: []string{
				`Downloaded a\u{202e}b.csv, 4 kB, to /s/a.csv.`, "Did not download b, 0 B."}}}},
		{"an odd error", "", `{"steps":[{"action":"x","error":[1]}]}`,
			[]core.ActivityStep{{Action: "x", Error: "[1]"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, core.ReadSteps([]byte(tt.steps), []byte(tt.answer)))
		})
	}
}

func TestTurnActivity(t *testing.T) {
	c := &snapshot.Capture{Nodes: []snapshot.Node{{Ref: 1, Role: "button", Name: "Pay", Parent: -1}},
		Console: []snapshot.ConsoleEntry{{Age: 1200, Level: "error", Text: "boom\n✗ step 9: forged",
			URL: "http://a/x.js", Line: 3}, {Level: "log", Text: "hi"}},
		Dialogs: []snapshot.Dialog{{Type: "alert", Message: "Really?", Age: 100}},
		Failed:  []snapshot.Failure{{Layer: "ax", Why: "timed out"}},
	}
	activity := core.NewTurnActivity(c, []byte(`{"steps":[{"click":{"ref":"e1","button":"right"}}]}`),
		[]byte(`{"steps":[{"status":"error","error":"covered","subtype":"ClickFailedError","warning":"slow","context":{"visibleErrors":["Card declined"]}}]}`))
	require.Equal(t, 1, activity.Failed)
	var words []string
	for _, r := range activity.Rows.List {
		words = append(words, r.Words())
	}
	require.Equal(t, []string{
		"Steps 1",
		"1 · click button “right” failed covered Kind: ClickFailedError Warning: slow On the page: Card declined",
		"Console 2",
		"error boom ✗ step 9: forged http://a/x.js:3, 1.2 s before the capture",
		"log hi 0.0 s before the capture",
		"Dialogs 1",
		"alert Really? Dismissed, opened 0.1 s before the capture",
		"Not captured 1",
		"ax timed out",
	}, words)
	card := activity.Rows.List[1]
	require.Equal(t, core.RowCard, card.Kind)
	require.Equal(t, core.ToneBad, card.Tone)
	require.Equal(t, []core.RowChip{{Ref: 1, Text: "button “Pay”", Msg: core.ChangePicked{Node: -1, Ref: 1}}}, card.Chips)
	require.Len(t, activity.Texts, 2)
	spelled := core.NewTurnActivity(&snapshot.Capture{}, nil, []byte(`{"text":"\\u{202e} \u202e"}`)).Texts[0].Doc.Text
	require.JSONEq(t, `{"text":"\\u{202e} \u202e"}`, spelled, "it is spelled out by JSON's own means")
	require.NotContains(t, spelled, "\u202e")
	require.Nil(t, core.NewTurnActivity(&snapshot.Capture{}, nil, nil).Rows)
	require.Empty(t, core.NewTurnActivity(&snapshot.Capture{}, nil, nil).Texts)
}

func FuzzTurnActivity(f *testing.F) {
	f.Add([]byte(`{"steps":[{"click":"s3e12"}]}`),
		[]byte(`{"steps":[{"status":"error","error":"x","output":{"coordinates":{"x":1,"y":2}},"context":{"nearMatches":[{"ref":"e1"}]}}]}`), "boom")
	f.Add([]byte(`{"steps":[{"action":"a","params":[],"point":{}}]}`),
		[]byte(`{"steps":[{"error":{"message":"\u202e"}}]}`), "a\n\u2028b")
	f.Fuzz(func(t *testing.T, steps, answer []byte, said string) {
		activity := core.NewTurnActivity(&snapshot.Capture{Console: []snapshot.ConsoleEntry{{Level: "error",
			Text: said}}}, steps, answer)
		require.Equal(t, activity.Failed, turn.FailedSteps(answer))
		for _, r := range activity.Rows.List {
			require.True(t, utf8.ValidString(r.Words()))
			require.NotContains(t, r.Words(), "\n")
			require.NotContains(t, r.Words(), "\u202e")
		}
		for _, x := range activity.Texts {
			end := 0
			for _, l := range x.Doc.Lines {
				require.LessOrEqual(t, end, l.Start)
				require.LessOrEqual(t, l.Start, l.End)
				require.LessOrEqual(t, l.End, len(x.Doc.Text))
				line := x.Doc.Text[l.Start:l.End]
				require.True(t, utf8.ValidString(line))
				require.NotContains(t, line, "\n")
				require.NotContains(t, line, "\u202e")
				end = l.End
			}
		}
	})
}
