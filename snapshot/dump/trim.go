package dump

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// LineRules are what the cutters need to know about a format of lines.
type LineRules struct {
	Head  int // lines at the start that are never cut
	Chars int // the format's own limit in characters, 0 for none, for MaxChars 0
	// Note spells a remark of the format's own as one line, so that no text of the
	// page can pass for it: "[...truncated: 3 nodes, 40 characters]". What a remark has
	// of a query is a JSON string.
	Note func(remark string) string
	// Sliced: MaxChars has been seen to already, in the format's own way.
	Sliced bool
	// Apart: lines of siblings are not together, so there are no repeats to sum up.
	Apart bool
	// Remarks become notes that are at the end in any case.
	Remarks []string
}

// trim cuts the lines of a document to its budget, at the end of an element's
// lines, closes what is then open, and adds a note that describes what went: how many
// elements lost a line, how many characters, and in which regions of the page the
// elements are. What is in view is kept first (viewfirst.go), but for Compat. The header is never
// cut, nor are the notes: a limit that is smaller than these gives them alone.
func (b *Builder) trim(o Common) {
	if b.Rules == nil {
		return
	}
	x := &trimmer{b: b, page: b.Page, rules: *b.Rules, limit: o.Budget(b.Rules.Chars)}
	if x.rules.Sliced {
		x.limit.Chars = 0
	}
	if !x.limit.none() {
		x.index()
		all, nodes := x.text(len(b.Lines), ""), x.nodes[len(b.Lines)]
		if !x.limit.Holds(all, nodes) {
			var order []int
			if !o.Compat {
				order = b.viewFirst()
			}
			if order != nil {
				b.reorder(order)
				x.viewFirst, x.gone = true, nil
				x.index()
			}
			keep := x.search()
			for order != nil && keep > x.rules.Head && !x.limit.Holds(x.restored(order, keep), x.nodes[keep]) {
				keep = x.before(keep) // in their own order the lines have a token more
			}
			x.limit = x.limit.Broken(all, nodes)
			closing := x.closing(keep)
			x.cut(keep)
			if order != nil {
				b.restore(order, keep, closing)
			}
			return
		}
	}
	for _, remark := range x.rules.Remarks {
		b.Add(nil, 0, x.rules.Note(remark))
	}
}

// restored is the document of the first keep lines in their own order, with the marker.
func (x *trimmer) restored(order []int, keep int) string {
	lines := make([]int, keep, keep+2)
	for i := range lines {
		lines[i] = i
	}
	lines = append(lines, x.closing(keep)...)
	slices.SortFunc(lines, func(i, k int) int { return order[i] - order[k] })
	ls := make([]string, 0, len(lines)+2)
	for _, i := range lines {
		l := x.b.Lines[i]
		ls = append(ls, string(x.b.Out[l.Start:l.End]))
	}
	return strings.Join(append(ls, x.extra(x.marker(keep))...), "\n")
}

// before is the next place to cut before keep lines.
func (x *trimmer) before(keep int) int {
	for keep--; keep > x.rules.Head && x.b.Kinds[keep] == lineContinues; keep-- {
	}
	return keep
}

// trimmer looks for the place to cut.
type trimmer struct {
	b     *Builder
	page  *Page
	rules LineRules
	limit budget
	// viewFirst: the lines are in the order of [Builder.viewFirst].
	viewFirst bool
	nodes     []int // by n: elements in the first n lines
	// open, by n: the last line among the first n that opens something not closed
	// there, -1 for none; opens, by such a line: the one around it and the one that
	// closes it. nil in formats where nothing opens.
	open  []int
	opens map[int]opening
	gone  []loss
	areas []area
}

// opening is a line that opens something.
type opening struct{ around, closedBy int }

// loss is an element that has lost a line where the cut is before line.
type loss struct {
	node int
	line int // its last one, those apart that close
	area int // index in trimmer.areas, -1 before it is known
}

// area is a kind of region, such as main: the outermost ones, several of one kind
// together.
type area struct {
	kind  string // "" for what is in no region
	count int    // elements lost, for the marker at hand
}

// index counts the elements of the lines and finds the last line of each.
func (x *trimmer) index() {
	b := x.b
	x.nodes = make([]int, len(b.Lines)+1)
	last := map[int]int{}
	span := 0
	see := func(node, line int) {
		if node >= 0 {
			last[node] = line
		}
	}
	for i, l := range b.Lines {
		if b.Kinds[i] != LineCloses {
			see(l.Node, i)
		}
		for ; span < len(b.Spans) && b.Spans[span].Line <= i; span++ {
			see(b.Spans[span].Node, i)
		}
		x.nodes[i+1] = len(last)
	}
	for node, line := range last {
		x.gone = append(x.gone, loss{node, line, -1})
	}
	slices.SortFunc(x.gone, func(a, b loss) int { // the last line first
		return cmp.Or(cmp.Compare(b.line, a.line), cmp.Compare(a.node, b.node))
	})
	if slices.Contains(b.Kinds, LineOpens) {
		x.indexOpen()
	}
}

// indexOpen computes what is open after each line.
func (x *trimmer) indexOpen() {
	x.open, x.opens = make([]int, len(x.b.Lines)+1), map[int]opening{}
	at := -1
	for i, kind := range x.b.Kinds {
		x.open[i] = at
		switch o := x.opens[at]; {
		case kind == LineOpens:
			x.opens[i] = opening{at, -1}
			at = i
		case kind == LineCloses && at >= 0:
			x.opens[at] = opening{o.around, i}
			at = o.around
		}
	}
	x.open[len(x.b.Lines)] = at
}

// closing are the lines that close what is open after keep lines, the innermost first.
func (x *trimmer) closing(keep int) []int {
	var ls []int
	if x.open == nil {
		return nil
	}
	for at := x.open[keep]; at >= 0; at = x.opens[at].around {
		if by := x.opens[at].closedBy; by >= 0 {
			ls = append(ls, by)
		}
	}
	return ls
}

// text is the document cut after keep lines, with the marker where there is one.
func (x *trimmer) text(keep int, marker string) string {
	var ls []string
	if keep > 0 {
		ls = append(ls, string(x.b.Out[:x.b.Lines[keep-1].End]))
	}
	for _, by := range x.closing(keep) {
		l := x.b.Lines[by]
		ls = append(ls, string(x.b.Out[l.Start:l.End]))
	}
	return strings.Join(append(ls, x.extra(marker)...), "\n")
}

// extra are the notes that follow the lines.
func (x *trimmer) extra(marker string) []string {
	var ls []string
	for _, remark := range x.rules.Remarks {
		ls = append(ls, x.rules.Note(remark))
	}
	if marker != "" {
		ls = append(ls, x.rules.Note(marker))
	}
	return ls
}

// search finds how many lines to keep.
func (x *trimmer) search() int {
	head := min(x.rules.Head, len(x.b.Lines))
	ends := []int{head} // where a cut may be
	for k := head + 1; k < len(x.b.Lines); k++ {
		if x.b.Kinds[k] != lineContinues {
			ends = append(ends, k)
		}
	}
	best := Most(x.guess(ends), len(ends)-1, func(i int) bool {
		return x.limit.Holds(x.text(ends[i], x.marker(ends[i])), x.nodes[ends[i]])
	})
	return ends[best]
}

// guess is where in ends to begin to search: as far as the lines go without the
// marker.
func (x *trimmer) guess(ends []int) int {
	b, l := x.b, x.limit
	chars, tokens, from := 0, 0, 0
	for i, keep := range ends {
		if l.Nodes > 0 && x.nodes[keep] > l.Nodes {
			return i - 1
		}
		if keep == 0 {
			continue
		}
		part := b.Out[from:b.Lines[keep-1].End]
		from = b.Lines[keep-1].End
		if l.Chars > 0 {
			if chars += l.Size(string(part)); chars > l.Chars {
				return i - 1
			}
		}
		if l.Tokens > 0 {
			if tokens += l.Count(string(part)); tokens > l.Tokens {
				return i - 1
			}
		}
	}
	return len(ends) - 1
}

// marker describes what a cut after keep lines takes out.
func (x *trimmer) marker(keep int) string {
	from := 0
	if keep > 0 {
		from = x.b.Lines[keep-1].End
	}
	n := 0
	for n < len(x.gone) && x.gone[n].line >= keep {
		n++
	}
	chars := utf8.RuneCount(x.b.Out[from:])
	for _, by := range x.closing(keep) {
		l := x.b.Lines[by]
		chars -= 1 + utf8.RuneCount(x.b.Out[l.Start:l.End])
	}
	return "truncated: " + text.Count(n, "node", "nodes") + ", " + text.Count(max(0, chars),
		"character", "characters") +
		x.where(x.gone[:n]) + x.how()
}

// how is the note of a cut that removed what is out of view first.
func (x *trimmer) how() string {
	if x.viewFirst {
		return "; what is in view was kept first"
	}
	return ""
}

// maxAreas is how many kinds of region a marker names.
const maxAreas = 3

// where lists in which regions the lost elements are: ": 30 in <main>, 8 in
// <footer>", the most first; "" where the page has no regions there.
func (x *trimmer) where(gone []loss) string {
	if x.areas == nil {
		x.findAreas()
	}
	for i := range x.areas {
		x.areas[i].count = 0
	}
	for _, g := range gone {
		x.areas[g.area].count++
	}
	var named []area
	for _, a := range x.areas {
		if a.count > 0 && a.kind != "" {
			named = append(named, a)
		}
	}
	if len(named) == 0 {
		return ""
	}
	slices.SortStableFunc(named, func(a, b area) int { return cmp.Compare(b.count, a.count) })
	rest := len(gone)
	var s []string
	for _, a := range named[:min(len(named), maxAreas)] {
		s = append(s, text.Thousands(a.count)+" in <"+a.kind+">")
		rest -= a.count
	}
	if rest > 0 {
		s = append(s, text.Thousands(rest)+" elsewhere")
	}
	return ": " + strings.Join(s, ", ")
}

// findAreas gives each element that has lines its area.
func (x *trimmer) findAreas() {
	around := x.page.around()
	index := map[string]int{}
	order := slices.Clone(x.gone)
	for i := range order {
		order[i].area = i
	}
	slices.SortFunc(order, func(a, b loss) int { return cmp.Compare(a.node, b.node) })
	for _, g := range order {
		kind := ""
		if n := around.t.Node(around.outermost(g.node)); n != nil {
			kind = regionKind(n)
		}
		at, ok := index[kind]
		if !ok {
			at = len(x.areas)
			index[kind] = at
			x.areas = append(x.areas, area{kind: kind})
		}
		x.gone[g.area].area = at
	}
}

// cut keeps the first keep lines.
func (x *trimmer) cut(keep int) {
	b := x.b
	extra := x.extra(x.marker(keep))
	span := len(b.Spans)
	for span > 0 && b.Spans[span-1].Line >= keep {
		span--
	}
	still := map[int]bool{}
	for _, l := range b.Lines[:keep] {
		still[l.Node] = true
	}
	for _, s := range b.Spans[:span] {
		still[s.Node] = true
	}
	limit := x.limit.String()
	for _, g := range x.gone {
		if g.line < keep {
			break
		}
		if still[g.node] {
			b.Omit(g.node, ReasonCut, "some of its lines are beyond the limit of "+limit)
		} else {
			b.Omit(g.node, ReasonCut, "its line is beyond the limit of "+limit)
		}
	}
	type tag struct {
		node   *snapshot.Node
		indent int
		text   string
	}
	var tags []tag
	for _, by := range x.closing(keep) {
		l := b.Lines[by]
		tags = append(tags, tag{b.Capture.Node(l.Node), l.Indent, string(b.Out[l.Start+l.Indent : l.End])})
	}
	end := 0
	if keep > 0 {
		end = b.Lines[keep-1].End
	}
	b.Out = b.Out[:end]
	b.Lines, b.Kinds, b.Spans = b.Lines[:keep], b.Kinds[:keep], b.Spans[:span]
	for _, t := range tags {
		b.AddEndTag(t.node, t.indent, t.text)
	}
	for _, l := range extra {
		b.Add(nil, 0, l)
	}
	b.Truncated = true
}
