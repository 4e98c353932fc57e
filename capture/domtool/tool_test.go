package domtool

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/chrometest"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// bench is a tool on a page, with what it reported.
type bench struct {
	t       *testing.T
	tool    *Tool
	page    *action.Page
	metrics []Metric
}

func on(t *testing.T, html string) *bench {
	tab := chrome.Open(t, chrometest.Page(t, "<!doctype html><meta charset=utf-8><title>Tool</title>"+html))
	b := &bench{t: t, page: action.New(tab)}
	b.tool = New(tab, Options{Timeout: 400 * time.Millisecond, TTL: time.Hour, Report: func(m Metric) { b.metrics = append(b.metrics, m) }})
	return b
}

func (b *bench) eval(js string) string {
	b.t.Helper()
	raw, err := b.page.Evaluate(chrometest.Context(b.t), "", js)
	require.NoError(b.t, err)
	var s string
	require.NoError(b.t, json.Unmarshal(raw, &s))
	return s
}

// id is the node id of the element with that attribute in the payload.
func (b *bench) id(pattern string) string {
	b.t.Helper()
	s, err := b.tool.Snapshot(chrometest.Context(b.t), false)
	require.NoError(b.t, err)
	m := regexp.MustCompile(`"node_id":"([^"]+)"[^{}]*` + pattern).FindStringSubmatch(s.Payload)
	require.NotNil(b.t, m, "%s in %s", pattern, s.Payload)
	return m[1]
}

const recorder = `<script>log = []; for (const k of ['pointerover','pointerenter','mouseover','mouseenter','pointerdown','mousedown','focus','pointerup','mouseup','click','keydown','keypress','input','keyup','change'])
	document.addEventListener(k, (e) => { if (e.target.id === 'it') log.push(k + (e.isTrusted ? '' : '!')); }, true)</script>`

func TestClickHasTheOrderOfAppendixA(t *testing.T) {
	b := on(t, recorder+`<button id=it style="position:fixed;left:200px;top:200px">Go</button>`)
	r, err := b.tool.Click(chrometest.Context(t), b.id(`"Go"`))
	require.NoError(t, err)
	require.Equal(t, action.MethodCDP, r.Method)
	require.Equal(t, "pointerover pointerenter mouseover mouseenter pointerdown mousedown focus pointerup mouseup click", b.eval(`log.join(' ')`))
}

func TestTypeHasTheOrderOfAppendixA(t *testing.T) {
	b := on(t, recorder+`<input id=it aria-label=Name value=Old>`)
	ctx := chrometest.Context(t)
	id := b.id(`"Name"`)
	r, err := b.tool.Type(ctx, id, "ab", TypeOptions{Replace: true})
	require.NoError(t, err)
	require.Equal(t, "keys", r.Method)
	require.Equal(t, "focus keydown keypress input keyup keydown keypress input keyup change!", b.eval(`log.join(' ')`))
	require.Equal(t, "ab", b.eval(`it.value`))
	_, err = b.tool.Type(ctx, id, "c", TypeOptions{})
	require.NoError(t, err)
	require.Equal(t, "abc", b.eval(`it.value`))
	_, err = b.tool.Type(ctx, id, "", TypeOptions{Replace: true})
	require.NoError(t, err)
	require.Equal(t, "", b.eval(`it.value`))
}

func TestKeypress(t *testing.T) {
	b := on(t, recorder+`<input id=it aria-label=Name>`)
	ctx := chrometest.Context(t)
	_, err := b.tool.Keypress(ctx, b.id(`"Name"`), "a")
	require.NoError(t, err)
	_, err = b.tool.Keypress(ctx, "", "Escape")
	require.NoError(t, err)
	require.Equal(t, "focus keydown keypress input keyup keydown keyup", b.eval(`log.join(' ')`))
	_, err = b.tool.Keypress(ctx, "", "Entr")
	var key *action.KeyError
	require.ErrorAs(t, err, &key)
	require.Equal(t, "Enter", key.Nearest)
}

func TestTheSnapshotIsKeptWhileItIsTrue(t *testing.T) {
	b := on(t, `<button id=it>Go</button>`)
	ctx := chrometest.Context(t)
	one, err := b.tool.Snapshot(ctx, false)
	require.NoError(t, err)
	require.False(t, one.Cached)
	two, err := b.tool.Snapshot(ctx, false)
	require.NoError(t, err)
	require.True(t, two.Cached)
	require.Same(t, one.Capture, two.Capture)
	b.eval(`it.textContent = 'Went'`)
	three, err := b.tool.Snapshot(ctx, false)
	require.NoError(t, err)
	require.False(t, three.Cached, "the page has changed")
	require.Contains(t, three.Payload, "Went")
	forced, err := b.tool.Snapshot(ctx, true)
	require.NoError(t, err)
	require.False(t, forced.Cached)
	b.tool.Invalidate()
	after, err := b.tool.Snapshot(ctx, false)
	require.NoError(t, err)
	require.False(t, after.Cached)
	require.Equal(t, []bool{false, true, false, false, false}, func() (out []bool) {
		for _, m := range b.metrics {
			require.Equal(t, "snapshot", m.What)
			require.Positive(t, m.Nodes)
			require.Positive(t, m.Bytes)
			out = append(out, m.Cached)
		}
		return out
	}())
}

func TestErrorsAreTyped(t *testing.T) {
	b := on(t, `<button id=off disabled>Off</button><button id=under style="position:fixed;left:300px;top:300px">Under</button><div style="position:fixed;inset:250px;background:#fff">Over</div>
		<input type=file id=file aria-label=Attach><button id=gone>Gone</button>`)
	ctx := chrometest.Context(t)
	off, under, file, gone := b.id(`"Off"`), b.id(`"Under"`), b.id(`"Attach"`), b.id(`"Gone"`)
	b.eval(`(gone.remove(), '')`)
	for name, c := range map[string]struct {
		do    func() error
		kind  Kind
		retry bool
	}{
		"unknown":  {func() error { _, err := b.tool.Click(ctx, "nv_00000000"); return err }, NotFound, true},
		"gone":     {func() error { _, err := b.tool.Click(ctx, gone); return err }, NotFound, true},
		"disabled": {func() error { _, err := b.tool.Click(ctx, off); return err }, NotActionable, true},
		"covered":  {func() error { _, err := b.tool.Click(ctx, under); return err }, NotActionable, true},
		"summary":  {func() error { _, err := b.tool.Click(ctx, "nv_summary_end"); return err }, NotActionable, false},
		"file":     {func() error { _, err := b.tool.Type(ctx, file, "x", TypeOptions{}); return err }, SecurityBlocked, false},
		"not text": {func() error { _, err := b.tool.Type(ctx, under, "x", TypeOptions{}); return err }, NotActionable, false},
	} {
		err := c.do()
		var e *Error
		require.ErrorAs(t, err, &e, name)
		require.Equal(t, c.kind, e.Kind, name)
		require.Equal(t, c.retry, e.RetrySuggested, "%s: %v", name, err)
		require.Contains(t, err.Error(), string(c.kind))
	}
	var kinds []Kind
	for _, m := range b.metrics {
		if m.Failed != "" {
			kinds = append(kinds, m.Failed)
		}
	}
	require.Len(t, kinds, 7)
}

func TestAnElementThatWasRenderedAnew(t *testing.T) {
	b := on(t, `<main><button id=it onclick="window.hit='old'">Save draft</button></main>`)
	id := b.id(`"Save draft"`)
	b.eval("(document.querySelector('main').innerHTML = `<p>Note</p><div><button onclick=\"window.hit='new'\">Save draft</button></div>`, '')")
	ctx := chrometest.Context(t)
	_, err := b.tool.Click(ctx, id)
	// The page has another element at another place: its id is another one.
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, NotFound, e.Kind)
	require.Equal(t, "undefined", b.eval(`String(window.hit)`))
	r, err := b.tool.Click(ctx, b.id(`"Save draft"`))
	require.NoError(t, err)
	require.False(t, r.ReResolved)
	require.Equal(t, "new", b.eval(`window.hit`))
}
