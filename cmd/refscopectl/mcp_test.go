package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

func demoSite(t testing.TB) string {
	t.Helper()
	srv := httptest.NewServer(http.FileServerFS(assets.Demo()))
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}

// sessionTurns are the turns of a session of the user's, which must be whole.
func (u *user) sessionTurns(name string) []turn.Summary {
	u.t.Helper()
	s, err := turn.Open(turn.Dir(turn.SessionDir(u.home, name)))
	require.NoError(u.t, err)
	defer s.Close()
	damage, err := s.Check(u.t.Context())
	require.NoError(u.t, err)
	require.True(u.t, turn.Whole(damage), damage)
	list, _, err := s.List(u.t.Context())
	require.NoError(u.t, err)
	return list
}

// The program over stdio, as a client starts it, and its session as the other commands
// see it.
func TestMCPOnStdio(t *testing.T) {
	u := newUser(t)
	site := demoSite(t)
	c := sdk.NewClient(&sdk.Implementation{Name: "go-test", Version: "1"}, nil)
	cmd := u.command("mcp", "--session", "agent", "--attach", u.address())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	cs, err := c.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "browse_navigate",
		Arguments: map[string]any{"url": site + "checkout.html"}})
	require.NoError(t, err)
	require.False(t, res.IsError)
	require.NoError(t, cs.Close())
	require.Empty(t, errs.String(), "standard error says nothing where all is well")
	require.Len(t, u.sessionTurns("agent"), 1)
	code, out, stderr := u.run("session", "check", "agent")
	require.Equal(t, 0, code, out+stderr)
	code, out, _ = u.run("payload", "agent#1", "--stored", "list")
	t.Log(code, out)
	if sdkFolder := os.Getenv("REFSCOPE_TS_SDK"); sdkFolder == "" {
		t.Log("REFSCOPE_TS_SDK names no folder of @modelcontextprotocol/sdk: its client is not tried")
	} else if node, err := exec.LookPath("node"); err == nil {
		self, err := os.Executable()
		require.NoError(t, err)
		program, err := json.Marshal([]string{self, "mcp", "--session", "ts", "--attach", u.address()})
		require.NoError(t, err)
		script := filepath.Join("..", "..", "capture", "agent", "mcp", "testdata", "client.mjs")
		cmd := exec.CommandContext(t.Context(), node, script, "stdio", string(program), site)
		cmd.Env = u.env
		said, err := cmd.Output()
		require.NoError(t, err, "%s", said)
		t.Logf("%s", said)
		require.Len(t, u.sessionTurns("ts"), 10)
	}
}

// The program over HTTP: its token, its end by a signal in mid-session.
func TestMCPOverHTTP(t *testing.T) {
	u := newGuest(t)
	site := demoSite(t)
	cmd := u.command("mcp", "--http", "127.0.0.1:0", "--session", "web", "--attach", u.address())
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	var out bytes.Buffer
	cmd.Stdout = &out
	require.NoError(t, cmd.Start())
	lines := bufio.NewReader(stderr)
	first, err := lines.ReadString('\n')
	require.NoError(t, err)
	second, err := lines.ReadString('\n')
	require.NoError(t, err)
	address := strings.TrimSpace(strings.TrimPrefix(first, "MCP server at "))
	token := regexp.MustCompile(`^Bearer token: (\S{26})\n$`).FindStringSubmatch(second)
	require.NotNil(t, token, second)
	c := sdk.NewClient(&sdk.Implementation{Name: "go-test", Version: "1"}, nil)
	cs, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: address,
		HTTPClient: &http.Client{Transport: withToken(token[1])}}, nil)
	require.NoError(t, err)
	res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "browse_navigate",
		Arguments: map[string]any{"url": site}})
	require.NoError(t, err)
	require.False(t, res.IsError)
	_, err = sdk.NewClient(&sdk.Implementation{Name: "x", Version: "1"}, nil).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: address}, nil)
	require.ErrorContains(t, err, "Unauthorized")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
	require.Empty(t, out.String())
	require.Len(t, u.sessionTurns("web"), 1)
}

// withToken sends a bearer token with each request.
type withToken string

func (w withToken) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.Header.Set("Authorization", "Bearer "+string(w))
	return http.DefaultTransport.RoundTrip(q)
}

func TestMCPCalls(t *testing.T) {
	home := t.TempDir()
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"mcp", "now"}, 2, "it takes flags only"},
		{[]string{"mcp", "--format", "html"}, 2, "choose from"},
		{[]string{"mcp", "--http", "8931"}, 2, "HOST:PORT"},
		{[]string{"mcp", "--http", "0.0.0.0:8931"}, 2, "--allow-remote"},
		{[]string{"mcp", "--http", ":8931"}, 2, "--allow-remote"},
		{[]string{"mcp", "--token-file", "x"}, 2, "go with --http"},
		{[]string{"mcp", "--session", "../x", "--config", "cursor"}, 2, "--session"},
		{[]string{"mcp", "--config", "emacs"}, 2, "claude-code | claude-desktop"},
		{[]string{"mcp", "--config", "claude-desktop", "--http", "127.0.0.1:1"}, 2, "starts its servers itself"},
		{[]string{"mcp", "--config", "cursor", "--session", "shop"}, 0, `"--session",`},
		{[]string{"mcp", "--help"}, 0, "-token-file"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(context.Background(), append([]string{"--home", home}, tt.args...), &out, &errs)
			require.Equal(t, tt.code, code, errs.String())
			require.Contains(t, out.String()+errs.String(), tt.want)
		})
	}
}
