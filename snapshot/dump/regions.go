package dump

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Amount is how much text something takes up in a document.
type Amount struct {
	Nodes  int `json:"nodes"`  // elements with a line, or a part of one, of their own
	Bytes  int `json:"bytes"`  // of UTF-8
	Chars  int `json:"chars"`  // characters
	UTF16  int `json:"utf16"`  // UTF-16 units
	Tokens int `json:"tokens"` // by the function that Regions was given
}

func (a *Amount) add(o Amount) {
	a.Nodes += o.Nodes
	a.Bytes += o.Bytes
	a.Chars += o.Chars
	a.UTF16 += o.UTF16
	a.Tokens += o.Tokens
}

// Region is a part of the page and what it costs in one document (P-4, N-11). The
// parts are landmarks, sections, dialogs, frames, and repeated lists: see lists.go.
type Region struct {
	// Node is the index of the region's element, of a list that of its first item; -1
	// for the page: what lies in no other region, and the lines about no element, such
	// as a header.
	Node int `json:"node"`
	Ref  int `json:"ref,omitempty"` // that element's ref number, 0 where it has none
	// Kind is its tag where that describes what it is, else its role: main, nav, iframe. Of
	// a list it is the tag of its items.
	Kind string `json:"kind"`
	// Items are the elements of a list, nil for any other region.
	Items  []int  `json:"items,omitempty"`
	Name   string `json:"name,omitempty"` // accessible name: page text
	Parent int    `json:"parent"`         // index in the list of the region around it, -1 for the page
	Own    Amount `json:"own"`            // without the regions inside it
	All    Amount `json:"all"`            // with them
}

// Regions describes what each region of the page costs in the document, which must be
// rendered from c. The first one is the page, whose All is the whole document; the
// rest are in document order. Regions without text in the document are left out.
//
// The amounts are exact and add up: each byte of the text belongs to one region, the
// innermost one around the element whose line or part of a line it is in; a line
// break belongs to the line that it ends. Tokens, which do not respect any bounds,
// are counted once for the whole text and belong to the region in which they
// begin; the parts therefore add up to the whole, and one counted alone may come out
// a token or so apart. spread does that counting: [tokens.Counter.Spread], or nil
// for characters / 4, shared out in the same manner.
//
// [tokens.Counter.Spread]: https://pkg.go.dev/github.com/refscope/refscope/snapshot/tokens#Counter.Spread
func Regions(c *snapshot.Capture, d *Document, spread func(text string, ends []int) []int) []Region {
	if spread == nil {
		spread = SpreadQuarter
	}
	around := regionsAround(c, snapshot.NewTree(c), listsIn(c, d))
	segs := d.pieces(around.of)
	ends := make([]int, len(segs))
	for i, s := range segs {
		ends[i] = s.End
	}
	own := map[int]*Amount{-1: {}}
	at := 0
	for i, n := range spread(d.Text, ends) {
		s := segs[i]
		part := d.Text[at:s.End]
		at = s.End
		if own[s.Node] == nil {
			own[s.Node] = &Amount{}
		}
		own[s.Node].add(Amount{Bytes: len(part), Chars: utf8.RuneCountInString(part), UTF16: text.Units16(part),
			Tokens: n})
	}
	for node := range nodesOf(d) {
		region := around.of(node)
		if own[region] == nil {
			own[region] = &Amount{}
		}
		own[region].Nodes++
	}
	return around.list(own)
}

// SpreadQuarter shares out characters / 4 as tokens.Counter.Spread does tokens: what
// each part adds to the estimate of all the text up to its end. ends are byte offsets
// in ascending order.
func SpreadQuarter(text string, ends []int) []int {
	out := make([]int, len(ends))
	at, chars, before := 0, 0, 0
	for i, end := range ends {
		chars += utf8.RuneCountInString(text[at:end])
		at = end
		out[i] = (chars+3)/4 - before
		before += out[i]
	}
	return out
}

// nodesOf yields each element that has a line or a part of one, once.
func nodesOf(d *Document) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		seen := map[int]bool{-1: true}
		once := func(node int) bool {
			if seen[node] {
				return true
			}
			seen[node] = true
			return yield(node)
		}
		for _, l := range d.Lines {
			if !once(l.Node) {
				return
			}
		}
		for _, s := range d.Spans {
			if !once(s.Node) {
				return
			}
		}
	}
}

// surroundings knows the innermost region around each element.
type surroundings struct {
	t  *snapshot.Tree
	c  *snapshot.Capture
	at map[int]int // node → node of the innermost region around or at it, -1 for none
	// outer maps a region to the outermost one around or at it.
	outer map[int]int
	lists *lists // that count as regions too, nil for none
}

// regionsAround finds them in one pass: parents come before their children.
func regionsAround(c *snapshot.Capture, t *snapshot.Tree, ls *lists) *surroundings {
	s := &surroundings{t: t, c: c, at: make(map[int]int, len(c.Nodes)), outer: map[int]int{}, lists: ls}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		up := s.of(s.parent(n))
		if first, ok := ls.first(n.I); ok {
			s.at[n.I], s.outer[first] = first, first
			if out, ok := s.outer[up]; ok {
				s.outer[first] = out
			}
			continue
		}
		if regionKind(n) == "" || ls.items(up) != nil && !isFrame(n) {
			s.at[n.I] = up
			continue
		}
		s.at[n.I], s.outer[n.I] = n.I, n.I
		if out, ok := s.outer[up]; ok {
			s.outer[n.I] = out
		}
	}
	return s
}

// parent is the element around n: for the root of a frame's document, the frame.
func (s *surroundings) parent(n *snapshot.Node) int {
	if s.t.Node(n.Parent) == nil && n.Frame > 0 && n.Frame < len(s.c.Frames) {
		return s.c.Frames[n.Frame].Owner
	}
	return n.Parent
}

// of is the node of the innermost region around an element, -1 for the page.
func (s *surroundings) of(node int) int {
	if r, ok := s.at[node]; ok {
		return r
	}
	return -1
}

// up is the region around a region.
func (s *surroundings) up(region int) int {
	n := s.t.Node(region)
	if n == nil {
		return -1
	}
	p := s.parent(n)
	if p >= region { // a capture that contradicts itself
		return -1
	}
	return s.of(p)
}

// outermost is the outermost region around an element, -1 for the page.
func (s *surroundings) outermost(node int) int {
	if out, ok := s.outer[s.of(node)]; ok {
		return out
	}
	return -1
}

// list makes the regions with text, and those around them, of their own amounts.
func (s *surroundings) list(own map[int]*Amount) []Region {
	for _, r := range slices.Sorted(maps.Keys(own)) {
		for up := s.up(r); up >= 0 && own[up] == nil; up = s.up(up) {
			own[up] = &Amount{}
		}
	}
	order := slices.Sorted(maps.Keys(own))
	index := make(map[int]int, len(order))
	out := make([]Region, len(order))
	for i, node := range order {
		index[node] = i
		r := Region{Node: node, Kind: "page", Parent: -1, Own: *own[node], All: *own[node]}
		if n := s.t.Node(node); n != nil {
			r.Kind, r.Parent = regionKind(n), index[s.up(node)]
			if r.Items = s.lists.items(node); r.Items != nil {
				r.Kind = TagName(n.Tag)
			} else {
				r.Ref, r.Name = n.Ref, text.CollapseSpace(n.Name)
			}
		}
		out[i] = r
	}
	for i := len(out) - 1; i > 0; i-- {
		out[out[i].Parent].All.add(out[i].All)
	}
	return out
}

// regionKind is the name of a region's kind, "" for an element that is none. The words
// are of a closed list, so page text cannot be in them.
func regionKind(n *snapshot.Node) string {
	switch n.Tag {
	case "main", "nav", "header", "footer", "aside", "section", "article", "form", "dialog", "iframe", "frame":
		return n.Tag
	}
	switch n.Role {
	case "main", "navigation", "banner", "contentinfo", "complementary", "region", "article",
		"form", "search", "dialog",
		"alertdialog":
		return n.Role
	}
	if n.IsModal() {
		return "dialog"
	}
	return ""
}
