package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// TestEveryLegend: each format has one, and it explains the notes of its options.
func TestEveryLegend(t *testing.T) {
	for _, f := range format.Names() {
		require.NotEmpty(t, format.Legend(f, format.Options{}), f)
		switch f {
		case format.DDDK, format.Wraith, format.Aria, format.Skeleton, format.Hybrid, format.Full:
			for _, o := range []format.Options{{Common: dump.Common{SummariseRepeats: true, Query: "q"}},
				{Common: dump.Common{SummariseRepeats: true, Query: "q", Compat: true}}} {
				legend := format.Legend(f, o)
				require.Contains(t, legend, "30 more <li> like the 20 above", f)
				require.Contains(t, strings.ToLower(legend), `filtered for "query"`, f)
				if f != format.Aria { // there a # says it all
					require.Contains(t, legend, "truncated", f)
				}
			}
		}
	}
}
