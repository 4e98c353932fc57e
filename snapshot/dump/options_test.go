package dump_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// Options are found in groups and in what a page puts around them, to the eighth level and no deeper, and the chosen ones
// are among them.
func TestSelectOptionsToTheEighthLevel(t *testing.T) {
	page := "select\n  option \"flat\"\n"
	for level := 1; level <= 9; level++ {
		page += strings.Repeat("  ", level) + "optgroup\n"
		page += strings.Repeat("  ", level+1) + "option %state=selected \"level " + string(rune('0'+level)) + "\"\n"
	}
	c := pagetest.Parse(t, page)
	all, chosen := dump.SelectOptions(snapshot.NewTree(c), &c.Nodes[0])
	want := []string{"flat", "level 1", "level 2", "level 3", "level 4", "level 5", "level 6", "level 7", "level 8"}
	require.Equal(t, want, all)
	require.Equal(t, want[1:], chosen)
}
