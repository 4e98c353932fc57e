package tap

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"sync"
	"sync/atomic"

	"github.com/refscope/refscope/capture/loopback"
)

// resender sends a request once more, over a connection of its own, where an idle connection was taken for
// it that the upstream had closed: the agent, which knows nothing of that connection, is not to see it. That
// is so where no byte of an answer came back over a connection that had served others, as browsers decide it.
type resender struct {
	kept  *http.Transport // its connections are kept for the requests that follow
	fresh *http.Transport // each of its requests has a new one
}

// maxResend is up to how many bytes of a body are kept for it, bytes. A longer one is not sent twice.
const maxResend = 8 << 20

// RoundTrip implements [http.RoundTripper].
func (s *resender) RoundTrip(r *http.Request) (*http.Response, error) {
	var reused, answered atomic.Bool
	trace := &httptrace.ClientTrace{
		GotConn:              func(c httptrace.GotConnInfo) { reused.Store(c.Reused) },
		GotFirstResponseByte: func() { answered.Store(true) },
	}
	out := r.WithContext(httptrace.WithClientTrace(r.Context(), trace))
	var body *replay
	if r.Body != nil && r.Body != http.NoBody {
		body = &replay{from: r.Body}
		out.Body = body.first()
	}
	resp, err := s.kept.RoundTrip(out)
	if err == nil || !reused.Load() || answered.Load() || errors.Is(err, context.Canceled) || r.Context().Err() != nil {
		return resp, err
	}
	again := r.WithContext(r.Context())
	if body != nil {
		second, ok := body.second()
		if !ok {
			return nil, err
		}
		again.Body = second
	}
	return s.fresh.RoundTrip(again)
}

// replay is a body that can be read from its beginning a second time, while it is not longer than [maxResend].
type replay struct {
	from io.ReadCloser

	mu    sync.Mutex // is held while from is read: a first reader that is left behind takes no more
	seen  []byte
	long  bool // more than seen was read
	ended error
	left  bool // the first reader is left behind
}

// errLeft is what a reader gets that was left behind.
var errLeft = errors.New("the request is sent over another connection")

func (b *replay) first() io.ReadCloser { return &replayed{b: b} }

// second is the body from its beginning; false where what was read is no longer there.
func (b *replay) second() (io.ReadCloser, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left = true
	return &replayed{b: b, again: true}, !b.long && (b.ended == nil || errors.Is(b.ended, io.EOF))
}

// replayed is one reading of a body. Closing leaves the body open, which is the server's to close.
type replayed struct {
	b     *replay
	again bool
	at    int // bytes of seen that were read, of the second reading
}

// Read implements [io.Reader].
func (r *replayed) Read(p []byte) (int, error) {
	b := r.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if !r.again && b.left {
		return 0, errLeft
	}
	if r.again && r.at < len(b.seen) {
		n := copy(p, b.seen[r.at:])
		r.at += n
		return n, nil
	}
	if b.ended != nil {
		return 0, b.ended
	}
	n, err := b.from.Read(p)
	if err != nil {
		b.ended = err
	}
	switch {
	case r.again || b.long:
	case len(b.seen)+n > maxResend:
		b.seen, b.long = nil, true
	default:
		b.seen = append(b.seen, p[:n]...)
	}
	return n, err
}

// Close implements [io.Closer].
func (r *replayed) Close() error { return nil }

// dial connects to an upstream.
func dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
	c, err := loopback.Dial(ctx, network, hostPort)
	if err != nil {
		return nil, err
	}
	return &readOn{Conn: c}, nil
}

// readOn is a connection that is read to its end also where nothing can be written any more. A vendor may refuse a
// request and close the connection while it is still coming: then the answer is there, and an HTTP client of Go, for
// which an error of writing is the end of the connection, would not read it. What cannot be written is dropped; that
// the other side is gone, the reader sees.
type readOn struct {
	net.Conn
	broken, closed atomic.Bool
}

// Write implements [net.Conn].
func (c *readOn) Write(p []byte) (int, error) {
	if !c.broken.Load() {
		n, err := c.Conn.Write(p)
		if err == nil || errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		c.broken.Store(true)
	}
	if c.closed.Load() {
		return 0, net.ErrClosed
	}
	return len(p), nil
}

// Close implements [net.Conn].
func (c *readOn) Close() error {
	c.closed.Store(true)
	return c.Conn.Close()
}
