package runs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// told is a turn of an agent that lists the page by numbers of its own, which are those of other elements in the session.
func told(t *testing.T, from int, answer int) *turn.Record {
	t.Helper()
	c := pagetest.Parse(t, "url: https://shop.test/\nbody\n  button %name=\"Delete all\" \"Delete all\"\n"+
		"  button %name=\"Save\" \"Save\"\n  a href=\"/\" %name=\"Home\" \"Home\"\n")
	text := fmt.Sprintf(`- button \"Save\" [ref=e%d]\n- link \"Home\" [ref=e%d]\n- button \"Delete all\" [ref=e%d]`, from, from+1, from+2)
	return &turn.Record{Capture: c, Payloads: []turn.Payload{
		{Way: turn.Request, Dialect: wire.OpenAIChat, Bytes: []byte(`{"model":"m","messages":[{"role":"user","content":"Save it"},` +
			`{"role":"tool","tool_call_id":"c0","content":"` + text + `"}]}`)},
		{Way: turn.Answer, Dialect: wire.OpenAIChat, Bytes: fmt.Appendf(nil, `{"choices":[{"message":{"role":"assistant",`+
			`"tool_calls":[{"id":"c1","type":"function","function":{"name":"browser_click","arguments":"{\"target\":\"e%d\"}"}}]}}]}`,
			answer)},
	}}
}

// An answer means what the agent's own text says of its number, whatever else has that number in the session; numbers
// do not count, and are shown beside what differs.
func TestAnswersByTheAgentsOwnNumbers(t *testing.T) {
	compare := func(a, b *turn.Record) *runs.Comparison {
		r := runs.NewReader(number)
		first, err := r.Read(t.Context(), memory{a})
		require.NoError(t, err)
		second, err := r.Read(t.Context(), memory{b})
		require.NoError(t, err)
		require.Len(t, first[0].Answered, 1)
		require.Contains(t, first[0].Answered[0], "Save")
		c, err := runs.Compare(t.Context(), first, second)
		require.NoError(t, err)
		return c
	}
	require.Nil(t, compare(told(t, 1, 1), told(t, 7, 7)).Divergence())

	d := compare(told(t, 1, 1), told(t, 7, 9)).Divergence()
	require.NotNil(t, d)
	require.Equal(t, runs.Answer, d.Cause)
	before, after, both := strings.Cut(strings.Join(d.Details, "; "), " → ")
	require.True(t, both)
	require.Contains(t, before, `e1 <button “Save”`)
	require.Contains(t, after, `e9 <button “Delete all”`)
}

// TestOneRunInTwoForms: a run is the same where another API has it, as in an imported recording: a message's words and
// calls as items of their own, members of a call in another order, and no page, so that what an element is called is
// known from the agent's text alone.
func TestOneRunInTwoForms(t *testing.T) {
	const page = `- button \"Save\" [ref=e1]\n- link \"Home\" [ref=e2]`
	pay := func(dialect, asked, answer string) []turn.Payload {
		return []turn.Payload{{Way: turn.Request, Dialect: dialect, Bytes: []byte(asked)},
			{Way: turn.Answer, Dialect: dialect, Bytes: []byte(answer)}}
	}
	chat := pay(wire.OpenAIChat, `{"model":"m","messages":[{"role":"user","content":"Save it"},`+
		`{"role":"assistant","content":"I look.","tool_calls":[{"id":"c0","type":"function","function":`+
		`{"name":"look","arguments":"{\"to\":1,\"at\":2}"}}]},`+
		`{"role":"tool","tool_call_id":"c0","content":"`+page+`"}]}`,
		`{"choices":[{"message":{"role":"assistant","tool_calls":[`+
			`{"id":"c1","type":"function","function":{"name":"click","arguments":"{\"target\":\"e1\"}"}}]}}]}`)
	again := pay(wire.OpenAIResponses, `{"model":"m","input":[{"role":"user","content":"Save it"},`+
		`{"role":"assistant","content":"I look."},{"type":"function_call","call_id":"c0","name":"look",`+
		`"arguments":"{\"at\":2,\"to\":1}"},{"type":"function_call_output","call_id":"c0","output":"`+page+`"}]}`,
		`{"output":[{"type":"function_call","call_id":"c1","name":"click","arguments":"{\"target\":\"e1\"}"}]}`)
	c := pagetest.Parse(t, "url: https://shop.test/\nbody\n  button %name=\"Save\" \"Save\"\n"+
		"  a href=\"/\" %name=\"Home\" \"Home\"\n")
	r := runs.NewReader(number)
	first, err := r.Read(t.Context(), memory{{Capture: c, Payloads: chat}})
	require.NoError(t, err)
	second, err := r.Read(t.Context(), memory{{Capture: &snapshot.Capture{}, Payloads: again}})
	require.NoError(t, err)
	require.Contains(t, first[0].Answered[0], "<button “Save”>")
	require.Equal(t, first[0].Answered, second[0].Answered)
	got, err := runs.Compare(t.Context(), first, second)
	require.NoError(t, err)
	require.Nil(t, got.Divergence())
}
