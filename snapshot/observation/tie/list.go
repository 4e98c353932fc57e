package tie

import (
	"cmp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
)

// The list of a text of numbered tags beside the page's own elements. Such a text prints the elements that an agent can
// operate in the order of the document, each with its tag, its attributes as they are in the markup, and its words:
// that rules out most elements for most lines, the order rules out more, and nothing is left to chance where the text
// lists neither more nor less than what can be operated in view.

// listed is what a line of numbered tags says: which elements it may be about.
type listed struct {
	place int   // index of the line
	may   []int // positions in the capture's nodes, in order
}

// byList ties lines of numbered tags by their attributes, words and order.
func (p *Page) byList(t *observation.Text) {
	var lines []listed
	unknown := 0
	f := fitter{p: p, words: map[int]string{}, wordless: strings.Contains(t.Body(), "]__<")}
	for i := range t.Lines {
		if t.Lines[i].Node >= 0 {
			continue
		}
		if may := f.fitting(&t.Lines[i]); len(may) > 0 {
			lines = append(lines, listed{i, may})
		} else {
			unknown++
		}
	}
	if len(lines) == 0 || unknown > max(1, len(t.Lines)/mostUnknown) {
		return
	}
	why := "the only place for it in the order of the page's elements, by tag, attributes and words"
	if inView := p.onlyView(lines); inView != nil {
		lines, why = inView, why+": the text lists what is in view"
	}
	page := map[int]int{} // how many lines each position may be of
	for _, l := range lines {
		for _, at := range l.may {
			page[at]++
		}
	}
	order := make([]int, 0, len(page))
	for at := range page {
		order = append(order, at)
	}
	slices.Sort(order)
	entries, in := make([]entry, len(order)), make(map[int]int, len(order))
	for i, at := range order {
		entries[i].place, in[at] = at, i
	}
	var anchors [][2]int
	of := make([]entry, len(lines))
	for i, l := range lines {
		of[i] = entry{place: l.place}
		if len(l.may) == 1 && page[l.may[0]] == 1 {
			anchors = append(anchors, [2]int{i, in[l.may[0]]})
		}
	}
	may := make(map[int][]int, len(lines))
	for _, l := range lines {
		may[l.place] = l.may
	}
	a := aligner{p: p, t: t, every: true,
		same: func(line, element entry) bool {
			_, found := slices.BinarySearch(may[line.place], element.place)
			return found
		},
		why: func([]entry, []entry, int, int) string { return why }}
	a.around(anchors, of, entries,
		func(i, _ int) string {
			return "the only <" + t.Lines[of[i].place].Role + "> with these attributes and words"
		})
}

// mostUnknown bounds the lines that fit no element of the page: one in so many. Of a page that has changed more, the
// order says less.
const mostUnknown = 10

// onlyView narrows lines to the elements in view where the text lists what can be operated there, each element and
// nothing else; nil where it does not.
func (p *Page) onlyView(lines []listed) []listed {
	var view []int // positions of what is in view
	can := map[int]bool{}
	for _, l := range lines {
		for _, at := range l.may {
			can[at] = true
		}
	}
	var must []bool
	for at := range p.c.Nodes {
		n := &p.c.Nodes[at]
		if !n.InViewport || !n.Verdict.Rendered() || n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
			continue
		}
		if native := nativeControl(n); native || can[at] {
			view, must = append(view, at), append(must, native)
		}
	}
	m, n := len(lines), len(view)
	if m < leastInView || (m+1)*(n+1) > mostCells { // a short list is like another by chance
		return nil
	}
	// left[j] is the least number of controls in view that no line is about, of the first j, where the lines so far
	// each have an element; -1 where they cannot have.
	left := make([]int, n+1)
	for j := range n {
		left[j+1] = left[j]
		if must[j] {
			left[j+1]++
		}
	}
	for _, l := range lines {
		next := make([]int, n+1)
		next[0] = -1
		for j := 1; j <= n; j++ {
			next[j] = -1
			if next[j-1] >= 0 {
				if next[j] = next[j-1]; must[j-1] {
					next[j]++
				}
			}
			if _, fits := slices.BinarySearch(l.may, view[j-1]); fits && left[j-1] >= 0 &&
				(next[j] < 0 || left[j-1] < next[j]) {
				next[j] = left[j-1]
			}
		}
		left = next
	}
	if left[n] < 0 || left[n] > n/mostLeft {
		return nil
	}
	out := make([]listed, len(lines))
	for i, l := range lines {
		out[i] = listed{l.place, slices.DeleteFunc(slices.Clone(l.may), func(at int) bool {
			_, in := slices.BinarySearch(view, at)
			return !in
		})}
	}
	return out
}

// mostLeft bounds the controls in view that a text of what is in view does not list: one in so many.
const mostLeft = 25

// ListsAllControls reports whether each link, button and field of the page that is drawn has a line of a text that is
// tied to it; of a text of Chrome's accessibility tree each that is in the tree, where nothing behind a dialog is.
func (p *Page) ListsAllControls(t *observation.Text) bool {
	tied := map[int]bool{}
	for _, l := range t.Lines {
		tied[l.Node] = true
	}
	tree, untied, outside := false, false, false // controls without a line that are in Chrome's tree, and that are not
	for i := range p.c.Nodes {
		n := &p.c.Nodes[i]
		tree = tree || n.AX != nil
		if n.Verdict.Rendered() && nativeControl(n) && !tied[n.I] {
			untied, outside = untied || n.AX != nil, outside || n.AX == nil
		}
	}
	return !untied && (tree || !outside)
}

// nativeControl reports whether every agent lists an element where it is in view: a link with an address, a button or a
// field of HTML.
func nativeControl(n *snapshot.Node) bool {
	switch n.Tag {
	case "a":
		return n.HasAttr("href")
	case "button", "select", "textarea":
		return true
	case "input":
		return n.Attr("type") != "hidden"
	}
	return false
}

// fitter finds the elements that lines may be about.
type fitter struct {
	p     *Page
	byTag map[string][]int
	words map[int]string // letters of what lies in the node at a position
	// wordless: the text prints no words of most elements, as Openator's, so that a line without any says nothing.
	wordless bool
	// all: what is not drawn counts as what is, as in markup that is not filtered.
	all bool
}

// markupFitter is that of HTML as the page has it.
func (p *Page) markupFitter() *fitter {
	return &fitter{p: p, words: map[int]string{}, wordless: true, all: true}
}

// lasting are attributes that say which element it is, and not how it is just now.
var lasting = []string{"id", "name", "type", "for", "placeholder", "title", "alt", "aria-label", "href", "src"}

// fitting are the positions of the elements of a line's tag that have each of its lasting attributes and its words.
// Those that are not drawn count where no other fits, or all do.
func (f *fitter) fitting(l *observation.Line) []int {
	if f.byTag == nil {
		f.byTag = map[string][]int{}
		for at := range f.p.c.Nodes {
			tag := f.p.c.Nodes[at].Tag
			f.byTag[tag] = append(f.byTag[tag], at)
		}
	}
	var drawn, other []int
	for _, at := range f.byTag[strings.ToLower(l.Role)] {
		n := &f.p.c.Nodes[at]
		switch {
		case !attributesFit(l, n) || !f.wordsFit(l, at):
		case f.all || n.Verdict.Rendered():
			drawn = append(drawn, at)
		default:
			other = append(other, at)
		}
	}
	if len(drawn) == 0 {
		return other
	}
	return drawn
}

// attributesFit reports whether an element has the lasting attributes that a line prints; a value that ends in "..." is
// cut.
func attributesFit(l *observation.Line, n *snapshot.Node) bool {
	for _, name := range lasting {
		want, printed := l.Attrs[name]
		if !printed {
			continue
		}
		is := strings.Join(strings.Fields(n.Attr(name)), " ")
		want = strings.Join(strings.Fields(want), " ")
		head, cut := strings.CutSuffix(want, "...")
		if is != want && (!cut || !strings.HasPrefix(is, strings.TrimSpace(head))) {
			return false
		}
	}
	return true
}

// wordsFit reports whether the words of a line are among those of the element at a position, in their order: what lies
// in a line of its own is left out of it. An element of a line without words has none. What a field holds, and the
// options of a list, are not its words.
func (f *fitter) wordsFit(l *observation.Line, at int) bool {
	switch l.Role {
	case "input", "select", "textarea":
		return true
	}
	for _, name := range lasting {
		if l.Name != "" && l.Attrs[name] == l.Name {
			return true
		}
	}
	want := text.Letters(strings.TrimRight(l.Name, ".…"))
	if want != "" && slices.Contains(f.p.byKey[want], at) {
		return true
	}
	is, known := f.words[at]
	if !known {
		n := &f.p.c.Nodes[at]
		is = text.Letters(f.p.tree.Gather(n, snapshot.Gather{NoAlt: true, All: !n.Verdict.Rendered(),
			MaxBytes: 4 * nameLimit,
			MaxNodes: 200}))
		f.words[at] = is
	}
	if want == "" {
		return is == "" || l.Name != "" || f.wordless
	}
	return strings.Contains(strings.ReplaceAll(is, " ", ""), strings.ReplaceAll(want, " ", "")) ||
		inOrderAmong(strings.Fields(want), strings.Fields(is))
}

// inOrderAmong reports whether all of the words are among others, in their order.
func inOrderAmong(words, others []string) bool {
	for _, o := range others {
		if len(words) > 0 && o == words[0] {
			words = words[1:]
		}
	}
	return len(words) == 0
}

// byMarkup ties lines of HTML as the page has it: each to the one element that has its id, or its other lasting
// attributes and its words, drawn or not.
func (p *Page) byMarkup(t *observation.Text) {
	f := p.markupFitter()
	ids := map[string][]int{}
	for at := range p.c.Nodes {
		if id := p.c.Nodes[at].Attr("id"); id != "" {
			ids[id] = append(ids[id], at)
		}
	}
	claims := map[int][]int{} // lines by the position of the one element that each can be about
	whys := map[int]string{}
	for i := range t.Lines {
		l := &t.Lines[i]
		if l.Node >= 0 || ourNumber.MatchString(l.Ref) {
			continue
		}
		may, why := ids[cmp.Or(l.Attrs["id"], l.Ref)], "the only element with this id"
		if l.Ref == "" {
			if !slices.ContainsFunc(lasting, func(name string) bool { return l.Attrs[name] != "" }) {
				continue
			}
			may, why = f.fitting(l), "the only <"+l.Role+"> with these attributes and words"
		}
		if len(may) == 1 && sameTag(l, &p.c.Nodes[may[0]]) {
			claims[may[0]], whys[i] = append(claims[may[0]], i), why
		}
	}
	for at, lines := range claims {
		if len(lines) == 1 {
			p.set(&t.Lines[lines[0]], at, scoreList, whys[lines[0]])
		}
	}
}

// leavesOutUndrawn reports whether markup leaves out what is not drawn: no line is about such an element, and there is
// a control before the last line's element that no line fits. Else a line may mean what is not drawn, though something
// drawn has the same words.
func (p *Page) leavesOutUndrawn(t *observation.Text) bool {
	last := -1
	for _, l := range t.Lines {
		at := p.tree.Position(l.Node)
		if last = max(last, at); at >= 0 && !p.c.Nodes[at].Verdict.Rendered() {
			return false
		}
	}
	for at := range max(0, last) {
		n := &p.c.Nodes[at]
		if Kind(n.Tag) != "" && !n.Verdict.Rendered() && !slices.ContainsFunc(t.Lines, func(l observation.Line) bool {
			return sameTag(&l, n) && asInMarkup(&l, n)
		}) {
			return true
		}
	}
	return false
}

// ofMarkup are those of the candidates of a line of HTML that are as it says; unfiltered: and what is not drawn and
// fits it as well.
func (p *Page) ofMarkup(f *fitter, l *observation.Line, candidates []int, unfiltered bool) []int {
	var out []int
	for _, at := range candidates {
		if asInMarkup(l, &p.c.Nodes[at]) {
			out = append(out, at)
		}
	}
	if len(out) == 0 || !unfiltered {
		return out
	}
	for _, at := range f.fitting(l) {
		if n := &p.c.Nodes[at]; !n.Verdict.Rendered() && asInMarkup(l, n) && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return out
}

// asInMarkup reports whether an element has the id and the other lasting attributes that a line of HTML prints. An id
// that is a number may be one of ours.
func asInMarkup(l *observation.Line, n *snapshot.Node) bool {
	return attributesFit(l, n) && (l.Ref == "" || ourNumber.MatchString(l.Ref) ||
		n.Attr("id") == cmp.Or(l.Attrs["id"], l.Ref))
}

// byLocator ties lines that stand for elements by locators: each to the one element that its locator finds.
func (p *Page) byLocator(t *observation.Text) {
	l := find.NewLocating(p.c)
	for i := range t.Lines {
		line := &t.Lines[i]
		if found, err := l.Locate(line.Ref); err == nil && len(found) == 1 {
			p.set(line, p.tree.Position(found[0].I), ScoreOwn, "the only element that its locator finds")
		}
	}
}
