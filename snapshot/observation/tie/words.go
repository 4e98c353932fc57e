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
	candidates := make([][]int, len(t.Lines))
	groups := map[string][]int{} // lines with the same candidates
	for i := range t.Lines {
		if t.Lines[i].Node >= 0 {
			continue
		}
		candidates[i] = p.candidates(&t.Lines[i])
		if len(candidates[i]) > 0 {
			groups[fmt.Sprint(candidates[i])] = append(groups[fmt.Sprint(candidates[i])], i)
		}
	}
	for _, lines := range groups {
		can := candidates[lines[0]]
		switch {
		case len(lines) == 1 && len(can) == 1:
			p.set(&t.Lines[lines[0]], can[0], ScoreOnly, "the only "+what(&t.Lines[lines[0]])+" with these words")
		case len(lines) == len(can):
			for k, i := range lines {
				p.set(&t.Lines[i], can[k], scoreOrder,
					ordinal(k+1, len(can), "with these words, in the order of the page"))
			}
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
	p.between(t, candidates)
	for i := range t.Lines {
		if l := &t.Lines[i]; l.Node < 0 && len(candidates[i]) > 1 {
			for _, at := range candidates[i][:min(len(candidates[i]), mostCandidates)] {
				l.Candidates = append(l.Candidates, p.c.Nodes[at].I)
			}
		}
	}
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
		if len(left) == 1 {
			p.set(&t.Lines[i], left[0], scoreBetween, "the only one between the lines before and after")
		}
	}
}

// candidates are the positions of the elements that a line may be about: those that are drawn,
// where there are some.
func (p *Page) candidates(l *observation.Line) []int {
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
	if want != "" {
		found = keep(found, func(n *snapshot.Node) bool { k := KindOf(n); return k == want || k == "" })
	}
	narrow(func(n *snapshot.Node) bool { return KindOf(n) == want })
	narrow(func(n *snapshot.Node) bool { return n.Verdict.Rendered() })
	narrow(func(n *snapshot.Node) bool {
		return strings.EqualFold(n.Role, l.Role) || n.Tag == strings.ToLower(l.Role)
	})
	return found
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
