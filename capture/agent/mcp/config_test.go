package mcp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/mcp"
)

func TestConfig(t *testing.T) {
	program := mcp.Place{Program: `C:\Program Files\it's "here"\refscopectl.exe`, Home: "/tmp/a b", Session: "shop", Args: []string{"--attach", "127.0.0.1:9222"}}
	server := mcp.Place{URL: "http://127.0.0.1:8931/", Token: "TOKEN"}
	for _, tt := range []struct {
		client string
		place  mcp.Place
		want   string
	}{
		{"claude-code", program, `claude mcp add refscope -- 'C:\Program Files\it'\''s "here"\refscopectl.exe' mcp --home '/tmp/a b' --session shop --attach 127.0.0.1:9222` + "\n"},
		{"claude-code", server, "claude mcp add --transport http refscope http://127.0.0.1:8931/ --header 'Authorization: Bearer TOKEN'\n"},
		{"codex", program, "[mcp_servers.refscope]\ncommand = \"C:\\\\Program Files\\\\it's \\\"here\\\"\\\\refscopectl.exe\"\nargs = [\"mcp\", \"--home\", \"/tmp/a b\", \"--session\", \"shop\", \"--attach\", \"127.0.0.1:9222\"]\n"},
		{"codex", server, "[mcp_servers.refscope]\nurl = \"http://127.0.0.1:8931/\"\nhttp_headers = { Authorization = \"Bearer TOKEN\" }\n"},
		{"codex", mcp.Place{Program: "a\nb"}, "[mcp_servers.refscope]\ncommand = \"a\\u000ab\"\nargs = [\"mcp\"]\n"},
	} {
		got, err := mcp.Config(tt.client, tt.place)
		require.NoError(t, err)
		require.Equal(t, tt.want, got)
	}
	for _, tt := range []struct{ client, member, inner string }{
		{"claude-desktop", "mcpServers", "command"}, {"cursor", "mcpServers", "command"}, {"vscode", "servers", "type"}, {"gemini", "mcpServers", "command"}, {"generic", "mcpServers", "args"},
	} {
		got, err := mcp.Config(tt.client, program)
		require.NoError(t, err)
		var v map[string]map[string]map[string]any
		require.NoError(t, json.Unmarshal([]byte(got), &v))
		require.Equal(t, program.Program, v[tt.member]["refscope"]["command"], tt.client)
		require.Contains(t, v[tt.member]["refscope"], tt.inner)
	}
	for client, member := range map[string]string{"cursor": "url", "vscode": "url", "gemini": "httpUrl", "generic": "url"} {
		got, err := mcp.Config(client, server)
		require.NoError(t, err)
		require.Contains(t, got, `"`+member+`": "http://127.0.0.1:8931/"`)
		require.Contains(t, got, `"Authorization": "Bearer TOKEN"`)
		require.NotContains(t, got, "command")
	}
	for _, c := range mcp.Clients() {
		_, err := mcp.Config(c.Name, server)
		require.Equal(t, c.HTTP, err == nil, c.Name)
		_, err = mcp.Config(c.Name, mcp.Place{})
		require.Error(t, err, c.Name)
		require.NotEmpty(t, c.Where)
	}
	_, err := mcp.Config("emacs", program)
	require.ErrorContains(t, err, "choose from claude-code")
}
