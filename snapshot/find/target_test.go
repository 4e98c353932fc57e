package find_test

import (
	"testing"

	"github.com/refscope/refscope/snapshot"
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

// What nobody sees comes behind all that is seen, however well it matches, and is found where nothing else is.
func TestWhatIsSeenComesFirst(t *testing.T) {
	c := pagetest.Parse(t, `
body
  a href=#/1 %name="Next" %hidden %verdict=ref
  a href=#/2 %name="Next slide"
  a href=#/3 %name="Only slide" %hidden %verdict=ref
  input type=text %name="City" %from=label %hidden %verdict=ref
  input type=text placeholder="City or town"
  input type=text %name="Street" %from=label %hidden %verdict=ref
  select %name="Size" %value="S"
    option %name="S"
    option %name="M" %hidden
  p "Plain words"
`)
	refs := func(list []*snapshot.Node, err error) (out []int) {
		require.NoError(t, err)
		for _, n := range list {
			out = append(out, n.Ref)
		}
		return out
	}
	for words, want := range map[string][]int{"next": {2, 1}, "only": {3}, "M": nil, "Plain words": nil} {
		require.Equal(t, want, refs(find.Clickable(c, words, words == "M", find.Scope{})), words)
	}
	require.Equal(t, []int{5, 4}, refs(find.Field(c, "city", false, find.Scope{})))
	require.Equal(t, []int{6}, refs(find.Field(c, "street", false, find.Scope{})))
	require.Equal(t, []int{2, 1}, refs(find.ByRole(c, find.RoleQuery{Role: "link", Name: "next"}, find.Scope{})))
	require.Equal(t, "p", find.Plain(c, "plain words", false, find.Scope{}).Tag)
	require.Nil(t, find.Plain(c, "next slide", false, find.Scope{}), "a link is none")
}
