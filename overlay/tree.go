package overlay

import "github.com/refscope/refscope/snapshot"

// tree is the composed tree of a capture by position in its node list. Each node
// has a number in preorder and the size of its subtree, so containment is two
// comparisons: placement asks a hundred thousand times.
type tree struct {
	c      *snapshot.Capture
	parent []int32 // by position, -1 for none
	enter  []int32 // by position: number in preorder
	size   []int32 // by position: nodes in the subtree, itself included
}

func newTree(c *snapshot.Capture) *tree {
	n := len(c.Nodes)
	t := &tree{c: c, parent: make([]int32, n), enter: make([]int32, n), size: make([]int32, n)}
	for p := range c.Nodes {
		t.parent[p] = -1
		if up := t.pos(c.Nodes[p].Parent); up >= 0 && up < p {
			t.parent[p] = int32(up)
		}
	}
	for p := n - 1; p >= 0; p-- {
		t.size[p]++
		if up := t.parent[p]; up >= 0 {
			t.size[up] += t.size[p]
		}
	}
	// Children follow their parent in the list, so a parent knows its number
	// before they ask for theirs.
	next := make([]int32, n) // by position: number of the next child
	root := int32(0)
	for p := range n {
		if up := t.parent[p]; up >= 0 {
			t.enter[p] = next[up]
			next[up] += t.size[p]
		} else {
			t.enter[p] = root
			root += t.size[p]
		}
		next[p] = t.enter[p] + 1
	}
	return t
}

// pos is the position of the node with index i, -1 where the capture lacks it.
func (t *tree) pos(i int) int {
	nodes := t.c.Nodes
	if i < 0 {
		return -1
	}
	if i < len(nodes) && nodes[i].I == i {
		return i
	}
	lo, hi := 0, len(nodes)
	for lo < hi {
		if mid := (lo + hi) / 2; nodes[mid].I < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(nodes) && nodes[lo].I == i {
		return lo
	}
	return -1
}

// contains reports whether the node at position inner is the one at outer or
// lies inside it.
func (t *tree) contains(outer, inner int) bool {
	if outer < 0 || inner < 0 {
		return false
	}
	d := t.enter[inner] - t.enter[outer]
	return d >= 0 && d < t.size[outer]
}
