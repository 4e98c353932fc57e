package task

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEndpointMisbehaves(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a request went to another host")
	}))
	defer elsewhere.Close()
	for name, x := range map[string]struct {
		do    http.HandlerFunc
		kind  string
		why   string
		again bool
	}{
		"500":   {status(500, "oops"), "status", "answers 500 Internal Server Error", true},
		"429":   {status(429, ""), "status", "answers 429", true},
		"404":   {status(404, ""), "status", "answers 404 Not Found", false},
		"401":   {status(401, ""), "status", "answers 401", false},
		"HTML":  {typed("text/html; charset=utf-8", "<html>login</html>"), "type", `"text/html"`, true},
		"10 MB": {typed("application/json", strings.Repeat(" ", 10<<20)), "size", "more than 1048576 bytes", true},
		"another host": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "redirect", "redirects to another host", false},
		"another port": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusPermanentRedirect)
		}, "redirect", "redirects to another host", false},
		"a lost body":   {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/b", http.StatusFound) }, "redirect", "loses the request", false},
		"round in ring": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusTemporaryRedirect) }, "redirect", "more than 3 times", false},
		"it hangs":      {func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); <-r.Context().Done() }, "timeout", "did not answer within 200ms", true},
		"it hangs up": {func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = c.Close()
			}
		}, "network", "cannot be reached", true},
		"half of it": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"action"`)
		}, "network", "cannot be reached", true},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(x.do)
			defer srv.Close()
			c, err := newClient(Options{Endpoint: srv.URL, RequestTimeout: 200 * time.Millisecond})
			require.NoError(t, err)
			defer c.close()
			_, err = c.post(t.Context(), []byte(`{}`))
			var e *endpointError
			require.ErrorAs(t, err, &e)
			require.Equal(t, x.kind, e.Kind)
			require.ErrorContains(t, err, x.why)
			require.Equal(t, x.again, e.again())
			require.LessOrEqual(t, len(e.Body), 64<<10)
			require.NotContains(t, err.Error(), srv.URL, "an address may hold a token")
		})
	}
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, code) }
}

func typed(media, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		_, _ = io.WriteString(w, body)
	}
}

// TestPost: what is sent, and where a redirect on the same host leads.
func TestPost(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/v2", http.StatusPermanentRedirect)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, `{"thought":%q}`, r.Method+" "+r.URL.Path+" "+string(body)+" "+r.Header.Get("Content-Type")+" "+r.Header.Get("Authorization"))
	}))
	defer srv.Close()
	c, err := newClient(Options{Endpoint: srv.URL + "/", Headers: http.Header{"authorization": {"Bearer x"}}})
	require.NoError(t, err)
	defer c.close()
	data, err := c.post(t.Context(), []byte(`[1]`))
	require.NoError(t, err)
	require.Equal(t, `{"thought":"POST /v2 [1] application/json Bearer x"}`, string(data))

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = c.post(gone, nil)
	require.ErrorIs(t, err, context.Canceled)
}

func TestCheckEndpoint(t *testing.T) {
	require.NoError(t, CheckEndpoint("https://agent.example/api/agent/interact?v=1"))
	for in, why := range map[string]string{
		"agent.example": "must begin with", "ftp://x/": "must begin with", "http://": "must begin with", "http://a:b@c/": "holds a password", "http://c/#x": "fragment", "http://[::1": "cannot be read",
	} {
		require.ErrorContains(t, CheckEndpoint(in), why, in)
	}
	require.NoError(t, CheckHeader("X-Api-Key", "a b"))
	for name, value := range map[string]string{"": "x", "a b": "x", "X": "a\r\nHost: b", "host": "x", "Content-Length": "1"} {
		require.Error(t, CheckHeader(name, value), name)
	}
}

func TestPause(t *testing.T) {
	e := &endpointError{}
	require.Equal(t, retryPause, e.pause(0, 0))
	require.Equal(t, 4*time.Second, e.pause(time.Second, 2))
	require.Equal(t, maxPause, e.pause(time.Second, 9))
	e.after = 3 * time.Second
	require.Equal(t, 3*time.Second, e.pause(time.Second, 0))
	require.Equal(t, maxPause, retryAfter(http.Header{"Retry-After": {"86400"}}))
	require.Zero(t, retryAfter(http.Header{"Retry-After": {"Wed, 21 Oct 2015 07:28:00 GMT"}}))
}
