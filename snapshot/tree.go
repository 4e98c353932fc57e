package snapshot

import (
	"slices"
	"sync"
)

// Tree answers questions about the composed tree of one capture. It is made once
// for a capture and is safe for concurrent use.
//
// Where the list of nodes is in preorder, as every capture of the collector is, what a
// node holds are the positions from its own up to its end. A capture from a file may have
// its nodes in another order with parents first; then the parents are followed.
type Tree struct {
	c                 *Capture
	at                map[int]int // node index → position, nil where they are equal
	first, next, last []int32     // by position, -1 for none
	end               []int32     // by position: that behind the last one inside; nil without preorder

	byID   func() map[idIn][]int // positions
	labels func() map[int][]*Node
}

// idIn is an id attribute in a frame's document, or in its shadow trees of one kind.
type idIn struct {
	frame      int
	shadow, id string
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
	t.end = t.ends()
	t.byID = sync.OnceValue(func() map[idIn][]int {
		out := map[idIn][]int{}
		for p := range c.Nodes {
			n := &c.Nodes[p]
			if at := (idIn{n.Frame, n.Shadow, n.Attr("id")}); at.id != "" {
				out[at] = append(out[at], p)
			}
		}
		return out
	})
	t.labels = sync.OnceValue(t.labelled)
	return t
}

// ByID is the first element of a frame's document with that id attribute, nil for none.
func (t *Tree) ByID(frame int, id string) *Node {
	if all := t.byID()[idIn{frame: frame, id: id}]; len(all) > 0 {
		return &t.c.Nodes[all[0]]
	}
	return nil
}

// Referred is the element that n names by its id attribute, in the document or shadow tree of n; nil for none. Of
// shadow trees in each other a capture does not say where one ends: there it is the one that is nearest to n.
func (t *Tree) Referred(n *Node, id string) *Node {
	all := t.byID()[idIn{n.Frame, n.Shadow, id}]
	if len(all) == 0 {
		return nil
	}
	if n.Shadow != "" {
		for up := range t.Ancestors(n.I) {
			for _, p := range all {
				if at := t.c.Nodes[p].I; at != up.I && t.Contains(up.I, at) {
					return &t.c.Nodes[p]
				}
			}
			if up.Shadow == "" {
				return nil // it is of another host
			}
		}
	}
	return &t.c.Nodes[all[0]]
}

// Labels are the <label> elements of a control, drawn or not, in the order of the document (HTML, section 4.10.4).
func (t *Tree) Labels(control *Node) []*Node { return t.labels()[control.I] }

func (t *Tree) labelled() map[int][]*Node {
	out := map[int][]*Node{} // by the control's I
	for p := range t.c.Nodes {
		n := &t.c.Nodes[p]
		if n.Tag != "label" {
			continue
		}
		var of *Node
		if id, is := n.Attrs["for"]; is {
			of = t.Referred(n, id)
		} else {
			of = t.firstLabelable(n, n.Shadow)
		}
		if of != nil && of.labelable() {
			out[of.I] = append(out[of.I], n)
		}
	}
	return out
}

// firstLabelable is the first control in an element that is in a tree of that kind, nil for none.
func (t *Tree) firstLabelable(in *Node, shadow string) *Node {
	for n := range t.Children(in.I) {
		if n.Shadow == shadow && n.labelable() {
			return n
		}
		if found := t.firstLabelable(n, shadow); found != nil {
			return found
		}
	}
	return nil
}

// labelable reports whether a <label> can be that of the element (HTML, section 4.10.2).
func (n *Node) labelable() bool {
	switch n.Tag {
	case "button", "meter", "output", "progress", "select", "textarea":
		return true
	}
	return n.Tag == "input" && n.Attr("type") != "hidden"
}

// ends are the ends of all subtrees, nil where the nodes are not in preorder.
func (t *Tree) ends() []int32 {
	n := len(t.c.Nodes)
	end := make([]int32, n)
	var open []int32 // the positions from a root down to the node before
	closeTo := func(depth, p int) {
		for _, q := range open[depth:] {
			end[q] = int32(p)
		}
		open = open[:depth]
	}
	for p := range n {
		if p > 0 && t.c.Nodes[p].I <= t.c.Nodes[p-1].I {
			return nil
		}
		parent, depth := int32(t.pos(t.c.Nodes[p].Parent)), 0
		if parent >= 0 {
			for depth = len(open); depth > 0 && open[depth-1] != parent; depth-- {
			}
			if depth == 0 {
				return nil
			}
		}
		closeTo(depth, p)
		open = append(open, int32(p))
	}
	closeTo(0, n)
	return end
}

// Position is where the node with index i is in the capture's list, -1 where the capture
// does not hold it.
func (t *Tree) Position(i int) int { return t.pos(i) }

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

// agentsOwn are the attributes by which an agent that works in a page tells its own parts from the page's: its panel,
// and what keeps a person from clicking while it works, which it lifts or passes when it acts. Source: browser-use's
// DOM service and page-agent's SimulatorMask.
var agentsOwn = []string{"data-browser-use-ignore", "data-page-agent-ignore"}

// agentsNumbers is the id of the element in which an agent draws its numbers over the page. Source: buildDomTree.js of
// browser-use before autumn 2025, which its npm port, Nanobrowser and page-agent have too.
const agentsNumbers = "playwright-highlight-container"

// HasAgent reports whether an agent has put parts of its own into the page, see [Tree.OfAgent].
func (t *Tree) HasAgent() bool {
	return slices.ContainsFunc(t.c.Nodes, func(n Node) bool { return n.ofAgent() })
}

// OfAgent reports whether an element is one that an agent has put into the page that it works in, or lies in one.
func (t *Tree) OfAgent(n *Node) bool {
	for a := range t.Ancestors(n.I) {
		if a.ofAgent() {
			return true
		}
	}
	return n.ofAgent()
}

func (n *Node) ofAgent() bool {
	return n.Attrs["id"] == agentsNumbers ||
		slices.ContainsFunc(agentsOwn, func(name string) bool { return n.Attrs[name] == "true" })
}

// Contains reports whether node inner is node outer or lies inside it.
func (t *Tree) Contains(outer, inner int) bool {
	if outer == inner {
		return true
	}
	if t.end != nil {
		p, q := t.pos(outer), t.pos(inner)
		return p >= 0 && q > p && q < int(t.end[p])
	}
	for a := range t.Ancestors(inner) {
		if a.I == outer {
			return true
		}
	}
	return false
}
