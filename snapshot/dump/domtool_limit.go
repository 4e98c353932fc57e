package dump

import (
	"strconv"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
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
			count := decimal(groups[kind].count)
			s = &vnode{tag: "summary", visible: true}
			s.id = w.summaryID(v, kind)
			s.text = "List of " + count + " items (" + repeatWord(kind) + "). Showing first " + decimal(repeatShown) + "."
			made[kind] = s
			out = append(out, s)
		}
		if len(s.children) < repeatShown {
			s.children = append(s.children, c)
			s.chars += c.chars
			continue
		}
		w.drop(c, "one of "+decimal(groups[kind].count)+" repeated siblings, beyond the first "+decimal(repeatShown))
	}
	v.children = out
}

// summaryID is the id of a summary in a node, which may be an entry.
func (w *domtool) summaryID(v *vnode, kind string) string {
	if v.n != nil {
		return w.ids.part("summary", v.n, kind)
	}
	return "nv_summary" + v.id[len("nv"):] + "_" + tagName(kind) // one of each kind in an entry
}

// repeatKind is what makes siblings alike: the tag; terms and their descriptions
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
		w.dropped++
	}
	w.leave(v, ReasonCut, detail)
	for _, list := range [][]*vnode{v.children, v.frames, v.shadows} {
		for _, c := range list {
			w.drop(c, detail)
		}
	}
}

// room is what is left of the limits. A limit below 0 does not hold.
type room struct {
	nodes, chars, bytes int
	full                bool
}

// take makes room for a node of that text, unless one has not fitted before.
func (r *room) take(s []byte, extra int) bool {
	chars, bytes := utf8.RuneCount(s)+extra, len(s)+extra
	if r.full || r.nodes == 0 || r.chars >= 0 && chars > r.chars || r.bytes >= 0 && bytes > r.bytes {
		r.full = true
		return false
	}
	r.nodes--
	if r.chars >= 0 {
		r.chars -= chars
	}
	if r.bytes >= 0 {
		r.bytes -= bytes
	}
	return true
}

// widest is a number as long as any that meta prints.
const widest = 9_999_999

// fit cuts the tree to the limits, in the order in which it is written.
func (w *domtool) fit() {
	w.room = room{nodes: maxDomNodes, chars: maxDomChars, bytes: maxDomBytes}
	switch {
	case w.o.MaxNodes > 0:
		w.room.nodes = w.o.MaxNodes
	case w.o.MaxNodes < 0:
		w.room.nodes = -1
	}
	if w.o.MaxChars != 0 {
		w.room.chars, w.room.bytes = max(w.o.MaxChars, -1), -1
	}
	// What comes before and after the nodes, with every number as long as it can be.
	w.front = w.head()
	w.listed, w.seen, w.usable = widest, widest, widest
	around := append(append(w.meta(widest, widest), w.end(widest).open...), `,"children":[,`+"\n\n"+`]}}`...)
	w.listed, w.seen, w.usable = 0, 0, 0
	if w.room.chars >= 0 {
		w.room.chars = max(0, w.room.chars-utf8.RuneCount(w.front)-utf8.RuneCount(around))
	}
	if w.room.bytes >= 0 {
		w.room.bytes = max(0, w.room.bytes-len(w.front)-len(around))
	}

	body := w.page.children[0]
	w.prepare(body)
	w.room.take(body.open, 2) // the body is there whatever the limit
	w.count(body)
	w.fitArrays(body)
	w.fitLists(&w.page.frames, &w.page.shadows)
	if w.room.full {
		w.truncated = true
		body.children = append(body.children, w.end(w.listed))
	}
}

// end is the node that says where the list was cut.
func (w *domtool) end(after int) *vnode {
	v := &vnode{id: "nv_summary_end", tag: "summary", text: "Truncated after " + strconv.Itoa(after) + " nodes", visible: true}
	v.open = w.encode(v)
	return v
}

func (w *domtool) count(v *vnode) {
	if v.tag == "summary" && v.n == nil {
		return
	}
	w.listed++
	if v.visible {
		w.seen++
	}
	if v.actionable {
		w.usable++
	}
}

// prepare encodes a node. Its place is known from the node around it.
func (w *domtool) prepare(v *vnode) {
	if w.o.IncludeLayout {
		arrange(v)
	}
	v.open = w.encode(v)
}

// fitArrays cuts the arrays of a node.
func (w *domtool) fitArrays(v *vnode) {
	w.fitLists(&v.children, &v.frames, &v.shadows)
}

func (w *domtool) fitLists(lists ...*[]*vnode) {
	for _, list := range lists {
		for i, c := range *list {
			w.prepare(c)
			// Its closing brace, comma and line feed, and for the first the array's name.
			extra := 3
			if i == 0 {
				extra += len(`,"shadowDom":[]`)
			}
			if !w.room.take(c.open, extra) {
				for _, rest := range (*list)[i:] {
					w.drop(rest, "it is beyond the limit of the payload")
				}
				*list = (*list)[:i]
				break
			}
			w.count(c)
			w.fitArrays(c)
		}
	}
}
