package domtool

import (
	"slices"
	"strconv"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// What domtool leaves out so that a payload stays small: long lists and whatever is
// beyond the limits (B-5, B-6).

// summarise puts a summary in the place of each long list among the children.
func (w *domtool) summarise(v *vnode) {
	if len(v.children) <= repeatShown {
		return
	}
	type group struct{ count, chars int }
	groups := map[string]*group{}
	for _, c := range v.children {
		k := repeatKind(c)
		if groups[k] == nil {
			groups[k] = &group{}
		}
		groups[k].count++
		groups[k].chars += c.chars
	}
	long := func(kind string) bool {
		g := groups[kind]
		switch kind {
		case "":
			return false
		case "p", "heading":
			return g.count > repeatCount
		}
		return g.count > repeatCount || g.count > repeatShown && g.chars > repeatChars
	}
	made := map[string]*vnode{}
	var out []*vnode
	for _, c := range v.children {
		kind := repeatKind(c)
		if !long(kind) {
			out = append(out, c)
			continue
		}
		s := made[kind]
		if s == nil {
			s = &vnode{tag: "summary", visible: true}
			s.id = w.summaryID(v, kind)
			s.list = "List of " + strconv.Itoa(groups[kind].count) + " items (" + repeatWord(kind) + "). "
			s.text = s.list + showing(repeatShown, true)
			made[kind] = s
			out = append(out, s)
		}
		if len(s.children) < repeatShown {
			s.children = append(s.children, c)
			s.chars += c.chars
			continue
		}
		w.drop(c, "one of "+strconv.Itoa(groups[kind].count)+" repeated siblings, beyond the first "+
			strconv.Itoa(repeatShown))
	}
	v.children = out
}

// showing is the sentence of a summary about how many of its items follow; first: there is none between them
// that does not.
func showing(n int, first bool) string {
	switch {
	case n == 0:
		return "Showing none."
	case !first:
		return "Showing " + strconv.Itoa(n) + "."
	}
	return "Showing first " + strconv.Itoa(n) + "."
}

// summaryID is the id of a summary in a node, which may be an entry.
func (w *domtool) summaryID(v *vnode, kind string) string {
	if v.n != nil {
		return w.ids.part("summary", v.n, kind)
	}
	return "nv_summary" + v.id[len("nv"):] + "_" + dump.TagName(kind) // one of each kind in an entry
}

// repeatKind identifies siblings of a kind: the tag; terms and their descriptions
// belong together, so do headings. "" for text and summaries.
func repeatKind(v *vnode) string {
	switch {
	case v.n == nil:
		return ""
	case v.tag == "dt", v.tag == "dd":
		return "dt"
	case snapshot.IsHeading(v.tag):
		return "heading"
	}
	return v.tag
}

// repeatWord is a kind in words.
func repeatWord(kind string) string {
	switch kind {
	case "li":
		return "list items"
	case "tr":
		return "table rows"
	case "td", "th":
		return "table cells"
	case "dt":
		return "terms and descriptions"
	case "a":
		return "links"
	case "p":
		return "paragraphs"
	case "heading":
		return "headings"
	case "img":
		return "images"
	case "button":
		return "buttons"
	case "article":
		return "articles"
	}
	return kind + " elements"
}

// drop omits a node and all that is in it. Documents and shadow roots in it stay in
// their arrays.
func (w *domtool) drop(v *vnode, detail string) {
	if v.n != nil {
		w.repeated++
	}
	w.leave(v, dump.ReasonCut, detail)
	for _, list := range [][]*vnode{v.children, v.frames, v.shadows} {
		for _, c := range list {
			w.drop(c, detail)
		}
	}
}

// tally are the counts of the first nodes of the payload.
type tally struct {
	listed   int // nodes, summaries apart
	seen     int // of them visible
	usable   int // of them actionable
	elements int // of them elements, and not stretches of text
}

// count adds a node.
func (c tally) count(v *vnode) tally {
	if v.n != nil {
		c.elements++
	}
	if v.tag == "summary" && v.n == nil {
		return c
	}
	c.listed++
	if v.visible {
		c.seen++
	}
	if v.actionable {
		c.usable++
	}
	return c
}

// number gives the nodes their places in the payload: the order in which they are
// written, a node before its children, frames and shadow roots. It counts them too.
func (w *domtool) number(v *vnode) {
	v.at = len(w.order)
	w.order = append(w.order, v)
	w.tallies = append(w.tallies, w.tallies[v.at].count(v))
	w.numberLists(v)
}

func (w *domtool) numberLists(v *vnode) {
	for _, list := range [][]*vnode{v.children, v.frames, v.shadows} {
		for _, c := range list {
			w.number(c)
		}
	}
}

// fit cuts the tree to the limits: the payload has the first nodes, as many as it has
// room for, and the body in any case.
func (w *domtool) fit() {
	l := w.o.Budget(MaxChars)
	if l.Nodes == 0 {
		l.Nodes = maxNodes
	}
	if w.o.MaxChars == 0 {
		l.Bytes = maxBytes
	}
	w.front = w.head()
	w.tallies = append(w.tallies, tally{})
	w.numberLists(&w.root)
	if !w.o.Compat {
		w.viewFirst()
	}
	n := len(w.order)
	// What is encoded has no more than what is written, so the nodes after those that
	// are too long already, or too many, need no look.
	chars := l.Size(string(w.front))
	encoded, guess := 0, n
	for ; encoded < n; encoded++ {
		if encoded > 1 && (l.Nodes > 0 && w.tallies[encoded].listed > l.Nodes || l.Tokens <= 0 && l.Chars > 0 &&
			chars > l.Chars) {
			break
		}
		v := w.order[encoded]
		if w.o.IncludeLayout {
			arrange(v)
		}
		v.open = w.encode(v)
		chars += l.Size(string(v.open))
		if l.Chars > 0 && chars+4*encoded+guessedMeta > l.Chars {
			guess = min(guess, encoded)
		}
	}
	text := func(keep int) string {
		x := *w
		x.Builder = dump.NewBuilder(w.Page)
		x.write(keep)
		return string(x.Out)
	}
	w.keep = n
	if encoded == n {
		all := text(n)
		if n == 1 || l.Holds(all, w.tallies[n].listed) {
			return
		}
		if l.Tokens > 0 {
			guess = min(guess, n*l.Tokens/max(1, l.Count(all)))
		}
	}
	w.keep = max(1, dump.Most(guess, min(encoded, n-1), func(keep int) bool {
		return (l.Nodes <= 0 || w.tallies[keep].listed <= l.Nodes) && l.Holds(text(keep), 0)
	}))
	w.Truncated = true
	l = l.Broken(text(w.keep+1), w.tallies[w.keep+1].listed)
	for _, v := range w.order[w.keep:] {
		w.leave(v, dump.ReasonCut, l.Beyond())
		if v.n != nil && !v.n.Verdict.Kept() {
			w.Omit(v.n.I, dump.ReasonCut, l.Beyond())
		}
	}
}

// viewFirst gives the nodes new places: those in the visible part of the page come first, with all that they are
// in, so that a limit takes out the others before them (N-9). The payload stays in the order of the page.
func (w *domtool) viewFirst() {
	first := make([]bool, len(w.order))
	var look func(v *vnode, around bool) bool
	look = func(v *vnode, around bool) bool {
		seen := around // words are where their element is
		switch {
		case v.n != nil:
			seen = v.n.InViewport
		case len(v.parts) > 0:
			seen = slices.ContainsFunc(v.parts, func(n *snapshot.Node) bool { return n.InViewport })
		case v.tag != "#text":
			seen = false
		}
		any := seen
		for _, list := range [][]*vnode{v.children, v.frames, v.shadows} {
			for _, c := range list {
				any = look(c, seen) || any
			}
		}
		first[v.at] = any
		return any
	}
	for _, list := range [][]*vnode{w.root.children, w.root.frames, w.root.shadows} {
		for _, v := range list {
			look(v, false)
		}
	}
	first[0] = true // the body is there in any case
	order := make([]*vnode, 0, len(w.order))
	for _, pass := range []bool{true, false} {
		for i, v := range w.order {
			if first[i] == pass {
				order = append(order, v)
			}
		}
	}
	w.order, w.tallies = order, w.tallies[:1]
	for i, v := range order {
		v.at = i
		w.tallies = append(w.tallies, w.tallies[i].count(v))
	}
}

// guessedMeta is about what meta and the closing summary take, in characters: where to
// begin the search, not a limit.
const guessedMeta = 350

// end is the node that describes where the list was cut.
func (w *domtool) end(after int) *vnode {
	v := &vnode{id: "nv_summary_end", tag: "summary", text: "Truncated after " + strconv.Itoa(after) + " nodes",
		visible: true}
	v.open = w.encode(v)
	return v
}
