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
	for i := range t.Lines {
		l := &t.Lines[i]
		if l.Node >= 0 {
			from = at[l.Node]
			continue
		}
		key := text.Letters(l.Name)
		if !isText(l) || key == "" || len(l.Candidates) > 0 {
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
		if len(may) == 1 {
			p.set(l, may[0], scoreBetween, "the only element with this text between its neighbours")
			from = max(from, may[0])
			continue
		}
		for _, k := range may[:min(len(may), mostCandidates)] {
			l.Candidates = append(l.Candidates, p.c.Nodes[k].I)
		}
	}
}
