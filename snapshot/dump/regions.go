package dump

import (
	"cmp"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
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
// parts are landmarks, sections, dialogs and frames.
type Region struct {
	// Node is the index of the region's element, -1 for the page: what lies in no
	// other region, and the lines about no element, such as a header.
	Node int `json:"node"`
	Ref  int `json:"ref,omitempty"` // that element's ref number, 0 where it has none
	// Kind is its tag where that says what it is, else its role: main, nav, iframe.
	Kind   string `json:"kind"`
	Name   string `json:"name,omitempty"` // accessible name: page text
	Parent int    `json:"parent"`         // index in the list of the region around it, -1 for the page
	Own    Amount `json:"own"`            // without the regions inside it
	All    Amount `json:"all"`            // with them
}

// Regions says what each region of the page costs in the document, which must be
// rendered from c. The first one is the page, whose All is the whole document; the
// rest are in document order. Regions without text in the document are left out.
//
// The amounts are exact and add up: each byte of the text belongs to one region, the
// innermost one around the element whose line or part of a line it stands in; a line
// break belongs to the line that it ends. Tokens, which do not respect any bounds,
// are counted once for the whole text and belong to the region in which they
// begin; the parts therefore add up to the whole, and one counted alone may come out
// a token or so apart. spread does that counting: [tokens.Counter.Spread], or nil
// for characters / 4, shared out in the same manner.
//
// [tokens.Counter.Spread]: https://pkg.go.dev/github.com/refscope/refscope/snapshot/tokens#Counter.Spread
func Regions(c *snapshot.Capture, d *Document, spread func(text string, ends []int) []int) []Region {
	if spread == nil {
		spread = spreadQuarter
	}
	around := NewPage(c).around()
	segs := segments(d, around)
	ends := make([]int, len(segs))
	for i, s := range segs {
		ends[i] = s.end
	}
	own := map[int]*Amount{-1: {}}
	at := 0
	for i, n := range spread(d.Text, ends) {
		s := segs[i]
		text := d.Text[at:s.end]
		at = s.end
		if own[s.region] == nil {
			own[s.region] = &Amount{}
		}
		own[s.region].add(Amount{Bytes: len(text), Chars: utf8.RuneCountInString(text), UTF16: units16(text), Tokens: n})
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

// spreadQuarter shares out characters / 4: what each part adds to the estimate of
// all the text up to its end.
func spreadQuarter(text string, ends []int) []int {
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

// segment is a stretch of the text in one region; it begins where the one before
// it ends.
type segment struct {
	end    int // byte offset
	region int // node index, -1 for the page
}

// segments cuts the text where the region changes. A part of a line belongs to the
// innermost span around it, else to the line's element.
func segments(d *Document, around *surroundings) []segment {
	var out []segment
	at := 0
	upTo := func(end, region int) {
		switch n := len(out); {
		case end <= at:
			return
		case n > 0 && out[n-1].region == region:
			out[n-1].end = end
		default:
			out = append(out, segment{end, region})
		}
		at = end
	}
	spans := slices.Clone(d.Spans)
	slices.SortStableFunc(spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	next := 0
	for i, l := range d.Lines {
		line := around.of(l.Node)
		var open []Span // the spans around the place where we are, the innermost last
		leave := func(to int) {
			for len(open) > 0 && open[len(open)-1].End <= to {
				s := open[len(open)-1]
				upTo(s.End, around.of(s.Node))
				open = open[:len(open)-1]
			}
			if len(open) > 0 {
				upTo(to, around.of(open[len(open)-1].Node))
			} else {
				upTo(to, line)
			}
		}
		for ; next < len(spans) && spans[next].Start < l.End; next++ {
			leave(spans[next].Start)
			open = append(open, spans[next])
		}
		leave(l.End)
		if i < len(d.Lines)-1 {
			upTo(l.End+1, line)
		}
	}
	return out
}

// surroundings knows the innermost region around each element.
type surroundings struct {
	t  *snapshot.Tree
	c  *snapshot.Capture
	at map[int]int // node → node of the innermost region around or at it, -1 for none
	// outer maps a region to the outermost one around or at it.
	outer map[int]int
}

// regionsAround finds them in one pass: parents come before their children.
func regionsAround(c *snapshot.Capture, t *snapshot.Tree) *surroundings {
	s := &surroundings{t: t, c: c, at: make(map[int]int, len(c.Nodes)), outer: map[int]int{}}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		up := s.of(s.parent(n))
		if regionKind(n) == "" {
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
			r.Ref, r.Kind, r.Name, r.Parent = n.Ref, regionKind(n), squash(n.Name), index[s.up(node)]
		}
		out[i] = r
	}
	for i := len(out) - 1; i > 0; i-- {
		out[out[i].Parent].All.add(out[i].All)
	}
	return out
}

// regionKind is what a region is called, "" for an element that is none. The words
// are of a closed list, so page text cannot be in them.
func regionKind(n *snapshot.Node) string {
	switch n.Tag {
	case "main", "nav", "header", "footer", "aside", "section", "article", "form", "dialog", "iframe", "frame":
		return n.Tag
	}
	switch n.Role {
	case "main", "navigation", "banner", "contentinfo", "complementary", "region", "article", "form", "search", "dialog", "alertdialog":
		return n.Role
	}
	if n.IsModal() {
		return "dialog"
	}
	return ""
}
