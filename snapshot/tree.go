package snapshot

// Tree answers questions about the composed tree of one capture. It is made once
// for a capture and is safe for concurrent use.
type Tree struct {
	c                 *Capture
	at                map[int]int // node index → position, nil where they are equal
	first, next, last []int32     // by position, -1 for none
}

// NewTree indexes the capture's nodes. It takes time linear in their number.
func NewTree(c *Capture) *Tree {
	n := len(c.Nodes)
	t := &Tree{c: c, first: make([]int32, n), next: make([]int32, n), last: make([]int32, n)}
	for p := range c.Nodes {
		t.first[p], t.next[p], t.last[p] = -1, -1, -1
		if c.Nodes[p].I != p && t.at == nil {
			t.at = make(map[int]int, n)
		}
	}
	if t.at != nil {
		for p := range c.Nodes {
			t.at[c.Nodes[p].I] = p
		}
	}
	for p := range c.Nodes {
		parent := t.pos(c.Nodes[p].Parent)
		if parent < 0 || parent == p {
			continue
		}
		if l := t.last[parent]; l >= 0 {
			t.next[l] = int32(p)
		} else {
			t.first[parent] = int32(p)
		}
		t.last[parent] = int32(p)
	}
	return t
}

func (t *Tree) pos(i int) int {
	if t.at != nil {
		if p, ok := t.at[i]; ok {
			return p
		}
		return -1
	}
	if i < 0 || i >= len(t.c.Nodes) {
		return -1
	}
	return i
}

// Node is the node with index i, nil where the capture does not hold it.
func (t *Tree) Node(i int) *Node {
	p := t.pos(i)
	if p < 0 {
		return nil
	}
	return &t.c.Nodes[p]
}

// Children yields the element children of node i in document order.
func (t *Tree) Children(i int) func(yield func(*Node) bool) {
	return func(yield func(*Node) bool) {
		p := t.pos(i)
		if p < 0 {
			return
		}
		for c := t.first[p]; c >= 0; c = t.next[c] {
			if !yield(&t.c.Nodes[c]) {
				return
			}
		}
	}
}

// Roots yields the nodes whose parent the capture does not hold.
func (t *Tree) Roots() func(yield func(*Node) bool) {
	return func(yield func(*Node) bool) {
		for p := range t.c.Nodes {
			if t.pos(t.c.Nodes[p].Parent) < 0 && !yield(&t.c.Nodes[p]) {
				return
			}
		}
	}
}

// Ancestors yields the ancestors of node i, nearest first.
func (t *Tree) Ancestors(i int) func(yield func(*Node) bool) {
	return func(yield func(*Node) bool) {
		n := t.Node(i)
		for n != nil {
			up := t.Node(n.Parent)
			if up == nil || up.I >= n.I || !yield(up) {
				return
			}
			n = up
		}
	}
}

// Contains reports whether node inner is node outer or lies inside it.
func (t *Tree) Contains(outer, inner int) bool {
	if outer == inner {
		return true
	}
	for a := range t.Ancestors(inner) {
		if a.I == outer {
			return true
		}
	}
	return false
}
