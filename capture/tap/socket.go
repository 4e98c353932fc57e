package tap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/wire"
)

// socket is a conversation over a WebSocket under way. Each request in it, with its answer, is a
// turn: what the agent sent up to the message that asks, and what came back up to the message that ends the
// answer ([wire.SocketStepOf]). What belongs to no answer goes to the turn after it.
type socket struct {
	t       *Tap
	up      Upstream
	target  *url.URL
	header  http.Header // of the handshake
	back    http.Header // of its answer
	dialect string
	thread  string // of its turns, "" where each request holds its own messages or names those that it goes on from

	mu       sync.Mutex
	toVendor *frameReader
	toAgent  *frameReader
	now      *roundTrip   // the turn that messages belong to; nil between turns
	whole    []*roundTrip // turns that are to be saved
	asked    int          // answers that are wanted in the turn
	ended    int          // of them
	begun    bool         // an answer has begun
	refused  bool         // an error came after that
	closing  string       // how the connection was closed, "" where it was not
	over     bool         // nothing is added any more
}

// beginSocket starts the record of a WebSocket to a model; nil for another request, and for a WebSocket
// of which nothing is known.
func (t *Tap) beginSocket(r *http.Request, up Upstream, target *url.URL) *socket {
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		return nil
	}
	dialect := wire.SocketDialectOf(target.Path)
	if dialect == wire.Other {
		t.opt.Log.Warn("a WebSocket goes through and is not recorded: its protocol is not known", "upstream", up.Name,
			"path", t.rules.Clean(target.Path))
		return nil
	}
	return newSocket(t, up, target, dialect, r.Header)
}

// newSocket is a conversation that begins.
func newSocket(t *Tap, up Upstream, target *url.URL, dialect string, h http.Header) *socket {
	s := &socket{t: t, up: up, target: target, header: h, dialect: dialect}
	if wire.SocketAdds(target.Path) {
		s.thread = strconv.FormatInt(time.Now().UnixNano(), 36)
	}
	return s
}

// opened reads what goes through the connection from now on.
func (s *socket) opened(resp *http.Response) {
	conn, ok := resp.Body.(io.ReadWriteCloser)
	if resp.StatusCode != http.StatusSwitchingProtocols || !ok {
		s.t.opt.Log.Warn("a WebSocket was refused", "upstream", s.up.Name, "status", resp.StatusCode)
		return
	}
	s.back = resp.Header.Clone()
	agent, vendor := newInflaters(resp.Header.Values("Sec-Websocket-Extensions"))
	s.toVendor = &frameReader{inflate: agent, closed: s.closed, message: func(m socketMessage) { s.message(m, true) }}
	s.toAgent = &frameReader{inflate: vendor, closed: s.closed, message: func(m socketMessage) { s.message(m, false) }}
	resp.Body = &socketBody{conn, s}
}

// socketBody is the connection to the vendor. What passes is read on its way.
type socketBody struct {
	io.ReadWriteCloser
	s *socket
}

// Read passes what the vendor sends. A turn that this ends is saved before.
func (b *socketBody) Read(p []byte) (int, error) {
	n, err := b.ReadWriteCloser.Read(p)
	b.s.take(b.s.toAgent, p[:n])
	return n, err
}

// Write passes what the agent sends.
func (b *socketBody) Write(p []byte) (int, error) {
	b.s.take(b.s.toVendor, p)
	return b.ReadWriteCloser.Write(p)
}

// CloseWrite ends the agent's direction alone, where the connection can.
func (b *socketBody) CloseWrite() error {
	if half, ok := b.ReadWriteCloser.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.New("the connection is closed as a whole")
}

// take reads the next bytes of one direction and saves the turns that are whole.
func (s *socket) take(r *frameReader, p []byte) {
	s.mu.Lock()
	if !s.over && r.broken == nil {
		if r.feed(p); r.broken != nil {
			s.lack("what follows in this WebSocket is not recorded: " + r.broken.Error())
		}
	}
	s.mu.Unlock()
	s.save()
}

// save saves the turns that are whole.
func (s *socket) save() {
	s.mu.Lock()
	whole := s.whole
	s.whole = nil
	s.mu.Unlock()
	for _, x := range whole {
		x.Complete()
	}
}

// turn is the turn that messages belong to now.
func (s *socket) turn() *roundTrip {
	if s.now == nil {
		x := s.t.roundTrip(s.up.Name, http.MethodGet, s.dialect, s.target, s.header)
		x.back, x.media, x.coded, x.answerIs = s.back, "application/json", "", "application/json"
		x.e.Status, x.e.Socket = http.StatusSwitchingProtocols, &exchange.Socket{Thread: s.thread}
		s.now, s.asked, s.ended, s.begun, s.refused = x, 0, 0, false, false
	}
	return s.now
}

// lack notes what the turn lacks, once.
func (s *socket) lack(what string) {
	x := s.turn()
	for _, have := range x.lacks {
		if have == what {
			return
		}
	}
	x.lacks = append(x.lacks, what)
}

// wholeNow ends the turn.
func (s *socket) wholeNow() {
	s.whole, s.now = append(s.whole, s.now), nil
}

// message adds a message to the turn.
func (s *socket) message(m socketMessage, sent bool) {
	isText := !m.binary || len(m.body) > 0 && m.body[0] == '{' && json.Valid(m.body) // Gemini sends its JSON as bytes
	step := wire.SocketPart
	if isText {
		step = wire.SocketStepOf(s.dialect, m.body, sent)
	}
	if step == wire.SocketAsks && s.now != nil && s.refused {
		s.wholeNow() // its answer ended in an error
	}
	x := s.turn()
	if step == wire.SocketAsks || step == wire.SocketBegins && s.asked == 0 {
		if s.asked++; s.asked == 1 { // the moment of the request is now
			x.e.Began = time.Now().UTC()
			x.see(context.Background())
		}
	}
	body, count := &x.answer, &x.e.Socket.Received
	if sent {
		body, count = &x.request, &x.e.Socket.Sent
	} else if s.asked > 0 && x.e.FirstByte == 0 {
		x.e.FirstByte = x.since()
	}
	if m.err != nil {
		s.lack(m.err.Error())
	}
	if !isText {
		count.Binary++
		count.BinaryBytes += m.size
		return
	}
	count.Texts++
	if body.size > 0 {
		body.keep([]byte("\n"))
	}
	body.keep(m.body)
	body.size += m.size - int64(len(m.body))
	if s.asked > 0 {
		x.whole()
	}
	switch {
	case step == wire.SocketBegins:
		s.begun = true
	case step == wire.SocketEnds && s.asked > 0:
		s.ended++
	case step == wire.SocketRefuses && s.begun && s.asked == s.ended+1:
		s.refused = true // the answer may go on
	case step == wire.SocketRefuses && s.asked > s.ended:
		s.ended++
	}
	if s.asked > 0 && s.ended >= s.asked {
		s.wholeNow()
	}
}

// closed notes how one side closes the connection.
func (s *socket) closed(code int, why string) {
	if s.closing != "" {
		return
	}
	s.closing = fmt.Sprintf("was closed with code %d", code)
	if code == noCloseCode {
		s.closing = "was closed without a code"
	}
	if why != "" {
		s.closing += " (" + why + ")"
	}
}

// end saves what the connection left open.
func (s *socket) end() {
	s.mu.Lock()
	x := s.now
	s.over, s.now = true, nil
	if s.closing == "" {
		s.closing = "broke off"
	}
	switch {
	case x == nil:
	case s.asked > s.ended:
		x.e.Error = "the WebSocket " + s.closing + " before the answer was whole"
	case x.e.Socket.Sent != exchange.Messages{}:
		x.e.Error = "the WebSocket " + s.closing + " before an answer was asked for"
	default:
		x = nil // the vendor's last words
	}
	s.mu.Unlock()
	if x != nil {
		x.Complete()
	}
}
