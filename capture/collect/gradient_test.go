package collect_test

import (
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

// Text on a gradient is pale where it stands out from none of its colours (N-8).
func TestTextOnAGradient(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Gradient</title><style>p{color:#fff;height:40px}</style>
		<p id=pale style="background:linear-gradient(#fff,#fefefe)">one</p>
		<div style="background:radial-gradient(#fff,#eee)"><p id=inside>two</p><p id=veiled style="background:rgba(255,255,255,.5)">three</p></div>
		<p id=dark style="background:linear-gradient(#000,#333)">four</p>
		<p id=half style="background:linear-gradient(#fff,#000)">five</p>
		<p id=picture style="background:linear-gradient(#fff,#fff),url(x.png)">six</p>
		<p id=clear style="background:linear-gradient(rgba(255,255,255,.2),#fff)">seven</p>
		<p id=small style="background:linear-gradient(#fff,#fff) no-repeat;background-size:10px 10px">eight</p>`)))
	got := map[string]bool{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Attr("id") != "" {
			got[n.Attr("id")] = n.Ink != nil && n.Ink.Contrast > 0
		}
	}
	require.Equal(t, map[string]bool{"pale": true, "inside": true, "veiled": true, "dark": false, "half": false, "picture": false,
		"clear": false, "small": false}, got)
}

// Yellow on white is seen although its luminance is that of white; a shade of white is not.
func TestTextOfAnotherHueIsNotPale(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Hue</title>
		<p id=yellow style="color:#ff0">one</p><p id=ivory style="color:#ffffe0">two</p>
		<p id=faded style="color:#ff0;opacity:.3">three</p><p id=red style="background:#777;color:#f20">four</p>`)))
	got := map[string]bool{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Attr("id") != "" {
			got[n.Attr("id")] = n.Ink != nil && n.Ink.Contrast > 0
		}
	}
	require.Equal(t, map[string]bool{"yellow": false, "ivory": true, "faded": true, "red": false}, got)
}
