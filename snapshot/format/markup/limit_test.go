package markup_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// TestFullDeepNesting: as deep as a tree is followed, in both directions.
func TestFullDeepNesting(t *testing.T) {
	c := pagetest.Nested(dump.MaxDepth + 500)
	for _, f := range []dump.Format{format.Skeleton, format.Full} {
		d, err := format.Render(c, f, format.Options{Common: dump.Common{MaxChars: -1}})
		require.NoError(t, err)
		readback.CheckDocument(t, c, d)
	}
	d, err := format.Render(c, format.Full, format.Options{})
	require.NoError(t, err)
	last := d.Omitted[len(d.Omitted)-1]
	require.Equal(t, dump.Omission{Node: dump.MaxDepth + 499, Reason: dump.ReasonCut,
		Detail: "it is nested deeper than 10,000 elements"}, last)
}

// TestFullLimitAtEveryLength: whatever the limit, the text is whole HTML, no longer than
// that, and every element is there or reported.
func TestFullLimitAtEveryLength(t *testing.T) {
	c := pagetest.Shop(t, 120)
	for _, f := range []dump.Format{format.Skeleton, format.Hybrid, format.Full} {
		whole, err := format.Render(c, f, format.Options{})
		require.NoError(t, err)
		full := utf8.RuneCountInString(whole.Text)
		for max := 200; max < full+200; max += full / 60 {
			d, err := format.Render(c, f, format.Options{Common: dump.Common{MaxChars: max}})
			require.NoError(t, err)
			require.LessOrEqual(t, utf8.RuneCountInString(d.Text), max)
			require.Equal(t, d.Text != whole.Text, d.Truncated)
			readback.CheckDocument(t, c, d)
			depth := 0
			for _, l := range d.Lines { // every line of a start tag has one of an end tag
				line := d.Text[l.Start:l.End]
				switch {
				case strings.HasPrefix(strings.TrimLeft(line, "\t "), "</"):
					depth--
				case strings.HasPrefix(line, "<!--"):
				case strings.HasSuffix(line, ">") && strings.Count(line, "<") == 1 && !strings.HasSuffix(line, "/>"):
					depth++
				}
				require.GreaterOrEqual(t, depth, 0)
			}
			require.Zero(t, depth)
		}
	}
}

// TestRepeatsAreHTML: the line in the place of repeated siblings is HTML too.
func TestRepeatsAreHTML(t *testing.T) {
	c := pagetest.Parse(t, "body\n  ul\n"+strings.Repeat("    li\n      button \"Row\"\n", 62))
	for _, f := range []dump.Format{format.Skeleton, format.Hybrid, format.Full} {
		for _, o := range []format.Options{{}, {Common: dump.Common{Compat: true}},
			{Markup: markup.Options{NoTemplates: true}}} {
			o.MaxChars, o.SummariseRepeats = -1, true
			d := readback.Render(t, c, f, o)
			require.Contains(t, d.Text, "more <li> like the 20 above", f)
			parseHTML(t, d.Text)
		}
	}
}
