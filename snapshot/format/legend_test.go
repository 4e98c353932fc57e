package format_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// TestHTMLLegends: every name of ours that the HTML formats emit for the golden pages
// is in their legends.
func TestHTMLLegends(t *testing.T) {
	ours := regexp.MustCompile(`^(html-unknown|html-iframe|html-beside|template|t1)$`)
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		c := pagetest.Parse(t, string(a.Files[0].Data))
		for _, o := range []format.Options{{Common: dump.Common{MarkCovered: true}}, {Common: dump.Common{Compat: true}}, {Markup: markup.Options{NoTemplates: true}}} {
			for _, f := range []dump.Format{format.Skeleton, format.Hybrid, format.Full} {
				d, err := format.Render(c, f, o)
				require.NoError(t, err)
				legend := format.Legend(f, o)
				parseHTML(t, d.Text).walk(func(e *htmlElement) {
					says := func(word string) {
						seen[word] = true
						require.Regexp(t, `(^|[^\w-])`+regexp.QuoteMeta(word)+`($|[^\w-])`, legend, "%s %v of %s", f, o, file)
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
	}
	for _, word := range []string{"data-covered-by", "data-llm-in-shadow", "data-unread", "data-has-click-listener", "html-beside", "t1", "aria-label"} {
		require.True(t, seen[word], word)
	}
}

// TestEveryLegend: each format has one, and it explains the notes of its options.
func TestEveryLegend(t *testing.T) {
	for _, f := range format.Names() {
		require.NotEmpty(t, format.Legend(f, format.Options{}), f)
		switch f {
		case format.DDDK, format.Wraith, format.Aria, format.Skeleton, format.Hybrid, format.Full:
			for _, o := range []format.Options{{Common: dump.Common{SummariseRepeats: true, Query: "q"}}, {Common: dump.Common{SummariseRepeats: true, Query: "q", Compat: true}}} {
				legend := format.Legend(f, o)
				require.Contains(t, legend, "30 more <li> like the 20 above", f)
				require.Contains(t, strings.ToLower(legend), `filtered for "query"`, f)
				if f != format.Aria { // there a # says it all
					require.Contains(t, legend, "truncated", f)
				}
			}
		}
	}
}
