package format_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/pagetest"
)

func TestQueryAccounts(t *testing.T) {
	c := pagetest.Shop(t, 400)
	tree := snapshot.NewTree(c)
	for p := range c.Nodes { // ax knows an element by its name alone
		if n := &c.Nodes[p]; n.Tag == "a" || n.Tag == "button" {
			n.Name, n.NameFrom = dump.TextOf(tree, n), "content"
		}
	}
	for _, f := range format.Names() {
		for _, o := range []format.Options{{}, {Common: dump.Common{Compat: true}},
			{Markup: markup.Options{NoTemplates: true}}, {Aria: aria.Options{Playwright: true}},
			{Aria: aria.Options{Detail: aria.Interactive}}} {
			o.Query, o.Semantic.NoViewportPruning = "keyboard with 7 keys", true
			d := readback.Render(t, c, f, o)
			require.Contains(t, d.Text, "eyboard with 7 keys")
			require.NotContains(t, d.Text, "Keyboard with 12 keys")
			listed := map[int]bool{}
			for n := range elementsOf(d) {
				if c.Node(n).Verdict.Kept() { // a list is none, and still what its items are in
					listed[n] = true
				}
			}
			require.LessOrEqual(t, len(listed), 50)
			dropped := 0
			for _, o := range d.Omitted {
				if o.Reason == dump.ReasonQuery {
					dropped++
					require.False(t, listed[o.Node] && f != format.Full, "element %d is there and passed over", o.Node)
				}
			}
			require.Greater(t, dropped, 50, "%s", f)
		}
	}
	o := format.Options{Common: dump.Common{Query: "keyboard with 7 keys"},
		Semantic: semantic.Options{NoViewportPruning: true}}
	d := readback.Render(t, c, format.Semantic, o)
	require.Contains(t, strings.ReplaceAll(d.Text, "\n", ""), string(semantic.Tree(c, o.Common, o.Semantic)))
	for _, query := range []string{"", "   ", "zebra", "\"]\n[5]<a>\u202e"} {
		d := readback.Render(t, c, format.DDDK, format.Options{Common: dump.Common{Query: query, MaxChars: -1}})
		_, note, found := strings.Cut(d.Text, "\n[...filtered for ")
		require.Equal(t, query != "", found)
		require.NotContains(t, note, "\n")
	}
}

// TestFilteredKeepsTheSeedsShape: the envelope's keys in the seed's order.
func TestFilteredKeepsTheSeedsShape(t *testing.T) {
	c := pagetest.Shop(t, 400)
	d := readback.Render(t, c, format.Filtered, format.Options{Common: dump.Common{Query: "keyboard with 7 keys"}})
	var keys []string
	dec := json.NewDecoder(strings.NewReader(d.Text))
	_, err := dec.Token()
	require.NoError(t, err)
	for dec.More() {
		k, err := dec.Token()
		require.NoError(t, err)
		keys = append(keys, k.(string))
		var v json.RawMessage
		require.NoError(t, dec.Decode(&v))
	}
	require.Equal(t, []string{"mode", "reason", "originalCount", "filteredCount", "tokenReduction", "tree"}, keys)
	legend := format.Legend(format.Filtered, format.Options{})
	for _, k := range append(keys, "i", "r", "n", "v", "s", "cutElements") {
		require.Regexp(t, `\b`+k+`\b`, legend)
	}
}
