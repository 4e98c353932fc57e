package aria

import (
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The details of the aria format other than full.
//
// interactive, one line for each element that can be operated:
//
//	line    = "- " key ": path=" [ role { " > " role } ]
//	compat  = "- " role ' "' NAME '"' [ " [ref=" ref "]" ] [ " [checked]" ] [ " [disabled]" ]
//	          [ " [expanded]" | " [collapsed]" ] ": path=" role { " > " role }
//
// where key has [value="…"] for what a field holds. summary:
//
//	# Snapshot Summary
//	# Total elements: 120
//	# Interactive elements: 14
//	# Viewport elements: 60
//
//	landmarks:
//	  - role: navigation
//	    name: "Main Menu"
//	    interactiveCount: 2
//	    children: [link, link]
//	headings:
//	  - heading "Welcome" [level=1] [ref=s1e3]
//
// Elements are items of the tree. children are the roles of the first five items
// inside, "…" where there are more. Compat has no headings and no "…".

// interactive lists what can be operated.
func (w *aria) interactive(root *item) {
	var path []string
	var walk func(it *item, level int)
	walk = func(it *item, level int) {
		for _, k := range it.kids {
			if k.item == nil {
				continue
			}
			in := k.item
			if in.role == "" {
				if !w.known(in, "") {
					walk(in, level)
				}
				continue
			}
			if w.tooDeep(k, level) || w.known(in, "") {
				continue
			}
			if operable(in) {
				w.putItem(in.n, "- "+w.pathKey(in)+": path="+strings.Join(path, " > "), nil)
			}
			path = append(path, in.role)
			walk(in, level+1)
			path = path[:len(path)-1]
		}
	}
	walk(root, 0)
}

// operable reports whether an item is one of the interactive detail.
func operable(it *item) bool { return len(it.n.Interactive) > 0 && it.n.Verdict.Kept() }

// pathKey is the key of an interactive line.
func (w *aria) pathKey(it *item) string {
	if w.profile.additions {
		value := ""
		switch {
		case it.value != nil:
			value = *it.value
		case it.n.Tag == "select":
			_, chosen := dump.SelectOptions(w.t, it.n)
			value = strings.Join(chosen, ", ")
		}
		named := *it
		if named.name == "" && it.n.Tag != "select" { // only its text identifies it
			named.name = it.words()
		}
		named.kids = nil
		return w.quoteKey(w.key(&named, value))
	}
	// Quotes and backslashes inside are escaped, which the original did not do.
	s := it.role + " " + string(text.AppendJSON(nil, w.ariaName(it)))
	if w.refs() && w.numbers(it.n) {
		s += " [ref=" + w.ref(it.n) + "]"
	}
	for _, name := range [...]string{"checked", "disabled"} {
		if it.n.States.Is(name) {
			s += " [" + name + "]"
		}
	}
	if open, ok := it.n.States["expanded"].(bool); ok {
		s += map[bool]string{true: " [expanded]", false: " [collapsed]"}[open]
	}
	return s
}

// landmark is one landmark with what it holds.
type landmark struct {
	it          *item
	interactive int
	children    []string
	more        bool
}

// summary counts, and lists landmarks and headings.
func (w *aria) summary(root *item) {
	total, interactive, seen := 0, 0, 0
	var marks []*landmark
	var heads []*item
	var open []*landmark // the landmarks around
	var walk func(it *item)
	walk = func(it *item) {
		for _, k := range it.kids {
			if k.item == nil {
				continue
			}
			in := k.item
			if in.role == "" {
				walk(in)
				continue
			}
			total++
			if in.n.InViewport {
				seen++
			}
			if operable(in) {
				interactive++
				for _, l := range open {
					l.interactive++
				}
			}
			if len(open) > 0 {
				if l := open[len(open)-1]; len(l.children) < 5 {
					l.children = append(l.children, in.role)
				} else {
					l.more = true
				}
			}
			if in.role == "heading" {
				heads = append(heads, in)
			}
			if snapshot.IsLandmark(in.role) {
				l := &landmark{it: in}
				marks, open = append(marks, l), append(open, l)
				walk(in)
				open = open[:len(open)-1]
				continue
			}
			walk(in)
		}
	}
	walk(root)
	for _, s := range []string{
		"# Snapshot Summary", "# Total elements: " + strconv.Itoa(total), "# Interactive elements: " +
			strconv.Itoa(interactive),
		"# Viewport elements: " + strconv.Itoa(seen), "",
	} {
		w.put(nil, s, nil)
	}
	w.head = len(w.Lines)
	if len(marks) > 0 || !w.profile.additions {
		w.put(nil, "landmarks:", nil)
	}
	for _, l := range marks {
		w.landmark(l)
	}
	if len(heads) == 0 || !w.profile.additions {
		return
	}
	w.put(nil, "headings:", nil)
	for _, h := range heads {
		kids := h.kids
		h.kids = nil
		if h.name == "" { // too long for a name
			h.kids = kids
		}
		line, spans, _ := w.itemLine(h, "  ")
		w.putItem(h.n, strings.TrimSuffix(line, ":"), spans)
	}
}

// landmark prints one landmark, all of it or nothing.
func (w *aria) landmark(l *landmark) {
	text := "  - role: " + l.it.role
	if name := w.ariaName(l.it); name != "" {
		text += "\n    name: " + string(appendYAML(nil, name))
	}
	text += "\n    interactiveCount: " + strconv.Itoa(l.interactive)
	if len(l.children) > 0 {
		if l.more && w.profile.additions {
			l.children = append(l.children, "…")
		}
		text += "\n    children: [" + strings.Join(l.children, ", ") + "]"
	}
	var n *snapshot.Node
	if l.it.n.Verdict.Kept() {
		n = l.it.n
	}
	w.put(n, text, nil)
}
