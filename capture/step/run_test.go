package step_test

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/forms"
	"github.com/refscope/refscope/capture/step/frames"
	"github.com/refscope/refscope/capture/step/output"
	"github.com/refscope/refscope/capture/step/query"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

func on(t testing.TB, html string) *steptest.Bench {
	t.Helper()
	return steptest.On(t, step.Chrome, html)
}

func TestACommandEndToEnd(t *testing.T) {
	b := on(t, `<label>Email <input id=e></label><button id=b onclick="out.textContent='Sent to ' + e.value; document.body.append(Object.assign(document.createElement('button'), {textContent:'Undo'}))">Send</button><p id=out></p>`)
	a := b.Run(`[{"fill":{"label":"Email","value":"ada@example.org"}},{"click":{"text":"Send","observe":"() => document.querySelector('#out').textContent"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, "t1", a.Tab)
	require.JSONEq(t, `"Sent to ada@example.org"`, string(a.Steps[1].Observation))
	require.Contains(t, a.ViewportSnapshot, `textbox "Email"`)
	require.Contains(t, a.Changes.Summary, "Filled, clicked. 2 added")
	require.FileExists(t, a.Screenshot)
	require.FileExists(t, a.FullSnapshot)

	// The refs of the answer are those of the next command.
	ref := steptest.RefIn(t, a.ViewportSnapshot, `button "Undo"`)
	a = b.Run(`[{"click":"` + ref + `"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	list, damage, err := b.Opt.Store.List(b.Ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Len(t, list, 2)
	require.Equal(t, "fill, click", list[0].Action)
	rec, err := b.Opt.Store.Load(b.Ctx, 2)
	require.NoError(t, err)
	require.Len(t, rec.Payloads, 1)
	require.True(t, rec.Payloads[0].Wire)
}

// TestTheSummaryNamesWhatWasDone: a step that failed, and those after it, are not in the words of what changed.
func TestTheSummaryNamesWhatWasDone(t *testing.T) {
	b := on(t, `<button id=a onclick="this.textContent='Bought'">Buy</button><input id=p>`)
	a := b.Run(`[{"click":"#a"},{"fill":{"selector":"#nowhere","value":"x"},"timeout":200},{"hover":"#p"}]`)
	require.Equal(t, "error", a.Status)
	require.True(t, strings.HasPrefix(a.Changes.Summary, "Clicked. "), a.Changes.Summary)
}

func TestAFailureSaysWhatThereIs(t *testing.T) {
	b := on(t, `<button id=save>Save draft</button><a href="/help">Help</a><p role=alert>Card declined</p><input type=password id=p>`)
	a := b.Run(`[{"click":{"text":"Save changes"},"timeout":1500},{"click":"#save"}]`)
	require.Equal(t, "error", a.Status)
	require.Len(t, a.Steps, 1, "it stops at the first failure")
	s := a.Steps[0]
	require.Equal(t, "ElementNotFoundError", s.Subtype, s.Error)
	require.Equal(t, "Save draft", s.Context.NearMatches[0].Text)
	require.Equal(t, 50, s.Context.NearMatches[0].Score)
	require.Equal(t, []string{"Card declined"}, s.Context.VisibleErrors)
	require.Equal(t, "/help", s.Context.VisibleLinks[0].Href)
	require.Equal(t, 1, a.Errors[0].Step)

	a = b.Run(`[{"click":"#gone","optional":true,"timeout":200},{"click":"#save"}]`)
	require.Equal(t, "ok", a.Status)
	require.Equal(t, []string{"skipped", "ok"}, []string{a.Steps[0].Status, a.Steps[1].Status})

	a = b.Run(`[{"fill":{"selector":"#nowhere","value":"hunter2"},"timeout":200}]`)
	require.NotContains(t, string(a.Steps[0].Params), "hunter2")
	require.Contains(t, string(a.Steps[0].Params), "#nowhere")

	// What is not there is waited for as long as the action is told, not as the step may take.
	a = b.Run(`[{"click":{"selector":"#nowhere","timeout":300},"timeout":300000}]`)
	require.Equal(t, "ElementNotFoundError", a.Steps[0].Subtype)

	a = b.Run(`[{"click":"[[[bad"}]`)
	require.Equal(t, "StepValidationError", a.Steps[0].Subtype)
}

func TestHooks(t *testing.T) {
	b := on(t, `<button id=b onclick="setTimeout(() => window.done = 1, 150)">Go</button><script>setTimeout(() => window.ready = true, 200)</script>`)
	a := b.Run(`[{"click":{"selector":"#b","readyWhen":"() => window.ready","settledWhen":"() => window.done","observe":"() => [window.done, null]"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Empty(t, a.Steps[0].Warning)
	require.JSONEq(t, `[1,null]`, string(a.Steps[0].Observation))
	a = b.Run(`[{"click":{"selector":"#b","settledWhen":"() => window.never"},"timeout":800}]`)
	require.Equal(t, "ok", a.Status)
	require.Contains(t, a.Steps[0].Warning, "settledWhen did not become true")
	a = b.Run(`[{"click":{"selector":"#b","readyWhen":"() => window.never"},"timeout":300}]`)
	require.Equal(t, "TimeoutError", a.Steps[0].Subtype)
}

func TestAStaleRefIsNeverAnotherElement(t *testing.T) {
	b := on(t, `<div id=list><button onclick="hit('a')">Buy apples</button><button onclick="hit('b')">Buy pears</button></div><script>window.hits=[]; hit = (x) => hits.push(x)</script>`)
	a := b.Run(`[{"scroll":"top"}]`)
	apples, pears := steptest.RefIn(t, a.ViewportSnapshot, "Buy apples"), steptest.RefIn(t, a.ViewportSnapshot, "Buy pears")
	rerender := func(html string) {
		_, err := b.R.Page().Evaluate(b.Ctx, "", "list.innerHTML = `"+html+"`, 1")
		require.NoError(t, err)
	}
	rerender(`<button onclick="hit('new a')">Buy apples</button><button onclick="hit('plums')">Buy plums</button>`)
	a = b.Run(`[{"click":"` + apples + `"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[0].Output), `"reResolved":true`)
	a = b.Run(`[{"click":"` + pears + `"}]`)
	require.Equal(t, "StaleElementError", a.Steps[0].Subtype)
	require.True(t, a.Steps[0].RetrySuggested)
	a = b.Run(`[{"click":"s1e999"}]`)
	require.Equal(t, "ElementNotFoundError", a.Steps[0].Subtype)
	got, err := b.R.Page().Evaluate(b.Ctx, "", "hits.join()")
	require.NoError(t, err)
	require.Equal(t, `"new a"`, string(got))

	// Another document: the same role and name there are another element.
	a = b.Run(`[{"reload":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	a = b.Run(`[{"click":"` + apples + `"}]`)
	require.Equal(t, "StaleElementError", a.Steps[0].Subtype)
	require.Contains(t, a.Steps[0].Error, "a document that the page has left")
}

func TestWhatAClickLedTo(t *testing.T) {
	b := on(t, `<a id=hash href="#x">hash</a><button id=push onclick="setTimeout(() => history.pushState(0,'','/route'), 30)">push</button><a id=blank target=_blank href="/other">blank</a><label id=up>Photo<input type=file hidden></label><div id=cover style="position:fixed;inset:0;display:none" role=dialog aria-modal=true aria-label=Offer><button>Close</button></div>`)
	a := b.Run(`[{"click":"#hash"}]`)
	require.NotContains(t, string(a.Steps[0].Output), `"navigated"`)
	a = b.Run(`[{"click":"#push"}]`) // C-23, section 19.15
	require.Contains(t, string(a.Steps[0].Output), `"navigated":true`)
	a = b.Run(`[{"click":"#blank"}]`)
	require.Contains(t, string(a.Steps[0].Output), `"newTabs":[{"targetId"`)
	require.NotContains(t, string(a.Steps[0].Output), "fileChooser")
	a = b.Run(`[{"click":"#up"}]`)
	require.Contains(t, string(a.Steps[0].Output), `"fileChooser":true`)
	require.Contains(t, a.Steps[0].Warning, "upload gives them to this element")
	_, err := b.R.Page().Evaluate(b.Ctx, "", "cover.style.display='block',1")
	require.NoError(t, err)
	a = b.Run(`[{"click":{"selector":"#push","timeout":200}}]`)
	require.Contains(t, string(a.Steps[0].Output), `"autoForced":true`)
	require.Contains(t, a.Steps[0].Warning, "a modal")
	require.Regexp(t, `@e\d+`, a.Steps[0].Warning, "the obstacle's ref")
}

func TestParseRefusesOutputsAndEmulation(t *testing.T) {
	for in, want := range map[string]string{
		`{"viewport":"iphone-99x"}`:                                         "unknown preset",
		`{"viewport":"iphne-15"}`:                                           `did you mean "iphone-15"?`,
		`{"viewport":{"width":100}}`:                                        "width and height are both needed",
		`{"viewport":{"width":100000,"height":10}}`:                         "at most 16384",
		`{"viewport":5}`:                                                    "want a preset's name",
		`{"viewport":{"width":9,"height":9,"touch":true}}`:                  `unknown parameter "touch"`,
		`{"geolocation":{"latitude":1}}`:                                    "both needed",
		`{"geolocation":{"latitude":91,"longitude":0}}`:                     "want -90 to 90",
		`{"dialog":{}}`:                                                     "give accept",
		`{"dialog":{"policy":"aks"}}`:                                       `did you mean "ask"?`,
		`{"dialog":{"policy":"ask","accept":true}}`:                         "use two steps",
		`{"dialog":{"accept":false,"promptText":"x"}}`:                      "belongs to accept:true",
		`{"cookies":{}}`:                                                    "give one of get, set and clear",
		`{"cookies":{"get":true,"clear":true}}`:                             "give one of",
		`{"cookies":{"get":["nowhere"]}}`:                                   "is not an address",
		`{"cookies":{"set":[{"value":"x"}]}}`:                               "name is missing",
		`{"cookies":{"set":[{"name":"a","value":"x","sameSite":"Loose"}]}}`: "unknown sameSite",
		`{"cookies":{"set":[{"name":"a","value":"x","expires":"soon"}]}}`:   "want 30m, 2h",
		`{"screenshot":false}`:                                              "want true",
		`{"screenshot":"x.gif"}`:                                            "picture format",
		`{"screenshot":{"path":"a.png","format":"jpeg"}}`:                   "make them the same",
		`{"screenshot":{"format":"jpeg","quality":101}}`:                    "want 0 to 100",
		`{"screenshot":{"quality":50}}`:                                     "quality is for jpeg and webp",
		`{"screenshot":{"format":"jpeg","omitBackground":true}}`:            "cannot be transparent",
		`{"screenshot":{"selector":"#a","fullPage":true}}`:                  "exclude each other",
		`{"screenshot":{"padding":4}}`:                                      "padding belongs to an element",
		`{"screenshot":{"clip":{"x":0,"y":0,"width":0,"height":4}}}`:        "more than 0",
		`{"pdf":"x.png"}`:                                                   "ends in .pdf",
		`{"pdf":{"scale":3}}`:                                               "want 0.1 to 2",
		`{"pdf":{"pageRanges":"3-1"}}`:                                      "want pages as",
		`{"pdf":{"pageRanges":"one"}}`:                                      "want pages as",
		`{"pdf":{"paper":"A44"}}`:                                           `unknown paper "A44"`,
		`{"pdf":{"margins":-1}}`:                                            "0 inches or more",
		`{"pdf":{"margins":20}}`:                                            "no room",
		`{"pdf":{"headerTemplate":"x"}}`:                                    "displayHeaderFooter",
	} {
		_, err := step.Parse([]byte(`{"tab":"t1","steps":[` + in + `]}`))
		var e *step.Error
		require.ErrorAs(t, err, &e, in)
		require.Equal(t, step.TypeValidation, e.Type)
		require.Contains(t, e.Error(), want, in)
	}
}

func TestFailedRequestsInTheContext(t *testing.T) {
	b := on(t, `<button id=b onclick="fetch('/missing.json?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U').catch(()=>{}); fetch('http://127.0.0.1:9/').catch(()=>{})">Load</button>`)
	a := b.Run(`[{"click":{"selector":"#b","settledWhen":"() => false"},"timeout":1500},{"click":"#gone","timeout":300}]`)
	require.Equal(t, "error", a.Status)
	b.Run(`[{"scroll":"top"}]`)
	a = b.Run(`[{"click":{"selector":"#b","observe":"() => { throw new Error('no') }","settledWhen":"() => performance.getEntriesByType('resource').length >= 4"},"timeout":3000}]`)
	require.Equal(t, "error", a.Status)
	require.NotNil(t, a.Steps[0].Context)
	require.NotEmpty(t, a.Steps[0].Context.FailedRequests)
	require.NotContains(t, a.Raw, "dozjgNryP4J3")
}

// TestObservationExamples: every example of every observation step runs.
func TestObservationExamples(t *testing.T) {
	b := on(t, `<button id=submit class=card>submit Sign in</button><form id=login><input id=email><button>Save</button></form><main id=main><h1>Welcome</h1><table id=prices><tr><th>A<tr><td>1</table>
<ul><li>x</ul><a href="/search" data-id=1>a</a><iframe class=embed name=pay srcdoc="<p>in</p>"></iframe></main><div style="position:absolute;left:0;top:0;width:900px;height:600px;z-index:-1" tabindex=0>d</div>`)
	_, err := b.R.Page().Evaluate(b.Ctx, "", "history.pushState(0, '', '/search'), 1")
	require.NoError(t, err)
	b.Run(`[{"snapshot":{"root":"body"}}]`)
	var steps []string
	for _, list := range [][]stepdef.StepDef{
		output.SnapshotSteps(), query.Steps(), query.ContentSteps(), query.GeometrySteps(), forms.Steps(), query.AssertSteps(), query.ConsoleSteps(), frames.Steps(),
	} {
		for _, k := range list {
			for _, f := range k.Forms {
				example := strings.NewReplacer("s1e4", "s1e1", "s1e5", "s1e2").Replace(f.Example())
				if k.Name == "validate" {
					example = strings.Replace(example, `{"ref":"s1e1"}`, `{"selector":"#email"}`, 1)
				}
				steps = append(steps, `{"`+k.Name+`":`+example+`}`, `{"frame":"top"}`)
			}
		}
	}
	a := b.Run("[" + strings.Join(steps, ",") + "]")
	require.Len(t, a.Steps, len(steps), a.Errors)
	for i, s := range a.Steps {
		require.Equal(t, "ok", s.Status, "%s: %s", steps[i], s.Error)
		require.NotEmpty(t, s.Output, steps[i])
	}
}

func TestObservationRefuses(t *testing.T) {
	for in, want := range map[string]string{
		`{"snapshot":false}`:                            "want true or an object",
		`{"snapshot":{"detail":"brief"}}`:               `unknown detail "brief"`,
		`{"snapshot":{"maxDepth":0}}`:                   "maxDepth: 0: want 1 or more",
		`{"snapshot":{"since":"3"}}`:                    "is not a snapshot",
		`{"snapshot":{"format":"ddk"}}`:                 `did you mean "dddk"`,
		`{"snapshot":{"format":"dddk","root":"body"}}`:  "belong to the format aria",
		`{"snapshotSearch":{}}`:                         "name what to look for",
		`{"snapshotSearch":{"pattern":"("}}`:            "pattern: error parsing regexp",
		`{"snapshotSearch":{"near":{"x":1}}}`:           "x and y are both needed",
		`{"query":{"selector":"a","role":"link"}}`:      "a selector or a role, not both",
		`{"query":{"selector":"a","output":"txt"}}`:     `did you mean "text"`,
		`{"query":{"selector":"a","limit":0}}`:          "limit: 0",
		`{"query":{"selector":"a","name":"x"}}`:         "belong to role",
		`{"query":""}`:                                  "give a selector",
		`{"queryAll":{}}`:                               "it names no query",
		`{"queryAll":{"a":{"output":"text"}}}`:          "a: give a selector",
		`{"extract":{"selector":"a","type":"grid"}}`:    `unknown type "grid"`,
		`{"getDom":false}`:                              "want true, a selector or an object",
		`{"getBox":[]}`:                                 "0 refs",
		`{"getBox":"#a"}`:                               "is not a ref",
		`{"elementsAt":{"x":1}}`:                        "x and y are both needed",
		`{"elementsAt":{"x":1,"y":1,"radius":0}}`:       "radius: 0",
		`{"elementsAt":[]}`:                             "0 points",
		`{"formState":{"form":"#f"}}`:                   `unknown parameter "form"`,
		`{"assert":{}}`:                                 "say what to check",
		`{"assert":{"url":{}}}`:                         "url: give one of",
		`{"assert":{"url":{"matches":"("}}}`:            "url: matches",
		`{"assert":{"urlContains":"a","selector":"a"}}`: "belong to text",
		`{"console":{"level":"fatal"}}`:                 `unknown level "fatal"`,
		`{"frame":{"list":true,"name":"a"}}`:            "name the frame by one of",
		`{"frame":-1}`:                                  "index: -1",
		`{"frame":true}`:                                "want a selector, a number",
		`{"inspect":{"selectors":[""]}}`:                "one is empty",
	} {
		_, err := step.Parse([]byte(`{"tab":"t1","steps":[` + in + `]}`))
		require.ErrorContains(t, err, want, in)
	}
}

// DomTool's node ids are refs too (B-2, C-5).
func TestNodeIDs(t *testing.T) {
	b := on(t, `<button onclick="document.title='hit'">Go</button><div><p>text</p></div>`)
	var s struct{ Text string }
	a := b.Run(`[{"snapshot":{"format":"domtool"}}]`)
	a.Out(t, &s)
	id := regexp.MustCompile(`nv_[0-9a-f]{8}`)
	var button string
	for _, m := range id.FindAllString(s.Text, -1) {
		a = b.Run(`[{"getBox":"` + m + `"}]`)
		require.Equal(t, "ok", a.Status)
		elements, err := element.New(b.Ctx, b.R.Page().Tab(), element.Options{Store: b.Opt.Store})
		require.NoError(t, err)
		if id, err := elements.Identity(b.Ctx, m); err == nil && id.Tag == "button" {
			button = m
		}
	}
	require.NotEmpty(t, button, s.Text)
	a = b.Run(`[{"click":{"ref":"` + button + `","observe":"() => document.title"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.JSONEq(t, `"hit"`, string(a.Steps[0].Observation))
	require.Equal(t, "NOT_FOUND", b.Run(`[{"click":"nv_00000000"}]`).Steps[0].Subtype)
}

// Every form of a step that the fifth seed writes as JSON is run, on a page that has what it names.
func TestTheSeedsExamplesRun(t *testing.T) {
	b := on(t, `<style>button, input { margin: 2px } #draggable { width: 40px; height: 20px; background: #ccc }</style>
		<button id=submit-btn>Send</button><button>Sign In</button><button id=btn-v2>Version 2</button><input id=fourth>
		<input id=email><label>Email Address <input id=labelled></label><input id=firstName><input id=lastName>
		<button id=menu-trigger>Menu</button><div id=draggable draggable=true></div>`)
	ref := steptest.RefIn(t, b.Run(`[{"snapshot":true}]`).ViewportSnapshot, `textbox`)
	require.Equal(t, "s1e4", ref)
	examples := []string{
		`{"click":"#submit-btn"}`, `{"click":"s1e4"}`, `{"click":{"ref":"s1e4"}}`, `{"click":{"text":"Sign In"}}`,
		`{"click":{"x":100,"y":200}}`, `{"click":{"selectors":["#btn-v1","#btn-v2","[data-action=submit]"]}}`,
		`{"fill":{"selector":"#email","value":"user@example.com"}}`, `{"fill":{"ref":"s1e4","value":"user@example.com"}}`,
		`{"fill":{"label":"Email Address","value":"user@example.com"}}`,
		`{"fill":{"#firstName":"John","#lastName":"Doe","s1e4":"user@example.com"}}`,
		`{"click":"#email"}`, `{"fill":"hello"}`, `{"fill":{"value":"hello","clear":true}}`,
		`{"hover":"#menu-trigger"}`, `{"hover":"s1e4"}`, `{"hover":{"ref":"s1e4","duration":500}}`,
		`{"drag":{"source":{"selector":"#draggable"},"target":{"x":100,"y":200}}}`,
		`{"drag":{"source":"s1e4","target":{"ref":"s1e4","offsetX":10,"offsetY":-5}}}`,
	}
	a := b.Run(`[` + strings.Join(examples, ",") + `,{"click":{"selector":"#dismiss-banner","timeout":100},"optional":true},` +
		`{"pageFunction":"() => ['email', 'fourth', 'labelled', 'firstName', 'lastName'].map((id) => document.getElementById(id).value).join()"}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	for i, step := range examples {
		require.Equal(t, "ok", a.Steps[i].Status, step)
		require.Empty(t, a.Steps[i].Warning, step)
	}
	require.Equal(t, "skipped", a.Steps[len(examples)].Status, a.Raw)
	require.Contains(t, a.Raw, "hello,user@example.com,user@example.com,John,Doe")
}

// TestAFieldThatGoesWhenItGetsTheFocus: a page renders a field anew as soon as it has the focus, before anything is typed.
// The text is in the new one, once, or the step would say "ok" of a text that went nowhere. A field that is rendered
// anew because of what is typed is not typed into twice.
func TestAFieldThatGoesWhenItGetsTheFocus(t *testing.T) {
	testneed.Long(t, "fields that go")
	const page = `<div id=list></div><script>
		window.did = []
		const render = () => queueMicrotask(() => { list.innerHTML = window.markup })
		window.markup = '<label>Name <input WHEN></label>'
		list.innerHTML = markup
	</script>`
	for when, values := range map[string]string{
		`onfocus="window.once || (once = render() || 1)" oninput="did.push(this.value)"`: `["Ada"]`,
		`oninput="did.push(this.value); render()"`:                                       `["Ada"]`,
	} {
		for _, step := range []string{
			`{"fill":{"ref":"%s","value":"Ada"}}`,
			`{"fill":{"label":"Name","value":"Ada"}}`,
			`{"fill":{"fields":{"#list input":"Ada"}}}`,
			`{"type":{"ref":"%s","text":"Ada"}}`,
			`{"type":{"selector":"#list input","text":"Ada"}}`,
		} {
			typing := strings.Contains(step, "type")
			if typing && !strings.Contains(when, "onfocus") {
				continue // it goes with its first letter
			}
			b := on(t, strings.Replace(page, "WHEN", strings.ReplaceAll(when, `"`, `\"`), 1))
			a := b.Run(`[{"hover":"#list"}]`)
			if strings.Contains(step, "%s") {
				step = fmt.Sprintf(step, steptest.RefIn(t, a.ViewportSnapshot, `textbox "Name"`))
			}
			a = b.Run("[" + step + "]")
			require.Equal(t, "ok", a.Status, "%s: %v", step, a.Errors)
			want := values
			if typing {
				want = `["A","Ad","Ada"]`
			}
			require.Equal(t, want, b.Eval("did"), step)
		}
	}
}

// TestAFieldThatGoesInside: the same for a field in a frame, in a frame of another process and in a shadow root.
func TestAFieldThatGoesInside(t *testing.T) {
	const script = `const begin = (root) => {
			const markup = '<label>Name <input></label>'
			root.innerHTML = markup
			let once = false
			root.addEventListener('focusin', () => {
				if (!once) { once = true; queueMicrotask(() => { root.innerHTML = markup }) }
			})
			root.addEventListener('input', (e) => top.postMessage(e.target.value, '*'))
		}`
	inner := html.EscapeString(`<div id=list></div><script>` + script + `; begin(list)</script>`)
	for name, page := range map[string]string{
		"a frame":         `<iframe srcdoc="` + inner + `"></iframe>`,
		"another process": `<iframe sandbox="allow-scripts" srcdoc="` + inner + `"></iframe>`,
		"an open root":    `<div id=h></div><script>` + script + `; begin(h.attachShadow({mode: 'open'}))</script>`,
		"a closed root":   `<div id=h></div><script>` + script + `; begin(h.attachShadow({mode: 'closed'}))</script>`,
	} {
		for _, step := range []string{`{"fill":{"ref":"%s","value":"Ada"}}`, `{"type":{"ref":"%s","text":"Ada"}}`} {
			b := on(t, `<script>window.did = []; addEventListener('message', (e) => did.push(e.data))</script>`+page)
			a := b.Run(`[{"hover":"body"}]`)
			a = b.Run("[" + fmt.Sprintf(step, steptest.RefIn(t, a.ViewportSnapshot, `textbox "Name"`)) + "]")
			require.Equal(t, "ok", a.Status, "%s: %s: %v", name, step, a.Errors)
			require.Equal(t, map[bool]string{true: `["A","Ad","Ada"]`, false: `["Ada"]`}[strings.Contains(step, "type")],
				b.Eval("did"), "%s: %s", name, step)
		}
	}
}

// TestRenderedAnewWhileActing: a page that renders its controls anew when it is scrolled takes each of them away
// between the finding and the acting; what took its place is acted on, once.
func TestRenderedAnewWhileActing(t *testing.T) {
	const page = `<div id=top style="height:700px">Top</div><div id=list></div><script>
		window.did = []
		const markup = '<button onclick="did.push(\'click\')" onmouseover="this.seen || did.push(\'hover\'); this.seen = 1">Buy</button>' +
			'<label>Name <input oninput="did.push(this.value)"></label>' +
			'<label>Tea <select onchange="did.push(this.value)"><option>black<option>green</select></label>'
		list.innerHTML = markup
		addEventListener('scroll', () => { if (scrollY > 0) { list.innerHTML = markup; window.anew = (window.anew || 0) + 1 } })
	</script>`
	for i, x := range []struct{ step, want string }{
		{`{"click":{"ref":"%s"}}`, "click"},
		{`{"click":{"ref":"%s","strict":true}}`, "click"},
		{`{"hover":{"ref":"%s"}}`, "hover"},
		{`{"click":{"selector":"#list button"}}`, "click"},
		{`{"fill":{"ref":"%s","value":"Ada"}}`, "Ada"},
		{`{"fill":{"label":"Name","value":"Ada"}}`, "Ada"},
		{`{"fill":{"fields":{"#list input":"Ada"}}}`, "Ada"},
		{`{"type":{"ref":"%s","text":"A"}}`, "A"},
		{`{"selectOption":{"ref":"%s","option":"green","strict":true}}`, "green"},
	} {
		if i%testneed.Cases(3, 1, 1) != 0 { // each has a page and two runs
			continue
		}
		b := on(t, page)
		a := b.Run(`[{"click":"#top"}]`)
		called := map[string]string{"click": `button "Buy"`, "hover": `button "Buy"`, "green": `combobox "Tea"`}[x.want]
		s := x.step
		if strings.Contains(s, "%s") {
			s = fmt.Sprintf(s, steptest.RefIn(t, a.ViewportSnapshot, cmp.Or(called, `textbox "Name"`)))
		}
		a = b.Run("[" + s + "]")
		require.Equal(t, "ok", a.Status, "%s: %v", s, a.Errors)
		require.NotEqual(t, "null", b.Eval("window.anew || null"), "%s: the page was not rendered anew", s)
		require.Contains(t, b.Eval("did.join()"), x.want, s)
		if x.want != "hover" { // the pointer rests there: what is rendered under it later is hovered too
			require.NotContains(t, b.Eval("did.join()"), x.want+","+x.want, s)
		}
	}
}
