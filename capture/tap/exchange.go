package tap

import (
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Exchange is how one request and its answer crossed the wire, and the page that they belong
// to. It is [turn.Record.Exchange].
type Exchange struct {
	exchange.Exchange
	Pairing exchange.Pairing `json:"pairing"`
	// Removed are the elements that the request lists and its page has not any more, with the places that they had.
	Removed []observation.Was `json:"removed,omitempty"`
}

// maxKept is how many bytes of one body are kept in memory and in the turn. What is longer is forwarded whole; the turn
// records that it was cut, and has the first cutKept bytes, as no more can be read of it: a stream of events the first
// maxKept.
const (
	maxKept = 64 << 20
	cutKept = 1 << 20
)

// largeBody is from how many bytes on the bodies of an exchange are large: one such turn is made at a time, and what it
// took is given back at once.
const largeBody = 8 << 20

// growAtOnce is how much room a request's body gets before it comes, by the length that its
// header declares; more is made as it comes.
const growAtOnce = 4 << 20

// roundTrip is one request under way. The proxy reads its bodies from one goroutine each.
type roundTrip struct {
	t        *Tap
	e        Exchange
	media    string // of the request
	coded    string // encoding of the request
	target   *url.URL
	header   http.Header // of the request
	own      string      // path of the tap's own address to which it came; "" where it did not
	tab      string      // in which the page that asks is, by the browser's id; "" where no page does
	lacks    []string    // what is not recorded of a WebSocket
	secrets  []redact.Secret
	pages    <-chan Page // of the moment when the request arrived; nil without a watcher
	seeing   sync.Mutex
	came     []Page     // guarded by seeing: of pages, as far as they have come
	asking   sync.Mutex // an answer may come before the request has been read
	request  keptBody   // guarded by asking, as Exchange.Sent is
	settled  bool       // guarded by asking: the turn is being saved, and what of the request comes later is not kept
	answer   keptBody
	answerIs string      // media type
	back     http.Header // of the answer; nil without one

	sent   *tee          // the request's body as the upstream reads it, nil without one
	read   chan struct{} // closed when the request has been read, of a WebSocket as far as it asks
	asks   func() []byte // the request then, without its encodings
	whole  func()        // notes it, and closes read
	finish sync.Once
	over   bool          // nothing is added any more; for the goroutine of the answer
	saved  chan struct{} // closed when the turn is saved; set by finish
}

// keptBody is a body as it goes by.
type keptBody struct {
	bytes.Buffer
	size   int64 // of the whole body
	stream bool  // its beginning can be read alone
	cut    bool  // it is longer than is kept
}

func (k *keptBody) keep(p []byte) {
	k.size += int64(len(p))
	switch {
	case !k.cut && k.Len()+len(p) <= maxKept:
		k.Write(p)
	case k.stream:
		k.cut = true
		k.Write(p[:max(maxKept-k.Len(), 0)])
	case !k.cut:
		k.isLong()
		fallthrough
	default:
		k.Write(p[:min(len(p), max(cutKept-k.Len(), 0))])
	}
}

// isLong drops what is not kept of a body that is too long.
func (k *keptBody) isLong() {
	k.cut = true
	k.Buffer = *bytes.NewBuffer(bytes.Clone(k.Bytes()[:min(k.Len(), cutKept)]))
}

// Observer looks on while one request and its answer are forwarded. Its methods are called once at most, the last one
// always.
type Observer interface {
	// Request is given the body that is sent on, and returns one with the same bytes.
	Request(body io.ReadCloser) io.ReadCloser
	// Answered is given the answer before its body is read, and may change how that is read, not its bytes.
	Answered(resp *http.Response)
	// Failed says that there is no answer.
	Failed(err error)
	// Complete is called when all is over.
	Complete()
}

// begin starts the record of a request; nil for one that asks no model, such as a list of
// models.
func (t *Tap) begin(r *http.Request, up Upstream, target *url.URL) Observer {
	if t.opt.Observe != nil {
		return t.opt.Observe(r)
	}
	dialect := wire.DialectOf(target.Path)
	if dialect == wire.Other || r.Method != http.MethodPost {
		if r.Method == http.MethodPost && wire.AsksOtherwise(target.Path) {
			t.warn(warnProtocol, target.Host)
		}
		return nil
	}
	x := t.roundTrip(up.Name, r.Method, dialect, target, r.Header)
	x.own = r.URL.EscapedPath()
	if r.ContentLength > maxKept {
		x.request.isLong()
	}
	x.request.Grow(int(max(min(r.ContentLength, growAtOnce), 0)))
	// The watcher ends the capture by its own deadline; the request may be over before.
	x.see(context.WithoutCancel(r.Context()))
	return x
}

// roundTrip makes the record of a request that begins now.
func (t *Tap) roundTrip(upstream, method, dialect string, target *url.URL, h http.Header) *roundTrip {
	x := &roundTrip{t: t, media: h.Get("Content-Type"), coded: h.Get("Content-Encoding"), header: h, target: target,
		read: make(chan struct{})}
	x.e.Upstream, x.e.Method, x.e.Dialect, x.e.Began = upstream, method, dialect, time.Now().UTC()
	x.whole = sync.OnceFunc(func() {
		raw := x.request.Bytes() // what is added later, as to a WebSocket, comes behind these
		x.asks = sync.OnceValue(func() []byte {
			body, _ := plain(raw, x.coded, "")
			return body
		})
		close(x.read)
	})
	return x
}

// see captures the pages of this moment, where a browser is watched.
func (x *roundTrip) see(ctx context.Context) {
	if w := x.t.opt.Watcher; w != nil {
		pages := make(chan Page, 6*maxWatched)
		x.pages = pages
		x.t.running.Go(func() {
			defer close(pages)
			w.CapturePages(ctx, func() []byte { return x.asked(ctx) }, func(p Page) { pages <- p })
		})
	}
}

// readWait is how long a capture waits for a request that is still being read.
const readWait = time.Second

// asked is the request's body once it has been read; nil where that takes too long.
func (x *roundTrip) asked(ctx context.Context) []byte {
	wait := time.NewTimer(readWait)
	defer wait.Stop()
	select {
	case <-x.read:
		return x.asks()
	case <-wait.C:
	case <-ctx.Done():
	}
	return nil
}

func (x *roundTrip) since() float64 { return float64(time.Since(x.e.Began).Microseconds()) / 1000 }

// Request keeps the request's body as the upstream reads it.
func (x *roundTrip) Request(body io.ReadCloser) io.ReadCloser {
	// The transport closes what it does not send, which would throw it away.
	x.sent = &tee{io.NopCloser(body), func(p []byte, err error) {
		x.asking.Lock()
		defer x.asking.Unlock()
		if !x.settled {
			if x.request.keep(p); err != nil {
				x.e.Sent = x.since()
			}
		}
		if err != nil {
			x.whole()
		}
	}, nil}
	return x.sent
}

// Answered keeps the answer's body as the agent reads it. The turn is saved before the last
// byte is forwarded, so that no answer is lost; the bytes before do not wait.
func (x *roundTrip) Answered(resp *http.Response) {
	x.e.Status, x.e.Encoding = resp.StatusCode, resp.Header.Get("Content-Encoding")
	x.e.RetryAfter = text.Start(text.Line(resp.Header.Get("Retry-After")), 100)
	x.answerIs = resp.Header.Get("Content-Type")
	x.back = resp.Header
	if x.answer.stream = strings.HasPrefix(x.answerIs, "text/event-stream"); resp.ContentLength > maxKept &&
		!x.answer.stream {
		x.answer.isLong()
	}
	left := resp.ContentLength
	keep := func(p []byte, err error) {
		if x.over {
			return
		}
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
		if !x.over && x.e.Error == "" && (left < 0 || x.answer.size < left) {
			x.e.Error = "the agent broke off the answer"
		}
	}
	body := &tee{resp.Body, keep, early}
	resp.Body = &lastByte{ReadCloser: body, whole: func() bool { return left >= 0 && x.answer.size >= left },
		save: x.Complete}
}

// Failed notes that the upstream was not reached, or that the agent went away before. Nobody has read the request then
// where no connection was made, and it is kept all the same; but an agent that waits for leave to send never sends it.
func (x *roundTrip) Failed(err error) {
	x.asking.Lock()
	unread := x.sent != nil && x.request.size == 0
	x.asking.Unlock()
	if unread && x.header.Get("Expect") == "" {
		_, _ = io.Copy(io.Discard, x.sent) // an agent that went away sends no more
	}
	x.e.Error = "the upstream could not be reached: " + reason(err)
	if errors.Is(err, context.Canceled) {
		x.e.Error = "the agent broke off the request"
	}
}

// reason is an error of the network without the address, which may hold a key.
func reason(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
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

// Bounds of saving a turn: the last byte of an answer waits for it so long, and where many are
// to be saved, or somebody else writes to the session, the rest of the saving does not hold the agent.
const (
	saveHolds = 30 * time.Second
	saveLasts = 10 * time.Minute
)

// Complete saves the turn, once. It returns when the turn is on the disk, or after
// [saveHolds]; the tap waits for the rest.
func (x *roundTrip) Complete() {
	x.finish.Do(func() {
		x.e.Ended, x.over = x.since(), true
		x.saved = make(chan struct{})
		x.t.running.Go(func() {
			defer close(x.saved)
			ctx, cancel := context.WithTimeout(context.Background(), saveLasts) // the agent may have gone
			defer cancel()
			n, err := x.save(ctx)
			if err != nil {
				x.t.opt.Log.Error("a request was forwarded and could not be recorded", "upstream",
					x.e.Upstream, "error", err)
				return
			}
			if x.t.opt.Recorded != nil {
				x.t.opt.Recorded(n, &x.e)
			}
		})
	})
	timer := time.NewTimer(saveHolds)
	defer timer.Stop()
	select {
	case <-x.saved:
	case <-timer.C:
	}
}

// save makes the turn and appends it.
func (x *roundTrip) save(ctx context.Context) (int, error) {
	x.asking.Lock()
	defer x.asking.Unlock()
	x.settled = true
	if x.request.Len()+x.answer.Len() >= largeBody || x.request.cut || x.answer.cut {
		select {
		case x.t.large <- struct{}{}:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		defer func() {
			<-x.t.large
			x.request.Buffer, x.answer.Buffer = bytes.Buffer{}, bytes.Buffer{}
			debug.FreeOSMemory()
		}()
	}
	// What the agent does not wait for: while it waits, nothing is looked for.
	x.secrets = exchange.Credentials(x.header, x.target.Query())
	for _, s := range exchange.Credentials(x.back, nil) {
		x.secrets = redact.Add(x.secrets, s)
	}
	seen := x.seen() // learns what profiles withhold
	rules, secrets, unsaid := x.t.opt.Watcher.Withheld(seen)
	if rules == nil {
		rules = x.t.rules
	}
	secrets = slices.Concat(x.secrets, secrets)
	x.e.URL = rules.CleanAddress(x.target.String(), secrets...)
	lacks := append(x.lacks, unsaid...)
	request, cut := x.plain(&x.request, x.coded, "request")
	lacks = append(lacks, cut...)
	answer, cut := x.plain(&x.answer, x.e.Encoding, "answer")
	lacks = append(lacks, cut...)
	if strings.HasPrefix(x.answerIs, wire.EventStream) {
		var err error
		if answer, err = wire.Unframe(answer); err != nil {
			lacks = append(lacks, "of the answer the events before its end are kept: "+err.Error())
		}
		x.answerIs = "text/event-stream"
	}
	x.e.RequestBytes, x.e.AnswerBytes = x.request.size, x.answer.size
	b := exchange.Bodies{Request: request, Answer: answer, RequestMedia: x.media, AnswerMedia: x.answerIs, Wire: true}
	asked, unread := x.e.Read(b)
	lacks = append(lacks, unread...)
	asked = x.t.links.follow(asked)
	x.e.Model = cmp.Or(x.e.Model, strings.TrimPrefix(asked.Model, "models/")) // which only the first message names
	x.t.links.remember(asked, x.e.Answer)
	page, pairing := pairActed(asked, x.e.Answer, seen, cmp.Or(x.tab, x.t.tabOf(x)))
	if pairing.Moment == turn.BeforeRequest {
		pairing.Age = float64(x.e.Began.Sub(page.Capture.TakenAt).Microseconds()) / 1000
	}
	x.e.Pairing = pairing
	for _, p := range seen {
		x.t.known.Learn(redact.Kept{Seen: p.Secrets})
	}
	pages := seen // where it is not known which of them the request is about
	if page != nil {
		pages = []Page{*page}
	}
	typed := Typed(asked, x.e.Answer, observation.Known(observation.InMessages(asked)), pages)
	for _, s := range typed {
		x.t.known.Type(s.Value, s.Why)
	}
	secrets = slices.Concat(secrets, typed, x.t.known.All())
	x.e.Removed = removed(asked, page)
	keeper := x.t.keeper
	keeper.Rules = rules
	return keeper.Keep(ctx, &x.e, b, page, lacks, secrets...)
}

// link is a request with its answer, from which others may go on: the vendor holds both.
type link struct {
	asked  *wire.Request
	answer *wire.Answer
	size   int // of the texts of both
}

// links are the newest of them, the oldest first. They are safe for concurrent use.
type links struct {
	mu   sync.Mutex
	list []link
}

// How many requests are remembered for those that go on from their answers, and how many bytes their texts have.
const (
	maxLinks    = 64
	maxLinkedTo = 16 << 20
)

// follow is a request with the messages before it that the vendor holds, as far as they were recorded.
func (k *links) follow(r *wire.Request) *wire.Request {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, l := range slices.Backward(k.list) {
		if r.GoesOnFrom(l.asked, l.answer.ID) {
			r = r.After(l.asked, l.answer)
			break
		}
	}
	r.Recall(func(id string) (wire.ToolCall, bool) {
		for _, l := range k.list {
			if at := slices.IndexFunc(l.answer.Calls, func(c wire.ToolCall) bool { return c.ID == id }); at >= 0 {
				return l.answer.Calls[at], true
			}
		}
		return wire.ToolCall{}, false
	})
	return r
}

// remember notes an answer from which others may go on, and what was asked, without its pictures.
func (k *links) remember(r *wire.Request, a *wire.Answer) {
	if a == nil || r.Thread == "" && (!wire.Chains(r.Dialect) || a.ID == "") {
		return
	}
	out, size := *r, len(a.Text)+len(a.Reasoning)
	out.Messages = slices.Clone(r.Messages)
	first := len(out.Messages) // of those that are kept: a conversation goes on for days
	for i, m := range slices.Backward(out.Messages) {
		out.Messages[i].Parts = slices.DeleteFunc(slices.Clone(m.Parts),
			func(p wire.Part) bool { return p.Kind == wire.Image })
		for _, p := range out.Messages[i].Parts {
			size += len(p.Text) + len(p.Arguments)
		}
		if size > maxLinkedTo/4 && first < len(out.Messages) {
			break
		}
		first = i
	}
	out.Messages = out.Messages[first:]
	for _, c := range a.Calls {
		size += len(c.Arguments)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	kept, all := []link{{&out, a, size}}, size
	for _, l := range slices.Backward(k.list) { // the newest of them
		if all += l.size; all > maxLinkedTo || len(kept) == maxLinks {
			break
		}
		kept = append(kept, l)
	}
	slices.Reverse(kept)
	k.list = kept
}

// removed are the elements that a request lists, and that its page has not any more and had when it was captured
// before.
func removed(r *wire.Request, page *Page) []observation.Was {
	if page == nil || page.before == nil {
		return nil
	}
	known := observation.Known(observation.InMessages(r))
	if known == nil || known.Guessed {
		return nil
	}
	own := known.Again()
	tie.New(page.Capture).Tie(own)
	out := tie.New(page.before).Recall(own)
	return out[:min(len(out), maxRemoved)]
}

// maxRemoved is how many removed elements a turn keeps.
const maxRemoved = 200

// Keeper writes exchanges to a session.
type Keeper struct {
	Store *turn.Store
	Tool  string // the name of this program in what it records
	Rules *redact.Redactor
}

// Keep makes a turn of an exchange, its bodies and the page that it is paired with, nil for none, and returns the
// turn's number. Nothing that rules or secrets withhold, or the page holds, is in it.
func (k Keeper) Keep(ctx context.Context, e *Exchange, b exchange.Bodies, page *Page, lacks []string,
	secrets ...redact.Secret) (int, error) {
	rec := &turn.Record{Meta: turn.Meta{Tool: k.Tool}}
	if page != nil {
		rec.Capture, rec.Picture, rec.Meta.Target, rec.Profile = page.Capture, page.Picture, page.Tab, page.Profile
		secrets = slices.Concat(secrets, page.Secrets)
		if page.Hidden {
			lacks = append(lacks, "the page has no picture: its tab was hidden behind another")
		}
	} else {
		rec.Capture = &snapshot.Capture{Schema: snapshot.Schema, TakenAt: e.Began, URL: e.URL,
			Verdicts: map[snapshot.Verdict]int{}}
		lacks = append(lacks, e.Pairing.Lack())
	}
	if err := e.Fill(rec, b, e, lacks, k.Rules, secrets...); err != nil {
		return 0, err
	}
	done, err := k.Store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
		l.Assign(rec.Meta.Target, l.NextTurn(), rec.Capture)
		return rec, nil
	})
	if err != nil {
		return 0, fmt.Errorf("saving the turn: %w", err)
	}
	return done.N, nil
}

// seen are the pages of the moment when the request arrived, each as far as it was captured in time.
func (x *roundTrip) seen() []Page {
	if x.pages == nil {
		return nil
	}
	x.seeing.Lock()
	defer x.seeing.Unlock()
	timer := time.NewTimer(captureWait)
	defer timer.Stop()
	longer := false
	for {
		select {
		case p, more := <-x.pages:
			if !more {
				return x.came
			}
			x.came = slices.DeleteFunc(x.came,
				func(before Page) bool { return before.Tab == p.Tab && before.Gone == p.Gone })
			if p.Capture != nil || p.Err != nil {
				x.came = append(x.came, p)
			}
		case <-timer.C:
			if longer || !x.t.opt.Watcher.Reading() {
				return x.came
			}
			longer = true
			timer.Reset(readingWait)
		}
	}
}

// plain is a body as it was before it was encoded, and sentences about what is missing of it.
func (x *roundTrip) plain(b *keptBody, encoding, what string) ([]byte, []string) {
	var lacks []string
	if b.size > int64(b.Len()) {
		lacks = append(lacks, fmt.Sprintf("of the %s the first %d of %d bytes are kept", what, b.Len(), b.size))
	}
	body, unread := plain(b.Bytes(), encoding, what)
	return body, append(lacks, unread...)
}

// plain is [roundTrip.plain] of what is kept of a body.
func plain(body []byte, encoding, what string) ([]byte, []string) {
	var lacks []string
	for _, name := range slices.Backward(strings.Split(encoding, ",")) {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" || name == "identity" || len(body) == 0 {
			continue
		}
		out, err := Decode(name, body)
		if err != nil {
			lacks = append(lacks, fmt.Sprintf("the %s is in the encoding %s, which could not be read to its end: %s",
				what,
				text.Line(name), text.Line(err.Error())))
		}
		if len(out) == 0 {
			break
		}
		body = out
	}
	return body, lacks
}

// Decode removes one content encoding (RFC 9110, 8.4.1; RFC 7932; RFC 8878), up to the first
// error and up to [maxKept] bytes.
func Decode(encoding string, body []byte) ([]byte, error) {
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
