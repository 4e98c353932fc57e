package tap_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// Only names of this machine reach the tap, and of pages only those of a named origin.
func TestWhoMayCall(t *testing.T) {
	const app = "https://app.example"
	b := newBench(t, tap.Options{Origins: []string{app}}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://vendor.example")
		_, _ = io.WriteString(w, "{}")
	}))
	for name, c := range map[string]struct {
		method, host, origin string
		status               int
		allowed              []string
	}{
		"an agent":                {"POST", "", "", 200, []string{"https://vendor.example"}},
		"by localhost":            {"POST", "localhost:1", "", 200, []string{"https://vendor.example"}},
		"rebound to loopback":     {"POST", "evil.example", "", 403, nil},
		"a page":                  {"POST", "", "https://evil.example", 403, nil},
		"a page of that origin":   {"POST", "", app, 200, []string{app}},
		"preflight":               {"OPTIONS", "", app, 204, []string{app}},
		"preflight of a stranger": {"OPTIONS", "", "https://evil.example", 403, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequest(c.method, b.url+"/openai/v1/chat/completions", strings.NewReader(`{"model":"m"}`))
			require.NoError(t, err)
			r.Host = c.host
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			if c.method == "OPTIONS" {
				r.Header.Set("Access-Control-Request-Method", "POST")
				r.Header.Set("Access-Control-Request-Headers", "authorization,x-api-key")
			}
			resp, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, c.status, resp.StatusCode)
			require.Equal(t, c.allowed, resp.Header.Values("Access-Control-Allow-Origin"))
			if c.status == 204 {
				require.Equal(t, "authorization,x-api-key", resp.Header.Get("Access-Control-Allow-Headers"))
			}
		})
	}
}

// An upstream that is not there is told in the vendor's own shape, so that the agent's SDK reads it.
func TestUnreachableInTheVendorsShape(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close()) // nothing listens there now
	b := newBenchAt(t, tap.Options{}, "http://"+l.Addr().String())
	for path, want := range map[string]string{
		"/openai/v1/chat/completions":             `{"error":{"code":null,"message":"refscope tap:`,
		"/anthropic/v1/messages":                  `{"error":{"message":"refscope tap:`,
		"/gemini/v1beta/models/m:generateContent": `{"error":{"code":502,"message":"refscope tap:`,
	} {
		resp, err := http.Post(b.url+path, "application/json", strings.NewReader(`{"model":"m","messages":[]}`))
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusBadGateway, resp.StatusCode)
		require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		require.True(t, strings.HasPrefix(string(got), want), "%s: %s", path, got)
	}
}

// An agent inside a page, which asks its vendor without a base URL of the tap, is recorded where the page's origin was
// named, by its document and by its worker; another page's is warned of.
func TestRequestsOfAPageOfANamedOrigin(t *testing.T) {
	testneed.Long(t, "pages of named origins")
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		_, _ = io.WriteString(w, chatAnswer)
	}))
	t.Cleanup(vendor.Close)
	ask := func(model, words string) string { // an expression of JavaScript
		return fmt.Sprintf(`fetch(%q, {method: "POST", headers: {authorization: "Bearer zq4711X8e3"}, body: JSON.stringify(
			{model: %q, messages: [{role: "user", content: %s}]})}).then(r => r.text())`,
			vendor.URL+"/v1/chat/completions", model, words)
	}
	pages := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/worker.js" {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = fmt.Fprintf(w, `onmessage = m => %s.then(postMessage)`, ask("worker", "m.data"))
			return
		}
		_, _ = fmt.Fprintf(w, `<title>Shop</title><h1>Tea for `+cmp.Or(r.URL.RawQuery, "everybody")+`</h1><button>Put green tea into the basket</button>
<script>const seen = () => document.body.innerText;
const byPage = model => %s;
const byTap = at => fetch(at, {method: "POST", headers: {authorization: "Bearer zq4711X8e3"}, body: JSON.stringify(
	{model: "tap", messages: [{role: "user", content: seen()}]})}).then(r => r.text());
const byWorker = () => new Promise(over => {
	const w = new Worker("worker.js");
	w.onmessage = m => over(m.data);
	w.postMessage(seen());
})</script>`, strings.Replace(ask("?", "seen()"), `"?"`, "model", 1))
	})
	named, other := chrometest.Serve(t, pages), chrometest.Serve(t, pages)
	ctx := chrometest.Context(t)
	own, err := browser.Start(ctx, browser.Options{Attach: chrome.Browser(t).Endpoint()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Close()) })
	lines := make(chan string, 1000)
	log := slog.New(said{slog.DiscardHandler, lines})
	watcher := tap.Watch(own, nil, log)
	t.Cleanup(func() { watcher.Close(context.Background()) })
	b := newBenchAt(t, tap.Options{Watcher: watcher, Log: log, Origins: []string{strings.TrimSuffix(named, "/")}}, vendor.URL)
	tab, stranger := chrome.Open(t, named), chrome.Open(t, other+"?other")
	require.NoError(t, watcher.Prepare(ctx))
	run := func(tab *browser.Tab, expression string) {
		yes := true
		got, err := cdp.Call(ctx, tab.Session(), runtime.Evaluate,
			runtime.EvaluateParams{Expression: expression, AwaitPromise: &yes, ReturnByValue: &yes})
		require.NoError(t, err)
		require.Nil(t, got.ExceptionDetails, expression)
	}
	for _, c := range []struct{ does, model string }{{`byPage("page")`, "page"}, {"byWorker()", "worker"}} {
		run(tab, c.does)
		turn, rec := b.next(t)
		require.Equal(t, c.model, turn.e.Model)
		require.Equal(t, "openai", turn.e.Upstream)
		require.Equal(t, "Done", turn.e.Answer.Text)
		require.Empty(t, turn.e.Error)
		require.Equal(t, "Shop", rec.Capture.Title, "%s: the page of that moment", c.model)
		all, err := json.Marshal(rec)
		require.NoError(t, err)
		require.NotContains(t, string(all), "zq4711X8e3")
	}
	twin := chrome.Open(t, named) // its words are those of the first
	run(twin, `document.querySelector("button").disabled = true`)
	for in, want := range map[*browser.Tab]bool{tab: false, twin: true} {
		run(in, fmt.Sprintf("byTap(%q)", b.url+"/openai/v1/chat/completions"))
		turn, rec := b.next(t)
		require.True(t, turn.e.Pairing.Paired, turn.e.Pairing.Why)
		at := slices.IndexFunc(rec.Capture.Nodes, func(n snapshot.Node) bool { return n.Tag == "button" })
		require.Equal(t, want, rec.Capture.Nodes[at].States["disabled"] == true, "the page that asks the tap itself, of two that are alike")
	}
	run(stranger, `byPage("stranger")`)
	for line := ""; line != pageAsks; {
		select {
		case line = <-lines:
		case turn := <-b.done:
			t.Fatalf("a page of another origin is recorded: %s", turn.e.Model)
		case <-ctx.Done():
			t.Fatal("nobody is warned of a page that asks a model")
		}
	}
}
