package collect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
)

// clipsPage has elements that a person sees (data-want=shown) and some that a clip takes away, under transforms, zoom and
// in drawings.
const clipsPage = `<!doctype html><style>body{margin:0}.box{overflow:hidden;width:120px;height:60px;white-space:nowrap}
.gap{display:inline-block;width:35px}.own{width:90px;height:30px}</style>
<div style="transform:scale(2);transform-origin:0 0;width:200px;height:150px"><div class=box><button data-want=shown>One</button>
<span class=gap></span><button data-want=shown>Two</button><span class=gap></span><button data-want=clipped>Three</button>
<p data-want=shown>Lower line</p><p data-want=clipped>Line below</p></div></div>
<div style="height:160px"></div>
<div style="zoom:2"><div class=box><button data-want=shown>Four</button><span class=gap></span><button data-want=shown>Five</button>
<p data-want=shown>Lower zoomed</p><p data-want=clipped>Below zoomed</p></div></div>
<div style="transform:rotate(12deg) scale(1.5);transform-origin:0 0;width:90px;margin-left:40px"><div class=box><button
 data-want=shown>Turned</button><p data-want=shown>Turned line</p></div></div>
<div style="height:90px"></div>
<svg width=500 height=160 viewBox="0 0 250 80"><g transform="translate(10,5)"><foreignObject width=120 height=60><div
 xmlns="http://www.w3.org/1999/xhtml"><p data-want=shown>Of a diagram</p><button data-want=shown>Next</button></div>
</foreignObject></g></svg>
<button class=own data-want=clipped style="clip-path:circle(0)">Circle of nothing</button>
<button class=own data-want=shown style="clip-path:circle(50%)">Circle of half</button>
<button class=own data-want=shown style="clip-path:ellipse(40px 12px at 50% 50%)">Ellipse</button>
<button class=own data-want=clipped style="clip-path:polygon(0 0,100% 0,100% 0,0 0)">Flat polygon</button>
<button class=own data-want=shown style="clip-path:polygon(0 0,100% 0,50% 100%)">Triangle</button>
<button class=own data-want=clipped style="clip-path:inset(100%)">Inset</button>
<div style="clip-path:circle(30px at 40px 20px);width:300px;height:40px"><button class=own data-want=shown>Inside it</button><span
 class=gap></span><button class=own data-want=clipped>Outside it</button></div>`

// What overflow and clip-path leave is measured as it is drawn: scaled, zoomed, turned and in drawings.
func TestClipsAreThoseOfThePicture(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, clipsPage))
	c := read(t, tab)
	tried := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		want := n.Attr("data-want")
		if want == "" {
			continue
		}
		tried++
		require.True(t, n.Verdict == snapshot.VerdictRef || n.Verdict == snapshot.VerdictContent ||
			n.Verdict == snapshot.VerdictClipped, "%s: %s", n.Text, n.Verdict)
		require.Equal(t, want == "clipped", !n.Visible, "%s: %s, %s", n.Text, n.Verdict, n.Evidence)
	}
	require.Equal(t, 21, tried)
}

// Parts of a drawing that are pressed by themselves are numbered, as what lies in a foreignObject is; the icon of a
// control is a part of it, and a drawing as a whole is none.
func TestDrawingsThatArePressed(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><svg width=300 height=100 onclick="x()">
<rect id=bar width=40 height=80 onclick="x()" /><rect id=plain x=50 width=40 height=80 /><text id=words x=100 y=40>Yes, really</text>
<g id=group><circle id=dot cx=220 cy=40 r=20 /></g><foreignObject x=250 width=50 height=30><button id=html>Go</button>
</foreignObject></svg><button id=around onclick="x()"><svg width=16 height=16><path id=icon d="M0 0h16v16z" onclick="x()" /></svg>
Save</button><script>words.addEventListener('click', () => {}); dot.addEventListener('pointerdown', () => {})</script>`)))
	want := map[string]snapshot.Verdict{"bar": snapshot.VerdictRef, "plain": snapshot.VerdictSkippedTag,
		"words": snapshot.VerdictRef, "group": snapshot.VerdictSkippedTag, "dot": snapshot.VerdictRef, "html": snapshot.VerdictRef,
		"around": snapshot.VerdictRef, "icon": snapshot.VerdictInsideAtomic}
	got := map[string]snapshot.Verdict{}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		id := n.Attr("id")
		if id == "" {
			continue
		}
		if got[id] = n.Verdict; n.Verdict == snapshot.VerdictRef {
			require.NotNil(t, n.Occlusion, id)
			require.Equal(t, snapshot.Clear, n.Occlusion.State, id)
		}
	}
	require.Equal(t, want, got)
}

// A frame whose content box is empty shows nothing, whatever borders it has.
func TestFrameOfNoSize(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><iframe width=0 height=0 srcdoc="<button>Never</button>"></iframe>
<iframe width=200 height=60 srcdoc="<button>Seen</button>"></iframe>`)))
	var buttons []string
	for i := range c.Nodes {
		if c.Nodes[i].Tag == "button" {
			buttons = append(buttons, c.Nodes[i].Text)
		}
	}
	require.Equal(t, []string{"Seen"}, buttons)
	var unread []string
	for _, f := range c.Frames {
		if !f.Readable {
			unread = append(unread, f.Why)
		}
	}
	require.Equal(t, []string{"the frame element is not rendered"}, unread)
}
