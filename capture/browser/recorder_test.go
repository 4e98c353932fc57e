package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logged is a site that writes down each request: method, host and path.
type logged struct {
	mu    sync.Mutex
	lines []string
}

func (l *logged) note(r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	host, _, _ := strings.Cut(r.Host, ":")
	l.lines = append(l.lines, r.Method+" "+host+r.URL.Path)
}

func (l *logged) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(slices.Values(l.lines))
}

// pages are those of the site; the page on 127.0.0.1 has a frame on localhost, which Chrome gives a process of its own
// where sites are isolated.
func (l *logged) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.note(r)
	html := func(s string) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, s)
	}
	script := func(s string) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, s)
	}
	_, port, _ := strings.Cut(r.Host, ":")
	switch r.URL.Path {
	case "/page":
		html(`<!doctype html><title>all kinds</title><link rel=icon href="data:,"><link rel=stylesheet href=/style.css>
<script src=/app.js></script><img src=/hop1><img src=/missing.png><iframe src=/inner></iframe>
<iframe src="http://localhost:` + port + `/other"></iframe>`)
	case "/inner":
		html(`<script>fetch('/inner/data').then(r => r.text())</script>`)
	case "/other":
		html(`<img src=/other/picture><script>new Worker('/other/worker.js')</script>`)
	case "/app.js":
		script(`
fetch('/api/items?access_token=seed4711seed').catch(() => {});
const stop = new AbortController();
fetch('/slow', {signal: stop.signal}).then((r) => { stop.abort(); return r.text(); }).catch(() => {});
fetch('/kept', {method: 'POST', body: 'x', keepalive: true, headers: {authorization: 'Bearer seedinheader123456'}});
navigator.sendBeacon('/beacon', 'x');
fetch('http://localhost:` + port + `/cross', {headers: {'x-own': '1'}}).catch(() => {});
const x = new XMLHttpRequest(); x.open('GET', '/xhr'); x.send();
new WebSocket('ws://' + location.host + '/socket?token=seedinsocket99');
new EventSource('/events');
new Worker('/worker.js');
navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready);
fetch('/empty').catch(() => {});
console.error('items failed');`)
	case "/worker.js", "/other/worker.js":
		script(`fetch('` + r.URL.Path + `.data'); new Worker('` + r.URL.Path + `.nested')`)
	case "/worker.js.nested", "/other/worker.js.nested":
		script(`fetch('/nested' + location.pathname)`)
	case "/sw.js":
		script(`addEventListener('install', e => e.waitUntil(fetch('/sw/installed')))`)
	case "/hop1":
		http.Redirect(w, r, "/hop2", http.StatusFound)
	case "/hop2":
		http.Redirect(w, r, "/picture?sig=seedinhop", http.StatusMovedPermanently)
	case "/api/items":
		http.Error(w, "broken", http.StatusInternalServerError)
	case "/missing.png":
		http.NotFound(w, r)
	case "/empty":
		w.Header().Set("Content-Length", "0")
	case "/slow":
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	case "/events":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: x\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	case "/socket":
		http.Error(w, "no sockets here", http.StatusForbidden)
	default:
		fmt.Fprint(w, "ok")
	}
}

// TestNetworkHasEveryRequest: what a server was asked by a page, its frames of both kinds, its workers and their workers,
// its service worker, redirects, aborts, beacons and sockets is in the layer, each once, and nothing secret.
func TestNetworkHasEveryRequest(t *testing.T) {
	site := &logged{}
	url := strings.TrimSuffix(chrometest.Serve(t, site), "/")
	b, err := browser.Start(chrometest.Context(t), browser.Options{
		Flags: append(chrometest.Flags(), "site-per-process"), Width: 800, Height: 600})
	require.NoError(t, err)
	defer b.Close()
	tab, err := b.OpenTab(chrometest.Context(t))
	require.NoError(t, err)
	ctx := chrometest.Context(t)
	require.NoError(t, tab.Navigate(ctx, url+"/page"))
	want := []string{"/style.css", "/app.js", "/picture", "/missing.png", "/inner/data", "/other/picture", "/api/items",
		"/slow", "/kept", "/beacon", "/cross", "/xhr", "/socket", "/events", "/worker.js.data", "/nested/worker.js.nested",
		"/nested/other/worker.js.nested", "/sw/installed", "/empty"}
	defer func() {
		if t.Failed() {
			t.Log(strings.Join(site.all(), "\n"))
		}
	}()
	layer := settled(ctx, t, tab, func(l *network.Layer) bool {
		all := strings.Join(site.all(), "\n") + "\n"
		for _, path := range want {
			if !strings.Contains(all, path+"\n") {
				return false
			}
		}
		// What the server has seen may be told of a moment later, by the process of a worker.
		return has(l, "/slow", network.Canceled) && has(l, "/empty", network.Done) && has(l, "/sw/installed", network.Done) &&
			has(l, "/socket", network.Failed) && len(sent(l)) >= len(site.all())
	})
	require.NoError(t, layer.Check())
	require.Equal(t, site.all(), sent(layer))
	for _, q := range layer.Requests {
		if heldBack(&q) {
			require.Equal(t, "localhost/cross", path(q.URL))
		}
	}
	require.Zero(t, layer.LeftOut)

	require.NotContains(t, fmt.Sprint(layer.Requests), "seed")
	items := find(layer, "/api/items")
	require.Equal(t, 500, items.Status)
	require.Equal(t, "Fetch", items.Type)
	require.Equal(t, "script", items.Initiator.Type)
	require.True(t, strings.HasSuffix(items.Initiator.URL, "/app.js"), items.Initiator.URL)
	require.Equal(t, 2, items.Initiator.Line)
	hop := find(layer, "/hop1")
	require.Equal(t, 302, hop.Status)
	require.Equal(t, "/hop2", strings.TrimPrefix(path(layer.Request(hop.RedirectedTo).URL), "127.0.0.1"))
	require.Equal(t, "service_worker", find(layer, "/sw/installed").Worker)
	require.Equal(t, "worker", find(layer, "/worker.js.data").Worker)
	require.Empty(t, find(layer, "/empty").Error, "an answer without a body is one, though nobody reads it")
	require.Equal(t, network.Pending, find(layer, "/events").State)
	require.True(t, find(layer, "/kept").Upload)
	require.NotNil(t, find(layer, "/socket").Socket)
	css := find(layer, "/style.css")
	require.EqualValues(t, 2, css.Body)
	require.Greater(t, css.Wire, css.Body)
	require.Positive(t, css.Duration)
	require.NotNil(t, css.Timings)
	var failed []string
	for _, f := range tab.FailedRequests(time.Time{}) {
		failed = append(failed, path(f.URL))
	}
	require.Subset(t, failed, []string{"127.0.0.1/api/items", "127.0.0.1/missing.png", "localhost/cross"})
	require.NotContains(t, failed, "127.0.0.1/slow", "the page broke it off")
}

// heldBack reports whether the request never left the browser, as its preflight was answered wrong.
func heldBack(q *network.Request) bool {
	return strings.HasPrefix(q.Error, "CORS") && q.Type != "Preflight"
}

// sent are the requests of a layer that left the browser.
func sent(l *network.Layer) []string {
	var all []string
	for _, q := range l.Requests {
		if !heldBack(&q) {
			all = append(all, q.Method+" "+path(q.URL))
		}
	}
	slices.Sort(all)
	return all
}

func path(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	return host + "/" + path
}

func find(l *network.Layer, at string) *network.Request {
	for i := range l.Requests {
		if strings.HasSuffix(path(l.Requests[i].URL), at) {
			return &l.Requests[i]
		}
	}
	return nil
}

func has(l *network.Layer, at string, state network.State) bool {
	q := find(l, at)
	return q != nil && q.State == state
}

// settled is the layer once it is as it is to be; events of several processes have no order.
func settled(ctx context.Context, t *testing.T, tab *browser.Tab, ok func(*network.Layer) bool) *network.Layer {
	t.Helper()
	var l *network.Layer
	if !assert.Eventually(t, func() bool {
		l = tab.Network(time.Now())
		return ctx.Err() != nil || ok(l)
	}, time.Minute, 20*time.Millisecond) {
		for _, q := range l.Requests {
			t.Log(q.Method, q.URL, q.Type, q.Worker, q.State, q.Status, q.Error)
		}
		t.FailNow()
	}
	return l
}
