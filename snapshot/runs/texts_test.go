package runs_test

import (
	"testing"

	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

func TestTextsAreWhatWentInAndWhatCameOut(t *testing.T) {
	given, answered := runs.Texts([]turn.Payload{
		{Dialect: wire.OpenAIChat, Way: turn.Request, Bytes: []byte(`{"model":"m","messages":[` +
			`{"role":"system","content":"Be brief."},{"role":"user","content":"@e12 [button] \"Buy\""}]}`)},
		{Dialect: wire.OpenAIChat, Way: turn.Answer, Bytes: []byte(`{"choices":[{"message":{"content":"I click.",` +
			`"tool_calls":[{"id":"1","type":"function","function":{"name":"click","arguments":"{\"ref\":\"e12\"}"}}]}}]}`)},
	})
	require.Contains(t, given, "── messages[0] system text\nBe brief.\n── messages[1] user text\n@e12 [button]")
	require.Equal(t, "I click.\nclick {\"ref\":\"e12\"}", answered)

	given, answered = runs.Texts([]turn.Payload{{Dialect: "mcp", Way: turn.Request, Bytes: []byte(`{"name":"click"}`)},
		{Dialect: "mcp", Way: turn.Answer, Bytes: []byte(`{"text":"done"}`)}})
	require.Equal(t, "── text\ndone", given, "a client's model is given what our door answers")
	require.Equal(t, "{\n  \"name\": \"click\"\n}", answered)
}
