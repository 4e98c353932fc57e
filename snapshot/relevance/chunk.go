package relevance

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// Bounds of a chunk.
const (
	maxChunk = 12 // kept elements
	maxGap   = 40 // CSS px between loose neighbours of one chunk, top to bottom
	alike    = 3  // siblings of one tag that make each a container
)

// Chunk is a group of kept elements that belong together.
type Chunk struct {
	// Nodes are their indices, in document order.
	Nodes []int
	// Relevance is 0 to 1.
	Relevance float64
	// score is the BM25 score behind it, which has no upper end.
	score float64
	words []string
}

// chunker groups the kept elements of a capture.
type chunker struct {
	kept   map[int]int // node → kept elements in it, itself included
	same   map[sibling]int
	chunks []*Chunk
	of     map[int]*Chunk // node → the chunk that it and all in it belong to
	open   map[int]*loose // container → the group that its next loose element may join
}

// sibling identifies children of a kind of one element.
type sibling struct {
	parent int
	tag    string
}

// loose is a growing chunk of elements without a small container of their own.
type loose struct {
	chunk  *Chunk
	bottom float64 // CSS px
	boxed  bool    // bottom is known
}

// chunks groups all kept elements; structure, such as a section too large to be a
// chunk, is in none.
func chunks(c *snapshot.Capture) []*Chunk {
	k := &chunker{kept: map[int]int{}, same: map[sibling]int{}, of: map[int]*Chunk{}, open: map[int]*loose{}}
	for p := len(c.Nodes) - 1; p >= 0; p-- {
		n := &c.Nodes[p]
		if n.Verdict.Kept() {
			k.kept[n.I]++
		}
		if kept := k.kept[n.I]; kept > 0 && n.Parent < n.I {
			k.kept[n.Parent] += kept
			k.same[sibling{n.Parent, n.Tag}]++
		}
	}
	inside := map[int]int{} // node → the container around or at it that is no chunk
	for p := range c.Nodes {
		n := &c.Nodes[p]
		around, ok := inside[n.Parent]
		if !ok {
			around = -1
		}
		inside[n.I] = around
		if up := k.of[n.Parent]; up != nil && n.Parent < n.I {
			k.of[n.I] = up
			k.put(up, n)
			continue
		}
		kept := k.kept[n.I]
		switch {
		case kept == 0:
		case k.container(n) && kept <= maxChunk && kept > 1:
			one := k.begin()
			k.of[n.I] = one
			k.put(one, n)
		case structure(n):
			inside[n.I] = n.I
		case n.Verdict.Kept():
			one := k.near(n, around, min(kept, maxChunk))
			if kept <= maxChunk {
				k.of[n.I] = one
			}
			k.put(one, n)
		case k.container(n):
			inside[n.I] = n.I
		}
	}
	return k.chunks
}

func (k *chunker) begin() *Chunk {
	one := &Chunk{}
	k.chunks = append(k.chunks, one)
	return one
}

// put adds an element to a chunk: its number if it is kept, its words in any case
// where it is rendered.
func (k *chunker) put(one *Chunk, n *snapshot.Node) {
	if n.Verdict.Kept() {
		one.Nodes = append(one.Nodes, n.I)
	}
	switch n.Verdict {
	case snapshot.VerdictRef, snapshot.VerdictContent, snapshot.VerdictWrapper, snapshot.VerdictInsideAtomic:
		one.words = append(one.words, wordsOf(n)...)
	}
}

// near is the chunk of the loose elements before n in the same container, where n
// follows closely, has room in it and does not begin a part of its own.
func (k *chunker) near(n *snapshot.Node, container, kept int) *Chunk {
	g := k.open[container]
	heading := snapshot.IsHeading(n.Tag) || n.Role == "heading"
	apart := g != nil && g.boxed && !n.Box.Empty() && n.Box.Y()-g.bottom > maxGap
	if g == nil || heading || apart || len(g.chunk.Nodes)+kept > maxChunk {
		g = &loose{chunk: k.begin()}
		k.open[container] = g
	}
	if !n.Box.Empty() {
		if !g.boxed || n.Box.Bottom() > g.bottom {
			g.bottom = n.Box.Bottom()
		}
		g.boxed = true
	}
	return g.chunk
}

// structure reports whether the element represents its content.
func structure(n *snapshot.Node) bool {
	return n.Verdict == snapshot.VerdictRef && len(n.Interactive) == 0 &&
		(snapshot.IsSection(n.Tag) || n.IsModal() || snapshot.IsFrame(n.Tag) || n.OnlyScrolls())
}

// container reports whether what is in the element belongs together: by its tag or
// role, because it is set apart to the eye, or because it is one of several alike.
func (k *chunker) container(n *snapshot.Node) bool {
	switch n.Tag {
	case "html", "body":
		return false
	case "li", "ul", "ol", "menu", "figure", "label":
		return true
	}
	switch n.Role {
	case "listitem", "row", "article", "group", "radiogroup", "menu", "tablist", "toolbar", "listbox", "search", "form",
		"region":
		return true
	}
	return snapshot.IsSection(n.Tag) || n.IsModal() || n.Boundary || k.same[sibling{n.Parent, n.Tag}] >= alike &&
		k.kept[n.I] > 1
}

// wordsOf are the words that an element itself contributes.
func wordsOf(n *snapshot.Node) []string {
	var s strings.Builder
	add := func(t string) {
		s.WriteString(t)
		s.WriteByte('\n')
	}
	if n.NameFrom != "content" || n.Text == "" && len(n.Runs) == 0 {
		add(n.Name)
	}
	add(n.Text)
	add(n.Description)
	add(n.Value)
	for _, a := range [...]string{"placeholder", "title", "alt"} {
		if v := n.Attr(a); v != n.Name {
			add(v)
		}
	}
	return split(s.String())
}
