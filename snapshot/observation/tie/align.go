package tie

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/observation"
)

// The list of a text beside that of the page: both in the same order, with role and name of each entry. Entries that
// are the only ones of their words on both sides are anchors; between two anchors the longest common subsequence is
// taken, and a line has the element that every longest one gives it. What two of them place differently has candidates.

// entry is one place of a list.
type entry struct {
	key   string
	place int  // index of the line, or position of the node
	order int  // in Chrome's accessibility tree, 0 where it is not known
	part  bool // the browser draws it in the node
}

// align ties a text of Chrome's accessibility tree by the tree that was read with the capture; it reports whether there
// is one.
func (p *Page) align(t *observation.Text) bool {
	var page []entry
	for at := range p.c.Nodes {
		ax := p.c.Nodes[at].AX
		if ax == nil {
			continue
		}
		page = append(page, entry{key: keyOf(ax.Role, ax.Name), place: at, order: ax.Order})
		for _, part := range ax.Parts {
			page = append(page, entry{keyOf(part.Role, part.Name), at, part.Order, true})
		}
	}
	if len(page) == 0 {
		return false
	}
	slices.SortStableFunc(page, func(a, b entry) int { return a.order - b.order })
	var lines []entry
	for i := range t.Lines {
		if l := &t.Lines[i]; l.Role != "StaticText" {
			lines = append(lines, entry{key: keyOf(l.Role, l.Name), place: i})
		}
	}
	a := aligner{p: p, t: t, same: func(line, element entry) bool { return line.key == element.key }, why: placeInTree}
	a.around(commonAnchors(lines, page), lines, page, func(i, j int) string {
		if page[j].part {
			return drawn
		}
		return "the only " + what(&t.Lines[lines[i].place]) + " with this role and name in Chrome's accessibility tree"
	})
	return true
}

// keyOf is what two entries have in common that are about one element.
func keyOf(role, name string) string { return role + "\x00" + strings.Join(strings.Fields(name), " ") }

// aligner places the lines of a text beside the elements of a page.
type aligner struct {
	p *Page
	t *observation.Text
	// same reports whether a line may be about an element, and why says by what it has its place.
	same func(line, element entry) bool
	why  func(lines, page []entry, i, j int) string
	// every: between two anchors lines are placed only where each of them can be.
	every bool
}

// around ties anchors, each a place of the lines and one of the page, as many as are in one order, and then aligns what
// lies between them, unless the order of the two lists is another one.
func (a *aligner) around(all [][2]int, lines, page []entry, only func(i, j int) string) {
	anchors := longestIncreasing(all)
	ordered := a.p.inOneOrder(all, func(j int) int { return page[j].place })
	from := [2]int{}
	for _, x := range anchors {
		if ordered {
			a.common(lines[from[0]:x[0]], page[from[1]:x[1]])
		}
		a.p.set(&a.t.Lines[lines[x[0]].place], page[x[1]].place, ScoreOnly, only(x[0], x[1]))
		from = [2]int{x[0] + 1, x[1] + 1}
	}
	if ordered {
		a.common(lines[from[0]:], page[from[1]:])
	}
}

// commonAnchors are the entries that are the only ones of their key on both sides, in the order of the first.
func commonAnchors(lines, page []entry) [][2]int {
	count := func(list []entry) map[string][]int {
		out := map[string][]int{}
		for i, e := range list {
			out[e.key] = append(out[e.key], i)
		}
		return out
	}
	there := count(page)
	var pairs [][2]int
	for key, at := range count(lines) {
		if to := there[key]; len(at) == 1 && len(to) == 1 {
			pairs = append(pairs, [2]int{at[0], to[0]})
		}
	}
	slices.SortFunc(pairs, func(x, y [2]int) int { return x[0] - y[0] })
	return pairs
}

// longestIncreasing is the longest part of pairs, sorted by their first, whose second increases too.
func longestIncreasing(pairs [][2]int) [][2]int {
	var tails []int // index of the pair that ends the best run of each length
	before := make([]int, len(pairs))
	for i, p := range pairs {
		at, _ := slices.BinarySearchFunc(tails, p[1], func(k, want int) int { return pairs[k][1] - want })
		before[i] = -1
		if at > 0 {
			before[i] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, i)
		} else {
			tails[at] = i
		}
	}
	var out [][2]int
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = before[i] {
			out = append(out, pairs[i])
		}
	}
	slices.Reverse(out)
	return out
}

// mostCells bounds the table of one stretch: what is larger is left to words.
const mostCells = 4_000_000

// common aligns two stretches without anchors by their longest common subsequences.
func (a *aligner) common(lines, page []entry) {
	m, n := len(lines), len(page)
	if m == 0 || n == 0 || (m+1)*(n+1) > mostCells {
		return
	}
	width := n + 1
	same := make([]bool, m*n)
	for i := range m {
		for j := range n {
			same[i*n+j] = a.same(lines[i], page[j])
		}
	}
	ahead, behind := make([]int32, (m+1)*width), make([]int32, (m+1)*width) // longest of what comes before, and after
	for i := 1; i <= m; i++ {
		for j := 1; j <= n; j++ {
			best := max(ahead[(i-1)*width+j], ahead[i*width+j-1])
			if same[(i-1)*n+j-1] {
				best = max(best, ahead[(i-1)*width+j-1]+1)
			}
			ahead[i*width+j] = best
		}
	}
	for i := m - 1; i >= 0; i-- {
		for j := n - 1; j >= 0; j-- {
			best := max(behind[(i+1)*width+j], behind[i*width+j+1])
			if same[i*n+j] {
				best = max(best, behind[(i+1)*width+j+1]+1)
			}
			behind[i*width+j] = best
		}
	}
	all := ahead[m*width+n]
	if all == 0 || a.every && int(all) < m {
		return
	}
	for i := range m {
		l := &a.t.Lines[lines[i].place]
		var may []int
		left := false // a longest one leaves the line out
		for j := 0; j <= n && !left; j++ {
			left = ahead[i*width+j]+behind[(i+1)*width+j] == all
		}
		for j := range n {
			if same[i*n+j] && ahead[i*width+j]+1+behind[(i+1)*width+j+1] == all {
				may = append(may, j)
			}
		}
		switch {
		case len(may) == 1 && !left:
			a.p.set(l, page[may[0]].place, scoreList, a.why(lines, page, i, may[0]))
		default:
			for _, j := range may[:min(len(may), mostCandidates)] {
				l.Candidates = append(l.Candidates, a.p.c.Nodes[page[j].place].I)
			}
		}
	}
}

// placeInTree says which of the entries of its words in Chrome's tree it is.
func placeInTree(_, page []entry, _, j int) string {
	if page[j].part {
		return drawn
	}
	k, of := 0, 0
	for at, e := range page {
		if e.key == page[j].key {
			of++
			if at <= j {
				k++
			}
		}
	}
	if of == 1 {
		return "the only one with this role and name between its neighbours in Chrome's accessibility tree"
	}
	return ordinal(k, of, "with this role and name between its neighbours in Chrome's accessibility tree")
}
