package importer

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/turn"
)

// BenchmarkTrace reads the recorded sample, nine actions with pictures, and a trace of 200
// actions on a page of 2,000 elements of which each action changes one.
func BenchmarkTrace(b *testing.B) {
	sample, err := os.ReadFile("testdata/trace-v10.zip")
	require.NoError(b, err)
	lines := []string{options10}
	page := `["HTML",{},["BODY",{}`
	for i := range 1_000 {
		page += fmt.Sprintf(`,["LI",{},["A",{"href":"/item/%d"},"Item %d"]]`, i, i)
	}
	lines = append(lines, click("0", page+"]]"))
	last := 3 * 1_000
	for i := 1; i < 200; i++ {
		lines = append(lines, click(fmt.Sprint(i), fmt.Sprintf(`["HTML",{},["BODY",{},["P",{},"turn %d"],[[%d,%d]]]]`, i, i,
			last)))
	}
	for name, data := range map[string][]byte{"sample": sample, "large": traceOf(b, strings.Join(lines, "\n"))} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rep, err := Read(context.Background(), bytes.NewReader(data), int64(len(data)), Options{},
					func(*turn.Record) error { return nil })
				require.NoError(b, err)
				require.Empty(b, rep.Damage)
			}
		})
	}
}

// BenchmarkHistory reads the sample.
func BenchmarkHistory(b *testing.B) {
	data, err := os.ReadFile("testdata/history.json")
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := Read(context.Background(), bytes.NewReader(data), int64(len(data)), Options{},
			func(*turn.Record) error { return nil })
		require.NoError(b, err)
	}
}
