package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
)

// Commands that read a page do it in the browser of run where one runs, in tabs that see nothing of the others' and
// leave nothing behind; --fresh starts their own.
func TestCommandsShareTheBrowserOfRun(t *testing.T) {
	testneed.Long(t, "commands that share a browser")
	u := newUser(t)
	var mu sync.Mutex
	shared, cookies := false, "" // what the request for a page's picture was sent with
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/i.png" {
			mu.Lock()
			defer mu.Unlock()
			shared, cookies = q.UserAgent() == "of-run", q.Header.Get("Cookie")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Read</title><h1>Here</h1><img src=/i.png>`)
	}))
	run := func(args ...string) (was bool, sent string) {
		code, _, stderr := u.run(append([]string{"--quiet"}, args...)...)
		require.Equal(t, 0, code, stderr)
		mu.Lock()
		defer mu.Unlock()
		return shared, cookies
	}
	was, _ := run("snap", site+"read")
	require.False(t, was, "no browser runs")
	run("--chrome-flag", "user-agent=of-run", fmt.Sprintf(`{"steps":[{"openTab":%q},{"cookies":{"set":[{"name":"who","value":"me","url":%q}]}}]}`, site, site))
	for _, args := range [][]string{
		{"snap", site + "read"}, {"mark", site + "read", "-o", "m.png"}, {"turn", site + "read", "-o", "turns"},
	} {
		was, sent := run(args...)
		require.True(t, was, args)
		require.Empty(t, sent, args)
		was, _ = run(append([]string{"--fresh"}, args...)...)
		require.False(t, was, args)
	}
	_, sent := run(`{"tab":"t1","steps":[{"reload":true}]}`)
	require.Equal(t, "who=me", sent)
	_, list, _ := u.run("--quiet", `{"steps":[{"listTabs":true}]}`)
	require.NotContains(t, list, "/read")
}

// What was typed by run is known to commands that read its tabs in processes of their own: the broker tells them. A
// page that shows it, split over elements and in its title, does not give it away.
func TestWhatWasTypedIsKnownBesideTheBroker(t *testing.T) {
	u := newGuest(t)
	const secret = "kT7-hunter2-Zq"
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><input type=password id=pw><p id=echo></p><script>pw.oninput = () => {
			const v = pw.value;
			document.title = 'Hi ' + v;
			echo.innerHTML = 'You are <b>' + v.slice(0, 6) + '</b><i>' + v.slice(6) + '</i>';
			pw.remove();
		}</script>`)
	}))
	_, out, errs := u.run("--quiet", fmt.Sprintf(
		`{"steps":[{"openTab":%q},{"fill":{"selector":"#pw","value":%q}}]}`, site, secret))
	require.Contains(t, out, `"filled":true`, errs)
	for _, args := range [][]string{
		{"snap", "t1"}, {"snap", "t1", "--format", "capture", "--all"}, {"browser", "tabs"}, {"--json", "browser", "tabs"},
		{"--no-broker", "run", `{"tab":"t1","steps":[{"snapshot":true},{"listTabs":true}]}`},
	} {
		_, out, errs := u.run(args...)
		require.Contains(t, out, "redacted: password", "%s %s", args, errs)
		require.NotContains(t, out+errs, secret, args)
		require.NotContains(t, out, "hunter", args)
	}
}

// What an agent typed by MCP is known to commands in processes of their own, and still when the server has left.
func TestWhatWasTypedByMCPIsKnownElsewhere(t *testing.T) {
	testneed.Long(t, "two programs")
	u := newGuest(t)
	const secret = "kT7-hunter2-Zq"
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>In</title><input type=password id=pw><p id=echo></p>`+
			`<script>pw.oninput = () => { echo.textContent = 'You are ' + pw.value; pw.remove() }</script>`)
	}))
	c := sdk.NewClient(&sdk.Implementation{Name: "typist", Version: "1"}, nil)
	cs, err := c.Connect(t.Context(), &sdk.CommandTransport{Command: u.command("--quiet", "mcp", "--keep")}, nil)
	require.NoError(t, err)
	call := func(tool string, args map[string]any) {
		res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		require.NoError(t, err)
		said, err := json.Marshal(res.Content)
		require.NoError(t, err)
		require.False(t, res.IsError, string(said))
	}
	call("browse_navigate", map[string]any{"url": site})
	call("browse_fill", map[string]any{"ref": 1, "value": secret})
	for range 2 {
		_, out, errs := u.run("--quiet", "snap", "t1")
		require.Contains(t, out, "redacted: password", errs)
		require.NotContains(t, out+errs, "hunter")
		require.NoError(t, cs.Close())
	}
}
