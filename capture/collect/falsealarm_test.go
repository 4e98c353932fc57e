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

// rightly are the saved pages of which something is withheld that is a secret, with what it is.
var rightly = map[string]string{
	"002.html":                 "code that is shown has a password in a form's body and the key of a service",
	"toc-missing.html":         "the name of a picture has an address with access_token=",
	"chewy_checkout.html":      "the month and year of a card",
	"etsy_checkout.html":       "the month and year of a card",
	"coinmarketcap_login.html": "a password",
}

// TestFewFalseAlarms counts what is taken out of pages that hold no secrets: texts and values
// must stay as they are; of addresses only parameters that are named like secrets go.
func TestFewFalseAlarms(t *testing.T) {
	testneed.Long(t, "many pages")
	for _, kind := range testpages.Kinds() {
		for _, folder := range testpages.Folders(t, kind) {
			t.Run(folder.Name, func(t *testing.T) { fewFalseAlarms(t, folder) })
		}
	}
}

func fewFalseAlarms(t *testing.T, folder testpages.Folder) {
	site, pages := chrometest.Folder(t, folder.Path), folder.Pages(t)
	elements, fields := 0, map[string]int{}
	touched, alarmed := map[string]bool{}, map[string]bool{}
	for _, page := range pages {
		ctx := chrometest.Context(t)
		tab := chrome.Tab(t)
		if err := tab.Navigate(ctx, site+page); err != nil {
			continue
		}
		res, err := collect.Read(ctx, tab, patient)
		require.NoError(t, err, page)
		res.Release(ctx)
		c := res.Capture
		elements += len(c.Nodes)
		for i := range c.Nodes {
			n := &c.Nodes[i]
			for _, f := range n.Redacted {
				fields[f]++
				if attr, ok := strings.CutPrefix(f, "attr:"); ok {
					t.Logf("%s: %s of %s: %.160q", page, f, n.Tag, n.Attrs[attr])
					continue
				}
				t.Logf("%s: %s of %s: %.120q %.120q %.120q", page, f, n.Tag, n.Text, n.Name, n.Value)
				touched[page] = true
				if rightly[page] == "" {
					alarmed[page] = true
				}
			}
		}
	}
	t.Logf("%d pages, %d elements: %v; something that is read is withheld on %d pages, wrongly on %d", len(pages), elements,
		fields, len(touched), len(alarmed))
	if folder.Own {
		require.Empty(t, touched)
	}
	require.LessOrEqual(t, len(alarmed)*10, len(pages), "pages with a false alarm: at most 1 in 10: %v", alarmed)
	require.LessOrEqual(t, fields["text"]+fields["name"]+fields["description"], 5,
		"a password, a key and the rows that they name, and a token in an address, all in code that is shown")
	require.Zero(t, fields["attr:name"])
}
