package mcp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
)

// TestTypeScriptClient: the official TypeScript client drives the server over HTTP here, and
// over stdio as a program in cmd/refscopectl.
func TestTypeScriptClient(t *testing.T) {
	if os.Getenv("REFSCOPE_TS_SDK") == "" {
		testneed.Extra(t, "REFSCOPE_TS_SDK names no folder of @modelcontextprotocol/sdk: its client is not tried")
	}
	node := testneed.Program(t, "node", "the TypeScript client needs it")
	r := newRig(t, true, func(o *mcp.Options) { o.Session = "ts" })
	cmd := exec.CommandContext(chrometest.Context(t), node, filepath.Join("testdata", "client.mjs"), "http", r.url, demo(t))
	cmd.Env = append(os.Environ(), "TOKEN="+token)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), errs.String())
	t.Log(out.String())
	var said struct{ Calls, Turns int }
	require.NoError(t, json.Unmarshal(out.Bytes(), &said))
	require.Len(t, r.turns("ts"), said.Calls)
	require.Empty(t, r.server.Sessions())
}
