package tie

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
)

// byWords ties what is left by words, kind, number and order: a line has an element where all but one are ruled out.
func (p *Page) byWords(t *observation.Text) {
	f := p.markupFitter()
	unfiltered := t.Format == observation.HTML && !p.leavesOutUndrawn(t)
	candidates := make([][]int, len(t.Lines))
	groups := map[string][]int{} // lines with the same candidates
	for i := range t.Lines {
		if t.Lines[i].Node >= 0 {
			continue
		}
		candidates[i] = p.candidates(&t.Lines[i])
		if t.Format == observation.HTML {
			candidates[i] = p.ofMarkup(f, &t.Lines[i], candidates[i], unfiltered)
		}
		if len(candidates[i]) > 0 {
			groups[fmt.Sprint(candidates[i])] = append(groups[fmt.Sprint(candidates[i])], i)
		}
	}
	for _, lines := range groups {
		can := candidates[lines[0]]
		switch {
		case len(lines) == 1 && len(can) == 1:
			p.set(&t.Lines[lines[0]], can[0], ScoreOnly, "the only "+what(&t.Lines[lines[0]])+" with these words")
		case len(lines) == len(can): // once the lines around them are known
		case schemes[t.Format] == nil || !schemes[t.Format][0].ours: // numbers of others are the same by chance
		default:
			for _, i := range lines {
				for _, at := range can {
					if n := &p.c.Nodes[at]; n.Ref > 0 && Number(t.Lines[i].Ref) == n.Ref {
						p.set(&t.Lines[i], at, scoreNumber, "the same number, and the same words")
					}
				}
			}
		}
	}
	ordered := p.ordered(t)
	for _, lines := range groups {
		can := candidates[lines[0]]
		if ordered && len(lines) > 1 && len(lines) == len(can) && p.inOrder(t, lines, can) {
			for k, i := range lines {
				p.set(&t.Lines[i], can[k], scoreOrder,
					ordinal(k+1, len(can), "with these words, in the order of the page"))
			}
		}
	}
	if ordered {
		p.between(t, candidates)
	}
	if !tagged(t) { // see onlyView
		p.inView(t, candidates, ordered)
	}
	if ordered {
		p.unnamed(t)
	}
	for i := range t.Lines {
		if l := &t.Lines[i]; l.Node < 0 && len(l.Candidates) == 0 && len(candidates[i]) > 1 {
			for _, at := range candidates[i][:min(len(candidates[i]), mostCandidates)] {
				l.Candidates = append(l.Candidates, p.c.Nodes[at].I)
			}
		}
	}
}

// outOfOrder bounds the lines that stand elsewhere than the document has their elements: one in so many. A text that
// lists more of them so, as by their places on the screen, has another order.
const outOfOrder = 10

// ordered reports whether a text lists what is known of it in the order of the document.
func (p *Page) ordered(t *observation.Text) bool {
	var known [][2]int
	for i := range t.Lines {
		if l := &t.Lines[i]; l.Node >= 0 && l.Score > scoreOrder {
			known = append(known, [2]int{i, p.tree.Position(l.Node)})
		}
	}
	return p.inOneOrder(known, func(at int) int { return at })
}

// inOneOrder reports whether pairs of a line and a place on the page, sorted by their lines, are in the order of the
// page, each frame by itself: some texts list frames behind the page. position is that of the node at a place.
func (p *Page) inOneOrder(pairs [][2]int, position func(place int) int) bool {
	byFrame := map[int][][2]int{}
	for _, pair := range pairs {
		frame := p.c.Nodes[position(pair[1])].Frame
		byFrame[frame] = append(byFrame[frame], pair)
	}
	in := 0
	for _, of := range byFrame {
		in += len(longestIncreasing(of))
	}
	return (len(pairs)-in)*outOfOrder <= len(pairs)
}

// inOrder reports whether each of the lines, as the element at its place in can, lies between the elements of the lines
// that are tied already: else the page has as many of these words by chance.
func (p *Page) inOrder(t *observation.Text, lines, can []int) bool {
	for k, i := range lines {
		for at := i - 1; at >= 0; at-- {
			if l := &t.Lines[at]; l.Node >= 0 && l.Score > scoreOrder {
				if p.tree.Position(l.Node) > can[k] {
					return false
				}
				break
			}
		}
		for at := i + 1; at < len(t.Lines); at++ {
			if l := &t.Lines[at]; l.Node >= 0 && l.Score > scoreOrder {
				if p.tree.Position(l.Node) < can[k] {
					return false
				}
				break
			}
		}
	}
	return true
}

// mostCandidates is how many candidates a line names.
const mostCandidates = 10

// between ties lines that are left over by their neighbours.
func (p *Page) between(t *observation.Text, candidates [][]int) {
	for i := range t.Lines {
		if t.Lines[i].Node >= 0 || len(candidates[i]) == 0 {
			continue
		}
		from, to := -1, len(p.c.Nodes)
		for k := i - 1; k >= 0; k-- {
			if t.Lines[k].Node >= 0 {
				from = p.tree.Position(t.Lines[k].Node)
				break
			}
		}
		for k := i + 1; k < len(t.Lines); k++ {
			if t.Lines[k].Node >= 0 && t.Lines[k].Score > scoreBetween {
				to = p.tree.Position(t.Lines[k].Node)
				break
			}
		}
		var left []int
		for _, at := range candidates[i] {
			if at > from && at < to {
				left = append(left, at)
			}
		}
		if len(left) == 1 && !rival(t, candidates, i, left[0]) {
			p.set(&t.Lines[i], left[0], scoreBetween, "the only one between the lines before and after")
		}
	}
}

// rival reports whether another line that is left over beside line i may be about the same element: then neither is
// told.
func rival(t *observation.Text, candidates [][]int, i, at int) bool {
	for _, step := range []int{-1, 1} {
		for k := i + step; k >= 0 && k < len(t.Lines) && t.Lines[k].Node < 0; k += step {
			if slices.Contains(candidates[k], at) {
				return true
			}
		}
	}
	return false
}

// rivalAnywhere is [rival] over the whole text.
func rivalAnywhere(t *observation.Text, candidates [][]int, i int) bool {
	for k := range t.Lines {
		if k != i && t.Lines[k].Node < 0 && slices.Contains(candidates[k], candidates[i][0]) {
			return true
		}
	}
	return false
}

// candidates are the positions of the elements that a line may be about: those that are drawn,
// where there are some.
func (p *Page) candidates(l *observation.Line) []int {
	if by := p.byAttributes(l); len(by) == 1 {
		return by
	}
	key := text.Letters(text.StartBytes(l.Name, nameLimit))
	if key == "" {
		return nil
	}
	found := p.byKey[key]
	if len(found) == 0 && (strings.HasSuffix(l.Name, "…") || strings.HasSuffix(l.Name, "...")) && len(key) >= 8 {
		for other, at := range p.byKey {
			if strings.HasPrefix(other, key) {
				found = append(found, at...)
			}
		}
		slices.Sort(found)
		found = slices.Compact(found)
	}
	if isText(l) { // see text.go
		return nil
	}
	want := Kind(l.Role)
	keep := func(list []int, test func(n *snapshot.Node) bool) []int {
		var out []int
		for _, at := range list {
			if test(&p.c.Nodes[at]) {
				out = append(out, at)
			}
		}
		return out
	}
	narrow := func(test func(n *snapshot.Node) bool) {
		if kept := keep(found, test); len(kept) > 0 {
			found = kept
		}
	}
	fits := func(n *snapshot.Node) bool { return KindOf(n) == want || Kind(n.Tag) == want } // an input may be a button
	if want != "" {
		found = keep(found, func(n *snapshot.Node) bool { return fits(n) || KindOf(n) == "" })
	}
	if want != "" { // a role of no kind, such as tab, may be that of a button
		narrow(fits)
	}
	if want == "" && !slices.Contains(anyRole, strings.ToLower(l.Role)) {
		// A container or another role: what only has the same words in it is not meant.
		found = keep(found, func(n *snapshot.Node) bool {
			return strings.EqualFold(n.Role, l.Role) || strings.EqualFold(n.Tag, l.Role) ||
				n.AX != nil && strings.EqualFold(n.AX.Role, l.Role)
		})
	}
	narrow(func(n *snapshot.Node) bool { return n.Verdict.Rendered() })
	narrow(func(n *snapshot.Node) bool {
		return strings.EqualFold(n.Role, l.Role) || n.Tag == strings.ToLower(l.Role)
	})
	return found
}

// anyRole are words that stand for elements of no role in particular.
var anyRole = []string{"", "generic", "element", "none", "div", "span", "label", "labeltext"}

// telling are attributes that tell one element from another.
var telling = []string{"id", "name", "href", "for", "data-testid"}

// byAttributes are the positions of the elements that have the tag and the attributes that a line prints, where one of
// these tells elements apart; nil for a line without.
func (p *Page) byAttributes(l *observation.Line) []int {
	if !slices.ContainsFunc(telling, func(name string) bool { return l.Attrs[name] != "" }) {
		return nil
	}
	var out []int
	for at := range p.c.Nodes {
		n := &p.c.Nodes[at]
		if n.Tag != strings.ToLower(l.Role) {
			continue
		}
		fits := true
		for name, want := range l.Attrs {
			if !slices.Contains(telling, name) {
				continue
			}
			is := strings.TrimSpace(n.Attr(name))
			head, cut := strings.CutSuffix(want, "...")
			fits = fits && (is == want || cut && strings.HasPrefix(is, head))
		}
		if fits {
			out = append(out, at)
		}
	}
	return out
}

// leastInView is how many lines must be tied, or listed, before they can say that a text lists what is in view.
const leastInView = 8

// inView ties what is left over where all elements that the text is known to list lie in view: a second element of the
// same words outside of it is none that the text could list.
func (p *Page) inView(t *observation.Text, candidates [][]int, ordered bool) {
	tied := 0
	for _, l := range t.Lines {
		if l.Node < 0 {
			continue
		}
		if !p.tree.Node(l.Node).InViewport {
			return
		}
		tied++
	}
	if tied < leastInView {
		return
	}
	for i := range t.Lines {
		if t.Lines[i].Node >= 0 {
			continue
		}
		var left []int
		for _, at := range candidates[i] {
			if p.c.Nodes[at].InViewport {
				left = append(left, at)
			}
		}
		candidates[i] = left
	}
	for i := range t.Lines {
		if c := candidates[i]; t.Lines[i].Node < 0 && len(c) == 1 && !rivalAnywhere(t, candidates, i) {
			p.set(&t.Lines[i], c[0], scoreBetween,
				"the only one with these words in view, as all others of the text are")
		}
	}
	if ordered {
		p.between(t, candidates)
	}
}

// unnamed ties lines without words: between the elements of two lines that are tied, those of one tag or role are as
// many in the text as on the page, and then in one order.
func (p *Page) unnamed(t *observation.Text) {
	taken := map[int]bool{}
	for _, l := range t.Lines {
		taken[l.Node] = true
	}
	for from := 0; from < len(t.Lines); {
		if t.Lines[from].Node >= 0 {
			from++
			continue
		}
		to := from
		for to < len(t.Lines) && t.Lines[to].Node < 0 {
			to++
		}
		first, last := -1, len(p.c.Nodes)
		if from > 0 {
			first = p.tree.Position(t.Lines[from-1].Node)
		}
		if to < len(t.Lines) {
			last = p.tree.Position(t.Lines[to].Node)
		}
		if from > 0 && to < len(t.Lines) && first < last {
			p.unnamedIn(t.Lines[from:to], first, last, taken)
		}
		from = to
	}
}

// unnamedIn ties the lines of one stretch, whose elements lie between two positions.
func (p *Page) unnamedIn(lines []observation.Line, first, last int, taken map[int]bool) {
	byRole := map[string][]int{}
	for i := range lines {
		byRole[strings.ToLower(lines[i].Role)] = append(byRole[strings.ToLower(lines[i].Role)], i)
	}
	for role, list := range byRole {
		if slices.ContainsFunc(list, func(i int) bool { return lines[i].Name != "" }) || Kind(role) == "" {
			continue
		}
		var there []int
		for at := first + 1; at < last; at++ {
			n := &p.c.Nodes[at]
			if (n.Tag == role || n.Role == role) && n.Verdict.Rendered() && n.Control() && !taken[n.I] {
				there = append(there, at)
			}
		}
		if len(there) != len(list) {
			continue
		}
		for k, i := range list {
			p.set(&lines[i], there[k], scoreBetween,
				ordinal(k+1, len(there), "<"+role+"> between the elements of the lines before and after"))
		}
	}
}

// Number is the number of a ref: 12 of "12", "e12" and "s3e12"; 0 where it ends in none, and for
// an id such as nv_1c2f9012.
func Number(ref string) int {
	at := len(ref)
	if strings.Contains(ref, "_") {
		return 0
	}
	for at > 0 && ref[at-1] >= '0' && ref[at-1] <= '9' {
		at--
	}
	n, err := strconv.Atoi(ref[at:])
	if err != nil {
		return 0
	}
	return n
}
