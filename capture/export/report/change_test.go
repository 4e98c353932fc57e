package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/diff"
)

// TestWhatMovedIsNotChanged: what a menu pushes down is counted apart, as diff and the window count it.
func TestWhatMovedIsNotChanged(t *testing.T) {
	one, two, three := &diff.Element{Node: 1}, &diff.Element{Node: 2}, &diff.Element{Node: 3}
	d := &diff.Diff{Counts: map[diff.Kind]int{diff.Added: 1, diff.Moved: 3}, Changes: []diff.Change{
		{Kind: diff.Moved, Before: one}, {Kind: diff.Viewport, Before: one}, {Kind: diff.Moved, Before: two},
		{Kind: diff.Moved, Before: three}, {Kind: diff.Value, Before: three}}}
	require.Equal(t, "1 element came, 1 element changed, 2 elements moved.", changeWords(d))
}
