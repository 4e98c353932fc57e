package profiles

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/text"
)

const (
	maxRegions  = 20  // landmarks in a template
	maxRegion   = 300 // bytes of a selector in it
	maxLandmark = 80  // characters of a landmark's name
)

// FromPage is [Template] with what a capture tells: the landmarks of the page as
// Regions, each with a selector by which it can be found again (15.4 of the seed).
// Names are page text: they stand in a code span and in quotes, on one line.
func FromPage(domain string, day time.Time, c *snapshot.Capture) string {
	p, _ := Parse(Template(domain, day))
	s := p.Section(Regions)
	if s == nil || len(c.Page.Landmarks) == 0 {
		return p.Text()
	}
	f := &finder{c: c, tree: css.NewTree(c), count: map[string]int{}}
	var b strings.Builder
	for k, l := range c.Page.Landmarks {
		if k == maxRegions {
			fmt.Fprintf(&b, "- and %d more landmarks\n", len(c.Page.Landmarks)-k)
			break
		}
		n := c.Node(l.Node)
		if n == nil {
			continue
		}
		b.WriteString("- " + l.Role)
		if name := landmarkName(l.Name); name != "" {
			b.WriteString(" `" + name + "`")
		}
		switch selector := f.stable(n); {
		case selector != "":
			b.WriteString(": `" + selector + "`")
		case spannable(n.Path):
			b.WriteString(": `" + n.Path + "` (by position: it breaks when the page is rearranged)")
		default:
			b.WriteString(": no selector is known")
		}
		b.WriteByte('\n')
	}
	s.Body = b.String() + "\n"
	return p.Text()
}

// landmarkName is a page's text for a code span of a profile.
func landmarkName(s string) string {
	if s = text.Cut(strings.ReplaceAll(text.Line(s), "`", "'"), maxLandmark); s == "" {
		return ""
	}
	return text.Quote(s)
}

// spannable reports whether a selector can stand in a code span on one line.
func spannable(s string) bool {
	return s != "" && len(s) <= maxRegion && utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return r == '`' || r != ' ' && !unicode.IsGraphic(r) })
}

// finder looks for selectors that match one element of a capture and no other.
type finder struct {
	c     *snapshot.Capture
	tree  *css.Tree
	count map[string]int // selector → matches, of those that were asked
}

func (f *finder) single(selector string) bool {
	n, known := f.count[selector]
	if !known {
		if sel, err := css.Parse(selector); err == nil {
			n = len(sel.All(f.tree))
		}
		f.count[selector] = n
	}
	return n == 1
}

// stable is a selector by what the author of the page gave the element: an id, a test
// id, the element or role itself where there is one only, a label, a class, or the
// element below one that has such an id. It is "" where only the place tells the element
// from others, and for elements in frames and shadow roots, where a selector of the page
// does not reach.
func (f *finder) stable(n *snapshot.Node) string {
	if n.Frame != 0 || n.Shadow != "" {
		return ""
	}
	for _, s := range own(n) {
		if f.single(s) {
			return s
		}
	}
	for up := f.c.Node(n.Parent); up != nil && up.Frame == 0; up = f.c.Node(up.Parent) {
		id := up.Attr("id")
		if up.Shadow != "" || !authored(id) || !f.single("#"+id) {
			continue
		}
		for _, s := range own(n) {
			if s = "#" + id + " " + s; f.single(s) {
				return s
			}
		}
		if s := "#" + id + " > " + n.Tag; up.I == n.Parent && plainTag(n.Tag) && f.single(s) {
			return s
		}
	}
	return ""
}

// own are the selectors that an element itself gives, best first.
func own(n *snapshot.Node) []string {
	if !plainTag(n.Tag) {
		return nil
	}
	var out []string
	if id := n.Attr("id"); authored(id) {
		out = append(out, "#"+id)
	}
	byAttr := func(prefix, name string) {
		v := n.Attr(name)
		plain := !strings.ContainsAny(v, "\"\\`<>[]") && text.Line(v) == v
		if v != "" && len(v) <= 60 && plain && !strings.Contains(v, "redacted") {
			out = append(out, prefix+"["+name+`="`+v+`"]`)
		}
	}
	for _, name := range [...]string{"data-testid", "data-test", "data-qa", "data-cy"} {
		byAttr("", name)
	}
	switch n.Tag {
	case "main", "header", "footer", "nav", "aside", "search":
		out = append(out, n.Tag)
	}
	byAttr("", "role")
	byAttr(n.Tag, "aria-label")
	for k, class := range strings.Fields(n.Attr("class")) {
		if k == 6 {
			break
		}
		if authored(class) && !isState(class) {
			out = append(out, n.Tag+"."+class)
		}
	}
	if n.Tag == "form" || n.Tag == "section" {
		out = append(out, n.Tag)
	}
	return out
}

// plainTag: a tag that a selector can name without escapes.
func plainTag(tag string) bool {
	return tag != "" && strings.Trim(tag, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// authored reports whether an id or class looks like a person's word: one that a build
// or a framework made changes with the next one. It has letters, joined by single - or _,
// with at most two digits, none of them before a letter of the same word, and no word of
// five letters or more that lacks a vowel or changes case three times.
func authored(s string) bool {
	if len(s) < 2 || len(s) > 40 {
		return false
	}
	digits := 0
	for k, word := range strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' }) {
		rises, vowels, letters := 0, 0, 0
		for i, r := range word {
			switch {
			case r >= '0' && r <= '9':
				digits++
			case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
				if i > 0 && word[i-1] >= '0' && word[i-1] <= '9' {
					return false
				}
				if i > 0 && r <= 'Z' && word[i-1] >= 'a' {
					rises++
				}
				letters++
				if strings.ContainsRune("aeiouyAEIOUY", r) {
					vowels++
				}
			default:
				return false
			}
		}
		if k == 0 && letters == 0 || letters > 4 && vowels == 0 || rises > 2 {
			return false
		}
		switch word {
		case "css", "sc", "jsx", "ember", "radix":
			if k == 0 {
				return false
			}
		}
	}
	first := s[0] | 0x20
	return digits <= 2 && first >= 'a' && first <= 'z'
}

// isState: a class that comes and goes with what the page does.
func isState(class string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(class), func(r rune) bool { return r == '-' || r == '_' }) {
		switch word {
		case "is", "has", "active", "inactive", "open", "opened", "closed", "hidden", "visible", "show", "shown", "selected",
			"loaded", "loading", "sticky", "collapsed", "expanded", "disabled", "js", "no", "not":
			return true
		}
	}
	return false
}
