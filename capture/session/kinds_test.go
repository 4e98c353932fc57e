package session_test

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a page loaded is what its server did: some 40 kinds of requests, each with the status and the size of the
// server's own log. A browser with a cache on the disk asks for one of them again, and is answered with 304.
func TestRequestsAreThoseOfTheServersLog(t *testing.T) {
	ctx := chrometest.Context(t)
	site := &chrometest.Kinds{}
	site.Other = strings.TrimSuffix(chrometest.Serve(t, site), "/")
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	site.Closed = "http://" + nobody.Addr().String()
	require.NoError(t, nobody.Close())
	own := strings.TrimSuffix(chrometest.Serve(t, site), "/")
	b, err := browser.Start(ctx, browser.Options{Flags: append(chrometest.Flags(), "disk-cache-size=50000000")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	tab, err := b.OpenTab(ctx)
	require.NoError(t, err)
	require.NoError(t, tab.Navigate(ctx, own+"/"))
	require.Eventually(t, func() bool { // the page says when it is done
		done, err := tab.Session().Eval(ctx, tab.ID(), "String(document.querySelector('h1').textContent === 'Kinds' && document.title)")
		return err == nil && done == "Done"
	}, 2*time.Minute, 50*time.Millisecond)
	shot, err := session.Take(ctx, tab, session.Options{NoPicture: true})
	require.NoError(t, err)
	l := shot.Capture.Network
	require.Positive(t, l.ContentLoad)
	require.GreaterOrEqual(t, l.Load, l.ContentLoad)

	sizes := map[string][]int64{}
	for _, s := range site.Log() {
		sizes[s.Path] = append(sizes[s.Path], s.Body)
	}
	said, served := map[string]int{}, map[string]int{}
	for i := range l.Requests {
		q := &l.Requests[i]
		path := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(q.URL, own), site.Other), "ws"+strings.TrimPrefix(own, "http"))
		status := q.Status
		switch {
		case q.State == network.Pending:
			require.Contains(t, []string{"/events", "/socket"}, path)
			require.Equal(t, "open", q.Mark(), path)
			require.Positive(t, q.Headers, "%s: %+v", path, q)
			continue // the log has what has ended
		case path == site.Closed+"/nobody":
			require.Equal(t, network.Failed, q.State)
			continue
		case path == "/socket-refused":
			require.Contains(t, q.Error, "403") // Chrome has no status for it
			status = 403
		case path == "/cached" && q.From == "disk cache":
			require.Zero(t, q.Wire)
			continue // no server saw it
		case path == "/reset":
			require.Equal(t, network.Failed, q.State) // Chrome tries more than once
			continue
		}
		said[fmt.Sprintf("%s %s %d", q.Method, path, status)]++
		answered := q.State == network.Done && q.Error == ""
		switch path {
		case "/never", "/xhr-slow", "/half", "/wrong.css":
			require.Equal(t, network.Canceled, q.State, path)
		case "/cut", "/refused-by-cors", "/socket-refused":
			require.Equal(t, network.Failed, q.State, path)
		default:
			require.True(t, answered, "%s: %+v", path, q)
		}
		if answered && q.Wire >= 0 && q.Type != "Preflight" {
			require.Positive(t, q.Headers, "%s: %+v", path, q)
			require.GreaterOrEqual(t, q.Wire, q.Headers, "%s: %+v", path, q)
		}
		if answered && q.Body >= 0 && q.RedirectedTo == 0 && q.Method == "GET" && path != "/zipped" && q.Status != 304 {
			require.Contains(t, sizes[path], q.Body, path)
		}
	}
	// The log has a request a moment after the browser has its answer, and twice one that Chrome asked again over a new
	// connection.
	require.EventuallyWithT(t, func(now *assert.CollectT) {
		served = map[string]int{}
		for _, s := range site.Log() {
			if s.Path != "/reset" && s.Path != "/events" && s.Path != "/socket" {
				served[fmt.Sprintf("%s %s %d", s.Method, s.Path, s.Status)]++
			}
		}
		assert.Equal(now, slices.Sorted(maps.Keys(served)), slices.Sorted(maps.Keys(said)))
	}, time.Minute, 50*time.Millisecond)
	for what, n := range said {
		require.LessOrEqual(t, n, served[what], what)
	}
	require.Greater(t, len(said), 45)
	var again *network.Request
	for i := range l.Requests {
		if q := &l.Requests[i]; q.Status == 304 {
			again = q
		}
	}
	require.NotNil(t, again, "the server was asked whether it has changed")
	require.Equal(t, "disk cache", again.From)
	require.EqualValues(t, len("as it was"), again.Body)
	require.Equal(t, again.Headers, again.Wire, "nothing but headers crossed the network")
}
