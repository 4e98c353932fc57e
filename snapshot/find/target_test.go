package find_test

import (
	"testing"

	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/stretchr/testify/require"
)

// What has exactly the words that were named comes before what only holds them, of whatever kind it is.
func TestAnEqualTextComesFirst(t *testing.T) {
	c := pagetest.Parse(t, `
body
  button %name="Clear completed"
  a href=#/c %name="Completed"
  input type=text %name="Last name" %from=label
  input type=text %name="Name" %from=aria-label
  input type=text placeholder="Name"
  button %name="Cancel"
  a href=#/x %name="Cancel"
  li role=treeitem %by=listener %name="Folder"
    span %by=listener %name="Folder"
`)
	for words, want := range map[string][]int{"completed": {2, 1}, "Cancel": {6, 7}, "folder": {9, 8}} {
		list, err := find.Clickable(c, words, false, find.Scope{})
		require.NoError(t, err)
		var got []int
		for _, n := range list {
			got = append(got, n.Ref)
		}
		require.Equal(t, want, got, words)
	}
	list, err := find.Field(c, "name", false, find.Scope{})
	require.NoError(t, err)
	require.Equal(t, []int{4, 5, 3}, []int{list[0].Ref, list[1].Ref, list[2].Ref})
}
