package collect

import (
	"net/url"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// maxPreview is the length of the main content's preview, in characters (W-2).
const maxPreview = 500

// describePage fills the facts of the page as a whole (W-2). It is a pure function of
// the capture, after redaction, so what was withheld cannot come back in a preview.
// Overlays must have been found before.
func describePage(c *snapshot.Capture) {
	g := gather(c)
	p := &c.Page
	p.Landmarks = landmarks(c)
	p.FormCount = len(g.forms)
	p.HasLoginForm = g.login != nil
	p.HasCaptcha = g.captcha
	p.InteractiveCount = g.interactive
	p.Description = g.description
	p.Preview = g.preview()
	p.Type = g.pageType()
}

// pageForm is one form: a rendered form element, or the page's fields outside of any.
type pageForm struct {
	node      *snapshot.Node // nil for the fields outside of any form
	fields    int            // that a person fills
	passwords int
	newPass   bool // autocomplete=new-password
	users     int  // user names, mail addresses, telephone numbers
	payment   int  // card and address fields
	search    bool
	words     string // of its headings and buttons, lower case
}

// gathered is what one pass over the nodes finds.
type gathered struct {
	c     *snapshot.Capture
	t     *snapshot.Tree
	forms []*pageForm
	loose pageForm // the page's fields outside of any form
	login *pageForm

	captcha     bool
	interactive int
	description string
	ogType      string
	main        *snapshot.Node // the main content's root, nil for none
	article     *snapshot.Node
	articles    int
	h1          string
	words       string // title and headings, lower case
	paragraphs  int    // characters of paragraphs of 80 and more
	text        int    // characters of all that is kept
	rows, items int    // table rows; list items and articles that hold a link
	prices      int
	toBasket    bool
	product     bool // marked up as a product
	query       bool // a search field that holds something
}

func gather(c *snapshot.Capture) *gathered {
	g := &gathered{c: c, t: snapshot.NewTree(c)}
	form := map[int]*pageForm{} // by node index, for elements inside
	item := map[int]int{}       // the list item or article around each node
	counted := map[int]bool{}   // those that hold a link
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if n.Tag == "meta" && n.Frame == 0 {
			g.meta(n)
		}
		f := form[n.Parent]
		if n.Tag == "form" && rendered(n) {
			f = &pageForm{node: n, search: n.Role == "search"}
			g.forms = append(g.forms, f)
		}
		if f != nil {
			form[n.I] = f
		}
		if !rendered(n) {
			continue
		}
		g.captcha = g.captcha || isCaptcha(n)
		if n.Tag == "main" || n.Role == "main" {
			if g.main == nil {
				g.main = n
			}
		}
		if n.Tag == "article" || n.Role == "article" {
			g.articles++
			if g.article == nil {
				g.article = n
			}
		}
		if strings.HasSuffix(strings.TrimSuffix(n.Attr("itemtype"), "/"), "schema.org/Product") {
			g.product = true
		}
		if f == nil {
			f = &g.loose
		}
		g.field(n, f)
		around, in := item[n.Parent]
		if n.Tag == "li" || n.Tag == "article" {
			around, in = n.I, true
		}
		if in {
			item[n.I] = around
			if n.Tag == "a" && n.Verdict == snapshot.VerdictRef && !counted[around] {
				counted[around] = true
				g.items++
			}
		}
		g.line(n, f)
	}
	g.findLogin()
	return g
}

func (g *gathered) meta(n *snapshot.Node) {
	name := strings.ToLower(n.Attr("name") + n.Attr("property"))
	content := strings.Join(strings.Fields(n.Attr("content")), " ")
	switch name {
	case "description":
		g.description = shorten(content, maxPreview)
	case "og:description":
		if g.description == "" {
			g.description = shorten(content, maxPreview)
		}
	case "og:type":
		g.ogType = strings.ToLower(content)
	}
}

// line counts what an element says.
func (g *gathered) line(n *snapshot.Node, f *pageForm) {
	operable := n.Verdict == snapshot.VerdictRef && len(n.Interactive) > 0
	if operable {
		g.interactive++
	}
	heading := snapshot.IsHeading(n.Tag) || n.Role == "heading"
	switch {
	case heading && n.Verdict.Kept():
		s := strings.ToLower(g.t.Text(n.I))
		f.words += " " + s
		if len(g.words) < 4000 {
			g.words += " " + s
		}
		if n.Tag == "h1" && g.h1 == "" {
			g.h1 = s
		}
	case operable && (n.Role == "button" || n.Tag == "a"):
		s := strings.ToLower(n.Name)
		if n.Role == "button" && len(f.words) < 2000 {
			f.words += " " + s
		}
		g.toBasket = g.toBasket || len(s) < 60 && hasWord(s, basketWords())
	}
	if n.Verdict.Kept() || n.Verdict == snapshot.VerdictInsideAtomic {
		length := len([]rune(n.Text))
		g.text += length
		if length >= 80 && (n.Tag == "p" || n.Tag == "div" || n.Tag == "blockquote" || n.Tag == "li") && n.Verdict.Kept() {
			g.paragraphs += length
		}
		if length < 20 && isPrice(n.Text) {
			g.prices++
		}
	}
	if n.Tag == "tr" && n.Verdict == snapshot.VerdictRef {
		g.rows++
	}
}

// preview is the start of the main content in words: without navigation, overlays,
// controls and what forms hold.
func (g *gathered) preview() string {
	root := g.main
	if root == nil && g.articles == 1 {
		root = g.article
	}
	overlay := map[int]bool{}
	for _, o := range g.c.Page.Overlays {
		overlay[o.Node] = true
	}
	var b strings.Builder
	skip := -1 // index of the subtree that is left out
	inside := func(i, outer int) bool { return g.t.Contains(outer, i) }
	for p := 0; p < len(g.c.Nodes) && b.Len() < 8*maxPreview; p++ {
		n := &g.c.Nodes[p]
		if skip >= 0 {
			if inside(n.I, skip) {
				continue
			}
			skip = -1
		}
		if root != nil {
			if n.I < root.I {
				continue
			}
			if !inside(n.I, root.I) {
				break
			}
		}
		if overlay[n.I] || root == nil && isFurniture(n) || n.Tag == "nav" || n.Role == "navigation" || len(n.Redacted) > 0 ||
			len(n.Interactive) > 0 && n.Tag != "a" && n.Tag != "summary" {
			skip = n.I
			continue
		}
		switch {
		case n.Verdict == snapshot.VerdictContent || snapshot.IsHeading(n.Tag) && n.Verdict.Kept() || n.Tag == "pre" && n.Verdict.Kept():
			b.WriteString(g.t.Text(n.I) + " ")
			skip = n.I
		case n.Verdict == snapshot.VerdictRef && n.Text != "", n.Verdict == snapshot.VerdictInsideAtomic && n.Text != "":
			b.WriteString(n.Text + " ")
		}
	}
	return shorten(strings.Join(strings.Fields(b.String()), " "), maxPreview)
}

func isFurniture(n *snapshot.Node) bool {
	switch n.Role {
	case "banner", "contentinfo", "complementary", "search":
		return true
	}
	return n.Tag == "header" || n.Tag == "footer" || n.Tag == "aside"
}

func shorten(s string, max int) string {
	if r := []rune(s); len(r) > max {
		return string(r[:max-1]) + "…"
	}
	return s
}

// isPrice: digits with a currency beside them and little else.
func isPrice(s string) bool {
	return strings.ContainsAny(s, "0123456789") && (strings.ContainsAny(s, "$€£¥₹₽₩₺₴") || strings.Contains(s, "EUR") || strings.Contains(s, "USD") || strings.Contains(s, "zł") || strings.Contains(s, "kr"))
}

// queryOf is the search words in an address, "" for none.
func queryOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	for _, key := range [...]string{"q", "query", "search", "s", "k", "keyword", "keywords", "search_query", "term"} {
		if v := u.Query().Get(key); v != "" {
			return v
		}
	}
	return ""
}

// landmarks are the rendered landmark regions in document order.
func landmarks(c *snapshot.Capture) []snapshot.Landmark {
	var out []snapshot.Landmark
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() && n.Verdict != snapshot.VerdictWrapper {
			continue
		}
		switch n.Role {
		case "banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search":
			out = append(out, snapshot.Landmark{Node: n.I, Role: n.Role, Name: n.Name})
		}
	}
	return out
}
