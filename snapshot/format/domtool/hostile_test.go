package domtool_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/domtool"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/text"
)

func checkHostileDomtool(t testing.TB, s string) {
	t.Helper()
	c := pagetest.Hostile(t, s)
	c.Nodes[0].Tag = "body" // without a body there is nothing to see
	want := map[int]bool{}
	for _, n := range c.Nodes {
		if n.Verdict == snapshot.VerdictRef {
			want[n.Ref] = true
		}
	}
	for _, o := range []format.Options{{Common: dump.Common{MaxChars: -1}}, {}, {Common: dump.Common{Compat: true}},
		{Common: dump.Common{MaxChars: 3_000}}, {DomTool: domtool.Options{IncludeLayout: true}}} {
		p := domtoolOf(t, c, o)
		require.Equal(t, text.CollapseSpace(strings.ToValidUTF8(s, "\uFFFD")), p.Page.Context.URL)
		p.walk(func(v *virtualNode) { require.Regexp(t, `^[a-z#][a-z0-9-]*$`, v.Tag) })
		if o.MaxChars < 0 {
			got := p.byRef()
			for ref := range want {
				require.Contains(t, got, ref)
			}
		}
	}
}

func TestHostileDomtool(t *testing.T) {
	for i, s := range pagetest.HostileTexts() {
		t.Run(strconv.Itoa(i), func(t *testing.T) { checkHostileDomtool(t, s) })
	}
}

func FuzzHostileDomtool(f *testing.F) {
	for _, s := range pagetest.HostileTexts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) <= 2_000 {
			checkHostileDomtool(t, s)
		}
	})
}

// FuzzDomtoolTree builds pages of any shape: each byte is an element, its depth and
// kind; the payload is valid, and every kept element has a node, a part or a reason.
func FuzzDomtoolTree(f *testing.F) {
	f.Add([]byte{0, 17, 34, 51, 1, 200, 90, 33}, uint16(900))
	f.Add([]byte("li li li li p a button iframe"), uint16(0))
	f.Fuzz(func(t *testing.T, shape []byte, limit uint16) {
		if len(shape) > 300 {
			return
		}
		tags := []string{"div", "p", "li", "b", "a href=1", "button", "iframe src=x %frame", "x-a", "span", "h2", "input",
			"pre", "div %shadow=open", "dt", "label", "img"}
		var b strings.Builder
		b.WriteString("body @0,0,9,9\n")
		depth := 0
		for i, s := range shape {
			depth = 1 + int(s>>4)%(depth+1)
			fmt.Fprintf(&b, "%s%s @%d,0,%d,9", strings.Repeat("  ", depth), tags[s&15], i, s>>5)
			if s&64 != 0 {
				fmt.Fprintf(&b, " \"t%d\"", i)
			}
			b.WriteByte('\n')
		}
		c := pagetest.Parse(t, b.String())
		for _, o := range []format.Options{{Common: dump.Common{MaxChars: -1, MaxNodes: -1}},
			{Common: dump.Common{MaxChars: int(limit)}}, {Common: dump.Common{Compat: true}},
			{Common: dump.Common{ViewportOnly: true}, DomTool: domtool.Options{IncludeLayout: true}}} {
			d, err := format.Render(c, format.DomTool, o)
			require.NoError(t, err)
			readback.CheckDocument(t, c, d)
			p := readDomTool(t, d.Text)
			if o.MaxChars < 0 {
				require.LessOrEqual(t, len(d.Omitted), len(c.Nodes))
				require.False(t, p.Page.Meta.Truncated)
			}
			if o.MaxChars > 700 {
				require.LessOrEqual(t, len([]rune(d.Text)), o.MaxChars)
			}
		}
	})
}
