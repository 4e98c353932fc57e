package step_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/steptest"
)

// An element that became another one since its ref was handed out is acted on, and the answer warns with what it
// was and is: also where a step of the same command has changed it (C-23).
func TestARefWhoseElementChangedItsNameOrRoleIsSaid(t *testing.T) {
	b := on(t, `<button id=b>Save</button><button id=c>Keep</button>`)
	a := b.Run(`[{"snapshot":true}]`)
	save, keep := steptest.RefIn(t, a.ViewportSnapshot, "Save"), steptest.RefIn(t, a.ViewportSnapshot, "Keep")
	a = b.Run(`[{"click":"` + save + `"},{"pageFunction":"() => { b.textContent = 'Delete all'; c.role = 'link' }"},
		{"click":"` + save + `"},{"hover":"` + keep + `"}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Empty(t, a.Steps[0].Warning)
	require.Equal(t, `ref `+save+` was button "Save" when a snapshot listed it, and is button "Delete all" now`,
		a.Steps[2].Warning)
	require.Equal(t, `ref `+keep+` was button "Keep" when a snapshot listed it, and is link "Keep" now`,
		a.Steps[3].Warning)
	a = b.Run(`[{"click":"` + save + `"}]`) // the answer before showed it
	require.Empty(t, a.Steps[0].Warning)
}

// The last snapshot of the command counts as well, of elements that no turn has yet.
func TestARefOfASnapshotInTheSameCommandThatChangedIsSaid(t *testing.T) {
	b := on(t, `<button id=b>Save</button>`)
	a := b.Run(`[{"snapshot":true},{"pageFunction":"() => { b.textContent = 'Delete all' }"},{"click":"s1e1"},{"snapshot":true},` +
		`{"click":"s1e1"}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Equal(t, `ref s1e1 was button "Save" when a snapshot listed it, and is button "Delete all" now`,
		a.Steps[2].Warning)
	require.Empty(t, a.Steps[4].Warning, a.Raw)
}

// The failed step of a ref whose element is gone lists what may be meant, and names the ref as it was sent.
func TestAFailedStepListsCandidates(t *testing.T) {
	b := on(t, `<main><button>Save draft</button><button>Cancel</button></main>`)
	ref := steptest.RefIn(t, b.Run(`[{"snapshot":true}]`).ViewportSnapshot, "Save draft")
	a := b.Run(`[{"pageFunction":"() => { document.querySelector('main').innerHTML = '<button>Save draft</button>'.repeat(2) }"},{"click":"` + ref + `"}]`)
	require.Equal(t, "error", a.Status, a.Raw)
	require.Contains(t, a.Steps[1].Error, "ref "+ref+" is gone and 2 elements have the same role and name now")
	require.Len(t, a.Steps[1].Context.Candidates, 2, a.Raw)
	for _, c := range a.Steps[1].Context.Candidates {
		require.Equal(t, "Save draft", c.Text)
		require.Equal(t, "button", c.Role)
		require.NotEmpty(t, c.Ref)
	}
	require.Equal(t, "main > button:nth-child(1)", a.Steps[1].Context.Candidates[0].Selector)
	for _, spelled := range []string{"999", "e999", "@e999", "s1e999"} {
		a = b.Run(`[{"click":"` + spelled + `"}]`)
		require.Contains(t, a.Steps[0].Error, "there is no ref "+spelled+" on the page")
	}
}

// A selector that cannot be read fails at once, with its position.
func TestASelectorThatCannotBeReadHasItsPosition(t *testing.T) {
	b := on(t, `<button>b</button>`)
	for selector, want := range map[string]string{
		"[[[invalid": `cannot be read from character 1 on ("[[invalid"): an attribute's name must follow`,
		"div > > p":  `cannot be read from character 3 on (" > > p")`,
		"é]":         `cannot be read from character 1 on ("]")`,
	} {
		a := b.Run(`[{"click":"` + selector + `"}]`)
		require.Contains(t, a.Steps[0].Error, want)
		require.Equal(t, "StepValidationError", a.Steps[0].Subtype)
	}
}

// The selectors of an answer are short and mean the very elements of their refs.
func TestSelectorsInAnswersAreShortAndUnique(t *testing.T) {
	b := on(t, `<main><button id=save>Save</button><button data-testid=push>Push</button><form><input name=mail aria-label=Mail>
		<select name=size aria-label=Size><option>S</select></form><ul><li><a href=#1>One</a><li><a href=#2>Two</a></ul>
		<button id=":r1:">R</button><button id=twice>T1</button><div><button id=twice>T2</button></div></main>`)
	var out struct{ Refs map[string]string }
	a := b.Run(`[{"snapshot":true}]`)
	a.Out(t, &out)
	for text, want := range map[string]string{
		"Save": "#save", "Push": `[data-testid="push"]`, "Mail": `input[name="mail"]`, "Size": `select[name="size"]`,
		`"R"`: `[id=":r1:"]`, "Two": "ul > li:nth-child(2) > a", "T1": "main > button:nth-child(6)", "T2": "div > button",
	} {
		require.Equal(t, want, out.Refs[steptest.RefIn(t, a.ViewportSnapshot, text)], text)
	}
	list, err := json.Marshal(out.Refs)
	require.NoError(t, err)
	fn, err := json.Marshal(`(refs) => { const s = ` + string(list) + `; return Object.keys(s).filter((r) => {
		const all = document.querySelectorAll(s[r]); return all.length !== 1 || all[0] !== refs.get(r) }) }`)
	require.NoError(t, err)
	a = b.Run(`[{"pageFunction":{"fn":` + string(fn) + `,"refs":true,"serialize":false}}]`)
	require.JSONEq(t, `[]`, string(a.Steps[0].Output), a.Raw)
	a = b.Run(`[{"click":{"selector":"#nothing","timeout":100}}]`)
	require.Equal(t, "#save", a.Steps[0].Context.VisibleButtons[0].Selector)
}

// A router that changes the address while it settles, after its page's data has come, is still that click's
// navigation: as the last step, and before steps that only wait or read.
func TestALateChangeOfTheAddressIsTheClicksNavigation(t *testing.T) {
	b := on(t, `<button onclick="setTimeout(() => history.pushState({}, '', '/pushed'), 150)">Go</button>
		<button id=other onclick="location.hash = 'x'">Other</button>`)
	out := func(a steptest.Answer) map[string]any {
		return steptest.OutputOf[map[string]any](t, a.Steps[0].Output)
	}
	a := b.Run(`[{"click":"button"}]`)
	require.Equal(t, true, out(a)["navigated"], a.Raw)
	require.Contains(t, out(a)["newUrl"], "/pushed")
	require.True(t, a.Navigated, "the answer as a whole agrees: %s", a.Raw)
	require.Contains(t, a.Context.URL, "/pushed")
	b.Run(`[{"goto":"` + steptest.Serve(t, `<button onclick="setTimeout(() => history.pushState({}, '', '/pushed'), 300)">Go</button>`) + `"}]`)
	a = b.Run(`[{"click":"button"},{"wait":{"url":"/pushed"}}]`)
	require.Equal(t, true, out(a)["navigated"], a.Raw)
}

// A tab that has crashed fails at once with what to do, and goto recovers it.
func TestGotoRecoversACrashedTab(t *testing.T) {
	c := inCommands(t)
	url := steptest.Serve(t, `<button>Two</button>`)
	tab := c.run(`{"steps":[{"openTab":"` + url + `"}]}`).Tab
	target := c.run(`{"steps":[{"listTabs":true}]}`).Raw
	id := regexp.MustCompile(`"tab":"` + tab + `","targetId":"([0-9A-F]+)"`).FindStringSubmatch(target)
	require.NotNil(t, id, target)
	crash, err := step.Chrome.Browser(t).AttachTab(c.ctx, id[1])
	require.NoError(t, err)
	require.ErrorIs(t, crash.Session().Call(c.ctx, "Page.crash", struct{}{}, nil), browser.ErrCrashed)
	_ = crash.Detach(c.ctx)

	cmd, err := step.Parse([]byte(`{"tab":"` + tab + `","timeout":300000,"steps":[{"click":"button"}]}`))
	require.NoError(t, err)
	h := c.kept()
	r, err := step.New(c.ctx, nil, step.Options{Host: h, Files: c.files, Tool: "test"})
	require.NoError(t, err)
	_, err = r.Execute(c.ctx, cmd)
	require.ErrorContains(t, err, "the tab crashed: a command that begins with goto opens a page in it again")
	require.NoError(t, c.ctx.Err(), "the steps have more time than the test, so nothing waited for the tab")
	r.Close(c.ctx)

	a := c.run(`{"tab":"` + tab + `","steps":[{"goto":"` + url + `"},{"click":{"text":"Two"}}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Contains(t, a.ViewportSnapshot, `"Two"`)
}

// Errors have the seed's types: what cannot be come to is CONNECTION, in error; a step that fails is EXECUTION with
// its subtype, and one whose time is over names the option that allows more.
func TestErrorsHaveTheirTypes(t *testing.T) {
	c := inCommands(t)
	for _, command := range []string{
		`{"steps":[{"openTab":{"port":9}}]}`, `{"steps":[{"connectTab":"t77"}]}`, `{"steps":[{"listTabs":{"port":9}}]}`,
		`{"steps":[{"chromeStatus":{"port":9}}]}`,
	} {
		a := c.run(command)
		require.Equal(t, "error", a.Status, command)
		require.Equal(t, "CONNECTION", a.Error.Type, a.Raw)
		require.Equal(t, "CONNECTION", a.Errors[0].Type, a.Raw)
		require.NotEmpty(t, a.Error.Message)
	}
	a := c.run(`{"steps":[{"chromeStatus":{"port":9,"autoLaunch":false}}]}`)
	require.Equal(t, "ok", a.Status)
	require.Contains(t, string(a.Steps[0].Output), `"error":"no browser answers at 127.0.0.1:9"`)

	b := on(t, `<p>x`)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer slow.Close()
	for one, want := range map[string][2]string{
		`{"goto":"foo://bar"}`:                                                {"NavigationError", "no page has a foo: address"},
		`{"goto":{"url":"` + slow.URL + `","timeout":300}}`:                   {"TimeoutError", `the step's "timeout" (ms) allows more`},
		`{"goto":"` + slow.URL + `","timeout":300}`:                           {"TimeoutError", "the page did not answer within "},
		`{"wait":{"selector":"#no","timeout":200}}`:                           {"TimeoutError", `the step's "timeout" (ms) allows more`},
		`{"pageFunction":{"fn":"() => new Promise(() => {})","timeout":200}}`: {"TimeoutError", `the step's "timeout" (ms) allows more`},
	} {
		a := b.Run(`[` + one + `]`)
		require.Equal(t, "EXECUTION", a.Errors[0].Type, one)
		require.Equal(t, want[0], a.Errors[0].Subtype, a.Raw)
		require.Contains(t, a.Errors[0].Error, want[1], one)
		require.NotContains(t, a.Raw, "context deadline exceeded", one)
	}
}

// closeTab closes what was opened from here, by a step or by a page of ours, and no other tab.
func TestCloseTabClosesOnlyWhatWasMadeFromHere(t *testing.T) {
	c, other := inCommands(t), inCommands(t)
	page := steptest.Serve(t, `<title>Ours</title><button onclick="window.open(location.href + '?made')">Open</button>`)
	a := c.run(`{"steps":[{"openTab":"` + page + `"},{"click":"button"}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	made := steptest.OutputOf[struct{ NewTabs []struct{ TargetID string } }](t, a.Steps[1].Output).NewTabs
	require.Len(t, made, 1, a.Raw)
	theirs := other.run(`{"steps":[{"openTab":"` + page + `"}]}`)
	target := steptest.OutputOf[struct{ TargetID string }](t, theirs.Steps[0].Output).TargetID
	connected := c.run(`{"steps":[{"connectTab":{"targetId":"` + target + `"}},{"snapshot":true}]}`)
	require.Equal(t, "ok", connected.Status, connected.Raw)
	for _, name := range []string{target, connected.Tab} {
		refused := c.run(`{"steps":[{"closeTab":"` + name + `"}]}`)
		require.Equal(t, "error", refused.Status, refused.Raw)
		require.Contains(t, refused.Steps[0].Error, "was not opened from here")
	}
	for _, name := range []string{made[0].TargetID, a.Tab} {
		closed := c.run(`{"steps":[{"closeTab":"` + name + `"}]}`)
		require.Equal(t, "ok", closed.Status, closed.Raw)
	}
	require.Equal(t, "ok", other.run(`{"tab":"`+theirs.Tab+`","steps":[{"click":"button"},{"closeTab":true}]}`).Status)
}

// Objects and arrays stand in the console with their values, two levels deep; an assertion that failed is an error.
func TestTheConsoleHasValues(t *testing.T) {
	b := on(t, `<p>x`)
	var out struct {
		Messages []struct{ Level, Text string }
	}
	a := b.Run(`[{"pageFunction":"() => { console.log('at', {a: 1, b: {c: [1, 2], d: 'x'}, get e() { window.ran = 1 }}, [1, {f: 2}]); ` +
		`console.assert(1 === 2, 'bad', {k: 1}); console.assert(true, 'fine'); console.log(new Map([['k', {v: 1}]]), new Date(0), null, undefined, () => 1);` +
		` console.log({big: 'y'.repeat(3000), o: {}}) }"},{"console":true}]`)
	a.Out(t, &out)
	require.Len(t, out.Messages, 4, a.Raw)
	require.Equal(t, `at {a: 1, b: {c: Array(2), d: "x"}, e: (…)} [1, {f: 2}]`, out.Messages[0].Text)
	require.Equal(t, "error", out.Messages[1].Level)
	require.Equal(t, "Assertion failed: bad {k: 1}", out.Messages[1].Text)
	require.Contains(t, out.Messages[2].Text, `Map(1) {"k" => {v: 1}} `)
	require.LessOrEqual(t, len([]rune(out.Messages[3].Text)), 1000)
	require.Equal(t, "null", b.Eval("window.ran ?? null"), "no getter of the page's was called")
}

// What is listed where nothing matches and what a hover brought up has refs; a document written into its frame is of
// the page's own origin; a key that no keyboard has is a warning; links have their addresses.
func TestAnswersOfObservations(t *testing.T) {
	b := on(t, `<select aria-label=Size><option>Small<option>Large</select><a href="/next?x=1">Next</a>
		<iframe srcdoc="<button>In</button>"></iframe><button id=hv onmouseenter="tip.hidden=false">Hover</button>
		<div id=tip role=tooltip hidden>Tip</div>`)
	a := b.Run(`[{"query":{"role":"option"}},{"snapshotSearch":{"role":"option","text":"Large"}},{"frame":{"list":true}},
		{"hover":{"selector":"#hv","captureResult":true}},{"press":"Foo"},{"snapshot":true}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Contains(t, string(a.Steps[0].Output), `"name":"Large"`)
	require.Contains(t, string(a.Steps[1].Output), `"matchCount":1`)
	require.NotContains(t, string(a.Steps[2].Output), `"crossOrigin":true`)
	require.Regexp(t, `"ref":"s\de\d+","kind":"tooltip"`, string(a.Steps[3].Output))
	require.NotContains(t, string(a.Steps[3].Output), "uid")
	require.Contains(t, a.Steps[4].Warning, `unknown key "Foo"`)
	require.Contains(t, string(a.Steps[5].Output), `link \"Next\" [url=\"/next?x=1\"]`)
	require.Contains(t, a.ViewportSnapshot, `[url="/next?x=1"]`)
}

// A failed step's context has the requests that failed in the steps before it.
func TestFailedRequestsOfEarlierSteps(t *testing.T) {
	b := on(t, `<p>x`)
	a := b.Run(`[{"pageFunction":"() => fetch('http://127.0.0.1:1/missing.json').catch(() => 0)"},{"wait":50},{"click":{"selector":"#none","timeout":50}}]`)
	require.Equal(t, "error", a.Status)
	require.NotEmpty(t, a.Steps[2].Context.FailedRequests, a.Raw)
	require.Contains(t, a.Steps[2].Context.FailedRequests[0].URL, "/missing.json")
}
