package harden

import (
	"context"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"
)

// endpoint is a DevTools endpoint that means no good, behind --attach. How it misbehaves is a number.
type endpoint struct {
	kind int
	seed uint64
	addr string
}

// endpointKinds are how an endpoint misbehaves.
var endpointKinds = []string{
	"no JSON", "never answers", "an address elsewhere", "no WebSocket", "closes at once", "never answers a call",
	"garbage in frames", "answers with other ids", "errors with control characters", "a flood of events",
	"results of other types", "frames that lie about their length",
}

// tryEndpoint attaches a command to such an endpoint.
func tryEndpoint(ctx context.Context, b *bench, r *rand.Rand) error {
	kinds := []int{r.IntN(len(endpointKinds))}
	if !b.Short {
		kinds = r.Perm(len(endpointKinds))
	}
	for _, kind := range kinds {
		if err := attachTo(ctx, b, kind, r.Uint64()); err != nil {
			return fmt.Errorf("an endpoint with %s: %w", endpointKinds[kind], err)
		}
	}
	return nil
}

// attachTo attaches a command to an endpoint of one kind, which lives as long as the command.
func attachTo(ctx context.Context, b *bench, kind int, seed uint64) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("%w: %w", errUnable, err)
	}
	e := &endpoint{kind, seed, ln.Addr().String()}
	srv := &http.Server{Handler: e, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	defer func() {
		_ = srv.Close() // what is under way is broken off
		<-served
	}()
	const patience = 5 * time.Second
	return b.run(ctx, patience+time.Minute, nil, "snap", "http://127.0.0.1:9/", "--attach", e.addr, "--no-broker",
		"--timeout", patience.String()).fault(1)
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind := endpointKinds[e.kind]
	switch {
	case kind == "no JSON":
		fmt.Fprint(w, "{\"webSocketDebuggerUrl\": \x1b[31m\x00"+strings.Repeat("[", 100_000))
	case kind == "never answers":
		<-r.Context().Done()
	case !strings.HasPrefix(r.URL.Path, "/devtools/"):
		at := "ws://" + e.addr + "/devtools/browser/x"
		if kind == "an address elsewhere" {
			at = "ws://127.0.0.1:9/\x1b[31m"
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"Browser": "Chrome/156.0.0.0\x1b[31m",
			"Protocol-Version":     "1.3",
			"webSocketDebuggerUrl": at}) // a client that is gone hears nothing
	case kind == "no WebSocket":
		fmt.Fprint(w, "hello")
	default:
		e.socket(w, r, kind)
	}
}

// socket speaks just enough of RFC 6455 to be listened to.
func (e *endpoint) socket(w http.ResponseWriter, r *http.Request, kind string) {
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	conn, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }() // closed already is fine
	fmt.Fprintf(rw, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
	if rw.Flush() != nil || kind == "closes at once" {
		return
	}
	rnd := rand.New(rand.NewPCG(e.seed, 0))
	say := func(text string) bool {
		head := []byte{0x81, 126, 0, 0}
		if len(text) > 0xffff {
			head = binary.BigEndian.AppendUint64([]byte{0x81, 127}, uint64(len(text)))
		} else {
			binary.BigEndian.PutUint16(head[2:], uint16(len(text)))
		}
		if kind == "frames that lie about their length" {
			head = binary.BigEndian.AppendUint64([]byte{0x81, 127}, 1<<62)
		}
		_, err := rw.WriteString(string(head) + text)
		return err == nil && rw.Flush() == nil
	}
	for {
		call, err := readFrame(rw)
		if err != nil {
			return
		}
		var q struct {
			ID        int64
			Method    string
			SessionID string
		}
		if json.Unmarshal(call, &q) != nil {
			continue
		}
		answer := ""
		switch kind {
		case "never answers a call":
			continue
		case "garbage in frames":
			junk := make([]byte, rnd.IntN(5000))
			for i := range junk {
				junk[i] = byte(rnd.UintN(256))
			}
			answer = string(junk)
		case "answers with other ids":
			answer = fmt.Sprintf(`{"id":%d,"result":{}}`, rnd.Int64N(1<<40)-q.ID)
		case "errors with control characters":
			answer = fmt.Sprintf(`{"id":%d,"error":{"code":-32000,"message":"\u001b[31m\u0000\n\u202e%s"}}`, q.ID,
				strings.Repeat("x", rnd.IntN(100_000)))
		case "a flood of events":
			for range 20_000 {
				if !say(`{"method":"Target.targetCreated","params":{"targetInfo":{"targetId":"` +
					fmt.Sprint(rnd.Uint64()) + `","type":"page"}}}`) {
					return
				}
			}
			answer = fmt.Sprintf(`{"id":%d,"result":{"targetId":"x","sessionId":"y"}}`, q.ID)
		default:
			values := []string{`[]`, `"x"`, `null`, `{"targetId":5}`, `{"sessionId":[]}`, `{"frameTree":null}`,
				`{"targetId":"x","sessionId":"y","frameTree":{"frame":{"id":"x"}},` +
					`"result":{"type":"object","value":{}}}`}
			answer = fmt.Sprintf(`{"id":%d,"result":%s,"sessionId":%q}`, q.ID, values[rnd.IntN(len(values))],
				q.SessionID)
		}
		if !say(answer) {
			return
		}
	}
}

// readFrame reads a frame of a client.
func readFrame(r io.Reader) ([]byte, error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := uint64(head[1] & 0x7f)
	if size := map[uint64]int{126: 2, 127: 8}[n]; size > 0 {
		var long [8]byte
		if _, err := io.ReadFull(r, long[8-size:]); err != nil {
			return nil, err
		}
		n = binary.BigEndian.Uint64(long[:])
	}
	if n > 1<<24 {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	body := make([]byte, 4+n)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	for i := range body[4:] {
		body[4+i] ^= body[i%4]
	}
	return body[4:], nil
}
