package tap

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Exchange is how one request and its answer crossed the wire. It is [turn.Record.Exchange].
type Exchange struct {
	Upstream string `json:"upstream"`
	Method   string `json:"method"`
	URL      string `json:"url"` // of the upstream, without secrets
	Dialect  string `json:"dialect"`
	Model    string `json:"model,omitempty"`
	Stream   bool   `json:"stream,omitempty"`

	Began time.Time `json:"began"`
	// Sent is when the whole request had been read from the agent, FirstByte when the first
	// byte of the answer's body came, Ended when the last one did; ms after Began, 0 where
	// that never came.
	Sent      float64 `json:"sent,omitempty"`
	FirstByte float64 `json:"firstByte,omitempty"`
	Ended     float64 `json:"ended"`

	Status int `json:"status,omitempty"` // 0: the upstream was not reached
	// Error is why there is no whole answer.
	Error string `json:"error,omitempty"`
	// RequestBytes and AnswerBytes are those of the bodies as they crossed the wire;
	// encodings are taken off in what is kept.
	RequestBytes int64  `json:"requestBytes"`
	AnswerBytes  int64  `json:"answerBytes"`
	Encoding     string `json:"encoding,omitempty"` // of the answer
	// Answer is what the model answered, assembled from the stream; nil where it could not
	// be read.
	Answer  *wire.Answer `json:"answer,omitempty"`
	Pairing Pairing      `json:"pairing"`
	// RetryAfter is that header of the answer, "" without one.
	RetryAfter string `json:"retryAfter,omitempty"`
}

// maxKept is how many bytes of one body are kept in memory and in the turn; what is longer is
// forwarded whole, and the turn records that it was cut.
const maxKept = 64 << 20

// exchange is one request in progress. The proxy reads its bodies from one goroutine each.
type exchange struct {
	t        *Tap
	e        Exchange
	media    string // of the request
	coded    string // encoding of the request
	secrets  []redact.Secret
	pages    <-chan []Page // of the moment when the request arrived; nil without a watcher
	asking   sync.Mutex    // an answer may come before the request has been read
	request  keptBody      // guarded by asking, as Exchange.Sent is
	answer   keptBody
	answerIs string // media type

	finish sync.Once
}

// keptBody is a body as it goes by.
type keptBody struct {
	bytes.Buffer
	size int64 // of the whole body
}

func (k *keptBody) keep(p []byte) {
	k.size += int64(len(p))
	k.Write(p[:min(len(p), max(maxKept-k.Len(), 0))])
}

// begin starts the record of a request; nil for one that asks no model, such as a list of
// models.
func (t *Tap) begin(r *http.Request, up Upstream, target *url.URL) *exchange {
	dialect := wire.DialectOf(target.Path)
	if dialect == wire.Other || r.Method != http.MethodPost {
		return nil
	}
	x := &exchange{t: t, media: r.Header.Get("Content-Type"), coded: r.Header.Get("Content-Encoding")}
	x.e = Exchange{Upstream: up.Name, Method: r.Method, Dialect: dialect, Began: time.Now().UTC()}
	x.secrets = credentials(r.Header, target.Query())
	x.e.URL = t.rules.Clean(target.String(), x.secrets...)
	if w := t.opt.Watcher; w != nil {
		pages := make(chan []Page, 1)
		x.pages = pages
		// The watcher ends the capture by its own deadline; the request may be over before.
		ctx := context.WithoutCancel(r.Context())
		t.running.Go(func() { pages <- w.See(ctx) })
	}
	return x
}

// credentials are the values by which an agent shows who it is.
func credentials(h http.Header, query url.Values) []redact.Secret {
	var out []redact.Secret
	add := func(value, why string) {
		if value = strings.TrimSpace(value); len(value) >= 4 {
			out = redact.Add(out, redact.Secret{Value: value, Why: why, Reach: redact.Anywhere})
		}
	}
	for name, values := range h {
		for _, v := range values {
			switch {
			case name == "Authorization" || name == "Proxy-Authorization":
				_, credential, ok := strings.Cut(v, " ")
				if !ok {
					credential = v
				}
				add(credential, "credential")
			case name == "Cookie" || name == "Set-Cookie":
				for part := range strings.SplitSeq(v, ";") {
					if _, value, ok := strings.Cut(part, "="); ok && len(strings.TrimSpace(value)) >= 8 {
						add(value, "cookie")
					}
				}
			case redact.HoldsToken(name) || strings.HasSuffix(strings.ToLower(name), "-key"):
				add(v, "credential")
			}
		}
	}
	for name, values := range query {
		if name == "key" || redact.HoldsToken(name) {
			for _, v := range values {
				add(v, "credential")
			}
		}
	}
	return out
}

func (x *exchange) since() float64 { return float64(time.Since(x.e.Began).Microseconds()) / 1000 }

// requestBody keeps the request's body as the upstream reads it.
func (x *exchange) requestBody(body io.ReadCloser) io.ReadCloser {
	return &tee{body, func(p []byte, err error) {
		x.asking.Lock()
		defer x.asking.Unlock()
		x.request.keep(p)
		if err != nil {
			x.e.Sent = x.since()
		}
	}, nil}
}

// answered keeps the answer's body as the agent reads it. The turn is saved before the last
// byte is forwarded, so that no answer is lost; the bytes before do not wait.
func (x *exchange) answered(resp *http.Response) {
	x.e.Status, x.e.Encoding = resp.StatusCode, resp.Header.Get("Content-Encoding")
	x.e.RetryAfter = text.Start(text.Line(resp.Header.Get("Retry-After")), 100)
	x.answerIs = resp.Header.Get("Content-Type")
	for _, s := range credentials(resp.Header, nil) {
		x.secrets = redact.Add(x.secrets, s)
	}
	left := resp.ContentLength
	keep := func(p []byte, err error) {
		if len(p) > 0 && x.e.FirstByte == 0 {
			x.e.FirstByte = x.since()
		}
		x.answer.keep(p)
		switch {
		case errors.Is(err, context.Canceled):
			x.e.Error = "the agent broke off the answer"
		case err != nil && !errors.Is(err, io.EOF):
			x.e.Error = "the answer was broken off: " + reason(err)
		}
	}
	early := func() {
		if x.e.Error == "" && (left < 0 || x.answer.size < left) {
			x.e.Error = "the agent broke off the answer"
		}
	}
	body := &tee{resp.Body, keep, early}
	resp.Body = &lastByte{ReadCloser: body, whole: func() bool { return left >= 0 && x.answer.size >= left },
		save: x.complete}
}

// failed notes that the upstream was not reached, or that the agent went away before.
func (x *exchange) failed(err error) {
	x.e.Error = "the upstream could not be reached: " + reason(err)
	if errors.Is(err, context.Canceled) {
		x.e.Error = "the agent broke off the request"
	}
}

// reason is an error of the network without the address, which may hold a key.
func reason(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return text.Start(text.Line(err.Error()), 300)
}

// tee passes what is read from a body to keep, and calls early where the body is closed
// before its end.
type tee struct {
	io.ReadCloser
	keep  func(p []byte, err error)
	early func()
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err != nil {
		t.early = nil
	}
	t.keep(p[:n], err)
	return n, err
}

func (t *tee) Close() error {
	if t.early != nil {
		t.early()
		t.early = nil
	}
	return t.ReadCloser.Close()
}

// lastByte holds the last byte of a body, or its end, until save has returned.
type lastByte struct {
	io.ReadCloser
	whole func() bool // all bytes have been read
	save  func()
	held  []byte
	err   error // that came with the held byte
}

func (b *lastByte) Read(p []byte) (int, error) {
	if b.held != nil {
		b.save()
		n := copy(p, b.held)
		if b.held = b.held[n:]; len(b.held) > 0 {
			return n, nil
		}
		b.held = nil
		return n, b.err
	}
	n, err := b.ReadCloser.Read(p)
	if err == nil && !b.whole() {
		return n, nil
	}
	if n < 2 {
		b.save()
		return n, err
	}
	b.held, b.err = []byte{p[n-1]}, err
	return n - 1, nil
}

// complete saves the turn, once.
func (x *exchange) complete() {
	x.finish.Do(func() {
		x.e.Ended = x.since()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second) // the agent may have gone
		defer cancel()
		n, err := x.save(ctx)
		if err != nil {
			x.t.opt.Log.Error("a request was forwarded and could not be recorded", "upstream", x.e.Upstream, "error", err)
			return
		}
		if x.t.opt.Recorded != nil {
			x.t.opt.Recorded(n, &x.e)
		}
	})
}

// save makes the turn and appends it.
func (x *exchange) save(ctx context.Context) (int, error) {
	x.asking.Lock()
	defer x.asking.Unlock() // what comes after the answer is not kept
	var lacks []string
	request, cut := x.plain(&x.request, x.coded, "request")
	lacks = append(lacks, cut...)
	answer, cut := x.plain(&x.answer, x.e.Encoding, "answer")
	lacks = append(lacks, cut...)
	x.e.RequestBytes, x.e.AnswerBytes = x.request.size, x.answer.size
	asked, err := wire.ReadRequest(x.e.Dialect, request)
	if err != nil {
		lacks = append(lacks, "the content of the request is unknown: "+text.Line(err.Error()))
		asked = &wire.Request{Dialect: x.e.Dialect}
	}
	x.e.Model, x.e.Stream = asked.Model, asked.Stream || strings.HasPrefix(x.answerIs, "text/event-stream")
	if x.e.Dialect == wire.Gemini {
		x.e.Model = geminiModel(x.e.URL)
	}
	if x.e.Status != 0 {
		if x.e.Answer, err = wire.ReadAnswer(x.e.Dialect, answer); err != nil {
			lacks = append(lacks, "the content of the answer is unknown: "+text.Line(err.Error()))
		}
	}
	page, pairing := pair(asked, x.seen())
	x.e.Pairing = pairing
	rec := &turn.Record{Meta: turn.Meta{Tool: x.t.opt.Tool}}
	secrets := x.secrets
	if page != nil {
		rec.Capture, rec.Picture, rec.Meta.Target = page.Capture, page.Picture, page.Tab
		secrets = slices.Concat(secrets, page.Secrets)
	} else {
		rec.Capture = &snapshot.Capture{Schema: snapshot.Schema, TakenAt: x.e.Began, URL: x.e.URL,
			Verdicts: map[snapshot.Verdict]int{}}
		lacks = append(lacks, "no page is paired with the request: "+pairing.Why)
	}
	rec.Action, rec.Payloads = x.action(secrets), x.payloads(request, answer, secrets)
	for i := range lacks {
		lacks[i] = text.Start(x.t.rules.Clean(lacks[i], secrets...), 1000)
	}
	rec.Lacks = lacks
	if rec.Exchange, err = x.record(secrets); err != nil {
		return 0, err
	}
	done, err := x.t.opt.Store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
		l.Assign(rec.Meta.Target, l.NextTurn(), rec.Capture)
		return rec, nil
	})
	if err != nil {
		return 0, fmt.Errorf("saving the turn: %w", err)
	}
	return done.N, nil
}

// seen are the pages of the moment when the request arrived.
func (x *exchange) seen() []Page {
	if x.pages == nil {
		return nil
	}
	timer := time.NewTimer(captureWait)
	defer timer.Stop()
	select {
	case pages := <-x.pages:
		return pages
	case <-timer.C:
		return []Page{{Err: errors.New("the page was not captured in time")}}
	}
}

// action is what a list of turns shows: who was asked, and the outcome.
func (x *exchange) action(secrets []redact.Secret) string {
	what := fmt.Sprintf("status %d", x.e.Status)
	switch a := x.e.Answer; {
	case x.e.Error != "":
		what = x.e.Error
	case a == nil || x.e.Status >= http.StatusBadRequest:
	case len(a.Calls) > 0:
		what = a.Calls[0].Name + " " + string(a.Calls[0].Arguments)
	case a.Text != "":
		what = a.Text
	}
	what = text.Start(text.Line(x.t.rules.Clean(what, secrets...)), 120)
	return text.Line("ask "+x.e.Upstream+" "+text.Start(x.t.rules.Clean(x.e.Model, secrets...), 80)) + ": " + what
}

// payloads are the bodies without secrets, an answer only where there is one.
func (x *exchange) payloads(request, answer []byte, secrets []redact.Secret) []turn.Payload {
	var out []turn.Payload
	add := func(way turn.Way, media string, body []byte) {
		clean, spans := redact.Body(body, x.t.rules, secrets...)
		p := turn.Payload{Dialect: x.e.Dialect, Model: text.Start(text.Line(x.e.Model), 200), Way: way,
			Media: text.Start(text.Line(media), 200), Bytes: clean, Wire: true}
		for _, s := range spans {
			p.Redacted = append(p.Redacted, turn.Span{Start: s.Start, End: s.End, Why: text.Start(s.Why, 200)})
		}
		out = append(out, p)
	}
	add(turn.Request, x.media, request)
	if len(answer) > 0 {
		add(turn.Answer, x.answerIs, answer)
	}
	return out
}

// record is the exchange as JSON, without secrets.
func (x *exchange) record(secrets []redact.Secret) (json.RawMessage, error) {
	raw, err := json.Marshal(x.e)
	if err != nil {
		return nil, fmt.Errorf("writing the exchange: %w", err)
	}
	return redact.JSON(raw, x.t.rules, secrets...)
}

// plain is a body as it was before it was encoded, and sentences about what is missing of it.
func (x *exchange) plain(b *keptBody, encoding, what string) ([]byte, []string) {
	var lacks []string
	if b.size > int64(b.Len()) {
		lacks = append(lacks, fmt.Sprintf("of the %s the first %d of %d bytes are kept", what, b.Len(), b.size))
	}
	body := b.Bytes()
	for _, name := range slices.Backward(strings.Split(encoding, ",")) {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" || name == "identity" || len(body) == 0 {
			continue
		}
		out, err := decode(name, body)
		if err != nil {
			lacks = append(lacks, fmt.Sprintf("the %s is in the encoding %s, which could not be read to its end: %s", what,
				text.Line(name), text.Line(err.Error())))
		}
		if len(out) == 0 {
			break
		}
		body = out
	}
	return body, lacks
}

// decode removes one content encoding (RFC 9110, 8.4.1; RFC 7932; RFC 8878), up to the first
// error and up to [maxKept] bytes.
func decode(encoding string, body []byte) ([]byte, error) {
	in := bytes.NewReader(body)
	var r io.Reader
	switch encoding {
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		r = z
	case "br":
		r = brotli.NewReader(in)
	case "zstd":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxKept))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	case "deflate":
		r = flate.NewReader(in)
		if len(body) > 2 && body[0]&0x0f == 8 && (int(body[0])<<8|int(body[1]))%31 == 0 { // zlib's header, RFC 1950
			r = flate.NewReader(bytes.NewReader(body[2:]))
		}
	default:
		return nil, errors.New("it is not known")
	}
	var out bytes.Buffer
	_, err := io.Copy(&out, io.LimitReader(r, maxKept))
	return out.Bytes(), err
}

// geminiModel is the model in the path of a request: …/models/NAME:generateContent.
func geminiModel(address string) string {
	_, rest, _ := strings.Cut(address, "/models/")
	name, _, _ := strings.Cut(rest, ":")
	return name
}
