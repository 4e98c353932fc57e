package tie

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
)

// A line that prints a piece of text and no element, as Chrome's tree has StaticText, is of the element whose own text
// holds it: the only one between the elements of the lines before and after, their ancestors included, since a
// paragraph goes on behind a link in it.

// isText reports whether a line prints a text and no element.
func isText(l *observation.Line) bool { return l.Role == "StaticText" || l.Role == "text" }

// pieces are the texts that the elements of a page have of their own, by position.
type pieces struct {
	*Page
	at      map[int]int // position of each node by its index
	letters []string    // letters and digits alone
	words   []string    // with single spaces
}

// byText ties lines of text that have no element yet.
func (p *Page) byText(t *observation.Text) {
	if len(p.c.Nodes) == 0 || !slices.ContainsFunc(t.Lines, func(l observation.Line) bool { return isText(&l) }) {
		return
	}
	own := pieces{Page: p, at: map[int]int{}}
	for i := range p.c.Nodes {
		own.at[p.c.Nodes[i].I] = i
		own.letters = append(own.letters, text.Letters(p.c.Nodes[i].Text))
		own.words = append(own.words, text.CollapseSpace(p.c.Nodes[i].Text))
	}
	next := make([]int, len(t.Lines)) // position of the element of the next tied line
	for i, last := len(t.Lines)-1, len(p.c.Nodes); i >= 0; i-- {
		next[i] = last
		if l := &t.Lines[i]; l.Node >= 0 && !isText(l) {
			last = own.at[l.Node]
		}
	}
	from := 0
	var around []*observation.Line // the tied lines that the present one lies in
	alike := map[stretch][]int{}
	for i := range t.Lines {
		l := &t.Lines[i]
		for len(around) > 0 && around[len(around)-1].Depth >= l.Depth {
			around = around[:len(around)-1]
		}
		if l.Node >= 0 {
			from, around = own.at[l.Node], append(around, l)
			continue
		}
		here := stretch{from, next[i], text.CollapseSpace(l.Name)}
		if !isText(l) || len(l.Candidates) > 0 || here.words == "" {
			continue
		}
		may := own.holding(here, around)
		if len(may) == 1 {
			p.set(l, may[0], scoreBetween, "the only element with this text between its neighbours")
			from = max(from, may[0])
			continue
		}
		alike[here] = append(alike[here], i)
		for _, k := range may[:min(len(may), mostCandidates)] {
			l.Candidates = append(l.Candidates, p.c.Nodes[k].I)
		}
	}
	for here, lines := range alike {
		own.alike(t, here, lines)
	}
}

// stretch is between the elements of two lines that are tied, by their positions, and the words of lines there.
type stretch struct {
	from, to int
	words    string
}

// holding are the positions of the elements whose own text has the letters of a line, in its stretch or around that. Of
// several, those count that lie in the element of the line around it. Signs alone are in too many.
func (own pieces) holding(here stretch, around []*observation.Line) []int {
	key := text.Letters(here.words)
	if key == "" {
		return nil
	}
	nodes, to := own.c.Nodes, here.to
	across := to < here.from
	if across { // a frame's lines that stand behind those of the page: the page goes on
		to = len(nodes)
	}
	var may []int
	for k := here.from; k < to; k++ {
		if strings.Contains(own.letters[k], key) && (!across || nodes[k].Frame == nodes[here.from].Frame) {
			may = append(may, k)
		}
	}
	for up := nodes[here.from].Parent; up >= 0; up = nodes[own.at[up]].Parent {
		if k := own.at[up]; strings.Contains(own.letters[k], key) && !slices.Contains(may, k) {
			may = append(may, k)
		}
	}
	if len(around) == 0 || len(may) < 2 {
		return may
	}
	outer := around[len(around)-1].Node
	inner := slices.DeleteFunc(slices.Clone(may), func(k int) bool { return !own.tree.Contains(outer, nodes[k].I) })
	if len(inner) > 0 {
		return inner
	}
	return may
}

// alike ties lines of text with the same words, as those of a table's cells or of code in colours, where as many
// elements between the same neighbours have these words and nothing else, and no other has them among its own.
func (own pieces) alike(t *observation.Text, here stretch, lines []int) {
	nodes := own.c.Nodes
	for up := range own.tree.Ancestors(nodes[here.from].I) { // it may go on behind what lies in it
		if strings.Contains(own.words[own.at[up.I]], here.words) {
			return
		}
	}
	var there []int
	for k := here.from; k < here.to; k++ {
		switch is := own.words[k]; {
		case !strings.Contains(is, here.words):
		case is != here.words || !nodes[k].Verdict.Rendered() || len(there) == len(lines):
			return
		case len(there) > 0 && own.tree.Contains(nodes[there[len(there)-1]].I, nodes[k].I):
			return // what is in it comes first, or not
		default:
			there = append(there, k)
		}
	}
	if len(there) != len(lines) {
		return
	}
	for k, i := range lines {
		own.set(&t.Lines[i], there[k], scoreBetween, ordinal(k+1, len(there), "with this text between its neighbours"))
	}
}
