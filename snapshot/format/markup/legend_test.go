package markup_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// TestHTMLLegends: every name of ours that the HTML formats emit for the golden pages
// is in their legends.
func TestHTMLLegends(t *testing.T) {
	ours := regexp.MustCompile(`^(html-unknown|html-iframe|html-beside|template|t1)$`)
	seen := map[string]bool{}
	pagetest.EachGolden(t, func(t *testing.T, c *snapshot.Capture) {
		for _, o := range []format.Options{{Common: dump.Common{MarkCovered: true}}, {Common: dump.Common{Compat: true}},
			{Markup: markup.Options{NoTemplates: true}}} {
			for _, f := range []dump.Format{format.Skeleton, format.Hybrid, format.Full} {
				d, err := format.Render(c, f, o)
				require.NoError(t, err)
				legend := format.Legend(f, o)
				parseHTML(t, d.Text).walk(func(e *htmlElement) {
					says := func(word string) {
						seen[word] = true
						require.Regexp(t, `(^|[^\w-])`+regexp.QuoteMeta(word)+`($|[^\w-])`, legend, "%s %v", f, o)
					}
					if ours.MatchString(e.tag) {
						says(e.tag)
					}
					for name := range e.attrs {
						switch {
						case strings.HasPrefix(name, "page-attr"):
							says("page-attr1")
						case strings.HasPrefix(name, "page-value"):
							says("page-value1")
						case strings.HasPrefix(name, "page-"):
							says("page-…")
						case reserved(name), f != format.Full && e.tag != "option" && e.tag != "optgroup":
							says(name)
						}
					}
				})
			}
		}
	})
	for _, word := range []string{"data-covered-by", "data-llm-in-shadow", "data-unread", "data-has-click-listener",
		"html-beside", "t1", "aria-label"} {
		require.True(t, seen[word], word)
	}
}
