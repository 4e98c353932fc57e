package snapshot_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// TestContains: the range of a subtree holds exactly those nodes whose parents lead to its
// top, in preorder, in any other order with parents first, and with nodes left out.
func TestContains(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	preorder := func(n int) *snapshot.Capture {
		c := &snapshot.Capture{}
		var open []int
		for i := range n {
			for len(open) > 0 && r.IntN(3) == 0 {
				open = open[:len(open)-1]
			}
			parent := -1
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
			c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: parent})
			open = append(open, i)
		}
		return c
	}
	shuffled := func(n int) *snapshot.Capture {
		c := &snapshot.Capture{}
		for i := range n {
			c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: r.IntN(i+1) - 1})
		}
		return c
	}
	for range 200 {
		for _, c := range []*snapshot.Capture{preorder(30), shuffled(30)} {
			if r.IntN(2) == 0 {
				var some []snapshot.Node
				for _, n := range c.Nodes {
					if r.IntN(4) > 0 {
						some = append(some, n)
					}
				}
				c.Nodes = some
			}
			tree := snapshot.NewTree(c)
			for p := range c.Nodes {
				outer := c.Nodes[p].I
				require.Equal(t, p, tree.Position(outer))
				for q := range c.Nodes {
					inner := c.Nodes[q].I
					want := outer == inner
					for up := range tree.Ancestors(inner) {
						want = want || up.I == outer
					}
					require.Equal(t, want, tree.Contains(outer, inner), "%d in %d", inner, outer)
				}
			}
		}
	}
}
