package doctor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Scores of a match, by its evidence. There is none below: what is not certain is not matched.
const (
	scoreOnly    = 0.95 // the only one of its words and kind
	scoreNumber  = 0.92 // one of several, with the same number as well
	scoreOrder   = 0.9  // as many on the page as in the text, in the same order
	scoreBetween = 0.8  // the only one between the elements of the lines before and after
)

// page is a capture made ready for lines to be matched.
type page struct {
	c     *snapshot.Capture
	tree  *snapshot.Tree
	byKey map[string][]int // positions in c.Nodes, by the letters of what elements are called
	all   string           // letters of everything on the page, hidden or not
}

// nameLimit bounds the text by which an element is called, in bytes.
const nameLimit = 400

func newPage(c *snapshot.Capture) *page {
	p := &page{c: c, tree: snapshot.NewTree(c), byKey: map[string][]int{}}
	var all strings.Builder
	for i := range c.Nodes {
		n := &c.Nodes[i]
		for _, s := range []string{n.Text, n.Name, n.Value, n.Description, n.Attr("placeholder"), n.Attr("title"), n.Attr("alt"),
			n.Attr("aria-label")} {
			if s != "" {
				all.WriteString(text.Letters(s))
				all.WriteByte(' ')
			}
		}
		if !n.Numbered() && !n.Verdict.Kept() {
			continue
		}
		gathered := p.tree.Gather(n, snapshot.Gather{All: !n.Verdict.Rendered(), Controls: true, MaxBytes: nameLimit, MaxNodes: 200})
		for _, s := range []string{n.Name, n.Text, gathered, n.Value, n.Attr("placeholder"), n.Attr("title"), n.Attr("alt"),
			n.Attr("name"), n.Attr("id"), n.Attr("aria-label"), fileOf(n.Attr("src"))} {
			key := text.Letters(text.StartBytes(s, nameLimit))
			if key != "" && !slices.Contains(p.byKey[key], i) {
				p.byKey[key] = append(p.byKey[key], i)
			}
		}
	}
	p.all = all.String()
	return p
}

// fileOf is the last part of an address, which formats print for a picture without words.
func fileOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address[strings.LastIndexByte(address, '/')+1:]
}

// kind makes one word of the roles and tags that stand for the same.
func kind(role string) string {
	switch role = strings.ToLower(role); role {
	case "a", "lnk", "link":
		return "link"
	case "btn", "button", "submit", "reset", "summary":
		return "button"
	case "input", "textarea", "textbox", "searchbox", "inp", "txt", "text", "email", "password", "search", "tel", "url", "number",
		"spinbutton", "combobox", "select", "listbox", "sel", "checkbox", "radio", "chk", "rad", "switch", "slider", "range", "date",
		"time", "color", "file", "month", "week", "datetime-local":
		return "field"
	case "h1", "h2", "h3", "h4", "h5", "h6", "heading", "hdg":
		return "heading"
	case "img", "image", "graphics":
		return "picture"
	}
	return ""
}

func kindOf(n *snapshot.Node) string {
	if k := kind(n.Role); k != "" {
		return k
	}
	return kind(n.Tag)
}

// match finds the elements of a text's lines. A line has an element where all but one are ruled
// out, by words, kind, number or order.
func (p *page) match(t *PageText) {
	candidates := make([][]int, len(t.Lines))
	groups := map[string][]int{} // lines with the same candidates
	for i, l := range t.Lines {
		candidates[i] = p.candidates(l)
		if len(candidates[i]) > 0 {
			groups[fmt.Sprint(candidates[i])] = append(groups[fmt.Sprint(candidates[i])], i)
		}
	}
	set := func(i, at int, score float64, why string) {
		l := &t.Lines[i]
		l.Node, l.Score, l.Why = p.c.Nodes[at].I, score, why
	}
	for _, lines := range groups {
		can := candidates[lines[0]]
		switch {
		case len(lines) == 1 && len(can) == 1:
			set(lines[0], can[0], scoreOnly, "the only "+what(t.Lines[lines[0]])+" with these words")
		case len(lines) == len(can):
			for k, i := range lines {
				set(i, can[k], scoreOrder, fmt.Sprintf("number %d of %d with these words, in the order of the page", k+1, len(can)))
			}
		default:
			for _, i := range lines {
				for _, at := range can {
					if n := &p.c.Nodes[at]; n.Ref > 0 && number(t.Lines[i].Ref) == n.Ref {
						set(i, at, scoreNumber, "the same number, and the same words")
					}
				}
			}
		}
	}
	p.between(t, candidates)
	for _, l := range t.Lines {
		if l.Node >= 0 {
			t.Matched++
		}
	}
}

// between matches lines that are left over by their neighbours.
func (p *page) between(t *PageText, candidates [][]int) {
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
			l := &t.Lines[i]
			l.Node, l.Score, l.Why = p.c.Nodes[left[0]].I, scoreBetween, "the only one between the lines before and after"
		}
	}
}

// candidates are the positions of the elements that a line may be about: those that are drawn,
// where there are some.
func (p *page) candidates(l Line) []int {
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
	want := kind(l.Role)
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
		found = keep(found, func(n *snapshot.Node) bool { k := kindOf(n); return k == want || k == "" })
	}
	narrow(func(n *snapshot.Node) bool { return kindOf(n) == want })
	narrow(func(n *snapshot.Node) bool { return n.Verdict.Rendered() })
	narrow(func(n *snapshot.Node) bool {
		return strings.EqualFold(n.Role, l.Role) || n.Tag == strings.ToLower(l.Role)
	})
	return found
}

// number is the number of a ref: 12 of "12", "e12" and "s3e12"; 0 where it ends in none, and for
// an id such as nv_1c2f9012.
func number(ref string) int {
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

func what(l Line) string {
	if k := kind(l.Role); k != "" {
		return k
	}
	return "element"
}

// has reports whether the page has these words anywhere, drawn or not.
func (p *page) has(name string) bool {
	key := text.Letters(name)
	return key == "" || len(p.byKey[key]) > 0 || strings.Contains(p.all, key)
}
