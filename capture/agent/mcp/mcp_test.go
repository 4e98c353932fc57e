package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/turn"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

const token = "a-token-of-the-tests"

// rig is a server with its home folder.
type rig struct {
	t      testing.TB
	home   string
	server *mcp.Server
	url    string // over HTTP
	wire   *recorder
	hangUp func() error // closes the client's end of the pipe
}

// newRig makes a server, with the shared browser where chrome is true.
func newRig(t testing.TB, browser bool, change func(*mcp.Options)) *rig {
	t.Helper()
	r := &rig{t: t, home: t.TempDir(), wire: &recorder{}}
	o := mcp.Options{
		HostOptions: tabs.Options{Home: r.home, NoLaunch: true}, Profiles: profiles.Home(r.home), Token: token, Version: "test",
	}
	if browser {
		u, err := url.Parse(chrome.Browser(t).Endpoint())
		require.NoError(t, err)
		o.HostOptions.Attach = u.Host
	}
	if change != nil {
		change(&o)
	}
	var err error
	r.server, err = mcp.New(o)
	require.NoError(t, err)
	srv := httptest.NewServer(r.server.Handler())
	r.url = srv.URL + "/"
	t.Cleanup(func() {
		require.NoError(t, r.server.Close())
		srv.Close()
	})
	return r
}

// recorder keeps what crosses a pipe.
type recorder struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (r *recorder) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(b)
}

func (r *recorder) bytes() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return bytes.Clone(r.out.Bytes())
}

// recorded is a pipe's end whose writes are recorded.
type recorded struct {
	io.WriteCloser
	to io.Writer
}

func (r recorded) Write(b []byte) (int, error) {
	_, _ = r.to.Write(b) // it never fails
	return r.WriteCloser.Write(b)
}

// stdio connects a client over two pipes, as a program that starts the server does.
func (r *rig) stdio(o *sdk.ClientOptions) *sdk.ClientSession {
	r.t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	r.hangUp = inW.Close
	done := make(chan error, 1)
	go func() { done <- r.server.ServeStdio(ctx, inR, recorded{outW, r.wire}) }()
	c := sdk.NewClient(&sdk.Implementation{Name: "go-test", Version: "1"}, o)
	cs, err := c.Connect(ctx, &sdk.IOTransport{Reader: outR, Writer: inW}, nil)
	require.NoError(r.t, err)
	r.t.Cleanup(func() {
		_ = cs.Close()
		_ = inW.Close()
		cancel()
		<-done
	})
	return cs
}

// bearer sends the token with each request.
type bearer struct{ token string }

func (b bearer) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(q)
}

// overHTTP connects a client over streamable HTTP.
func (r *rig) overHTTP(o *sdk.ClientOptions) *sdk.ClientSession {
	r.t.Helper()
	c := sdk.NewClient(&sdk.Implementation{Name: "go-test", Version: "1"}, o)
	cs, err := c.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: r.url, HTTPClient: &http.Client{Transport: bearer{token}}}, nil)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = cs.Close() })
	return cs
}

// call calls a tool and gives its texts and whether it is an error.
func call(t testing.TB, cs *sdk.ClientSession, name string, args map[string]any) (string, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	res, err := cs.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
	require.NoError(t, err)
	var b strings.Builder
	for _, c := range res.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			b.WriteString(text.Text + "\n")
		}
	}
	return b.String(), res.IsError
}

// done is call, and the test fails where it is an error.
func done(t testing.TB, cs *sdk.ClientSession, name string, args map[string]any) string {
	t.Helper()
	text, bad := call(t, cs, name, args)
	require.False(t, bad, "%s %v: %s", name, args, text)
	return text
}

// refIn is the number of the first line of a wraith text that holds all words.
func refIn(t testing.TB, text string, words ...string) int {
	t.Helper()
lines:
	for line := range strings.Lines(text) {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue lines
			}
		}
		if m := regexp.MustCompile(`^@e(\d+) `).FindStringSubmatch(line); m != nil {
			n, err := strconv.Atoi(m[1])
			require.NoError(t, err)
			return n
		}
	}
	t.Fatalf("no line with %q in\n%s", words, text)
	return 0
}

// turns loads all turns of a session.
func (r *rig) turns(name string) []*turn.Record {
	r.t.Helper()
	r.server.Written()
	s, err := turn.Open(turn.Dir(turn.SessionDir(r.home, name)))
	require.NoError(r.t, err)
	defer s.Close()
	damage, err := s.Check(context.Background())
	require.NoError(r.t, err)
	require.True(r.t, turn.Whole(damage), damage)
	list, _, err := s.List(context.Background())
	require.NoError(r.t, err)
	var out []*turn.Record
	for _, sum := range list {
		rec, err := s.Load(context.Background(), sum.N)
		require.NoError(r.t, err)
		out = append(out, rec)
	}
	return out
}

func demo(t testing.TB) string { return chrometest.Serve(t, http.FileServerFS(assets.Demo())) }

// TestDemo drives the demo shop end to end over both transports: navigate, snapshot,
// fill, click, verify (W-7), and looks at what crossed the pipe and at the turns (P-3).
func TestDemo(t *testing.T) {
	site := demo(t)
	for _, transport := range []string{"stdio", "http"} {
		t.Run(transport, func(t *testing.T) {
			r := newRig(t, true, func(o *mcp.Options) { o.Session = "demo" })
			connect := r.stdio
			if transport == "http" {
				connect = r.overHTTP
			}
			c := connect(nil)
			text := done(t, c, "browse_navigate", map[string]any{"url": site + "checkout.html"})
			require.Contains(t, text, "OVERLAY DETECTED")
			require.Contains(t, text, `"verified":"The address changed"`)
			text = done(t, c, "browse_click", map[string]any{"ref": refIn(t, text, "Only essential"), "expect": map[string]any{"type": "element_disappears", "text": "A biscuit with your tea?"}})
			require.Contains(t, text, `"verification_passed":true`)
			page := done(t, c, "browse_snapshot", nil)
			require.NotContains(t, page, "OVERLAY")
			text = done(t, c, "browse_fill", map[string]any{"ref": refIn(t, page, "[textbox]", "Full name"), "value": "Grace Hopper"})
			require.Contains(t, text, `"verified":`)
			text = done(t, c, "browse_fill", map[string]any{"ref": refIn(t, page, "[email]"), "value": "grace@example.test"})
			require.Contains(t, text, `"verified":`)
			calls := 8
			if transport == "stdio" {
				calls += 2
				text = done(t, c, "browse_fill", map[string]any{"ref": refIn(t, page, "[password]"), "value": "correct horse battery",
					"expect": map[string]any{"type": "any_change", "orOutcome": map[string]any{"type": "value_changes", "ref": refIn(t, page, "[password]"), "value": "correct horse battery"}}})
				require.NotContains(t, text, "horse")
				text = done(t, c, "browse_select", map[string]any{"ref": refIn(t, page, "[combobox]", "Country"), "value": "Portugal"})
				require.Contains(t, text, `"verified":`)
			}
			agree := refIn(t, page, "[checkbox]", "I agree")
			text = done(t, c, "browse_click", map[string]any{"ref": agree})
			require.Contains(t, text, `"checked":true`)
			require.Contains(t, text, `"verified":`)
			done(t, c, "browse_scroll_to", map[string]any{"ref": agree})
			text = done(t, c, "browse_click", map[string]any{"ref": refIn(t, page, "[button]", "Place order"), "snapshot": true})
			require.Contains(t, text, `Page: "Orders`)
			if transport == "stdio" {
				r.checkWire(t, "demo")
			}
			got := r.turns("demo")
			require.Len(t, got, calls)
			for i, rec := range got {
				require.NotEmpty(t, rec.Capture.Nodes, "turn %d", i+1)
				for _, p := range rec.Payloads {
					require.NotContains(t, string(p.Bytes), "horse", "turn %d", i+1)
				}
				require.NotContains(t, string(rec.Steps), "horse")
			}
			require.Equal(t, `{"name":"browse_fill","arguments":{"ref":20,"value":"[redacted: typed]"}}`, string(got[4].Payloads[0].Bytes))
			require.Len(t, got[4].Payloads[0].Redacted, 1)
			list := r.server.Sessions()
			require.Len(t, list, 1)
			require.Equal(t, "demo", list[0].Name)
			require.Equal(t, "go-test 1", list[0].Client)
			require.Equal(t, calls, list[0].Turns)
			require.NoError(t, r.server.Stop(t.Context(), list[0].ID))
			require.Empty(t, r.server.Sessions())
		})
	}
}

// checkWire holds the payloads of turns against the results that crossed the pipe.
func (r *rig) checkWire(t *testing.T, name string) {
	t.Helper()
	var results [][]byte
	for line := range bytes.Lines(r.wire.bytes()) {
		var m struct {
			Result json.RawMessage `json:"result"`
		}
		require.NoError(t, json.Unmarshal(line, &m), "%s", line)
		if bytes.HasPrefix(m.Result, []byte(`{"content":`)) {
			results = append(results, m.Result)
		}
	}
	turns := r.turns(name)
	require.Len(t, turns, len(results))
	for i, rec := range turns {
		p := rec.Payloads[len(rec.Payloads)-1]
		require.Equal(t, "mcp", p.Dialect)
		require.True(t, p.Wire)
		require.Equal(t, string(results[i]), string(p.Bytes), "turn %d", i+1)
		require.Equal(t, string(results[i]), string(rec.Answer), "turn %d", i+1)
	}
}
