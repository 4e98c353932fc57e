package session_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// TestPeers times captures beside Playwright's AI snapshot and agent-browser: the same pages,
// the same Chrome, one run. It runs where $REFSCOPE_PEERS names a node_modules folder that has
// playwright-core; `go run ./cmd/dev bench -peers` makes one. It reports, for people: timings
// belong to a machine.
func TestPeers(t *testing.T) {
	modules := os.Getenv("REFSCOPE_PEERS")
	if modules == "" {
		testneed.Extra(t, "REFSCOPE_PEERS names no node_modules with playwright-core: peers are not timed")
	}
	chromePath, err := browser.Find("")
	require.NoError(t, err)
	const runs, firsts = 15, 5
	var table strings.Builder
	fmt.Fprintf(&table, "ms: the least of %d first captures, the median of %d more, of agent-browser's whole command\n", firsts, runs)
	fmt.Fprintf(&table, "%9s | %7s %10s %5s | %8s %10s %5s | %9s %5s %13s\n", "elements", "first", "Playwright", "ratio",
		"repeated", "Playwright", "ratio", "unchanged", "ratio", "agent-browser")
	for _, n := range []int{100, 674, 2500} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		url := chrometest.Page(t, chrometest.Rows(n))
		first, elements := firstCapture(ctx, t, url, firsts)
		repeated := repeatedCapture(ctx, t, url, runs, true)
		same := repeatedCapture(ctx, t, url, runs, false)
		out, err := exec.CommandContext(ctx, "node", "testdata/peer.mjs", modules, chromePath, strconv.Itoa(runs),
			strconv.Itoa(firsts), url).Output()
		require.NoError(t, err)
		var theirFirst, theirRepeated float64
		_, err = fmt.Sscan(string(out), &theirFirst, &theirRepeated)
		require.NoError(t, err)
		fmt.Fprintf(&table, "%9d | %7.1f %10.1f %5.2f | %8.1f %10.1f %5.2f | %9.1f %5.2f %13s\n", elements, first, theirFirst,
			first/theirFirst, repeated, theirRepeated, repeated/theirRepeated, same, same/theirRepeated, agentBrowser(ctx, modules, chromePath, url, runs))
		cancel()
	}
	t.Log("\n" + table.String())
}

// textOnly is a capture as a text needs it, without the wait for a quiet page, ms.
func textOnly(ctx context.Context, t *testing.T, tab *browser.Tab, fresh bool) (ms float64, elements int) {
	forget(tab, fresh)
	shot, err := session.Take(ctx, tab, session.Options{NoPicture: true})
	require.NoError(t, err)
	return shot.Capture.Timings.Total - shot.Capture.Timings.Settle, len(shot.Capture.Nodes)
}

// firstCapture is the least of a number of first captures, each of a browser of its own.
func firstCapture(ctx context.Context, t *testing.T, url string, times int) (least float64, elements int) {
	least = 1e9
	for range times {
		b, err := browser.Start(ctx, browser.Options{Flags: chrometest.Flags()})
		require.NoError(t, err)
		tab, err := b.OpenTab(ctx)
		require.NoError(t, err)
		require.NoError(t, tab.NavigateUntil(ctx, url, browser.UntilNetwork))
		ms, n := textOnly(ctx, t, tab, true)
		least, elements = min(least, ms), n
		require.NoError(t, b.Close())
	}
	return least, elements
}

// repeatedCapture is the median of captures of a page that has been captured before: each reads it, or none has to.
func repeatedCapture(ctx context.Context, t *testing.T, url string, times int, fresh bool) float64 {
	tab := chrome.Open(t, url)
	_, _ = textOnly(ctx, t, tab, fresh)
	var all []float64
	for range times {
		ms, _ := textOnly(ctx, t, tab, fresh)
		all = append(all, ms)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// agentBrowser is the median time of agent-browser's snapshot command in its running
// browser, or why there is none.
func agentBrowser(ctx context.Context, modules, chromePath, url string, times int) string {
	program := filepath.Join(modules, ".bin", "agent-browser")
	if _, err := os.Stat(program); err != nil {
		return "not there"
	}
	command := func(args ...string) error {
		cmd := exec.CommandContext(ctx, program, append([]string{"--session", "refscope-peers"}, args...)...)
		cmd.Env = append(os.Environ(), "AGENT_BROWSER_EXECUTABLE_PATH="+chromePath, "AGENT_BROWSER_ARGS=--no-sandbox")
		return cmd.Run()
	}
	if err := command("open", url); err != nil {
		return "did not open the page: " + err.Error()
	}
	defer func() { _ = command("close") }()
	var all []float64
	for range times {
		began := time.Now()
		if err := command("snapshot"); err != nil {
			return "took no snapshot: " + err.Error()
		}
		all = append(all, float64(time.Since(began).Microseconds())/1000)
	}
	slices.Sort(all)
	return fmt.Sprintf("%.1f", all[len(all)/2])
}
