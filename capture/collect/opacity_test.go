package collect_test

import (
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

// The capture has the opacity of what can hardly be seen, with all around it: formats draw their own line (B-3).
func TestFaintOpacity(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Faint</title>
		<button id=plain>a</button><button id=half style="opacity:.5">b</button>
		<button id=faint style="opacity:.05">c</button><button id=gone style="opacity:0">d</button>
		<div style="opacity:.3"><div style="opacity:.2"><button id=nested>e</button></div></div>
		<div style="filter:blur(0px) opacity(0%)"><button id=filtered>f</button></div>
		<button id=pale style="filter:opacity(.2);opacity:.3">g</button>`)))
	got := map[string]float64{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "button" {
			got[n.Attr("id")] = n.Opacity
			seen := 1.0
			if n.Attr("id") == "gone" || n.Attr("id") == "filtered" {
				seen = 0
			}
			require.InDelta(t, seen, n.Occlusion.VisibleShare, 0, n.Attr("id"))
		}
	}
	require.InDelta(t, 0.06, got["nested"], 0.001)
	require.InDelta(t, 0.06, got["pale"], 0.001)
	require.InDelta(t, 0.05, got["faint"], 0.001)
	require.Zero(t, got["plain"]+got["half"]+got["gone"]+got["filtered"])
}
