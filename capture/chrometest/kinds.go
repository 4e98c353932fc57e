package chrometest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1" //nolint:gosec // RFC 6455 asks for it
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Served is what a [Kinds] server did with a request.
type Served struct {
	Method, Path string
	Status       int   // 0: the connection was ended without an answer
	Body         int64 // bytes of the answer's body as it was written, before a break
}

// Kinds is a site whose page makes some 40 kinds of requests, and its own log of them. Other serves a second origin of
// the same site without CORS headers, and Closed is an address where nothing listens.
type Kinds struct {
	Other, Closed string

	mu  sync.Mutex
	log []Served
}

// Log are the requests that were answered so far, in the order in which their answers ended.
func (k *Kinds) Log() []Served {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]Served(nil), k.log...)
}

// counted counts what a handler writes.
type counted struct {
	http.ResponseWriter
	status int
	body   int64
}

func (c *counted) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *counted) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(p)
	c.body += int64(n)
	return n, err
}

// Unwrap lets a ResponseController through.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// Hijack gives the connection away, as for a socket.
func (c *counted) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(c.ResponseWriter).Hijack()
}

// kindsPage makes the requests; its title is Done once all of them have been made and those that end have ended.
const kindsPage = `<!doctype html><meta charset=utf-8><title>Kinds</title><link rel=icon href="data:,">
<link rel=stylesheet href="/style.css"><link rel=stylesheet href="/missing.css"><link rel=stylesheet href="/wrong.css">
<link rel=manifest href="/app.webmanifest"><link rel=preload as=fetch crossorigin href="/preload.json">
<script src="/script.js"></script><script src="/missing.js"></script><script type=module src="/module.js"></script>
<style>@font-face{font-family:k;src:url(/font.woff2)}h1{font-family:k}</style>
<h1>Kinds</h1><img src="/image.png"><img src="/missing.png"><img src="/image.png?again">` +
	`<iframe src="/frame.html"></iframe>
<iframe src="/frame-missing.html"></iframe><iframe src="/frame-empty"></iframe>` +
	`<object data="/object.svg" type="image/svg+xml"></object>
<video src="/video.mp4" preload=metadata></video>
<script>
const quiet = (p) => p.catch(() => 0);
const get = (u, o) => quiet(fetch(u, o).then((r) => r.text()));
(async () => {
  const stream = new EventSource('/events');
  await new Promise((done) => { stream.onmessage = done; stream.onerror = done; });
  new EventSource('/events-none');
  const socket = new WebSocket('ws://' + location.host + '/socket');
  await new Promise((done) => { socket.onopen = socket.onerror = done; });
  const refused = new WebSocket('ws://' + location.host + '/socket-refused');
  await new Promise((done) => { refused.onclose = done; });
  await get('/ok.txt'); await get('/empty'); await get('/reset-content');
    await get('/created', {method: 'PUT', body: 'x'});
  await get('/deleted', {method: 'DELETE'}); await quiet(fetch('/head', {method: 'HEAD'}));
  await get('/post', {method: 'POST', body: 'a=1'}); await get('/moved'); await get('/chain');
    await get('/kept-method', {method: 'POST', body: 'b'});
  await get('/gone-for-good'); await get('/fails'); await get('/login'); await get('/zipped'); await get('/large');
  await get('/cached'); await get('/cached'); await get('/tagged'); await get('/tagged', {cache: 'no-cache'});
  await get('/reset'); await get('/cut'); await get('OTHER/refused-by-cors');
    await get('OTHER/preflighted', {headers: {'x-own': '1'}});
  await get('CLOSED/nobody'); await get('/slow');
  const early = new AbortController(); const never = get('/never', {signal: early.signal});
    setTimeout(() => early.abort(), 200); await never;
  const late = new AbortController();
  await quiet(fetch('/half', {signal: late.signal}).then(async (r) => {
    await r.body.getReader().read(); late.abort(); }));
  await new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '/xhr'); x.onloadend = done; x.send(); });
  await new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '/xhr-slow'); x.timeout = 200;
    x.onloadend = done; x.send(); });
  navigator.sendBeacon('/beacon', 'b'); await quiet(fetch('/keepalive', {method: 'POST', keepalive: true, body: 'k'}));
  const w = new Worker('/worker.js'); await new Promise((done) => { w.onmessage = done; w.onerror = done; });
  await quiet(import('/imported.js'));
  await new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = '/image.png?late'; });
  document.title = 'Done';
})();
</script>`

// ServeHTTP implements [http.Handler].
func (k *Kinds) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &counted{ResponseWriter: w}
	defer func() {
		failure := recover()
		k.mu.Lock()
		k.log = append(k.log, Served{r.Method, r.URL.RequestURI(), c.status, c.body})
		k.mu.Unlock()
		if failure != nil {
			panic(failure)
		}
	}()
	k.answer(c, r)
}

func (k *Kinds) answer(w *counted, r *http.Request) {
	media := func(kind, text string) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, text)
	}
	flush := func() { _ = http.NewResponseController(w.ResponseWriter).Flush() }
	wait := func() { <-r.Context().Done() }
	switch path := r.URL.Path; path {
	case "/":
		media("text/html", strings.NewReplacer("OTHER", k.Other, "CLOSED", k.Closed).Replace(kindsPage))
	case "/style.css":
		media("text/css", "h1{color:navy}")
	case "/wrong.css":
		w.Header().Set("X-Content-Type-Options", "nosniff")
		media("text/plain", "h1{color:red}")
	case "/script.js", "/module.js", "/imported.js":
		media("text/javascript", "globalThis.ran = 1")
	case "/worker.js":
		media("text/javascript", "fetch('/from-worker').then((r) => r.text()).then(() => postMessage(1))")
	case "/image.png":
		b, _ := base64.StdEncoding.DecodeString(
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
		media("image/png", string(b))
	case "/font.woff2":
		media("font/woff2", "no font")
	case "/frame.html":
		media("text/html", "<p>frame")
	case "/frame-missing.html":
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<p>nothing here")
	case "/frame-empty", "/empty", "/events-none", "/beacon", "/deleted", "/keepalive":
		w.WriteHeader(http.StatusNoContent)
	case "/reset-content":
		w.WriteHeader(http.StatusResetContent)
	case "/object.svg":
		media("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	case "/video.mp4":
		http.ServeContent(w, r, "video.mp4", time.Time{}, bytes.NewReader(make([]byte, 1000)))
	case "/app.webmanifest":
		media("application/manifest+json", "{}")
	case "/preload.json", "/ok.txt", "/post", "/to", "/xhr", "/from-worker", "/head":
		media("text/plain", "twelve bytes")
	case "/created":
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, "made")
	case "/moved":
		http.Redirect(w, r, "/to", http.StatusMovedPermanently)
	case "/chain":
		http.Redirect(w, r, "/chain-2", http.StatusFound)
	case "/chain-2":
		http.Redirect(w, r, "/to", http.StatusSeeOther)
	case "/kept-method":
		http.Redirect(w, r, "/post", http.StatusTemporaryRedirect)
	case "/gone-for-good":
		w.WriteHeader(http.StatusGone)
	case "/fails":
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, "oh")
	case "/login":
		w.WriteHeader(http.StatusUnauthorized)
	case "/zipped":
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/plain")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, strings.Repeat("a", 10_000))
		_ = z.Close()
	case "/large":
		media("text/plain", strings.Repeat("x", 300_000))
	case "/cached":
		w.Header().Set("Cache-Control", "max-age=600")
		media("text/plain", "kept for ten minutes")
	case "/tagged":
		w.Header().Set("ETag", `"one"`)
		if r.Header.Get("If-None-Match") == `"one"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		media("text/plain", "as it was")
	case "/reset":
		c, _, err := w.Hijack()
		if err == nil {
			_ = c.Close()
		}
	case "/cut":
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, "ten bytes.")
		flush()
		panic(http.ErrAbortHandler)
	case "/refused-by-cors":
		media("text/plain", "not for you")
	case "/preflighted":
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "x-own")
		media("text/plain", "for all")
	case "/slow":
		time.Sleep(300 * time.Millisecond) // what the browser is to measure
		media("text/plain", "at last")
	case "/never", "/xhr-slow":
		wait()
	case "/half":
		media("text/plain", strings.Repeat("h", 5000))
		flush()
		wait()
	case "/events":
		media("text/event-stream", "data: one\n\n")
		flush()
		wait()
	case "/socket":
		socket(w, r)
	case "/socket-refused":
		w.WriteHeader(http.StatusForbidden)
	default:
		http.NotFound(w, r)
	}
}

// socket opens a WebSocket (RFC 6455) and leaves it silent until the other side ends it.
func socket(w *counted, r *http.Request) {
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") +
		"258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) //nolint:gosec // see above
	c, _, err := w.Hijack()
	if err != nil {
		return
	}
	w.status = http.StatusSwitchingProtocols
	defer c.Close()
	fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "+
		"Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		base64.StdEncoding.EncodeToString(sum[:]))
	_, _ = c.Read(make([]byte, 1))
}
