package snapshot_test

import (
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// A line of the console belongs to the turn in which it came, not to each later one of its page.
func TestDialogsSince(t *testing.T) {
	taken := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	c := &snapshot.Capture{TakenAt: taken, Dialogs: []snapshot.Dialog{{Age: 90_000, Message: "old"}, {Age: 500, Message: "new"}}}
	require.Len(t, c.DialogsSince(time.Time{}), 2)
	require.Equal(t, c.Dialogs[1:], c.DialogsSince(taken.Add(-time.Minute)))
	require.Empty(t, c.DialogsSince(taken))
}

func TestConsoleSince(t *testing.T) {
	taken := time.Date(2026, 11, 23, 2, 0, 10, 400_000, time.UTC)
	c := &snapshot.Capture{TakenAt: taken, Console: []snapshot.ConsoleEntry{
		{Age: 9_000, Text: "as it loaded"}, {Age: 2_000, Text: "with the turn before"},
		{Age: 1_999, Text: "right after"}, {Text: "now"}}}
	require.Equal(t, c.Console, c.ConsoleSince(time.Time{}))
	require.Equal(t, c.Console[2:], c.ConsoleSince(taken.Add(-2*time.Second)))
	require.Empty(t, c.ConsoleSince(taken))
	require.Len(t, c.ConsoleSince(taken.Add(-time.Minute)), 4)
}
