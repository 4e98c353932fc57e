package exchange_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

func TestTrouble(t *testing.T) {
	for want, e := range map[string]exchange.Exchange{
		"": {Status: 200}, "the vendor answered with status 429": {Status: 429}, "the vendor answered with status 500": {Status: 500, Error: "x"},
		"the upstream could not be reached: refused": {Error: "the upstream could not be reached: refused"},
	} {
		raw, err := json.Marshal(e)
		require.NoError(t, err)
		require.Equal(t, want, exchange.Trouble(raw))
	}
	require.Empty(t, exchange.Trouble(nil))
}

// A word that stands for no key is no secret: it would be found in every text that has it.
func TestCredentials(t *testing.T) {
	for key, secret := range map[string]bool{"none": false, "dummy": false, "ollama": false, "EMPTY": false,
		"sk-abc": true, "letmein9": true, "sk-proj-1234567890": true, "abcdefgh": true} {
		got := exchange.Credentials(map[string][]string{"Authorization": {"Bearer " + key}}, nil)
		require.Len(t, got, map[bool]int{true: 1}[secret], key)
	}
	// What an agent numbers its own runs with stands in its texts, and opens nothing.
	for header, secret := range map[string]bool{"X-Claude-Code-Session-Id": false, "Session-Id": false, "Session_id": false,
		"Thread-Id": false, "Mcp-Session-Id": true, "X-Api-Key": true, "X-Session-Token": true, "X-Session-Id": true} {
		got := exchange.Credentials(map[string][]string{header: {"6e631333-f947-414d-8454-509efcbb738f"}}, nil)
		require.Len(t, got, map[bool]int{true: 1}[secret], header)
	}
}

// A mark that an agent sends, as texts of our own server have them, hides nothing; one that a recording holds may stand
// for what it withheld.
func TestFillOfMarksThatWereSent(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		e, rec := exchange.Exchange{Dialect: "openai-chat"}, &turn.Record{}
		require.NoError(t, e.Fill(rec, exchange.Bodies{Wire: true, Recorded: recorded,
			Request: []byte(`{"messages":[{"role":"user","content":"Password: [redacted: password]"}]}`)}, &e, nil, redact.Standard()))
		require.Len(t, rec.Payloads, 1)
		require.Len(t, rec.Payloads[0].Redacted, map[bool]int{true: 1}[recorded])
	}
}

// A call with a large file in it is a turn: what it says is in its payload alone.
func TestFillOfALargeAnswer(t *testing.T) {
	e := exchange.Exchange{Dialect: wire.MCP, Answer: &wire.Answer{Calls: []wire.ToolCall{{Name: "upload",
		Arguments: []byte(`{"file":"` + strings.Repeat("x", 20<<20) + `"}`)}}}}
	rec := &turn.Record{}
	require.NoError(t, e.Fill(rec, exchange.Bodies{Answer: []byte(`{}`)}, &e, nil, redact.Standard()))
	require.Less(t, len(rec.Exchange), 1<<10)
	require.Contains(t, rec.Action, "call upload")
	require.NotNil(t, e.Answer)
}
