package main

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

// hostileSlack is what a command may take beside its --timeout: for the program, and for
// Chrome to start and to end, on a machine that does more than this. How long the page
// itself is waited for is measured in capture/session.
const (
	hostileTimeout = 5 * time.Second
	hostileSlack   = 20 * time.Second
)

// Every door to a page that keeps its main thread for ever closes in time, with a
// sentence. The pages themselves are tried in capture/session.
func TestHostilePageEndsEveryCommand(t *testing.T) {
	u := newUser(t)
	const sentence = "it did not answer within 5s: a script keeps its main thread busy"
	url := chrometest.Page(t, chrometest.Hostile()["endless loop"])
	ends := func(t *testing.T, began time.Time) {
		t.Helper()
		took := time.Since(began)
		t.Logf("%.1f s", took.Seconds())
		require.Less(t, took, hostileTimeout+hostileSlack)
	}
	t.Run("of its own browser", func(t *testing.T) { // each waits, so they wait together
		for _, c := range [][]string{{"snap"}, {"turn", "--session", "hostile"}, {"mark", "-o", "marked.png"}, {"audit"}} {
			t.Run(c[0], func(t *testing.T) {
				t.Parallel()
				began := time.Now()
				code, _, stderr := u.run(append(c, "--quiet", "--timeout", hostileTimeout.String(), url)...)
				require.Equal(t, 1, code, stderr)
				require.Contains(t, stderr, sentence)
				ends(t, began)
			})
		}
	})
	t.Run("run", func(t *testing.T) {
		tab := u.open(url)
		for _, step := range []string{`{"snapshot":{}}`, `{"click":"button"}`} {
			began := time.Now()
			r := u.steps(nil, fmt.Sprintf(`{"tab":%q,"timeout":5000,"steps":[%s]}`, tab, step))
			require.Equal(t, "error", r.Status, step)
			require.Contains(t, r.Steps[0].Error, "a script keeps its main thread busy", step)
			ends(t, began)
		}
		require.Equal(t, "ok", u.steps(nil, fmt.Sprintf(`{"tab":%q,"steps":[{"closeTab":{}}]}`, tab)).Status)
	})
	t.Run("mcp", func(t *testing.T) {
		c := sdk.NewClient(&sdk.Implementation{Name: "go-test", Version: "1"}, nil)
		cs, err := c.Connect(t.Context(), &sdk.CommandTransport{Command: u.command("mcp", "--quiet", "--attach",
			u.address())}, nil)
		require.NoError(t, err)
		defer cs.Close()
		for _, step := range []string{`{"openTab":"` + url + `"}`, `{"click":"button"}`} {
			began := time.Now()
			args := json.RawMessage(`{"timeout":5000,"steps":[` + step + `]}`)
			res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "run_steps", Arguments: args})
			require.NoError(t, err)
			text, err := json.Marshal(res.Content)
			require.NoError(t, err)
			ends(t, began)
			require.Contains(t, string(text), "a script keeps its main thread busy")
		}
	})
}
