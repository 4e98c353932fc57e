package task

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/sentinel"
)

func TestParseAnswer(t *testing.T) {
	a, err := parseAnswer([]byte(`{"thought":"I log in.","action":"click(12)","expected_outcome":{"type":"navigation","or_element_appears":"Thank you"},"taskId":"t-1","usage":{"tokens":7}}`))
	require.NoError(t, err)
	require.Equal(t, &agentAnswer{Thought: "I log in.", Status: "in_progress", TaskID: "t-1", Action: &Action{Verb: "click", ID: "12"},
		Expect: &sentinel.Expectation{Type: sentinel.Navigation, Or: &sentinel.Expectation{Type: sentinel.ElementAppears, Text: "Thank you"}}}, a)
}

// TestNegotiation: what an answer asks for is what it gets, and nothing else.
func TestNegotiation(t *testing.T) {
	for in, want := range map[string]view{
		`{"requestedDomMode":"skeleton"}`:                           {mode: "skeleton"},
		`{"requestedDomMode":"hybrid"}`:                             {mode: "hybrid"},
		`{"requestedDomMode":"full"}`:                               {mode: "full"},
		`{"needsSkeletonDom":true}`:                                 {mode: "skeleton"},
		`{"needsScreenshot":true}`:                                  {mode: "hybrid", pictureOnly: true},
		`{"needsSkeletonDom":true,"needsScreenshot":true}`:          {mode: "hybrid"},
		`{"requestedDomMode":"skeleton","needsScreenshot":true}`:    {mode: "hybrid"},
		`{"requestedDomMode":"full","needsScreenshot":true}`:        {mode: "full"},
		`{"status":"needs_full_dom","needsFullDomReason":"gone"}`:   {mode: "full"},
		`{"status":"needs_full_dom","requestedDomMode":"hybrid"}`:   {mode: "full"},
		`{"status":"needs_context","needsSkeletonDom":true}`:        {mode: "skeleton"},
		`{"status":"needs_context"}`:                                {mode: "hybrid"}, // the task's words are about looks
		`{"status":"needs_context","action":"click(7)"}`:            {mode: "hybrid"}, // and the action is not done
		`{"needsSkeletonDom":true,"action":"this is no action ()"}`: {mode: "skeleton"},
	} {
		a, err := parseAnswer([]byte(in))
		require.NoError(t, err, in)
		require.True(t, a.asks(), in)
		require.Nil(t, a.Action, in)
		require.Equal(t, want, a.wanted("Click the gear icon in the top right corner"), in)
	}
}

func TestFallbackMode(t *testing.T) {
	for query, want := range map[string]string{
		"Click the gear icon in the top right corner": "hybrid", // the seed's example
		"What is the price?":                          "hybrid",
		"Fill the form and submit it":                 "skeleton",
		"Search for SpaceX":                           "skeleton",
		"Read the bluetooth manual":                   "skeleton", // blue is a word of its own
		"The button NEXT  to it":                      "hybrid",
		"":                                            "skeleton",
	} {
		require.Equal(t, want, fallbackMode(query), query)
	}
}

func TestParseAnswerFaults(t *testing.T) {
	for in, want := range map[string]struct{ code, why string }{
		``:                                   {"INVALID_ANSWER", "it ends too early"},
		`<html>`:                             {"INVALID_ANSWER", "invalid character '<'"},
		`[]`:                                 {"INVALID_ANSWER", "it begins with ["},
		`"click(7)"`:                         {"INVALID_ANSWER", "not a JSON object"},
		`{"action":"click(7)"`:               {"INVALID_ANSWER", "it ends too early"},
		`{"action":"click(7)"} {}`:           {"INVALID_ANSWER", "something follows"},
		"```json\n{\"action\":\"click(7)\"}": {"INVALID_ANSWER", "not a JSON object"},
		`{"action":7}`:                       {"INVALID_ANSWER", "action is not a string"},
		`{"action":"click(7)","action":"click(8)"}`:          {"INVALID_ANSWER", `"action" is given twice`},
		`{"action":"click(7)","status":"maybe"}`:             {"INVALID_ANSWER", `unknown status "maybe"`},
		`{"requestedDomMode":"everything"}`:                  {"INVALID_ANSWER", `unknown requestedDomMode "everything"`},
		`{"needsScreenshot":"yes"}`:                          {"INVALID_ANSWER", "neither true nor false"},
		`{"taskId":"` + strings.Repeat("x", 201) + `"}`:      {"INVALID_ANSWER", "more than 200 bytes"},
		"{\"thought\":\"\xff\"}":                             {"INVALID_ANSWER", "not UTF-8"},
		`{}`:                                                 {"NO_ACTION", "no action"},
		`{"thought":"hm","action":" "}`:                      {"NO_ACTION", "no action"},
		`{"action":"click(7) and then click(8)"}`:            {"INVALID_ACTION", "one answer does one thing"},
		`{"action":"launch(7)"}`:                             {"INVALID_ACTION", "unknown action"},
		`{"action":"click(7)","expected_outcome":"wonders"}`: {"INVALID_EXPECTATION", `unknown type "wonders"`},
		`{"action":"click(7)","expected_outcome":"navigation","expectedOutcome":"no_change"}`: {"INVALID_EXPECTATION", "is given twice"},
	} {
		t.Run(in[:min(len(in), 60)], func(t *testing.T) {
			_, err := parseAnswer([]byte(in))
			var f *badAnswer
			require.ErrorAs(t, err, &f)
			require.Equal(t, want.code, f.Code)
			require.ErrorContains(t, err, want.why)
		})
	}
	_, err := parseAnswer(make([]byte, maxAnswer+1))
	require.ErrorContains(t, err, "at most 1048576")
}

// FuzzParseAnswer: an answer that cannot be followed is a fault, and one without a fault
// asks, ends, or names an action, never two of these.
func FuzzParseAnswer(f *testing.F) {
	for _, s := range []string{`{"thought":"x","action":"click(7)","expected_outcome":"any_change","status":"in_progress"}`, `{"status":"needs_context","needsSkeletonDom":true}`,
		`{"status":"completed"}`, `{"action":null,"status":null}`, `{`, `[]`, `{"a":{"b":[1,2]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := parseAnswer(data)
		require.NotNil(t, a)
		if err != nil {
			var fault *badAnswer
			require.True(t, errors.As(err, &fault))
			require.NotEmpty(t, fault.Code)
			return
		}
		ends := a.Status == statusCompleted || a.Status == statusFailed
		require.Equal(t, !a.asks() && !ends, a.Action != nil)
		if a.asks() {
			require.Contains(t, []string{"skeleton", "hybrid", "full"}, a.wanted("x").mode)
		}
	})
}
