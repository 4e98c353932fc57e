package aria_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/text"
)

const ariaForm = `
body
  form %role=form
    input type=text %name=User value=ann
    input type=checkbox %name=News %state=checked=false
    select %name=Size value=m
      option %role=option %state=selected "Medium"
`

// TestAriaSince: what the original's hash missed changes ours, and nothing else does.
func TestAriaSince(t *testing.T) {
	hash := aria.Hash(pagetest.Parse(t, ariaForm))
	again := pagetest.Parse(t, ariaForm)
	again.Timings.Walk, again.TakenAt = 99, again.TakenAt.AddDate(1, 0, 0)
	require.Equal(t, &aria.Unchanged{Unchanged: true, SnapshotID: "s3",
		Message: "The page has not changed since snapshot s3."},
		aria.Since(again, "s3", hash))
	require.Nil(t, aria.Since(again, "s3", ""), "a snapshot that nobody knows")
	for name, change := range map[string]func(c *snapshot.Capture){
		"typed":    func(c *snapshot.Capture) { c.Nodes[2].Value = "bob" },
		"ticked":   func(c *snapshot.Capture) { c.Nodes[3].States["checked"] = true },
		"chosen":   func(c *snapshot.Capture) { c.Nodes[4].Value = "l" },
		"scrolled": func(c *snapshot.Capture) { c.Scroll.Y = 40 },
		"new ref":  func(c *snapshot.Capture) { c.Nodes[3].Ref = 99 },
	} {
		t.Run(name, func(t *testing.T) {
			c := pagetest.Parse(t, ariaForm)
			change(c)
			require.Nil(t, aria.Since(c, "s3", hash))
		})
	}
}

// The list of what can be operated ends at the depth that was asked for, and says what it left out.
func TestTheListOfControlsHeedsTheDepth(t *testing.T) {
	c := pagetest.Parse(t, `
body
  button "Top"
  nav %role=navigation
    button "Second"
    ul %role=list
      li %role=listitem
        button "Fourth"
`)
	all := []string{"Top", "Second", "Fourth"}
	for depth, want := range map[int][]string{1: all[:1], 2: all[:2], 3: all[:2], 4: all, -1: all} {
		d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Detail: aria.Interactive, MaxDepth: depth}})
		require.NoError(t, err)
		for _, name := range all {
			require.Equal(t, slices.Contains(want, name), strings.Contains(d.Text, name), "%s at %d:\n%s", name, depth, d.Text)
		}
		cut := slices.ContainsFunc(d.Omitted, func(o dump.Omission) bool { return o.Reason == dump.ReasonCut })
		require.Equal(t, len(want) < 3, cut, "depth %d: %v", depth, d.Omitted)
	}
}

func TestDeliverAria(t *testing.T) {
	c := pagetest.Parse(t, "body\n  button \"One\"\n  p %role=paragraph \"two\"\n  h1 \"[ref=s1e9]\"")
	render := func(o format.Options) *dump.Document {
		d, err := format.Render(c, format.Aria, o)
		require.NoError(t, err)
		return d
	}
	d := render(format.Options{})
	require.Equal(t, aria.Delivery{Bytes: len(d.Text), Refs: []int{1, 2}}, aria.Deliver(d, 0),
		"a paragraph has a number and prints none")
	require.Empty(t, aria.Deliver(render(format.Options{Aria: aria.Options{Mode: aria.ModePlain}}), 0).Refs)
	require.Equal(t, []int{2}, render(format.Options{Aria: aria.Options{Detail: aria.Summary}}).Refs)
	small := aria.Deliver(d, 10)
	require.True(t, small.TextToFile)
	require.Equal(t, fmt.Sprintf("The snapshot is %d bytes, more than the 10 that are sent inline: it is in the file.",
		len(d.Text)), small.Message)
	require.False(t, aria.Deliver(d, -1).TextToFile)
	edge := &dump.Document{Text: strings.Repeat("x", aria.InlineBytes), Refs: make([]int, aria.InlineRefs)}
	require.Equal(t, aria.Delivery{Bytes: aria.InlineBytes, Refs: edge.Refs}, aria.Deliver(edge, 0),
		"the limits themselves are inline")
	over := aria.Deliver(&dump.Document{Text: edge.Text + "x", Refs: make([]int, aria.InlineRefs+1)}, 0)
	require.True(t, over.TextToFile && over.RefsToFile)
}

func TestAriaRoot(t *testing.T) {
	c := pagetest.Parse(t, `
html
  body
    div aria-hidden=true
      nav %role=navigation "Hidden"
    nav %role=navigation %verdict=display-none
    nav %role=navigation %name=Seen
      a href="/" "Home"
`)
	root, err := aria.Root(c, "")
	require.NoError(t, err)
	require.Nil(t, root)
	root, err = aria.Root(c, "body")
	require.NoError(t, err)
	require.Equal(t, 1, *root)
	root, err = aria.Root(c, "role=navigation")
	require.NoError(t, err)
	require.Equal(t, "Seen", c.Node(*root).Name, "one that can be seen")
	_, err = aria.Root(c, "role=main")
	require.EqualError(t, err, `aria root "role=main": no rendered element has that role`)
	_, err = aria.Root(c, "#x")
	require.EqualError(t, err, `aria root "#x" is a selector: resolve it to a node first`)
	_, err = aria.Root(&snapshot.Capture{}, "body")
	require.EqualError(t, err, `aria root "body": the page has none`)
}

// TestAriaStickyOnce: a fixed part that the agent has had is a note, until it changes
// (issue 9.6 of the original).
func TestAriaStickyOnce(t *testing.T) {
	page := func(count, top string) *snapshot.Capture {
		c := pagetest.Parse(t, `
body
  header %role=banner %name=Top %from=aria-label @0,0,1280,50 %layer=fixed
    a href="/cart" @0,0,80,20 "Cart `+count+`"
  div @0,690,1280,30 %layer=sticky
    p %role=paragraph @0,690,1280,30 "Cookies"
  div role=dialog @0,100,400,300 %layer=fixed "Stay?"
  main %role=main @0,50,1280,600
    p %role=paragraph @0,`+top+`,80,20 "Words"
`)
		for i := range c.Nodes {
			c.Nodes[i].UID = i + 1
		}
		return c
	}
	first := page("(1)", "60")
	render := func(c *snapshot.Capture, before *snapshot.Capture) *dump.Document {
		root, err := aria.Root(c, "body")
		require.NoError(t, err)
		d, err := format.Render(c, format.Aria, format.Options{Common: dump.Common{ViewportOnly: true},
			Aria: aria.Options{Root: root, Before: before}})
		require.NoError(t, err)
		readback.CheckDocument(t, c, d)
		return d
	}
	full := "- banner \"Top\":\n  - link \"Cart (1)\" [ref=s1e2]\n- paragraph: \"Cookies\"\n- dialog: \"Stay?\"\n- " +
		"main:\n  - paragraph: \"Words\""
	require.Equal(t, full, render(first, nil).Text)
	d := render(page("(1)", "90"), first)
	require.Equal(t, `# banner "Top" is the same as in the snapshot before, at the same place
# div is the same as in the snapshot before, at the same place
- dialog: "Stay?"
- main:
  - paragraph: "Words"`, d.Text)
	require.True(t, slices.ContainsFunc(d.Omitted, func(o dump.Omission) bool { return o.Reason == dump.ReasonDuplicate }))
	require.Equal(t, `- banner "Top":
  - link "Cart (2)" [ref=s1e2]`,
		strings.Join(strings.SplitN(render(page("(2)", "90"), first).Text, "\n", 3)[:2], "\n"), "it reads otherwise now")
}

// TestAriaLongNames: a name that does not fit is cut and then said in full below.
func TestAriaLongNames(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 200))
	c := pagetest.Parse(t, "body\n  a href=\"/\" %name=\""+long+"\" %from=content \""+long+"\"\n  button %name=\""+long+
		"\" %from=aria-label\n"+
		"  input type=text %name=\""+strings.Repeat(`\u202e'`, 300)+"\" %from=aria-label name=\""+
		strings.Repeat(`\u202e`, 99)+"\" placeholder=\""+strings.Repeat("'", 200)+"\"")
	d, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	checkAria(t, c, d)
	its := readAria(t, d.Text)
	require.Len(t, its, 3)
	require.Equal(t, 300, utf8.RuneCountInString(its[0].name))
	require.Equal(t, long, its[0].text)
	require.Equal(t, its[0].name, its[1].name)
	require.Empty(t, its[1].text)
	require.Contains(t, d.Omitted, dump.Omission{Node: 2, Reason: dump.ReasonCut,
		Detail: "name cut from 999 to 300 characters"})
	for _, l := range d.Lines {
		key, _, _ := strings.Cut(d.Text[l.Start:l.End], `: "`)
		require.Less(t, utf8.RuneCountInString(key), 1_024)
	}
	cut, err := format.Render(c, format.Aria, format.Options{Common: dump.Common{Compat: true}})
	require.NoError(t, err)
	require.Contains(t, cut.Text, long[:150]+"…")
	require.Contains(t, cut.Omitted, dump.Omission{Node: 1, Reason: dump.ReasonCut,
		Detail: "name cut from 999 to 151 characters"})
}

// TestAriaManyOptions: a select lists 50 options and those that are chosen.
func TestAriaManyOptions(t *testing.T) {
	src := "body\n  select %name=Country\n"
	for i := range 120 {
		src += fmt.Sprintf("    option %%role=option %s\"C%d\"\n", map[bool]string{true: "%state=selected "}[i == 99], i)
	}
	d, err := format.Render(pagetest.Parse(t, src), format.Aria, format.Options{})
	require.NoError(t, err)
	require.Len(t, d.Lines, 52)
	require.True(t, strings.HasPrefix(d.Text, `- combobox "Country" [ref=s1e1]: # 69 options more`), d.Text)
	require.True(t, strings.HasSuffix(d.Text, "  - option \"C49\"\n  - option \"C99\" [selected]"))
	require.Equal(t, []dump.Omission{{Node: 1, Reason: dump.ReasonCut, Detail: "69 options more of 120 options"}},
		d.Omitted)
}

// TestAriaOfKeptNodes: a capture without its wrappers gives the same refs.
func TestAriaOfKeptNodes(t *testing.T) {
	c := pagetest.Shop(t, 400)
	a, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	b, err := format.Render(c.Kept(), format.Aria, format.Options{})
	require.NoError(t, err)
	readback.CheckDocument(t, c.Kept(), b)
	require.Equal(t, a.Refs, b.Refs)
	require.NotEmpty(t, a.Refs)
}

// ariaHostile is a page with the text everywhere that a page can put text.
func ariaHostile(t testing.TB, s string) *snapshot.Capture {
	c := pagetest.Parse(t, `
body
  nav %role=navigation %name=x %from=aria-label
    a href="/" %name=x %from=content "x"
  header %role=banner
    button %name=x %from=aria-label "x"
  main %role=main
    h1 "x"
    p %role=paragraph
      "x"
      b "x"
      a href="x" "x"
      "x"
    input type=text name=x placeholder=x %name=y value=x
    select name=x %name=x
      option %role=option "x"
    textarea %value=x
    pre "x"
    div %by=listener "x"
    div role=textbox %value=x
    iframe title=x src=x %frame=x
    iframe src=x %frame
      html
        body
          p %role=paragraph "x"
    li %role=listitem "x"
    section %role=region %name=x
      button "x"
  footer %role=contentinfo %name=x
`)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		for _, p := range []*string{&n.Name, &n.Value, &n.Text} {
			if *p == "x" {
				*p = s
			}
		}
		for k, v := range n.Attrs {
			if v == "x" {
				n.Attrs[k] = s
			}
		}
		for k := range n.Runs {
			n.Runs[k].Text = s
		}
	}
	for i := range c.Frames {
		if f := &c.Frames[i]; i > 0 {
			f.URL, f.Why = s, map[bool]string{true: s}[!f.Readable]
		}
	}
	return c
}

// checkAriaHostile: whatever the text, the text is YAML with the refs that the page
// has and no others, one line for each line of the document, and nothing unseen in it.
func checkAriaHostile(t *testing.T, s string) {
	c := ariaHostile(t, s)
	var refs []int
	for i := range c.Nodes {
		if aria.Addressed(&c.Nodes[i]) {
			refs = append(refs, c.Nodes[i].Ref)
		}
	}
	root, err := aria.Root(c, "body")
	require.NoError(t, err)
	d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Root: root}})
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	checkAria(t, c, d)
	require.ElementsMatch(t, refs, d.Refs)
	for _, o := range ariaProfiles() {
		d, err := format.Render(c, format.Aria, o)
		require.NoError(t, err)
		readback.CheckDocument(t, c, d)
		for i, r := range d.Text {
			require.False(t, text.Invisible(r) && r != '\n' && !unicode.Is(unicode.Variation_Selector, r) && r != '\u200c' &&
				r != '\u200d',
				"%q at %d of %q", r, i, d.Text)
		}
		require.True(t, utf8.ValidString(d.Text))
		for _, l := range d.Lines {
			line := strings.TrimLeft(d.Text[l.Start:l.End], " ")
			begins := slices.ContainsFunc([]string{"- ", "# ", "role: ", "name: ", "interactiveCount: ", "children: [",
				"landmarks:", "headings:"},
				func(p string) bool { return strings.HasPrefix(line, p) })
			require.True(t, line == "" || begins, "%q", line)
		}
		if !o.Compat {
			var doc any
			require.NoError(t, yaml.Unmarshal([]byte(d.Text), &doc), "%s", d.Text)
		}
	}
	play, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true, Mode: aria.ModeAI}})
	require.NoError(t, err)
	var found []int
	var walk func(its []ariaLine)
	walk = func(its []ariaLine) {
		for _, it := range its {
			if ref, ok := it.states["ref"]; ok {
				var n int
				_, err := fmt.Sscanf(ref, "e%d", &n)
				require.NoError(t, err)
				require.NotNil(t, c.ByRef(n))
				found = append(found, n)
			}
			walk(it.kids)
		}
	}
	walk(readAria(t, play.Text))
	require.Equal(t, play.Refs, found)
}

func TestAriaHostileText(t *testing.T) {
	for i, s := range append(pagetest.HostileTexts(), "a: b", "a # b", "# x", "'", `x"] [ref=s1e1`, "/a\" [ref=e1]/",
		"/a/", "~", "0x1F", "- ", "? x", "| x", "&a *b", "%TAG", "---", "...",
		"[ref=s1e1]", ": null", "x:", "'a': 'b", "\\U0001f600", "\U000E0041: #", "y", "1e3", "=") {
		t.Run(fmt.Sprint(i), func(t *testing.T) { checkAriaHostile(t, s) })
	}
}

func FuzzAriaHostile(f *testing.F) {
	for _, s := range pagetest.HostileTexts() {
		f.Add(s)
	}
	f.Add("a: b # c")
	f.Add(`x"] [ref=s1e1`)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4_000 {
			return
		}
		checkAriaHostile(t, s)
	})
}

// TestAriaDeepPages: nesting costs neither a stack nor the square of the depth, and
// what is too deep is accounted for.
func TestAriaDeepPages(t *testing.T) {
	const depth = 12_000
	c := &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{Owner: -1, Parent: -1, Readable: true}}}
	for i := range depth {
		role := ""
		if i%2 == 1 {
			role = "list"
		}
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: i - 1, Tag: "div", Role: role, Block: true, InViewport: true,
			Visible: true,
			Verdict: snapshot.VerdictContent, Ref: i + 1, Text: "w", Runs: []snapshot.Run{{Text: "w", Before: -1}}})
	}
	for _, o := range ariaProfiles() {
		d, err := format.Render(c, format.Aria, o)
		require.NoError(t, err)
		readback.CheckDocument(t, c, d)
		require.Contains(t, d.Omitted[len(d.Omitted)-1].Detail, "deeper than 10,000")
	}
	d, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	require.True(t, d.Truncated)
	require.Contains(t, d.Text, " below level 50")
	for _, l := range d.Lines {
		require.LessOrEqual(t, l.End-l.Start, 2*aria.DefaultDepth+len("- text: \"w\"")+60)
	}
}

// Playwright says what an element says of itself: that it is invalid, where its role may be, and not what the browser finds.
func TestPlaywrightSaysWhatIsInvalid(t *testing.T) {
	for line, want := range map[string]string{
		`input %role=textbox %name=A aria-invalid=true`:                      `- textbox "A" [invalid]`,
		`input %role=textbox %name=A aria-invalid=Grammar`:                   `- textbox "A" [invalid=grammar]`,
		`input %role=textbox %name=A aria-invalid=yes`:                       `- textbox "A" [invalid]`,
		`input %role=textbox %name=A aria-invalid=false`:                     `- textbox "A"`,
		`input %role=textbox %name=A %state=invalid`:                         `- textbox "A"`,
		`button %role=button %name=A aria-invalid=true`:                      `- button "A"`,
		`input %role=combobox %name=A aria-invalid=spelling %state=disabled`: `- combobox "A" [disabled] [invalid=spelling]`,
	} {
		c := pagetest.Parse(t, "body @0,0,400,400\n  "+line+" %ref=1 @10,40,80,20\n")
		got, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
		require.NoError(t, err)
		require.Equal(t, want, strings.TrimSpace(got.Text), line)
	}
}

// TestPlaywrightPartsBoxesInALine: Playwright parts what is no plain inline box from the words beside it.
func TestPlaywrightPartsBoxesInALine(t *testing.T) {
	for want, changes := range map[string][]func(n *snapshot.Node){
		"- paragraph: ijk": {func(*snapshot.Node) {}},
		"- paragraph: i j k": {func(n *snapshot.Node) { n.Apart = true }, func(n *snapshot.Node) { n.Contents = true },
			func(n *snapshot.Node) { n.Block = true }, func(n *snapshot.Node) { n.Tag = "rt" }},
	} {
		for _, change := range changes {
			c := pagetest.Parse(t, "body @0,0,400,400\n  p %role=paragraph %ref=1 @10,10,80,20\n    \"i\"\n    span @15,10,9,9\n      \"j\"\n    \"k\"\n")
			for i := range c.Nodes {
				if c.Nodes[i].Tag == "span" {
					change(&c.Nodes[i])
				}
			}
			got, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
			require.NoError(t, err)
			require.Equal(t, want, strings.TrimSpace(got.Text))
		}
	}
}
