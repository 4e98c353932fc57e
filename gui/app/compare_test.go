package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/compare"
	"github.com/refscope/refscope/gui/core"
)

// TestCompareRuns opens a second run, and comes back to a turn of the first one.
func TestCompareRuns(t *testing.T) {
	b := reviewing(t, 3, nil)
	b.command(compare.CmdCompare)
	b.await("the sessions", func(s core.State) bool { return compare.Of(s).Listed })
	b.shoot("compare-choose-dark")
	b.shell.Dispatch(compare.Chosen{Name: "shop"})
	b.await("both turns", func(s core.State) bool { p := compare.Of(s).Pair; return p != nil && p.Docs[1] != nil })
	b.shoot("compare-dark")
	b.shell.Dispatch(compare.RowChosen{At: 1})
	b.await("the second row", func(s core.State) bool { p := compare.Of(s).Pair; return p != nil && p.At == 1 })
	b.shell.Dispatch(compare.Opened{})
	s := b.await("turn 2", func(s core.State) bool { return s.Current != nil && s.Current.N == 2 })
	require.Equal(t, core.DialogNone, s.Dialog)
}
