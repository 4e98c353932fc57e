package collect_test

import (
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// TestFewFalseAlarms counts what is taken out of pages that hold no secrets: texts
// must stay as they are; of addresses only parameters that are named like secrets go.
func TestFewFalseAlarms(t *testing.T) {
	testneed.Long(t, "many pages")
	for _, folder := range testpages.Folders(t, testpages.Articles) {
		t.Run(folder.Name, func(t *testing.T) { fewFalseAlarms(t, folder) })
	}
}

func fewFalseAlarms(t *testing.T, folder testpages.Folder) {
	site, pages := chrometest.Folder(t, folder.Path), folder.Pages(t)
	elements, fields, alarms := 0, map[string]int{}, 0
	touched := map[string]bool{} // pages of which a text, a name or a description is withheld, rightly or not
	for _, page := range pages {
		ctx := chrometest.Context(t)
		tab := chrome.Tab(t)
		if err := tab.Navigate(ctx, site+page); err != nil {
			continue
		}
		res, err := collect.Read(ctx, tab, collect.Options{})
		require.NoError(t, err, page)
		res.Release(ctx)
		c := res.Capture
		elements += len(c.Nodes)
		for i := range c.Nodes {
			n := &c.Nodes[i]
			for _, f := range n.Redacted {
				fields[f]++
				switch {
				case f == "text" || f == "name" || f == "description":
					touched[page] = true
					t.Logf("%s: %s of %s: %.120s%.120s", page, f, n.Tag, n.Text, n.Name)
					said := n.Text + n.Name + n.Description
					if strings.Contains(said, "[redacted: card]") || strings.Contains(said, "[redacted: token]") {
						alarms++ // numbers and words of articles; none of them is one
					}
				case strings.HasPrefix(f, "attr:"):
					t.Logf("%s: %s of %s: %.160s", page, f, n.Tag, n.Attrs[f[5:]])
				}
			}
		}
	}
	t.Logf("%d pages, %d elements: %v; something that is read is withheld on %d pages", len(pages), elements, fields, len(touched))
	require.LessOrEqual(t, len(touched)*10, max(10, len(pages)), "pages with a false alarm, counted from above: at most 1 in 10")
	require.LessOrEqual(t, alarms, 2, "the key of a service that an article shows, in the text and in the name of its row")
	texts := fields["text"] + fields["name"] + fields["description"]
	if folder.Own {
		require.Zero(t, texts)
	}
	require.LessOrEqual(t, texts, 5, "a password, a key and the rows that they name, and a token in an address, all in code that is shown")
	require.Zero(t, fields["attr:name"])
}
