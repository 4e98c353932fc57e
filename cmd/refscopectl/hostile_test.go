package main

import (
	"encoding/json"
	"fmt"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// Every door to a page that keeps its main thread for ever closes by itself, with a
// sentence that names the time it was given. The pages themselves are tried in capture/session.
func TestHostilePageEndsEveryCommand(t *testing.T) {
	testneed.Long(t, "every command on a hostile page")
	u := newUser(t)
	const sentence = "it did not answer within 5s: its main thread is busy with a script"
	url := chrometest.Page(t, chrometest.Hostile()["endless loop"])
	t.Run("of its own browser", func(t *testing.T) { // each waits, so they wait together
		doors := [][]string{{"snap"}, {"mark", "-o", "marked.png"}, {"turn", "--session", "hostile"}, {"audit"}}
		for _, c := range doors {
			t.Run(c[0], func(t *testing.T) {
				t.Parallel()
				code, _, stderr := u.run(append(c, "--quiet", "--timeout", "5s", url)...)
				require.Equal(t, 1, code, stderr)
				// Where the machine is so busy that the document has not begun by then, that is what is said.
				require.Regexp(t, sentence+"|the page did not answer in time: try again", stderr)
			})
		}
	})
	t.Run("run", func(t *testing.T) {
		tab := u.open("about:blank")
		r := u.steps(nil, fmt.Sprintf(`{"tab":%q,"timeout":5000,"steps":[{"goto":%q}]}`, tab, url))
		// Its document has begun, or has not: either way what is asked of it then is not answered.
		require.Regexp(t, "did not answer within|did not answer in time|has not begun", fmt.Sprint(r.Note, r.Error, r.Steps))
		for _, step := range []string{`{"click":"button"}`, `{"snapshot":{}}`} {
			r := u.steps(nil, fmt.Sprintf(`{"tab":%q,"timeout":5000,"steps":[%s]}`, tab, step))
			require.Equal(t, "error", r.Status, step)
			require.Contains(t, r.Steps[0].Error, "its main thread is busy with a script", step)
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
			args := json.RawMessage(`{"timeout":5000,"steps":[` + step + `]}`)
			res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "run_steps", Arguments: args})
			require.NoError(t, err)
			text, err := json.Marshal(res.Content)
			require.NoError(t, err)
			require.Contains(t, string(text), "its main thread is busy with a script")
		}
	})
}
