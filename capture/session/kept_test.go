package session_test

import (
	_ "embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// forget has the next capture of a tab be a fresh one, where that is wanted.
func forget(tab *browser.Tab, fresh bool) {
	if fresh {
		tab.Keep(nil)
	}
}

// text is a capture of the texts alone, fresh or as it comes.
func text(t testing.TB, tab *browser.Tab, fresh bool) *snapshot.Capture {
	t.Helper()
	forget(tab, fresh)
	shot, err := session.Take(chrometest.Context(t), tab, session.Options{NoPicture: true,
		Settle: session.Settle{Max: time.Millisecond}})
	require.NoError(t, err)
	return shot.Capture
}

func TestAPageThatStaysIsNotWalkedAgain(t *testing.T) {
	site := chrometest.Serve(t, http.FileServerFS(assets.Demo()))
	tab := chrome.Tab(t)
	for _, url := range []string{chrometest.Page(t, chrometest.Rows(50)), site + "checkout.html",
		site + "orders.html", chrometest.Page(t, `<input value=a><iframe srcdoc="<p>In"></iframe>`)} {
		chrometest.Load(t, tab, url)
		first := text(t, tab, false)
		require.False(t, first.Timings.Again)
		again := text(t, tab, false)
		require.True(t, again.Timings.Again, "%s: %s", url, again.Timings.Walked)
		require.Zero(t, again.Timings.Walk)
		require.Equal(t, first.Nodes, again.Nodes)
		require.False(t, again.TakenAt.Before(first.TakenAt))
		require.False(t, text(t, tab, true).Timings.Again, "it is asked for a fresh one")
		require.True(t, text(t, tab, false).Timings.Again, url)
	}
	chrometest.Load(t, tab, chrometest.Page(t, `<x-part>Its own</x-part>`))
	text(t, tab, false)
	require.Equal(t, "kind", text(t, tab, false).Timings.Walked, "elements of the page's own kind are always read")
}

//go:embed testdata/mutate.js
var mutateJS string

//go:embed testdata/platform.js
var platformJS string

func change(t testing.TB, tab *browser.Tab, kind int, seed uint32) string {
	t.Helper()
	res, err := cdp.Call(chrometest.Context(t), tab.Session(), runtime.Evaluate, runtime.EvaluateParams{
		Expression: strings.NewReplacer("PLATFORM", platformJS, "KIND", strconv.Itoa(kind), "SEED",
			strconv.Itoa(int(seed))).Replace(mutateJS),
		ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true)})
	if err != nil || res.Result == nil {
		return "not done: " + fmt.Sprint(err) // its document has gone
	}
	return string(res.Result.Value)
}

// TestWhatChangesIsNotGivenAgain: each of these changes what a reading of the page gives, most of them without a
// mutation that its observer could see.
func TestWhatChangesIsNotGivenAgain(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Shop</title><style id=s>.x { color: black }</style>
<ol style="list-style: dots"><li>Item</ol><button id=a aria-labelledby=l>Pay</button><div style="display:none" id=l><span class=y>Named</span> so</div>
<div id=box style="height:30px;overflow:hidden"><p>one<p>two<p>three<p>four</div>
<div id=press>Press</div><div id=react>React</div><div id=gone style="display:none"><section id=host></section></div>
<select id=list size=2><option>1<option>2<option>3<option>4</select><input id=i><input id=c type=checkbox><input id=f type=file>
<img id=img width=20 height=20><canvas id=v></canvas><details id=d><summary>More</summary>x</details>
<iframe id=in srcdoc="<p>In</p><input value=x><div style='height:9000px'>"></iframe>
<div style="height:3000px"></div><div data-dddk-skip id=skip style="height:30px;overflow:auto"><p>1<p>2<p>3</div>
<script>
	window.on = () => {};
	press.addEventListener('click', on);
	document.body.addEventListener('click', on);
	document.documentElement.__reactProps$test1 = {};
	react.__reactProps$test1 = { onClick: on };
	const open = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open', slotAssignment: 'named' });
	open.innerHTML = '<input id=deep><div style="height:20px;overflow:auto" id=deepBox><p>1<p>2<p>3</div><button>B</button>';
	window.openRoot = open;
</script>`))
	for _, script := range []string{
		`press.removeEventListener('click', on)`,
		`react.__reactProps$test1 = {}`,
		`const f = () => {}; react.addEventListener('click', f)`,
		`host.parentNode.__click = on`,
		`host.attachShadow({mode: 'open'}).innerHTML = '<button>Hidden</button>'`,
		`document.styleSheets[0].insertRule('.y { display: none }')`,
		`document.styleSheets[0].cssRules[0].style.display = 'inline'`,
		`document.styleSheets[0].cssRules[0].selectorText = '#press'`,
		`document.styleSheets[0].deleteRule(0)`,
		`const s = new CSSStyleSheet(); s.replaceSync('#press { opacity: 0 }'); document.adoptedStyleSheets = [s]`,
		`document.adoptedStyleSheets[0].replaceSync('#a { opacity: 0 }')`,
		`const s = new CSSStyleSheet(); s.replaceSync('button { display: none }'); openRoot.adoptedStyleSheets = [s]`,
		`openRoot.adoptedStyleSheets = []`,
		`document.styleSheets[0].insertRule('@media screen { #press { display: none } }')`,
		`document.styleSheets[0].cssRules[0].media.mediaText = 'print'`,
		`document.styleSheets[0].cssRules[0].insertRule('#a { display: none }')`,
		`document.styleSheets[0].cssRules[0].media.mediaText = 'all'`,
		`document.styleSheets[0].insertRule('#press { & { color: red } }')`,
		`document.styleSheets[0].cssRules[0].insertRule('& { display: block !important }')`,
		`document.styleSheets[0].media.mediaText = 'print'`, `document.styleSheets[0].media.mediaText = 'all'`,
		`document.styleSheets[0].insertRule('@counter-style dots { system: cyclic; symbols: "*"; suffix: " " }')`,
		`document.styleSheets[0].insertRule('@layer one { #l { display: block } }')`,
		`document.styleSheets[0].insertRule('.y::before { content: "Before" }')`,
		`document.styleSheets[0].insertRule('@keyframes k { from { opacity: 0 } to { opacity: 1 } }')`,
		`CSS.registerProperty({ name: '--p', syntax: '<length>', inherits: false, initialValue: '1px' })`,
		`box.scrollTop = 20`, `list.scrollTop = 20`, `skip.scrollTop = 20`, `openRoot.getElementById('deepBox').scrollTop = 9`,
		`i.value = 'a'`, `i.value = 'b'`, `c.checked = true`, `c.indeterminate = true`, `list.selectedIndex = 2`,
		`list.options[0].selected = true`, `openRoot.getElementById('deep').value = 'x'`,
		`const t = new DataTransfer(); t.items.add(new File(['x'], 'name.txt')); f.files = t.files`,
		`openRoot.getElementById('deep').focus()`, `openRoot.querySelector('button').focus()`, `i.focus()`,
		`openRoot.querySelector('button').firstChild.data = 'C'`,
		`document.designMode = 'on'`, `document.designMode = 'off'`,
		`d.open = true`,
		`in_.document.querySelector('input').value = 'y'`, `in_.scrollTo(0, 50)`, `in_.document.querySelector('p').textContent = 'Other'`,
		`in_.document.styleSheets.length || in_.document.head.appendChild(in_.document.createElement('style'))`,
		`in_.document.styleSheets[0].insertRule('p { display: none }')`,
		`scrollTo(0, 5)`, `history.pushState({}, '', '#two')`, `console.log('said')`,
		`window.__dddkDebug = { lastDom: 'x' }`, `delete window.__dddkDebug`,
		`box.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 1e6 })`, `document.getAnimations()[0].cancel()`,
		`openRoot.querySelector('button').animate([{ opacity: 0 }, { opacity: 1 }], { duration: 1e6 })`,
		`openRoot.getAnimations()[0].cancel()`,
		`document.title = 'Basket'`,
		`react.attachShadow({ mode: 'open', slotAssignment: 'manual' })`,
	} {
		if !strings.Contains(script, "cancel") && !strings.Contains(script, "delete window") {
			text(t, tab, false)
			require.Eventually(t, func() bool { return text(t, tab, false).Timings.Again }, 20*time.Second, time.Millisecond,
				"before %s: %s", script, text(t, tab, false).Timings.Walked)
		}
		inPage(t, tab, `(() => { const in_ = frames[0]; `+script+`; return 'done' })()`)
		c := text(t, tab, false)
		require.False(t, c.Timings.Again, script)
		require.NotEmpty(t, c.Timings.Walked, script)
	}
	tab = chrome.Open(t, chrometest.Page(t, `<div id=h>Light</div><p>More`))
	require.Eventually(t, func() bool { return text(t, tab, false).Timings.Again }, 20*time.Second, time.Millisecond)
	inPage(t, tab, `(() => { h.attachShadow({ mode: 'closed' }).innerHTML = '<p><slot></slot>'; return 'done' })()`)
	require.Equal(t, "style", text(t, tab, false).Timings.Walked)
}

// TestClosedRootsThatNobodyFound: what the slots of a closed root take can be scrolled without a trace, also where the
// root is not found as its content fills its host.
func TestClosedRootsThatNobodyFound(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<div id=h><p>one<p>two<p>three<p>four</div><script>
		window.root = h.attachShadow({mode: 'closed'});
		root.innerHTML = '<div id=box style="overflow:auto;height:30px"><slot></slot></div>';
	</script>`))
	text(t, tab, false)
	before := text(t, tab, false)
	require.Equal(t, "kind", before.Timings.Walked)
	inPage(t, tab, `(() => { root.firstChild.scrollTop = 20; return 'done' })()`)
	require.NotEqual(t, before.Nodes[4].Box, text(t, tab, false).Nodes[4].Box)
}

// TestOtherOptionsAreAnotherCapture: only a capture that was asked for in the same way is given again, and each gets its
// own numbers.
func TestOtherOptionsAreAnotherCapture(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<button>One</button><p>Two`))
	text(t, tab, false)
	o := session.Options{NoPicture: true, Settle: session.Settle{Max: time.Millisecond}, NodeIDs: true}
	named := take(t, tab, o)
	require.Equal(t, "options", named.Capture.Timings.Walked)
	require.NotZero(t, named.Capture.ByRef(1).BackendNodeID)
	o.Number = func(c *snapshot.Capture) {
		for i := range c.Nodes {
			c.Nodes[i].Ref = 100 + i
		}
	}
	again := take(t, tab, o)
	require.True(t, again.Capture.Timings.Again, again.Capture.Timings.Walked)
	require.Equal(t, 100, again.Capture.Nodes[0].Ref)
	require.Equal(t, 0, named.Capture.Nodes[0].Ref, "what was given before stays as it was")
	o.NoPicture = false
	require.False(t, take(t, tab, o).Capture.Timings.Again, "with a picture it is read")
}
