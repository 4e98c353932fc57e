package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

// A warm command, whole process: one snapshot step on an 800-element page with its
// picture and its turn. Where $AGENT_BROWSER names the program of npm's agent-browser,
// its snapshot of the same page in the same browser is measured beside it.
func BenchmarkWarmSnapshot(b *testing.B) {
	u := newUser(b)
	url := chrometest.Page(b, chrometest.Rows(110))
	tab := u.open(url)
	input := `{"tab":"` + tab + `","steps":[{"snapshot":true}]}`
	b.Run("refscopectl", func(b *testing.B) {
		for b.Loop() {
			if code, stdout, _ := u.run("--quiet", "--attach", u.address(), input); code != 0 {
				b.Fatal(stdout)
			}
		}
	})
	other := os.Getenv("AGENT_BROWSER")
	if other == "" {
		return
	}
	call := func(args ...string) {
		c := exec.Command(other, args...)
		c.Env = append(os.Environ(), "AGENT_BROWSER_SESSION=refscope-bench")
		out, err := c.CombinedOutput()
		require.NoError(b, err, string(out))
	}
	call("connect", u.port)
	defer call("close")
	call("open", url)
	b.Run("agent-browser", func(b *testing.B) {
		for b.Loop() {
			call("snapshot")
		}
	})
}
