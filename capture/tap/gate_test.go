package tap_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/tap"
)

// How an upstream of the gate answers.
var gateKinds = []string{"plain", "early", "stream", "early stream", "chunked", "refuses", "closes", "breaks off", "hangs up"}

// gateUpstream answers as the header X-Kind says, with as many bytes as X-Size, from the seed X-Seed.
func gateUpstream(w http.ResponseWriter, r *http.Request) {
	kind := r.Header.Get("X-Kind")
	size, _ := strconv.Atoi(r.Header.Get("X-Size"))
	answer := bytes.Repeat([]byte(`{"choices":[{"index":0,"delta":{"content":"`+r.Header.Get("X-Seed")+`"}}]}`), 1+size/50)
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex()
	if !strings.HasPrefix(kind, "early") {
		_, _ = io.Copy(io.Discard, r.Body)
	} else {
		_, _ = io.CopyN(io.Discard, r.Body, 1000)
		defer func() { _, _ = io.Copy(io.Discard, r.Body) }()
	}
	switch kind {
	case "stream", "early stream":
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 1 + size%9 {
			fmt.Fprintf(w, "data: {\"at\":%d,\"x\":%q}\n\n", i, answer[:min(len(answer), 100)])
			_ = control.Flush()
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	case "chunked":
		for len(answer) > 0 {
			n := min(len(answer), 7000)
			_, _ = w.Write(answer[:n])
			_ = control.Flush()
			answer = answer[n:]
		}
	case "refuses":
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write(answer)
	case "breaks off", "hangs up":
		c, _, err := control.Hijack()
		if err != nil {
			return
		}
		if kind == "breaks off" {
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(answer)+10)
			_, _ = c.Write(answer)
		}
		_ = c.Close()
	default:
		if kind == "closes" {
			w.Header().Set("Connection", "close")
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer)
	}
}

// gateAsk sends one request, and describes what its client sees of the answer.
func gateAsk(c *http.Client, base, kind string, seed uint64) string {
	rnd := rand.New(rand.NewPCG(seed, 1))
	sizes := []int{0, 300, 9_000, 70_000, 260_000, 900_000}
	body := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("é", rnd.IntN(1+sizes[rnd.IntN(len(sizes))])/2) + `"}]}`
	r, err := http.NewRequest(http.MethodPost, base+"/v1/chat/completions", io.NopCloser(strings.NewReader(body)))
	if err != nil {
		return err.Error()
	}
	if rnd.IntN(2) == 0 {
		r.ContentLength = int64(len(body))
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Kind", kind)
	r.Header.Set("X-Seed", fmt.Sprint(seed))
	r.Header.Set("X-Size", fmt.Sprint(rnd.IntN(1+sizes[rnd.IntN(len(sizes))])))
	resp, err := c.Do(r)
	if err != nil {
		return "no answer"
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if resp.Header.Get("X-Refscope-Tap") != "" { // the tap tells that there is none
		return "no answer"
	}
	sum := sha256.Sum256(got)
	out := fmt.Sprintf("status %d, %s, %d bytes %x, length %d, retry %q", resp.StatusCode, resp.Header.Get("Content-Type"), len(got),
		sum[:6], resp.ContentLength, resp.Header.Get("Retry-After"))
	if err != nil {
		out += ", broken off"
	}
	return out
}

// A client sees the same through the tap as without it: bodies of all sizes, answers that begin early, streams, refusals,
// connections that are closed, broken off and closed while they are idle. REFSCOPE_SLOW=1 asks 20,000 times, else 90.
func TestGate(t *testing.T) {
	n := 90
	if os.Getenv("REFSCOPE_SLOW") != "" {
		n = 20_000
	}
	upstream := httptest.NewUnstartedServer(http.HandlerFunc(gateUpstream))
	upstream.Config.IdleTimeout = 5 * time.Millisecond // connections that the tap keeps are closed under it
	upstream.Start()
	defer upstream.Close()
	b := newBenchAt(t, tap.Options{}, upstream.URL)
	var differ, asked atomic.Int64
	var first sync.Map
	var work sync.WaitGroup
	for w := range 4 {
		work.Go(func() {
			through, direct := &http.Client{Transport: &http.Transport{}}, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			for i := w; i < n; i += 4 {
				select {
				case <-b.done: // a turn that was recorded
				default:
				}
				kind := gateKinds[i%len(gateKinds)]
				want := gateAsk(direct, upstream.URL, kind, uint64(i))
				got := gateAsk(through, b.url+"/openai", kind, uint64(i))
				asked.Add(1)
				if got != want {
					differ.Add(1)
					first.LoadOrStore(kind, fmt.Sprintf("request %d: %s\nthrough the tap: %s\ndirect:          %s", i, kind, got, want))
				}
			}
		})
	}
	work.Wait()
	first.Range(func(_, what any) bool { t.Error(what); return true })
	t.Logf("%d requests, %d differ", asked.Load(), differ.Load())
	require.Zero(t, differ.Load())
}
