package step

import (
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/tabs"
)

// shop is a page with one of each.
const shop = `<header style="position:sticky;top:0;background:#fff"><nav aria-label="Site"><a href="/home">Home</a></nav></header>
<main><h1>Shop</h1><p id="intro">Fine <b>tea</b> &amp; cups.</p>
<table id="prices"><thead><tr><th>Thing</th><th>Price</th></tr></thead><tbody><tr><td>Tea</td><td>5</td></tr><tr><td>Cup</td><td>7</td></tr></tbody></table>
<ul id="list"><li>One</li><li>Two <a class="more" data-id="d2" href="two?x=1">more</a></li></ul>
<form id="f" action="/sent" onsubmit="window.sent=(window.sent||0)+1; event.preventDefault()"><input name="elements" type="hidden" value="h"><input name="matches" type="hidden"><input name="csrf_token" type="hidden" value="c4f1e0">
<label>Email <input id="email" name="email" type="email" required value="a@b.c"></label><label>Password <input id="pw" name="pw" type="password" value="Hunter2!x"></label>
<label><input id="news" type="checkbox" name="news" checked> News</label><label>Size <select name="size"><option>S<option selected>M</select></label><button id="go">Send</button></form>
<div id="wrap" style="width:300px;height:60px;margin-top:8px"></div><button id="hidden" style="display:none">Ghost</button></main>
<script type="application/ld+json">{"@type":"Shop"}</script><footer>Imprint</footer>`

// out decodes the output of the last step.
func (a *answer) out(t *testing.T, into any) {
	t.Helper()
	require.Equal(t, "ok", a.Status, a.Errors)
	require.NoError(t, json.Unmarshal(a.Steps[len(a.Steps)-1].Output, into), string(a.Steps[len(a.Steps)-1].Output))
}

// TestObservationExamples: every example of every observation step runs.
func TestObservationExamples(t *testing.T) {
	b := on(t, `<button id=submit class=card>submit Sign in</button><form id=login><input id=email><button>Save</button></form><main id=main><h1>Welcome</h1><table id=prices><tr><th>A<tr><td>1</table>
<ul><li>x</ul><a href="/search" data-id=1>a</a><iframe class=embed name=pay srcdoc="<p>in</p>"></iframe></main><div style="position:absolute;left:0;top:0;width:900px;height:600px;z-index:-1" tabindex=0>d</div>`)
	_, err := b.r.Page().Evaluate(b.ctx, "", "history.pushState(0, '', '/search'), 1")
	require.NoError(t, err)
	b.run(`[{"snapshot":{"root":"body"}}]`)
	var steps []string
	for _, list := range [][]StepDef{snapshotSteps(), querySteps(), contentSteps(), geometrySteps(), formSteps(), assertSteps(), consoleSteps(), frameSteps()} {
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
	a := b.run("[" + strings.Join(steps, ",") + "]")
	require.Len(t, a.Steps, len(steps), a.Errors)
	for i, s := range a.Steps {
		require.Equal(t, "ok", s.Status, "%s: %s", steps[i], s.Error)
		require.NotEmpty(t, s.Output, steps[i])
	}
}

func TestObservationRefuses(t *testing.T) {
	for step, want := range map[string]string{
		`{"snapshot":false}`:                            "want true or an object",
		`{"snapshot":{"detail":"brief"}}`:               `there is no detail "brief"`,
		`{"snapshot":{"maxDepth":0}}`:                   "maxDepth: 0: want 1 or more",
		`{"snapshot":{"since":"3"}}`:                    "is no snapshot",
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
		`{"extract":{"selector":"a","type":"grid"}}`:    `there is no type "grid"`,
		`{"getDom":false}`:                              "want true, a selector or an object",
		`{"getBox":[]}`:                                 "0 refs",
		`{"getBox":"#a"}`:                               "is no ref",
		`{"elementsAt":{"x":1}}`:                        "x and y are both needed",
		`{"elementsAt":{"x":1,"y":1,"radius":0}}`:       "radius: 0",
		`{"elementsAt":[]}`:                             "0 points",
		`{"formState":{"form":"#f"}}`:                   `there is no parameter "form"`,
		`{"assert":{}}`:                                 "say what to check",
		`{"assert":{"url":{}}}`:                         "url: give one of",
		`{"assert":{"url":{"matches":"("}}}`:            "url: matches",
		`{"assert":{"urlContains":"a","selector":"a"}}`: "belong to text",
		`{"console":{"level":"fatal"}}`:                 `there is no level "fatal"`,
		`{"frame":{"list":true,"name":"a"}}`:            "name the frame by one of",
		`{"frame":-1}`:                                  "index: -1",
		`{"frame":true}`:                                "want a selector, a number",
		`{"inspect":{"selectors":[""]}}`:                "one is empty",
	} {
		_, err := Parse([]byte(`{"tab":"t1","steps":[` + step + `]}`))
		require.ErrorContains(t, err, want, step)
	}
}

func TestSnapshotStep(t *testing.T) {
	b := on(t, shop)
	type snap struct {
		SnapshotID, YAML, Text, Format, Message string
		Refs                                    map[string]string
		RefCount, SnapshotSize                  int
		Truncated, TruncatedInline, Unchanged   bool
		Artifacts                               struct{ Snapshot, Refs string }
	}
	take := func(params string) (s snap) {
		a := b.run(`[{"snapshot":` + params + `}]`)
		a.out(t, &s)
		return s
	}
	s := take(`true`)
	require.Equal(t, "s1", s.SnapshotID)
	require.Contains(t, s.YAML, "# Auto-scoped to main content. Other landmarks: ")
	require.NotContains(t, s.YAML, "Home")
	email := refIn(t, s.YAML, `textbox "Email"`)
	require.True(t, strings.HasPrefix(email, "s1e"))
	require.NotContains(t, s.YAML, "Hunter2")
	require.Contains(t, s.Refs, email)

	// Only what has changed: a box that was ticked counts.
	require.True(t, take(`{"since":"s1"}`).Unchanged)
	_, err := b.r.Page().Evaluate(b.ctx, "", `news.checked = false, document.querySelector('main').append(Object.assign(document.createElement('button'), {textContent:'Later'})), 1`)
	require.NoError(t, err)
	s = take(`{"since":"s1"}`)
	require.Equal(t, "s2", s.SnapshotID)
	// What was there keeps the snapshot that first gave it.
	require.Equal(t, email, refIn(t, s.YAML, `textbox "Email"`))
	later := refIn(t, s.YAML, `button "Later"`)
	require.True(t, strings.HasPrefix(later, "s2e"), later)
	a := b.run(`[{"click":"` + later + `"}]`)
	require.Equal(t, later, refIn(t, a.ViewportSnapshot, `button "Later"`), "an answer's own snapshot spells it the same")

	require.Contains(t, take(`{"root":"body"}`).YAML, "Home")
	require.NotContains(t, take(`{"root":"#list"}`).YAML, "Email")
	require.NotContains(t, take(`{"root":"role=navigation"}`).YAML, "Email")
	require.Contains(t, take(`{"root":"`+email+`"}`).YAML, "Email")
	require.NotContains(t, take(`{"mode":"plain"}`).YAML, "[ref=")
	require.Contains(t, take(`{"detail":"interactive"}`).YAML, "path=list > listitem")
	require.Contains(t, take(`{"detail":"summary"}`).YAML, "landmarks:")
	require.True(t, take(`{"root":"body","maxElements":3}`).Truncated)
	d := take(`{"format":"dddk"}`)
	require.Equal(t, "dddk", d.Format)
	require.Contains(t, d.Text, "<h1>")

	s = take(`{"root":"body","inlineLimit":200}`)
	require.True(t, s.TruncatedInline)
	require.Empty(t, s.YAML)
	file, err := os.ReadFile(s.Artifacts.Snapshot)
	require.NoError(t, err)
	require.Len(t, file, s.SnapshotSize)
	require.Contains(t, string(file), "Home")
	file, err = os.ReadFile(s.Artifacts.Refs)
	require.NoError(t, err)
	require.Contains(t, string(file), email)

	a = b.run(`[{"snapshot":{"root":"#gone"}}]`)
	require.Equal(t, "ElementNotFoundError", a.Steps[0].Subtype)
	a = b.run(`[{"snapshot":{"root":"[[["}}]`)
	require.Equal(t, "StepValidationError", a.Steps[0].Subtype)
}

// Section 19.6: what stays in place is sent once.
func TestStickyChromeOnce(t *testing.T) {
	b := on(t, strings.ReplaceAll(shop, "main>", "div>")+`<div style="height:3000px"></div><button>End</button>`)
	a := b.run(`[{"scroll":"top"}]`)
	require.Contains(t, a.ViewportSnapshot, `link "Home"`)
	a = b.run(`[{"scroll":"bottom"}]`)
	require.NotContains(t, a.ViewportSnapshot, `link "Home"`)
	require.Contains(t, a.ViewportSnapshot, "stays in place and reads as in the snapshot before")
	require.Contains(t, a.ViewportSnapshot, `button "End"`)
	_, err := b.r.Page().Evaluate(b.ctx, "", `document.querySelector('nav a').textContent = 'Start', 1`)
	require.NoError(t, err)
	require.Contains(t, b.run(`[{"scroll":"bottom"}]`).ViewportSnapshot, `link "Start"`, "what has changed is sent")
	a = b.run(`[{"reload":true}]`)
	require.Contains(t, a.ViewportSnapshot, `link "Home"`, "another document")
}

func TestSnapshotSearch(t *testing.T) {
	b := on(t, shop)
	var s searchOutput
	a := b.run(`[{"snapshotSearch":{"text":"send","role":"button"}}]`)
	a.out(t, &s)
	require.Equal(t, 1, s.MatchCount)
	require.Equal(t, "Send", s.Matches[0].Name)
	require.Equal(t, []string{"main", "button"}, s.Matches[0].Path)
	a = b.run(`[{"click":"` + s.Matches[0].Ref + `"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	a = b.run(`[{"snapshotSearch":{"pattern":"^(one|two)","limit":1}}]`)
	a.out(t, &s)
	require.Equal(t, 2, s.MatchCount)
	require.Len(t, s.Matches, 1)
	a = b.run(`[{"snapshotSearch":{"text":"Hunter2"}}]`)
	a.out(t, &s)
	require.Equal(t, 0, s.MatchCount)
}

func TestQuery(t *testing.T) {
	b := on(t, shop)
	query := func(params string) (q queryOutput, raw string) {
		a := b.run(`[{"query":` + params + `}]`)
		a.out(t, &q)
		return q, string(a.Steps[0].Output)
	}
	q, _ := query(`" #list li "`)
	require.Equal(t, []int{2, 2}, []int{q.Total, q.Showing})
	require.Equal(t, "#list li", q.Selector)
	require.Equal(t, "Two more", q.Results[1].Value)
	q, _ = query(`{"selector":"a.more","output":"href"}`)
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/two\?x=1$`, q.Results[0].Value)
	q, _ = query(`{"selector":"a.more","output":["text","tag","@class"],"metadata":true}`)
	require.Equal(t, map[string]any{"text": "more", "tag": "a", "class": "more"}, q.Results[0].Value)
	require.Equal(t, "d2", q.Results[0].Metadata.Attributes["data-id"])
	require.Positive(t, q.Results[0].Metadata.Box.Width)
	q, _ = query(`{"selector":"a.more","output":{"attribute":"data-id"}}`)
	require.Equal(t, "d2", q.Results[0].Value)
	q, _ = query(`{"selector":"#intro","output":"html"}`)
	require.Equal(t, `<p id="intro">Fine <b>tea</b> &amp; cups.</p>`, q.Results[0].Value)
	q, _ = query(`"script[type='application/ld+json']"`)
	require.Equal(t, `{"@type":"Shop"}`, q.Results[0].Value)
	q, _ = query(`"title"`)
	require.Equal(t, "Bench", q.Results[0].Value)
	q, _ = query(`"#hidden"`)
	require.Equal(t, "Ghost", q.Results[0].Value)
	q, _ = query(`".none"`)
	require.Equal(t, 0, q.Total)
	for _, output := range []string{"value", "html", "text", "@value"} {
		_, raw := query(`{"selector":"#pw, #f","output":"` + output + `","metadata":true}`)
		require.NotContains(t, raw, "Hunter2", output)
	}
	q, _ = query(`{"role":"heading","level":1}`)
	require.Equal(t, "Shop", q.Results[0].Name)
	q, _ = query(`{"roles":["link","button"],"countOnly":true}`)
	require.Equal(t, []int{3, 0}, []int{q.Total, q.Showing})
	q, _ = query(`{"role":"button","nameRegex":"^se.d$","output":"html"}`)
	require.Equal(t, `<button id="go">Send</button>`, q.Results[0].Value)
	require.Equal(t, "ok", b.run(`[{"hover":"`+q.Results[0].Ref+`"}]`).Status)
	require.Equal(t, "StepValidationError", b.run(`[{"query":"[[["}]`).Steps[0].Subtype)

	var all map[string]struct {
		Total int
		Error string
	}
	a := b.run(`[{"queryAll":{"items":"li","rows":{"selector":"tr","limit":1},"bad":"[[["}}]`)
	a.out(t, &all)
	require.Equal(t, []int{2, 3}, []int{all["items"].Total, all["rows"].Total})
	require.Contains(t, all["bad"].Error, "not a CSS selector")

	var in inspectOutput
	a = b.run(`[{"inspect":{"selectors":["#list li"],"limit":1}}]`)
	a.out(t, &in)
	require.Equal(t, "Bench", in.Title)
	require.Equal(t, []int{2, 2, 6, 1, 0}, []int{in.Elements["a"], in.Elements["button"], in.Elements["input"], in.Elements["form"], in.Elements["img"]})
	require.Equal(t, custom{2, []string{"One"}}, in.Custom["#list li"])
}

func TestExtractAndDom(t *testing.T) {
	b := on(t, shop+`<div id=grid role=grid><div role=row><span role=columnheader>A</span></div><div role=row><span role=gridcell>1</span></div></div>`)
	var table tableOutput
	a := b.run(`[{"extract":"#prices"}]`)
	a.out(t, &table)
	require.Equal(t, []string{"Thing", "Price"}, table.Headers)
	require.Equal(t, [][]string{{"Tea", "5"}, {"Cup", "7"}}, table.Rows)
	a = b.run(`[{"extract":{"selector":"#prices","limit":1}}]`)
	a.out(t, &table)
	require.Equal(t, []int{1, 2}, []int{table.RowCount, table.TotalRows})
	a = b.run(`[{"extract":"#grid"}]`)
	a.out(t, &table)
	require.Equal(t, [][]string{{"1"}}, table.Rows)
	var list listOutput
	a = b.run(`[{"extract":"#list"}]`)
	a.out(t, &list)
	require.Equal(t, []string{"One", "Two more"}, list.Items)
	a = b.run(`[{"extract":"#intro"}]`)
	require.Contains(t, a.Steps[0].Error, "holds neither a table nor a list")

	var dom domOutput
	a = b.run(`[{"getDom":{"selector":"#intro","outer":false}}]`)
	a.out(t, &dom)
	require.Equal(t, `Fine <b>tea</b> &amp; cups.`, dom.HTML)
	require.Equal(t, []any{"p", 27, "#intro"}, []any{dom.TagName, dom.Length, dom.Selector})
	a = b.run(`[{"getDom":true}]`)
	a.out(t, &dom)
	require.Equal(t, "html", dom.TagName)
	require.NotContains(t, dom.HTML, "Hunter2")
	require.Contains(t, dom.HTML, `type="password" value="[redacted`)
}

func TestBoxesAndPoints(t *testing.T) {
	b := on(t, shop)
	a := b.run(`[{"snapshot":{"root":"body"}}]`)
	var s struct{ YAML string }
	a.out(t, &s)
	send := refIn(t, s.YAML, `button "Send"`)
	var box boxOutput
	box.rect = &rect{}
	a = b.run(`[{"getBox":"` + send + `"}]`)
	a.out(t, &box)
	require.Positive(t, box.Width)
	require.InDelta(t, box.X+box.Width/2, box.Center.X, 0.1)

	// The wrapper has no number until somebody points at it.
	var e elementAt
	_, err := b.r.Page().Evaluate(b.ctx, "", "wrap.scrollIntoView({block:'center'}), 1")
	require.NoError(t, err)
	raw, err := b.r.Page().Evaluate(b.ctx, "", "JSON.stringify((({x,y}) => ({x: x+5, y: y+5}))(wrap.getBoundingClientRect()))")
	require.NoError(t, err)
	var at string
	require.NoError(t, json.Unmarshal(raw, &at))
	a = b.run(`[{"elementsAt":` + at + `}]`)
	a.out(t, &e)
	require.Equal(t, "div", e.Tag)
	require.NotEmpty(t, e.Selector)
	require.False(t, *e.Existing)
	require.False(t, *e.Clickable)
	wrap := e.Ref
	a = b.run(`[{"elementsAt":` + at + `}]`)
	a.out(t, &e)
	require.True(t, *e.Existing)
	require.Equal(t, wrap, e.Ref)
	a = b.run(`[{"click":"` + wrap + `"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	var batch batchOutput
	a = b.run(`[{"elementsAt":[` + at + `,{"x":-5,"y":1}]}]`)
	a.out(t, &batch)
	require.Equal(t, 1, batch.Count)
	require.NotEmpty(t, batch.Elements[1].Error)
	require.Equal(t, "ElementNotFoundError", b.run(`[{"elementsAt":{"x":9000,"y":1}}]`).Steps[0].Subtype)
	var near nearbyOutput
	a = b.run(`[{"elementsAt":{"x":` + num(box.Center.X) + `,"y":` + num(box.Center.Y) + `,"radius":2000,"limit":3}}]`)
	a.out(t, &near)
	require.Equal(t, 3, near.Count)
	require.LessOrEqual(t, *near.Elements[0].Distance, *near.Elements[1].Distance)

	_, err = b.r.Page().Evaluate(b.ctx, "", "go.style.display='none', document.querySelector('#list a').remove(), 1")
	require.NoError(t, err)
	link := refIn(t, s.YAML, `link "more"`)
	var boxes map[string]struct {
		Error string
		Box   *rect
	}
	a = b.run(`[{"getBox":["` + send + `","` + link + `","s1e9999"]}]`)
	a.out(t, &boxes)
	require.Equal(t, []string{"hidden", "stale", "not found"}, []string{boxes[send].Error, boxes[link].Error, boxes["s1e9999"].Error})
	require.NotNil(t, boxes[send].Box)
}

func num(f float64) string { b, _ := json.Marshal(f); return string(b) }

func TestForms(t *testing.T) {
	b := on(t, shop)
	var form formOutput
	a := b.run(`[{"formState":"#f"}]`)
	a.out(t, &form)
	require.True(t, form.Valid)
	byName := map[string]field{}
	for _, f := range form.Fields {
		byName[f.Name] = f
	}
	require.Equal(t, []any{"a@b.c", "Email", true, "email"}, []any{byName["email"].Value, byName["email"].Label, byName["email"].Required, byName["email"].Type})
	require.Contains(t, byName["pw"].Value, "[redacted")
	require.Equal(t, true, byName["news"].Checked)
	require.Equal(t, "M", byName["size"].Value)
	require.Equal(t, "h", byName["elements"].Value)
	require.NotContains(t, string(a.Steps[0].Output), "Hunter2")
	require.NotContains(t, string(a.Steps[0].Output), "c4f1e0")

	var v validity
	a = b.run(`[{"fill":{"selector":"#email","value":"nonsense"}},{"validate":"#email"}]`)
	a.out(t, &v)
	require.False(t, v.Valid)
	require.True(t, v.Validity["typeMismatch"])
	require.False(t, v.Validity["valueMissing"])
	require.NotEmpty(t, v.Message)
	var sent submitOutput
	a = b.run(`[{"submit":"#f"}]`)
	a.out(t, &sent)
	require.False(t, sent.Submitted)
	require.Equal(t, "Email", sent.Errors[0].Field)
	a = b.run(`[{"fill":{"selector":"#email","value":"a@b.c"}},{"submit":"#go"}]`)
	a.out(t, &sent)
	require.True(t, sent.Submitted && sent.Valid)
	got, err := b.r.Page().Evaluate(b.ctx, "", "window.sent")
	require.NoError(t, err)
	require.Equal(t, "1", string(got))
	a = b.run(`[{"submit":"#intro"}]`)
	require.Contains(t, a.Steps[0].Error, "neither a form nor in one")
	a = b.run(`[{"validate":"#intro"}]`)
	require.Contains(t, a.Steps[0].Error, "<p> is no field")

	// What a page says of a secret does not tell it.
	_, err = b.r.Page().Evaluate(b.ctx, "", "pw.setCustomValidity('bad: ' + pw.value), 1")
	require.NoError(t, err)
	a = b.run(`[{"validate":"#pw"}]`)
	a.out(t, &v)
	require.Contains(t, v.Message, "customError")
	require.NotContains(t, string(a.Steps[0].Output), "Hunter2")
}

func TestAssert(t *testing.T) {
	b := on(t, shop)
	for step, ok := range map[string]bool{
		`{"text":"Fine tea & cups."}`:                                     true,
		`{"text":"fine tea"}`:                                             false,
		`{"text":"fine tea","caseSensitive":false}`:                       true,
		`{"text":"One","selector":"#intro"}`:                              false,
		`{"url":{"startsWith":"http://127.0.0.1","matches":":[0-9]+/$"}}`: true,
		`{"url":{"startsWith":"http://127.0.0.1","equals":"x"}}`:          false,
		`{"urlContains":"127.0.0.1","text":"Imprint"}`:                    true,
	} {
		a := b.run(`[{"assert":` + step + `}]`)
		require.Equal(t, ok, a.Status == "ok", "%s: %v", step, a.Errors)
		if !ok {
			require.Equal(t, "AssertionError", a.Steps[0].Subtype)
			require.Contains(t, a.Steps[0].Error, "want ")
		}
	}
}

func TestConsole(t *testing.T) {
	b := on(t, `<input type=password value="Hunter2!x" id=pw><script>
function shout() { console.error('oh no', pw.value); }
console.log('hello'); shout(); setTimeout(() => { throw new Error('boom') }, 0);</script>`)
	_, err := b.r.Page().Evaluate(b.ctx, "", "new Promise((r) => setTimeout(r, 20))")
	require.NoError(t, err)
	type console struct {
		Total, Showing int
		Messages       []struct {
			Level, Text, Type, URL string
			Line                   int
			Timestamp              float64
			StackTrace             []struct{ Function string }
		}
	}
	read := func(params string) (c console) {
		a := b.run(`[{"console":` + params + `}]`)
		a.out(t, &c)
		require.NotContains(t, string(a.Steps[0].Output), "Hunter2")
		return c
	}
	c := read(`true`)
	require.Equal(t, 3, c.Total)
	require.Equal(t, "hello", c.Messages[0].Text)
	require.Empty(t, c.Messages[1].StackTrace)
	c = read(`{"level":"error","stackTrace":true,"type":"console"}`)
	require.Equal(t, 1, c.Total)
	require.Equal(t, "shout", c.Messages[0].StackTrace[0].Function)
	c = read(`{"type":"exception","clear":true}`)
	require.Contains(t, c.Messages[0].Text, "boom")
	require.Positive(t, c.Messages[0].Timestamp)
	require.Equal(t, 0, read(`true`).Total)
}

// Sections 19.1 and 19.12: frames of another origin work like any other.
func TestFrames(t *testing.T) {
	pay := chrometest.Page(t, `<!doctype html><title>Pay</title><main><h2>Card</h2><label>Holder <input id=h></label><button onclick="document.title='paid ' + h.value">Pay</button><iframe name=deep srcdoc="<p id=p>deep down</p>"></iframe></main>`)
	pay = strings.Replace(pay, "127.0.0.1", "localhost", 1)
	b := on(t, `<h1>Top</h1><button>Pay</button><iframe id=one name=first srcdoc="<p>one</p>"></iframe><iframe id=two class=embed name=pay width=500 height=300 src="`+pay+`"></iframe>`)
	var list framesOutput
	a := b.run(`[{"frame":{"list":true}}]`)
	a.out(t, &list)
	require.Len(t, list.Frames, 4)
	require.Equal(t, list.MainFrameID, list.CurrentFrameID)
	require.Nil(t, list.Frames[0].ParentID)
	cross := 0
	for _, f := range list.Frames {
		if f.CrossOrigin && f.OutOfProcess {
			cross++
		}
	}
	require.Positive(t, cross)
	for _, spec := range []string{`"iframe.embed"`, `{"selector":"#two"}`, `1`, `{"index":1}`, `{"name":"pay"}`} {
		a = b.run(`[{"frame":"top"},{"frame":` + spec + `},{"query":"h2"},{"query":{"role":"button"}},{"assert":{"text":"Card"}},{"snapshot":true},{"fill":{"selector":"#h","value":"Ada"}},{"click":{"selector":"button","observe":"() => document.title"}}]`)
		require.Equal(t, "ok", a.Status, "%s: %v", spec, a.Errors)
		require.Contains(t, string(a.Steps[1].Output), `"crossOrigin":true`)
		require.Contains(t, string(a.Steps[2].Output), "Card")
		require.Contains(t, string(a.Steps[3].Output), `"total":1`, "the other Pay is not in the frame")
		require.Contains(t, string(a.Steps[5].Output), "Card")
		require.NotContains(t, string(a.Steps[5].Output), "Top")
		require.JSONEq(t, `"paid Ada"`, string(a.Steps[7].Observation))
	}
	a = b.run(`[{"frame":"#two"},{"frame":0},{"getDom":"#p"},{"frame":{"list":true}},{"frame":"top"},{"query":"h1"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[2].Output), "deep down")
	require.Contains(t, string(a.Steps[5].Output), "Top")
	require.Contains(t, b.run(`[{"frame":{"name":"payy"}}]`).Steps[0].Error, `did you mean "pay"`)
	require.Contains(t, b.run(`[{"frame":"h1"}]`).Steps[0].Error, "h1 is no frame")
	require.Contains(t, b.run(`[{"frame":7}]`).Steps[0].Error, "has 2, numbered from 0")

	// A frame that is gone is never taken for another one.
	c, err := Parse([]byte(`{"tab":"t1","steps":[{"frame":"#one"},{"query":"p"}]}`))
	require.NoError(t, err)
	res := b.r.Run(b.ctx, c)
	require.Equal(t, "ok", res[1].Status, res[1].Error)
	_, err = b.r.Page().Evaluate(b.ctx, "", "one.remove(), 1")
	require.NoError(t, err)
	for _, s := range []string{`{"query":"h1"}`, `{"click":"button"}`, `{"snapshot":true}`} {
		c, err = Parse([]byte(`{"tab":"t1","timeout":3000,"steps":[` + s + `]}`))
		require.NoError(t, err)
		res = b.r.Run(b.ctx, c)
		require.Equal(t, "StaleElementError", res[0].Subtype, res[0].Error)
		require.Contains(t, res[0].Error, `{"frame":"top"}`)
	}
}

// Section 19.12: the frame belongs to the alias, and outlasts the command.
func TestFrameIsCarriedByAlias(t *testing.T) {
	ctx := chrometest.Context(t)
	u, err := url.Parse(chrome.Browser(t).Endpoint())
	require.NoError(t, err)
	home := t.TempDir()
	page := chrometest.Page(t, `<!doctype html><title>P</title><h1>Top</h1><iframe id=f srcdoc="<h1>Inner</h1>"></iframe>`)
	command := func(in string) answer {
		h := tabs.NewHost(tabs.Options{Home: home, Attach: u.Host, Tool: "test"})
		defer func() { require.NoError(t, h.Close()) }()
		r, err := New(ctx, nil, Options{Host: h, Files: t.TempDir(), Tool: "test"})
		require.NoError(t, err)
		defer r.Close(ctx)
		c, err := Parse([]byte(in))
		require.NoError(t, err)
		a, err := r.Execute(ctx, c)
		require.NoError(t, err)
		var out answer
		require.NoError(t, json.Unmarshal(a.Body, &out), string(a.Body))
		return out
	}
	a := command(`{"steps":[{"openTab":"` + page + `"},{"frame":"#f"}]}`)
	require.Equal(t, "ok", a.Status, a.Errors)
	tab := a.Tab
	defer command(`{"steps":[{"closeTab":"` + tab + `"}]}`)
	a = command(`{"tab":"` + tab + `","steps":[{"query":"h1"}]}`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[0].Output), "Inner")
	a = command(`{"tab":"` + tab + `","steps":[{"frame":"top"}]}`)
	require.Equal(t, "ok", a.Status, a.Errors)
	a = command(`{"tab":"` + tab + `","steps":[{"query":"h1"},{"frame":"#f"}]}`)
	require.Contains(t, string(a.Steps[0].Output), "Top")
	a = command(`{"tab":"` + tab + `","steps":[{"reload":true}]}`)
	require.Equal(t, "ok", a.Status, a.Errors)
	a = command(`{"tab":"` + tab + `","steps":[{"query":"h1"}]}`)
	require.Contains(t, string(a.Steps[0].Output), "Top", "another page has no frame that was switched to")
}

// DomTool's node ids are refs too (B-2, C-5).
func TestNodeIDs(t *testing.T) {
	b := on(t, `<button onclick="document.title='hit'">Go</button><div><p>text</p></div>`)
	var s struct{ Text string }
	a := b.run(`[{"snapshot":{"format":"domtool"}}]`)
	a.out(t, &s)
	id := regexp.MustCompile(`nv_[0-9a-f]{8}`)
	var button string
	for _, m := range id.FindAllString(s.Text, -1) {
		a = b.run(`[{"getBox":"` + m + `"}]`)
		require.Equal(t, "ok", a.Status)
		if n := b.r.nodeID(b.ctx, m); n > 0 {
			if e, ok := b.r.ledger.Entry(n); ok && e.Tag == "button" {
				button = m
			}
		}
	}
	require.NotEmpty(t, button, s.Text)
	a = b.run(`[{"click":{"ref":"` + button + `","observe":"() => document.title"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.JSONEq(t, `"hit"`, string(a.Steps[0].Observation))
	require.Equal(t, "StaleElementError", b.run(`[{"click":"nv_00000000"}]`).Steps[0].Subtype)
}
