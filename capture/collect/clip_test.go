package collect_test

import (
	"encoding/json"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// TestWhatClipsLeave: whether a clip path or paint containment cuts an element away, whichever box holds it, is what
// Chrome says of its middle.
func TestWhatClipsLeave(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><html lang=en><title>Clips</title><style>
body { margin: 0; height: 700px; font: 16px/20px sans-serif } .at { position: absolute; width: 60px; height: 20px; background: #fa0 }
.fixed { position: fixed } .box { width: 200px; height: 100px; margin: 0 0 20px 100px; background: #ddd }
</style><div class=box style="clip-path: inset(50% 0 0 0)"><i class=at style="left:110px;top:10px">gone</i><i class=at style="left:110px;top:70px">here</i><i class="at fixed" style="left:200px;top:10px">gone too</i></div>
<div class=box style="clip-path: inset(-20px -80px)"><b style="display:block;width:60px;margin-left:-70px;background:#fa0">beside it</b></div>
<div class=box><span style="clip-path: circle(90px)">words <i class=at style="left:120px;top:290px">in the circle</i></span></div>
<div class=box style="contain: paint"><i class=at style="left:-90px;top:0">contained</i><i class=at style="left:10px;top:30px">within</i></div>
<div class=box style="translate: 0 0; overflow: hidden"><i class="at fixed" style="left:150px;top:-40px">held by it</i></div>
<span style="content-visibility: hidden">an <b style="background:#fa0">inline element</b> is no box</span>
<span style="contain: paint; margin-left: 50px">nor <b style="background:#fa0;position:relative;top:30px">here</b></span>`))
	c := read(t, tab)
	checked := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Tag != "i" && n.Tag != "b" {
			continue
		}
		path, err := json.Marshal(n.Path)
		require.NoError(t, err)
		there, err := tab.Session().Eval(chrometest.Context(t), tab.ID(), `(() => { const el = document.querySelector(`+string(path)+`),
			r = el.getBoundingClientRect(); return String(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2) === el) })()`)
		require.NoError(t, err)
		require.Equal(t, there == "true", n.Visible && n.Verdict != snapshot.VerdictClipped, "%s: %s", n.Text, n.Verdict)
		checked++
	}
	require.Equal(t, 10, checked)
}
