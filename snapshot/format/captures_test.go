package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/testpages"
	o200k "github.com/refscope/refscope/snapshot/tokens"
)

// TestBudgetsOnRealPages cuts, filters and counts captures of real pages.
func TestBudgetsOnRealPages(t *testing.T) {
	var counter o200k.Counter
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		for _, f := range format.Names() {
			checkCapture(t, c, f, &counter)
		}
	})
}

func checkCapture(t *testing.T, c *snapshot.Capture, f dump.Format, counter *o200k.Counter) {
	whole := readback.Render(t, c, f, format.Options{Common: dump.Common{MaxChars: -1}})
	rs := dump.Regions(c, whole, counter.Spread)
	require.Equal(t, counter.Count(whole.Text), rs[0].All.Tokens)
	require.Equal(t, len(whole.Text), rs[0].All.Bytes)

	o := format.Options{Common: dump.Common{MaxChars: -1, MaxTokens: 1_000, CountTokens: counter.Count}}
	d := readback.Render(t, c, f, o)
	accounted(t, c, whole, d)
	if d.Truncated {
		require.Less(t, counter.Count(d.Text), max(1_001, floor(t, c, f, counter)+1))
	}
	o = format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: 100}}
	d = readback.Render(t, c, f, o)
	accounted(t, c, whole, d)

	d = readback.Render(t, c, f, format.Options{Common: dump.Common{MaxChars: -1, SummariseRepeats: true}})
	accounted(t, c, whole, d)
	require.LessOrEqual(t, len(d.Text), len(whole.Text))

	d = readback.Render(t, c, f, format.Options{Common: dump.Common{MaxChars: -1, Query: "search the newest comment"}})
	accounted(t, c, whole, d)
	passed, found := map[int]bool{}, 0
	for _, o := range d.Omitted {
		passed[o.Node] = passed[o.Node] || o.Reason == dump.ReasonQuery // in full, a tag around what was found
	}
	for n := range elementsOf(d) {
		if c.Node(n).Verdict.Kept() && !passed[n] {
			found++
		}
	}
	require.LessOrEqual(t, found, mostFound)
}

// mostFound is what a query chooses at most.
const mostFound = 50

// floor is the tokens of what is never cut.
func floor(t *testing.T, c *snapshot.Capture, f dump.Format, counter *o200k.Counter) int {
	return counter.Count(readback.Render(t, c, f, format.Options{Common: dump.Common{MaxChars: 1}}).Text)
}
