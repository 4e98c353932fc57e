package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

// A run of unmodified chrome-devtools-mcp over the demo shop, whose tool says that it clicked: the click landed on a
// cookie banner. Every command answers with the agent's own number, without a browser.
func TestAMissedClickOfARecordedAgent(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(testneed.Repository(t), "cmd", "dev", "testdata", "agent.refscope")
	code, _, stderr := ctl(t, "--home", home, "session", "import", file, "--session", "agent")
	require.Equal(t, 0, code, stderr)
	for _, c := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"session", "show", "agent"}, 0, []string{"gpt-4o · list_pages  ",
			"chrome-devtools-mcp · click “Add Heron gooseneck kettle to t", "· The kettle is in the basket, and the checkout is open.  "}},
		{[]string{"doctor", "agent#4"}, 0, []string{"answer: click 1_43 → [29]",
			`[29] button "Add Heron gooseneck kettle to the basket" is covered by [82] dialog "Cookies"`}},
		{[]string{"why", "agent#4", "1_43"}, 0, []string{"1_43 as the model was given it",
			`cover     A click at its click point (291,623) reaches [82] section (dialog) "Cookies"`}},
		{[]string{"find", "agent#4", "--number", "1_43"}, 0, []string{`1_43 [29] button "Add Heron gooseneck kettle to the basket"`}},
		{[]string{"snap", "agent#4", "--format", "sent"}, 0, []string{`uid=1_43 button "Add Heron gooseneck kettle to the basket"`}},
		{[]string{"payload", "agent#4", "--dialect", "openai-chat", "--dump", "sent"}, 0, []string{
			`uid=1_43 button \"Add Heron gooseneck kettle to the basket\"`, `1_18 button \"Basket 2\"`}},
		{[]string{"audit", "agent#4", "--as-sent"}, 0, []string{"chrome-devtools-mcp"}},
	} {
		code, out, stderr := ctl(t, append([]string{"--home", home}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, stderr)
		for _, want := range c.want {
			require.Contains(t, out, want, "%v", c.args)
		}
	}
	for _, args := range [][]string{{"snap", "agent#1", "--format", "sent"}, {"mark", "agent#1", "--numbers", "agent", "-o", filepath.Join(home, "out.png")},
		{"diff", "agent#1", "agent#4", "--as-sent"}, {"payload", "agent#1", "--dialect", "qwen", "--dump", "sent"}} {
		code, _, stderr := ctl(t, append([]string{"--home", home}, args...)...)
		require.Equal(t, 1, code, "%v", args)
		require.Contains(t, stderr, "agent#1 has no text as it was sent: its request lists no elements of a page", "%v", args)
	}
}
