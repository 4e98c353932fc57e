package chrometest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
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
	lose   string
	nth    int // of the next commands of the method lose
	lost   int
	sent   map[string]int
	conns  map[net.Conn]bool
	opened int
	most   int // connections at a time
}

// NewGateway starts a gateway to the browser with that WebSocket address, until the test ends.
func NewGateway(t testing.TB, endpoint, token string) *Gateway {
	t.Helper()
	to, err := url.Parse(endpoint)
	require.NoError(t, err)
	g := &Gateway{token: token, to: to, conns: map[net.Conn]bool{}, sent: map[string]int{}}
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

// Lose loses the nth next command of a method on its way to the browser, so that it is never answered.
func (g *Gateway) Lose(method string, nth int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lose, g.nth = method, nth
}

// Sent is how many commands of each method were sent.
func (g *Gateway) Sent() map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.sent)
}

// Lost is how many commands were lost.
func (g *Gateway) Lost() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.lost
}

var methodOf = regexp.MustCompile(`"method":"([A-Za-z.]+)"`)

// loses reports whether a message is to be lost.
func (g *Gateway) loses(message []byte) bool {
	said := methodOf.FindSubmatch(message)
	if said == nil {
		return false
	}
	method := string(said[1])
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sent[method]++
	if g.lose != method {
		return false
	}
	if g.nth--; g.nth > 0 {
		return false
	}
	g.lose, g.lost = "", g.lost+1
	return true
}

// commands passes on the WebSocket frames of a client (RFC 6455, 5.2) but those that are to be lost.
func (g *Gateway) commands(to io.Writer, from io.Reader) error {
	in := bufio.NewReader(from)
	for {
		head, err := in.Peek(2)
		if err != nil {
			return err
		}
		size, header := int(head[1]&0x7f), 2
		if long := map[int]int{126: 2, 127: 8}[size]; long > 0 {
			if head, err = in.Peek(2 + long); err != nil {
				return err
			}
			size, header = 0, 2+long
			for _, b := range head[2:] {
				size = size<<8 | int(b)
			}
		}
		const mask = 4 // a client masks each frame
		frame := make([]byte, header+mask+size)
		if _, err := io.ReadFull(in, frame); err != nil {
			return err
		}
		message := bytes.Clone(frame[header+mask:])
		for i := range message {
			message[i] ^= frame[header+i%mask]
		}
		if g.loses(message) {
			continue
		}
		if _, err := to.Write(frame); err != nil {
			return err
		}
	}
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
	both.Go(func() {
		_ = g.commands(out, in) // ends with either side
		_, _ = out.Close(), in.Close()
	})
	both.Go(func() { pass(in, out) })
	both.Wait()
}
