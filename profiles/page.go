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

// FromPage is [Template] filled in from a capture: the landmarks of the page as
// Regions, each with a selector by which it can be found again (15.4 of the seed).
// Names are page text: they are put in a code span and in quotes, on one line.
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

// spannable reports whether a selector fits in a code span on one line.
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
// element below one that has such an id. It is "" where only the position distinguishes the
// element, and for elements in frames and shadow roots, where a selector of the page
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
		if up.Shadow != "" || !css.Authored(id) || !f.single("#"+id) {
			continue
		}
		for _, s := range own(n) {
			if s = "#" + id + " " + s; f.single(s) {
				return s
			}
		}
		if s := "#" + id + " > " + n.Tag; up.I == n.Parent && css.PlainTag(n.Tag) && f.single(s) {
			return s
		}
	}
	return ""
}

// own are the selectors that an element itself gives, best first.
func own(n *snapshot.Node) []string {
	if !css.PlainTag(n.Tag) {
		return nil
	}
	var out []string
	if id := n.Attr("id"); css.Authored(id) {
		out = append(out, "#"+id)
	}
	byAttr := func(prefix, name string) {
		v := n.Attr(name)
		if css.PlainValue(v) {
			out = append(out, prefix+"["+name+`="`+v+`"]`)
		}
	}
	for _, name := range css.TestAttrs {
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
		if css.Authored(class) && !isState(class) {
			out = append(out, n.Tag+"."+class)
		}
	}
	if n.Tag == "form" || n.Tag == "section" {
		out = append(out, n.Tag)
	}
	return out
}

// isState: a class that comes and goes with what the page does.
func isState(class string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(class), func(r rune) bool { return r == '-' || r == '_' }) {
		switch word {
		case "is", "has", "active", "inactive", "open", "opened", "closed", "hidden", "visible", "show",
			"shown", "selected",
			"loaded", "loading", "sticky", "collapsed", "expanded", "disabled", "js", "no", "not":
			return true
		}
	}
	return false
}
