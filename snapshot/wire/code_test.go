package wire

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestActionsInCode: what a program of Codex's model asks for is read where its arguments are written out, and a program
// that is cut anywhere names no element that the whole one does not.
func TestActionsInCode(t *testing.T) {
	for program, want := range map[string][]Action{
		`const r = await tools.mcp__playwright__browser_click({"element":"Sign in","target":"e17"}); text(r)`: {
			{Verb: "mcp__playwright__browser_click", Ref: "e17"}},
		"// @exec: {\"yield_time_ms\": 10000}\nawait tools.mcp__playwright__browser_type({ element: 'Mail (1, 2)', // the field\n" +
			"  target: `e3`, text: 'a\\'b}', submit: true, });\nawait tools.mcp__playwright__browser_click({target: \"e4\"})": {
			{Verb: "mcp__playwright__browser_type", Ref: "e3"}, {Verb: "mcp__playwright__browser_click", Ref: "e4"}},
		`await Promise.all([tools.mcp__cd__click({uid:"1_12", dblClick: n > f("a", 1), pageId: 1}), tools.mcp__cd__hover({uid: "1_7"})])`: {
			{Verb: "mcp__cd__click", Ref: "1_12"}, {Verb: "mcp__cd__hover", Ref: "1_7"}},
		"await tools.mcp__playwright__browser_click({ target: ref })":        nil, // it is not known
		"await tools.mcp__playwright__browser_click({ target: `e${n}` })":    nil,
		"await tools.mcp__playwright__browser_navigate({ url: 'http://x' })": nil,
		"text('no tool')": nil,
	} {
		read := func(program string) []Action {
			args, err := json.Marshal(program)
			require.NoError(t, err)
			a := &Answer{Dialect: OpenAIResponses, Calls: []ToolCall{{Name: "exec", Arguments: args}}}
			return a.Actions(nil)
		}
		require.Equal(t, want, read(program), program)
		for at := range program {
			for _, a := range read(program[:at]) {
				require.Contains(t, want, a, program[:at])
			}
		}
	}
}

// TestDeferredTools: a tool that the model is not told of until a search has found it is no part of the prompt; what the
// search has found is told.
func TestDeferredTools(t *testing.T) {
	body := func(tools string) []byte {
		return []byte(`{"model":"m","tools":[{"name":"ToolSearch"}` + tools + `],"messages":[{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"t","content":[{"type":"tool_reference","tool_name":"click"}]}]}]}`)
	}
	one, two := body(`,{"name":"hidden","defer_loading":true}`), body(`,{"defer_loading":true,"name":"click"},{"name":"hidden","defer_loading":true}`)
	was, err := Sections(Anthropic, one)
	require.NoError(t, err)
	is, err := Sections(Anthropic, two)
	require.NoError(t, err)
	require.Len(t, is, 2)
	require.Equal(t, "tools[0]", is[0].Name)
	require.Equal(t, len(is), FirstBreak(one, was, two, is).Section, "nothing differs")
	r, err := ReadRequest(Anthropic, two)
	require.NoError(t, err)
	require.Equal(t, []string{"ToolSearch", "click", "hidden"}, r.Tools)
	require.Equal(t, "tool click", r.Messages[0].Parts[0].Text)
}
