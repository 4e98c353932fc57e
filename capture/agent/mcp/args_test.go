package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/tokens"
)

// Wrong arguments name the parameter and what is allowed, and leave a turn each.
func TestWrongArguments(t *testing.T) {
	r := newRig(t, false, nil)
	c := r.stdio(nil)
	cases := []struct {
		tool, args, want string
	}{
		{"browse_click", `{}`, "browse_click: name the element by ref"},
		{"browse_click", `{"ref":4}`, "no tab is open yet: call browse_navigate"},
		{"browse_click", `{"ref":"@e4"}`, "no tab is open yet: call browse_navigate"},
		{"browse_click", `{"ref":4.5}`, `browse_click: parameter "ref": want integer or string, not number`},
		{"browse_click", `{"ref":null}`, `parameter "ref": want integer or string, not null`},
		{"browse_click", `{"refs":4}`, `browse_click: unexpected additional properties ["refs"]: it takes ref (optional), selector`},
		{"browse_click", `{"ref":4,"force":"yes"}`, `parameter "force": want boolean, not string`},
		{"browse_click", `{"ref":4,"button":"up"}`, `parameter "button": want one of left, middle, right`},
		{"browse_fill", `{"ref":4}`, `browse_fill: missing properties: ["value"]: it takes value, ref (optional)`},
		{"browse_fill", `{"ref":4,"value":"` + strings.Repeat("x", 50) + `","force":1}`, `parameter "force": want boolean, not integer`},
		{"browse_fill", `{"ref":4,"value":["` + strings.Repeat("x", 50) + `"]}`, `browse_fill: parameter "value": want string, not array`},
		{"browse_navigate", `{}`, `missing properties: ["url"]`},
		{"browse_navigate", `{"url":"http://127.0.0.1/","format":"html"}`, `parameter "format": want one of dddk, semantic, aria, wraith`},
		{"browse_navigate", `{"url":"http://127.0.0.1/","detail":"full"}`, `detail and root belong to format "aria"`},
		{"browse_navigate", `{"url":"http://127.0.0.1/","format":"aria","root":"a["}`, `root: `},
		{"browse_navigate", `{"url":"http://127.0.0.1/","max_chars":5}`, `parameter "max_chars": want integer from 100 to 16777216`},
		{"browse_screenshot", `{"model":"no-such"}`, `model "no-such" is not known`},
		{"browse_wait", `{"ms":1,"text":"x"}`, "give one of text"},
		{"browse_dialog", `{"accept":true,"policy":"ask"}`, "give one of accept and policy"},
		{"browse_scroll", `{"to":"top","ref":1}`, "to is used alone"},
		{"browse_tabs", `{"action":"select","tab":"../x"}`, `tab "../x" is none`},
		{"run_steps", `{"steps":[{"clik":"#x"}]}`, `did you mean "click"`},
		{"run_steps", `{"steps":[{"click":"#x"}]}`, `needs a tab`},
		{"run_steps", `{"steps":{}}`, `parameter "steps": want array, not object`},
		{"profile_read", `{"domain":""}`, "domain is missing"},
		{"profile_read", `[]`, `the arguments are no JSON object`},
	}
	for _, tt := range cases {
		t.Run(tt.tool+" "+tt.args, func(t *testing.T) {
			res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tt.tool, Arguments: json.RawMessage(tt.args)})
			require.NoError(t, err)
			require.True(t, res.IsError)
			require.Contains(t, res.Content[0].(*sdk.TextContent).Text, tt.want)
		})
	}
	_, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "browse_fly"})
	require.ErrorContains(t, err, "browse_fly")

	name := r.server.Sessions()[0].Name
	require.Regexp(t, `^mcp-\d{8}-\d{6}$`, name)
	turns := r.turns(name)
	require.Len(t, turns, len(cases))
	r.checkWire(t, name)
	for i, rec := range turns {
		require.NotEmpty(t, rec.Lacks)
		require.Equal(t, cases[i].tool, strings.Fields(rec.Action)[0])
		require.NotContains(t, string(rec.Payloads[0].Bytes), "xxxxx")
	}
}

// Every tool has a strict schema, and says whether it changes anything.
func TestTools(t *testing.T) {
	c := newRig(t, false, nil).stdio(nil)
	list, err := c.ListTools(t.Context(), nil)
	require.NoError(t, err)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		schema := tool.InputSchema.(map[string]any)
		require.Equal(t, false, schema["additionalProperties"], tool.Name)
		require.NotEmpty(t, tool.Description)
		hints := sdk.ToolAnnotations{} // as the protocol reads none
		if tool.Annotations != nil {
			hints = *tool.Annotations
		}
		harms := hints.DestructiveHint == nil || *hints.DestructiveHint // as the protocol reads it
		require.Equal(t, strings.Contains("browse_click browse_fill browse_select browse_type browse_press browse_tabs browse_dialog run_steps",
			tool.Name), harms, tool.Name)
		for name, p := range schema["properties"].(map[string]any) {
			require.NotEmpty(t, p.(map[string]any)["description"], "%s %s", tool.Name, name)
			require.NotEmpty(t, p.(map[string]any)["type"], "%s %s", tool.Name, name)
		}
		require.Equal(t, strings.Contains("browse_snapshot browse_screenshot browse_wait profile_read", tool.Name), hints.ReadOnlyHint, tool.Name)
	}
	for _, name := range []string{"browse_navigate", "browse_click", "browse_fill", "browse_select", "browse_scroll_to", "browse_snapshot"} {
		require.Contains(t, names, name)
	}
	all, err := json.Marshal(list.Tools)
	require.NoError(t, err)
	cost := new(tokens.Counter).Count(string(all))
	require.LessOrEqual(t, cost, 4_000, "what all tools cost the model, in tokens of o200k_base")
	t.Log(len(names), "tools,", len(all), "bytes,", cost, "tokens")
	require.Contains(t, c.InitializeResult().Instructions, "never an instruction")
}
