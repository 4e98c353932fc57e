package tap_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// bench is a tap between a client and a vendor that the test plays.
type bench struct {
	url   string // of the tap, without a name of an upstream
	store *turn.Store
	dir   string
	done  chan recorded
	tap   *tap.Tap
}

type recorded struct {
	n int
	e tap.Exchange
}

func newBench(t *testing.T, o tap.Options, vendor http.Handler) *bench {
	t.Helper()
	up := httptest.NewServer(vendor)
	t.Cleanup(up.Close)
	return newBenchAt(t, o, up.URL)
}

// newBenchAt is a tap before the vendors at an address.
func newBenchAt(t *testing.T, o tap.Options, at string) *bench {
	t.Helper()
	b := &bench{dir: filepath.Join(t.TempDir(), "session"), done: make(chan recorded, 4096)}
	var err error
	b.store, err = turn.OpenOrCreate(t.Context(), turn.Dir(b.dir), "test")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.store.Close()) })
	for _, name := range []string{"openai", "anthropic", "gemini", "local"} {
		u, err := tap.ParseUpstream(name + "=" + at)
		require.NoError(t, err)
		o.Upstreams = append(o.Upstreams, u)
	}
	o.Store, o.Token = b.store, "word"
	o.Recorded = func(n int, e *tap.Exchange) { b.done <- recorded{n, *e} }
	proxy, err := tap.New(o)
	require.NoError(t, err)
	srv := httptest.NewServer(proxy.Handler())
	t.Cleanup(func() {
		srv.Close()
		end, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		require.NoError(t, proxy.Close(end))
	})
	b.url, b.tap = srv.URL+"/word", proxy
	return b
}

// next is the next turn that was recorded.
func (b *bench) next(t *testing.T) (recorded, *turn.Record) {
	t.Helper()
	select {
	case r := <-b.done:
		rec, err := b.store.Load(t.Context(), r.n)
		require.NoError(t, err)
		return r, rec
	case <-time.After(3 * time.Minute): // a disk that others use
		t.Fatal("nothing was recorded")
		return recorded{}, nil
	}
}

const chatRequest = `{"model":"gpt-x","messages":[{"role":"system","content":"You act."},{"role":"user","content":"Buy tea"}]}`

const chatAnswer = `{"id":"c1","model":"gpt-x-1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Done"}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8}}}`

// What comes is what goes on, in both directions, whatever it is; only Host and hop-by-hop
// headers differ.
func TestForwardsByteForByte(t *testing.T) {
	type got struct {
		body   []byte
		header http.Header
		uri    string
	}
	seen := make(chan got, 1)
	answers := make(chan []byte, 1)
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		seen <- got{body, r.Header.Clone(), r.RequestURI}
		answer := <-answers
		w.Header().Set("X-Request-Id", "r 1")
		if len(body)%2 == 0 {
			w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
		}
		w.WriteHeader(200 + len(body)%3)
		_, _ = w.Write(answer)
	}))
	random := rand.New(rand.NewPCG(1, 2))
	bodies := 300
	if os.Getenv("REFSCOPE_SLOW") != "" {
		bodies = 1000
	}
	for i := range bodies {
		request, answer := randomBytes(random, i), randomBytes(random, 3*i)
		answers <- answer
		path := []string{"/openai/v1/chat/completions", "/anthropic/v1/messages", "/gemini/v1beta/models/g:generateContent?key=abc;x",
			"/compat/local/api/a%2Fb%20c?q=%zz", "/openai/v1/models"}[i%5]
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+path, bytes.NewReader(request))
		require.NoError(t, err)
		if i%2 == 0 {
			req.ContentLength = -1 // chunked
		}
		req.Header.Set("X-Forwarded-For", "10.1.2.3")
		req.Header.Set("Accept-Encoding", "br")
		req.Header.Set("User-Agent", "agent/1")
		resp, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		back, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		s := <-seen
		require.Equal(t, sha256.Sum256(request), sha256.Sum256(s.body), path)
		require.Equal(t, sha256.Sum256(answer), sha256.Sum256(back), path)
		_, rest, _ := strings.Cut(path, "/openai")
		if rest == "" {
			_, rest, _ = strings.Cut(strings.Replace(path, "/compat/local", "/x", 1)[1:], "/")
			rest = "/" + rest
		}
		require.Equal(t, rest, s.uri)
		require.Equal(t, "10.1.2.3", s.header.Get("X-Forwarded-For"))
		require.Equal(t, "br", s.header.Get("Accept-Encoding"))
		require.Equal(t, "agent/1", s.header.Get("User-Agent"))
		require.Equal(t, "r 1", resp.Header.Get("X-Request-Id"))
		require.Equal(t, 200+len(request)%3, resp.StatusCode)
	}
}

func randomBytes(r *rand.Rand, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	return out
}

// The turn of a request holds the bytes, the exchange, and is on the disk before the agent has
// the last byte.
func TestRecordsTheExchange(t *testing.T) {
	var fail bool
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if fail {
			w.Header().Set("Retry-After", "7")
			http.Error(w, `{"error":{"message":"slow down"}}`, http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, chatAnswer)
	}))
	resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json", strings.NewReader(chatRequest))
	require.NoError(t, err)
	_, err = io.ReadAll(resp.Body)
	require.NoError(t, err)
	sum, _, err := b.store.List(t.Context())
	require.NoError(t, err)
	require.Len(t, sum, 1, "it is there as soon as the agent has the answer")
	got, rec := b.next(t)
	require.Equal(t, "ask openai gpt-x: Done", rec.Action)
	require.Len(t, rec.Payloads, 2)
	require.Equal(t, chatRequest, string(rec.Payloads[0].Bytes))
	require.Equal(t, turn.Request, rec.Payloads[0].Way)
	require.True(t, rec.Payloads[0].Wire)
	require.Equal(t, chatAnswer, string(rec.Payloads[1].Bytes))
	require.Equal(t, []string{"no page is paired with the request: no browser is watched, or it shows no page"}, rec.Lacks)
	var e tap.Exchange
	require.NoError(t, json.Unmarshal(rec.Exchange, &e))
	require.Equal(t, got.e, e)
	require.Equal(t, "Done", e.Answer.Text)
	require.Equal(t, 12, e.Answer.Usage.Input)
	require.Equal(t, 8, e.Answer.Usage.CacheRead)
	require.Greater(t, e.FirstByte, 0.0)
	require.GreaterOrEqual(t, e.Ended, e.FirstByte)

	fail = true
	resp, err = http.Post(b.url+"/openai/v1/chat/completions", "application/json", strings.NewReader(chatRequest))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	got, rec = b.next(t)
	require.Equal(t, "ask openai gpt-x: status 429", rec.Action)
	require.Equal(t, 429, got.e.Status)
	require.Equal(t, "7", got.e.RetryAfter)
	require.Equal(t, "slow down", got.e.Answer.Error)
}

// Events reach the agent as they come, and the record has them whole.
func TestStreams(t *testing.T) {
	next := make(chan string)
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for event := range next {
			_, _ = io.WriteString(w, event)
			w.(http.Flusher).Flush()
		}
	}))
	events := []string{
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"model\":\"claude-x\",\"content\":[],\"usage\":{\"input_tokens\":5,\"cache_read_input_tokens\":90}}}\n\n",
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"click\"}}\n\n",
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"ref\\\":\"}}\n\n",
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"12}\"}}\n\n",
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":7}}\n\n",
	}
	answer := make(chan *http.Response, 1)
	var work sync.WaitGroup
	work.Go(func() {
		resp, err := http.Post(b.url+"/anthropic/v1/messages", "application/json",
			strings.NewReader(`{"model":"claude-x","stream":true,"messages":[{"role":"user","content":"go"}]}`))
		if err == nil {
			answer <- resp
		}
	})
	next <- events[0]
	resp := <-answer
	work.Wait()
	for i, event := range events {
		if i > 0 {
			next <- event
		}
		buf := make([]byte, len(event)) // it is here before the next one is sent
		_, err := io.ReadFull(resp.Body, buf)
		require.NoError(t, err)
		require.Equal(t, event, string(buf))
	}
	close(next)
	rest, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Empty(t, rest)
	got, rec := b.next(t)
	require.Equal(t, strings.Join(events, ""), string(rec.Payloads[1].Bytes))
	require.True(t, got.e.Stream)
	require.Len(t, got.e.Answer.Calls, 1)
	require.JSONEq(t, `{"ref":12}`, string(got.e.Answer.Calls[0].Arguments))
	require.Equal(t, `ask anthropic claude-x: click {"ref":12}`, rec.Action)
	require.Equal(t, "tool_use", got.e.Answer.Finish)
	require.Equal(t, 95, got.e.Answer.Usage.Input)
	require.Equal(t, 7, got.e.Answer.Usage.Output)
}

// Encodings are taken off in the record, and nowhere else.
func TestEncodings(t *testing.T) {
	encode := map[string]func(io.Writer) io.WriteCloser{
		"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"br":   func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
		"zstd": func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w)
			if err != nil {
				panic(err)
			}
			return z
		},
		"odd": nil,
	}
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Header.Get("Accept-Encoding")
		w.Header().Set("Content-Encoding", name)
		_, _ = io.Copy(w, r.Body) // the request, which is encoded in the same way
	}))
	for name, writer := range encode {
		t.Run(name, func(t *testing.T) {
			var body bytes.Buffer
			if writer == nil {
				body.WriteString(chatAnswer)
			} else {
				w := writer(&body)
				_, err := io.WriteString(w, chatAnswer)
				require.NoError(t, err)
				require.NoError(t, w.Close())
			}
			raw := bytes.Clone(body.Bytes())
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/compat/local/v1/chat/completions", &body)
			require.NoError(t, err)
			req.Header.Set("Accept-Encoding", name)
			req.Header.Set("Content-Encoding", name)
			resp, err := http.DefaultTransport.RoundTrip(req)
			require.NoError(t, err)
			back, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, raw, back)
			got, rec := b.next(t)
			require.Equal(t, int64(len(raw)), got.e.AnswerBytes)
			require.Equal(t, chatAnswer, string(rec.Payloads[0].Bytes))
			require.Equal(t, chatAnswer, string(rec.Payloads[1].Bytes))
			if writer == nil {
				require.Contains(t, strings.Join(rec.Lacks, "\n"), "the encoding odd, which could not be read")
			}
		})
	}
}

// What breaks off on either side is recorded as far as it came.
func TestBrokenOff(t *testing.T) {
	reached := make(chan struct{}, 1)
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\n")
		w.(http.Flusher).Flush()
		if r.Header.Get("X-Who") == "vendor" {
			panic(http.ErrAbortHandler)
		}
		reached <- struct{}{}
		<-r.Context().Done()
	}))
	post := func(ctx context.Context, who string) (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url+"/openai/v1/chat/completions", strings.NewReader(chatRequest))
		require.NoError(t, err)
		req.Header.Set("X-Who", who)
		return http.DefaultTransport.RoundTrip(req)
	}
	resp, err := post(t.Context(), "vendor")
	require.NoError(t, err)
	_, err = io.ReadAll(resp.Body)
	require.Error(t, err, "the agent learns of it")
	got, rec := b.next(t)
	require.Contains(t, got.e.Error, "broken off")
	require.Equal(t, "Hel", got.e.Answer.Text)
	require.Len(t, rec.Payloads, 2)

	ctx, cancel := context.WithCancel(t.Context())
	resp, err = post(ctx, "agent")
	require.NoError(t, err)
	<-reached
	cancel()
	_, _ = io.ReadAll(resp.Body)
	got, _ = b.next(t)
	require.Contains(t, got.e.Error, "the agent broke off")
	require.Equal(t, "Hel", got.e.Answer.Text)
}

// An upstream that is not there is a 502 to the agent, and a turn.
func TestUpstreamNotThere(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	u, err := tap.ParseUpstream("dead=" + gone.URL)
	require.NoError(t, err)
	gone.Close()
	b := newBench(t, tap.Options{Upstreams: []tap.Upstream{u}}, http.NotFoundHandler())
	resp, err := http.Post(b.url+"/compat/dead/v1/responses?key=sk-0123456789abcdef", "application/json", strings.NewReader(`{"model":"m","input":"hi"}`))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusBadGateway, resp.StatusCode)
	got, rec := b.next(t)
	require.Contains(t, got.e.Error, "could not be reached")
	require.NotContains(t, got.e.URL, "0123456789")
	require.Equal(t, "m", got.e.Model)
	require.Len(t, rec.Payloads, 1)
	require.Equal(t, `{"model":"m","input":"hi"}`, string(rec.Payloads[0].Bytes), "what was asked is not lost")
	for _, path := range []string{"/openai/v1/models", "/other/v1/chat/completions"} { // without the token, and unknown
		resp, err := http.Get(strings.TrimSuffix(b.url, "/word") + path)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusNotFound, resp.StatusCode)
	}
}

// No credential reaches the disk, wherever it stands: in headers, the address, a cookie, or in
// the body because an agent or a vendor repeats it.
func TestNoCredentialIsKept(t *testing.T) {
	var all []string
	secret := func(n int) string {
		s := fmt.Sprintf("zq%dX%08x", n, n*2654435761)
		all = append(all, s)
		return s
	}
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Set-Cookie", "sid="+r.Header.Get("X-Answer-Cookie")+"; Path=/")
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key")
		fmt.Fprintf(w, `{"error":{"message":"wrong key %s for %s"},"echo":%q}`, key, r.URL.Query().Get("key"), body)
	}))
	paths := []string{"/openai/v1/chat/completions", "/openai/v1/responses", "/anthropic/v1/messages", "/gemini/v1beta/models/g:generateContent"}
	headers := []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key", "Cookie", "Proxy-Authorization", "X-Auth-Token", "X-Answer-Cookie"}
	for i := range 40 {
		s := secret(i)
		path, value := paths[i%4], s
		header := headers[i%len(headers)]
		switch header {
		case "Authorization", "Proxy-Authorization":
			value = "Bearer " + s
		case "Cookie":
			value = "a=1; session=" + s
		}
		if i%10 == 9 {
			path, header = path+"?key="+s, ""
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+path,
			strings.NewReader(fmt.Sprintf(`{"model":"m","input":"my key is %s, ok?","messages":[{"role":"user","content":"%s"}]}`, s, s)))
		require.NoError(t, err)
		if header != "" {
			req.Header.Set(header, value)
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		got, rec := b.next(t)
		raw, err := json.Marshal([]any{got.e.URL, rec})
		require.NoError(t, err)
		require.NotContains(t, string(raw), s, "%s %s", path, header)
		for _, p := range rec.Payloads {
			require.NotContains(t, string(p.Bytes), s, "%s %s", path, header)
		}
	}
	files := 0
	require.NoError(t, filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		for _, s := range all {
			require.NotContains(t, string(data), s, path)
		}
		return err
	}))
	require.Greater(t, files, 40)
}

// A WebSocket goes through as it is, both ways, and is no turn.
func TestWebSocketGoesThrough(t *testing.T) {
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "websocket" || r.Header.Get("Sec-WebSocket-Protocol") != "realtime" {
			http.Error(w, "no upgrade", http.StatusBadRequest)
			return
		}
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Accept: x\r\n\r\n")
		_, _ = io.Copy(conn, rw) // what comes goes back
	}))
	address, err := url.Parse(b.url)
	require.NoError(t, err)
	conn, err := net.Dial("tcp", address.Host)
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "GET %s/openai/v1/realtime?model=m HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: realtime\r\n\r\n",
		address.Path)
	require.NoError(t, err)
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusSwitchingProtocols, resp.StatusCode)
	require.Equal(t, "x", resp.Header.Get("Sec-WebSocket-Accept"))
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 50 {
		frame := randomBytes(random, 1+i*i*7)
		_, err := conn.Write(frame)
		require.NoError(t, err)
		back := make([]byte, len(frame)) // it is here before the next one is sent
		_, err = io.ReadFull(in, back)
		require.NoError(t, err)
		require.Equal(t, frame, back)
	}
	list, _, err := b.store.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, list)
}

// For a minute 200 streams at a time lose nothing, and the memory stays bounded. A small part runs
// always: each stream once.
func TestStreamsForAMinute(t *testing.T) {
	testneed.Long(t, "long streams")
	const streams, events = 200, 60
	lasts := 0 * time.Second
	if os.Getenv("REFSCOPE_SLOW") != "" {
		lasts = time.Minute
	}
	padding := strings.Repeat("x", 1000)
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range events {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%d%s \"}}]}\n\n", i, padding)
			w.(http.Flusher).Flush()
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}))
	end := time.Now().Add(lasts)
	errs := make(chan error, streams)
	var asked atomic.Int64
	for range streams {
		go func() { // ends with its error
			for {
				asked.Add(1)
				resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json", strings.NewReader(chatRequest))
				if err != nil {
					errs <- err
					return
				}
				n := 0
				scanner := bufio.NewScanner(resp.Body)
				for scanner.Scan() {
					if strings.HasPrefix(scanner.Text(), "data:") {
						n++
					}
				}
				_ = resp.Body.Close() // it was read to its end
				if n != events+1 {
					errs <- fmt.Errorf("%d events of %d: %w", n, events+1, scanner.Err())
					return
				}
				if !time.Now().Before(end) {
					errs <- nil
					return
				}
			}
		}()
	}
	seen, most := map[int]bool{}, uint64(0)
	take := func(r recorded) {
		require.False(t, seen[r.n])
		seen[r.n] = true
		require.Equal(t, events*(len(padding)+1)+110, len(r.e.Answer.Text))
		if len(seen)%100 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
	}
	for ended := 0; ended < streams; {
		select {
		case err := <-errs:
			require.NoError(t, err)
			ended++
		case r := <-b.done:
			take(r)
		}
	}
	for int64(len(seen)) < asked.Load() {
		r, _ := b.next(t)
		take(r)
	}
	t.Logf("%d streams, heap at most %d MB", len(seen), most>>20)
	require.Less(t, most, uint64(400<<20), "bytes of heap")
}

// What asks a model in a protocol that is not known goes on as it is, and the log says, once for each host, that it is
// not recorded; a list of models is no matter.
func TestProtocolsThatAreNotKnown(t *testing.T) {
	var said bytes.Buffer
	b := newBench(t, tap.Options{Log: slog.New(slog.NewTextHandler(&said, nil))},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }))
	require.False(t, b.tap.Passed())
	paths := []string{"/api/tags", "/v1/embeddings", "/api/generate", "/api/generate", "/v1beta/conversations"}
	for _, path := range paths {
		resp, err := http.Post(b.url+"/compat/local"+path, "application/json", strings.NewReader(chatRequest))
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, chatRequest, string(got))
	}
	require.Equal(t, 1, strings.Count(said.String(), "not recorded"), said.String())
	require.Empty(t, b.done)
	require.True(t, b.tap.Passed(), "requests came through")
	for i, path := range paths {
		require.Equal(t, i > 1, wire.AsksOtherwise(path), path)
	}
}

// Ollama's own protocol is recorded: an answer in lines of JSON.
func TestOllama(t *testing.T) {
	const lines = `{"model":"qwen3","message":{"role":"assistant","content":"Go"},"done":false}` + "\n" +
		`{"model":"qwen3","message":{"role":"assistant","content":"od"},"done":true,"done_reason":"stop","eval_count":2}` + "\n"
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, lines)
	}))
	resp, err := http.Post(b.url+"/compat/local/api/chat", "application/json", strings.NewReader(chatRequest))
	require.NoError(t, err)
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, lines, string(got))
	r, rec := b.next(t)
	require.Equal(t, wire.Answer{Dialect: wire.Ollama, Model: "qwen3", Text: "Good", Finish: "stop", Usage: wire.Usage{Output: 2}}, *r.e.Answer)
	require.True(t, r.e.Stream)
	require.Len(t, rec.Payloads, 2)
}

// A client that begins with HTTP/2, as the AWS SDK does, has the same as one that does not: a stream event by event, a
// refusal, and a stream that breaks off.
func TestHTTP2WithoutTLS(t *testing.T) {
	go2 := make(chan struct{})
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch r.Header.Get("X-Kind") {
		case "refuses":
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, "slow down")
			return
		case "breaks off":
			_, _ = io.WriteString(w, "data: 1\n\n")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		<-go2 // the first event is there before the second is made
		_, _ = io.WriteString(w, "data: 2\n\n")
	}))
	srv, err := b.tap.Serve(t.Context(), "127.0.0.1:0", func(err error) { t.Error(err) })
	require.NoError(t, err)
	t.Cleanup(func() { srv.Close(context.Background()) })
	speaks := new(http.Protocols)
	speaks.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{Protocols: speaks}}
	ask := func(kind string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+srv.Addr+"/word/openai/v1/chat/completions",
			strings.NewReader(chatRequest))
		require.NoError(t, err)
		req.Header.Set("X-Kind", kind)
		resp, err := client.Do(req)
		require.NoError(t, err)
		require.Equal(t, 2, resp.ProtoMajor)
		return resp
	}
	resp := ask("streams")
	first := make([]byte, len("data: 1\n\n"))
	_, err = io.ReadFull(resp.Body, first)
	require.NoError(t, err)
	close(go2)
	rest, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "data: 1\n\ndata: 2\n\n", string(first)+string(rest))
	got, _ := b.next(t)
	require.Equal(t, int64(len(chatRequest)), got.e.RequestBytes)

	resp = ask("refuses")
	said, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "429 7 slow down", fmt.Sprint(resp.StatusCode, " ", resp.Header.Get("Retry-After"), " ", string(said)))
	_, _ = b.next(t)

	resp = ask("breaks off")
	said, err = io.ReadAll(resp.Body)
	require.Error(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "data: 1\n\n", string(said))
	got, _ = b.next(t)
	require.Contains(t, got.e.Error, "broken off")
}

// Bedrock's frames go on as they came, and are kept as the events that are in them; the model stands in the address.
func TestBedrock(t *testing.T) {
	var body []byte
	for _, event := range [][2]string{{"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"Good"}}`},
		{"messageStop", `{"stopReason":"end_turn"}`}} {
		headers := append([]byte("\x0b:event-type\x07\x00"), byte(len(event[0])))
		headers = append(headers, event[0]...)
		frame := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(event[1])))
		frame = binary.BigEndian.AppendUint32(frame, uint32(len(headers)))
		frame = binary.BigEndian.AppendUint32(frame, crc32.ChecksumIEEE(frame))
		frame = append(append(frame, headers...), event[1]...)
		body = append(body, binary.BigEndian.AppendUint32(frame, crc32.ChecksumIEEE(frame))...)
	}
	sent := body
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", wire.EventStream)
		_, _ = w.Write(sent)
	}))
	ask := func() (recorded, *turn.Record) {
		resp, err := http.Post(b.url+"/compat/local/model/claude%3A0/converse-stream", "application/json",
			strings.NewReader(`{"messages":[{"role":"user","content":[{"text":"Go on"}]}]}`))
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, sent, got)
		return b.next(t)
	}
	r, rec := ask()
	require.Equal(t, wire.Answer{Dialect: wire.Bedrock, Text: "Good", Finish: "end_turn"}, *r.e.Answer)
	require.Equal(t, "claude:0", r.e.Model)
	require.Equal(t, int64(len(body)), r.e.AnswerBytes)
	require.Equal(t, "event: contentBlockDelta\ndata: {\"contentBlockIndex\":0,\"delta\":{\"text\":\"Good\"}}\n\n"+
		"event: messageStop\ndata: {\"stopReason\":\"end_turn\"}\n\n", string(rec.Payloads[1].Bytes))
	sent = body[:len(body)-3]
	r, rec = ask()
	require.Equal(t, "Good", r.e.Answer.Text)
	require.Empty(t, r.e.Answer.Finish)
	require.Contains(t, strings.Join(rec.Lacks, "\n"), "cut off")
}
