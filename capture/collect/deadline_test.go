package collect

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDeadlines: they grow with the number of elements, unless the caller set one.
func TestDeadlines(t *testing.T) {
	q := request{MaxNodes: 200_000, Deadline: 10_000}
	r := &reader{patience: 10 * time.Second, scaled: true, request: q, script: collectScripts(q)}
	for _, c := range []struct {
		elements        int
		deadline, limit time.Duration
		sent            string
	}{
		{0, 10 * time.Second, 25 * time.Second, `"deadline":10000,`},
		{1_000, 10500 * time.Millisecond, 26 * time.Second, `"deadline":10000,`}, // shares the text
		{100_000, 60 * time.Second, 125 * time.Second, `"deadline":60000,`},
		{5_000_000, 110 * time.Second, 225 * time.Second, `"deadline":110000,`}, // MaxNodes end it
	} {
		require.Equal(t, c.deadline, r.deadline(c.elements))
		require.Equal(t, c.limit, r.limit(c.elements))
		require.True(t, strings.Contains(r.scriptFor(c.elements).quick.call, c.sent), c.sent)
	}
	r.scaled = false
	require.Equal(t, 10*time.Second, r.deadline(100_000))
	require.Contains(t, r.scriptFor(100_000).quick.call, `"deadline":10000,`)
}
