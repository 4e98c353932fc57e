package mcp_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/snapshot/testneed"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

// post sends a raw request to the server.
func post(t *testing.T, url, body string, change func(*http.Request)) (int, string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json, text/event-stream")
	q.Header.Set("Authorization", "Bearer "+token)
	if change != nil {
		change(q)
	}
	res, err := http.DefaultClient.Do(q)
	require.NoError(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(b)
}

func TestGuard(t *testing.T) {
	r := newRig(t, false, nil)
	remote := newRig(t, false, func(o *mcp.Options) { o.AllowRemote = true })
	open := newRig(t, false, func(o *mcp.Options) { o.Token = "" })
	header := func(name string, values ...string) func(*http.Request) {
		return func(q *http.Request) { q.Header[name] = values }
	}
	for _, tt := range []struct {
		name   string
		rig    *rig
		body   string
		change func(*http.Request)
		want   int
		text   string
	}{
		{"a program", r, hello, nil, 200, "refscope"},
		{"a page of this server", r, hello, func(q *http.Request) { q.Header.Set("Origin", strings.TrimSuffix(r.url, "/")) }, 200, "refscope"},
		{"a page elsewhere", r, hello, header("Origin", "https://evil.example"), 403, "origins"},
		{"a page of another port", r, hello, header("Origin", "http://127.0.0.1:1"), 403, "origins"},
		{"an opaque origin", r, hello, header("Origin", "null"), 403, "origins"},
		{"two origins", r, hello, header("Origin", strings.TrimSuffix(r.url, "/"), "https://evil.example"), 403, "origins"},
		{"an empty origin", r, hello, header("Origin", ""), 403, "origins"},
		{"a rebound name", r, hello, func(q *http.Request) { q.Host = "evil.example" }, 403, "loopback"},
		{"a rebound name with its origin", r, hello, func(q *http.Request) { q.Host = "evil.example"; q.Header.Set("Origin", "http://evil.example") }, 403, "loopback"},
		{"localhost", r, hello, func(q *http.Request) { q.Host = "localhost:80" }, 200, "refscope"},
		{"another name, allowed", remote, hello, func(q *http.Request) { q.Host = "box.example" }, 200, "refscope"},
		{"another name and origin", remote, hello, func(q *http.Request) { q.Host = "box.example"; q.Header.Set("Origin", "https://evil.example") }, 403, "origins"},
		{"no token", r, hello, header("Authorization"), 401, "unauthorized"},
		{"another token", r, hello, header("Authorization", "Bearer nonsense"), 401, "unauthorized"},
		{"a longer token", r, hello, header("Authorization", "Bearer "+token+"x"), 401, "unauthorized"},
		{"another scheme", r, hello, header("Authorization", "Basic "+token), 401, "unauthorized"},
		{"two headers", r, hello, header("Authorization", "Bearer "+token, "Bearer "+token), 401, "unauthorized"},
		{"no token set", open, hello, header("Authorization", "Bearer "), 401, "unauthorized"},
		{"too large", r, `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", mcp.MaxBody) + `"}`, nil, 413, ""},
		{"no JSON", r, `nonsense`, nil, 400, ""},
		{"an unknown session", r, hello, header("Mcp-Session-Id", "x"), 404, "session"},
		{"a version of no sessions", r, strings.Replace(hello, "2025-06-18", "2026-07-28", 1), nil, 200, `"protocolVersion":"2025`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, text := post(t, tt.rig.url, tt.body, tt.change)
			require.Equal(t, tt.want, code, text)
			require.Contains(t, text, tt.text)
		})
	}
	require.NotEqual(t, mcp.NewToken(), mcp.NewToken())
	require.Len(t, mcp.NewToken(), 26)
}

// Clients come and end without a word: nobody is refused, and one that works stays.
func TestClientsInAndOut(t *testing.T) {
	r := newRig(t, false, func(o *mcp.Options) { o.MaxSessions = 5 })
	at := r.overHTTP(nil)
	_, bad := call(t, at, "browse_snapshot", nil)
	require.True(t, bad)
	began := time.Now()
	clients := testneed.Cases(200, 1000, 1000)
	for i := range clients {
		code, text := post(t, r.url, hello, nil)
		require.Equal(t, 200, code, "client %d: %s", i, text)
	}
	t.Logf("%d clients came and left within %v", clients, time.Since(began))
	require.LessOrEqual(t, len(r.server.Sessions()), 5)
	_, bad = call(t, at, "browse_snapshot", nil)
	require.True(t, bad, "no page is open")
	for range 20 { // initialized ones too
		c := r.overHTTP(nil)
		require.NotEmpty(t, c.ID())
	}
	require.Contains(t, fmt.Sprint(r.server.Sessions()), at.ID(), "the one that has called stays longer than those that never did")
}

// No two clients write to one folder, whichever programs they have come to; a name that is
// free again is gone on in.
func TestFolders(t *testing.T) {
	a := newRig(t, false, func(o *mcp.Options) { o.Session = "shop" })
	name := func(r *rig) string {
		c := r.overHTTP(nil)
		_, bad := call(t, c, "browse_snapshot", nil)
		require.True(t, bad)
		for _, s := range r.server.Sessions() {
			if s.ID == c.ID() {
				return s.Name
			}
		}
		return ""
	}
	require.Equal(t, "shop", name(a))
	require.Equal(t, "shop-2", name(a))
	b := newRig(t, false, func(o *mcp.Options) { o.Session, o.HostOptions.Home = "shop", a.home })
	require.Equal(t, "shop-3", name(b))
	for _, s := range a.server.Sessions() {
		require.NoError(t, a.server.Stop(t.Context(), s.ID))
	}
	require.Equal(t, "shop-4", name(a), "a server gives no name twice")
	c := newRig(t, false, func(o *mcp.Options) { o.Session, o.HostOptions.Home = "shop", a.home })
	require.Equal(t, "shop", name(c))
	require.Len(t, a.turns("shop"), 2)
}
