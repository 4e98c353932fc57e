package conversation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

var emptyCapture = snapshot.Capture{Schema: snapshot.Schema}

const page = "- button \\\"Sign in\\\" [ref=e2]\\n- link \\\"Help\\\" [ref=e3]"

// Two calls without IDs: each result is that of the tool which it names.
func TestResultsWithoutIDs(t *testing.T) {
	for dialect, body := range map[string]string{
		wire.Ollama: `{"model":"m","messages":[{"role":"assistant","tool_calls":[{"function":{"name":"look","arguments":{}}},
			{"function":{"name":"click","arguments":{}}}]},{"role":"tool","tool_name":"look","content":"a"},
			{"role":"tool","tool_name":"click","content":"b"}]}`,
		wire.Gemini: `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"look"}},{"functionCall":{"name":"click"}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"r":"a"}}},
			{"functionResponse":{"name":"click","response":{"r":"b"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}]}]}`,
	} {
		c, err := conversation.Read(turn.Payload{Dialect: dialect, Way: turn.Request, Bytes: []byte(body)}, nil, nil,
			func(s string) int { return len(s) })
		require.NoError(t, err)
		var tools []string
		for _, m := range c.Messages {
			for _, p := range m.Parts {
				if p.Kind != wire.Call {
					require.Equal(t, "tool", m.Role)
					tools = append(tools, p.Tool)
				}
			}
		}
		require.Equal(t, []string{"look", "click", "click"}[:len(tools)], tools, dialect)
		require.GreaterOrEqual(t, len(tools), 2)
	}
}

// TestDialects reads one conversation in the shape of each vendor: the same speakers, calls, results and tools.
func TestDialects(t *testing.T) {
	tests := map[string]string{
		wire.OpenAIChat: `{"model":"m","temperature":0.2,"messages":[{"role":"system","content":"S"},{"role":"user","content":"U"},
			{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"snap","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"c1","content":"` + page + `"}],
			"tools":[{"type":"function","function":{"name":"snap","description":"D","parameters":{"properties":{"a":{}}}}}]}`,
		wire.OpenAIResponses: `{"model":"m","temperature":0.2,"instructions":"S","input":[{"role":"user","content":"U"},
			{"type":"function_call","call_id":"c1","name":"snap","arguments":"{}"},
			{"type":"function_call_output","call_id":"c1","output":"` + page + `"}],
			"tools":[{"type":"function","name":"snap","description":"D","parameters":{"properties":{"a":{}}}}]}`,
		wire.Anthropic: `{"model":"m","temperature":0.2,"system":"S","messages":[{"role":"user","content":"U"},
			{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"snap","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"` + page + `"}]}],
			"tools":[{"name":"snap","description":"D","input_schema":{"properties":{"a":{}}}}]}`,
	}
	for dialect, body := range tests {
		t.Run(dialect, func(t *testing.T) {
			c, err := conversation.Read(turn.Payload{Dialect: dialect, Way: turn.Request, Bytes: []byte(body)}, nil, nil,
				func(s string) int { return len(s) })
			require.NoError(t, err)
			var said []string
			for _, m := range c.Messages {
				for _, p := range m.Parts {
					said = append(said, fmt.Sprintf("%s %s %s%s%s", m.Role, p.Kind, p.Tool, p.Name, strings.SplitN(p.Text, "\n", 2)[0]))
				}
				require.Less(t, m.Bytes[0], m.Bytes[1])
			}
			require.Equal(t, []string{"system text S", "user text U", "assistant call snap",
				`tool result snap- button "Sign in" [ref=e2]`}, said)
			require.Len(t, c.Tools, 1)
			require.Equal(t, "snap", c.Tools[0].Name)
			require.Equal(t, "D", c.Tools[0].Description)
			require.JSONEq(t, `{"properties":{"a":{}}}`, string(c.Tools[0].Schema))
			require.Equal(t, []conversation.Parameter{{Name: "model", Value: []byte(`"m"`)},
				{Name: "temperature", Value: []byte(`0.2`)}}, c.Parameters)
		})
	}
}

// TestWhatIsNew joins a report: what repeats, what is new, what the vendor read from its cache, and the page.
func TestWhatIsNew(t *testing.T) {
	body := func(more string) []byte {
		return []byte(`{"model":"m","messages":[{"role":"system","content":"S"},{"role":"user","content":"U"}` + more + `]}`)
	}
	tool := `,{"role":"assistant","content":"ok"},{"role":"tool","tool_call_id":"c1","content":"` + page + `"}`
	d := doctor.New(doctor.Options{})
	var last *doctor.Report
	for n, more := range []string{"", tool} {
		rec := &turn.Record{N: n + 1, Payloads: []turn.Payload{{Dialect: wire.OpenAIChat, Way: turn.Request, Bytes: body(more)}}}
		rec.Capture = &emptyCapture
		r, err := d.Examine(rec)
		require.NoError(t, err)
		last = r
	}
	answer := turn.Payload{Dialect: wire.OpenAIChat, Way: turn.Answer,
		Bytes: []byte(`{"choices":[{"message":{"role":"assistant","content":"done"}}],"usage":{"prompt_tokens":40,` +
			`"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":1}}}`)}
	c, err := conversation.Read(turn.Payload{Dialect: wire.OpenAIChat, Way: turn.Request, Bytes: body(tool)}, &answer, last,
		func(s string) int { return len(s) / 4 })
	require.NoError(t, err)
	require.Equal(t, 1, c.Before)
	require.Equal(t, 2, c.Same)
	require.Equal(t, []bool{false, false, true, true, true}, news(c))
	require.NotNil(t, c.Messages[3].Parts[0].Page)
	require.Len(t, c.Messages[3].Parts[0].Page.Lines, 2)
	require.True(t, c.Messages[4].Answer)
	require.Equal(t, 7, c.Messages[4].Tokens)
	require.True(t, c.Messages[0].Cached)
	require.False(t, c.Messages[3].Cached)
}

func news(c *conversation.Conversation) []bool {
	var out []bool
	for _, m := range c.Messages {
		out = append(out, m.New)
	}
	return out
}

// FuzzRead: whatever the bytes, messages lie in the body, and nothing panics.
func FuzzRead(f *testing.F) {
	f.Add(wire.Anthropic, []byte(`{"system":[{"type":"text","text":"x"}],"messages":[{"role":"user","content":[{"type":"image"}]}]}`))
	f.Add(wire.Gemini, []byte(`{"contents":[{"parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[{"name":"a"}]}]}`))
	f.Fuzz(func(t *testing.T, dialect string, body []byte) {
		c, err := conversation.Read(turn.Payload{Dialect: dialect, Bytes: body}, nil, nil, func(s string) int { return len(s) })
		if err != nil {
			return
		}
		for _, m := range c.Messages {
			require.True(t, 0 <= m.Bytes[0] && m.Bytes[0] <= m.Bytes[1] && m.Bytes[1] <= len(body), m.Name)
		}
	})
}
