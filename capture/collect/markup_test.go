package collect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
)

// TestMarkup: markup is the page's own where nothing is secret, and what a capture keeps
// out is not in it.
func TestMarkup(t *testing.T) {
	const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>a &amp; b</title><script>if (1 < 2 && "x") {}</script></head>` +
		`<body><p id="p" title="&quot;q&quot; &amp; &lt;">1 &lt; 2&nbsp;&amp; 3<br><b>four</b></p><!-- note --><svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>` +
		`<template><i>in</i><input value="t0p"></template><form><input name="attributes"><input name="firstChild"></form></body></html>`
	tab := chrome.Open(t, chrometest.Page(t, page))
	ctx := chrometest.Context(t)
	read := func(o collect.Options, selector string, inner bool, limit int) (string, bool) {
		res, err := collect.Read(ctx, tab, o)
		require.NoError(t, err)
		defer res.Release(ctx)
		i := -1
		for k := range res.Capture.Nodes {
			if n := &res.Capture.Nodes[k]; n.Attr("id") == selector || n.Tag == selector {
				i = n.I
				break
			}
		}
		el, err := res.Element(ctx, i)
		require.NoError(t, err)
		out, cut, err := res.Markup(ctx, el, inner, limit)
		require.NoError(t, err)
		return out, cut
	}
	want, err := tab.Session().Eval(ctx, tab.ID(), "document.documentElement.outerHTML")
	require.NoError(t, err)
	got, cut := read(collect.Options{}, "html", false, 1e6)
	require.False(t, cut)
	require.Equal(t, strings.Replace(want, "t0p", "[redacted: not looked at]", 1), got)
	got, _ = read(collect.Options{}, "p", true, 1e6)
	require.Equal(t, `1 &lt; 2&nbsp;&amp; 3<br><b>four</b>`, got)
	got, cut = read(collect.Options{}, "p", false, 40)
	require.True(t, cut)
	require.True(t, strings.HasSuffix(got, "</p>"), got)

	const secrets = `<!doctype html><meta charset="utf-8"><div id="d"><input id="pw" type="password" value="Hunter2!x"><textarea autocomplete="one-time-code">424242</textarea>` +
		`<a href="/x?access_token=abcdef1234567890">a</a><!-- Hunter2!x --><p data-k="Hunter2!x">4111 1111 1111 1111</p><em class="c" title="Jo">Jo Public</em></div>`
	require.NoError(t, tab.Navigate(ctx, chrometest.Page(t, secrets)))
	got, _ = read(collect.Options{Rules: collect.Rules{Redact: []string{"em"}, Patterns: []string{`/x\b`}}}, "d", false, 1e6)
	for _, secret := range []string{"Hunter2", "424242", "abcdef1234567890", "4111", "Jo", `"/x`} {
		require.NotContains(t, got, secret)
	}
	require.Contains(t, got, `<em class="c" title="[redacted]">[redacted]</em>`)
	_, err = html.Parse(strings.NewReader(got))
	require.NoError(t, err)
}
