package dump

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
	o200k "github.com/refscope/refscope/snapshot/tokens"
)

// TestBudgetsOnRealPages cuts, filters and counts captures of real pages.
func TestBudgetsOnRealPages(t *testing.T) {
	var counter o200k.Counter
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		for _, f := range Formats() {
			checkCapture(t, c, f, &counter)
		}
	})
}

func checkCapture(t *testing.T, c *snapshot.Capture, f Format, counter *o200k.Counter) {
	whole := render(t, c, f, Options{MaxChars: -1})
	rs := Regions(c, whole, counter.Spread)
	require.Equal(t, counter.Count(whole.Text), rs[0].All.Tokens)
	require.Equal(t, len(whole.Text), rs[0].All.Bytes)

	o := Options{MaxChars: -1, MaxTokens: 1_000, CountTokens: counter.Count}
	d := render(t, c, f, o)
	accounted(t, c, whole, d)
	if d.Truncated {
		require.Less(t, counter.Count(d.Text), max(1_001, floor(t, c, f, counter)+1))
	}
	o = Options{MaxChars: -1, MaxNodes: 100}
	d = render(t, c, f, o)
	accounted(t, c, whole, d)

	d = render(t, c, f, Options{MaxChars: -1, SummariseRepeats: true})
	accounted(t, c, whole, d)
	require.LessOrEqual(t, len(d.Text), len(whole.Text))

	d = render(t, c, f, Options{MaxChars: -1, Query: "search the newest comment"})
	accounted(t, c, whole, d)
	passed, found := map[int]bool{}, 0
	for _, o := range d.Omitted {
		passed[o.Node] = passed[o.Node] || o.Reason == ReasonQuery // in full, a tag around what was found
	}
	for n := range nodesOf(d) {
		if c.Node(n).Verdict.Kept() && !passed[n] {
			found++
		}
	}
	require.LessOrEqual(t, found, mostFound)
}

// mostFound is what a query chooses at most.
const mostFound = 50

// floor is the tokens of what is never cut.
func floor(t *testing.T, c *snapshot.Capture, f Format, counter *o200k.Counter) int {
	return counter.Count(render(t, c, f, Options{MaxChars: 1}).Text)
}
