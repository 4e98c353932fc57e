package tokenmap

import (
	"strconv"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// place gives the regions their depth, share and box.
func (m *Map) place(c *snapshot.Capture, regions []dump.Region) {
	whole := float64(max(1, m.Whole.Tokens))
	m.Regions = make([]Region, len(regions))
	for i, r := range regions {
		out := Region{Region: r, Share: float64(r.All.Tokens) / whole, OwnShare: float64(r.Own.Tokens) / whole}
		if r.Parent >= 0 && r.Parent < i {
			out.Depth = m.Regions[r.Parent].Depth + 1
		}
		switch n := c.Node(r.Node); {
		case r.Node < 0:
			out.Box = c.Viewport.Box()
		case r.Items != nil:
			for _, item := range r.Items {
				if n := c.Node(item); n != nil {
					out.Box = out.Box.Union(n.VisibleBox())
				}
			}
		case n != nil:
			out.Box = n.VisibleBox()
		}
		m.Regions[i] = out
	}
	m.placeBoxless(c)
}

// placeBoxless puts regions without a box of their own, such as display: contents,
// around what is in them.
func (m *Map) placeBoxless(c *snapshot.Capture) {
	bare := false
	for i := range m.Regions {
		bare = bare || m.Regions[i].Box.Empty()
	}
	if !bare {
		return
	}
	around := make([]snapshot.Box, len(m.Regions))
	of := m.Owner(c)
	for p := range c.Nodes {
		if n := &c.Nodes[p]; n.Verdict.Kept() {
			at := of(n.I)
			around[at] = around[at].Union(n.VisibleBox())
		}
	}
	for i := len(m.Regions) - 1; i > 0; i-- {
		r := &m.Regions[i]
		if r.Box.Empty() {
			r.Box = around[i]
		}
		if r.Parent >= 0 {
			around[r.Parent] = around[r.Parent].Union(around[i]).Union(r.Box)
		}
	}
}

// Owner answers for an element of the capture with the index of the innermost region
// around or at it, 0 (the page) where there is none. It is made once for a capture
// and is not safe for concurrent use.
func (m *Map) Owner(c *snapshot.Capture) func(node int) int {
	known := make(map[int]int, len(c.Nodes))
	for i, r := range m.Regions {
		known[r.Node] = i
		for _, item := range r.Items {
			known[item] = i
		}
	}
	return func(node int) int {
		var passed []int
		at := 0
		for steps := 0; node >= 0 && steps <= len(c.Nodes); steps++ {
			if i, ok := known[node]; ok {
				at = i
				break
			}
			n := c.Node(node)
			if n == nil {
				break
			}
			passed = append(passed, node)
			node = n.Parent
			if c.Node(node) == nil && n.Frame > 0 && n.Frame < len(c.Frames) {
				node = c.Frames[n.Frame].Owner
			}
		}
		for _, n := range passed {
			known[n] = at
		}
		return at
	}
}

// Title names a region for people, in one line: page, main, [25] section "News",
// 8 × li. Page text is a JSON string with what cannot be seen escaped.
func (r *Region) Title() string {
	if r.Items != nil {
		return strconv.Itoa(len(r.Items)) + " × " + r.Kind
	}
	s := r.Kind
	if r.Ref > 0 {
		s = "[" + strconv.Itoa(r.Ref) + "] " + s
	}
	if r.Name != "" {
		s += " " + text.Quote(r.Name)
	}
	return s
}
