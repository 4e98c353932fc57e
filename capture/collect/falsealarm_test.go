package collect_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/stretchr/testify/require"
)

// TestFewFalseAlarms counts what is taken out of pages that hold no secrets: texts
// must stay as they are; of addresses only parameters that are named like secrets go.
func TestFewFalseAlarms(t *testing.T) {
	if testing.Short() {
		t.Skip("46 real pages: not in a short run")
	}
	dir := "../../../shared/corpus/real"
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	require.NoError(t, err)
	if len(pages) == 0 {
		if _, err := os.Stat(dir); err != nil {
			t.Skip("no corpus beside the repository")
		}
		pages, err = filepath.Glob(filepath.Join(dir, "*", "*.html"))
		require.NoError(t, err)
	}
	site := chrometest.Folder(t, dir)
	elements, fields, alarms := 0, map[string]int{}, 0
	for _, p := range pages {
		rel, err := filepath.Rel(dir, p)
		require.NoError(t, err)
		ctx := chrometest.Context(t)
		tab := chrome.Tab(t)
		if err := tab.Navigate(ctx, site+filepath.ToSlash(rel)); err != nil {
			continue
		}
		res, err := collect.Read(ctx, tab, collect.Options{})
		require.NoError(t, err, rel)
		res.Release(ctx)
		c := res.Capture
		elements += len(c.Nodes)
		for i := range c.Nodes {
			n := &c.Nodes[i]
			for _, f := range n.Redacted {
				fields[f]++
				switch {
				case f == "text" || f == "name" || f == "description":
					t.Logf("%s: %s of %s: %.120s%.120s", rel, f, n.Tag, n.Text, n.Name)
					said := n.Text + n.Name + n.Description
					if strings.Contains(said, "[redacted: card]") || strings.Contains(said, "[redacted: token]") {
						alarms++ // numbers and words of articles; none of them is one
					}
				case strings.HasPrefix(f, "attr:"):
					t.Logf("%s: %s of %s: %.160s", rel, f, n.Tag, n.Attrs[f[5:]])
				}
			}
		}
	}
	t.Logf("%d pages, %d elements: %v", len(pages), elements, fields)
	require.Zero(t, alarms, "cards and tokens in articles")
	require.LessOrEqual(t, fields["text"]+fields["name"]+fields["description"], 3, "two passwords and a token in addresses that are shown")
	require.Zero(t, fields["attr:name"])
}
