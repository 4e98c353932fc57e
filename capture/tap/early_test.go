package tap_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/wire"
)

// A vendor that begins its answer before it has read the request has the whole request, and the agent the
// whole answer.
func TestAnswersBeforeTheRequestIsRead(t *testing.T) {
	const piece = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n"
	read := make(chan int64, 1)
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		_ = c.EnableFullDuplex()
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, piece)
		_ = c.Flush()
		n, _ := io.Copy(io.Discard, r.Body)
		read <- n
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}))
	for _, size := range []int{0, 60_000, 260_000, 3_000_000} {
		body := append([]byte(chatRequest), bytes.Repeat([]byte(" "), size)...)
		rest, send := io.Pipe()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/openai/v1/chat/completions",
			io.MultiReader(bytes.NewReader(body[:len(body)/2]), rest))
		require.NoError(t, err)
		req.ContentLength = int64(len(body))
		resp, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		_, err = io.ReadFull(resp.Body, make([]byte, len(piece))) // the answer is here, half of the request is not sent
		require.NoError(t, err)
		_, err = send.Write(body[len(body)/2:])
		require.NoError(t, err)
		require.NoError(t, send.Close())
		require.Equal(t, int64(len(body)), <-read, "size %d", size)
		end, err := io.ReadAll(resp.Body)
		require.NoError(t, err, "size %d", size)
		require.Equal(t, "data: [DONE]\n\n", string(end))
		require.NoError(t, resp.Body.Close())
		got, rec := b.next(t)
		require.Empty(t, got.e.Error)
		require.Equal(t, int64(len(body)), got.e.RequestBytes)
		require.Len(t, rec.Payloads, 2)
	}
}

// An agent that is still sending a long request when the whole answer is there can send the rest, and its connection
// serves the next request.
func TestAnswersThatEndBeforeTheRequestIsRead(t *testing.T) {
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		_, _ = io.CopyN(io.Discard, r.Body, 1000)
		w.Header().Set("Content-Length", fmt.Sprint(len(chatAnswer)))
		_, _ = io.WriteString(w, chatAnswer)
		_ = http.NewResponseController(w).Flush()
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	at, err := url.Parse(b.url)
	require.NoError(t, err)
	agent, err := net.Dial("tcp", at.Host)
	require.NoError(t, err)
	defer agent.Close()
	answers := bufio.NewReader(agent)
	for _, size := range []int{0, 60_000, 700_000, 3_000_000, 0} {
		body := chatRequest + strings.Repeat(" ", size)
		_, err := fmt.Fprintf(agent, "POST %s/openai/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"+
			"Content-Length: %d\r\n\r\n%s", at.Path, len(body), body[:len(body)/5])
		require.NoError(t, err)
		if size == 0 { // the vendor reads 1000 bytes, or all
			_, err = io.WriteString(agent, body[len(body)/5:])
			require.NoError(t, err)
		}
		resp, err := http.ReadResponse(answers, nil)
		require.NoError(t, err, "size %d", size)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err, "size %d", size)
		require.Equal(t, chatAnswer, string(got))
		if size > 0 {
			_, err = io.WriteString(agent, body[len(body)/5:])
			require.NoError(t, err, "size %d", size)
		}
		b.next(t)
	}
}

// An agent that asks for leave to send has the whole refusal, without sending.
func TestRefusesWhatIsNotSent(t *testing.T) {
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		_ = http.NewResponseController(w).Flush() // of an unknown length
		_, _ = io.WriteString(w, "too large")
	}))
	at, err := url.Parse(b.url)
	require.NoError(t, err)
	agent, err := net.Dial("tcp", at.Host)
	require.NoError(t, err)
	defer agent.Close()
	require.NoError(t, agent.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = fmt.Fprintf(agent, "POST %s/openai/v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"+
		"Expect: 100-continue\r\nContent-Length: 3000000\r\n\r\n", at.Path)
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(agent), nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestEntityTooLarge, resp.StatusCode)
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, "too large", string(got))
}

// An upstream that is not there is told in the vendor's own shape.
func TestUnreachedIsToldAsTheVendorWould(t *testing.T) {
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	for path, dialect := range map[string]string{"/openai/v1/chat/completions": wire.OpenAIChat,
		"/anthropic/v1/messages": wire.Anthropic, "/gemini/v1beta/models/g:generateContent": wire.Gemini} {
		resp, err := http.Post(b.url+path, "application/json", strings.NewReader(chatRequest))
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusBadGateway, resp.StatusCode)
		answer, err := wire.ReadAnswer(dialect, body)
		require.NoError(t, err)
		require.Contains(t, answer.Error, "the upstream could not be reached")
		b.next(t)
	}
}

// A connection that the vendor closed while nothing was asked costs no request: it is sent again, whole, and as it was: a
// vendor that is asked to close the connection may do so after its answer, with a part of the request unread, and the
// reset takes the answer with it.
func TestIdleConnectionClosed(t *testing.T) {
	var began sync.Map // connections that have served a request
	var closes atomic.Int64
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Close {
			closes.Add(1)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		if _, second := began.LoadOrStore(r.RemoteAddr, true); second {
			panic(http.ErrAbortHandler) // as one that was closed when the request was on its way
		}
		_, _ = fmt.Fprint(w, len(body))
	}))
	for _, size := range []int{0, 100, 260_000, 0, 3_000_000} {
		body := chatRequest + strings.Repeat(" ", size)
		resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json", strings.NewReader(body))
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode, "size %d: %s", size, got)
		require.Equal(t, fmt.Sprint(len(body)), string(got))
		r, rec := b.next(t)
		require.Equal(t, int64(len(body)), r.e.RequestBytes)
		require.Equal(t, body, string(rec.Payloads[0].Bytes))
	}
	require.Zero(t, closes.Load(), "requests that ask to close the connection")
}

// An answer has the headers that the vendor gave it, and no more.
func TestAddsNoHeaders(t *testing.T) {
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"], w.Header()["Date"] = nil, nil
		w.Header().Set("Content-Length", "2")
		_, _ = io.WriteString(w, "{}")
	}))
	resp, err := http.Get(b.url + "/openai/v1/models")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.Header{"Content-Length": {"2"}}, resp.Header)
}

// Only a loopback name reaches the tap: a page could point a name of its own at it.
func TestRefusesOtherHosts(t *testing.T) {
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for host, status := range map[string]int{"rebound.example:80": 403, "10.0.0.1": 403, "127.0.0.1.evil.example": 403,
		"localhost": 200, "127.0.0.1:1234": 200, "[::1]:80": 200} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/openai/v1/models", nil)
		require.NoError(t, err)
		req.Host = host
		resp, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, status, resp.StatusCode, host)
	}
}

// A vendor that refuses a long request and closes the connection while it is still coming has its answer told, as a
// client sees it that reads on where it can write no more.
func TestAnswersAndCloses(t *testing.T) {
	const refusal = `{"error":{"message":"too large"}}`
	vendor, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := vendor.Accept()
			if err != nil {
				return
			}
			_, _ = http.ReadRequest(bufio.NewReader(c)) // the headers
			_, _ = fmt.Fprintf(c, "HTTP/1.1 413 Too Large\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"+
				"Connection: close\r\n\r\n%s", len(refusal), refusal)
			_ = c.Close() // what was not read makes it a reset
		}
	})
	t.Cleanup(func() {
		require.NoError(t, vendor.Close())
		serving.Wait()
	})
	b := newBenchAt(t, tap.Options{}, "http://"+vendor.Addr().String())
	for i := range 30 {
		resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json",
			strings.NewReader(chatRequest+strings.Repeat(" ", 300_000*(i%10))))
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, refusal, string(got), "request %d", i)
		require.Equal(t, http.StatusRequestEntityTooLarge, resp.StatusCode)
		b.next(t)
	}
}
