package snapshot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestRow: a control of a row is named by the first words of the row that are not in its own cell; one outside of rows, and
// a row of nothing else, has no such name.
func TestRow(t *testing.T) {
	c := &snapshot.Capture{}
	add := func(parent int, tag, words string) int {
		n := snapshot.Node{I: len(c.Nodes), Parent: parent, Tag: tag, Verdict: snapshot.VerdictContent}
		if words != "" {
			n.Runs = []snapshot.Run{{Text: words, Before: -1}}
		}
		c.Nodes = append(c.Nodes, n)
		return n.I
	}
	table := add(-1, "table", "")
	edits := map[int]string{}
	for _, name := range []string{"Ann", "", "Bob"} {
		row := add(table, "tr", "")
		add(row, "td", "")
		edits[add(add(row, "td", ""), "button", "edit")] = name
		add(row, "td", name)
	}
	outside := add(table, "button", "edit")
	tree := snapshot.NewTree(c)
	for button, want := range edits {
		require.Equal(t, want, tree.Row(button))
	}
	require.Empty(t, tree.Row(outside))
	require.Empty(t, tree.Row(-1))
}

// TestRowOfSavedPages: what names a row is what a person reads in it.
func TestRowOfSavedPages(t *testing.T) {
	named := 0
	check := func(t *testing.T, c *snapshot.Capture) {
		tree := snapshot.NewTree(c)
		for i := range c.Nodes {
			n := &c.Nodes[i]
			row := tree.Row(n.I)
			if row == "" {
				continue
			}
			named++
			found := false
			for up := range tree.Ancestors(n.I) {
				found = found || strings.Contains(tree.Text(up.I), row)
			}
			require.True(t, found, "%s of %q", row, n.Name)
		}
	}
	testpages.EachCapture(t, check)
	pagetest.EachGolden(t, check)
	require.Positive(t, named)
}
