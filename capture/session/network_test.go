package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// busy is a site whose page makes n requests, one after the other in groups, and knows when all are answered.
func busy(n int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			fmt.Fprint(w, strings.Repeat("x", 1000))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>busy</title><link rel=icon href="data:,"><h1>busy</h1><input type=password value="seedpassword4711">
<script>(async () => { for (let i = 0; i < %d; i++) await fetch('/data/' + i + '?token=seedtoken4711&page=seedpassword4711');
document.querySelector('h1').textContent = 'done'; })()</script>`, n)
	})
}

// TestLayersOfTurns: each turn of a tab has what its page has loaded; what an earlier page had loaded and no turn has is in
// the next one, once; and what a password field holds is in no address.
func TestLayersOfTurns(t *testing.T) {
	site := strings.TrimSuffix(chrometest.Serve(t, busy(3)), "/")
	ctx := chrometest.Context(t)
	tab := chrome.Tab(t)
	store, err := turn.Create(ctx, turn.Dir(t.TempDir()+"/s"), "test")
	require.NoError(t, err)
	defer store.Close()
	take := func() (now, earlier []string, l *network.Layer) {
		shot, err := session.Take(ctx, tab, session.Options{Store: store, NoPicture: true, Settle: session.Settle{For: "h1"}})
		require.NoError(t, err)
		for _, q := range shot.Capture.Network.Requests {
			path, _, _ := strings.Cut(strings.TrimPrefix(q.URL, site), "?")
			if q.Earlier {
				earlier = append(earlier, path)
			} else {
				now = append(now, path)
			}
			require.NotContains(t, q.URL, "seed")
		}
		return now, earlier, shot.Capture.Network
	}
	first := []string{"/", "/data/0", "/data/1", "/data/2"}
	require.NoError(t, tab.Navigate(ctx, site+"/"))
	now, earlier, l := take()
	require.Equal(t, first, now)
	require.Empty(t, earlier)
	require.Equal(t, "fetch", strings.ToLower(l.Requests[1].Type))
	require.Contains(t, l.Requests[1].URL, "page=[redacted")
	now, _, _ = take()
	require.Equal(t, first, now, "a turn can be read alone")
	require.NoError(t, tab.Navigate(ctx, site+"/"))
	require.NoError(t, tab.Navigate(ctx, site+"/data/only"))
	now, earlier, _ = take()
	require.Contains(t, now, "/data/only")
	require.Contains(t, earlier, "/", "the page that no turn has")
	require.NotContains(t, now, "/data/1")
	for n := range 3 {
		_, err := store.Load(ctx, n+1)
		require.NoError(t, err)
	}
	damage, err := store.Check(ctx)
	require.NoError(t, err)
	require.True(t, turn.Whole(damage))
}

// BenchmarkNetworkShare is which part of a capture's time goes into what the page has loaded: at most 5 %. A page with a
// password is asked whether its addresses hold it.
func BenchmarkNetworkShare(b *testing.B) {
	for _, name := range []string{"plain", "password"} {
		b.Run(name, func(b *testing.B) {
			site := chrometest.Serve(b, busy(200))
			ctx := chrometest.Context(b)
			tab := chrome.Tab(b)
			require.NoError(b, tab.Navigate(ctx, site))
			if name == "plain" {
				_, err := tab.Session().Eval(ctx, tab.ID(), "document.querySelector('input').remove(), ''")
				require.NoError(b, err)
			}
			_, err := session.Take(ctx, tab, session.Options{NoPicture: true}) // waits for the page
			require.NoError(b, err)
			var part, total float64
			for b.Loop() {
				shot, err := session.Take(ctx, tab, session.Options{})
				require.NoError(b, err)
				require.Len(b, shot.Capture.Network.Requests, 201)
				for _, p := range shot.Capture.Timings.Parts {
					if p.Name == "network" {
						part += p.Ms
					}
				}
				total += shot.Capture.Timings.Total - shot.Capture.Timings.Settle
			}
			b.ReportMetric(100*part/total, "%-of-capture")
		})
	}
}
