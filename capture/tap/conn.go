package tap

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"

	"github.com/refscope/refscope/capture/loopback"
)

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
