package session_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// inPage evaluates in the page's own world, as its scripts do.
func inPage(t testing.TB, tab *browser.Tab, expression string) string {
	t.Helper()
	yes := true
	res, err := cdp.Call(chrometest.Context(t), tab.Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ReturnByValue: &yes})
	require.NoError(t, err)
	require.Nil(t, res.ExceptionDetails)
	var s string
	require.NoError(t, json.Unmarshal(res.Result.Value, &s))
	return s
}

// TestSurfaceIsRead: what a page's own agent mirrors is in the turn, redacted, as the
// payloads that it was sent.
func TestSurfaceIsRead(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Agent</title><h1>Shop</h1><input type=password value="Tr0ub4dor&amp;3">
		<script>window.__dddkDebug = {lastDom: 'URL: x\n[1]<h1>Shop</h1> Tr0ub4dor&3', lastDomAt: '2026-01-02T03:04:05Z', lastDomBytes: 12,
		lastIndexMap: new Map([[1, document.querySelector('h1')]]),
		lastLlmMessages: [{role: 'system', content: 'Be \u{1F600} kind\ud800.'}, {role: 'user', content: [{type: 'text', text: 'key sk-abcDEF0123456789abcdef'}], n: 1.5, ok: true, none: null}]}</script>`))
	store, err := turn.Create(chrometest.Context(t), turn.Dir(t.TempDir()+"/s"), "test")
	require.NoError(t, err)
	shot := take(t, tab, session.Options{NoPicture: true, Store: store})
	require.False(t, shot.Capture.Moment.Torn)
	require.Empty(t, shot.Capture.Failed)
	rec, err := store.Load(chrometest.Context(t), shot.N)
	require.NoError(t, err)
	require.Len(t, rec.Payloads, 2)
	require.Equal(t, "URL: x\n[1]<h1>Shop</h1> [redacted]", string(rec.Payloads[0].Bytes))
	require.JSONEq(t, `[{"role":"system","content":"Be 😀 kind�."},{"role":"user","content":[{"type":"text","text":"key [redacted: token]"}],"n":1.5,"ok":true,"none":null}]`, string(rec.Payloads[1].Bytes))
	for _, p := range rec.Payloads {
		require.Equal(t, "dddk", p.Dialect)
		require.Equal(t, turn.Request, p.Way)
		require.True(t, p.Wire)
		require.Len(t, p.Redacted, 1)
		for _, s := range p.Redacted {
			require.True(t, strings.HasPrefix(string(p.Bytes[s.Start:s.End]), "[redacted"))
		}
	}
	require.Len(t, rec.Lacks, 1)
	require.Contains(t, rec.Lacks[0], "2026-01-02T03:04:05Z")
}

// TestSurfaceHostile: whatever a page puts there, a turn is taken, and
// nothing in the page runs that would change it.
func TestSurfaceHostile(t *testing.T) {
	testneed.Long(t, "hostile surfaces")
	tab := chrome.Tab(t)
	for name, x := range map[string]struct {
		script   string
		payloads []string // what each begins with
		why      string   // of the failure, "" for none
	}{
		"none":                           {``, nil, ""},
		"not an object":                  {`window.__dddkDebug = 'text'`, nil, ""},
		"a getter that throws":           {`Object.defineProperty(window, '__dddkDebug', {get() { throw new Error('no') }})`, nil, "more than is read"},
		"a member that throws":           {`window.__dddkDebug = {get lastDom() { throw 1 }, lastLlmMessages: ['m']}`, []string{`["m"]`}, "more than is read"},
		"a getter that never ends":       {`window.__dddkDebug = {get lastDom() { for (;;); }}`, nil, "could not be read"},
		"a getter that changes the page": {`window.changed = 0; window.__dddkDebug = {get lastDom() { window.changed++; return 'x' }, lastLlmMessages: []}`, nil, "could not be read"},
		"10 MB":                          {`window.__dddkDebug = {lastDom: 'x'.repeat(1e7), lastLlmMessages: ['m']}`, []string{"xxxx", `["m"]`}, "more than is read"},
		"a list without end":             {`window.__dddkDebug = {lastDom: 'd', lastLlmMessages: new Array(4e9).fill}; window.__dddkDebug.lastLlmMessages = []; window.__dddkDebug.lastLlmMessages.length = 4e9`, []string{"d", "[null,null"}, "more than is read"},
		"cyclic":                         {`const a = {role: 'user'}; a.self = a; window.__dddkDebug = {lastDom: 'd', lastLlmMessages: [a]}`, []string{"d", `[{"role":"user","self":{"role":"user"`}, "more than is read"},
		"branching cycles":               {`const a = []; for (let i = 0; i < 50; i++) a[i] = a; window.__dddkDebug = {lastDom: 'd', lastLlmMessages: a}`, []string{"d", "[[["}, "more than is read"},
		"a proxy":                        {`window.__dddkDebug = new Proxy({}, {get(o, k) { return k === 'lastDom' ? 'from a proxy' : undefined }})`, []string{"from a proxy"}, ""},
		"a proxy without end":            {`window.__dddkDebug = {lastDom: 'd', lastLlmMessages: new Proxy({}, {ownKeys() { for (;;); }})}`, nil, "could not be read"},
		"replaced built-ins":             {`JSON.stringify = () => 'forged'; Array.isArray = () => { throw 1 }; String.prototype.toString = () => 'forged'; Array.prototype.push = () => { throw 1 }; Object.prototype.toJSON = () => 'forged'; window.__dddkDebug = {lastDom: 'true', lastLlmMessages: 7}`, []string{"true", "7"}, ""},
		"setters on Array":               {`Object.defineProperty(Array.prototype, '0', {set() { window.trapped = 1 }, get() { return 'x'.repeat(1e8) }}); window.__dddkDebug = {lastDom: 'true'}`, []string{"true"}, ""},
		"toJSON":                         {`window.__dddkDebug = {lastDom: 'd', lastLlmMessages: {toJSON() { for (;;); }, a: 1}}`, []string{"d", `{"toJSON":null,"a":1}`}, "more than is read"},
		"forged marks":                   {`window.__dddkDebug = {lastDom: ']s3:abc', lastLlmMessages: {']': '}', '[redacted': '[redacted: nothing'}}`, []string{"]s3:abc", `{"]":"}"`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			chrometest.Load(t, tab, chrometest.Page(t, `<!doctype html><title>Hostile</title><h1>Shop</h1><script>`+x.script+`</script>`))
			shot := take(t, tab, session.Options{NoPicture: true})
			require.Len(t, shot.Payloads, len(x.payloads))
			for i, want := range x.payloads {
				require.True(t, strings.HasPrefix(string(shot.Payloads[i].Bytes), want), "payload %d begins with %.80q", i, shot.Payloads[i].Bytes)
				require.Less(t, len(shot.Payloads[i].Bytes), 32<<20)
				if shot.Payloads[i].Media == "application/json" {
					require.True(t, json.Valid(shot.Payloads[i].Bytes))
				}
			}
			if x.why == "" {
				require.Empty(t, shot.Capture.Failed)
				return
			}
			require.Len(t, shot.Capture.Failed, 1)
			require.Equal(t, "debug-surface", shot.Capture.Failed[0].Layer)
			require.Contains(t, shot.Capture.Failed[0].Why, x.why)
			require.Equal(t, "0", inPage(t, tab, `String(window.changed || 0)`))
		})
	}
}

// TestSurfaceIsWritten: only where that is asked for, with the capture's numbers on the
// page's own elements, without secrets; ours is renewed and never read as an agent's, and
// that of another stays.
func TestSurfaceIsWritten(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Mirror</title><h1>Shop</h1><button id=b>Buy</button><input type=password value=Hunter2x>
		<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<a href="/in">In</a>'</script>`))
	require.Equal(t, "undefined", inPage(t, tab, `typeof window.__dddkDebug`))
	take(t, tab, session.Options{NoPicture: true})
	require.Equal(t, "undefined", inPage(t, tab, `typeof window.__dddkDebug`))
	for range 2 {
		shot := take(t, tab, session.Options{NoPicture: true, PageWrites: session.PageWrites{DebugSurface: true}})
		require.Empty(t, shot.Capture.Failed)
		require.Empty(t, shot.Payloads)
		require.Equal(t, "lastDom,lastDomAt,lastDomBytes,lastIndexMap,lastLlmMessages", inPage(t, tab, `Object.keys(__dddkDebug).join()`))
		require.Contains(t, inPage(t, tab, `__dddkDebug.lastDom`), "[2]<button>Buy</button>")
		require.NotContains(t, inPage(t, tab, `JSON.stringify(__dddkDebug)`), "Hunter2x")
		require.Equal(t, "true", inPage(t, tab, `String(__dddkDebug.lastIndexMap.get(2) === document.getElementById('b'))`))
		require.Equal(t, "true", inPage(t, tab, `String(__dddkDebug.lastIndexMap.get(4) === document.getElementById('host').shadowRoot.firstChild)`))
		require.Equal(t, "true", inPage(t, tab, `String(__dddkDebug.lastDomBytes === new TextEncoder().encode(__dddkDebug.lastDom).length)`))
		require.Equal(t, "system,user", inPage(t, tab, `__dddkDebug.lastLlmMessages.map((m) => m.role).join()`))
		require.Equal(t, "true", inPage(t, tab, `String(__dddkDebug.lastLlmMessages[1].content === __dddkDebug.lastDom)`))
		require.Equal(t, "true", inPage(t, tab, `String(!isNaN(Date.parse(__dddkDebug.lastDomAt)))`))
	}
	inPage(t, tab, `window.__dddkDebug = {lastDom: 'theirs'}, ''`)
	shot := take(t, tab, session.Options{NoPicture: true, PageWrites: session.PageWrites{DebugSurface: true}})
	require.Equal(t, "theirs", inPage(t, tab, `__dddkDebug.lastDom`))
	require.Len(t, shot.Capture.Failed, 1)
	require.Contains(t, shot.Capture.Failed[0].Why, "it stays")
	require.Equal(t, "theirs", string(shot.Payloads[0].Bytes))
}
