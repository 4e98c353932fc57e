package session_test

import (
	_ "embed"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
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

func change(t testing.TB, tab *browser.Tab, kind int, seed uint32) string {
	t.Helper()
	yes := true
	res, err := cdp.Call(chrometest.Context(t), tab.Session(), runtime.Evaluate, runtime.EvaluateParams{
		Expression:    strings.NewReplacer("KIND", strconv.Itoa(kind), "SEED", strconv.Itoa(int(seed))).Replace(mutateJS),
		ReturnByValue: &yes, AwaitPromise: &yes, UserGesture: &yes})
	if err != nil || res.Result == nil {
		return "not done: " + fmt.Sprint(err) // its document has gone
	}
	return string(res.Result.Value)
}

// person are changes that only a person makes.
func person(t testing.TB, tab *browser.Tab, random *rand.Rand) string {
	t.Helper()
	ctx := chrometest.Context(t)
	switch random.IntN(5) {
	case 0:
		x, y := 30+random.IntN(900), 30+random.IntN(500)
		_, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseMoved, X: float64(x), Y: float64(y)})
		require.NoError(t, err)
		return fmt.Sprintf("pointer to %d, %d", x, y)
	case 1:
		_, err := cdp.Call(ctx, tab.Session(), input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: input.DispatchKeyEventTypeKeyDown, Key: "Tab", WindowsVirtualKeyCode: 9})
		require.NoError(t, err)
		return "tab key"
	case 2:
		_, err := cdp.Call(ctx, tab.Session(), input.InsertText, input.InsertTextParams{Text: "typed"})
		require.NoError(t, err)
		return "typing"
	case 3:
		dy := float64(random.IntN(400) - 100)
		_, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseWheel, X: 200, Y: 200, DeltaX: 1, DeltaY: dy})
		require.NoError(t, err)
		return "wheel"
	}
	w := 900 + random.IntN(300)
	require.NoError(t, tab.Resize(ctx, w, 720))
	return fmt.Sprintf("window of %d", w)
}

// TestWhatIsGivenAgainIsThePage: whatever happens to a page between two captures, one that is given again is, byte for
// byte, what reading the page gives. Pages are changed at random in every way that we know.
func TestWhatIsGivenAgainIsThePage(t *testing.T) {
	t.Setenv(session.TwiceVariable, "1")
	compared := sequences(t, testneed.Cases(1, 3, 40), testneed.Cases(3, 8, 8), testpages.Own)
	t.Logf("%d captures given again were compared", compared)
	require.Positive(t, compared)
}

// TestWhatIsGivenAgainIsTheSavedPage is the same on saved pages, and longer.
func TestWhatIsGivenAgainIsTheSavedPage(t *testing.T) {
	testneed.Long(t, "captures given again of saved pages")
	t.Setenv(session.TwiceVariable, "1")
	compared := 0
	for _, k := range testpages.Kinds() {
		for _, folder := range testpages.Folders(t, k) {
			compared += sequences(t, testneed.Cases(1, 1, 12), 12, func(testing.TB, testpages.Kind) testpages.Folder { return folder })
		}
	}
	t.Logf("%d captures given again were compared", compared)
}

// lasting are changes after which no capture of a page is given again: they are rare, so that the others are tested.
var lasting = []string{"widget", "closedRoot", "smil", "surface"}

// sequences changes each page that many times from its beginning, steps changes each time, and gives how many captures
// were compared.
func sequences(t *testing.T, times, steps int, of func(testing.TB, testpages.Kind) testpages.Folder) (compared int) {
	t.Helper()
	tab := chrome.Tab(t)
	var kinds []string
	walked := map[string]int{}
	seen := map[string]bool{}
	for _, k := range testpages.Kinds() {
		folder := of(t, k)
		if seen[folder.Path] {
			continue
		}
		seen[folder.Path] = true
		root := chrometest.Folder(t, folder.Path)
		for page, name := range folder.Pages(t) {
			for time := range times {
				random := rand.New(rand.NewPCG(uint64(page), uint64(time)))
				if err := tab.Navigate(chrometest.Context(t), root+name); err != nil {
					t.Logf("%s: %v", name, err)
					continue
				}
				if kinds == nil {
					kinds = strings.Fields(strings.Trim(change(t, tab, -1, 0), `"`))
					require.Greater(t, len(kinds), 40)
				}
				text(t, tab, false)
				var did []string
				for range steps {
					for range 1 + random.IntN(2) {
						if random.IntN(6) == 0 {
							did = append(did, person(t, tab, random))
							continue
						}
						kind := random.IntN(len(kinds))
						if slices.Contains(lasting, kinds[kind]) && random.IntN(6) > 0 {
							continue
						}
						did = append(did, kinds[kind]+" "+change(t, tab, kind, random.Uint32()))
					}
					for range 2 {
						c := text(t, tab, false)
						for _, f := range c.Failed {
							require.NotEqual(t, session.LayerAgain, f.Layer, "%s, time %d, after %q: %s", name, time, did, f.Why)
						}
						if walked[c.Timings.Walked]++; c.Timings.Walked == "twice" {
							compared++
						}
					}
				}
			}
		}
	}
	for _, why := range slices.Sorted(maps.Keys(walked)) {
		t.Logf("%6d %s", walked[why], why)
	}
	return compared
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
