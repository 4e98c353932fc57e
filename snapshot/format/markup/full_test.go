package markup_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// TestFullLines: every element has the line that it begins on, the cells of a line are
// its elements, and the parts of a use are about the elements that they stand for.
func TestFullLines(t *testing.T) {
	c := pagetest.Parse(t, `
body
  p
    "Price is "
    b "$9"
  pre "one\ntwo"
  ul
    li class=a-long-class-name
      a href="/1" class=a-long-class-name "First"
      p class=a-long-class-name "Alpha"
    li class=a-long-class-name
      a href="/2" class=a-long-class-name "Second"
      p class=a-long-class-name "Beta"
    li class=a-long-class-name
      a href="/3" class=a-long-class-name "Third"
      p class=a-long-class-name "Gamma"
`)
	d, err := format.Render(c, format.Full, format.Options{})
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	parts := func(tag string, nth int) (out []string) {
		for _, n := range c.Nodes {
			if n.Tag != tag {
				continue
			}
			if nth--; nth >= 0 {
				continue
			}
			for _, l := range d.Lines {
				if l.Node == n.I {
					out = append(out, d.Text[l.Start:l.End])
				}
			}
			for _, s := range d.Spans {
				if s.Node == n.I {
					out = append(out, d.Text[s.Start:s.End])
				}
			}
			return out
		}
		return nil
	}
	require.Equal(t, []string{`<b data-id="6" data-interactive="false" data-visible="true">$9</b>`}, parts("b", 0))
	require.Equal(t, []string{`	<pre data-id="1" data-interactive="false" data-visible="true">one`, "two</pre>"},
		parts("pre", 0))
	require.Equal(t, []string{"3", ` v1="/2"`, ` v2="Second"`}, parts("a", 1))
	require.Equal(t, []string{"8", ` v3="Beta"`}, parts("p", 2))
	require.Equal(t, []string{`		<t1 ids="3 8" v1="/2" v2="Second" v3="Beta"></t1>`}, parts("li", 1))
}

// TestSrcdocStaysOut: what a frame's markup holds was redacted in its document and
// nowhere else.
func TestSrcdocStaysOut(t *testing.T) {
	c := pagetest.Parse(t, `body
  iframe srcdoc="<input type=password value=hunter2>" %frame
    html
      body
        input type=password value="[redacted: password]" %value="[redacted: password]" %redacted`)
	for _, f := range format.Names() {
		for _, o := range []format.Options{{}, {Common: dump.Common{Compat: true}}} {
			d, err := format.Render(c, f, o)
			require.NoError(t, err)
			require.NotContains(t, d.Text, "hunter2")
		}
	}
}

// TestFilteredFull: a capture without its wrappers (Capture.Kept) has the same numbers.
func TestFilteredFull(t *testing.T) {
	c := pagetest.Shop(t, 400)
	numbers := func(c *snapshot.Capture) (out []string) {
		d, err := format.Render(c, format.Full, format.Options{Markup: markup.Options{NoTemplates: true}})
		require.NoError(t, err)
		readback.CheckDocument(t, c, d)
		parseHTML(t, d.Text).walk(func(e *htmlElement) {
			if id := e.attrs["data-id"]; id != "" {
				out = append(out, id)
			}
		})
		return out
	}
	all := numbers(c)
	require.Greater(t, len(all), 200)
	require.Equal(t, all, numbers(c.Kept()))
}

// TestPatternsPay: patterns make a page shorter, never longer, and what is listed in ids
// are all numbers.
func TestPatternsPay(t *testing.T) {
	c := pagetest.Shop(t, 400)
	with, err := format.Render(c, format.Full, format.Options{})
	require.NoError(t, err)
	without, err := format.Render(c, format.Full, format.Options{Markup: markup.Options{NoTemplates: true}})
	require.NoError(t, err)
	require.Less(t, len(with.Text), len(without.Text)/2, "a page of one shelf after another")
	var ids []string
	parseHTML(t, with.Text).walk(func(e *htmlElement) {
		ids = append(ids, strings.Fields(e.attrs["ids"])...)
		if id := e.attrs["data-id"]; id != "" && !strings.HasPrefix(id, "{{") {
			ids = append(ids, id)
		}
	})
	var want []string
	for _, n := range c.Nodes {
		if n.Ref > 0 {
			want = append(want, dump.FrameID(&n))
		}
	}
	slices.Sort(ids)
	slices.Sort(want)
	require.Equal(t, want, ids)
}
