package collect_test

import (
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/stretchr/testify/require"
)

// TestBeyondThePage: of what lies before the page's edges, only what no container scrolls into view counts as beyond
// them, whatever way it scrolls: what each element says of itself is what Chrome does when it is scrolled to.
func TestBeyondThePage(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><html lang=en><title>Beyond</title><style>
.s { width: 300px; height: 60px; overflow: auto; white-space: nowrap } p { margin: 0 } .s > p { display: inline-block; width: 290px }
.col { display: flex; flex-direction: column-reverse; height: 60px; overflow: auto } .col p { flex: none; height: 50px }
</style><div class=col><p>last words</p><p>words before</p><p>words long before</p></div>
<div class=s dir=rtl><p>first picture</p><p>second picture</p><p>third picture</p></div>
<div class=s id=moved><p>first slide</p><p>second slide</p><p>third slide<i style="position:absolute;left:-400px;top:90px">never seen</i></p></div>
<p style="position:absolute;left:-500px">out of the page</p><script>moved.scrollLeft = 9999</script>`))
	c := read(t, tab)
	told := map[int]bool{}
	r, err := audit.Run(c, audit.Options{})
	require.NoError(t, err)
	for _, f := range r.Findings {
		if f.Rule == audit.OffscreenText {
			told[f.Node] = true
		}
	}
	checked := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Tag != "p" && n.Tag != "i" {
			continue
		}
		_, err := tab.Session().Eval(chrometest.Context(t), tab.ID(),
			"document.querySelector('"+n.Path+"').scrollIntoView({block: 'nearest', inline: 'nearest'}); ''")
		require.NoError(t, err)
		now := nodeAt(t, read(t, tab), n.Path)
		require.Equal(t, now.Box.Right() <= 0 || now.Box.Bottom() <= 0, told[i], n.Text)
		checked++
	}
	require.Equal(t, 11, checked)
	require.Len(t, told, 2)
}

func nodeAt(t *testing.T, c *snapshot.Capture, path string) *snapshot.Node {
	for i := range c.Nodes {
		if c.Nodes[i].Path == path {
			return &c.Nodes[i]
		}
	}
	require.Fail(t, "no node", path)
	return nil
}
