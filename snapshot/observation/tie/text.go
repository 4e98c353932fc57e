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

// byText ties lines of text that have no element yet.
func (p *Page) byText(t *observation.Text) {
	at := map[int]int{} // position of each node by its index
	own := make([]string, len(p.c.Nodes))
	for i := range p.c.Nodes {
		at[p.c.Nodes[i].I] = i
		own[i] = text.Letters(p.c.Nodes[i].Text)
	}
	next := make([]int, len(t.Lines)) // position of the element of the next tied line
	for i, last := len(t.Lines)-1, len(p.c.Nodes); i >= 0; i-- {
		next[i] = last
		if l := &t.Lines[i]; l.Node >= 0 && !isText(l) {
			last = at[l.Node]
		}
	}
	from := 0
	var around []int // the lines that the present one lies in
	alike := map[stretch][]int{}
	for i := range t.Lines {
		l := &t.Lines[i]
		for len(around) > 0 && t.Lines[around[len(around)-1]].Depth >= l.Depth {
			around = around[:len(around)-1]
		}
		if l.Node >= 0 {
			from = at[l.Node]
			around = append(around, i)
			continue
		}
		if !isText(l) || len(l.Candidates) > 0 {
			continue
		}
		words := strings.Join(strings.Fields(l.Name), " ")
		place := stretch{from: from, to: next[i], words: words}
		key := text.Letters(l.Name)
		if key == "" {
			if words != "" {
				alike[place] = append(alike[place], i)
			}
			continue
		}
		var may []int
		to := next[i]
		across := to < from
		if across { // a frame's lines that stand behind those of the page: the page goes on
			to = len(p.c.Nodes)
		}
		for k := from; k < to; k++ {
			if strings.Contains(own[k], key) && (!across || p.c.Nodes[k].Frame == p.c.Nodes[from].Frame) {
				may = append(may, k)
			}
		}
		for up := p.c.Nodes[from].Parent; up >= 0; up = p.c.Nodes[at[up]].Parent {
			if k := at[up]; strings.Contains(own[k], key) && !slices.Contains(may, k) {
				may = append(may, k)
			}
		}
		if len(around) > 0 && len(may) > 1 { // it lies in the element of the line around it
			outer := t.Lines[around[len(around)-1]].Node
			inner := slices.DeleteFunc(slices.Clone(may),
				func(k int) bool { return !p.tree.Contains(outer, p.c.Nodes[k].I) })
			if len(inner) > 0 {
				may = inner
			}
		}
		if len(may) == 1 {
			p.set(l, may[0], scoreBetween, "the only element with this text between its neighbours")
			from = max(from, may[0])
			continue
		}
		alike[place] = append(alike[place], i)
		for _, k := range may[:min(len(may), mostCandidates)] {
			l.Candidates = append(l.Candidates, p.c.Nodes[k].I)
		}
	}
	for place, lines := range alike {
		p.alikeTexts(t, place, lines)
	}
}

// stretch is between the elements of two lines that are tied, by their positions, and the words of lines there.
type stretch struct {
	from, to int
	words    string
}

// alikeTexts ties lines of text with the same words, as those of a table's cells or of code in colours, where as many
// elements between the same neighbours have these words and nothing else, and no other has them among its own.
func (p *Page) alikeTexts(t *observation.Text, s stretch, lines []int) {
	var there []int
	for n := range p.tree.Ancestors(p.c.Nodes[s.from].I) { // it may go on behind what lies in it
		if strings.Contains(strings.Join(strings.Fields(n.Text), " "), s.words) {
			return
		}
	}
	for k := s.from; k < s.to; k++ {
		n := &p.c.Nodes[k]
		switch is := strings.Join(strings.Fields(n.Text), " "); {
		case !strings.Contains(is, s.words):
		case is != s.words || !n.Verdict.Rendered() || len(there) == len(lines):
			return
		case len(there) > 0 && p.tree.Contains(p.c.Nodes[there[len(there)-1]].I, n.I):
			return // what is in it comes first, or not
		default:
			there = append(there, k)
		}
	}
	if len(there) != len(lines) {
		return
	}
	for k, i := range lines {
		p.set(&t.Lines[i], there[k], scoreBetween, ordinal(k+1, len(there), "with this text between its neighbours"))
	}
}
