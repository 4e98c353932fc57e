package format_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/dddk"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// TestHashIDs: an element keeps its id while what is around it changes, equal ones are
// told apart, and every id is a ref's.
func TestHashIDs(t *testing.T) {
	page := `
body
  main
    button "Pay"
    a href="/a" "More"
    a href="/b" "More"
  aside
    button "Pay"
`
	c := pagetest.Parse(t, page)
	d, err := format.Render(c, format.DDDK, format.Options{DDDK: dddk.Options{HashIDs: true}})
	require.NoError(t, err)
	ids := dddk.HashIDs(c)
	found := regexp.MustCompile(`\[(e[0-9a-z]{4}(?:-\d+)?)\]<`).FindAllStringSubmatch(d.Text, -1)
	require.Len(t, found, len(ids))
	byID := map[string]int{}
	for ref, id := range ids {
		byID[id] = ref
	}
	require.Len(t, byID, len(ids), "no two elements share an id")
	for _, f := range found {
		require.Contains(t, byID, f[1])
	}
	// The same button in the same place of two parents: the second one says so.
	require.Equal(t, ids[2]+"-2", ids[6])
	more := pagetest.Parse(t, page+"  footer\n    button \"New\"\n")
	for ref, id := range ids {
		require.Equal(t, id, dddk.HashIDs(more)[ref])
	}
	plain, err := format.Render(c, format.DDDK, format.Options{})
	require.NoError(t, err)
	require.Equal(t, len(plain.Lines), len(d.Lines))
}
