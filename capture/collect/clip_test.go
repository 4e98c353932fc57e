package collect_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
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
	for n, want := range marked(c, "data-want") {
		tried++
		require.True(t, n.Verdict == snapshot.VerdictRef || n.Verdict == snapshot.VerdictContent ||
			n.Verdict == snapshot.VerdictClipped, "%s: %s", n.Text, n.Verdict)
		require.Equal(t, want == "clipped", !n.Visible, "%s: %s, %s", n.Text, n.Verdict, n.Evidence)
	}
	require.Equal(t, 21, tried)
}

// reachedJS scrolls what a person can scroll around each leaf, and notes whether any of it then shows.
const reachedJS = `(() => {
  const scrolls = (v) => v === 'auto' || v === 'scroll';
  const shows = (el) => {
    const r = el.getBoundingClientRect();
    for (const x of [.2, .4, .6, .8]) for (const y of [.2, .4, .6, .8])
      if (document.elementFromPoint(r.left + x * r.width, r.top + y * r.height) === el) return true;
    return false;
  };
  const reach = (el, list) => {
    if (list.length === 0) return shows(el);
    const [s, ...rest] = list, style = getComputedStyle(s), left = s.scrollLeft, top = s.scrollTop;
    let found = false;
    for (const kx of scrolls(style.overflowX) ? [0, .5, 1] : [0]) for (const ky of scrolls(style.overflowY) ? [0, .5, 1] : [0]) {
      if (found) break;
      s.scrollLeft = left; s.scrollTop = top;
      const a = s.getBoundingClientRect(), b = el.getBoundingClientRect(), by = a.width / s.offsetWidth;
      if (scrolls(style.overflowX)) s.scrollLeft += (b.left - a.left) / by - kx * (s.clientWidth - 20);
      if (scrolls(style.overflowY)) s.scrollTop += (b.top - a.top) / by - ky * (s.clientHeight - 20);
      found = reach(el, rest);
    }
    s.scrollLeft = left; s.scrollTop = top;
    return found;
  };
  for (const el of document.querySelectorAll('button')) {
    const list = [];
    for (let up = el.parentElement; up; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (up !== document.body && (scrolls(style.overflowX) || scrolls(style.overflowY))) list.push(up);
    }
    const tree = el.closest('body > div'); // the others lie in the same place
    tree.style.pointerEvents = 'auto';
    el.dataset.want = reach(el, list) ? 'reached' : 'never';
    tree.style.pointerEvents = '';
  }
  return '';
})()`

// TestWhatScrollingReaches: what clips around a scroll container, however these lie in each other, takes away nothing
// that scrolling brings there. Truth is the page itself, scrolled.
func TestWhatScrollingReaches(t *testing.T) {
	reached, never := 0, 0
	reversed := map[bool]string{true: "display:flex;flex-direction:column-reverse;"} // what overflows such a box below is lost
	for seed := range testneed.Cases(4, 12, 60) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		pick := func(of ...string) string { return of[r.IntN(len(of))] }
		var page strings.Builder
		page.WriteString(`<!doctype html><style>body{margin:0}button{display:block;flex:none;width:20px;height:20px;padding:0;border:0}` +
			`div{box-sizing:border-box;flex:none}body>div{position:absolute;left:400px;top:90px;width:200px;height:200px;pointer-events:none}` +
			`</style>`)
		for range 12 {
			page.WriteString(`<div>`)
			depth, scrollers := 1+r.IntN(4), 0
			for level := range depth {
				overflow := pick("hidden", "hidden", "auto", "auto", "hidden auto", "auto hidden", "visible", "clip")
				if strings.Contains(overflow, "auto") {
					if scrollers++; scrollers > 2 {
						overflow = "hidden"
					}
				}
				fmt.Fprintf(&page, `<div style="overflow:%s;width:%dpx;height:%s;margin:%dpx 0 0 %dpx;%s%s">`, overflow, 40+20*r.IntN(9),
					pick("auto", fmt.Sprint(40+20*r.IntN(9), "px")), 20*r.IntN(5), 20*r.IntN(5),
					pick("", "", "", "position:relative;", "direction:rtl;", reversed[level == depth-1]),
					pick("", "", "", "", "transform:translate(10px,10px);", "transform:scale(.5);transform-origin:0 0;"))
			}
			for leaf := range 3 {
				fmt.Fprintf(&page, `<button style="margin:%dpx 0 0 %dpx">%d</button>`, 20*r.IntN(5), 20*r.IntN(9), leaf)
			}
			page.WriteString(strings.Repeat("</div>", depth+1))
		}
		page.WriteString(`<script>for (const d of document.querySelectorAll('div')) { d.scrollTop = ` + pick("0", "30", "-30", "1e4") +
			`; d.scrollLeft = ` + pick("0", "30", "-30", "1e4") + ` }</script>`)
		tab := chrome.Open(t, chrometest.Page(t, page.String()))
		_, err := tab.Session().Eval(chrometest.Context(t), tab.ID(), reachedJS)
		require.NoError(t, err)
		c := read(t, tab)
		for i := range c.Nodes {
			if n := &c.Nodes[i]; n.Tag == "button" {
				want := n.Attr("data-want")
				if want == "reached" {
					reached++
				} else {
					never++
				}
				assert.Equal(t, want == "reached", n.Visible, "page %d, %s: %s, %s", seed, n.Path, want, n.Evidence)
			}
		}
		if t.Failed() {
			t.Log(page.String())
			return
		}
	}
	t.Logf("%d are reached, %d never", reached, never)
	require.Positive(t, reached)
	require.Positive(t, never)
}

// Parts of a drawing that are pressed by themselves are numbered, as what lies in a foreignObject is, and so is an
// icon, that in a control with words too; the icon of a control that does not listen is a part of it, and a drawing as
// a whole is none.
func TestDrawingsThatArePressed(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><svg width=300 height=100 onclick="x()">
<rect id=bar width=40 height=80 onclick="x()" /><rect id=plain x=50 width=40 height=80 /><text id=words x=100 y=40>Yes, really</text>
<g id=group><circle id=dot cx=220 cy=40 r=20 /></g><foreignObject x=250 width=50 height=30><button id=html>Go</button>
</foreignObject></svg><button id=around onclick="x()"><svg width=16 height=16><path id=icon d="M0 0h16v16z" onclick="x()" /></svg>
Save</button><svg id=cross width=20 height=20 onclick="x()" aria-hidden=true><path d="M0 0h20v20z" /></svg>
<svg id=chart width=90 height=20 onclick="x()"><path d="M0 0h90v20z" /></svg><svg id=still width=20 height=20></svg>
<button><svg id=held width=16 height=16 onclick="x()"><path d="M0 0h16v16z" /></svg>Keep</button>
<button><svg id=quiet width=16 height=16><path id=line d="M0 0h16v16z" /></svg>Go</button>
<button><svg id=alone width=16 height=16 onclick="x()"><path d="M0 0h16v16z" /></svg></button>
<script>words.addEventListener('click', () => {}); dot.addEventListener('pointerdown', () => {})</script>`)))
	want := map[string]snapshot.Verdict{"bar": snapshot.VerdictRef, "plain": snapshot.VerdictSkippedTag,
		"words": snapshot.VerdictRef, "group": snapshot.VerdictSkippedTag, "dot": snapshot.VerdictRef, "html": snapshot.VerdictRef,
		"around": snapshot.VerdictRef, "icon": snapshot.VerdictRef, "held": snapshot.VerdictRef,
		"quiet": snapshot.VerdictSkippedTag, "line": snapshot.VerdictSkippedTag, "alone": snapshot.VerdictInsideAtomic,
		"cross": snapshot.VerdictRef, "chart": snapshot.VerdictSkippedTag, "still": snapshot.VerdictSkippedTag}
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

// TestClipsOfShapes: what a turned box, a shape or a mask leaves is what the picture shows, whichever box holds it; and
// of a turned element the cover takes what it takes.
func TestClipsOfShapes(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><style>
body { margin: 0 } div, b { position: absolute; width: 120px; height: 60px } b { background: #36c }
.fix { position: fixed }
</style><b data-want=0 style="left:10px;top:10px;mask-image:linear-gradient(transparent,transparent)">masked</b>
<b data-want=50 style="left:150px;top:10px;mask-image:linear-gradient(90deg,black 50%,transparent 50%)">half</b>
<b data-want=100 style="left:290px;top:10px;mask-image:linear-gradient(red,blue)">nothing taken</b>
<div style="left:430px;top:10px;mask-image:linear-gradient(red,blue)"><b data-want=0 style="left:130px">beside</b></div>
<div style="left:10px;top:100px;width:300px;height:200px;clip-path:polygon(0 0,100% 0,0 100%)">
<b data-want=100 style="left:10px;top:10px">in</b><b data-want=0 style="left:170px;top:130px">out</b>
<b class=fix data-want=0 style="left:180px;top:230px">fixed</b></div>
<div style="left:330px;top:100px;clip-path:path('M0 0h20v60h-20z')"><b
 data-want=0 style="left:40px">beside a path</b></div>
<div style="left:400px;top:220px;width:200px;height:100px;overflow:hidden;rotate:45deg">
<b data-want=100 style="left:20px;top:20px">in</b><b
 data-want=0 style="left:210px;top:40px">out of what is turned</b></div>
<div style="left:500px;top:400px;width:200px;height:100px;overflow:auto;rotate:45deg">
<b data-want=-1 style="left:210px;top:40px">scrolled to</b></div>
<b data-want=50 style="left:900px;top:200px;width:200px;rotate:30deg">turned</b>
<div style="left:1000px;top:100px;width:200px;height:300px;background:#fc0">over half of it</div>`)))
	tried := 0
	for n, want := range marked(c, "data-want") {
		tried++
		switch want {
		case "0":
			require.False(t, n.Visible, n.Text)
		case "-1":
			require.True(t, n.Visible, n.Text)
		default:
			require.True(t, n.Visible, n.Text)
			require.InDelta(t, map[string]float64{"50": 0.5, "100": 1}[want], n.Occlusion.VisibleShare, 0.1, n.Text)
		}
	}
	require.Equal(t, 12, tried)
}

// What the browser puts into the top layer is drawn as if it were beside the root: what lies around it in the document
// neither cuts, nor dims, nor turns it.
func TestNothingAroundCutsOrDimsTheTopLayer(t *testing.T) {
	around := []string{"overflow:hidden;position:relative", "overflow:clip;transform:translateX(3px)", "clip-path:inset(50%)",
		"opacity:0", "filter:opacity(0)", "contain:strict", "clip:rect(0,0,0,0);position:absolute", "scale:.1;overflow:hidden",
		"mask:linear-gradient(transparent,transparent)", "rotate:30deg;overflow:hidden", "backface-visibility:hidden;rotate:y 180deg"}
	var page strings.Builder
	page.WriteString("<!doctype html><style>body{margin:0}[popover],dialog{margin:0;padding:0;border:0}button{width:90px;height:30px}</style>")
	tried := 0
	for _, position := range []string{"fixed", "absolute"} {
		for _, style := range around {
			place := fmt.Sprintf("position:%s;left:%dpx;top:%dpx", position, 10+tried%5*110, 10+tried/5*50)
			fmt.Fprintf(&page, `<div style="width:4px;height:4px;%s"><div popover=manual style="%s"><button data-want="%s, %s">`+
				`Pay</button></div></div>`, style, place, position, style)
			tried++
		}
	}
	page.WriteString(`<div style="opacity:0;overflow:hidden;width:4px;height:4px;position:relative"><dialog style="left:700px;` +
		`top:10px;position:absolute"><button data-want=modal>Pay</button></dialog></div>` +
		`<script>for (const p of document.querySelectorAll('[popover]')) p.showPopover();</script>`)
	const show = `<script>document.querySelector('dialog').showModal()</script>`
	for modal, more := range map[bool]string{false: "", true: show} {
		tab := chrome.Open(t, chrometest.Page(t, page.String()+more))
		found := 0
		for n, want := range marked(read(t, tab), "data-want") {
			if (want == "modal") != modal {
				continue
			}
			found++
			require.True(t, n.Visible, "%s: %s", want, n.Evidence)
			require.Empty(t, n.Unseen, want)
			require.Nil(t, n.Clip, want)
			require.NotNil(t, n.Occlusion, want)
			require.Equal(t, snapshot.Clear, n.Occlusion.State, want)
			require.Equal(t, 1.0, n.Occlusion.VisibleShare, want)
			require.Equal(t, 1.0, n.Occlusion.HitShare, want)
		}
		require.Equal(t, map[bool]int{false: tried, true: 1}[modal], found)
	}
}
