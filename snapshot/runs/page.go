package runs

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// pageFacts is what a comparison keeps of a page.
type pageFacts struct {
	none          bool     // no page was recorded
	address       string   // without what is volatile in it
	width, height float64  // of the viewport, CSS px
	lines         []uint64 // a hash for each element that counts, in document order
	sketch        sketch   // of the set of lines
	adverts       []string // texts of advertisements, steady
}

// sketch estimates the share of equal lines of two pages: the smallest hash of each of its
// permutations (Broder, "On the resemblance and containment of documents", 1997).
type sketch [16]uint64

func (s *sketch) add(h uint64) {
	for i := range s {
		h = h*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
		h ^= h >> 29
		if s[i] == 0 || h < s[i] {
			s[i] = h
		}
	}
}

// likeness is the estimated share of equal lines, from 0 to 1.
func (s *sketch) likeness(o *sketch) float64 {
	same := 0
	for i := range s {
		if s[i] == o[i] {
			same++
		}
	}
	return float64(same) / float64(len(s))
}

// factsOf reads a page.
func factsOf(c *snapshot.Capture, seed maphash.Seed) pageFacts {
	f := pageFacts{none: c.Pageless(), address: addressOf(c.URL), width: c.Viewport.Width,
		height: c.Viewport.Height}
	adverts := advertsOf(c)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if adverts[i] {
			f.adverts = appendTexts(f.adverts, n)
			continue
		}
		if !counts(n) {
			continue
		}
		h := maphash.String(seed, lineOf(n))
		f.lines = append(f.lines, h)
		f.sketch.add(h)
	}
	slices.Sort(f.adverts)
	f.adverts = slices.Compact(f.adverts)
	return f
}

// counts reports whether the element is one that the agent is given.
func counts(n *snapshot.Node) bool {
	return n.Verdict.Kept() && (n.Ref > 0 || n.Name != "" || n.Text != "")
}

// lineOf is what counts of an element.
func lineOf(n *snapshot.Node) string {
	cover := ""
	if o := n.Occlusion; o != nil && n.Control() && o.State == snapshot.Covered {
		cover = string(o.State)
	}
	return strings.Join([]string{
		n.Tag, n.Role, steady(n.Name), steady(n.Text), steady(n.Value), fmt.Sprint(n.States), cover,
		steady(n.Attr("href")),
	}, "\x00")
}

// appendTexts adds what a text of the page may repeat of an element.
func appendTexts(list []string, n *snapshot.Node) []string {
	for _, s := range []string{n.Name, n.Text, n.Description} {
		if s = steady(s); len(s) >= 3 {
			list = append(list, s)
		}
	}
	return list
}

// addressOf is an address without fragments and volatile parts: of loopback without the port,
// of a query the names with steady values.
func addressOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return steady(raw)
	}
	u.Fragment = ""
	return steady(u.String())
}

// advertWords are the words that ids, classes, labels and hosts of advertisements have, as
// words of their own.
var advertWords = map[string]bool{
	"ad": true, "ads": true, "adv": true, "advert": true, "adverts": true, "advertisement": true,
	"advertisements": true, "advertising": true, "sponsor": true, "sponsored": true, "adsbygoogle": true,
	"doubleclick": true, "adservice": true, "adsystem": true, "googlesyndication": true, "taboola": true,
	"outbrain": true,
}

// advertsOf reports by index which elements are advertisements or lie in one.
func advertsOf(c *snapshot.Capture) []bool {
	out := make([]bool, len(c.Nodes))
	at := make(map[int]int, len(c.Nodes)) // Node.I → index
	for i := range c.Nodes {
		n := &c.Nodes[i]
		at[n.I] = i
		if up, ok := at[n.Parent]; ok && n.Parent >= 0 && out[up] {
			out[i] = true
			continue
		}
		out[i] = isAdvert(n)
	}
	return out
}

func isAdvert(n *snapshot.Node) bool {
	if n.Tag == "html" || n.Tag == "body" || n.Tag == "main" {
		return false
	}
	list := []string{n.Attr("id"), n.Attr("class"), n.Attr("aria-label")}
	if n.Tag == "iframe" {
		list = append(list, n.Attr("src"), n.Attr("name"), n.Attr("title"))
	}
	for _, s := range list {
		words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r < 'a' || r > 'z' })
		if slices.ContainsFunc(words, func(w string) bool { return advertWords[w] }) {
			return true
		}
	}
	return false
}

// mostLines is how many differences a cause names.
const mostLines = 12

// pageDifference are the differences of two pages that count, in sentences, none for equal ones; and what is no
// difference of the pages but of how they were captured, in sentences.
func pageDifference(a, b *snapshot.Capture) (out, settings []string) {
	if x, y := addressOf(a.URL), addressOf(b.URL); x != y {
		out = append(out, fmt.Sprintf("address %s → %s", text.Quote(text.Cut(a.URL, 160)),
			text.Quote(text.Cut(b.URL, 160))))
	}
	before, after := advertsOf(a), advertsOf(b)
	d := diff.Captures(a, b, diff.Options{Move: -1})
	gone := map[string]int{} // lines that the first page alone has
	for _, c := range d.Changes {
		if c.Kind == diff.Removed && c.Before != nil {
			gone[lineOf(a.Node(c.Before.Node))]++
		}
	}
	came := map[string]int{}
	for _, c := range d.Changes {
		if c.Kind == diff.Added && c.After != nil {
			came[lineOf(b.Node(c.After.Node))]++
		}
	}
	left := 0
	set := map[string][]*snapshot.Node{}
	for _, c := range d.Changes {
		if c.Before != nil && before[c.Before.Node] || c.After != nil && after[c.After.Node] {
			continue
		}
		line := changeLine(a, b, &c, gone, came)
		if line == "" {
			continue
		}
		if what, n := settingOf(a, b, &c); what != "" {
			set[what] = append(set[what], n)
			continue
		}
		if len(out) < mostLines {
			out = append(out, line)
		} else {
			left++
		}
	}
	if left > 0 {
		out = append(out, fmt.Sprintf("and %s", text.Count(left, "more difference", "more differences")))
	}
	if len(out) == 0 {
		out = orderDifference(given(a, before), given(b, after))
	}
	for _, what := range slices.Sorted(maps.Keys(set)) {
		more := ""
		if n := len(set[what]) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		settings = append(settings, what+": "+name(set[what][0])+more)
	}
	return out, settings
}

// settingOf says which setting of the two captures a change comes of, "" for one that is of the page, and which
// element it is about.
func settingOf(a, b *snapshot.Capture, c *diff.Change) (what string, n *snapshot.Node) {
	resized := a.Viewport.Width != b.Viewport.Width || a.Viewport.Height != b.Viewport.Height
	lacks := func(has, lacks *snapshot.Capture, here, there *diff.Element, which string) (string, *snapshot.Node) {
		n := has.Node(here.Node)
		switch {
		case there == nil && cutShort(lacks) && n.I >= len(lacks.Nodes):
			return "not read in the " + which + ", which was cut at its limit", n
		case there == nil:
		case lacks.Node(there.Node).Verdict == snapshot.VerdictFiltered:
			return "left out by a filter in the " + which, n
		case resized:
			return "hidden in the viewport of the " + which, n
		}
		return "", nil
	}
	switch c.Kind {
	case diff.Removed:
		return lacks(a, b, c.Before, c.After, "second")
	case diff.Added:
		return lacks(b, a, c.After, c.Before, "first")
	}
	x, y := a.Node(c.Before.Node), b.Node(c.After.Node)
	switch one, other := len(x.Redacted) > 0, len(y.Redacted) > 0; {
	case resized && (c.Kind == diff.Covered || c.Kind == diff.Uncovered):
		return "covered in one viewport and not in the other", y
	case one && !other:
		return "withheld in the first", y
	case other && !one:
		return "withheld in the second", x
	}
	return "", nil
}

// cutShort reports whether a page was not read to its end.
func cutShort(c *snapshot.Capture) bool {
	return slices.ContainsFunc(c.Failed, func(f snapshot.Failure) bool { return f.Layer == snapshot.LayerWalk })
}

// given are the elements that count, without those of advertisements.
func given(c *snapshot.Capture, adverts []bool) []*snapshot.Node {
	var out []*snapshot.Node
	for i := range c.Nodes {
		if n := &c.Nodes[i]; counts(n) && !adverts[i] {
			out = append(out, n)
		}
	}
	return out
}

// orderDifference is where two pages with the same elements have them in another order; none
// where the elements are not the same.
func orderDifference(a, b []*snapshot.Node) []string {
	if len(a) != len(b) {
		return nil
	}
	left, first := map[string]int{}, -1
	for i := range a {
		x, y := lineOf(a[i]), lineOf(b[i])
		left[x]++
		left[y]--
		if x != y && first < 0 {
			first = i
		}
	}
	for _, n := range left {
		if n != 0 {
			return nil
		}
	}
	if first < 0 {
		return nil
	}
	return []string{fmt.Sprintf("the same elements in another order, from element %d of %d on: %s → %s", first+1,
		len(a), name(a[first]), name(b[first]))}
}

// changeLine describes a change, "" for one that does not count.
func changeLine(a, b *snapshot.Capture, c *diff.Change, gone, came map[string]int) string {
	switch c.Kind {
	case diff.Removed:
		n := a.Node(c.Before.Node)
		if line := lineOf(n); counts(n) && came[line] == 0 {
			return "only in the first: " + name(n)
		}
	case diff.Added:
		n := b.Node(c.After.Node)
		if line := lineOf(n); counts(n) && gone[line] == 0 {
			return "only in the second: " + name(n)
		}
	case diff.Covered, diff.Uncovered:
		x, y := a.Node(c.Before.Node), b.Node(c.After.Node)
		if !y.Control() || covered(x) == covered(y) {
			return ""
		}
		by := ""
		if c.By != nil {
			by = " by " + name(b.Node(c.By.Node))
		}
		return fmt.Sprintf("%s: %v → %v%s", name(y), c.From, c.To, by)
	case diff.Role, diff.Renamed, diff.Value, diff.Text, diff.State, diff.Attr:
		n := b.Node(c.After.Node)
		from, to := fmt.Sprint(c.From), fmt.Sprint(c.To)
		if steady(from) == steady(to) || c.Field == "focused" || !counts(n) && !counts(a.Node(c.Before.Node)) ||
			c.Kind == diff.Attr && c.Field != "href" {
			return ""
		}
		return fmt.Sprintf("%s: %s %s → %s", name(n), c.Field, text.Quote(text.Cut(from, 120)),
			text.Quote(text.Cut(to, 120)))
	}
	return ""
}

func covered(n *snapshot.Node) bool {
	return n.Occlusion != nil && n.Occlusion.State == snapshot.Covered
}

// name spells an element by role and name, or by its text where it has no name.
func name(n *snapshot.Node) string {
	return why.Describe(&snapshot.Node{Tag: n.Tag, Role: n.Role, Name: cmp.Or(n.Name, n.Text)})
}
