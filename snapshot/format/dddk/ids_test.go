package dddk_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
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
	d, err := format.Render(c, format.DDDK, format.Options{DDDK: dddk.Options{IDs: dddk.IDsHash}})
	require.NoError(t, err)
	ids := hashIDs(t, c)
	require.Len(t, ids, 6)
	byID := map[string]int{}
	for ref, id := range ids {
		byID[id] = ref
	}
	require.Len(t, byID, len(ids), "no two elements share an id")
	// The same button in the same place of two parents: the second one says so.
	require.Equal(t, ids[2]+"-2", ids[6])
	more := pagetest.Parse(t, page+"  footer\n    button \"New\"\n")
	after := hashIDs(t, more)
	for ref, id := range ids {
		require.Equal(t, id, after[ref])
	}
	plain, err := format.Render(c, format.DDDK, format.Options{})
	require.NoError(t, err)
	require.Equal(t, len(plain.Lines), len(d.Lines))
}

// hashIDs are the ids that the lines of a capture's dump begin with, by the elements' numbers.
func hashIDs(t *testing.T, c *snapshot.Capture) map[int]string {
	d, err := format.Render(c, format.DDDK, format.Options{DDDK: dddk.Options{IDs: dddk.IDsHash}})
	require.NoError(t, err)
	ids := map[int]string{}
	for _, l := range d.Lines {
		if m := regexp.MustCompile(`^\s*\[(e[0-9a-z]{4}(?:-\d+)?)\]<`).FindStringSubmatch(d.Text[l.Start:l.End]); m != nil {
			ids[c.Nodes[l.Node].Ref] = m[1]
		}
	}
	return ids
}
