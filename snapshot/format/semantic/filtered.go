package semantic

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/ordered"
)

// The filtered format: the answer to a query on a large page, seed 001 2.6.2 (S-13).
//
//	{"mode":"filtered","reason":"Filtered for 'Samsung Price'","originalCount":500,"filteredCount":8,
//	 "tokenReduction":92,"tree":[
//	{"i":"45","r":"listitem","n":"Samsung Odyssey G7 $299"},
//	{"i":"46","r":"btn","n":"Add to Cart"}
//	]}
//
// One JSON value without spaces; a line feed comes before and after each entry and
// nowhere else, as in semantic; the head is one line. i, r, n, v and s are semantic's; boxes and frames
// are left out as in the seed, the frame is in i (f1_12).
//
// Unlike semantic it lists text too, because that is what a query is often about:
// every kept element but sections, dialogs, frames and other containers
// (role-not-here) and text that is part of an entry around it (duplicate). Entries
// are those that package relevance chooses, in document order; without
// Options.Query, all. originalCount are the entries of the whole page,
// tokenReduction is by how many percent the tokens of the list are fewer than with
// all of them, rounded; tokens as Options.CountTokens counts them.
//
// With MaxChars, MaxTokens or MaxNodes, entries that do not fit are cut from the end
// and counted as cutElements after tree.
//
// The seed's own example cannot be made from any page: its role "item" is in no
// role map, and its value "$299" is of an element that has none. Compat changes
// nothing: no original is known.

type filtered struct {
	*entries
	chosen  []element
	reason  string
	all     int // entries of the whole page
	allCost int // their tokens
}

// RenderFiltered renders what a query found.
func RenderFiltered(p *dump.Page, o dump.Common) *dump.Builder {
	w := &filtered{entries: newEntries(p, o)}
	w.Unlisted = func(*snapshot.Node) (string, string) { return dump.ReasonRole, "filtered does not list it" }
	w.chosen = w.list(w.Omit)
	w.all, w.allCost = len(w.chosen), treeTokens(w.chosen, o)
	query := o.ShortQuery()
	w.reason = "Not filtered: there is no query"
	if q := p.Query; q != nil {
		whole := newEntries(q.Whole, o).list(nil)
		w.all, w.allCost = len(whole), treeTokens(whole, o)
		w.reason = "Filtered for '" + query + "'"
		if len(w.chosen) == 0 {
			w.reason = "Nothing on the page matches '" + query + "'"
		}
	}
	keep, limit := o.Budget(0).Fit(len(w.chosen), func(i int) int { return utf8.RuneCount(w.chosen[i].encoded) + 2 },
		func(keep int) string { return strings.Join(w.lay(keep), "\n") })
	for _, e := range w.chosen[keep:] {
		w.Omit(e.n.I, dump.ReasonCut, limit.Beyond())
	}
	w.Truncated = keep < len(w.chosen)
	for i, l := range w.lay(keep) {
		var n *snapshot.Node
		if i > 0 && i <= keep {
			n = w.chosen[i-1].n
		}
		w.Add(n, 0, l)
	}
	return w.Builder
}

// lay are the lines with the first keep entries.
func (w *filtered) lay(keep int) []string {
	var j ordered.Writer
	j.Open("", '{').String("mode", "filtered").String("reason", w.reason).Int("originalCount", w.all)
	j.Int("filteredCount", keep).Int("tokenReduction", reduction(w.allCost, treeTokens(w.chosen[:keep], w.o.Common)))
	ls := []string{string(j.Open("tree", '[').Out)}
	for i, e := range w.chosen[:keep] {
		comma := ","
		if i == keep-1 {
			comma = ""
		}
		ls = append(ls, string(e.encoded)+comma)
	}
	tail := "]}"
	if cut := len(w.chosen) - keep; cut > 0 {
		tail = `],"cutElements":` + strconv.Itoa(cut) + "}"
	}
	return append(ls, tail)
}

// entries spells elements as the format filtered does.
type entries struct {
	semantic
	holds map[int]bool // elements with another numbered one inside
}

func newEntries(p *dump.Page, o dump.Common) *entries {
	o.Compat = false // no original is known
	e := &entries{semantic: semantic{Builder: dump.NewBuilder(p), t: p.Tree(), o: settings{Common: o},
		profile: profileOf(settings{Common: o}, false)}, holds: map[int]bool{}}
	nodes := p.Capture.Nodes
	for i := range slices.Backward(nodes) {
		if n := &nodes[i]; e.holds[n.I] || n.Verdict == snapshot.VerdictRef {
			e.holds[n.Parent] = true
		}
	}
	return e
}

// encode is one entry: {"i":"45","r":"btn","n":"Add to Cart","v":"…","s":"…"}.
func (w *entries) encode(n *snapshot.Node) []byte {
	var j ordered.Writer
	j.Open("", '{').String("i", w.id(n)).String("r", shortRole(dump.RoleOf(n))).String("n", w.entryName(n))
	j.Optional("v", w.value(n)).Optional("s", stateWords(n, n.States.Token("sort"), false))
	j.True("guessed", dump.Guessed(n))
	return j.Close("}").Out
}

// entryName is the name of an entry. Text around numbered elements is called by
// the words beside them: those elements have entries of their own.
func (w *entries) entryName(n *snapshot.Node) string {
	if n.Verdict == snapshot.VerdictContent && w.holds[n.I] {
		return w.cut(n.I, "name", dump.LooseText(w.t, n), capName)
	}
	return w.name(n)
}

// entry reports whether the element has an entry, and if not, why: it represents
// what is in it, or its text is part of an entry around it.
func (w *entries) entry(n *snapshot.Node, within *snapshot.Node) (reason, detail string) {
	switch {
	case n.Verdict == snapshot.VerdictRef && len(n.Interactive) == 0 && n.Container():
		return dump.ReasonRole, "filtered lists what is in it"
	case n.Verdict == snapshot.VerdictContent && within != nil && !w.holds[within.I]:
		return dump.ReasonDuplicate, "its text is part of " + numberOf(within)
	}
	return "", ""
}

// list spells all kept elements that have entries; omit, where there is one, is called for
// the others.
func (w *entries) list(omit func(node int, reason, detail string)) []element {
	var out []element
	within := map[int]*snapshot.Node{} // node → the listed element around it
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
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

// treeTokens is the cost of a list.
func treeTokens(es []element, o dump.Common) int {
	s := []byte{'['}
	for _, e := range es {
		s = append(append(s, e.encoded...), ",\n"...)
	}
	return o.CountedTokens(string(append(s, ']')))
}

// reduction is by how many percent b is less than a, 0 to 100.
func reduction(a, b int) int {
	if a <= 0 || b >= a {
		return 0
	}
	return (200*(a-b) + a) / (2 * a)
}

// Narrow is the page with what the query of the options chooses, the page itself without
// a query. What an element costs is the tokens of its entry.
func Narrow(p *dump.Page, o dump.Common) *dump.Page {
	if o.Query == "" {
		return p
	}
	w := newEntries(p, o)
	return p.Narrow(o, func(n *snapshot.Node) string { return string(w.encode(n)) + ",\n" })
}
