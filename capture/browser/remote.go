package browser

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
	"github.com/refscope/refscope/capture/loopback"
)

// refusedError is the error of a browser's gateway that answered, and let nobody in.
type refusedError struct {
	At     string // without secrets
	Status int    // of HTTP
	// After is how long it wants one to wait, 0 where it named no time.
	After time.Duration
}

func (e *refusedError) Error() string {
	hint := ""
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = ": give its token in the address, or its headers with --attach-header @FILE"
	case http.StatusNotFound:
		hint = ": check the path of the address"
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		hint = ": it has no room now"
	}
	return fmt.Sprintf("the browser at %s answered %d %s%s", e.At, e.Status, http.StatusText(e.Status), hint)
}

// Busy reports whether the gateway has no room now, and may have some later.
func (e *refusedError) Busy() bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable ||
		e.Status == http.StatusBadGateway || e.Status == http.StatusGatewayTimeout
}

// plain is what may be shown of an address that is none: a word that has no place for a secret.
var plain = regexp.MustCompile(`^[A-Za-z0-9.-]{1,40}(:[A-Za-z0-9]{0,5})?$`)

// Where is the address of a browser to attach to as it may be shown: without path, query and user, which may hold
// secrets.
func Where(attach string) string {
	u, err := url.Parse(attach)
	if err != nil || u.Host == "" {
		if _, _, err := net.SplitHostPort(attach); err == nil && !strings.ContainsAny(attach, "/?@") {
			return attach
		}
		if plain.MatchString(attach) {
			return attach
		}
		return "the address that was given"
	}
	return u.Scheme + "://" + u.Host
}

// CheckAttach refuses what no browser can be attached to by.
func CheckAttach(attach string) error {
	if _, port, err := net.SplitHostPort(attach); err == nil && !strings.ContainsAny(attach, "/?@") {
		if _, err := strconv.ParseUint(port, 10, 16); err == nil {
			return nil
		}
	}
	u, err := url.Parse(attach)
	if err == nil && u.Host != "" {
		switch u.Scheme {
		case "ws", "wss", "http", "https":
			return nil
		}
	}
	return fmt.Errorf("attaching to %q: want HOST:PORT, or a ws://, wss://, http:// or https:// address", Where(attach))
}

// gateway is an address to attach to that was read.
type gateway struct {
	where  string // as it may be shown
	url    *url.URL
	header http.Header
}

// newGateway reads an address; HOST:PORT is that of http. A user in it becomes a header.
func newGateway(attach string, header http.Header) (*gateway, error) {
	if err := CheckAttach(attach); err != nil {
		return nil, err
	}
	g := &gateway{where: Where(attach), header: header.Clone()}
	if !strings.Contains(attach, "://") {
		g.url = &url.URL{Scheme: "http", Host: attach}
		return g, nil
	}
	var err error
	if g.url, err = url.Parse(attach); err != nil {
		return nil, fmt.Errorf("attaching to %s: it is not an address", g.where)
	}
	if user := g.url.User; user != nil {
		password, _ := user.Password()
		if g.header == nil {
			g.header = http.Header{}
		}
		g.header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
		g.url.User = nil
	}
	return g, nil
}

// websocket is the address of the browser's DevTools: that of the gateway itself, or the one that it names.
func (g *gateway) websocket(ctx context.Context) (string, error) {
	if g.url.Scheme == "ws" || g.url.Scheme == "wss" {
		return g.url.String(), nil
	}
	const hint = "start Chrome with --remote-debugging-port and, from Chrome 136 on, a --user-data-dir of its own " +
		"(the default profile ignores the port)"
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	u := *g.url
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/")+"/json/version", ""
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", fmt.Errorf("attaching to %s: %w", g.where, g.clean(err))
	}
	for name, values := range g.header {
		req.Header[name] = values
	}
	transport := loopback.Transport()
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "", fmt.Errorf("no browser answers at %s in time: it is busy, hangs, or cannot be reached", g.where)
	case err != nil:
		return "", fmt.Errorf("no browser answers at %s: %s", g.where, hint)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden ||
		(&refusedError{Status: res.StatusCode}).Busy() {
		return "", &refusedError{At: g.where, Status: res.StatusCode, After: retryAfter(res.Header)}
	}
	var v struct {
		WebSocketDebuggerURL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, res.Body, 1<<20)).Decode(&v); err != nil ||
		v.WebSocketDebuggerURL == "" {
		return "", fmt.Errorf("what answers at %s is not a Chrome with remote debugging: %s", g.where, hint)
	}
	return g.through(v.WebSocketDebuggerURL), nil
}

// through is the address that the browser names, as one comes to it through the gateway: a browser behind one knows
// neither the gateway's name nor its token.
func (g *gateway) through(named string) string {
	u, err := url.Parse(named)
	if err != nil || u.Host == g.url.Host && g.url.Scheme == "http" && g.url.RawQuery == "" {
		return named
	}
	u.Host, u.Scheme = g.url.Host, "ws"
	if g.url.Scheme == "https" {
		u.Scheme = "wss"
	}
	u.RawQuery = cmp.Or(u.RawQuery, g.url.RawQuery)
	return u.String()
}

// retryAfter is how long a server wants one to wait, at most a minute.
func retryAfter(h http.Header) time.Duration {
	s := h.Get("Retry-After")
	if n, err := strconv.Atoi(s); err == nil && n > 0 {
		return min(time.Duration(n)*time.Second, maxPause)
	}
	if at, err := http.ParseTime(s); err == nil {
		return min(max(time.Until(at), 0), maxPause)
	}
	return 0
}

// refused finds the status in the error of a handshake, whose type is not exported.
var refused = regexp.MustCompile(`unexpected status "(\d{3})`)

// dial connects to the browser. Its errors hold no secret of the address.
func (g *gateway) dial(ctx context.Context, ws string) (chromedp.Transport, error) {
	var o []remote.DialOption
	if len(g.header) > 0 {
		o = append(o, remote.WithConnHTTPHeader(g.header))
	}
	transport, err := remote.DialContext(ctx, ws, o...)
	var unknown *net.DNSError
	if errors.As(err, &unknown) { // the name stays where a resolver knows it: a gateway may go by it
		for _, at := range named(ws) {
			if transport, err = remote.DialContext(ctx, at, o...); err == nil {
				break
			}
		}
	}
	if err == nil {
		return transport, nil
	}
	if m := refused.FindStringSubmatch(err.Error()); m != nil {
		status, _ := strconv.Atoi(m[1])
		return nil, &refusedError{At: g.where, Status: status}
	}
	return nil, fmt.Errorf("connecting to the browser at %s: %w", g.where, g.clean(err))
}

// named are the addresses of a WebSocket whose host is a name of this computer, without the name; none for any other.
func named(ws string) []string {
	u, err := url.Parse(ws)
	if err != nil {
		return nil
	}
	var out []string
	for _, host := range loopback.Addresses(u.Host) {
		u.Host = host
		out = append(out, u.String())
	}
	return out
}

// clean is an error without what is secret of the address. An error that holds none stays as it is.
func (g *gateway) clean(err error) error {
	secrets := []string{g.url.RequestURI(), g.url.RawQuery}
	for _, values := range g.url.Query() {
		secrets = append(secrets, values...)
	}
	for _, values := range g.header {
		secrets = append(secrets, values...)
	}
	s := err.Error()
	for _, secret := range secrets {
		if len(secret) > 3 {
			s = strings.ReplaceAll(s, secret, "[redacted]")
		}
	}
	if s == err.Error() {
		return err
	}
	return errors.New(s)
}
