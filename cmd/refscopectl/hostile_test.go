package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

// hostileSlack is what a command may take beside its --timeout: for the program, and for
// Chrome to start and to end. The machine that runs the tests does more than these.
const hostileSlack = 8 * time.Second

// Every door to a page that keeps its main thread for ever closes in time, with a
// sentence. The pages themselves are tried in capture/session.
func TestHostilePageEndsEveryCommand(t *testing.T) {
	u := newUser(t)
	const sentence = "it did not answer within 2s: a script keeps its main thread busy"
	pages := chrometest.Hostile()
	for _, name := range []string{"endless loop", "alert loop"} {
		url := chrometest.Page(t, pages[name])
		for _, c := range [][]string{{"snap"}, {"turn", "--session", "hostile"}, {"mark", "-o", "marked.png"}, {"audit"}} {
			t.Run(name+"/"+c[0], func(t *testing.T) {
				began := time.Now()
				code, _, stderr := u.run(append(c, "--quiet", "--timeout", "2s", url)...)
				require.Equal(t, 1, code, stderr)
				require.Contains(t, stderr, sentence)
				require.Less(t, time.Since(began), 2*time.Second+hostileSlack)
			})
		}
	}
	url := chrometest.Page(t, pages["endless loop"])
	for _, step := range []string{`{"snapshot":{}}`, `{"click":"button"}`} {
		t.Run("run/"+step, func(t *testing.T) {
			tab := u.open(url)
			began := time.Now()
			r := u.steps(nil, fmt.Sprintf(`{"tab":%q,"timeout":2000,"steps":[%s]}`, tab, step))
			require.Equal(t, "error", r.Status)
			require.Contains(t, r.Steps[0].Error, sentence)
			require.Less(t, time.Since(began), 2*time.Second+hostileSlack)
			require.Equal(t, "ok", u.steps(nil, fmt.Sprintf(`{"tab":%q,"steps":[{"closeTab":{}}]}`, tab)).Status)
		})
	}
	t.Run("mcp", func(t *testing.T) {
		c := sdk.NewClient(&sdk.Implementation{Name: "go-test", Version: "1"}, nil)
		cs, err := c.Connect(t.Context(), &sdk.CommandTransport{Command: u.command("mcp", "--quiet", "--attach", u.address())}, nil)
		require.NoError(t, err)
		defer cs.Close()
		for _, step := range []string{`{"goto":"` + url + `"}`, `{"snapshot":{}}`, `{"click":"button"}`} {
			began := time.Now()
			args := json.RawMessage(`{"timeout":2000,"steps":[` + step + `]}`)
			res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "run_steps", Arguments: args})
			require.NoError(t, err)
			text, err := json.Marshal(res.Content)
			require.NoError(t, err)
			t.Logf("%s: %.1f s: %.300s", step, time.Since(began).Seconds(), text)
			require.Less(t, time.Since(began), 2*time.Second+hostileSlack, step)
			if !strings.Contains(step, "goto") {
				require.True(t, res.IsError)
				require.Contains(t, string(text), "a script keeps its main thread busy")
			}
		}
	})
}
