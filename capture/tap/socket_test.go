package tap_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/stretchr/testify/require"
)

// peer is one end of a WebSocket. It writes frames as a test wants them, in small pieces, and keeps all bytes.
type peer struct {
	conn      net.Conn
	in        io.Reader
	masks     bool // it is the client
	deflate   *flate.Writer
	packed    bytes.Buffer
	sent, got bytes.Buffer
}

func newPeer(conn net.Conn, in io.Reader, masks, compresses bool) *peer {
	p := &peer{conn: conn, masks: masks}
	p.in = io.TeeReader(in, &p.got)
	if compresses {
		var err error
		if p.deflate, err = flate.NewWriter(&p.packed, flate.BestCompression); err != nil {
			panic(err)
		}
	}
	return p
}

// frame writes one frame, its bytes in pieces of at most 7; rsv1 marks the first of a compressed message.
func (p *peer) frame(op byte, final, rsv1 bool, payload []byte) {
	head := []byte{op, 0}
	if final {
		head[0] |= 0x80
	}
	if rsv1 {
		head[0] |= 0x40
	}
	switch n := len(payload); {
	case n < 126:
		head[1] = byte(n)
	case n < 1<<16:
		head[1] = 126
		head = binary.BigEndian.AppendUint16(head, uint16(n))
	default:
		head[1] = 127
		head = binary.BigEndian.AppendUint64(head, uint64(n))
	}
	payload = bytes.Clone(payload)
	if p.masks {
		head[1] |= 0x80
		mask := []byte{7, 99, 200, 31}
		head = append(head, mask...)
		for i := range payload {
			payload[i] ^= mask[i&3]
		}
	}
	all := append(head, payload...)
	p.sent.Write(all)
	for len(all) > 0 {
		n := min(7, len(all))
		if len(all) > 1000 {
			n = len(all) - 500
		}
		if _, err := p.conn.Write(all[:n]); err != nil {
			return // the other side has broken off
		}
		all = all[n:]
	}
}

// message writes a message in fragments with a ping between them, compressed where the peer does that.
func (p *peer) message(op byte, s string) {
	body := []byte(s)
	if p.deflate != nil {
		p.packed.Reset()
		_, _ = p.deflate.Write(body) // into memory
		_ = p.deflate.Flush()
		body = bytes.TrimSuffix(bytes.Clone(p.packed.Bytes()), []byte("\x00\x00\xff\xff"))
	}
	third := len(body) / 3
	p.frame(op, false, p.deflate != nil, body[:third])
	p.frame(0x9, true, false, []byte("still there?"))
	p.frame(0, false, false, body[third:2*third])
	p.frame(0, true, false, body[2*third:])
}

func (p *peer) text(s string) { p.message(1, s) }

// read reads the frames of one message, as they are.
func (p *peer) read() error {
	for {
		var head [2]byte
		if _, err := io.ReadFull(p.in, head[:]); err != nil {
			return err
		}
		n := uint64(head[1] & 0x7f)
		switch n {
		case 126:
			var b [2]byte
			_, _ = io.ReadFull(p.in, b[:])
			n = uint64(binary.BigEndian.Uint16(b[:]))
		case 127:
			var b [8]byte
			_, _ = io.ReadFull(p.in, b[:])
			n = binary.BigEndian.Uint64(b[:])
		}
		if head[1]&0x80 != 0 {
			n += 4
		}
		if _, err := io.CopyN(io.Discard, p.in, int64(n)); err != nil {
			return err
		}
		if head[0]&0x8f == 0x80 || head[0]&0x8f == 0x81 || head[0]&0x8f == 0x82 {
			return nil
		}
	}
}

// talk opens a WebSocket through a tap, with a vendor that runs its script.
func talk(t *testing.T, path string, compress bool, vendor func(p *peer), agent func(b *bench, p *peer)) *bench {
	t.Helper()
	over := make(chan *peer, 1)
	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		over <- upgrade(w, compress, vendor)
	}))
	p, end := dial(t, b, path, compress)
	agent(b, p)
	_, _ = io.Copy(io.Discard, p.in)
	end()
	v := <-over
	_, _ = io.Copy(io.Discard, v.in) // what was on its way when its script ended
	require.True(t, bytes.HasPrefix(p.sent.Bytes(), v.got.Bytes()))
	require.Equal(t, v.sent.Bytes(), p.got.Bytes())
	return b
}

// upgrade is a vendor's end of a WebSocket, which runs its script.
func upgrade(w http.ResponseWriter, compress bool, vendor func(p *peer)) *peer {
	conn, rw, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	extension := ""
	if compress {
		extension = "Sec-WebSocket-Extensions: permessage-deflate\r\n"
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		extension+"\r\n")
	p := newPeer(conn, rw, false, compress)
	vendor(p)
	return p
}

// dial is an agent's end of a WebSocket through the tap, and what closes it.
func dial(t *testing.T, b *bench, path string, compress bool) (p *peer, end func()) {
	t.Helper()
	address, err := url.Parse(b.url)
	require.NoError(t, err)
	conn, err := net.Dial("tcp", address.Host)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(3*time.Minute)))
	_, err = fmt.Fprintf(conn, "GET %s%s HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Authorization: Bearer sk-zq0123456789\r\nSec-WebSocket-Protocol: realtime, openai-insecure-api-key.zqkey987654\r\n\r\n",
		address.Path, path)
	require.NoError(t, err)
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusSwitchingProtocols, resp.StatusCode)
	return newPeer(conn, in, true, compress), func() { require.NoError(t, conn.Close()) }
}

const (
	socketAsk   = `{"type":"response.create","model":"gpt-x","instructions":"You act.","input":[{"role":"user","content":[{"type":"input_text","text":"Buy tea"}]}]}`
	socketAgain = `{"type":"response.create","model":"gpt-x","previous_response_id":"r1","input":[{"type":"function_call_output","call_id":"c","output":"done"}]}`
)

func responseEvents(id, text string) []string {
	return []string{fmt.Sprintf(`{"type":"response.created","response":{"id":%q,"model":"gpt-x-1"}}`, id),
		fmt.Sprintf(`{"type":"response.output_text.delta","delta":%q}`, text),
		fmt.Sprintf(`{"type":"response.completed","response":{"id":%q,"model":"gpt-x-1","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":%q}]}],"usage":{"input_tokens":9,"output_tokens":2}}}`, id, text)}
}

// answer plays a vendor that answers each request with a text.
func answer(texts ...string) func(p *peer) {
	return func(p *peer) {
		for i, text := range texts {
			if p.read() != nil {
				return
			}
			for _, e := range responseEvents(fmt.Sprint("r", i+1), text) {
				p.text(e)
			}
		}
	}
}

// Two requests over one WebSocket are two turns, each on the disk before its answer is whole for the
// agent; frames come in fragments, with pings between them, and compressed.
func TestWebSocketTurns(t *testing.T) {
	for name, compress := range map[string]bool{"plain": false, "compressed": true} {
		t.Run(name, func(t *testing.T) {
			b := talk(t, "/openai/v1/responses", compress, answer("Done", "Bye"), func(b *bench, p *peer) {
				p.text(socketAsk)
				for range 3 {
					_ = p.read() // a message that is missing shows in the record
				}
				list, _, err := b.store.List(t.Context())
				require.NoError(t, err)
				require.Len(t, list, 1, "the turn is there before the answer is whole")
				p.text(socketAgain)
				for range 3 {
					_ = p.read()
				}
			})
			first, rec := b.next(t)
			require.Equal(t, socketAsk, string(rec.Payloads[0].Bytes))
			require.Equal(t, strings.Join(responseEvents("r1", "Done"), "\n"), string(rec.Payloads[1].Bytes))
			require.Equal(t, "ask openai gpt-x: Done", rec.Action)
			require.True(t, first.e.Stream)
			require.Equal(t, 9, first.e.Answer.Usage.Input)
			second, rec := b.next(t)
			require.Equal(t, socketAgain, string(rec.Payloads[0].Bytes))
			require.Equal(t, "Bye", second.e.Answer.Text)
			require.Equal(t, exchange.Socket{Sent: exchange.Messages{Texts: 1}, Received: exchange.Messages{Texts: 3}}, *second.e.Socket)
			require.Empty(t, b.done)
		})
	}
}

// Sound is counted and not kept; what Gemini sends as bytes is JSON, and is kept. A call of a tool ends a turn.
func TestWebSocketOfGemini(t *testing.T) {
	setup := `{"setup":{"model":"models/gemini-live","systemInstruction":{"parts":[{"text":"You act."}]},"tools":[{"functionDeclarations":[{"name":"click"}]}]}}`
	ask := `{"clientContent":{"turns":[{"role":"user","parts":[{"text":"Buy tea"}]}],"turnComplete":true}}`
	call := `{"toolCall":{"functionCalls":[{"id":"f1","name":"click","args":{"ref":12}}]}}`
	result := `{"toolResponse":{"functionResponses":[{"id":"f1","name":"click","response":{"ok":true}}]}}`
	said := []string{`{"serverContent":{"modelTurn":{"parts":[{"text":"Do"}]}}}`, `{"serverContent":{"modelTurn":{"parts":[{"text":"ne"}]}}}`,
		`{"serverContent":{"turnComplete":true},"usageMetadata":{"promptTokenCount":7,"responseTokenCount":2}}`}
	b := talk(t, "/gemini/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=AIzaSeed123456", false, func(p *peer) {
		_ = p.read()
		p.message(2, `{"setupComplete":{}}`)
		for range 3 {
			_ = p.read()
		}
		p.message(2, call)
		_ = p.read()
		p.frame(2, true, false, make([]byte, 70000))
		for _, s := range said {
			p.message(2, s)
		}
	}, func(b *bench, p *peer) {
		p.text(setup)
		_ = p.read()
		p.frame(2, true, false, []byte("sound"))
		p.frame(2, true, false, []byte("more"))
		p.text(ask)
		_ = p.read()
		p.text(result)
		for range 4 {
			_ = p.read()
		}
	})
	first, rec := b.next(t)
	require.Equal(t, setup+"\n"+ask, string(rec.Payloads[0].Bytes))
	require.Equal(t, `{"setupComplete":{}}`+"\n"+call, string(rec.Payloads[1].Bytes))
	require.Equal(t, `ask gemini gemini-live: click {"ref":12}`, rec.Action)
	require.Equal(t, exchange.Messages{Texts: 2, Binary: 2, BinaryBytes: 9}, first.e.Socket.Sent)
	second, rec := b.next(t)
	require.Equal(t, result, string(rec.Payloads[0].Bytes))
	require.Equal(t, "Done", second.e.Answer.Text)
	require.Equal(t, "turnComplete", second.e.Answer.Finish)
	require.Equal(t, 7, second.e.Answer.Usage.Input)
	require.Equal(t, exchange.Messages{Texts: 3, Binary: 1, BinaryBytes: 70000}, second.e.Socket.Received)
}

// What breaks off is recorded as far as it came, with how it ended.
func TestWebSocketBrokenOff(t *testing.T) {
	for name, end := range map[string]struct {
		vendor func(p *peer)
		want   string
	}{
		"without a word": {func(p *peer) {}, "the WebSocket broke off before the answer was whole"},
		"with a code": {func(p *peer) { p.frame(8, true, false, []byte("\x03\xf3overloaded")) },
			"the WebSocket was closed with code 1011 (overloaded) before the answer was whole"},
		"in a frame": {func(p *peer) { _, _ = p.conn.Write([]byte{0x81, 100, '{'}); p.sent.Write([]byte{0x81, 100, '{'}) },
			"the WebSocket broke off before the answer was whole"},
	} {
		t.Run(name, func(t *testing.T) {
			b := talk(t, "/openai/v1/responses", true, func(p *peer) {
				_ = p.read()
				for _, e := range responseEvents("r1", "Hel")[:2] {
					p.text(e)
				}
				end.vendor(p)
			}, func(_ *bench, p *peer) { p.text(socketAsk) })
			got, rec := b.next(t)
			require.Equal(t, end.want, got.e.Error)
			require.Equal(t, "Hel", got.e.Answer.Text)
			require.Equal(t, socketAsk, string(rec.Payloads[0].Bytes))
		})
	}
	b := talk(t, "/openai/v1/realtime?model=gpt-live", false, func(p *peer) { _ = p.read() },
		func(_ *bench, p *peer) { p.text(`{"type":"session.update","session":{"instructions":"You act."}}`) })
	got, _ := b.next(t)
	require.Equal(t, "the WebSocket broke off before an answer was asked for", got.e.Error)
	require.Equal(t, "gpt-live", got.e.Model)
}

// An answer that the vendor begins by itself, because it heard the end of a sentence, is a turn; an error in the place
// of an answer ends one; a second request while an answer is under way belongs to the same turn.
func TestWebSocketRealtime(t *testing.T) {
	done := `{"type":"response.done","response":{"id":"r","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_audio","transcript":"Yes"}]}],"usage":{"input_tokens":3,"output_tokens":1}}}`
	failure := `{"type":"error","error":{"type":"invalid_request_error","message":"no such item"}}`
	b := talk(t, "/compat/local/v1/realtime?model=gpt-live", false, func(p *peer) {
		_ = p.read()
		p.text(`{"type":"response.created","response":{"id":"r"}}`)
		p.text(done)
		_ = p.read()
		p.text(failure)
		_ = p.read()
		p.text(`{"type":"response.created","response":{"id":"r2"}}`)
		_ = p.read()
		p.text(failure)
		p.text(done)
	}, func(_ *bench, p *peer) {
		p.text(`{"type":"input_audio_buffer.append","audio":"AAAA"}`)
		_, _ = p.read(), p.read()
		p.text(`{"type":"response.create"}`)
		_ = p.read()
		p.text(`{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}}` + "\n" +
			`{"type":"response.create"}`)
		_ = p.read()
		p.text(`{"type":"response.create"}`)
	})
	var got []string
	for range 3 {
		r, _ := b.next(t)
		got = append(got, r.e.Model+" "+r.e.Answer.Text+r.e.Answer.Error)
	}
	require.Equal(t, []string{"gpt-live Yes", "gpt-live no such item", "gpt-live Yesno such item"}, got)
}

// On some WebSockets each turn adds to the messages before, and holds none of them: what the model knows, its name and
// what is typed into a field that was listed then are those of the conversation.
func TestWebSocketsOfOneConversation(t *testing.T) {
	const list = `- heading \"Shop\" [level=1] [ref=e2]\n- textbox \"Name\" [ref=e8]\n` +
		`- textbox \"Password\" [ref=e12]\n- button \"Send\" [ref=e16]`
	const typed = `{"ref":"e12","text":"wild-horse-77"}`
	quoted := strings.ReplaceAll(typed, `"`, `\"`)
	said := func(id, item string) string {
		return `{"type":"response.done","response":{"id":"` + id + `","status":"completed","output":[` + item + `]}}`
	}
	for name, c := range map[string]struct {
		path         string
		asks, answer []string
	}{
		"realtime": {"/openai/v1/realtime?model=live", []string{
			`{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"type":"input_text","text":"` +
				list + `"}]}}` + "\n" + `{"type":"response.create"}`,
			`{"type":"conversation.item.create","item":{"type":"function_call_output","call_id":"c1","output":"ok"}}` + "\n" +
				`{"type":"response.create"}`,
		}, []string{said("r1", `{"type":"function_call","call_id":"c1","name":"look","arguments":"{}"}`),
			said("r2", `{"type":"function_call","call_id":"c2","name":"browser_type","arguments":"`+quoted+`"}`)}},
		"gemini": {"/gemini/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent", []string{
			`{"setup":{"model":"models/live"}}` + "\n" +
				`{"clientContent":{"turns":[{"role":"user","parts":[{"text":"` + list + `"}]}],"turnComplete":true}}`,
			`{"toolResponse":{"functionResponses":[{"id":"f1","name":"look","response":{"output":"ok"}}]}}`,
		}, []string{`{"toolCall":{"functionCalls":[{"id":"f1","name":"look","args":{}}]}}`,
			`{"toolCall":{"functionCalls":[{"id":"f2","name":"browser_type","args":` + typed + `}]}}`}},
	} {
		t.Run(name, func(t *testing.T) {
			b := talk(t, c.path, false, func(p *peer) {
				for i, answer := range c.answer {
					for range strings.Count(c.asks[i], "\n") + 1 {
						_ = p.read()
					}
					p.text(answer)
				}
			}, func(_ *bench, p *peer) {
				for _, ask := range c.asks {
					for m := range strings.SplitSeq(ask, "\n") {
						p.text(m)
					}
					_ = p.read()
				}
			})
			first, _ := b.next(t)
			second, rec := b.next(t)
			require.NotEmpty(t, first.e.Socket.Thread)
			require.Equal(t, first.e.Socket.Thread, second.e.Socket.Thread)
			require.Equal(t, "live", second.e.Model)
			require.NotContains(t, string(rec.Payloads[1].Bytes)+string(rec.Exchange)+rec.Action, "wild-horse-77")
		})
	}
}

// The key of a WebSocket reaches the disk no more than that of another request.
func TestWebSocketKeepsNoCredential(t *testing.T) {
	secrets := []string{"sk-zq0123456789", "zqkey987654", "zqquery55512", "ek_zqsession4711"}
	b := talk(t, "/openai/v1/realtime?model=m&access_token=zqquery55512", false, func(p *peer) {
		p.text(`{"type":"session.created","session":{"client_secret":{"value":"ek_zqsession4711","expires_at":1}}}`)
		_ = p.read()
		p.text(`{"type":"error","error":{"message":"wrong keys ` + strings.Join(secrets[:3], " ") + `"}}`)
	}, func(_ *bench, p *peer) {
		_ = p.read()
		p.text(`{"type":"response.create","response":{"instructions":"use ` + secrets[0] + `"}}`)
		_ = p.read()
	})
	_, rec := b.next(t)
	for _, p := range rec.Payloads {
		for line := range strings.Lines(string(p.Bytes)) {
			require.True(t, json.Valid([]byte(line)), line)
		}
	}
	require.NoError(t, filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, s := range secrets {
			require.NotContains(t, string(data), s, path)
		}
		return err
	}))
}
