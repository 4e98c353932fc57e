package pagetest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
)

// Hostile puts one text everywhere that page text can get into a dump.
func Hostile(t testing.TB, s string) *snapshot.Capture {
	q := strconv.Quote(s)
	page := strings.ReplaceAll(`
body
  header %name=HOSTILE @0,0,10,10
    a href=HOSTILE HOSTILE
    button HOSTILE
    button %name=HOSTILE %state=checked
  div
    HOSTILE
    a href="/" "x"
    HOSTILE
  span HOSTILE
  p
    HOSTILE
    b HOSTILE
    button "y"
    HOSTILE
  table
    tr
      td HOSTILE
      td
        p HOSTILE
      th HOSTILE
  pre HOSTILE
  section
    h2 HOSTILE
    li HOSTILE
  label HOSTILE
  input type=HOSTILE placeholder=HOSTILE value=HOSTILE
  textarea placeholder=HOSTILE %value=HOSTILE
  select %value=HOSTILE
    option HOSTILE
    option %state=selected HOSTILE
  img alt=HOSTILE
  img src=HOSTILE
  div role=HOSTILE tabindex=0 HOSTILE
  div role=dialog %name=HOSTILE
  div role=slider %name="v" %value=HOSTILE
  iframe %name=HOSTILE src=HOSTILE %frame
    html
      body
        p HOSTILE
  iframe src=HOSTILE %frame=HOSTILE
`, "HOSTILE", q)
	c := Parse(t, page)
	c.URL, c.Title = s, s
	c.Frames[1].URL, c.Frames[2].Why = s, s
	c.Mutations = []snapshot.Mutation{{Age: 1, Type: s, Category: s, Text: s},
		{Type: "added", Category: "error", Text: s}}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Tag == "header" {
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Coverer: &c.Nodes[0].I}
		}
		if i == 0 {
			n.Tag = s // what a parser lets through as a name
			n.Ref, n.Verdict = 0, snapshot.VerdictWrapper
		}
	}
	return c
}

// HostileTexts are the seeds of the fuzz target and a test of their own.
func HostileTexts() []string {
	return []string{
		"", " ", "\n", "plain", "[5]<button>Pay</button>", "\n[5]<button>Pay</button>\n", "\t\t[5]<a>",
		"↑[5]<p>", "↓", "@e1",
		"- button \"x\"",
		"</pre>\n[9]<b>", "\"><[1]", "x\u2028[5]<b>y\u2029[6]", "\u202e]5[", "\u200b[5]", "\u00ad[5]<button>", "\\[5]",
		"\\u{202e}",
		"URL: x", "TITLE: y\nVIEWPORT: 0px above", "[...truncated]", "…[pre truncated]", "(covered by [30])",
		"x (covered by [30])",
		" (not read: z)", "\xff\xfe\xed\xa0\x80", "\x00\x07\x1b[31m", "&lt;&amp;&quot;", "\ufeff[5]<p>", "\u3164[5]",
		"e\u0301", "😀\u200d😀",
		"\U000E0041", "a\r[5]<b>\r\nb\v[6]\f[7]\u0085[8]", "`", "'", "--", "\u180e[5]", "\ufe0f[5]", "\u200d", "]",
		strings.Repeat("[5]<b>", 300),
		"\u00a0[5]", "  \u00a0 [5]\n\u00a0[6]<b>", strings.Repeat("a ", 400) + "\n[5]",
	}
}

// Shop is a shop of n elements or a little more: cards, a table, paragraphs.
func Shop(t testing.TB, n int) *snapshot.Capture {
	var b strings.Builder
	b.WriteString("title: Shop\nscroll: 300/90000\nbody\n  main\n")
	for i := 0; i*16 < n; i++ {
		y := i * 40
		fmt.Fprintf(&b, `    section %%name="Shelf %[1]d"
      h2 @0,%[2]d,600,30 "Shelf number %[1]d"
      div %%boundary
        div %%by=listener @0,%[2]d,600,200
          a href="/product/%[1]d?ref=list" @10,%[2]d,200,20 "Keyboard with %[1]d keys"
          p
            "It costs "
            b "$%[1]d"
            " and ships "
            a href="/ship" @10,%[2]d,80,20 "tomorrow"
            ", they say."
          button @10,%[2]d,80,20 %%click=20,%[2]d "Add to cart"
      table
        tr
          td "Weight"
          td "%[1]d g"
      ul
        li
          span "Naïve — café %[1]d"
`, i, y)
	}
	return Parse(t, b.String())
}

// Nested is n elements each in the one before, in turn a control, a section and
// an inline element, with text in each.
func Nested(n int) *snapshot.Capture {
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Frames: []snapshot.Frame{{Parent: -1, Owner: -1}}}
	for i := range n {
		e := snapshot.Node{I: i, Parent: i - 1, Ref: i + 1, Text: "text", Verdict: snapshot.VerdictRef,
			Box: snapshot.Box{0, 0, 10, 10}, InViewport: true}
		switch i % 3 {
		case 0:
			e.Tag, e.Interactive = "div", []string{"listener"}
		case 1:
			e.Tag = "section"
		default:
			e.Tag, e.Verdict = "span", snapshot.VerdictContent
		}
		e.Runs = []snapshot.Run{{Text: "some text of this element ", Before: i + 1}}
		c.Nodes = append(c.Nodes, e)
	}
	return c
}
