package mcp_test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
)

// Fifty clients side by side in one process: no turn of one in another's session, no tab
// and no goroutine left behind. Six, and one round, by default; REFSCOPE_SOAK=5m goes on for so long
// and prints what it costs.
func TestFiftyClients(t *testing.T) {
	testneed.Long(t, "fifty clients")
	clients, length := 6, time.Duration(0)
	if s := os.Getenv("REFSCOPE_SOAK"); s != "" {
		var err error
		length, err = time.ParseDuration(s)
		require.NoError(t, err)
		clients = 50
	}
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		name := strings.Trim(q.URL.Path, "/")
		fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><h1>Page of %[1]s</h1><label>Field <input></label><button onclick="o.textContent='pressed '+document.querySelector('input').value">Press %[1]s</button><p id=o></p><ul>%[2]s</ul>`,
			name, strings.Repeat("<li><a href=#>Link of "+name+"</a>", 30))
	}))
	r := newRig(t, true, func(o *mcp.Options) { o.Session = "soak" })
	tabs := targets(t)
	at := newGauge()
	t.Log("before:", at)
	var calls atomic.Int64
	began := time.Now()
	owner := sync.Map{} // session folder → word of its pages
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			word := fmt.Sprintf("word%03dx", i)
			c := r.overHTTP(nil)
			page := done(t, c, "browse_navigate", map[string]any{"url": site + word})
			field, button := refIn(t, page, "[textbox]"), refIn(t, page, "Press "+word)
			n := 1
			for round := 0; round == 0 || time.Since(began) < length; round++ {
				text := done(t, c, "browse_fill", map[string]any{"ref": field, "value": fmt.Sprint(word, " ", round)})
				text += done(t, c, "browse_click", map[string]any{"ref": button})
				text += done(t, c, "browse_snapshot", nil)
				require.Contains(t, text, fmt.Sprintf(`"pressed %s %d"`, word, round))
				onlyOwn(t, text, word)
				n += 3
				calls.Add(3)
			}
			calls.Add(1)
			got := c.ID()
			for _, s := range r.server.Sessions() {
				if s.ID == got {
					require.Equal(t, n, s.Turns)
					owner.Store(s.Name, word)
				}
			}
			require.NoError(t, c.Close())
		})
	}
	over := make(chan struct{})
	var watch sync.WaitGroup
	if length > 0 {
		watch.Go(func() {
			tick := time.NewTicker(20 * time.Second)
			defer tick.Stop()
			for {
				select {
				case <-over:
					return
				case <-tick.C:
					t.Logf("%4.0f s: %d calls, %s", time.Since(began).Seconds(), calls.Load(), newGauge())
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	close(over)
	watch.Wait()
	require.Eventually(t, func() bool { return len(r.server.Sessions()) == 0 }, time.Minute, 10*time.Millisecond)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	require.Eventually(t, func() bool { return len(opened(t, tabs)) == 0 }, time.Minute, 20*time.Millisecond, "no tab is left")
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= at.goroutines+10 }, time.Minute, 50*time.Millisecond)
	sessions, turns := 0, 0
	owner.Range(func(name, word any) bool {
		sessions++
		for _, rec := range r.turns(name.(string)) {
			turns++
			require.Contains(t, rec.Capture.URL, word.(string))
			require.Contains(t, rec.Capture.Title, word.(string))
			for _, p := range rec.Payloads {
				onlyOwn(t, string(p.Bytes), word.(string))
			}
		}
		return true
	})
	require.Equal(t, clients, sessions)
	require.EqualValues(t, calls.Load(), turns)
	t.Logf("%d clients, %.0f s: %d calls (%.1f a second), %d turns, none mixed; after: %s", clients, took.Seconds(), calls.Load(), float64(calls.Load())/took.Seconds(), turns, newGauge())
}

// onlyOwn: a text tells of no other client's page.
func onlyOwn(t *testing.T, text, word string) {
	t.Helper()
	for _, w := range regexp.MustCompile(`word\d{3}x`).FindAllString(text, -1) {
		require.Equal(t, word, w, "another client's page")
	}
}

// gauge is what the process holds.
type gauge struct {
	goroutines int
	heap       uint64 // bytes in use after a collection
	rss        string
}

func newGauge() gauge {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	g := gauge{goroutines: runtime.NumGoroutine(), heap: m.HeapAlloc}
	if b, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(b)) {
			if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				g.rss = strings.TrimSpace(rest)
			}
		}
	}
	return g
}

func (g gauge) String() string {
	return fmt.Sprintf("%d goroutines, heap %.1f MB, resident %s", g.goroutines, float64(g.heap)/1e6, g.rss)
}
