package dump

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/relevance"
	"github.com/refscope/refscope/snapshot/text"
)

// Common.Query: any format of what a task is about. The capture is filtered before
// it is rendered, so most formats need not know: what was not chosen is filtered, and
// they pass over it and still look into it. (full and Playwright's profile drop what is
// filtered with all in it, so they ask passed.) What was filtered out is in Omitted with
// ReasonQuery and its relevance. Formats of lines end with a note,
//
//	[...filtered for "add to cart": 8 of 500 elements]
//
// and the format filtered has the counts in its envelope.

// QueryResult is the part of a page that a query chose.
type QueryResult struct {
	*relevance.Selection
	Whole *Page // with all that the query left out
}

// PassedOver reports whether the query passed over an element that the page keeps. A nil
// result passes over nothing.
func (r *QueryResult) PassedOver(n *snapshot.Node) bool {
	if r == nil || n.Verdict != snapshot.VerdictFiltered {
		return false
	}
	whole := r.Whole.Capture.Node(n.I)
	return whole != nil && whole.Verdict.Kept()
}

// Narrow is the page with what the query of the options chooses, the page itself where
// there is none. spell is an element as the format filtered spells it, for its cost.
func (p *Page) Narrow(o Common, spell func(n *snapshot.Node) string) *Page {
	if o.Query == "" {
		return p
	}
	sel := relevance.Select(p.Capture, relevance.Params{
		Query: o.Query, MaxNodes: o.QueryNodes,
		Cost: func(n *snapshot.Node) int { return o.CountedTokens(spell(n)) },
	})
	left := NewPage(sel.Apply(p.Capture))
	left.Query = &QueryResult{sel, p}
	return left
}

// CountedTokens counts the tokens of a text as the options ask for it.
func (o Common) CountedTokens(s string) int {
	if o.CountTokens != nil {
		return o.CountTokens(s)
	}
	return quarter(s)
}

// ShortQuery is the query as notes and envelopes repeat it.
func (o Common) ShortQuery() string { return text.Cut(text.CollapseSpace(o.Query), capQuery) }

// accountQuery accounts for what the query left out.
func (b *Builder) accountQuery(o Common) {
	q := b.Page.Query
	if q == nil {
		return
	}
	whole := q.Whole.Capture
	for p := range whole.Nodes {
		if n := &whole.Nodes[p]; n.Verdict.Kept() && !q.Has(n.I) {
			b.Omit(n.I, ReasonQuery, q.Why(n.I))
		}
	}
	if b.Rules != nil {
		b.Rules.Remarks = append(b.Rules.Remarks, "filtered for "+text.Quote(o.ShortQuery())+": "+
			text.Thousands(q.Chosen)+" of "+text.Count(q.Original, "element", "elements"))
	}
}

// capQuery is how much of a query a note and an envelope repeat, in characters.
const capQuery = 200
