package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// TestPagesASecond builds a data set of the saved pages, each in three windows, with several numbers of jobs, where
// $REFSCOPE_PAGES is set; `go run ./cmd/dev bench -pages` sets it. It reports, for people: timings belong to a machine.
func TestPagesASecond(t *testing.T) {
	if os.Getenv("REFSCOPE_PAGES") == "" {
		testneed.Extra(t, "REFSCOPE_PAGES is not set: the pages a second of a data set are not timed")
	}
	needChrome(t)
	var pages []string
	for _, kind := range []testpages.Kind{testpages.Articles, testpages.Forms} {
		for _, f := range testpages.Folders(t, kind) {
			for _, name := range f.Pages(t) {
				pages = append(pages, filepath.Join(f.Path, name))
			}
		}
	}
	list := filepath.Join(t.TempDir(), "pages.txt")
	require.NoError(t, os.WriteFile(list, []byte(strings.Join(pages, "\n")), 0o600))
	var table strings.Builder
	windows := []string{"1280x720", "1440x900", "1024x768"}
	n := float64(len(pages) * len(windows))
	fmt.Fprintf(&table, "dataset build of %g pages, the start of Chrome included\n", n)
	fmt.Fprintf(&table, "%4s | %8s %10s | %11s %20s\n", "jobs", "s", "settling s", "pages a s", "without settling")
	for _, jobs := range []int{1, 2, 4} {
		dir := t.TempDir()
		spans := filepath.Join(dir, "trace.json")
		began := time.Now()
		code, _, errs := ctl(t, "--fresh", "--trace", spans, "dataset", "build", list, "-o", filepath.Join(dir, "set"),
			"--as", "screenspot", "--device", strings.Join(windows, ","), "--jobs", strconv.Itoa(jobs))
		whole := time.Since(began).Seconds()
		require.Zero(t, code, errs)
		settling := settlingIn(t, spans) / float64(jobs) // as many pages settle at a time
		fmt.Fprintf(&table, "%4d | %8.1f %10.1f | %11.2f %20.2f\n", jobs, whole, settling, n/whole, n/(whole-settling))
	}
	t.Log("\n" + table.String())
}

// settlingIn is how long the turns of a trace waited for quiet pages, s, all together.
func settlingIn(t *testing.T, name string) float64 {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	var spans struct {
		Events []struct {
			Name string  `json:"name"`
			Took float64 `json:"dur"` // µs
		} `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(data, &spans))
	sum := 0.0
	for _, e := range spans.Events {
		if e.Name == "settle" {
			sum += e.Took / 1e6
		}
	}
	require.Positive(t, sum)
	return sum
}
