package ask

import (
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/stretchr/testify/require"
)

func TestACellIsNoFormula(t *testing.T) {
	table := NewTable(&Suite{Variants: []SuiteVariant{{Name: "a"}}}, []Row{{Turn: "shop#1", Variant: "a", N: 1, Status: 200,
		Answer: "=HYPERLINK(\"x\")", Grade: &doctor.Grade{Outcome: doctor.HitsOther, Element: "@SUM(1)\n2"}}})
	var b strings.Builder
	require.NoError(t, table.CSV(&b))
	require.Contains(t, b.String(), `"'=HYPERLINK(""x"")"`)
	require.Contains(t, b.String(), "'@SUM(1) 2")
	require.Equal(t, 1, table.Variants[0].Graded)
	require.Zero(t, table.Variants[0].Share)
}

// TestPauses: an endpoint names the pause in seconds or as a date, and never makes us wait for
// more than two minutes.
func TestPauses(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"1.5": 1500 * time.Millisecond, "0": 0, "1e300": maxPause, "": 4 * firstPause, "soon": 4 * firstPause,
		"Mon, 23 Nov 2026 12:00:07 GMT": 7 * time.Second, "Mon, 23 Nov 2026 11:00:00 GMT": 0,
		"Tue, 24 Nov 2026 12:00:00 GMT": maxPause,
	} {
		require.Equal(t, want, pauseOf(header, 3, now), header)
	}
}
