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

// Each text has the contrast of its own colour with what lies behind it, whichever texts share one of the two (N-8).
func TestTextsThatShareAColour(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Shared</title>
		<p id=white style="color:#eee">one</p><p id=grey style="color:#eee;background:#ddd">two</p>
		<p id=black style="color:#eee;background:#111">three</p>
		<p id=veil style="color:rgba(0,0,0,.1)">four</p><p id=night style="color:rgba(0,0,0,.1);background:#111">five</p>
		<div style="background:rgba(0,0,0,.05)"><p id=first style="color:#eee">six</p><p id=second style="color:#eee">seven</p></div>
		<p id=solid style="color:#333">eight</p><p id=dim style="color:#333;opacity:.12">nine</p>`)))
	got := map[string]float64{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Ink != nil {
			got[n.Attr("id")] = n.Ink.Contrast
		}
	}
	require.Equal(t, map[string]float64{"white": 1.16, "grey": 1.17, "veil": 1.25, "night": 1.01, "first": 1.04, "second": 1.04,
		"dim": 1.24}, got)
}
