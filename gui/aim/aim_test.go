package aim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// TestAListOfActionsIsTold: an answer in JSON whose actions are about no element is told by them, and not as it stands.
func TestAListOfActionsIsTold(t *testing.T) {
	shown := core.NewTurn(1, "", &snapshot.Capture{}, nil, nil)
	shown.Payloads = []turn.Payload{{Dialect: wire.OpenAIChat, Way: turn.Request, Bytes: []byte("{}")},
		{Dialect: wire.OpenAIChat, Way: turn.Answer, Bytes: []byte(
			`{"choices":[{"message":{"content":"{\"action\":[{\"navigate\":{\"url\":\"http://a.test/login\"}}]}"}}]}`,
		)}}
	rows := cards(&model{Turn: shown, Report: &doctor.Report{}}, nil, 0)
	require.Equal(t, "navigate login", rows[0].Title)
}

// TestACallOfAToolIsNoQuestionToAModel: it names no model, has no tokens, and cannot be asked again.
func TestACallOfAToolIsNoQuestionToAModel(t *testing.T) {
	for dialect, answer := range map[string]string{
		wire.MCP:        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"evaluate","arguments":{}}}`,
		wire.OpenAIChat: `{"choices":[{"message":{"content":"I am done."}}]}`,
	} {
		shown := core.NewTurn(1, "evaluate", &snapshot.Capture{}, nil, nil)
		shown.Payloads = []turn.Payload{{Dialect: dialect, Way: turn.Request, Bytes: []byte("{}"), Wire: true},
			{Dialect: dialect, Way: turn.Answer, Bytes: []byte(answer), Wire: true}}
		m := &model{Turn: shown, Report: &doctor.Report{}, Story: &conversation.Story{}}
		rows := cards(m, nil, 0)
		require.Len(t, rows, 1, dialect)
		require.Empty(t, rows[0].Cells, "an empty line says nothing")
		require.Equal(t, dialect == wire.OpenAIChat, len(rows[0].Chips) > 0, dialect)
	}
}
