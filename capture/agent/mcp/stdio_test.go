package mcp_test

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/tabs"
)

// A line that is not a message is answered with the error of JSON-RPC for it, and ends nothing.
func TestABrokenLineEndsNothing(t *testing.T) {
	s, err := mcp.New(mcp.Options{HostOptions: tabs.Options{Home: t.TempDir()}, Files: t.TempDir()})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(t.Context(), inR, outW) }()
	out := bufio.NewReader(outR)
	say := func(line string) {
		_, err := io.WriteString(inW, line+"\n")
		require.NoError(t, err)
	}
	answer := func() (a struct {
		ID     any
		Result json.RawMessage
		Error  struct{ Code int }
	}) {
		line, err := out.ReadBytes('\n')
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(line, &a), string(line))
		return a
	}
	for line, code := range map[string]int{
		"Welcome!": -32700, `{"jsonrpc":"2.0","id":1,`: -32700, `{"id":1}`: -32600, `"text"`: -32600, `[{}]`: -32600,
		strings.Repeat("x", 17<<20): -32700,
	} {
		say(line)
		require.Equal(t, code, answer().Error.Code, "%.40s", line)
	}
	say("")
	say(`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`)
	a := answer()
	require.EqualValues(t, 7, a.ID)
	require.Contains(t, string(a.Result), "serverInfo")
	say(`{oops`)
	require.Equal(t, -32700, answer().Error.Code)
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	say(`{"jsonrpc":"2.0","id":8,"method":"tools/list"}`)
	a = answer()
	require.EqualValues(t, 8, a.ID)
	require.Contains(t, string(a.Result), "browse_click")
	require.NoError(t, inW.Close())
	require.NoError(t, <-done)
}
