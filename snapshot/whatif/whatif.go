// Package whatif renders one capture twice and names which lines come and go: with
// another threshold, another cap, another filter (row N-6). Nothing is captured again,
// so it works on any recorded turn.
//
// Lines are compared by the element that they are about, not by their place: a line
// came or went with its element, and changed where the element has a line either
// way. Each is answered with the reason that the rendering without it gives
// ([dump.Document].Omitted), or with the verdict, for what a filter took out.
//
// # What a filter can do here
//
// [Setup.Drop] are CSS selectors as in a site profile; package css names which of CSS
// it knows, and refuses the rest. They take out elements with all that is in them,
// as the filters of a capture do. A predicate in JavaScript needs the page, so it is
// not offered. A filter can only be added: what a capture was taken with is not in
// it, and its elements have the verdict "filtered" and no number. Other elements
// keep their numbers. What the page is as a whole (its type, forms, overlays, preview) is told again without them,
// where the capture has all elements; else it stays as it was when the page was read, but for overlays that are
// dropped.
package whatif

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagefacts"
)

// Setup is one way to render a capture.
type Setup struct {
	Options format.Options
	// Drop are CSS selectors of elements to leave out, with all they hold.
	Drop []string
}

// Kind is the kind of change of a line.
type Kind string

const (
	// Came: the second rendering has the line and the first has not.
	Came Kind = "came"
	// Went: the first has it and the second has not.
	Went Kind = "went"
	// Changed: both have a line there, and they differ.
	Changed Kind = "changed"
)

// Reason is why a rendering lacks a line, or a part of it.
type Reason struct {
	Reason string `json:"reason"` // as in dump.Omission, or a verdict
	Detail string `json:"detail,omitempty"`
	// Rule is the selector that left the line out, of the element itself or of one around it; "" where no filter did.
	Rule string `json:"-"`
}

// LineChange is one line that was added, removed or changed.
type LineChange struct {
	Kind Kind `json:"kind"`
	Node int  `json:"node"` // index of the element that the line is about, -1 for none
	Ref  int  `json:"ref,omitempty"`
	// Before and After are the indices in the documents' Lines, -1 for none.
	Before int `json:"before"`
	After  int `json:"after"`
	// From and To are the lines' text without indent.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Why are the reasons of the rendering that lacks the line; of a changed line,
	// those of the second. Empty for lines about no element (the header, the note of
	// what was cut) and, of an element with several lines, where the rendering has
	// another line about it and names no omission.
	Why []Reason `json:"why,omitempty"`
}

// Comparison is the result of [Compare].
type Comparison struct {
	Before *dump.Document `json:"-"`
	After  *dump.Document `json:"-"`
	// Lines are in the order of the second document; a removed line follows the line
	// after which it was in the first, and precedes lines added there.
	Lines     []LineChange `json:"lines"`
	Unchanged int          `json:"unchanged"`
	// Origin is, for each line of After, its line of Before, -1 where it came.
	Origin []int `json:"-"`
}

// Compare renders the capture in one format with two setups. The capture is not
// changed. An unknown format and a selector that cannot be used are errors.
func Compare(c *snapshot.Capture, f dump.Format, a, b Setup) (*Comparison, error) {
	return Between(c, c, f, a, b)
}

// Between is [Compare] where the second rendering is of a copy of the capture in which
// texts differ, such as one with other redactions: both have the same elements at the
// same indices.
func Between(before, after *snapshot.Capture, f dump.Format, a, b Setup) (*Comparison, error) {
	ca, da, err := render(before, f, a)
	if err != nil {
		return nil, err
	}
	cb, db, err := render(after, f, b)
	if err != nil {
		return nil, err
	}
	w := &comparer{out: &Comparison{Before: da, After: db}, a: side(ca, da), b: side(cb, db)}
	w.run()
	return w.out, nil
}

func render(c *snapshot.Capture, f dump.Format, s Setup) (*snapshot.Capture, *dump.Document, error) {
	c, err := filterOut(c, s.Drop)
	if err != nil {
		return nil, nil, err
	}
	d, err := format.Render(c, f, s.Options)
	return c, d, err
}

// half is one rendering, indexed.
type half struct {
	c     *snapshot.Capture
	d     *dump.Document
	lines map[int][]int           // node → lines about it, by Line.Node alone
	why   map[int][]dump.Omission // node → omissions
}

func side(c *snapshot.Capture, d *dump.Document) half {
	h := half{c: c, d: d, lines: map[int][]int{}, why: map[int][]dump.Omission{}}
	for i, l := range d.Lines {
		h.lines[l.Node] = append(h.lines[l.Node], i)
	}
	for _, o := range d.Omitted {
		h.why[o.Node] = append(h.why[o.Node], o)
	}
	return h
}

// text is a line without its indent, and without the comma that the JSON formats put
// between elements and not after the last.
func (h *half) text(i int) string {
	l := h.d.Lines[i]
	s := strings.TrimLeft(h.d.Text[l.Start:l.End], "\t")
	if strings.HasPrefix(s, "{") {
		s = strings.TrimSuffix(s, ",")
	}
	return s
}

// reasons are why this rendering lacks a line of the node.
func (h *half) reasons(node int) []Reason {
	if node < 0 {
		return nil
	}
	var out []Reason
	n := h.c.Node(node)
	if n != nil && !n.Verdict.Kept() {
		r := Reason{Reason: string(n.Verdict), Detail: n.Evidence}
		if n.Verdict == snapshot.VerdictFiltered {
			r.Rule = cmp.Or(n.FilteredBy, n.Evidence)
		}
		return []Reason{r}
	}
	for _, o := range h.why[node] {
		out = append(out, Reason{Reason: o.Reason, Detail: o.Detail})
	}
	if len(out) == 0 && n != nil {
		if i := h.d.LineOf(node); i >= 0 && h.d.Lines[i].Node != node {
			detail := "its text is a part of another line"
			if ref := h.d.Lines[i].Ref; ref > 0 {
				detail = fmt.Sprintf("its text is a part of the line of [%d]", ref)
			}
			out = append(out, Reason{Reason: dump.ReasonDuplicate, Detail: detail})
		}
	}
	return out
}

// comparer is one comparison in progress.
type comparer struct {
	out  *Comparison
	a, b half
}

// run pairs the lines of each node: equal ones first, in order, then the rest.
func (w *comparer) run() {
	toB := make([]int, len(w.a.d.Lines)) // line of a → line of b, -1 for none
	toA := make([]int, len(w.b.d.Lines))
	for i := range toB {
		toB[i] = -1
	}
	for i := range toA {
		toA[i] = -1
	}
	for node, la := range w.a.lines { // each node on its own, so the order is of no matter
		w.pairNode(la, w.b.lines[node], toB, toA)
	}
	w.out.Origin = toA
	i := 0
	went := func(end int) {
		for ; i < end; i++ {
			if toB[i] < 0 {
				l := w.a.d.Lines[i]
				w.out.Lines = append(w.out.Lines, LineChange{Kind: Went, Node: l.Node, Ref: l.Ref, Before: i, After: -1,
					From: w.a.text(i), Why: w.b.reasons(l.Node)})
			}
		}
	}
	for j, l := range w.b.d.Lines {
		k := toA[j]
		if k < 0 {
			end := i // removed lines come before added ones
			for end < len(toB) && toB[end] < 0 {
				end++
			}
			went(end)
			w.out.Lines = append(w.out.Lines, LineChange{Kind: Came, Node: l.Node, Ref: l.Ref, Before: -1, After: j,
				To: w.b.text(j), Why: w.a.reasons(l.Node)})
			continue
		}
		went(k)
		i = max(i, k+1)
		from, to := w.a.text(k), w.b.text(j)
		if from == to {
			w.out.Unchanged++
			continue
		}
		w.out.Lines = append(w.out.Lines, LineChange{Kind: Changed, Node: l.Node, Ref: l.Ref, Before: k,
			After: j, From: from,
			To: to, Why: w.b.reasons(l.Node)})
	}
	went(len(toB))
}

// pairNode pairs the lines of one node.
func (w *comparer) pairNode(la, lb []int, toB, toA []int) {
	left := map[string][]int{}
	for _, j := range lb {
		s := w.b.text(j)
		left[s] = append(left[s], j)
	}
	for _, i := range la {
		s := w.a.text(i)
		if js := left[s]; len(js) > 0 {
			toB[i], toA[js[0]] = js[0], i
			left[s] = js[1:]
		}
	}
	k := 0
	for _, i := range la {
		if toB[i] >= 0 {
			continue
		}
		for k < len(lb) && toA[lb[k]] >= 0 {
			k++
		}
		if k < len(lb) {
			toB[i], toA[lb[k]] = lb[k], i
		}
	}
}

// filterOut is the capture without the elements that one of the CSS selectors matches:
// these and all that is in them have the verdict "filtered", with the selector as
// evidence, and no number. What was not kept before stays as it was. Without
// selectors it is the capture itself.
func filterOut(c *snapshot.Capture, drop []string) (*snapshot.Capture, error) {
	if len(drop) == 0 {
		return c, nil
	}
	list := make([]*css.Selector, len(drop))
	for i, s := range drop {
		sel, err := css.Parse(s)
		if err != nil {
			return nil, fmt.Errorf("filter: %w", err)
		}
		list[i] = sel
	}
	tree := css.NewTree(c)
	out := *c
	out.Nodes = append([]snapshot.Node(nil), c.Nodes...)
	out.Verdicts = maps.Clone(c.Verdicts) // of all elements, also where c holds the kept ones only
	roots := map[int]string{}
	for p := range c.Nodes {
		for i, s := range list {
			if s.Matches(tree, &c.Nodes[p]) {
				roots[c.Nodes[p].I] = drop[i]
				break
			}
		}
	}
	left := out.LeaveOut(roots, func(n, root *snapshot.Node, rule string) {
		n.FilteredBy, n.Evidence = rule, rule
		if root != n {
			n.Evidence = "inside what " + rule + " leaves out"
		}
	})
	for v, n := range c.CountVerdicts() {
		out.Verdicts[v] -= n
	}
	for v, n := range out.CountVerdicts() {
		out.Verdicts[v] += n
	}
	if c.Whole() {
		pagefacts.Describe(&out)
		return &out, nil
	}
	out.Page.Overlays = slices.DeleteFunc(slices.Clone(c.Page.Overlays), func(o snapshot.Overlay) bool {
		return left[o.Node] != nil
	})
	return &out, nil
}
