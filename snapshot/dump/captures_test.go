package dump

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	o200k "github.com/refscope/refscope/snapshot/tokens"
)

// TestBudgetsOnRealPages cuts, filters and counts captures of real pages: JSON files
// of `snap --format capture --all` in the folders that REFSCOPE_CAPTURES lists.
func TestBudgetsOnRealPages(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("REFSCOPE_CAPTURES"))
	if len(dirs) == 0 {
		t.Skip("no REFSCOPE_CAPTURES: set it to folders with captures of real pages")
	}
	var counter o200k.Counter
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, files, dir)
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				raw, err := os.ReadFile(file)
				require.NoError(t, err)
				var c snapshot.Capture
				require.NoError(t, json.Unmarshal(raw, &c))
				for _, f := range Formats() {
					checkCapture(t, &c, f, &counter)
				}
			})
		}
	}
}

func checkCapture(t *testing.T, c *snapshot.Capture, f Format, counter *o200k.Counter) {
	whole := render(t, c, f, Options{MaxChars: -1})
	rs := Regions(c, whole, counter.Spread)
	require.Equal(t, counter.Count(whole.Text), rs[0].All.Tokens)
	require.Equal(t, len(whole.Text), rs[0].All.Bytes)

	o := Options{MaxChars: -1, MaxTokens: 1_000, CountTokens: counter.Count}
	d := render(t, c, f, o)
	accounted(t, whole, d)
	if d.Truncated {
		require.Less(t, counter.Count(d.Text), max(1_001, floor(t, c, f, counter)+1))
	}
	o = Options{MaxChars: -1, MaxNodes: 100}
	d = render(t, c, f, o)
	accounted(t, whole, d)

	d = render(t, c, f, Options{MaxChars: -1, SummariseRepeats: true})
	accounted(t, whole, d)
	require.LessOrEqual(t, len(d.Text), len(whole.Text))

	d = render(t, c, f, Options{MaxChars: -1, Query: "search the newest comment"})
	accounted(t, whole, d)
	require.LessOrEqual(t, elements(d), mostFound)
}

// mostFound is what a query chooses at most.
const mostFound = 50

// floor is the tokens of what is never cut.
func floor(t *testing.T, c *snapshot.Capture, f Format, counter *o200k.Counter) int {
	return counter.Count(render(t, c, f, Options{MaxChars: 1}).Text)
}
