package script_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/navigation"
	"github.com/refscope/refscope/capture/step/script"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

func on(t testing.TB, html string) *steptest.Bench {
	t.Helper()
	return steptest.On(t, &chrome, html)
}

// js is a step of pageFunction with that source.
func js(t *testing.T, source string) string {
	t.Helper()
	b, err := json.Marshal([]any{map[string]any{"pageFunction": source}})
	require.NoError(t, err)
	return string(b)
}

// Every form of chapter 12.1, and every type of 17.7.
func TestPageFunction(t *testing.T) {
	b := on(t, `<h1 id=h class="big red" data-x=1>Hello <b>you</b></h1><ul><li>a<li>b</ul>`)
	cases := []struct{ name, source, want string }{
		{"arrow", `() => document.title`, `{"type":"string","value":"Bench"}`},
		{"named argument", `x => typeof x`, `{"type":"string","value":"undefined"}`},
		{"function", `function () { return 1 }`, `{"type":"number","value":1}`},
		{"async", `async () => { await 0; return true }`, `{"type":"boolean","value":true}`},
		{"promise", `() => new Promise((r) => setTimeout(() => r('late'), 20))`, `{"type":"string","value":"late"}`},
		{"called already", `(() => 7)()`, `{"type":"number","value":7}`},
		{"no function at all", `(1 + 2) * 3`, `{"type":"number","value":9}`},
		{"semicolon and comment", `() => 5; // five`, `{"type":"number","value":5}`},
		{"expression", `document.title.length`, `{"type":"number","value":5}`},
		{"object expression", `{a: 1}`, `{"type":"object","value":{"a":{"type":"number","value":1}}}`},
		{"statements", `const n = 2; n * 21`, `{"type":"number","value":42}`},
		{"the same constants again", `const n = 3; n * 2`, `{"type":"number","value":6}`},
		{"return at the top", `const k = 2; return k`, `{"type":"number","value":2}`},
		{"null", `null`, `{"type":"null","value":null}`},
		{"undefined", `undefined`, `{"type":"undefined","value":null}`},
		{"NaN", `NaN`, `{"type":"number","value":"NaN"}`},
		{"-Infinity", `-Infinity`, `{"type":"number","value":"-Infinity"}`},
		{"bigint", `12345678901234567890n`, `{"type":"bigint","value":"12345678901234567890"}`},
		{"symbol", `Symbol('s')`, `{"type":"symbol","value":"Symbol(s)"}`},
		{"function value", `[() => 1][0]`, `{"type":"function","value":"() => 1"}`},
		{"Date", `new Date(0)`, `{"type":"Date","value":"1970-01-01T00:00:00.000Z","timestamp":0}`},
		{"no Date", `new Date(NaN)`, `{"type":"Date","value":null}`},
		{"Map", `new Map([['a', 1]])`, `{"type":"Map","value":[[{"type":"string","value":"a"},{"type":"number","value":1}]],"size":1}`},
		{"Set", `new Set([1])`, `{"type":"Set","value":[{"type":"number","value":1}],"size":1}`},
		{"RegExp", `/a"b/gi`, `{"type":"RegExp","value":"/a\"b/gi"}`},
		{"array", `[1, 'x']`, `{"type":"array","value":[{"type":"number","value":1},{"type":"string","value":"x"}],"length":2}`},
		{"circular", `() => { const a = {}; a.a = a; return a }`, `{"type":"object","value":{"a":{"type":"circular","value":null}}}`},
		{"getter that throws", `({ get a() { throw new Error('no') } })`, `{"type":"object","value":{"a":{"type":"unreadable","value":"reading it threw Error: no"}}}`},
		{"NodeList", `document.querySelectorAll('li').length`, `{"type":"number","value":2}`},
		{"Element", `document.querySelector('h1')`, `{"type":"Element","value":{"tagName":"h1","id":"h","className":"big red","attributes":{"id":"h","class":"big red","data-x":"1"},"textContent":"Hello you","isConnected":true,"childElementCount":1}}`},
		{"text", `document.querySelector('b').firstChild`, `{"type":"Node","value":{"nodeName":"#text","nodeType":3,"textContent":"you"}}`},
		{"odd text", `'\u0000\n"\\' + '\ud800' + '😀<'`, `{"type":"string","value":"\u0000\n\"\\` + "\ufffd" + `😀<"}`},
		{"pending promise", `new Promise(() => {})`, `{"type":"Promise","value":null}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := b.Run(js(t, c.source))
			require.Equal(t, "ok", a.Status, a.Errors)
			require.JSONEq(t, c.want, string(a.Steps[0].Output))
		})
	}
	a := b.Run(js(t, `window`))
	require.Contains(t, string(a.Steps[0].Output), `"type":"Window"`)
	a = b.Run(js(t, `document`))
	require.Contains(t, string(a.Steps[0].Output), `"readyState":{`[:12])
	a = b.Run(js(t, `new TypeError('bad')`))
	require.Contains(t, string(a.Steps[0].Output), `"value":{"name":"TypeError","message":"bad","stack":`)
	a = b.Run(`[{"pageFunction":{"expression":"Promise.resolve({a:[1,new Date(0)]})","await":true,"serialize":false}}]`)
	require.JSONEq(t, `{"a":[1,{"type":"Date","value":"1970-01-01T00:00:00.000Z","timestamp":0}]}`, string(a.Steps[0].Output))
	a = b.Run(`[{"pageFunction":"Promise.resolve(1)"}]`)
	require.Contains(t, a.Steps[0].Warning, "await")
}

func TestWhatAScriptGivesIsBounded(t *testing.T) {
	b := on(t, ``)
	var v struct {
		Type      string
		Value     json.RawMessage
		Length    int
		Size      int
		Truncated bool
	}
	for source, size := range map[string]int{
		`'x'.repeat(10 << 20)`:                                                                               10 << 20,
		`Array.from({length: 1e6}, (_, i) => 'item ' + i)`:                                                   1e6,
		`Object.fromEntries(Array.from({length: 300}, (_, i) => ['k' + i, i]))`:                              300,
		`new Map(Array.from({length: 80}, (_, i) => [i, i]))`:                                                80,
		`new Set(Array.from({length: 80}, (_, i) => i))`:                                                     80,
		`(() => { let o = {}; for (let i = 0; i < 1e4; i++) o = {o}; return [o, ...Array(200).fill(0)] })()`: 201,
		`new Proxy([], { get: (t, k) => k === 'length' ? 1e9 : 'p' })`:                                       1e9,
	} {
		a := b.Run(js(t, source))
		require.Equal(t, "ok", a.Status, "%s: %v", source, a.Errors)
		v.Truncated, v.Length, v.Size = false, 0, 0
		require.NoError(t, json.Unmarshal(a.Steps[0].Output, &v), source)
		require.True(t, v.Truncated, source)
		require.Equal(t, size, v.Length+v.Size, source)
		require.Less(t, len(a.Steps[0].Output), action.MaxValue+4096, source)
	}
	a := b.Run(js(t, `'é'.repeat(10 << 20)`))
	require.Less(t, len(a.Steps[0].Output), action.MaxValue+4096)
	require.Greater(t, len(a.Steps[0].Output), action.MaxValue-4096)
}

func TestScriptsThatFail(t *testing.T) {
	b := on(t, `<p>x`)
	for source, want := range map[string][2]string{
		`() => { throw new TypeError('broken') }`: {"", "the script threw TypeError: broken (in "},
		`() => { throw 'text' }`:                  {"", `the script threw "text"`},
		`async () => { await 0; nothing.at.all }`: {"", "ReferenceError: nothing is not defined"},
		`document.querySelector("p)`:              {"StepValidationError", `the " at character 24 is never closed`},
		`foo(bar`:                                 {"StepValidationError", "the ( at character 4 is never closed"},
		`() => { return 1 }}`:                     {"StepValidationError", "the } at character 19 closes nothing"},
		`(a b)`:                                   {"StepValidationError", "Unexpected identifier 'b', line 1, column 4"},
	} {
		a := b.Run(js(t, source))
		require.Equal(t, "error", a.Status, source)
		require.Contains(t, a.Steps[0].Error, want[1], source)
		require.Equal(t, want[0], a.Steps[0].Subtype, source)
	}
	// One that never returns is ended, and the page goes on.
	for _, source := range []string{`() => { while (true); }`, `async () => { await 0; while (true); }`, `({ get a() { while (true); } })`} {
		step, err := json.Marshal(source)
		require.NoError(t, err)
		a := b.Run(`[{"pageFunction":{"fn":` + string(step) + `,"timeout":300}}]`)
		require.Equal(t, "TimeoutError", a.Steps[0].Subtype, source)
		require.Contains(t, a.Steps[0].Error, "did not return within", source)
		require.Contains(t, a.Steps[0].Error, "stopped", source)
		a = b.Run(`[{"pageFunction":"() => 1"}]`)
		require.Equal(t, "ok", a.Status, a.Errors)
	}
	a := b.Run(`[{"pageFunction":{"fn":"() => new Promise(() => {})","timeout":200}}]`)
	require.Equal(t, "TimeoutError", a.Steps[0].Subtype)
	require.Contains(t, a.Steps[0].Error, "promise was not settled")
	a = b.Run(`[{"pageFunction":"() => 1"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	// A page that goes away.
	a = b.Run(`[{"pageFunction":"() => new Promise(() => location.reload())"}]`)
	require.Equal(t, "ContextDestroyedError", a.Steps[0].Subtype, a.Steps[0].Error)
}

func TestAHostilePageBreaksNoAnswer(t *testing.T) {
	b := on(t, `<script>
		JSON.stringify = () => 'x'; Array.prototype.map = () => 'x'; Array.isArray = () => { throw 1 }; Object.keys = () => ({length: 1e12});
		String.prototype.slice = String.prototype.replace = () => 'x'.repeat(1e6); Object.getOwnPropertyDescriptor = () => ({ get: () => 1 });
		Object.prototype.toJSON = () => 'y'; Array.prototype.toJSON = () => 'y';
	</script>`)
	a := b.Run(`[{"pageFunction":"() => ['a']"}]`)
	require.NotEmpty(t, a.Steps)
	require.Less(t, len(a.Steps[0].Output), action.MaxValue+4096)
	a = b.Run(`[{"pageFunction":"() => 'plain'"}]`)
	require.JSONEq(t, `{"type":"string","value":"plain"}`, string(a.Steps[0].Output))
}

func TestRefsAreGivenToTheFunction(t *testing.T) {
	b := on(t, `<button>One</button><div id=host></div><button id=two>Two</button><script>host.attachShadow({mode:'open'}).innerHTML='<button>Deep</button>'</script>`)
	a := b.Run(`[{"scroll":"top"}]`)
	one, deep := steptest.RefIn(t, a.ViewportSnapshot, `"One"`), steptest.RefIn(t, a.ViewportSnapshot, `"Deep"`)
	a = b.Run(`[{"pageFunction":{"fn":"(refs) => [refs instanceof Map, refs.get('` + one + `').textContent, refs.get('` + deep + `').getRootNode() !== document, Object.keys(window).filter((k) => /ref/i.test(k)).length]","refs":true,"serialize":false}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.JSONEq(t, `[true,"One",true,0]`, string(a.Steps[0].Output))
	// What is gone is not in the map.
	a = b.Run(`[{"pageFunction":"() => two.remove()"},{"pageFunction":{"fn":"function (refs) { return refs.size }","refs":true,"serialize":false}}]`)
	require.JSONEq(t, `2`, string(a.Steps[1].Output), a.Errors)
	// Nor is what was in an earlier document: its elements had the same uids.
	a = b.Run(`[{"reload":true},{"pageFunction":{"fn":"(refs) => refs.size","refs":true,"serialize":false}}]`)
	require.JSONEq(t, `0`, string(a.Steps[len(a.Steps)-1].Output), a.Errors)
	_, err := step.Parse([]byte(`{"tab":"t1","steps":[{"pageFunction":{"fn":"document.title","refs":true}}]}`))
	require.ErrorContains(t, err, "refs is the argument of a function")
}

func TestNoSecretLeavesByAScript(t *testing.T) {
	const page = `<form><input type=password id=pw value="Hunter2secret"><input id=short type=password value="abc"><input autocomplete=one-time-code id=otp value="482913">
		<input id=cc autocomplete=cc-number value="4111 1111 1111 1111"><input id=name value="Ada Lovelace"></form><p id=t>Key AKIAIOSFODNN7EXAMPLE is here</p><p id=again>Your code: 482913.`
	for source, gone := range map[string]string{
		`() => pw.value`:    "Hunter2secret",
		`() => short.value`: `"abc"`,
		`() => ({ [pw.value]: [1, 'my ' + pw.value] })`: "Hunter2secret",
		`() => +otp.value`: "482913", `() => 'code ' + otp.value`: "482913", `() => [again.textContent]`: "482913",
		`() => pw`: "Hunter2secret",
		`() => [...document.querySelectorAll('input')]`:                      "4111",
		`() => document.forms[0].innerHTML`:                                  "Hunter2secret",
		`() => { const v = pw.value; pw.value = ''; pw.remove(); return v }`: "Hunter2secret",
		`() => t`: "AKIAIOSFODNN7EXAMPLE",
		`() => { throw new Error('at ' + pw.value) }`: "Hunter2secret",
		`() => 'x'.repeat(196590) + t.textContent`:    "AKIAI", // across the cut
	} {
		b := on(t, page)
		a := b.Run(js(t, source))
		require.NotEmpty(t, a.Steps, source)
		told := string(a.Steps[0].Output) + a.Steps[0].Error
		require.NotEmpty(t, told, source)
		require.NotContains(t, told, gone, source)
		require.True(t, json.Valid(a.Steps[0].Output) || a.Steps[0].Error != "", source)
	}
	b := on(t, page)
	a := b.Run(`[{"pageFunction":{"expression":"[document.getElementById('name').value, pw.value, otp.value.length]","serialize":false}},{"scroll":{"deltaY":1,"observe":"() => pw.value"}},{"poll":"() => pw.value"},{"pipeline":[{"return":"() => pw.value"}]}]`)
	require.JSONEq(t, `["Ada Lovelace","[redacted: password]",6]`, string(a.Steps[0].Output), a.Errors)
	require.Contains(t, a.Steps[0].Warning, "taken out of the answer: [redacted: password] 1×")
	require.JSONEq(t, `"[redacted: password]"`, string(a.Steps[1].Observation))
	for _, s := range a.Steps[1:] {
		require.NotContains(t, string(s.Output)+s.Warning, "Hunter2secret")
	}
}

func TestPoll(t *testing.T) {
	testneed.Long(t, "polls that run into their time")
	b := on(t, `<script>setTimeout(() => window.done = [1], 150); window.n = 0</script>`)
	a := b.Run(`[{"poll":"() => window.done"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	var p struct {
		Resolved         bool
		Value, LastValue json.RawMessage
		LastError        string
		Elapsed          *int
	}
	require.NoError(t, json.Unmarshal(a.Steps[0].Output, &p))
	require.True(t, p.Resolved)
	require.NotNil(t, p.Elapsed)
	require.JSONEq(t, `{"type":"array","value":[{"type":"number","value":1}],"length":1}`, string(p.Value))

	for fn, last := range map[string]string{`() => 0`: `{"type":"number","value":0}`, `() => ''`: `{"type":"string","value":""}`, `() => null`: `{"type":"null","value":null}`,
		`() => NaN`: `{"type":"number","value":"NaN"}`, `() => false`: `{"type":"boolean","value":false}`, `window.never`: `{"type":"undefined","value":null}`} {
		a = b.Run(`[{"poll":{"fn":"` + fn + `","interval":20,"timeout":500}}]`)
		require.Equal(t, "ok", a.Status, a.Errors)
		p.Resolved = true
		require.NoError(t, json.Unmarshal(a.Steps[0].Output, &p))
		require.False(t, p.Resolved, fn)
		require.JSONEq(t, last, string(p.LastValue), fn)
	}
	a = b.Run(`[{"poll":{"fn":"() => document.querySelector('#x').id","timeout":1000}}]`)
	require.Contains(t, string(a.Steps[0].Output), `"lastError":"TypeError`)
	a = b.Run(`[{"poll":{"fn":"() => window.n++ >= 3","interval":10}},{"poll":{"fn":"async () => { await 0; return 'yes' }"}}]`)
	require.Contains(t, string(a.Steps[0].Output), `"resolved":true`)
	require.Contains(t, string(a.Steps[1].Output), `"yes"`)
	a = b.Run(`[{"poll":{"fn":"() => { while (true); }","timeout":300}}]`)
	require.Equal(t, "TimeoutError", a.Steps[0].Subtype)
	a = b.Run(`[{"poll":"() => {"}]`)
	require.Equal(t, "StepValidationError", a.Steps[0].Subtype)
	// Across a navigation of the page's own.
	a = b.Run(`[{"pageFunction":"() => setTimeout(() => location.search = '?two', 50)"},{"poll":"() => location.search === '?two'"}]`)
	require.Contains(t, string(a.Steps[1].Output), `"resolved":true`, a.Errors)
	// The step's own time ends it with an answer too.
	a = b.Run(`[{"poll":"() => 0","timeout":400}]`)
	require.Contains(t, string(a.Steps[0].Output), `"resolved":false`, a.Errors)
}

func TestPipeline(t *testing.T) {
	testneed.Long(t, "pipelines")
	const page = `<input id=a><textarea id=ta></textarea><input type=checkbox id=c><select id=s><option value=1>One<option value=2>Two</select><button id=b onclick="setTimeout(() => window.ready = 1, 120)">Go</button><div id=host></div><input id=off disabled>
		<script>window.heard = []; for (const el of document.querySelectorAll('input,textarea,select')) for (const k of ['keydown','keypress','input','keyup','change']) el.addEventListener(k, () => heard.push(el.id + ':' + k));
		Object.defineProperty(a, 'value', { get() { return 'tracked' }, set() { throw new Error('the page keeps it') }, configurable: true });
		host.attachShadow({mode:'open'}).innerHTML = '<input id=deep>'</script>`
	b := on(t, page)
	a := b.Run(`[{"pipeline":[{"find":"#a","fill":"ada"},{"find":"#ta","type":"hé"},{"find":"#c","check":true},{"find":"#s","select":"2"},{"find":"#deep","fill":"down"},{"find":"#b","click":true},{"waitFor":"() => window.ready"},{"sleep":10},{"return":"() => { delete a.value; return [a.value, ta.value, c.checked, s.value, host.shadowRoot.querySelector('input').value] }"},{"return":"document.title"}]}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	var out struct {
		Completed bool
		Steps     int
		FailedAt  *int
		Error     string
		Results   []struct {
			Op    string
			OK    bool
			Value json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(a.Steps[0].Output, &out))
	require.True(t, out.Completed)
	require.Equal(t, 10, out.Steps)
	require.Len(t, out.Results, 10)
	require.JSONEq(t, `["ada","hé",true,"2","down"]`, string(out.Results[8].Value))
	require.JSONEq(t, `"Bench"`, string(out.Results[9].Value))
	a = b.Run(`[{"pageFunction":"() => heard.join()"}]`)
	require.Contains(t, string(a.Steps[0].Output), "a:input,a:change,ta:keydown,ta:keypress,ta:input,ta:keyup,ta:keydown,ta:keypress,ta:input,ta:keyup,ta:change,c:input,c:change,s:input,s:change")

	for steps, want := range map[string]string{
		`[{"return":"() => 1"},{"find":"#none","click":true},{"return":"() => 2"}]`: "step 1 (click): no element matches #none",
		`[{"waitFor":"() => 0","timeout":150}]`:                                     "step 0 (waitFor): waitFor did not become true within 150 ms",
		`[{"waitFor":"() => nothing.here","timeout":150}]`:                          "ReferenceError",
		`[{"find":"#off","fill":"x"}]`:                                              "it is disabled",
		`[{"find":"#s","select":"9"}]`:                                              `there is no option with the value "9"`,
		`[{"find":"#a","check":true}]`:                                              "no checkbox",
		`[{"return":"() => { throw new Error('bad') }"}]`:                           "step 0 (return): bad",
		`{"steps":[{"sleep":1},{"sleep":60000}],"timeout":1000}`:                    "step 1 (sleep): the pipeline took longer than 1000 ms",
	} {
		a = b.Run(`[{"pipeline":` + steps + `}]`)
		require.Equal(t, "ok", a.Status, a.Errors)
		out.Completed, out.FailedAt = true, nil
		require.NoError(t, json.Unmarshal(a.Steps[0].Output, &out), steps)
		require.False(t, out.Completed, steps)
		require.NotNil(t, out.FailedAt, steps)
		require.Contains(t, out.Error, want, steps)
		require.Len(t, out.Results, *out.FailedAt, steps)
		require.Contains(t, a.Steps[0].Warning, "the pipeline was not completed: step", steps)
	}
	a = b.Run(`[{"pipeline":{"steps":[{"return":"() => { while (true); }"}],"timeout":300}}]`)
	require.Equal(t, "TimeoutError", a.Steps[0].Subtype)
	a = b.Run(`[{"pipeline":[{"sleep":1},{"return":"() => {"}]}]`)
	require.Contains(t, a.Steps[0].Error, "operation 1 (return)")
	// What was typed is not kept.
	a = b.Run(`[{"pipeline":{"steps":[{"find":"#a","fill":"swordfish9"},{"return":"() => { while (true); }"}],"timeout":300}}]`)
	require.NotContains(t, string(a.Steps[0].Params), "swordfish9")
	require.Contains(t, string(a.Steps[0].Params), `"find":"#a"`)
	for in, want := range map[string]string{
		`[]`:                               "it has no steps",
		`[{"find":"#a"}]`:                  "operation 0: want one of fill",
		`[{"fill":"x"}]`:                   "fill needs find",
		`[{"find":"#a","fil":"x"}]`:        `unknown operation "fil": did you mean "fill"?`,
		`[{"find":"#a","click":1}]`:        "want true",
		`[{"sleep":"x"}]`:                  "want a number",
		`[{"sleep":1,"timeout":5}]`:        "timeout belongs to waitFor",
		`[{"find":"#a","return":"1"}]`:     "return takes no find",
		`"x"`:                              "want a list of operations",
		`[{"find":"#a","fill":{"a":"b"}}]`: "want a string",
	} {
		_, err := step.Parse([]byte(`{"tab":"t1","steps":[{"pipeline":` + in + `}]}`))
		require.ErrorContains(t, err, want, in)
	}
}

func TestHooksThatFail(t *testing.T) {
	testneed.Long(t, "hooks that never return")
	button := func() *steptest.Bench { return on(t, `<button id=b onclick="window.n=(window.n||0)+1">Go</button>`) }
	hook := func(name, fn string, timeout int) string {
		return fmt.Sprintf(`[{"click":{"selector":"#b","%s":"%s"},"timeout":%d}]`, name, fn, timeout)
	}
	for _, c := range []struct{ name, fn, subtype, err, warning string }{
		{"readyWhen", `() => { throw new Error('no') }`, "TimeoutError", "it threw Error: no", ""},
		{"readyWhen", `() => { while (true); }`, "TimeoutError", "did not (return|answer) within", ""},
		{"readyWhen", `() => {`, "StepValidationError", "cannot be read", ""},
		{"readyWhen", `async () => true`, "", "", ""},
		{"settledWhen", `() => { throw new Error('no') }`, "", "", "it threw Error: no"},
		{"settledWhen", `() => { while (true); }`, "", "", "did not (return|answer) within"},
		{"settledWhen", `() => 'x'.repeat(10 << 20) && 0`, "", "", `\(last: 0\)`},
		{"observe", `() => { throw new Error('no') }`, "", "the script threw Error: no", ""},
		{"observe", `() => { while (true); }`, "TimeoutError", "did not (return|answer) within", ""},
	} {
		timeout := 3000 // of which the click and the reading of its page are a part, on a busy machine too
		if c.subtype != "TimeoutError" && c.warning == "" {
			timeout = 20_000 // it ends by itself
		}
		// A page of its own: one with a script that does not return is busy for a while.
		a := button().Run(hook(c.name, c.fn, timeout))
		s := a.Steps[0]
		require.Equal(t, c.err == "", a.Status == "ok", "%s %s: %v", c.name, c.fn, a.Errors)
		require.Equal(t, c.subtype, s.Subtype, "%s: %s", c.fn, s.Error)
		require.Regexp(t, c.err, s.Error, c.fn) // a busy browser is found out by either clock
		require.Regexp(t, c.warning, s.Warning, c.fn)
	}
	b := button()
	a := b.Run(`[{"click":{"selector":"#b","observe":"async () => [new Date(0), 1, {n: null}]"}}]`)
	require.JSONEq(t, `[{"type":"Date","value":"1970-01-01T00:00:00.000Z","timestamp":0},1,{"n":null}]`, string(a.Steps[0].Observation))
	a = b.Run(`[{"click":{"selector":"#b","observe":"() => 'x'.repeat(10 << 20)"}}]`)
	require.Contains(t, string(a.Steps[0].Observation), `"truncated":true`)
	require.Less(t, len(a.Steps[0].Observation), action.MaxValue+4096)
}

// The hooks of the seed's chapter 10.2, all three on one step.
func TestHooksOfTheSeed(t *testing.T) {
	b := on(t, `<div class="modal open"><button onmouseover="tip.hidden=false">Go</button><span id=tip class=tooltip hidden>What it does</span></div>`)
	for _, action := range []string{`"click":{"selector":"button",`, `"hover":{"selector":"button",`, `"scroll":{"deltaY":1,`, `"press":{"key":"Escape",`, `"pageFunction":{"fn":"() => 1",`, `"wait":{"ms":1,`} {
		a := b.Run(`[{` + action + `"readyWhen":"() => document.querySelector('.modal')?.classList.contains('open')","settledWhen":"() => !document.querySelector('.spinner')","observe":"() => document.querySelector('.tooltip')?.textContent"}}]`)
		require.Equal(t, "ok", a.Status, a.Errors)
		require.JSONEq(t, `"What it does"`, string(a.Steps[0].Observation), action)
	}
	a := b.Run(`[{"click":"#dismiss-banner","optional":true,"timeout":300},{"pageFunction":{"fn":"() => { throw 1 }"},"optional":true},{"wait":1}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, []string{"skipped", "skipped", "ok"}, []string{a.Steps[0].Status, a.Steps[1].Status, a.Steps[2].Status})
}

// Every example of the help of these steps runs.
func TestDynamicExamplesRun(t *testing.T) {
	b := on(t, `<title>Order sent</title><a href=#>x</a><form onsubmit="return false"><input id=email><input type=checkbox id=agree><select id=size><option value=s>S<option value=l>L</select><input id=search><button id=submit>Go</button></form><p id=done>Order sent</p><script>history.replaceState(0,'','/done')</script>`)
	for _, k := range append(script.Steps(), navigation.WaitSteps()...) {
		for _, f := range k.Forms {
			a := b.Run(`[{"` + k.Name + `":` + f.Example() + `}]`)
			require.Equal(t, "ok", a.Status, "%s %s: %v", k.Name, f.Example(), a.Errors)
			require.False(t, strings.Contains(string(a.Steps[0].Output), `"completed":false`), string(a.Steps[0].Output))
		}
	}
}

// In a frame, of another site too, scripts run in its own world and get its own refs.
func TestScriptsRunInThePresentFrame(t *testing.T) {
	inner := strings.Replace(chrometest.Page(t, `<title>Inner</title><button>In</button><input type=password id=p value=Inner4secret>`), "127.0.0.1", "localhost", 1)
	b := on(t, `<button>Out</button><iframe src="`+inner+`" width=300 height=100></iframe>`)
	frames, err := b.R.Page().Frames(b.Ctx)
	require.NoError(t, err)
	require.Len(t, frames, 2)
	for i, want := range []string{`["Bench",["Out"]]`, `["Inner",["In",""]]`} {
		a := b.Run(`[{"frame":{"frameId":"` + frames[i].ID + `"}},{"pageFunction":{"fn":"(refs) => [document.title, [...refs.values()].filter((e) => e.localName !== 'iframe').map((e) => e.textContent)]","refs":true,"serialize":false}}]`)
		require.Equal(t, "ok", a.Status, a.Errors)
		require.JSONEq(t, want, string(a.Steps[1].Output))
	}
	enter := `[{"frame":{"frameId":"` + frames[1].ID + `"}},`
	a := b.Run(enter + `{"pageFunction":"() => 'it is ' + p.value"},{"pageFunction":{"fn":"() => { while (true); }","timeout":300}},{"wait":{"text":"In"}}]`)
	require.JSONEq(t, `{"type":"string","value":"it is [redacted: password]"}`, string(a.Steps[1].Output))
	require.Contains(t, a.Steps[2].Error, "stopped")
	require.Len(t, a.Steps, 3)
	a = b.Run(enter + `{"wait":{"text":"In"}},{"poll":"() => document.title === 'Inner'"},{"pipeline":[{"find":"button","click":true}]}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
}
