package snapshot

// Node is the node with index i, nil where the capture does not hold it. It is
// constant time in a full capture and a search in a filtered one.
func (c *Capture) Node(i int) *Node {
	if i >= 0 && i < len(c.Nodes) && c.Nodes[i].I == i {
		return &c.Nodes[i]
	}
	lo, hi := 0, len(c.Nodes)
	for lo < hi {
		mid := (lo + hi) / 2
		if c.Nodes[mid].I < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(c.Nodes) && c.Nodes[lo].I == i {
		return &c.Nodes[lo]
	}
	return nil
}

// ByRef is the node with that ref number, nil where there is none.
func (c *Capture) ByRef(ref int) *Node {
	for p := range c.Nodes {
		if c.Nodes[p].Ref == ref && ref > 0 {
			return &c.Nodes[p]
		}
	}
	return nil
}

// CountVerdicts counts the nodes by verdict.
func (c *Capture) CountVerdicts() map[Verdict]int {
	m := map[Verdict]int{}
	for p := range c.Nodes {
		m[c.Nodes[p].Verdict]++
	}
	return m
}

// Kept is a copy of the capture with only the kept nodes, their ancestors and
// every coverer: what `--format capture` prints without --all. Indices stay
// those of the full walk, and the verdict counts stay those of all elements.
func (c *Capture) Kept() *Capture {
	keep := map[int]bool{}
	add := func(i int) {
		for i >= 0 && !keep[i] {
			n := c.Node(i)
			if n == nil {
				return
			}
			keep[i] = true
			i = n.Parent
		}
	}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if !n.Verdict.Kept() {
			continue
		}
		add(n.I)
		if n.Occlusion != nil && n.Occlusion.Coverer != nil {
			add(*n.Occlusion.Coverer)
		}
	}
	for _, o := range c.Page.Overlays {
		add(o.Node)
		if o.Press != nil {
			add(*o.Press)
		}
	}
	for _, f := range c.Frames {
		add(f.Owner)
	}
	out := *c
	out.Page.Grid = nil // its hits are of all elements
	out.Nodes = make([]Node, 0, len(keep))
	for p := range c.Nodes {
		if keep[c.Nodes[p].I] {
			n := c.Nodes[p]
			if n.Ref == 0 {
				n.Path = ""
			}
			out.Nodes = append(out.Nodes, n)
		}
	}
	return &out
}
