package relevance

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// Defaults of S-13.
const (
	defaultNodes     = 50
	defaultTokens    = 2_000
	defaultRelevance = 0.1
)

// Params configure what to look for and how much of it to keep. The zero values of the
// limits are the defaults of S-13; below 0 is no limit.
type Params struct {
	// Query is the task in words.
	Query string
	// MaxNodes is how many kept elements are chosen at most.
	MaxNodes int
	// MaxTokens is how much the chosen elements cost together at most, by Cost.
	MaxTokens int
	// MinRelevance is the least relevance of a chosen chunk, 0 to 1.
	MinRelevance float64
	// Cost is how many tokens an element takes up. nil is characters / 4 of its name,
	// text and value, and 8 for what a format writes around them.
	Cost func(n *snapshot.Node) int
}

// Selection is the result of [Select].
type Selection struct {
	// Query and the limits, defaults filled in.
	Params Params
	// Chunks are all chunks of the page, the most relevant first; those of equal
	// relevance in document order.
	Chunks []*Chunk
	// Original is the number of kept elements of the page, Chosen of those chosen.
	Original, Chosen int
	// Tokens is the cost of the chosen ones together.
	Tokens int

	why map[int]string // kept element → why it was not chosen
}

// Has reports whether a kept element was chosen.
func (s *Selection) Has(node int) bool {
	_, out := s.why[node]
	return !out
}

// Why describes why a kept element was not chosen, "" where it was.
func (s *Selection) Why(node int) string { return s.why[node] }

// Select chooses what the query is about. A query that matches nothing, as one
// without a word, chooses nothing. The same arguments give the same answer.
func Select(c *snapshot.Capture, p Params) *Selection {
	p = p.withDefaults()
	t := snapshot.NewTree(c)
	s := &Selection{Params: p, Chunks: chunks(c), why: map[int]string{}}
	score(s.Chunks, p.Query)
	slices.SortStableFunc(s.Chunks, func(a, b *Chunk) int { return cmp.Compare(b.score, a.score) })
	w := &choice{Selection: s, t: t, in: map[int]bool{}, around: map[int]*snapshot.Node{}}
	for i := range c.Nodes {
		if n, up := &c.Nodes[i], t.Node(c.Nodes[i].Parent); up != nil && up.I < n.I {
			if w.around[n.I] = w.around[up.I]; structure(up) {
				w.around[n.I] = up
			}
		}
	}
	for _, one := range s.Chunks {
		w.chunk(one)
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() {
			continue
		}
		s.Original++
		switch {
		case w.in[n.I]:
			s.Chosen++
			delete(s.why, n.I)
		case s.why[n.I] == "":
			s.why[n.I] = "nothing in it is relevant enough to the query"
		}
	}
	return s
}

func (p Params) withDefaults() Params {
	p.MaxNodes = cmp.Or(p.MaxNodes, defaultNodes)
	if p.MaxTokens == 0 {
		p.MaxTokens = defaultTokens
	}
	p.MinRelevance = cmp.Or(p.MinRelevance, defaultRelevance)
	if p.Cost == nil {
		p.Cost = estimate
	}
	return p
}

// estimate is the cost of an element without a format.
func estimate(n *snapshot.Node) int {
	s := cmp.Or(n.Name, n.Text)
	return (utf8.RuneCountInString(s)+utf8.RuneCountInString(n.Value)+3)/4 + 8
}

// choice fills the budget.
type choice struct {
	*Selection
	t      *snapshot.Tree
	in     map[int]bool
	around map[int]*snapshot.Node // node → the innermost structure around it
}

// chunk takes a chunk if it is relevant and fits whole. A chunk that is too large
// for the whole budget gives its first elements, so that something of the best
// match is there in any case.
func (w *choice) chunk(one *Chunk) {
	if one.score <= 0 || one.Relevance < w.Params.MinRelevance {
		for _, n := range one.Nodes {
			w.why[n] = fmt.Sprintf("relevance %.2f, %.2f needed", one.Relevance, w.Params.MinRelevance)
		}
		return
	}
	if w.take(one.Nodes) {
		return
	}
	for _, n := range one.Nodes {
		w.why[n] = fmt.Sprintf("relevance %.2f, but the %s are used up", one.Relevance, w.limits())
	}
	if len(w.in) > 0 {
		return
	}
	for _, n := range one.Nodes {
		if !w.take([]int{n}) {
			return
		}
	}
}

func (w *choice) limits() string {
	switch p := w.Params; {
	case p.MaxNodes < 0:
		return fmt.Sprintf("%d tokens", p.MaxTokens)
	case p.MaxTokens < 0:
		return fmt.Sprintf("%d elements", p.MaxNodes)
	default:
		return fmt.Sprintf("%d elements or %d tokens", p.MaxNodes, p.MaxTokens)
	}
}

// take chooses the elements and the structure around them, all or none.
func (w *choice) take(nodes []int) bool {
	p := w.Params
	if p.MaxNodes >= 0 && len(w.in)+len(nodes) > p.MaxNodes {
		return false
	}
	var add []int
	added := map[int]bool{}
	cost := 0
	one := func(n *snapshot.Node) {
		if !w.in[n.I] && !added[n.I] && n.Verdict.Kept() {
			added[n.I] = true
			add = append(add, n.I)
			cost += w.Params.Cost(n)
		}
	}
	for _, i := range nodes {
		for up := w.around[i]; up != nil && !w.in[up.I] && !added[up.I]; up = w.around[up.I] {
			one(up)
		}
		one(w.t.Node(i))
	}
	if p.MaxNodes >= 0 && len(w.in)+len(add) > p.MaxNodes || p.MaxTokens >= 0 && w.Tokens+cost > p.MaxTokens {
		return false
	}
	for _, n := range add {
		w.in[n] = true
	}
	w.Tokens += cost
	return true
}

// Apply is a copy of the capture in which the kept elements that were not chosen
// are filtered: formats pass over them and still print what is inside them. Counts
// by verdict stay those of the page.
func (s *Selection) Apply(c *snapshot.Capture) *snapshot.Capture {
	out := *c
	out.Nodes = slices.Clone(c.Nodes)
	for p := range out.Nodes {
		if n := &out.Nodes[p]; n.Verdict.Kept() && !s.Has(n.I) {
			n.Verdict, n.Evidence = snapshot.VerdictFiltered, "query: "+s.Why(n.I)
		}
	}
	return &out
}
