package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// ErrGone is the error of every call once the connection to the browser is lost:
// the browser ended, was killed, or closed the connection.
var ErrGone = errors.New("the browser is gone")

// ErrDetached is the error of calls on a session whose target went away: the tab
// was closed or the frame was removed.
var ErrDetached = errors.New("the target is gone")

// ErrCrashed is the error of calls on a session whose renderer process crashed.
var ErrCrashed = errors.New("the tab crashed")

// Conn is one connection to a browser and the sessions that run over it. It is
// safe for concurrent use.
type Conn struct {
	transport chromedp.Transport
	done      chan struct{} // closed when the read loop ended

	mu       sync.Mutex
	lastID   int64
	pending  map[int64]pendingCall
	sessions map[target.SessionID]*Session
	crashed  map[target.ID]bool // tabs whose renderer crashed while they were attached
	killed   killed
	err      error
}

type pendingCall struct {
	session *Session
	reply   chan reply
}

type reply struct {
	result jsonv2.Value
	err    error
}

// newConn takes over the transport and starts the read loop, which ends with the
// transport; Close waits for it.
func newConn(t chromedp.Transport) *Conn {
	c := &Conn{
		transport: t,
		done:      make(chan struct{}),
		pending:   map[int64]pendingCall{},
		sessions:  map[target.SessionID]*Session{},
		crashed:   map[target.ID]bool{},
	}
	c.session("")
	go c.read()
	return c
}

// Root is the session of the browser itself.
func (c *Conn) Root() *Session { return c.session("") }

// Done is closed when the connection is lost, once every call has been answered.
func (c *Conn) Done() <-chan struct{} { return c.done }

// lost reports whether the connection is lost; whoever has had an [ErrGone] is told so.
func (c *Conn) lost() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err != nil
}

// Close ends the connection and waits for the read loop.
func (c *Conn) Close() error {
	err := c.transport.Close()
	<-c.done
	return err
}

// session is the session with that id, made where there is none yet: events of a
// new session may arrive before the answer that names it.
func (c *Conn) session(id target.SessionID) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[id]
	if s == nil {
		s = &Session{conn: c, id: id, handlers: map[string][]func(jsonv2.Value){}, queues: map[string][]*queue{}}
		s.gone = make(chan struct{})
		if c.err != nil {
			s.end(c.err)
		}
		c.sessions[id] = s
	}
	return s
}

func (c *Conn) read() {
	defer close(c.done)
	for {
		var msg cdproto.Message
		if err := c.transport.Read(context.Background(), &msg); err != nil {
			c.fail(fmt.Errorf("%w: %w", ErrGone, err))
			return
		}
		switch {
		case msg.ID != 0:
			c.answer(&msg)
		case msg.Method != "":
			c.dispatch(&msg)
		}
	}
}

func (c *Conn) answer(msg *cdproto.Message) {
	c.mu.Lock()
	p, ok := c.pending[msg.ID]
	delete(c.pending, msg.ID)
	c.mu.Unlock()
	if !ok {
		return // the caller gave up, or it was a post
	}
	if msg.Error != nil {
		p.reply <- reply{err: msg.Error}
		return
	}
	p.reply <- reply{result: msg.Result}
}

func (c *Conn) dispatch(msg *cdproto.Message) {
	s := c.session(msg.SessionID)
	switch string(msg.Method) {
	case "Inspector.targetCrashed":
		c.failSession(s, ErrCrashed)
	case "Target.detachedFromTarget":
		var ev target.EventDetachedFromTarget
		if jsonv2.Unmarshal(msg.Params, &ev) == nil {
			// Handlers first, so that an owner is notified before calls fail.
			s.publish(string(msg.Method), msg.Params)
			c.drop(ev.SessionID)
			return
		}
	}
	s.publish(string(msg.Method), msg.Params)
}

// noteCrash remembers whether the renderer of a tab crashed.
func (c *Conn) noteCrash(id target.ID, crashed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if crashed {
		c.crashed[id] = true
	} else {
		delete(c.crashed, id)
	}
}

func (c *Conn) hasCrashed(id target.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.crashed[id]
}

// drop forgets a session whose target is gone.
func (c *Conn) drop(id target.SessionID) {
	c.mu.Lock()
	s := c.sessions[id]
	delete(c.sessions, id)
	c.mu.Unlock()
	if s != nil {
		c.failSession(s, ErrDetached)
	}
}

// failSession answers all calls of one session with err, now and from now on.
func (c *Conn) failSession(s *Session, err error) {
	c.mu.Lock()
	s.end(err)
	var waiting []pendingCall
	for id, p := range c.pending {
		if p.session == s {
			waiting = append(waiting, p)
			delete(c.pending, id)
		}
	}
	c.mu.Unlock()
	for _, p := range waiting {
		p.reply <- reply{err: err}
	}
}

// fail ends the connection: every call of every session gets err.
func (c *Conn) fail(err error) {
	c.mu.Lock()
	c.err = err
	sessions := make([]*Session, 0, len(c.sessions))
	for _, s := range c.sessions {
		sessions = append(sessions, s)
	}
	c.mu.Unlock()
	for _, s := range sessions {
		c.failSession(s, err)
	}
	_ = c.transport.Close() // the peer is gone; nothing to do about an error here
}

// send writes one command and registers the caller; reply is nil for a post.
func (c *Conn) send(ctx context.Context, s *Session, method string, params any, ch chan reply) (int64, error) {
	raw, err := jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
	if err != nil {
		return 0, fmt.Errorf("encoding %s: %w", method, err)
	}
	c.mu.Lock()
	if s.err != nil {
		err := s.err
		c.mu.Unlock()
		return 0, err
	}
	c.lastID++
	id := c.lastID
	if ch != nil {
		c.pending[id] = pendingCall{session: s, reply: ch}
	}
	c.mu.Unlock()
	msg := cdproto.Message{ID: id, SessionID: s.id, Method: cdproto.MethodType(method), Params: raw}
	if err := c.transport.Write(ctx, &msg); err != nil {
		c.forget(id)
		err = fmt.Errorf("%w: %w", ErrGone, err)
		if ctx.Err() == nil { // else only this command was broken off
			c.mu.Lock()
			c.err = cmp.Or(c.err, err)
			c.mu.Unlock()
			_ = c.transport.Close() // the read loop ends with it
		}
		return 0, err
	}
	return id, nil
}

func (c *Conn) forget(id int64) {
	c.mu.Lock()
	delete(c.pending, id)
	c.mu.Unlock()
}
