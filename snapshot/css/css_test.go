package css

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/refscope/refscope/snapshot"
)

// capture turns HTML into a capture by way of the HTML parser: every element with
// its attributes. <template shadowrootmode> is the shadow root of its parent, as in
// a browser: its content comes first, and the host's other children go to its slot.
func capture(t testing.TB, source string) *snapshot.Capture {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(source))
	require.NoError(t, err)
	c := &snapshot.Capture{Frames: []snapshot.Frame{{Parent: -1, Owner: -1}}}
	var walk func(n *html.Node, parent int, shadow string)
	add := func(n *html.Node, parent int, shadow string) int {
		e := snapshot.Node{I: len(c.Nodes), Parent: parent, Tag: n.Data, Shadow: shadow, Verdict: snapshot.VerdictWrapper,
			Attrs: map[string]string{}}
		for _, a := range n.Attr {
			e.Attrs[a.Key] = a.Val
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if k.Type == html.TextNode {
				e.Text += k.Data
			}
		}
		c.Nodes = append(c.Nodes, e)
		return e.I
	}
	walk = func(n *html.Node, parent int, shadow string) {
		var root *html.Node
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if k.Data == "template" {
				root = k
			}
		}
		if root != nil {
			for k := root.FirstChild; k != nil; k = k.NextSibling {
				if k.Type == html.ElementNode {
					i := add(k, parent, "open")
					if k.Data == "slot" {
						for l := n.FirstChild; l != nil; l = l.NextSibling {
							if l.Type == html.ElementNode && l != root {
								walk(l, add(l, i, shadow), shadow)
							}
						}
					} else {
						walk(k, i, "open")
					}
				}
			}
			return
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if k.Type == html.ElementNode {
				walk(k, add(k, parent, shadow), shadow)
			}
		}
	}
	walk(doc, -1, "")
	return c
}

const source = `<!doctype html><html lang="EN-gb"><body class="a b">
<div id=one class="card Big"><p>1</p><p class=x>2</p><span></span><p>3</p></div>
<div id=two data-k="v w"><a href="/x?id=7" rel=NoFollow>l</a><ul><li>a</li><li>b<ul><li id=deep>c</li></ul></li><li>d</li><li>e</li></ul></div>
<x-card id=host><template><h2 id=in>t</h2><slot></slot></template><p id=s1>s</p><p id=s2>s</p></x-card>
<input type=TEXT id="1a" name="q"><b></b>`

func TestSelectors(t *testing.T) {
	c := capture(t, source)
	tree := NewTree(c)
	for selector, want := range map[string]string{
		"div":                                 "div div",
		"DIV#one":                             "div#one",
		"*#two":                               "div#two",
		".card.Big":                           "div#one",
		".big":                                "",
		"p.x":                                 "p:2",
		"#one p":                              "p:1 p:2 p:3",
		"#one > p + p":                        "p:2",
		"#one p ~ p":                          "p:2 p:3",
		"span + p":                            "p:3",
		"body > div > p:last-child":           "p:3",
		"#one :nth-child(2n+1)":               "p:1 span",
		"li:nth-child(odd)":                   "li:a li#deep li:d",
		"li:nth-child(-n+2)":                  "li:a li:b li#deep",
		"li:nth-last-child( 1 )":              "li#deep li:e",
		"#one > :nth-of-type(2)":              "p:2",
		"p:only-of-type":                      "",
		"span:only-of-type":                   "span",
		"li:only-child":                       "li#deep",
		"span:empty":                          "span",
		"p:first-of-type":                     "p:1 p#s1",
		"ul ul li":                            "li#deep",
		":root":                               "html",
		"[href]":                              "a",
		"[href^='/x'][href$=\"7\"]":           "a",
		"[href*=id]":                          "a",
		"[rel=nofollow]":                      "a",
		"[href='/X?ID=7' i]":                  "a",
		"[data-k~=w]":                         "div#two",
		"[data-k=v]":                          "",
		"[data-k^='']":                        "",
		"[lang|=en]":                          "html",
		"[type=text]":                         "input#1a",
		`#\31 a`:                              "input#1a",
		`#\000031a`:                           "input#1a",
		"p:not(.x, :last-child)":              "p:1 p#s1",
		":is(div, ul) > :where(p.x, li#deep)": "p:2 li#deep",
		"a, b /* c */ , i":                    "a b",
		"x-card > p":                          "p#s1 p#s2",
		"body x-card p:nth-child(2)":          "p#s2",
		"x-card h2":                           "",
		"h2":                                  "h2#in",
		"h2:first-child":                      "h2#in",
		"slot p":                              "",
		"p + p#s2":                            "p#s2",
		"div:has(p)":                          "div#one",
		"li:has(> ul > li)":                   "li:b",
		"p:has(+ span)":                       "p:2",
		"div:has(~ input)":                    "div#one div#two",
		"ul:has(#one li)":                     "",
		"div:not(:has(.x, i))":                "div#two",
		"x-card:has(h2)":                      "",
		"x-card:has(> #s1)":                   "x-card#host",
	} {
		t.Run(selector, func(t *testing.T) {
			s, err := Parse(selector)
			require.NoError(t, err)
			var got []string
			for _, n := range s.All(tree) {
				switch {
				case n.Attr("id") != "" && selector != "div":
					got = append(got, n.Tag+"#"+n.Attr("id"))
				case n.Tag == "p" || n.Tag == "li":
					got = append(got, n.Tag+":"+n.Text)
				default:
					got = append(got, n.Tag)
				}
			}
			require.Equal(t, want, strings.Join(got, " "))
		})
	}
}

// TestPiercing: what stands in a shadow root lies in its host, for selectors that look through these.
func TestPiercing(t *testing.T) {
	c := capture(t, source)
	for selector, want := range map[string]string{
		"x-card h2": "in", "x-card > h2": "in", "body > x-card:has(h2)": "host", "x-card > p": "s1 s2", "slot p": "", "h2 ~ p": "",
	} {
		s, err := Parse(selector)
		require.NoError(t, err)
		var got []string
		for _, n := range s.All(NewTree(c).Piercing()) {
			got = append(got, n.Attr("id"))
		}
		require.Equal(t, want, strings.Join(got, " "), selector)
	}
}

func TestWhatIsRefused(t *testing.T) {
	for selector, want := range map[string]string{
		"":                   `selector "" at byte 0: a selector is missing`,
		"a,":                 `selector "a," at byte 2: a selector is missing`,
		"a >":                `selector "a >" at byte 3: a selector is missing`,
		"a:has(b:has(c))":    `selector "a:has(b:has(c))" at byte 12: :has() cannot be in another :has()`,
		"a:hover":            `selector "a:hover" at byte 7: a capture cannot answer :hover`,
		"p::before":          `selector "p::before" at byte 2: a pseudo-element is no element of the page`,
		"svg|a":              `selector "svg|a" at byte 3: namespaces are not known here`,
		"#1a":                `selector "#1a" at byte 1: an id must follow`,
		".":                  `selector "." at byte 1: a class must follow`,
		"[a":                 `selector "[a" at byte 2: an attribute needs = or ]`,
		"[a=b":               `selector "[a=b" at byte 4: a [ is not closed`,
		`[a="b]`:             `selector "[a=\"b]" at byte 6: a " is not closed`,
		":not(a":             `selector ":not(a" at byte 6: a ( is not closed`,
		"a)":                 `selector "a)" at byte 1: unexpected ")"`,
		"li:nth-child(2x)":   `selector "li:nth-child(2x)" at byte 13: "2x" is not of the form An+B`,
		"li:nth-child(n+-1)": `selector "li:nth-child(n+-1)" at byte 13: "n+-1" is not of the form An+B`,
		"/* a":               `selector "/* a" at byte 0: a comment is not closed`,
		strings.Repeat(":is(", 9) + "a" + strings.Repeat(")", 9): "",
		strings.Repeat("a", 5000):                                "selector of 5000 bytes: at most 4000 are read",
	} {
		_, err := Parse(selector)
		require.Error(t, err, selector)
		if want != "" {
			require.EqualError(t, err, want)
		}
	}
}

// TestDeepPagesCostLittle: a selector of many descendants on a deep page that it
// does not match must end.
func TestDeepPagesCostLittle(t *testing.T) {
	c := &snapshot.Capture{}
	for i := range 3_000 {
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: i - 1, Tag: "div"})
	}
	s, err := Parse("b " + strings.Repeat("div ", 40) + "div:last-child")
	require.NoError(t, err)
	steps := maxSteps
	require.False(t, s.list[0].matches(NewTree(c), &c.Nodes[2999], len(s.list[0].compounds)-1, &steps))
	require.Less(t, steps, 0, "it gave up")
}

// FuzzParse: no input panics or hangs, and what is read is read again the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a b > c + d ~ e", "[a|='b' i]", `\31 :not(:is(a,b))`, ":nth-child(-2n + 1)", "/**/a",
		"--x", "\xff", "#\\", ":empty"} {
		f.Add(s)
	}
	c := capture(f, source)
	tree := NewTree(c)
	f.Fuzz(func(t *testing.T, in string) {
		s, err := Parse(in)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		n := len(s.All(tree))
		not, err := Parse(":not(" + in + ")")
		if err == nil && !strings.Contains(in, "/*") {
			require.Equal(t, len(c.Nodes), n+len(not.All(tree)), strconv.Quote(in))
		}
	})
}
