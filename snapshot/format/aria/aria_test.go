package aria_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/text"
)

// ariaLine is one item of an aria text as a reader takes it apart.
type ariaLine struct {
	role, name string
	states     map[string]string // state → value, "" for none
	text       string            // after the colon
	kids       []ariaLine
}

// readAria reads an aria text with a YAML parser and its keys with a strict reader of
// the grammar's own.
func readAria(t testing.TB, text string) []ariaLine {
	t.Helper()
	var doc yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &doc), "%s", text)
	if len(doc.Content) == 0 {
		return nil // only notes
	}
	return readItems(t, doc.Content[0])
}

func readItems(t testing.TB, n *yaml.Node) []ariaLine {
	require.Equal(t, yaml.SequenceNode, n.Kind)
	var out []ariaLine
	for _, c := range n.Content {
		if c.Kind == yaml.ScalarNode {
			out = append(out, readKey(t, c.Value))
			continue
		}
		require.Equal(t, yaml.MappingNode, c.Kind)
		require.Len(t, c.Content, 2)
		it := readKey(t, c.Content[0].Value)
		switch v := c.Content[1]; {
		case v.Kind == yaml.SequenceNode:
			it.kids = readItems(t, v)
		case v.Tag != "!!null":
			it.text = v.Value
		}
		out = append(out, it)
	}
	return out
}

func readKey(t testing.TB, key string) ariaLine {
	it := ariaLine{states: map[string]string{}}
	it.role, key, _ = strings.Cut(key, " ")
	if key == "" {
		return it
	}
	switch key[0] {
	case '"':
		it.name, key = readString(t, key)
	case '/': // Playwright's names that look like a regular expression
		end := strings.IndexByte(key[1:], '/') + 2
		it.name, key = key[:end], key[end:]
	}
	for key = strings.TrimPrefix(key, " "); key != ""; key = strings.TrimPrefix(key, " ") {
		require.Equal(t, byte('['), key[0], "rest of a key: %s", key)
		end := strings.IndexAny(key, "=]")
		require.Positive(t, end)
		state, value := key[1:end], ""
		if key = key[end:]; key[0] == '=' {
			if key = key[1:]; key[0] == '"' {
				value, key = readString(t, key)
			} else {
				end := strings.IndexByte(key, ']')
				require.Positive(t, end)
				value, key = key[:end], key[end:]
			}
		}
		require.Equal(t, byte(']'), key[0], "end of state %s: %s", state, key)
		key = key[1:]
		require.NotContains(t, it.states, state, "twice")
		it.states[state] = value
	}
	return it
}

// readString reads a JSON string at the start of s.
func readString(t testing.TB, s string) (value, rest string) {
	d := json.NewDecoder(strings.NewReader(s))
	require.NoError(t, d.Decode(&value), s)
	return value, s[d.InputOffset():]
}

// checkAria reads a default text and holds it against its capture: every ref is a kept
// node of that role and name, every number that must be there is, and all text of the
// page is.
func checkAria(t testing.TB, c *snapshot.Capture, d *dump.Document) {
	t.Helper()
	var said strings.Builder
	var refs []int
	var walk func(its []ariaLine)
	walk = func(its []ariaLine) {
		for _, it := range its {
			said.WriteString(it.name + " " + it.text + " ")
			if ref, ok := it.states["ref"]; ok {
				require.True(t, strings.HasPrefix(ref, "s1e"), ref)
				number, err := strconv.Atoi(ref[3:])
				require.NoError(t, err)
				refs = append(refs, number)
				n := c.ByRef(number)
				require.NotNil(t, n, "ref %s", ref)
				require.True(t, n.Verdict.Kept())
				require.Equal(t, aria.ListedRole(n), it.role)
				if it.name != "" && n.Name != "" {
					require.True(t, strings.HasPrefix(text.CollapseSpace(n.Name), strings.TrimSuffix(it.name, "…")), "%q is %q", it.name,
						n.Name)
				}
			}
			walk(it.kids)
		}
	}
	walk(readAria(t, d.Text))
	require.Equal(t, d.Refs, refs, "what Refs lists is what a reader finds")
	has := map[int]bool{}
	for _, r := range refs {
		require.False(t, has[r], "number %d stands twice", r)
		has[r] = true
	}
	tree := snapshot.NewTree(c)
	solid := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(text.CollapseSpace(s)), "")) }
	all := solid(said.String())
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if aria.HiddenFromTree(tree, n) || !n.Verdict.Rendered() {
			continue
		}
		if aria.Addressed(n) {
			require.True(t, has[n.Ref], "number %d, a %s, is not printed", n.Ref, n.Role)
		}
		if inControl(tree, n) {
			continue
		}
		for _, r := range n.Runs {
			require.Contains(t, all, solid(r.Text), "text of node %d (%s) is missing", n.I, n.Tag)
		}
	}
	for i, l := range d.Lines {
		if strings.Contains(d.Text[l.Start:l.End], "- text: ") && l.Node >= 0 {
			require.Contains(t, d.LinesOf(l.Node), i)
		}
	}
}

// inControl reports whether the element is a form control or lies in one: its text is
// the control's value or choices.
func inControl(t *snapshot.Tree, n *snapshot.Node) bool {
	if snapshot.IsFormControl(n.Tag) {
		return true
	}
	for up := range t.Ancestors(n.I) {
		if snapshot.IsFormControl(up.Tag) {
			return true
		}
	}
	return false
}

// TestAriaReadsBack: what the default prints is YAML that describes what the page says.
func TestAriaReadsBack(t *testing.T) {
	body := func(c *snapshot.Capture) format.Options {
		root, err := aria.Root(c, "body")
		require.NoError(t, err)
		return format.Options{Aria: aria.Options{Root: root, MaxDepth: -1}}
	}
	pagetest.EachGolden(t, func(t *testing.T, c *snapshot.Capture) {
		d, err := format.Render(c, format.Aria, body(c))
		require.NoError(t, err)
		readback.CheckDocument(t, c, d)
		checkAria(t, c, d)
	})
	t.Run("big", func(t *testing.T) {
		c := pagetest.Shop(t, 2_000)
		d, err := format.Render(c, format.Aria, body(c))
		require.NoError(t, err)
		checkAria(t, c, d)
	})
}

// ariaProfiles are renderings that must hold for any page.
func ariaProfiles() []format.Options {
	plain := aria.ModePlain
	return []format.Options{
		{}, {Common: dump.Common{Compat: true}}, {Common: dump.Common{MaxChars: 700}},
		{Common: dump.Common{MarkCovered: true}},
		{Aria: aria.Options{Detail: aria.Interactive, LinkURLs: true}},
		{Aria: aria.Options{Detail: aria.Summary, Mode: plain}},
		{Common: dump.Common{ViewportOnly: true, MaxNodes: 20}}, {Aria: aria.Options{Playwright: true, Mode: aria.ModeAI}},
		{Common: dump.Common{Compat: true}, Aria: aria.Options{Detail: aria.Interactive}},
		{Common: dump.Common{Compat: true}, Aria: aria.Options{Detail: aria.Summary}},
	}
}

// TestAriaCaptures renders captures of real pages.
func TestAriaCaptures(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		root, err := aria.Root(c, "body")
		require.NoError(t, err)
		d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Root: root, MaxDepth: -1}})
		require.NoError(t, err)
		readback.CheckDocument(t, c, d)
		checkAria(t, c, d)
		for _, o := range ariaProfiles() {
			d, err := format.Render(c, format.Aria, o)
			require.NoError(t, err)
			readback.CheckDocument(t, c, d)
			again, err := format.Render(c, format.Aria, o)
			require.NoError(t, err)
			require.True(t, reflect.DeepEqual(d, again))
			if !o.Compat {
				var doc any
				require.NoError(t, yaml.Unmarshal([]byte(d.Text), &doc), "%+v\n%s", o.Aria, d.Text)
			}
			for _, ref := range d.Refs {
				require.NotNil(t, c.ByRef(ref))
			}
		}
	})
}

// TestAriaLegend: the legend explains every state that the goldens have.
func TestAriaLegend(t *testing.T) {
	found := map[string]bool{}
	pagetest.EachGolden(t, func(t *testing.T, c *snapshot.Capture) {
		for _, o := range []format.Options{
			{}, {Common: dump.Common{MarkCovered: true}, Aria: aria.Options{LinkURLs: true}},
			{Aria: aria.Options{Detail: aria.Interactive}},
			{Aria: aria.Options{Playwright: true, Mode: aria.ModeAI, Boxes: true}},
		} {
			d, err := format.Render(c, format.Aria, o)
			require.NoError(t, err)
			legend := format.Legend(format.Aria, o)
			var walk func(its []ariaLine)
			walk = func(its []ariaLine) {
				for _, it := range its {
					for state := range it.states {
						require.Contains(t, legend, state, "%+v", o)
						found[state] = true
					}
					walk(it.kids)
				}
			}
			walk(readAria(t, d.Text))
		}
	})
	require.Greater(t, len(found), 15, "%v", found)
	require.Contains(t, format.Legend(format.Aria, format.Options{Common: dump.Common{Compat: true}}), "f0s1e12")
	require.NotContains(t, format.Legend(format.Aria, format.Options{Aria: aria.Options{Mode: aria.ModePlain}}), "ref=")
	require.Contains(t, format.Legend(format.Aria, format.Options{Aria: aria.Options{Detail: aria.Summary}}),
		"interactiveCount")
}

// A line of page text has at most 2,000 characters, escapes counted; what was cut is listed.
func TestLinesAreBounded(t *testing.T) {
	for _, long := range []string{strings.Repeat("word ", 900), strings.Repeat("\"\n\u202e", 900), strings.Repeat("é", 5000)} {
		d, err := format.Render(pagetest.Hostile(t, long), format.Aria, format.Options{})
		require.NoError(t, err)
		for line := range strings.Lines(d.Text) {
			require.LessOrEqual(t, len([]rune(line)), 2001, "%.80s", line) // with its break
		}
		readAria(t, d.Text)
		require.Contains(t, d.Text, "…")
	}
}

// TestPlaywrightNamesOfWhatNamesItself: an element may lie in what names it, or own what it lies in; and a header may be all
// that is left of its table.
func TestPlaywrightNamesOfWhatNamesItself(t *testing.T) {
	c := pagetest.Parse(t, `
label %name=USB %from=content "USB"
  input type=checkbox %role=checkbox %name=USB %from=label
p id=x "ABC"
  input type=radio aria-labelledby=x %role=radio %name=ABC %from=aria-labelledby
div id=box role=combobox %role=combobox
  div role=option aria-owns=box %role=option %name="One" %from=content %state=selected "One"
button aria-owns=box %role=button %name=Own %from=content "Own"
th %role=columnheader "Alone"
div role=gridcell %role=gridcell %name="Any ?" %from=content
  span role=combobox %role=combobox "Any"
`)
	for i := range c.Nodes { // as of a part of a page
		if c.Nodes[i].Tag == "th" {
			c.Nodes[i].Parent = -1
		}
	}
	d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
	require.NoError(t, err)
	for _, line := range []string{`- checkbox "USB"`, `- radio "ABC"`, `- button "Own One"`, `- columnheader "Alone"`,
		"- gridcell:\n"} {
		require.Contains(t, d.Text, line)
	}
	tree := snapshot.NewTree(c)
	for i := range c.Nodes {
		aria.AsPlaywright(tree, &c.Nodes[i])
	}
}
