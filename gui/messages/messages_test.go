package messages_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/messages"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// talking has a turn in view with a request and its answer, and the side open.
func talking(t *testing.T, body string) core.State {
	t.Helper()
	s := apptest.Long(t, 1)
	s.Current = apptest.TurnOf(1)
	s.Current.Payloads = []turn.Payload{{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: []byte(body)},
		{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true,
			Bytes: []byte(`{"choices":[{"message":{"content":"I am done \u202e."}}]}`)}}
	s, effects := apptest.Step(s, core.SideChosen(messages.Side))
	require.Equal(t, "Reading the conversation…", messages.ViewOf(s).List.Empty)
	for _, e := range effects {
		if read, ok := e.(messages.Read); ok {
			s, _ = apptest.Step(s, read.Do(t.Context(), &core.Worker{Counter: coretest.Counter()}))
		}
	}
	return s
}

func words(s core.State) string {
	v := messages.ViewOf(s)
	if v.List.Rows == nil {
		return v.List.Empty
	}
	return v.List.Rows.Doc.Text
}

func TestConversation(t *testing.T) {
	long := strings.Repeat("line\\n", 30_000)
	s := talking(t, `{"model":"gpt","messages":[{"role":"system","content":"You are **bold**."},
		{"role":"user","content":"`+long+`"}],"tools":[{"function":{"name":"click","description":"Clicks"}}],"temperature":0}`)
	said := words(s)
	require.Contains(t, said, "System")
	require.Contains(t, said, "You are bold.")
	require.Contains(t, said, "I am done")
	require.Less(t, len(messages.ViewOf(s).List.Rows.List), 15)

	var more core.Msg
	var actions []string
	for _, r := range messages.ViewOf(s).List.Rows.List {
		if r.Action != "" {
			actions = append(actions, r.Action)
		}
		if strings.HasSuffix(r.Action, "more lines") {
			more = r.Do
		}
	}
	require.Equal(t, []string{"1 tool with its schema", "29,994 more lines"}, actions)
	s, _ = apptest.Step(s, more)
	require.Greater(t, len(messages.ViewOf(s).List.Rows.List), 30_000, "each line is a row of its own")
}

// TestMarkdown: a message is set as its Markdown means it, and JSON has the colours of its types.
func TestMarkdown(t *testing.T) {
	s := talking(t, `{"model":"gpt","messages":[{"role":"system","content":"# Rules\n- look **first**\n1. then `+
		"`act`"+`\n`+"```json"+`\n{\"target\":\"e1\"}\n`+"```"+`"},{"role":"user","content":"{\"a\": [1, true]}"},
		{"role":"tool","tool_call_id":"x","content":"\u001b[2mdim\u001b[22m"}]}`)
	var got []string
	for _, r := range messages.ViewOf(s).List.Rows.List {
		kind := ""
		for sign, on := range map[string]bool{"bold ": r.Strong, "code ": r.Code && !r.JSON, "json ": r.JSON, "in ": r.Level > 0} {
			if on {
				kind += sign
			}
		}
		if r.Body != "" {
			got = append(got, kind+r.Body)
		}
	}
	require.Equal(t, []string{"bold Rules", "in •  look first", "in 1.  then act", "json {\n  \"target\": \"e1\"\n}",
		"json {\n  \"a\": [\n    1,\n    true\n  ]\n}", "code dim", `I am done \u{202e}.`}, got)

	for _, r := range messages.ViewOf(s).List.Rows.List {
		if r.Title != "System" {
			continue
		}
		require.Equal(t, "Copy", r.Chips[0].Text)
		_, effects := apptest.Step(s, r.Chips[0].Msg)
		require.Contains(t, effects, core.CopyText{Text: "# Rules\n- look **first**\n1. then `act`\n```json\n" +
			"{\"target\":\"e1\"}\n```"}, "as it was sent")
	}
}

func TestATurnWithoutARequest(t *testing.T) {
	s := apptest.Long(t, 1)
	s.Current = apptest.TurnOf(1)
	s, _ = apptest.Step(s, core.SideChosen(messages.Side))
	require.Contains(t, words(s), "No request to a model is stored with this turn.")
}

func TestARequestThatCannotBeRead(t *testing.T) {
	require.Contains(t, words(talking(t, `[`)), "Reading the conversation")
}
