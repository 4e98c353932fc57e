package step_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/refscope/refscope/snapshot/testneed"
)

// TestCommandsThatAreLost loses commands of an action on their way to the page, one after the other. What reads, or
// does nothing the second time, is given again; the action is done once, or the answer says that it failed. What the
// browser does itself is told as lost, not as a page that hangs.
func TestCommandsThatAreLost(t *testing.T) {
	g := chrometest.NewGateway(t, step.Chrome.Browser(t).Endpoint(), "seed")
	ctx := chrometest.Context(t)
	through, err := browser.Start(ctx, browser.Options{Attach: "ws://" + g.Address + "/chrome?token=seed"})
	require.NoError(t, err)
	defer through.Close()
	tab, err := through.OpenTab(ctx)
	require.NoError(t, err)
	defer tab.Close(ctx)
	require.NoError(t, tab.Navigate(ctx, steptest.Serve(t, `<button onclick="did.push('click')">Buy</button>
		<label>Name <input oninput="did.push('input')"></label><script>window.did = []</script>`)))
	b := steptest.In(t, tab)
	afresh := func() {
		b.Eval(`(() => { did.length = 0; const i = document.querySelector('input'); i.value = ''; i.blur() })()`)
	}
	const acts = "Runtime.callFunctionOn"
	for one, does := range map[string]string{`{"click":{"text":"Buy"}}`: `["click"]`,
		`{"fill":{"label":"Name","value":"Ada"}}`: `["input"]`} {
		b.Run("[" + one + "]") // what is made once
		afresh()
		before := g.Sent()
		require.Equal(t, "ok", b.Run("["+one+"]").Status)
		usual := g.Sent()
		require.Equal(t, does, b.Eval("did"))
		for _, method := range []string{"DOM.enable", "DOM.performSearch", "DOM.scrollIntoViewIfNeeded",
			"Performance.getMetrics", acts} {
			n := usual[method] - before[method]
			require.Positive(t, n, method)
			for nth := 0; nth < n; nth += testneed.Cases(3, 1, 1) {
				afresh()
				before, lost := g.Sent()[method], g.Lost()
				g.Lose(method, nth+1)
				a := b.Run("[" + one + "]")
				g.Lose("", 0) // where there were fewer of them
				if g.Lost() == lost {
					continue
				}
				did := b.Eval("did")
				switch {
				case a.Status == "ok":
					require.Equal(t, does, did, "%s without %s %d", one, method, nth)
				case method == acts:
					require.Equal(t, "[]", did, "%s without %s %d: %v", one, method, nth, a.Errors)
					require.NotContains(t, fmt.Sprint(a.Errors), "not in the document")
				default:
					require.Fail(t, "a question was not given again", "%s %d: %v", method, nth, a.Errors)
				}
				if method != acts {
					require.Greater(t, g.Sent()[method]-before, nth+1, "%s is not given again", method)
				}
			}
		}
	}
	require.Greater(t, g.Lost(), 8)
	for method, one := range map[string]string{
		"Input.dispatchMouseEvent": `{"click":{"text":"Buy"},"timeout":1200}`,
		"Page.captureScreenshot":   `{"screenshot":{},"timeout":1200}`,
	} {
		lost := g.Lost()
		g.Lose(method, 1)
		a := b.Run("[" + one + "]")
		require.Equal(t, lost+1, g.Lost(), method)
		require.Contains(t, fmt.Sprint(a.Errors), "though the page answered later questions", method)
		require.NotContains(t, fmt.Sprint(a.Errors), "main thread", method)
		require.Equal(t, "ok", b.Run("["+one+"]").Status, method) // the tab is not taken for one that hangs
	}
}
