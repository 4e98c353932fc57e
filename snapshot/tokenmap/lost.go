package tokenmap

import (
	"cmp"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokens"
)

// Lost is what a dump left out and what that would have cost: the difference to the
// same format without limits and filters. Given + the tokens of Reasons + Notes is
// Whole.
type Lost struct {
	Whole int `json:"whole"` // tokens without limits
	Given int `json:"given"` // tokens of the dump as it is
	// Reasons are those of [dump.Omission], the costly ones first; "spelling" is what
	// elements cost more or less although nothing of them was left out.
	Reasons []LostReason `json:"reasons,omitempty"`
	// Notes is the extra cost of text about no element; below 0 where the dump
	// has remarks about what it left out.
	Notes int `json:"notes"`
	// Regions are those of the whole page that lost something, the most first.
	Regions []LostRegion `json:"regions,omitempty"`
}

// LostReason is the saving by one reason.
type LostReason struct {
	Reason string `json:"reason"` // why they were left out
	Nodes  int    `json:"nodes"`  // how many elements it left out
	Tokens int    `json:"tokens"` // what they would have cost
}

// LostRegion is what was removed from one region, without the regions inside it.
type LostRegion struct {
	Region Region `json:"region"` // as in the map of the whole page
	Nodes  int    `json:"nodes"`  // how many elements it lost
	Tokens int    `json:"tokens"` // what they would have cost
}

// reasonSpelling is the reason of a cost that no omission explains: a token that begins in
// a neighbour, an indent, a template.
const reasonSpelling = "spelling"

// Unlimited are the options without what leaves elements out for the sake of size:
// limits, query, repeats, viewport.
func Unlimited(o format.Options) format.Options {
	o.MaxChars, o.MaxTokens, o.MaxNodes = -1, 0, -1
	o.Query, o.SummariseRepeats = "", false
	o.ViewportOnly, o.Semantic.NoViewportPruning = false, true
	return o
}

// Compare describes what d lacks of whole: two documents of one capture in one format, the
// second with the options that [Unlimited] gives. counter may be nil, as for Build.
func Compare(c *snapshot.Capture, d, whole *dump.Document, counter *tokens.Counter) *Lost {
	m := Build(c, whole, counter)
	given, all := costs(d, counter), costs(whole, counter)
	out := &Lost{Whole: m.Whole.Tokens, Notes: all[-1] - given[-1]}
	for _, n := range given {
		out.Given += n
	}
	why := map[int]string{}
	for _, o := range d.Omitted {
		if _, ok := why[o.Node]; !ok {
			why[o.Node] = o.Reason
		}
	}
	nodes := make(map[int]bool, len(all))
	for n := range all {
		nodes[n] = true
	}
	for n := range given {
		nodes[n] = true
	}
	delete(nodes, -1)
	reasons := map[string]*LostReason{}
	regions := map[int]*LostRegion{}
	owner := m.Owner(c)
	for n := range nodes { // sums: the order does not matter
		lost := all[n] - given[n]
		if lost == 0 {
			continue
		}
		reason := cmp.Or(why[n], reasonSpelling)
		if reasons[reason] == nil {
			reasons[reason] = &LostReason{Reason: reason}
		}
		reasons[reason].Nodes++
		reasons[reason].Tokens += lost
		if reason == reasonSpelling {
			continue
		}
		at := owner(n)
		if regions[at] == nil {
			regions[at] = &LostRegion{Region: m.Regions[at]}
		}
		regions[at].Nodes++
		regions[at].Tokens += lost
	}
	for _, r := range reasons {
		out.Reasons = append(out.Reasons, *r)
	}
	slices.SortFunc(out.Reasons, func(a, b LostReason) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Reason, b.Reason))
	})
	for _, r := range regions {
		out.Regions = append(out.Regions, *r)
	}
	slices.SortFunc(out.Regions, func(a, b LostRegion) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Region.Node, b.Region.Node))
	})
	return out
}

// costs are the tokens of each element's own text, -1 for text about none.
func costs(d *dump.Document, counter *tokens.Counter) map[int]int {
	var spread func(string, []int) []int
	if counter != nil {
		spread = counter.Spread
	}
	out := map[int]int{}
	for _, a := range measure(d, nil, spread) {
		out[a.node] += a.tokens
	}
	return out
}
