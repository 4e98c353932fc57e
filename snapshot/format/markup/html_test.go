package markup_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/text"
)

// meant is the tree that full means to write, read from the capture.
func meant(c *snapshot.Capture, t *snapshot.Tree, n *snapshot.Node, heavyAround, keptAround bool) *htmlElement {
	if n.Verdict == snapshot.VerdictOptOut || n.Verdict == snapshot.VerdictFiltered {
		return nil
	}
	heavyHere := heavyAround || slices.Contains([]string{"script", "style", "noscript", "template", "svg", "meta"},
		n.Tag) ||
		n.Tag == "link" && strings.Contains(strings.ToLower(n.Attr("rel")), "stylesheet")
	if heavyHere && !anyKept(t, n, keptAround) {
		return nil
	}
	keptHere := heavyHere && (keptAround || n.Verdict.Kept())
	e := &htmlElement{tag: n.Tag, attrs: map[string]string{"": strconv.Itoa(n.I)}}
	if n.Tag == "textarea" {
		if v := dump.LiveValue(n); v != "" {
			e.text(asParsed(v))
		}
		return e
	}
	rs, at := n.Runs, 0
	if len(rs) == 0 && n.Text != "" {
		rs = []snapshot.Run{{Text: n.Text}}
	}
	for k := range t.Children(n.I) {
		for ; at < len(rs) && rs[at].Before >= 0 && rs[at].Before <= k.I; at++ {
			if !heavyHere || keptHere {
				e.text(asParsed(rs[at].Text))
			}
		}
		if x := meant(c, t, k, heavyHere, keptHere); x != nil {
			e.kids = append(e.kids, x)
		}
	}
	for ; at < len(rs); at++ {
		if !heavyHere || keptHere {
			e.text(asParsed(rs[at].Text))
		}
	}
	return e
}

func anyKept(t *snapshot.Tree, n *snapshot.Node, orText bool) bool {
	if n.Verdict.Kept() || orText && text.CollapseSpace(n.Text) != "" {
		return true
	}
	for k := range t.Children(n.I) {
		if anyKept(t, k, orText) {
			return true
		}
	}
	return false
}

// asParsed is a page's text as an HTML text can carry it: C1 controls and NUL have no
// spelling there.
func asParsed(s string) string {
	s = regexp.MustCompile(`\\+(?:u\{|[\x00\x{80}-\x{9f}])`).ReplaceAllStringFunc(strings.ToValidUTF8(s, "\uFFFD"),
		func(m string) string {
			return m[:strings.LastIndexByte(m, '\\')+1] + m
		})
	var b strings.Builder
	for _, r := range s {
		if r == 0 || r >= 0x80 && r < 0xa0 {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// checkFull parses a document of full that was not cut and compares its tree, numbers
// and attributes with the capture.
func checkFull(t testing.TB, c *snapshot.Capture, o format.Options) {
	t.Helper()
	d, err := format.Render(c, format.Full, o)
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	require.True(t, utf8.ValidString(d.Text))
	got := parseHTML(t, d.Text)
	got.expand(t)
	tree := snapshot.NewTree(c)
	var roots []*htmlElement
	for n := range tree.Roots() {
		if e := meant(c, tree, n, false, false); e != nil {
			roots = append(roots, e)
		}
	}
	got.tidy(false)
	if len(roots) == 1 && roots[0].tag == "html" {
		unbeside(got)
		tidyStrays(roots[0])
		roots[0].tidy(false)
		sameTree(t, c, roots[0], got, o)
		return
	}
	body := got.under("body")
	if len(roots) == 1 && roots[0].tag == "body" {
		roots[0].tidy(false)
		sameTree(t, c, roots[0], body, o)
		return
	}
	all := &htmlElement{tag: "body", attrs: map[string]string{}}
	for _, r := range roots {
		all.kids = append(all.kids, r)
	}
	all.tidy(false)
	sameTree(t, c, all, body, o)
}

// unbeside puts what html-beside holds at the end of what it is in.
func unbeside(root *htmlElement) {
	var body *htmlElement
	for _, k := range root.kids {
		if x := k.(*htmlElement); x.tag == "body" {
			body = x
		}
	}
	if body == nil || len(body.kids) == 0 {
		return
	}
	last := len(body.kids) - 1
	if x, ok := body.kids[last].(*htmlElement); ok && x.tag == "html-beside" {
		body.kids = append(body.kids[:last], x.kids...)
	}
}

// tidyStrays moves what a parser does not leave outside body or in head into body, as
// full says it does.
func tidyStrays(root *htmlElement) {
	root.tidy(false)
	var head, body *htmlElement
	var strays []any
	for _, k := range root.kids {
		x, ok := k.(*htmlElement)
		switch {
		case ok && x.tag == "head" && head == nil && body == nil:
			head = x
		case ok && x.tag == "body" && body == nil:
			body = x
		default:
			strays = append(strays, k)
		}
	}
	if head == nil {
		head = &htmlElement{tag: "head"}
	}
	var early, kids []any
	for _, k := range head.kids {
		x, ok := k.(*htmlElement)
		plain := ok
		if ok {
			for _, in := range x.kids {
				_, element := in.(*htmlElement)
				plain = plain && !element && x.tag == "title"
			}
		}
		if plain && (x.tag == "title" || x.tag == "base" || x.tag == "link") {
			kids = append(kids, k)
		} else {
			early = append(early, k)
		}
	}
	head.kids = kids
	if body == nil {
		body = &htmlElement{tag: "body"}
	}
	// Strays of html before those of head where they come first; full collects html's
	// children before it looks into head.
	body.kids = append(append(body.kids, strays...), early...)
	root.kids = []any{head, body}
}

// sameTree compares what was meant with what a parser read.
func sameTree(t testing.TB, c *snapshot.Capture, want, got *htmlElement, o format.Options) {
	t.Helper()
	require.NotNil(t, got)
	tag := strings.TrimPrefix(got.tag, "html-")
	if strings.HasPrefix(want.tag, "html-") || want.tag == got.tag {
		tag = got.tag
		if strings.HasPrefix(want.tag, "html-") {
			tag = strings.TrimPrefix(got.tag, "html-")
		}
	}
	if got.tag == "html-unknown" {
		tag = got.attrs["data-tag"]
	}
	require.Equal(t, asParsed(want.tag), tag)
	if i, ok := want.attrs[""]; ok {
		k, _ := strconv.Atoi(i)
		sameAttrs(t, c.Node(k), got, o)
	}
	require.Equal(t, outline(want), outline(got), "in %s %v", want.tag, got.attrs)
	for i := range want.kids {
		if w, ok := want.kids[i].(*htmlElement); ok {
			sameTree(t, c, w, got.kids[i].(*htmlElement), o)
		}
	}
}

// outline is an element's content without what is inside its elements.
func outline(e *htmlElement) []string {
	out := []string{}
	for _, k := range e.kids {
		if s, ok := k.(string); ok {
			out = append(out, s)
		} else {
			out = append(out, "<>")
		}
	}
	return out
}

func sameAttrs(t testing.TB, n *snapshot.Node, got *htmlElement, o format.Options) {
	t.Helper()
	own := map[string]string{}
	page := map[string]string{}
	for name, v := range got.attrs {
		switch {
		case strings.HasPrefix(name, "page-attr"):
			page[v] = got.attrs["page-value"+strings.TrimPrefix(name, "page-attr")]
		case strings.HasPrefix(name, "page-value"):
		case strings.HasPrefix(name, "page-"):
			page[strings.TrimPrefix(name, "page-")] = v
		case reserved(name):
			own[name] = v
		default:
			page[name] = v
		}
	}
	number := ""
	if n.Ref > 0 {
		number = strconv.Itoa(n.Ref)
		if n.Frame > 0 {
			number = fmt.Sprintf("f%d_%d", n.Frame, n.Ref)
		}
	}
	require.Equal(t, number, own["data-id"])
	if n.Ref > 0 || o.Compat {
		require.Equal(t, strconv.FormatBool(len(n.Interactive) > 0), own["data-interactive"])
		require.Equal(t, strconv.FormatBool(n.Visible), own["data-visible"])
	}
	require.Equal(t, slices.Contains(n.Interactive, "listener"), own["data-has-click-listener"] == "true")
	want := map[string]string{}
	for name, v := range n.Attrs {
		want[asParsed(name)] = asParsed(v)
	}
	for _, name := range [...]string{"value", "checked", "selected"} { // what holds now
		if n.Tag == "input" || n.Tag == "option" {
			delete(want, name)
			delete(page, name)
		}
	}
	delete(want, "srcdoc")
	delete(page, "srcdoc")
	for name, v := range n.Attrs {
		if !o.Compat && len(v) > 100 && strings.HasPrefix(v, "data:") {
			require.True(t, strings.HasSuffix(page[name], ",…"), page[name])
			delete(want, name)
			delete(page, name)
		}
	}
	require.Equal(t, want, page, "attributes of %s", n.Tag)
}

// checkSkeleton parses a skeleton and compares its elements with the capture's.
func checkSkeleton(t testing.TB, c *snapshot.Capture, o format.Options) {
	t.Helper()
	d, err := format.Render(c, format.Skeleton, o)
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	var want []string
	for _, l := range d.Lines {
		if l.Node < 0 || d.LineOf(l.Node) != slices.IndexFunc(d.Lines, func(x dump.Line) bool { return x == l }) {
			continue
		}
		if n := c.Node(l.Node); n.Ref > 0 {
			want = append(want, asParsed(n.Tag)+" "+dump.FrameID(n))
		}
	}
	var got []string
	for _, k := range parseHTML(t, d.Text).under("body").kids {
		e, ok := k.(*htmlElement)
		if !ok {
			require.Empty(t, strings.TrimSpace(k.(string)), "text outside elements")
			continue
		}
		tag := strings.TrimPrefix(e.tag, "html-")
		if e.tag == "html-unknown" {
			tag = e.attrs["data-tag"]
		}
		got = append(got, tag+" "+e.attrs["id"])
		for _, k := range e.kids {
			if in, ok := k.(*htmlElement); ok {
				require.Equal(t, "select", e.tag, "only options are inside")
				require.Contains(t, []string{"option", "optgroup"}, in.tag)
				require.NotContains(t, in.attrs, "id")
			}
		}
	}
	require.Equal(t, want, got)
}

// checkHTML holds for every capture.
func checkHTML(t testing.TB, c *snapshot.Capture) {
	t.Helper()
	for _, o := range []format.Options{{}, {Markup: markup.Options{NoTemplates: true}},
		{Common: dump.Common{Compat: true}}, {Common: dump.Common{MarkCovered: true}}} {
		checkFull(t, c, o)
		checkSkeleton(t, c, o)
	}
	for _, max := range []int{300, 700, 3_000} {
		for _, f := range []dump.Format{format.Skeleton, format.Hybrid, format.Full} {
			for _, compat := range []bool{false, true} {
				d, err := format.Render(c, f, format.Options{Common: dump.Common{MaxChars: max, Compat: compat}})
				require.NoError(t, err)
				readback.CheckDocument(t, c, d)
				if compat {
					require.LessOrEqual(t, text.Units16(d.Text), max)
				} else {
					require.LessOrEqual(t, utf8.RuneCountInString(d.Text), max)
				}
				parseHTML(t, d.Text)
				require.Equal(t, d.Truncated, strings.Contains(d.Text, "<!-- truncated: "))
			}
		}
	}
}

// TestHTMLOfRealPages checks the HTML formats on captures of saved pages.
func TestHTMLOfRealPages(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) { checkHTML(t, c) })
}

// TestHTMLOfGoldenPages checks the HTML formats on the pages of all goldens.
func TestHTMLOfGoldenPages(t *testing.T) {
	pagetest.EachGolden(t, func(t *testing.T, c *snapshot.Capture) { checkHTML(t, c) })
}

// reserved are the attributes that only full gives.
func reserved(name string) bool {
	switch name {
	case "data-id", "data-interactive", "data-visible", "data-frame-id", "data-llm-in-shadow", "data-has-click-listener",
		"data-covered-by", "data-unread", "data-tag":
		return true
	}
	return strings.HasPrefix(name, "page-")
}
