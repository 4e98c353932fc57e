package collect

import (
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// part is one frame's share of the capture while it is assembled. Until join,
// its nodes refer to one another by their place in this part.
type part struct {
	got   *reading
	cols  *columns
	frame int // index in Capture.Frames
	up    *part
	owner int // place of the frame element in up
	nodes []snapshot.Node
	ids   []int // node index in the capture by place, after join
	realm *browser.Realm
	// window is what the frame element shows of the document, over the boxes of the
	// frames around that lie over that, both in the top viewport.
	window snapshot.Box
	over   []snapshot.Box
	light  []int       // parent in the light tree by place, -1 for none; after join, indices
	hosts  map[int]int // what takes the presses for a control that ignores the pointer, by that
}

// newPart turns a frame's columns into nodes in the top viewport: moved and scaled
// as the frame is and clipped to what its frame element shows.
func newPart(cols *columns, frame int, place Transform) *part {
	n := len(cols.Parent)
	p := &part{cols: cols, frame: frame, owner: -1, nodes: make([]snapshot.Node, n), light: make([]int, n)}
	evidence := map[int][]string{} // by bits: elements share the words
	shadow := [3]string{"", "open", "closed"}
	for k := 0; k < n; k++ {
		node := &p.nodes[k]
		node.Parent = cols.Parent[k]
		node.Frame = frame
		node.Tag = cols.str(cols.Tag[k])
		node.UID = cols.UID[k]
		node.Shadow = shadow[cols.Shadow[k]%3]
		node.Box = snapshot.Box{cols.Box[4*k], cols.Box[4*k+1], cols.Box[4*k+2], cols.Box[4*k+3]}
		if !node.Box.Empty() {
			node.Box = place.Box(node.Box)
		}
		f := cols.Flags[k]
		node.Visible = f&flagVisible != 0
		node.InViewport = f&flagInViewport != 0
		node.Contents = f&flagContents != 0
		node.Boundary = f&flagBoundary != 0
		node.Block = f&flagBlock != 0
		node.Apart = f&flagApart != 0
		node.NoPointer = f&flagNoPointer != 0
		node.Broken = f&flagBroken != 0
		if bits := cols.Evidence[k]; bits != 0 {
			words, known := evidence[bits]
			if !known {
				words = evidenceOf(bits)
				evidence[bits] = words
			}
			node.Interactive = words
		}
		p.light[k] = -1
	}
	at := func(k int) *snapshot.Node { return &p.nodes[k] }
	rows(cols.Light, 2, n, func(k int, r []int) { p.light[k] = r[0] })
	rows(cols.Faint, 3, n, func(k int, r []int) {
		if cols.Hide[k] == hideNone {
			cols.Hide[k], cols.Culprit[k] = r[0], r[1]
		}
	})
	lists(cols.Attrs, n, func(k int, e []int) {
		m := make(map[string]string, len(e)/2)
		for j := 0; j+1 < len(e); j += 2 {
			m[cols.str(e[j])] = cols.str(e[j+1])
		}
		at(k).Attrs = m
	})
	lists(cols.Runs, n, func(k int, e []int) {
		node := at(k)
		node.Runs = make([]snapshot.Run, 0, len(e)/2)
		for j := 0; j+1 < len(e); j += 2 {
			node.Runs = append(node.Runs, snapshot.Run{Text: cols.str(e[j]), Before: e[j+1]})
		}
		node.Text = node.JoinRuns(isBreak(p.nodes))
	})
	rows(cols.Separators, 3, n, func(k int, r []int) { at(k).Separators = [2]string{cols.str(r[0]), cols.str(r[1])} })
	rows(cols.Generated, 3, n, func(k int, r []int) { at(k).Generated = [2]int{r[0], r[1]} })
	boxes := func(e []float64) []snapshot.Box {
		out := make([]snapshot.Box, 0, len(e)/4)
		for j := 0; j+3 < len(e); j += 4 {
			out = append(out, place.Box(snapshot.Box{e[j], e[j+1], e[j+2], e[j+3]}))
		}
		return out
	}
	lists(cols.TextRects, n, func(k int, e []float64) { at(k).TextRects = boxes(e) })
	rows(cols.Opacity, 2, n, func(k int, r []float64) { at(k).Opacity = r[0] / 100 })
	rows(cols.Ink, 4, n, func(k int, r []float64) {
		at(k).Ink = &snapshot.Ink{Size: r[0], Contrast: r[1], Clipped: r[2] == 1}
	})
	lists(cols.Rects, n, func(k int, e []float64) { at(k).Rects = boxes(e) })
	lists(cols.Clip, n, func(k int, e []float64) {
		if b := boxes(e); len(b) == 1 {
			at(k).Clip = &b[0]
		}
	})
	rows(cols.Roles, 2, n, func(k int, r []int) { at(k).Role = cols.str(r[0]) })
	rows(cols.Names, 3, n, func(k int, r []int) { at(k).Name, at(k).NameFrom = cols.str(r[0]), cols.str(r[1]) })
	rows(cols.Desc, 2, n, func(k int, r []int) { at(k).Description = cols.str(r[0]) })
	rows(cols.Values, 2, n, func(k int, r []int) { at(k).Value = cols.str(r[0]) })
	for j, k := range cols.StatesAt {
		if k >= 0 && k < n {
			at(k).States = cols.States[j]
		}
	}
	rows(cols.Redacted, 3, n, func(k int, r []int) {
		if r[1] == 1 {
			at(k).Value = "[redacted: " + cols.str(r[0]) + "]"
			at(k).Redacted = []string{"value"}
		}
	})
	rows(cols.Scrollers, 6, n, func(k int, r []float64) { at(k).Scroller = scrollFact(r) })
	rows(cols.Layers, 4, n, func(k int, r []int) { at(k).Layer = layerFact(r) })
	rows(cols.Internals, 1, n, func(k int, _ []int) { at(k).Internals = true })
	markRedacted(cols, p.nodes)
	rows(cols.Backend, 2, n, func(k int, r []int64) { cols.learn(k, r[0]) })
	for k, id := range cols.backend {
		if k < n {
			p.nodes[k].BackendNodeID = id
		}
	}
	return p
}

// evidenceOf are the words of the evidence bits, nil for none; the slice has no room to append to.
func evidenceOf(bits int) []string {
	var words []string
	for bit, word := range evidenceWords() {
		if bits&(1<<bit) != 0 {
			words = append(words, word)
		}
	}
	return slices.Clip(words)
}

// join puts the parts into one list in composed document order, a frame element
// followed by the document it shows, and makes all references indices of it.
func join(parts []*part) []snapshot.Node {
	total := 0
	inner := map[*part]map[int]*part{}
	for _, p := range parts {
		total += len(p.nodes)
		p.ids = make([]int, len(p.nodes))
		if p.up != nil {
			if inner[p.up] == nil {
				inner[p.up] = map[int]*part{}
			}
			inner[p.up][p.owner] = p
		}
	}
	if len(parts) == 1 { // places are indices then
		p := parts[0]
		for k := range p.nodes {
			p.ids[k], p.nodes[k].I = k, k
		}
		return p.nodes
	}
	nodes := make([]snapshot.Node, 0, total)
	type cursor struct {
		p *part
		k int
	}
	stack := []cursor{{parts[0], 0}}
	for len(stack) > 0 {
		c := &stack[len(stack)-1]
		if c.k == len(c.p.nodes) {
			stack = stack[:len(stack)-1]
			continue
		}
		p, k := c.p, c.k
		c.k++
		p.ids[k] = len(nodes)
		nodes = append(nodes, p.nodes[k])
		if child := inner[p][k]; child != nil {
			stack = append(stack, cursor{child, 0})
		}
	}
	for _, p := range parts {
		for k, id := range p.ids {
			n := &nodes[id]
			n.I = id
			switch {
			case n.Parent >= 0:
				n.Parent = p.ids[n.Parent]
			case p.up != nil:
				n.Parent = p.up.ids[p.owner]
			}
			for j := range n.Runs {
				if b := n.Runs[j].Before; b >= 0 && b < len(p.ids) {
					n.Runs[j].Before = p.ids[b]
				}
			}
			if l := p.light[k]; l >= 0 {
				p.light[k] = p.ids[l]
			}
		}
	}
	return nodes
}

// clipToWindow cuts the nodes of a child frame to what the frame element shows.
func clipToWindow(nodes []snapshot.Node, window, viewport snapshot.Box) {
	for k := range nodes {
		n := &nodes[k]
		if n.Box.Empty() {
			continue
		}
		seen := n.VisibleBox().Intersect(window)
		if seen != n.Box {
			n.Clip = &seen
		}
		n.InViewport = n.InViewport && !seen.Intersect(viewport).Empty()
	}
}

// isBreak is what [snapshot.Node.JoinRuns] asks of the nodes that the runs refer to.
func isBreak(nodes []snapshot.Node) func(int) bool {
	return func(k int) bool { return k < len(nodes) && nodes[k].Tag == "br" }
}

// paths gives nodes their unique CSS path: tags with their place among the
// siblings, ">>>" into a shadow root, "|>" into a frame.
type paths struct {
	c     *snapshot.Capture
	parts []*part  // by frame index
	place []int    // place in its part by node index
	known []string // by node index, "" for not yet
}

func newPaths(c *snapshot.Capture, parts []*part) *paths {
	n := len(c.Nodes)
	p := &paths{c: c, parts: make([]*part, len(c.Frames)), place: make([]int, n), known: make([]string, n)}
	for _, part := range parts {
		p.parts[part.frame] = part
		for k, id := range part.ids {
			p.place[id] = k
		}
	}
	return p
}

func (p *paths) of(i int) string {
	if s := p.known[i]; s != "" {
		return s
	}
	// Up to the nearest known ancestor, then down again: no recursion.
	var chain []int
	base := ""
	for k := i; k >= 0; k = p.up(k) {
		if s := p.known[k]; s != "" {
			base = s
			break
		}
		chain = append(chain, k)
	}
	for j := len(chain) - 1; j >= 0; j-- {
		k := chain[j]
		base += p.step(k, base == "")
		p.known[k] = base
	}
	return base
}

// up is the parent in the light tree, where the path goes.
func (p *paths) up(i int) int {
	n := &p.c.Nodes[i]
	if l := p.parts[n.Frame].light[p.place[i]]; l >= 0 {
		return l
	}
	return n.Parent
}

func (p *paths) step(i int, first bool) string {
	n := &p.c.Nodes[i]
	part := p.parts[n.Frame]
	k := p.place[i]
	up := p.up(i)
	sep := " > "
	switch {
	case first:
		sep = ""
	case p.c.Nodes[up].Frame != n.Frame:
		sep = " |> "
	case part.cols.Host[k] == p.place[up] && part.cols.Host[k] != part.cols.Host[p.place[up]]:
		sep = " >>> "
	}
	if n.Tag == "html" && (first || sep == " |> ") {
		return sep + "html"
	}
	return sep + tagName(n.Tag) + ":nth-child(" + strconv.Itoa(part.cols.Nth[k]) + ")"
}

// tagName escapes what CSS would read as something else, such as the colon of an
// XML prefix; odd names become the universal selector, as the place is unique.
func tagName(tag string) string {
	for _, r := range tag {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return "*"
		}
	}
	if tag == "" || strings.HasPrefix(tag, "-") {
		return "*"
	}
	return tag
}
