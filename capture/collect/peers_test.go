package collect_test

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// TestPeers times captures beside Playwright's AI snapshot: the same pages, the same
// Chrome, one run. It runs where $REFSCOPE_PEERS names a node_modules folder that has
// playwright-core; `go run ./cmd/dev bench --peers` makes one. It reports, for people:
// timings belong to a machine.
func TestPeers(t *testing.T) {
	modules := os.Getenv("REFSCOPE_PEERS")
	if modules == "" {
		testneed.Extra(t, "REFSCOPE_PEERS names no node_modules with playwright-core: peers are not timed")
	}
	chromePath, err := browser.Find("")
	require.NoError(t, err)
	const runs = 15
	var urls []string
	rows := []int{100, 674, 2500}
	for _, n := range rows {
		urls = append(urls, chrometest.Page(t, chrometest.Rows(n)))
	}
	ctx := chrometest.Context(t)
	for _, url := range urls {
		tab := chrome.Open(t, url)
		var times []float64
		var walk, hit, listeners []float64
		nodes := 0
		for range runs + 1 {
			began := time.Now()
			res, err := collect.Read(ctx, tab, collect.Options{})
			require.NoError(t, err)
			times = append(times, float64(time.Since(began).Microseconds())/1000)
			walk, hit, listeners = append(walk, res.Capture.Timings.Walk), append(hit, res.Capture.Timings.Hit), append(listeners, res.Capture.Timings.Listeners)
			nodes = len(res.Capture.Nodes)
			res.Release(ctx)
		}
		ours := median(times[1:])
		out, err := exec.CommandContext(ctx, "node", "testdata/peer.mjs", modules, chromePath, strconv.Itoa(runs), url).Output()
		require.NoError(t, err)
		theirs, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		require.NoError(t, err)
		t.Logf("%6d elements: %7.1f ms (walk %.1f, hit %.1f, listeners %.1f), Playwright %7.1f ms, ratio %.2f",
			nodes, ours, median(walk[1:]), median(hit[1:]), median(listeners[1:]), theirs, ours/theirs)
	}
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
