package collect_test

import (
	"fmt"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/stretchr/testify/require"
)

// BenchmarkRead is a capture without picture and settle. walk and hit are the parts
// that the page's main thread spends, ms.
func BenchmarkRead(b *testing.B) {
	for _, rows := range []int{110, 770, 2850} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			tab := chrome.Open(b, chrometest.Page(b, chrometest.Rows(rows)))
			ctx := chrometest.Context(b)
			var walk, hit float64
			nodes := 0
			for b.Loop() {
				res, err := collect.Read(ctx, tab, collect.Options{})
				require.NoError(b, err)
				res.Release(ctx)
				walk += res.Capture.Timings.Walk
				hit += res.Capture.Timings.Hit
				nodes = len(res.Capture.Nodes)
			}
			b.ReportMetric(walk/float64(b.N), "walk-ms/op")
			b.ReportMetric(hit/float64(b.N), "hit-ms/op")
			b.ReportMetric(float64(nodes), "elements")
		})
	}
}
