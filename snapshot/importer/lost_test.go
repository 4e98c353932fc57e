package importer

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// What no turn keeps of a file is named, with the numbers of lists left out; what is read is not.
func TestWhatIsLostIsNamed(t *testing.T) {
	s, err := listedSpan([]byte(`{"name":"llm","span_kind":"LLM","context":{"span_id":"1"},"attributes":{
		"llm.model_name":"m","llm.invocation_parameters":"{\"temperature\":0}","llm.token_count.prompt":3,
		"gen_ai.request.max_tokens":5,"gen_ai.usage.cost_usd":0.1,"gen_ai.usage.input_tokens":3,
		"llm.input_messages.0.message.role":"user","retrieval.documents.0.document.id":"a","retrieval.documents.1.document.id":"b"}}`))
	require.NoError(t, err)
	l := lost{}
	l.attributes(s.attrs)
	require.Equal(t, "not kept of the file: gen_ai.request.max_tokens, llm.invocation_parameters, "+
		"retrieval.documents.N.document.id", l.sentence())

	l = lost{}
	l.members(json.RawMessage(`{"step_id":1,"source":"agent","message":"hi","temperature":0,"extra":{"refscope":{"role":"x"},"mine":1},
		"metrics":{"prompt_tokens":1,"cost_usd":0.2,"logprobs":[]},"tool_calls":[{"tool_call_id":"a","function_name":"f","arguments":{"any":1},
		"why":"w"}],"observation":{"results":[{"source_call_id":"a","content":"c","subagent":1}]}}`), reflect.TypeFor[atifStep]())
	require.Equal(t, "not kept of the file: extra.mine, observation.results.subagent, temperature, tool_calls.why",
		l.sentence())
	require.Empty(t, lost{}.sentence())
}
