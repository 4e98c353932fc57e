package wraith

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/chrometest"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

type bench struct {
	t      *testing.T
	engine *Engine
	text   string
}

func on(t *testing.T, html string) *bench {
	tab := chrome.Open(t, chrometest.Page(t, "<!doctype html><meta charset=utf-8><title>W</title>"+html))
	b := &bench{t: t, engine: New(tab, Options{Timeout: 400 * time.Millisecond})}
	b.look()
	return b
}

func (b *bench) look() {
	b.t.Helper()
	s, err := b.engine.Snapshot(chrometest.Context(b.t))
	require.NoError(b.t, err)
	b.text = s.Text
}

func (b *bench) eval(js string) string {
	b.t.Helper()
	raw, err := b.engine.page.Evaluate(chrometest.Context(b.t), "", js)
	require.NoError(b.t, err)
	var s string
	require.NoError(b.t, json.Unmarshal(raw, &s))
	return s
}

func (b *bench) ref(text string) int {
	b.t.Helper()
	for line := range strings.Lines(b.text) {
		var n int
		if strings.Contains(line, text) {
			_, err := fmt.Sscanf(strings.TrimSpace(line), "@e%d", &n)
			require.NoError(b.t, err, line)
			return n
		}
	}
	b.t.Fatalf("no %s in\n%s", text, b.text)
	return 0
}

func TestActions(t *testing.T) {
	b := on(t, `<button onclick="this.textContent='Done'">Go</button><input aria-label=Name><select aria-label=State><option value=ca>California<option value=ny>New York</select>
		<div style="height:4000px"></div><button id=low>Low</button>`)
	ctx := chrometest.Context(t)
	r, err := b.engine.Click(ctx, b.ref(`"Go"`), false)
	require.NoError(t, err)
	require.Equal(t, action.MethodCDP, r.Method)
	require.Equal(t, "Done", b.eval(`document.querySelector('button').textContent`))
	_, err = b.engine.Fill(ctx, b.ref("Name"), "user@example.com", false)
	require.NoError(t, err)
	require.Equal(t, "user@example.com", b.eval(`document.querySelector('input').value`))
	_, err = b.engine.Select(ctx, b.ref("State"), "New York")
	require.NoError(t, err)
	require.Equal(t, "ny", b.eval(`document.querySelector('select').value`))
	_, err = b.engine.Select(ctx, b.ref("State"), "Texas")
	var none *action.NoOptionError
	require.ErrorAs(t, err, &none)
	_, err = b.engine.ScrollTo(ctx, b.ref(`"Low"`))
	require.NoError(t, err)
	// In the middle of the view, as far as the page can be scrolled.
	require.Equal(t, "true", b.eval(`String(low.getBoundingClientRect().bottom <= innerHeight && (Math.abs(low.getBoundingClientRect().y + low.offsetHeight / 2 - innerHeight / 2) < 2 || scrollY + innerHeight >= document.documentElement.scrollHeight - 1))`))
}

func TestForce(t *testing.T) {
	b := on(t, `<button id=b style="position:fixed;left:50px;top:50px;opacity:.99" onclick="window.hit=1">Under</button><div style="position:fixed;inset:0">Over</div>`)
	ctx := chrometest.Context(t)
	_, err := b.engine.Click(ctx, b.ref(`"Under"`), false)
	var notReady *action.NotReadyError
	require.ErrorAs(t, err, &notReady)
	require.NotNil(t, notReady.By)
	_, err = b.engine.Click(ctx, b.ref(`"Under"`), true)
	require.NoError(t, err)
}

func TestRefsOfOlderSnapshots(t *testing.T) {
	b := on(t, `<main><button onclick="window.hit='apples'">Buy</button><button onclick="window.hit='pears'">Sell</button></main>`)
	ctx := chrometest.Context(t)
	buy, sell := b.ref(`"Buy"`), b.ref(`"Sell"`)
	_, err := b.engine.Click(ctx, 4711, false)
	var none *action.NotFoundError
	require.ErrorAs(t, err, &none)

	b.eval(`(document.querySelectorAll('button')[1].remove(), '')`)
	b.look()
	require.Equal(t, buy, b.ref(`"Buy"`))
	r, err := b.engine.Click(ctx, buy, false)
	require.NoError(t, err)
	require.Zero(t, r.Old)
	_, err = b.engine.Click(ctx, sell, false)
	var stale *action.StaleError
	require.ErrorAs(t, err, &stale)
	require.Contains(t, err.Error(), fmt.Sprintf("@e%d of snapshot 1", sell))
	require.Equal(t, "apples", b.eval(`window.hit`), "nothing else was clicked")

	// Rendered anew: the only one of that role and name.
	b.eval("(document.querySelector('main').innerHTML = `<button onclick=\"window.hit='new'\">Buy</button>`, '')")
	r, err = b.engine.Click(ctx, buy, false)
	require.NoError(t, err)
	require.True(t, r.ReResolved)
	require.Empty(t, r.Selector)
	require.Equal(t, "new", b.eval(`window.hit`))
}

func TestTheSelectorIsTheLastResort(t *testing.T) {
	b := on(t, `<main><ul><li><button>Buy</button></li><li><button>Buy</button></li></ul></main>`)
	ctx := chrometest.Context(t)
	first := b.ref(`"Buy"`)
	render := func(one, two string) {
		b.eval("(document.querySelector('main').innerHTML = `<ul><li><button onclick=\"window.hit=1\">" + one + "</button></li><li><button onclick=\"window.hit=2\">" + two + "</button></li></ul>`, '')")
	}
	render("Buy", "Buy") // two of that role and name: the place decides
	r, err := b.engine.Click(ctx, first, false)
	require.NoError(t, err)
	require.NotEmpty(t, r.Selector)
	require.Equal(t, "1", b.eval(`String(window.hit)`))
	render("Sell", "Nothing") // the place has another name now
	_, err = b.engine.Click(ctx, first, false)
	var stale *action.StaleError
	require.ErrorAs(t, err, &stale)
}

func TestAnotherDocument(t *testing.T) {
	b := on(t, `<button>Buy</button>`)
	ctx := chrometest.Context(t)
	ref := b.ref(`"Buy"`)
	require.NoError(t, b.engine.page.Tab().Reload(ctx))
	_, err := b.engine.Click(ctx, ref, false)
	var stale *action.StaleError
	require.ErrorAs(t, err, &stale)
	require.Contains(t, err.Error(), "a document that the page has left")
}
