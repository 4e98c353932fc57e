package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/text"
)

// observer looks on while one request of streamable HTTP and its answer pass: a body is a document of JSON-RPC, an
// answer is one too, or a stream of events whose data are.
type observer struct {
	r       *Recorder
	session string // of the client, as the server named it
	length  int64  // of the request's body, -1 where that is not known

	mu       sync.Mutex
	asked    lines
	calls    []json.RawMessage // ids of the requests in the body
	told     bool              // the body was given to the recorder
	status   int
	events   bool
	encoding string
	answer   lines
	data     []byte // of the event under way
	failed   string
}

// Observe looks on at a request that is forwarded.
func (r *Recorder) Observe(req *http.Request) tap.Observer {
	r.withhold(exchange.Credentials(req.Header, req.URL.Query()))
	return &observer{r: r, session: req.Header.Get("Mcp-Session-Id"), length: req.ContentLength}
}

// Request implements [tap.Observer].
func (o *observer) Request(body io.ReadCloser) io.ReadCloser {
	return &looked{ReadCloser: body, take: func(p []byte, err error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.asked.add(bytes.ReplaceAll(p, []byte("\n"), []byte(" ")), nil) // one document, however it is laid out
		if err != nil || o.length >= 0 && int64(o.asked.size) >= o.length {
			o.tell()
		}
	}}
}

// tell gives the body to the recorder, once.
func (o *observer) tell() {
	if o.told || o.asked.size == 0 {
		return
	}
	o.told = true
	for _, m := range messages(o.asked.line) {
		if m.Method != "" && len(m.ID) > 0 {
			o.calls = append(o.calls, m.ID)
		}
	}
	o.r.Client(o.session, o.asked.line, o.asked.tail, o.asked.size)
}

// Answered implements [tap.Observer].
func (o *observer) Answered(resp *http.Response) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tell()
	o.r.withhold(exchange.Credentials(resp.Header, nil))
	o.status, o.encoding = resp.StatusCode, strings.TrimSpace(resp.Header.Get("Content-Encoding"))
	o.events = strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")
	resp.Body = &looked{ReadCloser: resp.Body, take: func(p []byte, err error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.events && o.encoding == "" {
			o.answer.add(p, o.event)
			return
		}
		o.data = append(o.data, p[:min(len(p), max(maxMessage-len(o.data), 0))]...)
	}}
}

// event takes one line of a stream of events (WHATWG, server-sent events).
func (o *observer) event(line, _ []byte, _ int) {
	line = bytes.TrimRight(line, "\r")
	if string(line) == "event: endpoint" { // of the transport of 2024: calls go to the address that the server names
		o.r.o.Log.Warn("the server speaks HTTP+SSE, the transport before streamable HTTP: calls of its client do "+
			"not pass the tap; name the server's address of streamable HTTP", "server", o.r.o.Server)
	}
	if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		o.data = append(append(o.data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		if json.Valid(o.data) { // the empty line behind it may be long in coming
			o.r.Server(o.session, o.data, nil, len(o.data))
			o.data = nil
		}
	}
}

// Failed implements [tap.Observer].
func (o *observer) Failed(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tell()
	var wrapped interface{ Unwrap() error }
	for errors.As(err, &wrapped) && wrapped.Unwrap() != nil { // what is around it may name the address
		err = wrapped.Unwrap()
	}
	o.failed = "the server could not be reached: " + text.Start(text.Line(err.Error()), 300)
}

// Complete implements [tap.Observer].
func (o *observer) Complete() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tell()
	body := o.data
	if o.encoding != "" && o.encoding != "identity" {
		if plain, err := tap.Decode(strings.ToLower(o.encoding), body); len(plain) > 0 || err == nil {
			body = plain
		}
	}
	switch {
	case o.events && o.encoding != "":
		o.data = nil
		o.answer.add(body, o.event)
	case !o.events && len(bytes.TrimSpace(body)) > 0 && o.status < 400:
		o.r.Server(o.session, body, nil, len(body))
	}
	for _, id := range o.calls {
		switch {
		case o.failed != "":
			o.r.fail(o.session, id, o.failed)
		case o.status >= 400:
			o.r.fail(o.session, id, fmt.Sprintf("the server answered with status %d %s", o.status,
				http.StatusText(o.status)))
		case !o.events: // one that broke off is continued over another request
			o.r.fail(o.session, id, "the answer to the call is not in it")
		}
	}
}

// looked is a body that is looked at while it is read.
type looked struct {
	io.ReadCloser
	take func(p []byte, err error)
}

func (l *looked) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	l.take(p[:n], err)
	return n, err
}
