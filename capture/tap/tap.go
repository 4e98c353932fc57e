// Package tap records the requests that an agent sends to its model, and pairs each with the
// page of its moment.
//
// A [Tap] is a reverse proxy for loopback. The agent is given one of [Tap.BaseURLs] in the
// place of its vendor's; what it sends is forwarded byte for byte, answers come back as they are,
// streams event by event. Beside that, each request that asks a model becomes a turn of a
// session: the bytes of request and answer as payloads (exact outside of redacted spans), an
// [Exchange] with times, status, usage and the content of the stream, and the capture of the page
// that a [Watcher] took when the request arrived. A conversation over a WebSocket is one turn for each
// request in it.
//
// An agent that is an extension of the browser asks its model from there, by no base URL: from its worker, a page of
// its own, a frame or a script of it in somebody else's page. Its requests and WebSockets are recorded as Chrome tells
// them, and nothing is in their way: their turns are saved after the answer. What it does not tell is said in the log.
//
// Invariants: of the forwarded bytes only Host and hop-by-hop headers are changed;
// no credential reaches a disk, a log or a window, not even one in a body; the turn of what is
// forwarded is on the disk before the agent has the last byte of its answer; a page is paired by evidence, or
// is reported as unpaired.
//
// Start with [New], [Tap.Serve] and, for a browser, [Watch].
package tap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/refscope/refscope/capture/loopback"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Upstream is a host that requests are forwarded to.
type Upstream struct {
	// Name is the first part of the path that belongs to it, such as "openai" or
	// "compat/ollama".
	Name string
	// URL is where its paths begin.
	URL *url.URL
	// Variable is the environment variable that clients of the vendor read the base URL from, ""
	// for a compatible host, and Suffix what the base URL has behind the name.
	Variable, Suffix string
}

// vendors are the upstreams that are always there.
func vendors() []Upstream {
	at := func(host string) *url.URL { return &url.URL{Scheme: "https", Host: host} }
	return []Upstream{
		{"openai", at("api.openai.com"), "OPENAI_BASE_URL", "/v1"},
		{"anthropic", at("api.anthropic.com"), "ANTHROPIC_BASE_URL", ""},
		{"gemini", at("generativelanguage.googleapis.com"), "GOOGLE_GEMINI_BASE_URL", ""},
	}
}

// ParseUpstream reads NAME=URL: another address for a vendor, or a compatible host, which
// gets the name compat/NAME. Where the URL ends in a version, such as /v1, that is a part of
// the base URL that clients get; a compatible host without a version has /v1.
func ParseUpstream(s string) (Upstream, error) {
	name, address, ok := strings.Cut(s, "=")
	u, err := url.Parse(address)
	switch {
	case !ok || name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return Upstream{}, fmt.Errorf("%q: write it as NAME=URL, the name of small letters, digits and -", s)
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return Upstream{}, fmt.Errorf("%q: the URL must begin with http:// or https:// and name a host", name)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return Upstream{}, fmt.Errorf("%q: the URL must be without a user, a query and a fragment", name)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	suffix := ""
	if at := strings.LastIndexByte(u.Path, '/'); at >= 0 && isVersion(u.Path[at+1:]) {
		suffix, u.Path = u.Path[at:], u.Path[:at]
	} else if !slices.ContainsFunc(strings.Split(u.Path, "/"), isVersion) {
		suffix = "/v1"
	}
	for _, v := range vendors() {
		if v.Name == name {
			if v.URL = u; v.Suffix != "" {
				v.Suffix = suffix
			}
			return v, nil
		}
	}
	return Upstream{Name: "compat/" + name, URL: u, Suffix: suffix}, nil
}

// isVersion reports whether a part of a path is the version of an API, such as v1 or v1beta.
func isVersion(part string) bool {
	return len(part) > 1 && part[0] == 'v' && part[1] >= '0' && part[1] <= '9'
}

// Options configure a tap.
type Options struct {
	Store *turn.Store // that turns go to
	// Upstreams are further hosts, or other addresses of the vendors.
	Upstreams []Upstream
	// Origins are those whose pages may call the tap, such as https://app.example, and whose scripts are heard where
	// they ask a model by themselves: agents that run in a page.
	Origins []string
	// Only leaves the vendors out: the upstreams are those of Upstreams.
	Only bool
	// Observe, where it is not nil, looks on in the place of the tap's own record: it may return nil.
	Observe func(r *http.Request) Observer
	// Token is the first part of every path, so that only who knows it uses the tap; "" for
	// none.
	Token string
	// Watcher captures the pages of the agent's browser; nil for none.
	Watcher *Watcher
	Tool    string // the name of this program in what it records
	Log     *slog.Logger
	// Recorded, where it is not nil, is called with each saved turn, from a goroutine of its own.
	Recorded func(n int, e *Exchange)
}

// Tap forwards and records. It is safe for concurrent use.
type Tap struct {
	opt       Options
	upstreams []Upstream
	transport *resender
	rules     *redact.Redactor
	keeper    Keeper
	known     redact.Known // secrets of the pages that were seen, and that answers typed
	buffers   buffers
	large     chan struct{} // is held while a turn with large bodies is made
	began     float64       // when the tap began, ms since 1970
	passed    atomic.Bool   // a request was forwarded and not recorded
	links     links         // requests that others may go on from

	mu      sync.Mutex
	closed  bool
	held    map[any]context.CancelFunc // what is open and has no end that the server sets
	told    told                       // what browsers told of the requests of extensions
	running sync.WaitGroup             // requests
}

// New makes a tap. Nothing runs before its handler is served.
func New(o Options) (*Tap, error) {
	if o.Store == nil && o.Observe == nil {
		return nil, errors.New("a tap needs a session to record to")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	t := &Tap{opt: o, upstreams: vendors(), rules: redact.Standard(), held: map[any]context.CancelFunc{},
		large: make(chan struct{}, 1), began: float64(time.Now().UnixMilli())}
	t.keeper = Keeper{Store: o.Store, Tool: o.Tool, Rules: t.rules}
	if o.Only {
		t.upstreams = nil
	}
	for _, u := range o.Upstreams {
		t.addUpstream(u)
	}
	// Bytes are forwarded unchanged: no encoding is added or taken off, and HTTP/2 where the
	// upstream speaks it.
	kept := loopback.Transport()
	kept.DisableCompression, kept.DialContext = true, dial
	// A body is read in large pieces: each is written on, and flushed, at once.
	kept.ReadBufferSize, kept.WriteBufferSize = 64<<10, 64<<10
	kept.MaxIdleConnsPerHost = 256
	fresh := kept.Clone()
	fresh.MaxIdleConnsPerHost = -1 // keeps none, and does not ask the vendor to close what it is about to answer over
	t.transport = &resender{kept: kept, fresh: fresh}
	if o.Observe == nil {
		o.Watcher.overhear(t.lookInside, t.listen)
	}
	return t, nil
}

func (t *Tap) addUpstream(u Upstream) {
	for i := range t.upstreams {
		if t.upstreams[i].Name == u.Name {
			t.upstreams[i] = u
			return
		}
	}
	t.upstreams = append(t.upstreams, u)
}

// Passed reports whether a request was forwarded and not recorded, as it asks no model in a known protocol.
func (t *Tap) Passed() bool { return t.passed.Load() }

// BaseURL is the address to give a client instead of its vendor's.
type BaseURL struct {
	Upstream Upstream
	URL      string
}

// BaseURLs are the base URLs of a tap that is served at HOST:PORT.
func (t *Tap) BaseURLs(hostport string) []BaseURL {
	var out []BaseURL
	for _, u := range t.upstreams {
		out = append(out, BaseURL{u, "http://" + hostport + t.prefix() + "/" + u.Name + u.Suffix})
	}
	return out
}

// prefix is the common prefix of all paths, without a slash at its end.
func (t *Tap) prefix() string {
	if t.opt.Token == "" {
		return ""
	}
	return "/" + t.opt.Token
}

// Close waits for the requests in progress, which have ctx to end, and closes the connections, WebSockets at once. A
// request of an extension that has no answer yet is saved as that. Requests that come later are refused.
func (t *Tap) Close(ctx context.Context) error {
	t.mu.Lock()
	t.closed = true
	for _, end := range t.held {
		end()
	}
	t.mu.Unlock()
	done := make(chan struct{})
	go func() { // ends with the requests, whose server ends them
		t.running.Wait()
		close(done)
	}()
	defer t.transport.kept.CloseIdleConnections()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("closing the tap: requests are under way: %w", ctx.Err())
	}
}

// enter counts a request in; false where the tap is closed.
func (t *Tap) enter() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.running.Add(1)
	return true
}

// hold keeps a WebSocket, or a request that an extension sends, for Close to end, until the function that it returns is
// called.
func (t *Tap) hold(what any, end context.CancelFunc) (drop func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held[what] = end
	if t.closed {
		end()
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.held, what)
	}
}

// route finds the upstream of a path, and what comes behind its name, both as they were
// escaped.
func (t *Tap) route(escaped string) (Upstream, string, bool) {
	rest, ok := strings.CutPrefix(escaped, t.prefix()+"/")
	if !ok {
		return Upstream{}, "", false
	}
	for _, u := range t.upstreams {
		if behind, ok := strings.CutPrefix(rest, u.Name); ok && (behind == "" || behind[0] == '/') {
			return u, behind, true
		}
	}
	return Upstream{}, "", false
}

// Handler serves the tap. It must be reachable from this machine only.
func (t *Tap) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !t.enter() {
			http.Error(w, "refscope tap: it is being closed", http.StatusServiceUnavailable)
			return
		}
		defer t.running.Done()
		if !address.IsLoopback(hostOf(r.Host)) { // a page's own name that was pointed at this machine (DNS rebinding)
			http.Error(w, "refscope tap: call it by a loopback name, such as 127.0.0.1", http.StatusForbidden)
			return
		}
		if !t.admit(w, r) {
			return
		}
		up, rest, ok := t.route(r.URL.EscapedPath())
		if !ok {
			var names []string
			for _, u := range t.upstreams {
				names = append(names, "/"+u.Name+"/")
			}
			http.Error(w, "refscope tap: the path begins with the token and one of "+strings.Join(names, ", ")+
				", as the base URLs that the tap printed do", http.StatusNotFound)
			return
		}
		t.forward(w, r, up, rest)
	})
}

// Serve serves the tap at HOST:PORT until the server is closed; see [loopback.Serve]. It speaks HTTP/2 with a client
// that begins with it, as the AWS SDK does at any address without TLS.
func (t *Tap) Serve(ctx context.Context, hostPort string, failed func(error)) (*loopback.Server, error) {
	speaks := new(http.Protocols)
	speaks.SetHTTP1(true)
	speaks.SetUnencryptedHTTP2(true)
	web := &http.Server{Handler: t.Handler(), ReadHeaderTimeout: 30 * time.Second, Protocols: speaks}
	return loopback.Serve(ctx, hostPort, web, failed)
}

// hostOf is the name in HOST or HOST:PORT, without the brackets of an IPv6 address.
func hostOf(hostport string) string { return (&url.URL{Host: hostport}).Hostname() }

// forward sends a request on, and records it where it asks a model.
func (t *Tap) forward(w http.ResponseWriter, r *http.Request, up Upstream, rest string) {
	target, err := url.Parse(up.URL.EscapedPath() + rest)
	if err != nil {
		http.Error(w, "refscope tap: the path cannot be read", http.StatusBadRequest)
		return
	}
	target.Scheme, target.Host, target.RawQuery = up.URL.Scheme, up.URL.Host, r.URL.RawQuery
	e := t.begin(r, up, target)
	if e != nil {
		defer e.Complete() // also where the connection broke, which is a panic
	}
	s := t.beginSocket(r, up, target)
	if s != nil {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		r = r.WithContext(ctx)
		defer t.hold(s, cancel)()
		defer s.end()
	}
	if e == nil && s == nil {
		t.passed.Store(true)
	}
	// A vendor may answer before it has read the request. Without this the server takes the rest of the
	// body away at the first byte of the answer, and what the upstream still waits for never comes.
	if err := http.NewResponseController(w).EnableFullDuplex(); err != nil && r.ProtoMajor == 1 {
		t.opt.Log.Debug("reading a request beside its answer", "error", err)
	}
	if r.ProtoMajor > 1 { // one of HTTP/1 has a lock of its own
		r.Body = &lockedBody{ReadCloser: r.Body}
	}
	// Where the vendor was not reached, the body is still unread. Read to its end while the handler runs, it leaves the
	// connection whole; the server would read it itself later, and panic over two readers in full duplex. An agent that
	// waits for leave to send never sends what the vendor refused: its connection ends with the answer.
	if r.Header.Get("Expect") == "" {
		defer func() { _, _ = io.Copy(io.Discard, r.Body) }()
	}
	// The server would add these where the vendor's answer has none.
	w.Header()["Content-Type"], w.Header()["Date"] = nil, nil
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL, p.Out.Host = target, ""
			for name, values := range p.In.Header { // Rewrite has taken these out
				if name == "Forwarded" || strings.HasPrefix(name, "X-Forwarded-") {
					p.Out.Header[name] = values
				}
			}
			if e != nil && p.Out.Body != nil && p.Out.Body != http.NoBody {
				p.Out.Body = e.Request(p.Out.Body)
			}
		},
		FlushInterval: -1,
		BufferPool:    &t.buffers,
		Transport:     t.transport,
		ModifyResponse: func(resp *http.Response) error {
			if w.Header().Get("Access-Control-Allow-Origin") != "" {
				for _, name := range corsHeaders {
					resp.Header.Del(name)
				}
			}
			switch {
			case e != nil:
				e.Answered(resp)
			case s != nil:
				s.opened(resp)
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			if e != nil {
				e.Failed(err)
			}
			t.opt.Log.Debug("forwarding", "upstream", up.Name, "error", err)
			w.Header().Set("X-Refscope-Tap", "the upstream could not be reached")
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write(wire.ErrorBody(wire.DialectOf(target.Path), http.StatusBadGateway,
				"refscope tap: the upstream could not be reached: "+reason(err)))
		},
		ErrorLog: slog.NewLogLogger(t.opt.Log.Handler(), slog.LevelDebug),
	}
	proxy.ServeHTTP(w, r)
}

// lockedBody is the body of a request that two may read: the transport, which can go on for a moment when the answer
// has ended, and [Tap.forward], which reads what is left.
type lockedBody struct {
	mu sync.Mutex
	io.ReadCloser
}

// Read implements [io.Reader].
func (b *lockedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ReadCloser.Read(p)
}

// buffers are what bodies are copied through. The zero value is ready.
type buffers struct{ pool sync.Pool }

// copySize is how large one is, bytes.
const copySize = 256 << 10

// Get is a buffer, one that was put back or a new one.
func (b *buffers) Get() []byte {
	if p, ok := b.pool.Get().(*[copySize]byte); ok {
		return p[:]
	}
	return make([]byte, copySize)
}

// Put takes a buffer back.
func (b *buffers) Put(p []byte) { b.pool.Put((*[copySize]byte)(p)) }

// captureWait is how long the end of an answer waits for the captures of the pages that began when its
// request came. A model takes longer to answer than a page to be captured. Where a large one is being read then, it
// waits for readingWait more.
const (
	captureWait = 4 * time.Second
	readingWait = 8 * time.Second
)
