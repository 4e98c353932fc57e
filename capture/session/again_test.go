package session_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/stretchr/testify/require"
)

// lookAgain is the shot after last as [session.Again] gives it, nil where the page is to be read.
func lookAgain(t *testing.T, tab *browser.Tab, last *session.Shot) *session.Shot {
	t.Helper()
	ctx := chrometest.Context(t)
	state, err := session.StateOf(ctx, tab)
	require.NoError(t, err)
	shot, err := session.Again(ctx, tab, last, state, false, session.Options{})
	require.NoError(t, err)
	return shot
}

// What the browser tells of a page is held to what it told before, entry by entry: a console that holds as many lines
// as it may is as long after the next one.
func TestNewsOfAFullConsoleIsNotLeftOut(t *testing.T) {
	const say = `(async () => { for (let i = 0; i < %d; i++) console.log('%s', i) ; return 'said' })()`
	tab := chrome.Open(t, chrometest.Page(t, `<button>Pay</button>`))
	ctx := chrometest.Context(t)
	log := func(n int, word string) {
		_, err := tab.Session().Await(ctx, tab.ID(), fmt.Sprintf(say, n, word))
		require.NoError(t, err)
	}
	log(1000, "first")
	shot, err := session.Take(ctx, tab, session.Options{NoPicture: true})
	require.NoError(t, err)
	full := len(shot.Capture.Console)
	require.Greater(t, full, 100)
	require.Less(t, full, 1000, "it holds the last ones")

	for range 2 { // what is given again can be given again
		same := lookAgain(t, tab, shot)
		require.NotNil(t, same)
		require.Equal(t, shot.Capture.Nodes, same.Capture.Nodes)
		require.Len(t, same.Capture.Console, full)
		shot = same
	}
	log(1, "news")
	require.Nil(t, lookAgain(t, tab, shot))
}

// A request that is under way lasts longer each time, and one that has begun since is news.
func TestRequestsOfWhatIsGivenAgainAreOfNow(t *testing.T) {
	site, at := waiting(t)
	tab := chrome.Open(t, site)
	ctx := chrometest.Context(t)
	ask := func(name string) {
		_, err := tab.Session().Eval(ctx, tab.ID(), `void fetch('/at/`+name+`')`)
		require.NoError(t, err)
		require.Equal(t, name, <-at)
	}
	ask("one")
	shot, err := session.Take(ctx, tab, session.Options{NoPicture: true, Settle: session.Settle{Max: 1}})
	require.NoError(t, err)
	pending := func(s *session.Shot) (out []network.Request) {
		for _, q := range s.Capture.Network.Requests {
			if q.State == network.Pending {
				out = append(out, q)
			}
		}
		return out
	}
	require.Len(t, pending(shot), 1)
	same := lookAgain(t, tab, shot)
	require.NotNil(t, same)
	require.Len(t, pending(same), 1)
	require.Greater(t, pending(same)[0].Duration, pending(shot)[0].Duration)
	ask("two")
	require.Nil(t, lookAgain(t, tab, same))
}

// waiting is a page on a site that tells of each request below /at/, and answers it when the test has ended.
func waiting(t *testing.T) (url string, at chan string) {
	at = make(chan string, 10)
	over := make(chan struct{})
	url = chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, asked := strings.CutPrefix(r.URL.Path, "/at/")
		if !asked {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><link rel=icon href="data:,"><button>Pay</button>`)
			return
		}
		at <- name
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(over) })
	return url, at
}

// A shot of the cache is held to the same news.
func TestNewsIsNotLeftOutByTheCache(t *testing.T) {
	site, at := waiting(t)
	tab := chrome.Open(t, site)
	ctx := chrometest.Context(t)
	cache := session.Cache{TTL: time.Hour}
	take := func() (*session.Shot, bool) {
		shot, cached, err := cache.Take(ctx, tab, session.Options{NoPicture: true, Settle: session.Settle{Max: 1}})
		require.NoError(t, err)
		return shot, cached
	}
	take()
	_, cached := take()
	require.True(t, cached)
	for _, news := range []string{`console.log('news')`, `void fetch('/at/one')`} {
		_, err := tab.Session().Eval(ctx, tab.ID(), news)
		require.NoError(t, err)
		if strings.Contains(news, "fetch") {
			require.Equal(t, "one", <-at)
		}
		_, cached = take()
		require.False(t, cached, news)
		_, cached = take()
		require.True(t, cached, news)
	}
}

// The cache may hold a text that has become known as a secret since. A page on which something plays changes, and no
// state of it shows that.
func TestTheCacheGivesNoSecretAndNothingThatPlays(t *testing.T) {
	ctx := chrometest.Context(t)
	cache, known := session.Cache{TTL: time.Hour}, &redact.Known{}
	take := func(tab *browser.Tab) (*session.Shot, bool) {
		shot, cached, err := cache.Take(ctx, tab, session.Options{NoPicture: true, Settle: session.Settle{Max: 1},
			Collect: collect.Options{Known: known}})
		require.NoError(t, err)
		return shot, cached
	}
	tab := chrome.Open(t, chrometest.Page(t, `<p>The code is Tremolo4711Vesper</p>`))
	shot, _ := take(tab)
	require.Contains(t, fmt.Sprint(shot.Capture.Nodes), "Tremolo4711Vesper")
	_, cached := take(tab)
	require.True(t, cached)
	known.Learn(redact.Kept{Typed: []redact.Secret{{Value: "Tremolo4711Vesper"}}})
	shot, cached = take(tab)
	require.False(t, cached)
	require.NotContains(t, fmt.Sprint(shot.Capture.Nodes), "Tremolo4711Vesper")

	for _, plays := range []string{
		`<svg width=200 height=50><rect width=9 height=9><animate attributeName=x to=150 dur=60s /></rect></svg>`,
		`<marquee>News</marquee>`, `<video controls></video>`, `<button is=own-button>Own</button>`} {
		tab := chrome.Open(t, chrometest.Page(t, plays))
		take(tab)
		_, cached := take(tab)
		require.False(t, cached, plays)
	}
}
