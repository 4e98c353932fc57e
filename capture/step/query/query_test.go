package query_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step/query"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

type (
	inspected       = query.InspectOutput
	inspectedCustom = query.Custom
)

func on(t testing.TB, html string) *steptest.Bench {
	t.Helper()
	return steptest.On(t, &chrome, html)
}

func TestQuery(t *testing.T) {
	b := on(t, steptest.Shop)
	query := func(params string) (q query.QueryOutput, raw string) {
		a := b.Run(`[{"query":` + params + `}]`)
		a.Out(t, &q)
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
	require.Equal(t, "ok", b.Run(`[{"hover":"`+q.Results[0].Ref+`"}]`).Status)
	require.Equal(t, "StepValidationError", b.Run(`[{"query":"[[["}]`).Steps[0].Subtype)

	var all map[string]struct {
		Total int
		Error string
	}
	a := b.Run(`[{"queryAll":{"items":"li","rows":{"selector":"tr","limit":1},"bad":"[[["}}]`)
	a.Out(t, &all)
	require.Equal(t, []int{2, 3}, []int{all["items"].Total, all["rows"].Total})
	require.Contains(t, all["bad"].Error, "not a CSS selector")

	var in inspected
	a = b.Run(`[{"inspect":{"selectors":["#list li"],"limit":1}}]`)
	a.Out(t, &in)
	require.Equal(t, "Bench", in.Title)
	require.Equal(t, []int{2, 2, 6, 1, 0}, []int{in.Elements["a"], in.Elements["button"], in.Elements["input"], in.Elements["form"], in.Elements["img"]})
	require.Equal(t, inspectedCustom{2, []string{"One"}}, in.Custom["#list li"])
}

func TestExtractAndDom(t *testing.T) {
	b := on(t, steptest.Shop+`<div id=grid role=grid><div role=row><span role=columnheader>A</span></div><div role=row><span role=gridcell>1</span></div></div>`)
	var table query.TableOutput
	a := b.Run(`[{"extract":"#prices"}]`)
	a.Out(t, &table)
	require.Equal(t, []string{"Thing", "Price"}, table.Headers)
	require.Equal(t, [][]string{{"Tea", "5"}, {"Cup", "7"}}, table.Rows)
	a = b.Run(`[{"extract":{"selector":"#prices","limit":1}}]`)
	a.Out(t, &table)
	require.Equal(t, []int{1, 2}, []int{table.RowCount, table.TotalRows})
	a = b.Run(`[{"extract":"#grid"}]`)
	a.Out(t, &table)
	require.Equal(t, [][]string{{"1"}}, table.Rows)
	var list query.ListOutput
	a = b.Run(`[{"extract":"#list"}]`)
	a.Out(t, &list)
	require.Equal(t, []string{"One", "Two more"}, list.Items)
	a = b.Run(`[{"extract":"#intro"}]`)
	require.Contains(t, a.Steps[0].Error, "holds neither a table nor a list")

	var dom query.DomOutput
	a = b.Run(`[{"getDom":{"selector":"#intro","outer":false}}]`)
	a.Out(t, &dom)
	require.Equal(t, `Fine <b>tea</b> &amp; cups.`, dom.HTML)
	require.Equal(t, []any{"p", 27, "#intro"}, []any{dom.TagName, dom.Length, dom.Selector})
	a = b.Run(`[{"getDom":true}]`)
	a.Out(t, &dom)
	require.Equal(t, "html", dom.TagName)
	require.NotContains(t, dom.HTML, "Hunter2")
	require.Contains(t, dom.HTML, `type="password" value="[redacted`)
}

func TestBoxesAndPoints(t *testing.T) {
	b := on(t, steptest.Shop)
	a := b.Run(`[{"snapshot":{"root":"body"}}]`)
	var s struct{ YAML string }
	a.Out(t, &s)
	send := steptest.RefIn(t, s.YAML, `button "Send"`)
	var box query.BoxOutput
	box.Rect = &stepdef.Rect{}
	a = b.Run(`[{"getBox":"` + send + `"}]`)
	a.Out(t, &box)
	require.Positive(t, box.Width)
	require.InDelta(t, box.X+box.Width/2, box.Center.X, 0.1)

	// The wrapper has no number until somebody points at it.
	var e query.ElementAt
	_, err := b.R.Page().Evaluate(b.Ctx, "", "wrap.scrollIntoView({block:'center'}), 1")
	require.NoError(t, err)
	raw, err := b.R.Page().Evaluate(b.Ctx, "", "JSON.stringify((({x,y}) => ({x: x+5, y: y+5}))(wrap.getBoundingClientRect()))")
	require.NoError(t, err)
	var at string
	require.NoError(t, json.Unmarshal(raw, &at))
	a = b.Run(`[{"elementsAt":` + at + `}]`)
	a.Out(t, &e)
	require.Equal(t, "div", e.Tag)
	require.NotEmpty(t, e.Selector)
	require.False(t, *e.Existing)
	require.False(t, *e.Clickable)
	wrap := e.Ref
	a = b.Run(`[{"elementsAt":` + at + `}]`)
	a.Out(t, &e)
	require.True(t, *e.Existing)
	require.Equal(t, wrap, e.Ref)
	a = b.Run(`[{"click":"` + wrap + `"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	var batch query.BatchOutput
	a = b.Run(`[{"elementsAt":[` + at + `,{"x":-5,"y":1}]}]`)
	a.Out(t, &batch)
	require.Equal(t, 1, batch.Count)
	require.NotEmpty(t, batch.Elements[1].Error)
	require.Equal(t, "ElementNotFoundError", b.Run(`[{"elementsAt":{"x":9000,"y":1}}]`).Steps[0].Subtype)
	var near query.NearbyOutput
	a = b.Run(`[{"elementsAt":{"x":` + num(box.Center.X) + `,"y":` + num(box.Center.Y) + `,"radius":2000,"limit":3}}]`)
	a.Out(t, &near)
	require.Equal(t, 3, near.Count)
	require.LessOrEqual(t, *near.Elements[0].Distance, *near.Elements[1].Distance)

	_, err = b.R.Page().Evaluate(b.Ctx, "", "go.style.display='none', document.querySelector('#list a').remove(), 1")
	require.NoError(t, err)
	link := steptest.RefIn(t, s.YAML, `link "more"`)
	var boxes map[string]struct {
		Error string
		Box   *stepdef.Rect
	}
	a = b.Run(`[{"getBox":["` + send + `","` + link + `","s1e9999"]}]`)
	a.Out(t, &boxes)
	require.Equal(t, []string{"hidden", "stale", "not found"}, []string{boxes[send].Error, boxes[link].Error, boxes["s1e9999"].Error})
	require.NotNil(t, boxes[send].Box)
}

func num(f float64) string { b, _ := json.Marshal(f); return string(b) }

func TestAssert(t *testing.T) {
	b := on(t, steptest.Shop)
	for step, ok := range map[string]bool{
		`{"text":"Fine tea & cups."}`:                                     true,
		`{"text":"fine tea"}`:                                             false,
		`{"text":"fine tea","caseSensitive":false}`:                       true,
		`{"text":"One","selector":"#intro"}`:                              false,
		`{"url":{"startsWith":"http://127.0.0.1","matches":":[0-9]+/$"}}`: true,
		`{"url":{"startsWith":"http://127.0.0.1","equals":"x"}}`:          false,
		`{"urlContains":"127.0.0.1","text":"Imprint"}`:                    true,
	} {
		a := b.Run(`[{"assert":` + step + `}]`)
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
	_, err := b.R.Page().Evaluate(b.Ctx, "", "new Promise((r) => setTimeout(r, 20))")
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
		a := b.Run(`[{"console":` + params + `}]`)
		a.Out(t, &c)
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
