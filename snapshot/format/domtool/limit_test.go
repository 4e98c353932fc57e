package domtool_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/domtool"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/testpages"
)

// listPage is a page with n children of one tag, each with that text.
func listPage(tag string, n int, text string) string {
	var b strings.Builder
	b.WriteString("body\n  ul\n    p \"first\"\n")
	for i := range n {
		fmt.Fprintf(&b, "    %s \"%s %d\"\n", tag, text, i)
	}
	b.WriteString("    p \"last\"\n")
	return b.String()
}

// A list that the limit cuts shorter than the summary's 20 says how many there are (B-6).
func TestASummaryCountsWhatFollows(t *testing.T) {
	c := pagetest.Parse(t, listPage("li", 247, "item"))
	seen := map[int]bool{}
	for limit := 700; limit < 4_000; limit += 50 {
		d, err := format.Render(c, format.DomTool, format.Options{Common: dump.Common{MaxChars: limit}})
		require.NoError(t, err)
		readDomTool(t, d.Text).walk(func(v *virtualNode) {
			if strings.HasPrefix(v.Text, "List of 247 items") {
				seen[len(v.Children)] = true
			}
		})
	}
	require.True(t, seen[5], seen)
	require.True(t, seen[20], seen)
}

// TestRepeatedSiblings is B-6, with the seed's wording.
func TestRepeatedSiblings(t *testing.T) {
	long := strings.Repeat("w", 80)
	for name, x := range map[string]struct {
		page string
		want string // the summary's text, "" for none
	}{
		"120 items": {listPage("li", 120, "x"), "List of 120 items (list items). Showing first 20."},
		"51 items":  {listPage("li", 51, "x"), "List of 51 items (list items). Showing first 20."},
		"50 items":  {listPage("li", 50, "x"), ""},
		"30 short":  {listPage("li", 30, "x"), ""},
		"30 long": {listPage("tr", 0, "") + strings.Repeat("    li \""+long+"\"\n", 30),
			"List of 30 items (list items). Showing first 20."},
		"20 long": {listPage("tr", 0, "") + strings.Repeat("    li \""+long+"\"\n", 20), ""},
		"an article": {strings.Replace(listPage("li", 0, ""), "ul", "article", 1) +
			strings.Repeat("    p \""+long+"\"\n", 40), ""},
		"terms in pairs": {"body\n  ul\n    p \"first\"\n" + strings.Repeat("    dt \"t\"\n    dd \"d\"\n", 30) +
			"    p \"last\"", "List of 60 items (terms and descriptions). Showing first 20."},
		"other tags in between": {"body\n  ul\n    p \"first\"\n" + strings.Repeat("    li \"t\"\n    h3 \"d\"\n", 51),
			"List of 51 items (list items). Showing first 20."},
	} {
		t.Run(name, func(t *testing.T) {
			c := pagetest.Parse(t, x.page)
			d, err := format.Render(c, format.DomTool, format.Options{Common: dump.Common{MaxChars: -1}})
			require.NoError(t, err)
			readback.CheckDocument(t, c, d)
			p := readDomTool(t, d.Text)
			var found []*virtualNode
			p.walk(func(v *virtualNode) {
				if v.Tag == "summary" {
					found = append(found, v)
				}
			})
			if x.want == "" {
				require.Empty(t, found)
				require.Zero(t, p.Page.Meta.OmittedNodes)
				return
			}
			require.Equal(t, x.want, found[0].Text)
			require.True(t, *found[0].Visible)
			require.Len(t, found[0].Children, 20)
			var total int
			_, err = fmt.Sscanf(x.want, "List of %d", &total)
			require.NoError(t, err)
			beyond := 0
			for _, o := range d.Omitted {
				if o.Detail == fmt.Sprintf("one of %d repeated siblings, beyond the first 20", total) {
					require.Equal(t, dump.ReasonCut, o.Reason)
					beyond++
				}
			}
			require.GreaterOrEqual(t, beyond, total-20)
			require.False(t, d.Truncated)
		})
	}
}

// TestDomtoolLimits is B-5: nodes, characters and bytes, at every page.
func TestDomtoolLimits(t *testing.T) {
	var b strings.Builder
	b.WriteString("body\n")
	for i := range 20 {
		fmt.Fprintf(&b, "  section %%name=\"s%d\"\n", i)
		for j := range 20 {
			fmt.Fprintf(&b, "    article\n")
			for k := range 5 {
				fmt.Fprintf(&b, "      b \"%d %d %d\"\n", i, j, k)
			}
		}
	}
	c := pagetest.Parse(t, b.String())
	d, err := format.Render(c, format.DomTool, format.Options{Common: dump.Common{MaxChars: -1}})
	require.NoError(t, err)
	p := readDomTool(t, d.Text)
	require.Equal(t, 1500, p.Page.Meta.TotalNodes)
	require.True(t, p.Page.Meta.Truncated && d.Truncated)
	last := p.Page.Body.Children[len(p.Page.Body.Children)-1]
	require.Equal(t, "summary", last.Tag)
	require.Equal(t, "Truncated after 1500 nodes", last.Text)
	readback.CheckDocument(t, c, d)

	wide := pagetest.Parse(t, strings.ReplaceAll(b.String(), `b "`, `b "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字`))
	for _, c := range []*snapshot.Capture{c, wide, pagetest.Shop(t, 3_000), pagetest.Parse(t, "body"), {}} {
		d, err := format.Render(c, format.DomTool, format.Options{})
		require.NoError(t, err)
		require.LessOrEqual(t, len(d.Text), 50_000)
		require.LessOrEqual(t, len([]rune(d.Text)), 16_000)
		readback.CheckDocument(t, c, d)
		readDomTool(t, d.Text)
	}
	c = pagetest.Shop(t, 120)
	whole, err := format.Render(c, format.DomTool, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1}})
	require.NoError(t, err)
	full := len([]rune(whole.Text))
	require.False(t, whole.Truncated)
	for max := 700; max < full+600; max += 197 {
		d, err := format.Render(c, format.DomTool, format.Options{Common: dump.Common{MaxChars: max, MaxNodes: -1}})
		require.NoError(t, err)
		require.LessOrEqual(t, len([]rune(d.Text)), max)
		require.True(t, d.Truncated || max >= full, "%d of %d", max, full)
		readback.CheckDocument(t, c, d)
		readDomTool(t, d.Text)
	}
	for n := 1; n < 90; n++ {
		d, err := format.Render(c, format.DomTool, format.Options{Common: dump.Common{MaxNodes: n}})
		require.NoError(t, err)
		require.Equal(t, n, readDomTool(t, d.Text).Page.Meta.TotalNodes)
	}
}

func TestDomtoolLongText(t *testing.T) {
	long := strings.Repeat("word ", 300)
	c := pagetest.Parse(t,
		fmt.Sprintf("body\n  p @0,0,90,90 %[1]q\n  div %%by=contenteditable %[1]q\n  p\n    a href=1 \"x\"\n    %[1]q", long))
	compat, err := format.Render(c, format.DomTool, format.Options{Common: dump.Common{Compat: true}})
	require.NoError(t, err)
	kids := readDomTool(t, compat.Text).Page.Body.Children
	require.Len(t, []rune(kids[0].Text), 500)
	require.True(t, kids[0].Overflow)

	d, err := format.Render(c, format.DomTool, format.Options{})
	require.NoError(t, err)
	p := readDomTool(t, d.Text)
	kids = p.Page.Body.Children
	require.Equal(t, strings.TrimSpace(long), kids[0].Text)
	require.True(t, kids[0].Overflow)
	require.Len(t, []rune(kids[1].Text), 1000)
	require.True(t, kids[1].Overflow)
	require.Equal(t, "#text", kids[2].Children[1].Tag)
	require.True(t, kids[2].Children[1].Overflow)
	cuts := 0
	for _, o := range d.Omitted {
		if o.Reason == dump.ReasonCut {
			cuts++
		}
	}
	require.Equal(t, 1, cuts, "the editable region")
}

// TestRealCaptures renders captures of saved pages: without limits only long texts are cut.
func TestRealCaptures(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		layout := format.Options{Common: dump.Common{ViewportOnly: true}, DomTool: domtool.Options{IncludeLayout: true}}
		for _, o := range []format.Options{{}, {Common: dump.Common{Compat: true}}, layout} {
			domtoolOf(t, c, o)
		}
		whole := readback.Render(t, c, format.DomTool, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1}})
		readDomTool(t, whole.Text)
		for _, o := range whole.Omitted {
			require.True(t, o.Reason == dump.ReasonCut, "%+v", o)
		}
	})
}
