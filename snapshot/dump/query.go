package dump

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/relevance"
	"github.com/refscope/refscope/snapshot/text"
)

// Options.Query: any format of what a task is about. The capture is filtered before
// it is rendered, so most formats need not know: what was not chosen is filtered, and
// they pass over it and still look into it. (full and Playwright's profile drop what is
// filtered with all in it, so they ask passed.) What was filtered out is in Omitted with
// ReasonQuery and its relevance. Formats of lines end with a note,
//
//	[...filtered for "add to cart": 8 of 500 elements]
//
// and the format filtered has the counts in its envelope.

// finding is the choice behind a rendering.
type finding struct {
	*relevance.Selection
	whole *snapshot.Capture
}

// passed reports whether the query passed over an element that the page keeps. A nil
// finding passes over nothing.
func (f *finding) passed(n *snapshot.Node) bool {
	if f == nil || n.Verdict != snapshot.VerdictFiltered {
		return false
	}
	whole := f.whole.Node(n.I)
	return whole != nil && whole.Verdict.Kept()
}

// find filters the capture by the query of the options.
func find(c *snapshot.Capture, o Options) (*snapshot.Capture, Options) {
	scratch := newEntries(c, o)
	sel := relevance.Select(c, relevance.Params{
		Query: o.Query, MaxNodes: o.QueryNodes, MaxTokens: o.QueryTokens, MinRelevance: o.MinRelevance,
		Cost: func(n *snapshot.Node) int {
			return o.tokens(string(scratch.encode(n)) + ",\n")
		},
	})
	o.found = &finding{sel, c}
	left := sel.Apply(c)
	o.page = NewPage(left)
	return left, o
}

// tokens counts the tokens of a text as the options say.
func (o Options) tokens(s string) int {
	if o.CountTokens != nil {
		return o.CountTokens(s)
	}
	return quarter(s)
}

// found accounts for what the query left out.
func (b *builder) found(whole *snapshot.Capture, o Options) {
	if o.found == nil {
		return
	}
	for p := range whole.Nodes {
		if n := &whole.Nodes[p]; n.Verdict.Kept() && !o.found.Has(n.I) {
			b.omit(n.I, ReasonQuery, o.found.Why(n.I))
		}
	}
	if b.rules != nil {
		query := text.Cut(text.Squash(o.Query), capQuery)
		b.rules.remarks = append(b.rules.remarks, "filtered for "+string(text.AppendJSON(nil, query))+": "+
			text.Thousands(o.found.Chosen)+" of "+text.Count(o.found.Original, "element", "elements"))
	}
}

// capQuery is how much of a query a note and an envelope repeat, in characters.
const capQuery = 200

// entries spells elements as the format filtered does.
type entries struct {
	semantic
	holds map[int]bool // elements with another numbered one inside
}

func newEntries(c *snapshot.Capture, o Options) *entries {
	o.Compat = false
	e := &entries{semantic: semantic{builder: &builder{c: c}, t: o.of(c).tree(), o: o}, holds: map[int]bool{}}
	for p := len(c.Nodes) - 1; p >= 0; p-- {
		if n := &c.Nodes[p]; e.holds[n.I] || n.Verdict == snapshot.VerdictRef {
			e.holds[n.Parent] = true
		}
	}
	return e
}

// encode is one entry: {"i":"45","r":"btn","n":"Add to Cart","v":"…","s":"…"}.
func (w *entries) encode(n *snapshot.Node) []byte {
	b := text.AppendJSON([]byte(`{"i":`), w.id(n))
	b = text.AppendJSON(append(b, `,"r":`...), shortRole(roleOf(n)))
	b = text.AppendJSON(append(b, `,"n":`...), w.entryName(n))
	b = optional(b, "v", w.value(n))
	b = optional(b, "s", stateWords(n))
	return append(b, '}')
}

// entryName is what an entry is called. Text around numbered elements is called by
// the words beside them: those elements have entries of their own.
func (w *entries) entryName(n *snapshot.Node) string {
	if n.Verdict == snapshot.VerdictContent && w.holds[n.I] {
		return w.cut(n.I, "name", looseText(w.t, n), capName)
	}
	return w.name(n)
}

// entry reports whether the element has an entry, and if not, why: it stands for
// what is in it, or its text is part of an entry around it.
func (w *entries) entry(n *snapshot.Node, within *snapshot.Node) (reason, detail string) {
	switch {
	case n.Verdict == snapshot.VerdictRef && len(n.Interactive) == 0 && n.Container():
		return ReasonRole, "filtered lists what is in it"
	case n.Verdict == snapshot.VerdictContent && within != nil && !w.holds[within.I]:
		return ReasonDuplicate, "its text is part of " + numberOf(within)
	}
	return "", ""
}

// list spells all kept elements that have entries; omit, where there is one, is told about
// the others.
func (w *entries) list(omit func(node int, reason, detail string)) []element {
	var out []element
	within := map[int]*snapshot.Node{} // node → the listed element around it
	for p := range w.c.Nodes {
		n := &w.c.Nodes[p]
		around := within[n.Parent]
		within[n.I] = around
		if !n.Verdict.Kept() {
			continue
		}
		if reason, detail := w.entry(n, around); reason != "" {
			if omit != nil {
				omit(n.I, reason, detail)
			}
			continue
		}
		within[n.I] = n
		out = append(out, element{n: n, encoded: w.encode(n)})
	}
	return out
}

// treeTokens is what a list costs.
func treeTokens(es []element, o Options) int {
	s := []byte{'['}
	for _, e := range es {
		s = append(append(s, e.encoded...), ",\n"...)
	}
	return o.tokens(string(append(s, ']')))
}

// reduction is by how many percent b is less than a, 0 to 100.
func reduction(a, b int) int {
	if a <= 0 || b >= a {
		return 0
	}
	return (200*(a-b) + a) / (2 * a)
}
