package chrometest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Gateway is a gateway to a Chrome as services have it: it wants a token, in the query or as a bearer, knows the
// browser by paths of its own, and at times has no room.
type Gateway struct {
	Address string // host and port
	token   string
	to      *url.URL // the browser's DevTools

	mu     sync.Mutex
	refuse []int // statuses of the next answers
	conns  map[net.Conn]bool
	opened int
	most   int // connections at a time
}

// NewGateway starts a gateway to the browser with that WebSocket address, until the test ends.
func NewGateway(t testing.TB, endpoint, token string) *Gateway {
	t.Helper()
	to, err := url.Parse(endpoint)
	require.NoError(t, err)
	g := &Gateway{token: token, to: to, conns: map[net.Conn]bool{}}
	server := httptest.NewServer(g)
	t.Cleanup(func() {
		g.Drop()
		server.Close()
	})
	g.Address = strings.TrimPrefix(server.URL, "http://")
	return g
}

// Refuse answers the next requests with these statuses.
func (g *Gateway) Refuse(statuses ...int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refuse = append(g.refuse, statuses...)
}

// Drop ends all connections.
func (g *Gateway) Drop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.conns {
		_ = c.Close() // the other side may have closed it
	}
}

// Opened is how many connections were made, and how many there were at a time.
func (g *Gateway) Opened() (all, most int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.opened, g.most
}

// ServeHTTP implements [http.Handler].
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	status := 0
	if len(g.refuse) > 0 {
		status, g.refuse = g.refuse[0], g.refuse[1:]
	}
	g.mu.Unlock()
	switch {
	case status != 0:
		http.Error(w, "no room for "+r.URL.RawQuery, status) // as some do, it repeats what it was sent
	case r.URL.Query().Get("token") != g.token && r.Header.Get("Authorization") != "Bearer "+g.token:
		http.Error(w, "no", http.StatusUnauthorized)
	case r.URL.Path == "/chrome/json/version":
		fmt.Fprintf(w, `{"Browser":"Chrome","webSocketDebuggerUrl":"ws://browser.internal:3000/chrome"}`)
	case r.URL.Path == "/chrome", strings.HasPrefix(r.URL.Path, "/session/") &&
		strings.HasSuffix(r.URL.Path, "/se/cdp"):
		g.connect(w, r)
	default:
		http.NotFound(w, r)
	}
}

// connect passes a WebSocket on to the browser.
func (g *Gateway) connect(w http.ResponseWriter, r *http.Request) {
	in, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer in.Close()
	out, err := net.Dial("tcp", g.to.Host)
	if err != nil {
		return
	}
	defer out.Close()
	g.mu.Lock()
	g.conns[in], g.opened = true, g.opened+1
	g.most = max(g.most, len(g.conns))
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		delete(g.conns, in)
		g.mu.Unlock()
	}()
	request := r.Clone(r.Context())
	request.URL, request.Host, request.RequestURI = g.to, g.to.Host, ""
	request.Header.Del("Authorization")
	if request.Write(out) != nil {
		return
	}
	var both sync.WaitGroup
	pass := func(to, from net.Conn) {
		_, _ = io.Copy(to, from) // ends with either side
		_, _ = to.Close(), from.Close()
	}
	both.Go(func() { pass(out, in) })
	both.Go(func() { pass(in, out) })
	both.Wait()
}
