package collect

import (
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// paths gives nodes their unique CSS path: tags with their place among the
// siblings, ">>>" into a shadow root, "|>" into a frame.
type paths struct {
	c     *snapshot.Capture
	parts map[int]*part // by frame index
	place []int         // place in its part by node index
	known map[int]string
}

func newPaths(c *snapshot.Capture, parts []*part) *paths {
	p := &paths{c: c, parts: map[int]*part{}, place: make([]int, len(c.Nodes)), known: map[int]string{}}
	for _, part := range parts {
		p.parts[part.frame] = part
		for k, id := range part.ids {
			p.place[id] = k
		}
	}
	return p
}

func (p *paths) of(i int) string {
	if s, ok := p.known[i]; ok {
		return s
	}
	// Up to the nearest known ancestor, then down again: no recursion.
	var chain []int
	base := ""
	for k := i; k >= 0; k = p.up(k) {
		if s, ok := p.known[k]; ok {
			base = s
			break
		}
		chain = append(chain, k)
	}
	for j := len(chain) - 1; j >= 0; j-- {
		k := chain[j]
		base += p.step(k, base == "")
		p.known[k] = base
	}
	return base
}

// up is the parent in the light tree, where the path goes.
func (p *paths) up(i int) int {
	n := &p.c.Nodes[i]
	if l := p.parts[n.Frame].light[p.place[i]]; l >= 0 {
		return l
	}
	return n.Parent
}

func (p *paths) step(i int, first bool) string {
	n := &p.c.Nodes[i]
	part := p.parts[n.Frame]
	k := p.place[i]
	up := p.up(i)
	sep := " > "
	switch {
	case first:
		sep = ""
	case p.c.Nodes[up].Frame != n.Frame:
		sep = " |> "
	case part.cols.Host[k] == p.place[up] && part.cols.Host[k] != part.cols.Host[p.place[up]]:
		sep = " >>> "
	}
	if n.Tag == "html" && (first || sep == " |> ") {
		return sep + "html"
	}
	return sep + tagName(n.Tag) + ":nth-child(" + strconv.Itoa(part.cols.Nth[k]) + ")"
}

// tagName escapes what CSS would read as something else, such as the colon of an
// XML prefix; odd names become the universal selector, as the place is unique.
func tagName(tag string) string {
	for _, r := range tag {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return "*"
		}
	}
	if tag == "" || strings.HasPrefix(tag, "-") {
		return "*"
	}
	return tag
}
