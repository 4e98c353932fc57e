package tap_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/tap"
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
