package collect_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/stretchr/testify/require"
)

// TestPlaywrightSnapshots reads the pages of Playwright's own test suite and compares
// dump's Playwright profile with what that suite expects, byte for byte. One of them
// is known to differ: the text of a ::before outside of a name is in no capture.
func TestPlaywrightSnapshots(t *testing.T) {
	text, err := os.ReadFile(corpus(t, "aria-yaml-cases.json"))
	require.NoError(t, err)
	var cases []struct {
		Test     string  `json:"test"`
		HTML     string  `json:"html"`
		Selector *string `json:"selector"`
		Expected string  `json:"expected"`
	}
	require.NoError(t, json.Unmarshal(text, &cases))
	require.Len(t, cases, 36)
	tab := chrome.Tab(t)
	right := 0
	for i, c := range cases {
		ctx := chrometest.Context(t)
		require.NoError(t, tab.Navigate(ctx, chrometest.Page(t, c.HTML)))
		res, err := collect.Read(ctx, tab, patient)
		require.NoError(t, err)
		res.Release(ctx)
		o := format.Options{Aria: aria.Options{Playwright: true}}
		if c.Selector != nil && *c.Selector != "body" {
			for k := range res.Capture.Nodes {
				if n := &res.Capture.Nodes[k]; n.Tag == *c.Selector && o.Aria.Root == nil {
					o.Aria.Root = &n.I
				}
			}
			require.NotNil(t, o.Aria.Root, "selector %q", *c.Selector)
		}
		o.Aria.Boxes = strings.Contains(c.Expected, "[box=")
		d, err := format.Render(res.Capture, format.Aria, o)
		require.NoError(t, err)
		if d.Text == c.Expected {
			right++
		} else {
			t.Logf("case %d %q:\ngot\n%.1500s\nwant\n%.1500s", i, c.Test, d.Text, c.Expected)
		}
	}
	t.Logf("%d of %d byte for byte", right, len(cases))
	require.GreaterOrEqual(t, right, 35)
}
