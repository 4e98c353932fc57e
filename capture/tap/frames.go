package tap

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// frameReader reads the messages of one direction of a WebSocket as its bytes go by (RFC 6455). It
// changes nothing and never fails the connection: what it cannot read, it reports once.
type frameReader struct {
	inflate *inflater // of messages that are compressed; nil where that was not agreed
	// message is called with each whole message. Its bytes are valid during the call; of
	// one longer than [maxKept] they are the beginning, and size is that of the whole.
	message func(m socketMessage)
	closed  func(code int, why string) // is called with the frame that closes the connection
	broken  error                      // what follows cannot be read

	head       []byte // of the next frame, as far as it came
	in         bool   // a frame is being read
	left       int64  // of its payload
	mask       [4]byte
	masked     bool
	at         int // in the mask
	op         byte
	final      bool
	control    []byte // payload of a control frame
	buf        keptBody
	kind       byte // of the message
	compressed bool
}

// socketMessage is a message of a WebSocket.
type socketMessage struct {
	binary bool
	body   []byte
	size   int64 // bytes, before compression
	err    error // why body is not the whole message
}

// Kinds of frames (RFC 6455, 5.2).
const (
	opContinues = 0x0
	opText      = 0x1
	opBinary    = 0x2
	opClose     = 0x8
)

// feed reads the next bytes.
func (f *frameReader) feed(p []byte) {
	for len(p) > 0 && f.broken == nil {
		if !f.in {
			n := min(len(p), headLength(f.head)-len(f.head))
			f.head, p = append(f.head, p[:n]...), p[n:]
			if len(f.head) == headLength(f.head) {
				f.begin()
			}
			continue
		}
		n := int(min(int64(len(p)), f.left))
		f.payload(p[:n])
		f.left, p = f.left-int64(n), p[n:]
		if f.left == 0 {
			f.end()
		}
	}
}

// headLength is how long the header of a frame is, as far as what is there of it says: at least
// one byte more than that.
func headLength(head []byte) int {
	if len(head) < 2 {
		return 2
	}
	n := 2
	switch head[1] & 0x7f {
	case 126:
		n += 2
	case 127:
		n += 8
	}
	if head[1]&0x80 != 0 {
		n += 4
	}
	return n
}

// begin reads the header of a frame.
func (f *frameReader) begin() {
	h := f.head
	f.final, f.op, f.masked = h[0]&0x80 != 0, h[0]&0x0f, h[1]&0x80 != 0
	rest := h[2:]
	switch length := h[1] & 0x7f; length {
	case 126:
		f.left, rest = int64(binary.BigEndian.Uint16(rest)), rest[2:]
	case 127:
		f.left, rest = int64(binary.BigEndian.Uint64(rest)&math.MaxInt64), rest[8:]
	default:
		f.left = int64(length)
	}
	if f.at = 0; f.masked {
		copy(f.mask[:], rest)
	}
	f.head, f.in = f.head[:0], true
	switch {
	case h[0]&0x30 != 0, h[0]&0x40 != 0 && f.inflate == nil:
		f.broken = errors.New("its frames use an extension that is not known")
	case f.op >= opClose && f.left > 125:
		f.broken = fmt.Errorf("a control frame has %d bytes", f.left)
	case f.op >= opClose:
		f.control = f.control[:0]
	case f.op == opText, f.op == opBinary:
		f.kind, f.compressed = f.op, h[0]&0x40 != 0
		f.buf = keptBody{}
	case f.op != opContinues || f.kind == 0:
		f.broken = fmt.Errorf("a frame of kind %d is out of place", f.op)
	}
	if f.broken == nil && f.left == 0 {
		f.end()
	}
}

// payload takes the next bytes of a frame.
func (f *frameReader) payload(p []byte) {
	if f.masked {
		plain := make([]byte, len(p))
		for i, c := range p {
			plain[i] = c ^ f.mask[(f.at+i)&3]
		}
		f.at, p = f.at+len(p), plain
	}
	if f.op >= opClose {
		f.control = append(f.control, p...)
		return
	}
	f.buf.keep(p)
}

// end ends a frame, and with the last one of a message the message.
func (f *frameReader) end() {
	f.in = false
	if f.op == opClose {
		code := noCloseCode
		if len(f.control) >= 2 {
			code = int(binary.BigEndian.Uint16(f.control))
		}
		f.closed(code, text.Line(string(f.control[min(2, len(f.control)):])))
	}
	if f.op >= opClose || !f.final {
		return
	}
	m := socketMessage{binary: f.kind == opBinary, body: f.buf.Bytes(), size: f.buf.size}
	if m.size > int64(len(m.body)) {
		m.err = fmt.Errorf("of a message the first %d of %d bytes are kept", len(m.body), m.size)
	}
	if f.compressed {
		f.inflate.message(&m)
	}
	f.kind = 0
	f.message(m)
	f.buf = keptBody{}
}

// noCloseCode is the code of a connection that was closed without one (RFC 6455, 7.1.5).
const noCloseCode = 1005

// inflater decompresses the messages of one direction (RFC 7692).
type inflater struct {
	forgets bool   // no message refers to the one before
	window  []byte // the end of what came before
	lost    bool   // a message was not read to its end, and what follows refers to it
}

// newInflaters are what decompresses the messages of the agent and of the vendor, by the
// extensions that the answer to the handshake agrees to; nil where compression is none of them.
func newInflaters(extensions []string) (agent, vendor *inflater) {
	for extension := range strings.SplitSeq(strings.Join(extensions, ","), ",") {
		name, parameters, _ := strings.Cut(extension, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "permessage-deflate") {
			continue
		}
		forgets := func(name string) bool {
			for p := range strings.SplitSeq(parameters, ";") {
				if strings.EqualFold(strings.TrimSpace(p), name) {
					return true
				}
			}
			return false
		}
		agent = &inflater{forgets: forgets("client_no_context_takeover")}
		return agent, &inflater{forgets: forgets("server_no_context_takeover")}
	}
	return nil, nil
}

// deflateEnd is what a sender takes off the end of a message, and an empty last block after it.
const deflateEnd = "\x00\x00\xff\xff\x01\x00\x00\xff\xff"

// deflateWindow is how far back a compressed message may refer, bytes.
const deflateWindow = 32 << 10

// message puts what was compressed in its place, up to [maxKept] bytes.
func (z *inflater) message(m *socketMessage) {
	if z.lost {
		m.body, m.err = nil, errors.New("a message is compressed against one that could not be read")
		return
	}
	r := flate.NewReaderDict(io.MultiReader(bytes.NewReader(m.body), strings.NewReader(deflateEnd)), z.window)
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, maxKept+1))
	if err == nil && n > maxKept {
		err = fmt.Errorf("it is longer than %d bytes", maxKept)
	}
	if m.err == nil && err != nil {
		m.err = fmt.Errorf("a compressed message could not be read to its end: %s", text.Line(err.Error()))
	}
	m.body, m.size = out.Bytes()[:min(n, maxKept)], n
	if z.forgets {
		return
	}
	z.lost = m.err != nil
	z.window = append(z.window, m.body[max(0, len(m.body)-deflateWindow):]...)
	z.window = bytes.Clone(z.window[max(0, len(z.window)-deflateWindow):])
}
