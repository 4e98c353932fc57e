package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/pagetest"
	o200k "github.com/refscope/refscope/snapshot/tokens"
)

// bannerPage has n links, each some px below the one before, and a cookie banner in view that comes last in the
// document.
func bannerPage(t testing.TB, n, apart int) *snapshot.Capture {
	var b strings.Builder
	b.WriteString("body\n  main @0,0,1280,9000\n")
	for i := range n {
		fmt.Fprintf(&b, "    a href=/%d @0,%d,200,20 \"Link %d to somewhere\"\n", i, apart*i, i)
	}
	b.WriteString("  section %name=Cookies @0,600,1280,120\n    p @0,610,400,20 \"We use cookies\"\n" +
		"    button @0,640,100,20 \"Accept all\"\n    button @120,640,100,20 \"Reject all\"\n")
	c := pagetest.Parse(t, b.String())
	for i := range c.Nodes {
		c.Nodes[i].InViewport = c.Nodes[i].Box.Y() < 720
		c.Nodes[i].Block = true // full has a line for each
	}
	return c
}

// What is in view goes before what is not when a limit cuts (N-9): nothing out of view is kept while something in
// view is cut, the lines stay in the order of the page, and the limit holds exactly.
func TestWhatIsInViewIsCutLast(t *testing.T) {
	c := bannerPage(t, 300, 30)
	var counter o200k.Counter
	for _, name := range []dump.Format{format.DDDK, format.Aria, format.Wraith, format.Skeleton, format.Hybrid, format.Full} {
		t.Run(string(name), func(t *testing.T) {
			chars, tokens := 2_500, 700
			if name == format.Full { // its lines are longer
				chars, tokens = 5_000, 1_700
			}
			for how, k := range map[string]dump.Common{
				"characters": {MaxChars: chars}, "few characters": {MaxChars: 900}, "tokens": {MaxTokens: tokens, CountTokens: counter.Count},
				"elements": {MaxNodes: 40},
			} {
				d, err := format.Render(c, name, format.Options{Common: k})
				require.NoError(t, err)
				readback.CheckDocument(t, c, d)
				require.True(t, d.Truncated)
				if k.MaxChars > 0 {
					require.LessOrEqual(t, len([]rune(d.Text)), k.MaxChars)
				}
				if k.MaxTokens > 0 {
					require.LessOrEqual(t, counter.Count(d.Text), k.MaxTokens)
				}
				require.Contains(t, d.Text, "; what is in view was kept first")
				last, outside := -1, 0
				for _, l := range d.Lines {
					if l.Node < 0 || strings.HasPrefix(strings.TrimLeft(d.Text[l.Start:l.End], "\t"), "</") {
						continue
					}
					require.Greater(t, l.Node, last, "in the order of the page")
					last = l.Node
					if !c.Nodes[l.Node].InViewport {
						outside++
					}
				}
				lost := 0
				for _, o := range d.Omitted {
					if o.Reason == dump.ReasonCut && c.Nodes[o.Node].InViewport {
						lost++
					}
				}
				if how == "few characters" {
					require.Zero(t, outside, how)
				} else {
					require.Zero(t, lost, how)
					require.Positive(t, outside, how)
					require.Contains(t, d.Text, "Reject all", how)
				}
			}
			compat, err := format.Render(c, name, format.Options{Common: dump.Common{MaxChars: chars, Compat: true}})
			require.NoError(t, err)
			require.NotContains(t, compat.Text, "Reject all", "the original cuts at the end")
		})
	}
}

// The JSON formats keep what is in view too, in the order of the page.
func TestWhatIsInViewIsCutLastInJSON(t *testing.T) {
	c := bannerPage(t, 45, 60)
	for name, chars := range map[dump.Format]int{format.DomTool: 4_500, format.WraithJSON: 5_000, format.Semantic: 2_500} {
		t.Run(string(name), func(t *testing.T) {
			for _, k := range []dump.Common{{MaxChars: chars}, {MaxNodes: 20}} {
				d, err := format.Render(c, name, format.Options{Common: k, Semantic: semantic.Options{NoViewportPruning: true}})
				require.NoError(t, err)
				readback.CheckDocument(t, c, d)
				require.True(t, d.Truncated)
				if k.MaxChars > 0 {
					require.LessOrEqual(t, len([]rune(d.Text)), k.MaxChars)
				}
				require.Contains(t, d.Text, "Reject all")
				require.Less(t, strings.Index(d.Text, "Link 2 to"), strings.Index(d.Text, "Reject all"))
				require.Contains(t, d.Text, "Link 12 to", "there is room for some that are not in view")
				for _, o := range d.Omitted {
					if o.Reason == dump.ReasonCut {
						require.False(t, c.Nodes[o.Node].InViewport, "%+v", o)
					}
				}
			}
		})
	}
}
