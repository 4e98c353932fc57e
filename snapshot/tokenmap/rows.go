package tokenmap

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// row is a unit that can repeat: a line about an element, or where a line is about none, as
// in JSON, each outermost span in it.
type row struct {
	start, end int // byte offsets
	node       int
	tokens     int
}

// rowsOf lists the rows of a document in order; they do not overlap.
func rowsOf(d *dump.Document) []row {
	var rows []row
	spans := d.SortedSpans()
	next := 0
	for i, l := range d.Lines {
		end := l.End
		if i < len(d.Lines)-1 {
			end++ // the line break is its own
		}
		if l.Node >= 0 {
			rows = append(rows, row{start: l.Start, end: end, node: l.Node})
		}
		at := l.Start
		for ; next < len(spans) && spans[next].Start < l.End; next++ {
			if s := spans[next]; l.Node < 0 && s.Start >= at && s.End > s.Start {
				rows = append(rows, row{start: s.Start, end: s.End, node: s.Node})
				at = s.End
			}
		}
	}
	return rows
}

// atom is a stretch of text within one row and about one element.
type atom struct {
	node   int
	chars  int
	tokens int
}

// measure counts the text once and shares the tokens out to rows and to elements.
func measure(d *dump.Document, rows []row, spread func(string, []int) []int) []atom {
	if spread == nil {
		spread = dump.SpreadQuarter
	}
	pieces := d.Pieces()
	type bound struct{ at, piece, row int }
	var bounds []bound
	var ends []int
	r, from := 0, 0
	for p, piece := range pieces {
		for from < piece.End {
			for r < len(rows) && rows[r].end <= from {
				r++
			}
			to, in := piece.End, -1
			if r < len(rows) {
				if rows[r].start <= from {
					to, in = min(to, rows[r].end), r
				} else {
					to = min(to, rows[r].start)
				}
			}
			bounds, ends = append(bounds, bound{from, p, in}), append(ends, to)
			from = to
		}
	}
	if len(ends) == 0 {
		return nil
	}
	atoms := make([]atom, len(ends))
	for i, n := range spread(d.Text, ends) {
		b := bounds[i]
		atoms[i] = atom{pieces[b.piece].Node, utf8.RuneCountInString(d.Text[b.at:ends[i]]), n}
		if b.row >= 0 {
			rows[b.row].tokens += n
		}
	}
	return atoms
}

// tagsOf sums the atoms up by tag.
func tagsOf(c *snapshot.Capture, atoms []atom) []Tag {
	index := map[string]int{}
	seen := map[int]bool{}
	var out []Tag
	for _, a := range atoms {
		name := ""
		if n := c.Node(a.node); n != nil {
			name = n.Tag
		}
		i, ok := index[name]
		if !ok {
			i = len(out)
			index[name] = i
			out = append(out, Tag{Tag: name})
		}
		if name != "" && !seen[a.node] {
			seen[a.node] = true
			out[i].Nodes++
		}
		out[i].Chars += a.chars
		out[i].Tokens += a.tokens
	}
	slices.SortStableFunc(out, func(a, b Tag) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Tag, b.Tag))
	})
	return out
}

const (
	repeatCount = 3   // rows that make a repeat
	repeatText  = 160 // characters of it that are kept
)

// repeatsOf finds the rows that are equal but for numbers.
func repeatsOf(c *snapshot.Capture, d *dump.Document, rows []row) []Repeat {
	type group struct {
		Repeat
		texts map[string]bool
	}
	at := map[string]*group{}
	var order []*group
	for _, r := range rows {
		line := strings.TrimRight(strings.TrimLeft(d.Text[r.start:r.end], "\t "), "\n")
		ref := 0
		if n := c.Node(r.node); n != nil {
			ref = n.Ref
		}
		key := numbers(line, func(string) bool { return true })
		g := at[key]
		if g == nil {
			g = &group{Repeat: Repeat{Text: text.Cut(line, repeatText)}, texts: map[string]bool{}}
			at[key] = g
			order = append(order, g)
		}
		own := strconv.Itoa(ref)
		g.texts[numbers(line, func(s string) bool { return s == own })] = true
		g.Count++
		g.Tokens += r.tokens
		g.Nodes = append(g.Nodes, r.node)
	}
	var out []Repeat
	for _, g := range order {
		if g.Count >= repeatCount {
			g.Distinct = len(g.texts)
			out = append(out, g.Repeat)
		}
	}
	slices.SortStableFunc(out, func(a, b Repeat) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return out
}

// numbers puts # in the place of each run of digits that which holds for.
func numbers(s string, which func(string) bool) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		switch {
		case j == i:
			b.WriteByte(s[i])
			i++
			continue
		case which(s[i:j]):
			b.WriteByte('#')
		default:
			b.WriteString(s[i:j])
		}
		i = j
	}
	return b.String()
}
