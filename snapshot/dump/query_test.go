package dump

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
)

func TestQueryAccounts(t *testing.T) {
	c := pagetest.Shop(t, 400)
	tree := snapshot.NewTree(c)
	for p := range c.Nodes { // ax knows an element by its name alone
		if n := &c.Nodes[p]; n.Tag == "a" || n.Tag == "button" {
			n.Name, n.NameFrom = textOf(tree, n), "content"
		}
	}
	for _, f := range Formats() {
		for _, o := range []Options{{}, {Compat: true}, {NoTemplates: true}, {Aria: AriaOptions{Playwright: true}}, {Aria: AriaOptions{Detail: AriaInteractive}}} {
			o.Query, o.NoViewportPruning = "keyboard with 7 keys", true
			d := render(t, c, f, o)
			require.Contains(t, d.Text, "eyboard with 7 keys")
			require.NotContains(t, d.Text, "Keyboard with 12 keys")
			listed := map[int]bool{}
			for n := range nodesOf(d) {
				if c.Node(n).Verdict.Kept() { // a list is none, and still what its items stand in
					listed[n] = true
				}
			}
			require.LessOrEqual(t, len(listed), 50)
			dropped := 0
			for _, o := range d.Omitted {
				if o.Reason == ReasonQuery {
					dropped++
					require.False(t, listed[o.Node] && f != Full, "element %d is there and passed over", o.Node)
				}
			}
			require.Greater(t, dropped, 50, "%s", f)
		}
	}
	o := Options{Query: "keyboard with 7 keys", NoViewportPruning: true}
	d := render(t, c, Semantic, o)
	require.Contains(t, strings.ReplaceAll(d.Text, "\n", ""), string(InteractiveTree(c, o)))
	for _, query := range []string{"", "   ", "zebra", "\"]\n[5]<a>\u202e"} {
		d := render(t, c, DDDK, Options{Query: query, MaxChars: -1})
		_, note, found := strings.Cut(d.Text, "\n[...filtered for ")
		require.Equal(t, query != "", found)
		require.NotContains(t, note, "\n")
	}
}

// TestFilteredKeepsTheSeedsShape: the envelope's keys in the seed's order.
func TestFilteredKeepsTheSeedsShape(t *testing.T) {
	c := pagetest.Shop(t, 400)
	d := render(t, c, Filtered, Options{Query: "keyboard with 7 keys"})
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
	legend := Legend(Filtered, Options{})
	for _, k := range append(keys, "i", "r", "n", "v", "s", "cutElements") {
		require.Regexp(t, `\b`+k+`\b`, legend)
	}
	require.Equal(t, 92, reduction(100, 8))
	require.Equal(t, 0, reduction(0, 0))
	require.Equal(t, 0, reduction(5, 9))
	require.Equal(t, 33, reduction(3, 2))
}
