package core_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
)

// TestErrorsBelongToTheirTurn: an error of the page counts in the turn that first shows it.
func TestErrorsBelongToTheirTurn(t *testing.T) {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	first := &snapshot.Capture{TakenAt: at,
		Console: []snapshot.ConsoleEntry{{Age: 300, Level: "error", Text: "at the start"}}}
	second := &snapshot.Capture{TakenAt: at.Add(5 * time.Second), Console: []snapshot.ConsoleEntry{
		{Age: 5300, Level: "error", Text: "at the start"}, {Age: 200, Level: "error", Text: "after a click"}, {
			Age: 100, Level: "log"}}}
	require.Equal(t, 1, core.NewErrors(first, nil))
	require.Equal(t, 1, core.NewErrors(second, first))
	require.Equal(t, 2, core.NewErrors(second, nil), "where the turn before is not known")
	require.Equal(t, 2, core.CountErrors(second), "the page itself shows two")
}
