package audit

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestTellers: of what an agent's text lacks, the formats whose text has it are named, and what only an option tells has
// the option with it.
func TestTellers(t *testing.T) {
	c := page(t, `button %ref=1 %role=button %name="Save" %by=native "Save"`, `p "Two words"`)
	noted(c, map[string]string{"Save": "e1"})
	got := AsSent(c, given(t, c, `- button "Save" [ref=e1]`, `- link "Off" [ref=e2]`, `- link "On" [ref=e3]`))
	require.Len(t, got.Missing, 1)
	require.Contains(t, got.Missing[0].ToldBy, string(format.DDDK))
	require.Contains(t, got.Missing[0].ToldBy, string(format.Aria))
	require.Contains(t, got.Text(), "; told by dddk, ")
}

// TestTellersAgreeWithCoverage: on all captures a format that tells of an element has no miss of it in its own coverage.
// The agent's text is about nothing of the page, so that everything in view is missing.
func TestTellersAgreeWithCoverage(t *testing.T) {
	told := 0
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		got := AsSent(c, given(t, c, `- button "Nothing of this page 7391" [ref=e991]`, `- link "Nor 7392" [ref=e992]`,
			`- link "Nor 7393" [ref=e993]`))
		report, err := Run(c, Options{Views: []View{{Format: format.DDDK}, {Format: format.Aria}}})
		require.NoError(t, err)
		for _, cov := range report.Coverage {
			misses := map[int]bool{}
			for _, m := range cov.Misses {
				misses[m.Node] = true
			}
			for _, m := range got.Missing {
				if slices.Contains(m.ToldBy, string(cov.Format)) {
					told++
					require.False(t, misses[m.Node], "%s tells of node %d, %q, and misses it", cov.Format, m.Node, m.Text)
				} else if len(cov.Misses) == cov.Missed && len(m.ToldBy) > 0 {
					require.True(t, misses[m.Node], "%s misses node %d, %q, and does not", cov.Format, m.Node, m.Text)
				}
			}
		}
	})
	require.Greater(t, told, 500)
}
