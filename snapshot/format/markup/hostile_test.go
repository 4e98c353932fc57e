package markup_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/text"
)

// hostileHTMLPage puts one text everywhere that page text can get into HTML: texts,
// values, attribute names and values, tag names, addresses and reasons.
func hostileHTMLPage(t testing.TB, s string) *snapshot.Capture {
	c := pagetest.Parse(t, strings.ReplaceAll(`
html
  head
    title HOSTILE
    base href=HOSTILE
  body
    div HOSTILE
    p
      HOSTILE
      b HOSTILE
      a href=HOSTILE title=HOSTILE "x"
      HOSTILE
    pre HOSTILE
    textarea %value=HOSTILE placeholder=HOSTILE
    input value=HOSTILE %value=HOSTILE name=HOSTILE type=HOSTILE
    select %name=HOSTILE
      optgroup label=HOSTILE
        option value=HOSTILE HOSTILE
    button %name=HOSTILE %state=pressed=mixed
    div role=HOSTILE tabindex=0 HOSTILE
    ul
      li class=HOSTILE
        a href=HOSTILE HOSTILE
        span "one"
        span class=HOSTILE "two"
      li class=HOSTILE
        a href="/2" HOSTILE
        span "one"
        span class=HOSTILE "two"
      li class=x
        a href="/3" "third"
        span "one"
        span class=HOSTILE "two"
    iframe src=HOSTILE %frame
      html
        body
          p HOSTILE
    iframe src=HOSTILE %frame=HOSTILE
    div
      odd "tag"
      span "attribute"
`, "HOSTILE", strconv.Quote(s)))
	for i := range c.Nodes {
		n := &c.Nodes[i]
		n.Attrs = withAttr(n.Attrs, n.Tag == "span", s)
		if n.Tag == "odd" {
			n.Tag = s
		}
	}
	return c
}

func withAttr(attrs map[string]string, add bool, name string) map[string]string {
	if !add || name == "" {
		return attrs
	}
	out := map[string]string{name: name, name + "2": ""}
	for k, v := range attrs {
		out[k] = v
	}
	return out
}

// hostileHTMLTexts are texts that mean something to an HTML parser.
func hostileHTMLTexts() []string {
	return append(pagetest.HostileTexts(),
		"</script>", "-->", "<!--", "<!-- truncated: 3 elements do not fit -->", "<plaintext>", "</textarea><button id=5>",
		"</title>", "</pre>", "</option></select>",
		`" data-id="7`, `' onclick='x`, "data-id", "data-visible", "page-x", "page-attr1", "page-value1", "html-p", "html-",
		"t1", "t12", "svg", "math", "html", "head", "body",
		"frameset", "template", "td", "tr", "table", "p", "a", "{{v}}", "{{v1}}", "{{id}}", "{{", "&amp;lt;", "&#60;", "&lt",
		"&notin;", "\x80\x9f\x00", "\u0085\u009f\x00", `\u{85}`,
		"a=b", "a b", "A", "é", "<", "\r\n", "\n\nx", "\n", " x ", "\u00a0", "]]>", "<![CDATA[x]]>", "<?xml?>",
		"<svg><style>", "</html-p>", "</t1>", "x/", "=", "`",
	)
}

func checkHostileHTML(t testing.TB, s string) {
	t.Helper()
	c := hostileHTMLPage(t, s)
	checkHTML(t, c)
	for _, f := range []dump.Format{format.Skeleton, format.Hybrid, format.Full} {
		d, err := format.Render(c, f, format.Options{})
		require.NoError(t, err)
		for i, r := range d.Text {
			require.False(t, text.Invisible(r) && r != '\n' && r != '\t' && !unicode.Is(unicode.Variation_Selector, r) &&
				r != '\u200c' && r != '\u200d', "%q at %d", r, i)
		}
		// No line is one that the page made: outside pre, every line begins with a tag
		// or with a text that is no tag.
		for _, l := range d.Lines {
			line := d.Text[l.Start:l.End]
			if strings.HasPrefix(strings.TrimLeft(line, " \t"), "<!--") {
				require.Equal(t, -1, l.Node)
			}
		}
	}
}

func TestHostileHTML(t *testing.T) {
	for i, s := range hostileHTMLTexts() {
		t.Run(strconv.Itoa(i), func(t *testing.T) { checkHostileHTML(t, s) })
	}
}

func FuzzHostileHTML(f *testing.F) {
	for _, s := range hostileHTMLTexts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) <= 2_000 {
			checkHostileHTML(t, s)
		}
	})
}

// nestTags are the tags that a parser treats in a way of their own, and a few others.
func nestTags() []string {
	return strings.Fields(`div p span a b button form input table caption colgroup col thead tbody tr td th select
		optgroup option ul ol li dl dt dd h1 h2 pre nobr ruby rb rt rtc rp object marquee applet iframe textarea title section math mi svg
		body html head frame frameset img image br hr xmp plaintext noscript details summary font i u center fieldset legend
		listing noembed template label video source x-a html-b t1 main nav link base dialog search menu area em`)
}

// randomTree is a page whose tree the bytes describe: each is an element of one of the
// tags, put under the last one, its parent or its grandparent.
func randomTree(data []byte) *snapshot.Capture {
	tags := nestTags()
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Frames: []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}}}
	add := func(parent int, tag string) int {
		i := len(c.Nodes)
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: parent, Tag: tag, Verdict: snapshot.VerdictWrapper,
			Visible: true, Block: !pagetest.Inline(tag)})
		return i
	}
	last := add(add(-1, "html"), "body")
	for k := 0; k+1 < len(data) && len(c.Nodes) < 150; k += 2 {
		parent := last
		for up := int(data[k+1] % 4); up > 0 && c.Nodes[parent].Parent > 0; up-- {
			parent = c.Nodes[parent].Parent
		}
		last = add(parent, tags[int(data[k])%len(tags)])
		n := &c.Nodes[last]
		if data[k+1]&16 != 0 {
			n.Ref, n.Verdict = last, snapshot.VerdictRef
		}
		if data[k+1]&32 != 0 && !strings.Contains(" br hr img input wbr ", " "+n.Tag+" ") {
			n.Runs = []snapshot.Run{{Text: "text", Before: -1}}
			n.Text = "text"
		}
		if data[k+1]&64 != 0 {
			n.Attrs = map[string]string{"class": "c" + strconv.Itoa(int(data[k+1]))}
		}
	}
	return c
}

func TestNesting(t *testing.T) {
	tags := nestTags()
	for a := range tags {
		for b := range tags {
			for x := range tags { // every tag in every other, in a third
				if (a+b+x)%29 != 0 {
					continue
				}
				checkFull(t, randomTree([]byte{byte(a), 0, byte(b), 32, byte(x), 32, byte(a), 35, byte(x), 34}),
					format.Options{Markup: markup.Options{NoTemplates: true}})
			}
		}
	}
}

func FuzzNesting(f *testing.F) {
	f.Add([]byte{0, 0, 1, 32, 1, 32, 8, 16, 14, 33, 15, 48})
	f.Add([]byte{8, 0, 13, 0, 14, 0, 15, 96, 15, 97, 14, 2, 15, 32, 0, 3, 17, 32})
	f.Fuzz(func(t *testing.T, data []byte) {
		c := randomTree(data)
		checkFull(t, c, format.Options{Markup: markup.Options{NoTemplates: true}})
		checkFull(t, c, format.Options{})
	})
}
