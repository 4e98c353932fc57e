package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/chrometest"
)

// held is a page whose second address answers only when it is let go.
func held(t *testing.T) (url string, asked chan struct{}, free func()) {
	asked, open := make(chan struct{}, 10), make(chan struct{})
	var once sync.Once
	free = func() { once.Do(func() { close(open) }) }
	url = chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/slow" {
			asked <- struct{}{}
			select {
			case <-open:
			case <-q.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Held</title><h1>Here</h1><button>Go</button>`)
	}))
	t.Cleanup(free)
	return url, asked, free
}

// A call that its client cancels stops, is a turn without a result, and the session goes on.
func TestCancel(t *testing.T) {
	site, asked, _ := held(t)
	var mu sync.Mutex
	var told []string
	r := newRig(t, true, func(o *mcp.Options) { o.Session = "cancel" })
	c := r.stdio(&sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, q *sdk.ProgressNotificationClientRequest) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprint(q.Params.Progress, "/", q.Params.Total, " ", q.Params.Message))
	}})
	done(t, c, "browse_navigate", map[string]any{"url": site})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	p := &sdk.CallToolParams{Name: "run_steps", Arguments: map[string]any{"steps": []any{map[string]any{"wait": 1}, map[string]any{"goto": site + "slow"}, map[string]any{"wait": 1}}}}
	p.SetProgressToken("p1")
	_, err := c.CallTool(ctx, p)
	require.ErrorIs(t, err, context.Canceled)
	text := done(t, c, "browse_snapshot", nil)
	require.Contains(t, text, "Here")
	turns := r.turns("cancel")
	require.Len(t, turns, 3)
	require.Contains(t, turns[1].Lacks[0], "cancelled")
	require.Len(t, turns[1].Payloads, 1)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []string{"0/3 wait", "1/3 goto"}, told)
}

// A client that leaves in mid-call leaves a whole session, and its tabs are closed.
func TestDisconnect(t *testing.T) {
	for _, transport := range []string{"stdio", "http"} {
		t.Run(transport, func(t *testing.T) {
			site, asked, _ := held(t)
			r := newRig(t, true, func(o *mcp.Options) { o.Session = "gone" })
			connect := r.stdio
			if transport == "http" {
				connect = r.overHTTP
			}
			before := targets(t)
			c := connect(nil)
			done(t, c, "browse_navigate", map[string]any{"url": site})
			require.Len(t, opened(t, before), 1)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			result := make(chan error, 1)
			go func() {
				_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "browse_navigate", Arguments: map[string]any{"url": site + "slow"}})
				result <- err
			}()
			<-asked
			if transport == "http" { // the SDK's client waits for its calls before it says so
				q, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, r.url, nil)
				require.NoError(t, err)
				q.Header.Set("Mcp-Session-Id", r.server.Sessions()[0].ID)
				q.Header.Set("Authorization", "Bearer "+token)
				res, err := http.DefaultClient.Do(q)
				require.NoError(t, err)
				require.NoError(t, res.Body.Close())
				require.Equal(t, 204, res.StatusCode)
			} else {
				require.NoError(t, r.hangUp())
			}
			require.Eventually(t, func() bool { return len(r.server.Sessions()) == 0 }, time.Minute, 10*time.Millisecond)
			require.Error(t, <-result)
			require.Eventually(t, func() bool { return len(opened(t, before)) == 0 }, time.Minute, 20*time.Millisecond, "its tab is closed")
			turns := r.turns("gone")
			require.NotEmpty(t, turns)
			require.NotEmpty(t, turns[0].Capture.Nodes)
		})
	}
}

// opened are the tabs that were not there before. Those of another test may still be closing.
func opened(t *testing.T, before []string) []string {
	t.Helper()
	return slices.DeleteFunc(targets(t), func(id string) bool { return slices.Contains(before, id) })
}

func targets(t *testing.T) []string {
	t.Helper()
	list, err := chrome.Browser(t).Tabs(t.Context())
	require.NoError(t, err)
	var out []string
	for _, tab := range list {
		out = append(out, tab.ID)
	}
	return out
}

// A flood is done up to the length of the queue; what is beyond is refused and not done.
func TestFlood(t *testing.T) {
	site, asked, free := held(t)
	r := newRig(t, true, func(o *mcp.Options) { o.Session, o.MaxQueue = "flood", 4 })
	c := r.stdio(nil)
	done(t, c, "browse_navigate", map[string]any{"url": site})
	var wg sync.WaitGroup
	wg.Go(func() { done(t, c, "browse_navigate", map[string]any{"url": site + "slow"}) })
	<-asked
	const flood = 40
	refused := make(chan bool, flood)
	for range flood {
		wg.Go(func() {
			text, bad := call(t, c, "browse_scroll", map[string]any{"to": "top"})
			if bad {
				require.Contains(t, text, "too many calls at once: 4 wait for the one that runs (browse_navigate)")
			}
			refused <- bad
		})
	}
	for range flood - 4 {
		require.True(t, <-refused)
	}
	require.Equal(t, 4, r.server.Sessions()[0].Queued)
	free()
	wg.Wait()
	for range 4 {
		require.False(t, <-refused)
	}
	require.Len(t, r.turns("flood"), 6)
}

// Nonsense on the pipe does not end the server's other clients, and standard output
// carries nothing but messages.
func TestNonsense(t *testing.T) {
	r := newRig(t, false, nil)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- r.server.ServeStdio(t.Context(), inR, outW) }()
	lines := bufio.NewScanner(outR)
	send := func(s string) string {
		_, err := io.WriteString(inW, s+"\n")
		require.NoError(t, err)
		require.True(t, lines.Scan())
		require.True(t, json.Valid(lines.Bytes()), lines.Text())
		return lines.Text()
	}
	require.Contains(t, send(hello), `"serverInfo"`)
	require.Contains(t, send(`{"jsonrpc":"2.0","id":2,"method":"no/such"}`), `"error"`)
	require.Contains(t, send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":7}}`), `"error"`)
	_, err := io.WriteString(inW, `{"jsonrpc":`+strings.Repeat("[", 1000)+"\n")
	require.NoError(t, err)
	require.NoError(t, inW.Close())
	for lines.Scan() {
		require.True(t, json.Valid(lines.Bytes()), lines.Text())
	}
	<-ended
	c := r.overHTTP(nil)
	_, err = c.ListTools(t.Context(), nil)
	require.NoError(t, err)
}
