package dump

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// The filtered format: the answer to a query on a large page, seed 001 2.6.2 (S-13).
//
//	{"mode":"filtered","reason":"Filtered for 'Samsung Price'","originalCount":500,"filteredCount":8,"tokenReduction":92,"tree":[
//	{"i":"45","r":"listitem","n":"Samsung Odyssey G7 $299"},
//	{"i":"46","r":"btn","n":"Add to Cart"}
//	]}
//
// One JSON value without spaces; a line feed stands before and after each entry and
// nowhere else, as in semantic. i, r, n, v and s are semantic's; boxes and frames
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

func renderFiltered(c *snapshot.Capture, o Options) *builder {
	w := &filtered{entries: newEntries(c, o)}
	w.why = func(*snapshot.Node) (string, string) { return ReasonRole, "filtered does not list it" }
	w.chosen = w.list(w.omit)
	w.all, w.allCost = len(w.chosen), treeTokens(w.chosen, o)
	query := text.Cut(text.Squash(o.Query), capQuery)
	w.reason = "Not filtered: there is no query"
	if o.found != nil {
		whole := newEntries(o.found.whole, o).list(nil)
		w.all, w.allCost = len(whole), treeTokens(whole, o)
		w.reason = "Filtered for '" + query + "'"
		if len(w.chosen) == 0 {
			w.reason = "Nothing on the page matches '" + query + "'"
		}
	}
	keep, limit := o.budget(0).fit(len(w.chosen), func(i int) int { return utf8.RuneCount(w.chosen[i].encoded) + 2 }, func(keep int) string {
		return strings.Join(w.lay(keep), "\n")
	})
	for _, e := range w.chosen[keep:] {
		w.omit(e.n.I, ReasonCut, limit.beyond())
	}
	w.truncated = keep < len(w.chosen)
	for i, l := range w.lay(keep) {
		var n *snapshot.Node
		if i > 0 && i <= keep {
			n = w.chosen[i-1].n
		}
		w.add(n, 0, l)
	}
	return w.builder
}

// lay are the lines with the first keep entries.
func (w *filtered) lay(keep int) []string {
	head := text.AppendJSON([]byte(`{"mode":"filtered","reason":`), w.reason)
	for _, one := range [...]struct {
		key string
		n   int
	}{{"originalCount", w.all}, {"filteredCount", keep}, {"tokenReduction", reduction(w.allCost, treeTokens(w.chosen[:keep], w.o))}} {
		head = strconv.AppendInt(append(head, `,"`+one.key+`":`...), int64(one.n), 10)
	}
	ls := []string{string(append(head, `,"tree":[`...))}
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
