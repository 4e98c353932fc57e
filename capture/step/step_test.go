package step

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// answer is what a test reads of an answer.
type answer struct {
	Status, Tab, SiteProfile, Screenshot, FullSnapshot, ViewportSnapshot string
	Navigated                                                            bool
	ActionRequired                                                       *struct{ Action, Domain string }
	Context                                                              struct{ URL, Title string }
	Changes                                                              *struct {
		Summary        string
		Added, Removed []string
	}
	Steps []struct {
		Action, Status, Warning, Error, Subtype string
		Params, Output, Observation             json.RawMessage
		RetrySuggested                          bool
		Dialogs                                 []snapshot.Dialog
		Context                                 *Context
	}
	Errors []failure
	Dialog *Waiting
	raw    string
}

// bench is a runner in a tab that shows a page, with a session on disk.
type bench struct {
	t   *testing.T
	ctx context.Context
	r   *Runner
}

func on(t *testing.T, html string) *bench {
	t.Helper()
	tab := chrome.Open(t, chrometest.Page(t, "<!doctype html><meta charset=utf-8><title>Bench</title>"+html))
	ctx := chrometest.Context(t)
	store, err := turn.Create(ctx, turn.Dir(t.TempDir()), "test")
	require.NoError(t, err)
	r, err := New(ctx, tab, Options{Store: store, Alias: "t1", Files: t.TempDir(), Tool: "test"})
	require.NoError(t, err)
	return &bench{t, ctx, r}
}

// run runs steps, written as a JSON list.
func (b *bench) run(steps string) answer {
	b.t.Helper()
	c, err := Parse([]byte(`{"tab":"t1","steps":` + steps + `}`))
	require.NoError(b.t, err)
	a, err := b.r.Execute(b.ctx, c)
	require.NoError(b.t, err)
	var out answer
	require.NoError(b.t, json.Unmarshal(a.Body, &out), string(a.Body))
	require.Equal(b.t, a.OK, out.Status == "ok")
	out.raw = string(a.Body)
	next, err := New(b.ctx, b.r.Page().Tab(), b.r.opt) // as the next command would
	require.NoError(b.t, err)
	b.r = next
	return out
}

func TestParseRefuses(t *testing.T) {
	for in, want := range map[string]string{
		``:                                  "PARSE: the input is empty",
		`{"steps":[{"click":"#a"}]`:         "PARSE: the input is not JSON",
		`[1]`:                               "PARSE: the input: want an object",
		`{"steps":[]}`:                      "VALIDATION: steps is empty",
		`{"tab":"t1"}`:                      "VALIDATION: steps is missing",
		`{"config":{},"steps":[]}`:          "VALIDATION: config is no longer supported",
		`{"step":[]}`:                       `VALIDATION: there is no top-level member "step": did you mean "steps"?`,
		`{"tab":"t1","steps":[{"clik":1}]}`: `VALIDATION: step 1: there is no step "clik": did you mean "click"?`,
		`{"tab":"t1","steps":[{"click":"#a","fill":"x"}]}`:                 "VALIDATION: step 1: it names 2 actions, click and fill",
		`{"tab":"t1","steps":[{}]}`:                                        "VALIDATION: step 1: it names no action",
		`{"tab":"t1","steps":[{"click":{"selectr":"#a"}}]}`:                `VALIDATION: step 1: click: there is no parameter "selectr": did you mean "selector"?`,
		`{"tab":"t1","steps":[{"click":{"selector":5}}]}`:                  "VALIDATION: step 1: click: selector: want a string, not a number",
		`{"tab":"t1","steps":[{"click":{"ref":"s1e4","text":"x"}}]}`:       "VALIDATION: step 1: click: it names the element in several ways",
		`{"tab":"t1","steps":[{"click":{"x":1}}]}`:                         "VALIDATION: step 1: click: x and y belong together",
		`{"tab":"t1","steps":[{"goto":"/"},{"press":"Entr"}]}`:             `VALIDATION: step 2: press: there is no key "Entr": did you mean Enter?`,
		`{"tab":"t1","steps":[{"fill":{"selector":"#a"}}]}`:                "VALIDATION: step 1: fill: value is missing",
		`{"tab":"t1","steps":[{"click":"#a","click":"#b"}]}`:               `VALIDATION: step 1: "click" is given twice`,
		`{"tab":"t1","steps":[{"click":"#a"}],"timeout":0}`:                "VALIDATION: timeout: 0: want more than 0 ms",
		`{"steps":[{"click":"#a"}]}`:                                       "VALIDATION: step 1: click needs a tab",
		`{"tab":"t1","steps":[{"goto":{"url":"x","waitUntil":"loaded"}}]}`: `VALIDATION: step 1: goto: there is no waitUntil "loaded": did you mean "load"?`,
		`{"tab":"t1","steps":[{"goto":"x","readyWhen":"() => 1"}]}`:        "VALIDATION: step 1: goto takes no hooks",
		`{"tab":"t1","steps":[{"drag":{"source":"#a"}}]}`:                  "VALIDATION: step 1: drag: source and target are both needed",
		`{"tab":"t1","steps":[{"selectOption":{"selector":"#a"}}]}`:        "VALIDATION: step 1: selectOption: give one of",
		`{"tab":"t1","steps":[{"scroll":{"x":1,"deltaY":2}}]}`:             "VALIDATION: step 1: scroll: x and y are a place",
		`{"tab":"t1","click":"#a"}`:                                        `VALIDATION: "click" is a step: write {"steps":[{"click":…}]}`,
	} {
		_, err := Parse([]byte(in))
		var e *Error
		require.ErrorAs(t, err, &e, in)
		require.Contains(t, e.Type+": "+e.Error(), want, in)
	}
}

// Every example of every form is read.
func TestExamplesAreValid(t *testing.T) {
	for _, k := range Table() {
		require.NotEmpty(t, k.Forms, k.Name)
		require.NotEmpty(t, k.Summary, k.Name)
		for _, f := range k.Forms {
			step := `{"` + k.Name + `":` + f.Example() + `}`
			in := `{"tab":"t1","steps":[` + step + `]}`
			if k.First || k.NoTab {
				in = `{"steps":[` + step + `]}`
			}
			_, err := Parse([]byte(in))
			require.NoError(t, err, step)
		}
	}
}

func TestACommandEndToEnd(t *testing.T) {
	b := on(t, `<label>Email <input id=e></label><button id=b onclick="out.textContent='Sent to ' + e.value; document.body.append(Object.assign(document.createElement('button'), {textContent:'Undo'}))">Send</button><p id=out></p>`)
	a := b.run(`[{"fill":{"label":"Email","value":"ada@example.org"}},{"click":{"text":"Send","observe":"() => document.querySelector('#out').textContent"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, "t1", a.Tab)
	require.JSONEq(t, `"Sent to ada@example.org"`, string(a.Steps[1].Observation))
	require.Contains(t, a.ViewportSnapshot, `textbox "Email"`)
	require.Contains(t, a.Changes.Summary, "Filled, clicked. 2 added")
	require.FileExists(t, a.Screenshot)
	require.FileExists(t, a.FullSnapshot)

	// The refs of the answer are those of the next command.
	ref := refIn(t, a.ViewportSnapshot, `button "Undo"`)
	a = b.run(`[{"click":"` + ref + `"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	list, damage, err := b.r.opt.Store.List(b.ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Len(t, list, 2)
	require.Equal(t, "fill, click", list[0].Action)
	rec, err := b.r.opt.Store.Load(b.ctx, 2)
	require.NoError(t, err)
	require.Len(t, rec.Payloads, 1)
	require.True(t, rec.Payloads[0].Wire)
}

// refIn is the ref of the line with that text.
func refIn(t *testing.T, snapshot, text string) string {
	t.Helper()
	for line := range strings.Lines(snapshot) {
		if strings.Contains(line, text) {
			_, rest, ok := strings.Cut(line, "[ref=")
			require.True(t, ok, line)
			ref, _, _ := strings.Cut(rest, "]")
			return ref
		}
	}
	t.Fatalf("no line with %s in\n%s", text, snapshot)
	return ""
}

func TestAFailureSaysWhatThereIs(t *testing.T) {
	b := on(t, `<button id=save>Save draft</button><a href="/help">Help</a><p role=alert>Card declined</p><input type=password id=p>`)
	a := b.run(`[{"click":{"text":"Save changes"},"timeout":600},{"click":"#save"}]`)
	require.Equal(t, "error", a.Status)
	require.Len(t, a.Steps, 1, "it stops at the first failure")
	s := a.Steps[0]
	require.Equal(t, "ElementNotFoundError", s.Subtype)
	require.Equal(t, "Save draft", s.Context.NearMatches[0].Text)
	require.Equal(t, 50, s.Context.NearMatches[0].Score)
	require.Equal(t, []string{"Card declined"}, s.Context.VisibleErrors)
	require.Equal(t, "/help", s.Context.VisibleLinks[0].Href)
	require.Equal(t, 1, a.Errors[0].Step)

	a = b.run(`[{"click":"#gone","optional":true,"timeout":200},{"click":"#save"}]`)
	require.Equal(t, "ok", a.Status)
	require.Equal(t, []string{"skipped", "ok"}, []string{a.Steps[0].Status, a.Steps[1].Status})

	a = b.run(`[{"fill":{"selector":"#nowhere","value":"hunter2"},"timeout":200}]`)
	require.NotContains(t, string(a.Steps[0].Params), "hunter2")
	require.Contains(t, string(a.Steps[0].Params), "#nowhere")

	// What is not there is waited for as long as the action is told, not as the step may take.
	a = b.run(`[{"click":{"selector":"#nowhere","timeout":300},"timeout":300000}]`)
	require.Equal(t, "ElementNotFoundError", a.Steps[0].Subtype)

	a = b.run(`[{"click":"[[[bad"}]`)
	require.Equal(t, "StepValidationError", a.Steps[0].Subtype)
}

func TestHooks(t *testing.T) {
	b := on(t, `<button id=b onclick="setTimeout(() => window.done = 1, 150)">Go</button><script>setTimeout(() => window.ready = true, 200)</script>`)
	a := b.run(`[{"click":{"selector":"#b","readyWhen":"() => window.ready","settledWhen":"() => window.done","observe":"() => [window.done, null]"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Empty(t, a.Steps[0].Warning)
	require.JSONEq(t, `[1,null]`, string(a.Steps[0].Observation))
	a = b.run(`[{"click":{"selector":"#b","settledWhen":"() => window.never"},"timeout":800}]`)
	require.Equal(t, "ok", a.Status)
	require.Contains(t, a.Steps[0].Warning, "settledWhen did not become true")
	a = b.run(`[{"click":{"selector":"#b","readyWhen":"() => window.never"},"timeout":300}]`)
	require.Equal(t, "TimeoutError", a.Steps[0].Subtype)
}

func TestAStaleRefIsNeverAnotherElement(t *testing.T) {
	b := on(t, `<div id=list><button onclick="hit('a')">Buy apples</button><button onclick="hit('b')">Buy pears</button></div><script>window.hits=[]; hit = (x) => hits.push(x)</script>`)
	a := b.run(`[{"scroll":"top"}]`)
	apples, pears := refIn(t, a.ViewportSnapshot, "Buy apples"), refIn(t, a.ViewportSnapshot, "Buy pears")
	rerender := func(html string) {
		_, err := b.r.Page().Evaluate(b.ctx, "", "list.innerHTML = `"+html+"`, 1")
		require.NoError(t, err)
	}
	rerender(`<button onclick="hit('new a')">Buy apples</button><button onclick="hit('plums')">Buy plums</button>`)
	a = b.run(`[{"click":"` + apples + `"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[0].Output), `"reResolved":true`)
	a = b.run(`[{"click":"` + pears + `"}]`)
	require.Equal(t, "StaleElementError", a.Steps[0].Subtype)
	require.True(t, a.Steps[0].RetrySuggested)
	a = b.run(`[{"click":"s1e999"}]`)
	require.Equal(t, "ElementNotFoundError", a.Steps[0].Subtype)
	got, err := b.r.Page().Evaluate(b.ctx, "", "hits.join()")
	require.NoError(t, err)
	require.Equal(t, `"new a"`, string(got))

	// Another document: the same role and name there are another element.
	a = b.run(`[{"reload":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	a = b.run(`[{"click":"` + apples + `"}]`)
	require.Equal(t, "StaleElementError", a.Steps[0].Subtype)
	require.Contains(t, a.Steps[0].Error, "a document that the page has left")
}

func TestWhatAClickLedTo(t *testing.T) {
	b := on(t, `<a id=hash href="#x">hash</a><button id=push onclick="setTimeout(() => history.pushState(0,'','/route'), 30)">push</button><a id=blank target=_blank href="/other">blank</a><div id=cover style="position:fixed;inset:0;display:none" role=dialog aria-modal=true aria-label=Offer><button>Close</button></div>`)
	a := b.run(`[{"click":"#hash"}]`)
	require.NotContains(t, string(a.Steps[0].Output), `"navigated"`)
	a = b.run(`[{"click":"#push"}]`) // C-23, section 19.15
	require.Contains(t, string(a.Steps[0].Output), `"navigated":true`)
	a = b.run(`[{"click":"#blank"}]`)
	require.Contains(t, string(a.Steps[0].Output), `"newTabs":[{"targetId"`)
	_, err := b.r.Page().Evaluate(b.ctx, "", "cover.style.display='block',1")
	require.NoError(t, err)
	a = b.run(`[{"click":{"selector":"#push","timeout":200}}]`)
	require.Contains(t, string(a.Steps[0].Output), `"autoForced":true`)
	require.Contains(t, a.Steps[0].Warning, "a modal")
	require.Regexp(t, `\[\d+\]`, a.Steps[0].Warning, "the obstacle's ref")
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"tab":"t1","steps":[{"click":"#a"}]}`, `{"steps":[{"fill":{"a":1}}]}`, `{`, `{"steps":[{"drag":{"source":{"x":1,"y":2},"target":"s1e1"}}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		c, err := Parse(in)
		if err == nil && len(c.Steps) == 0 {
			t.Fatal("a command without steps was accepted")
		}
	})
}
