package dump

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// Repeated lists are regions: where most of a page's text is forty products or two
// hundred rows, that is the useful unit of its cost. A list is four or
// more siblings in a row of one tag and role that have text in the document and look
// alike: items of a list, rows, options, articles and links always do, others where
// they have the same class or hold the same tags, two levels deep. Paragraphs,
// headings, cells and stretches of text are none, because the article or the row around
// them is the unit; nor are other regions. A list inside an item is a part of the
// item. The rule is ours (N-11).

// listItems is how many siblings make a list.
const listItems = 4

// lists are the repeated lists of a capture. A nil one has none.
type lists struct {
	of   map[int]int   // item → first item of its list
	list map[int][]int // first item → all items
}

// first is the first item of the list that the node is an item of.
func (l *lists) first(node int) (int, bool) {
	if l == nil {
		return 0, false
	}
	f, ok := l.of[node]
	return f, ok
}

// items are those of the list with that first item, nil where there is none.
func (l *lists) items(first int) []int {
	if l == nil {
		return nil
	}
	return l.list[first]
}

// listsIn finds the lists, outer ones before those inside them.
func listsIn(c *snapshot.Capture, d *Document) *lists {
	l := &lists{of: map[int]int{}, list: map[int][]int{}}
	text := map[int]bool{}
	for n := range nodesOf(d) {
		text[n] = true
	}
	children := map[int][]*snapshot.Node{}
	for p := len(c.Nodes) - 1; p >= 0; p-- {
		if n := &c.Nodes[p]; text[n.I] && n.Parent >= 0 && n.Parent < n.I {
			text[n.Parent] = true
		}
	}
	for p := range c.Nodes {
		if n := &c.Nodes[p]; text[n.I] {
			children[n.Parent] = append(children[n.Parent], n)
		}
	}
	shape := func(n *snapshot.Node) string { return shapeOf(children, n, 2) }
	inside := map[int]bool{}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if _, item := l.of[n.I]; item || inside[n.Parent] {
			inside[n.I] = true
			continue
		}
		l.findAmong(children[n.I], shape)
	}
	return l
}

// findAmong finds the lists among siblings.
func (l *lists) findAmong(siblings []*snapshot.Node, shape func(*snapshot.Node) string) {
	for i := 0; i < len(siblings); {
		first := siblings[i]
		j := i + 1
		if item, sure := itemTag(first); item {
			class, holds := first.Attr("class"), ""
			if !sure && class == "" {
				holds = shape(first)
			}
			for j < len(siblings) && siblings[j].Tag == first.Tag && siblings[j].Role == first.Role {
				if !sure && (siblings[j].Attr("class") != class || class == "" && shape(siblings[j]) != holds) {
					break
				}
				j++
			}
		}
		if j-i >= listItems {
			for _, n := range siblings[i:j] {
				l.of[n.I] = first.I
				l.list[first.I] = append(l.list[first.I], n.I)
			}
		}
		i = j
	}
}

// itemTag reports whether an element may be an item of a list, and whether its tag alone
// shows it.
func itemTag(n *snapshot.Node) (item, sure bool) {
	switch n.Tag {
	case "li", "tr", "option", "article", "a":
		return true, true
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "br", "td", "th", "dt", "dd",
		"span", "b", "i", "em", "strong", "code", "sup", "sub", "small", "label", "legend", "caption":
		return false, false
	}
	return regionKind(n) == "", false
}

// shapeOf names the tags that an element holds, each once, down to that depth.
func shapeOf(children map[int][]*snapshot.Node, n *snapshot.Node, depth int) string {
	if depth == 0 {
		return ""
	}
	var tags []string
	for _, k := range children[n.I] {
		tags = append(tags, k.Tag+"("+shapeOf(children, k, depth-1)+")")
	}
	slices.Sort(tags)
	return strings.Join(slices.Compact(tags), " ")
}

// isFrame reports whether an element holds a document of its own.
func isFrame(n *snapshot.Node) bool { return n.Tag == "iframe" || n.Tag == "frame" }
