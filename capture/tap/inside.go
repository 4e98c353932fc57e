package tap

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/wire"
)

// program runs the code of an extension: its worker, its page in the background, at the side, in a tab or in a frame.
type program struct {
	ctx context.Context // ends when its browser is left
	in  *browser.Browser
	id  string
}

// heard is a session of a tab's documents or workers, in which an extension may have a frame or a script.
type heard struct {
	ctx context.Context // ends when the tab is left
	in  *browser.Browser
	s   *browser.Session
	tab string // the browser's id; "" for a program of an extension
}

// overhear calls look with each program of an extension that starts from now on, and with those that run, and hear with
// each session of the tabs that are looked at, before anything is asked of it: hear must not wait. A nil watcher has
// none.
func (w *Watcher) overhear(look func(p program), hear func(h heard)) {
	if w == nil {
		return
	}
	w.mu.Lock()
	w.look = func(p program) { w.keeping.Go(func() { look(p) }) }
	for _, p := range w.programs {
		w.look(p)
	}
	w.programs = nil
	w.mu.Unlock()
	w.hearing.Lock()
	defer w.hearing.Unlock()
	for w.hear = hear; len(w.heard) > 0; w.heard = w.heard[1:] {
		hear(w.heard[0])
	}
}

// hears is told of a session of a tab.
func (w *Watcher) hears(h heard) {
	w.hearing.Lock()
	defer w.hearing.Unlock()
	if w.hear != nil {
		w.hear(h)
		return
	}
	w.heard = append(slices.DeleteFunc(w.heard, func(h heard) bool { return over(h.s.Gone()) }), h)
}

// over reports whether a channel is closed.
func over(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// passing is a request to a model that an extension or a page sends, as Chrome tells of it.
type passing struct {
	*roundTrip
	id     network.RequestID
	from   heard
	answer chan http.Response // holds one at most
	end    chan error         // holds one at most
}

// The events of the protocol's network and fetch domains as far as they are used.
type (
	asksEvent struct {
		RequestID   network.RequestID `json:"requestId"`
		DocumentURL string            `json:"documentURL"`
		WallTime    float64           `json:"wallTime"` // s since 1970
		Initiator   initiator         `json:"initiator"`
		Request     struct {
			URL     string          `json:"url"`
			Method  string          `json:"method"`
			Headers network.Headers `json:"headers"`
		} `json:"request"`
	}
	initiator struct {
		Stack struct {
			Frames []struct {
				URL string `json:"url"`
			} `json:"callFrames"`
		} `json:"stack"`
	}
	answersEvent struct {
		RequestID network.RequestID `json:"requestId"`
		Response  struct {
			URL     string          `json:"url"`
			Status  int             `json:"status"`
			Headers network.Headers `json:"headers"`
		} `json:"response"`
	}
	pausedEvent struct { // of the fetch domain
		RequestID fetch.RequestID   `json:"requestId"`
		NetworkID network.RequestID `json:"networkId"`
	}
	endsEvent struct { // also of one that fails
		RequestID network.RequestID `json:"requestId"`
		ErrorText string            `json:"errorText"`
		Canceled  bool              `json:"canceled"`
	}
)

// ofExtension begins the addresses of an extension.
const ofExtension = "chrome-extension://"

// injected reports whether the script that asks is none of the page's own files: one of an extension, or one that was
// put in without an address, as chrome.scripting.executeScript does.
func (i initiator) injected() bool {
	own := len(i.Stack.Frames) == 0
	for _, f := range i.Stack.Frames {
		if strings.HasPrefix(f.URL, ofExtension) {
			return true
		}
		own = own || f.URL != ""
	}
	return !own
}

// told is what Chrome has told of requests to models. Several sessions may tell of one, as those of a page and of its
// tab do.
type told struct {
	requests map[toldRequest]bool
	recent   []toldAt // the last ones
	warned   map[string]bool
}

type toldRequest struct {
	in *browser.Browser
	id network.RequestID
}

type toldAt struct {
	by, url string  // the address of the document or worker that asks, and of the model
	at      float64 // ms since 1970
	tab     string  // in which it is, by the browser's id; "" where no page asks
}

// maxRecent is how many requests are remembered by their addresses, to tell those that nobody told of.
const maxRecent = 64

// isNew notes a request to a model or a WebSocket; false where it was told of before.
func (t *Tap) isNew(h heard, id network.RequestID, at toldAt) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.told.requests[toldRequest{h.in, id}] {
		return false
	}
	if t.told.requests == nil {
		t.told.requests = map[toldRequest]bool{}
	}
	t.told.requests[toldRequest{h.in, id}] = true
	t.told.recent = append(t.told.recent, at)
	t.told.recent = t.told.recent[max(0, len(t.told.recent)-maxRecent):]
	return true
}

// warn says once what is not recorded of what a browser sends, and where it goes.
func (t *Tap) warn(what, host string) {
	t.mu.Lock()
	again := t.told.warned[what+host]
	if t.told.warned == nil {
		t.told.warned = map[string]bool{}
	}
	t.told.warned[what+host] = true
	t.mu.Unlock()
	if !again {
		t.opt.Log.Warn(what, "host", t.rules.Clean(host))
	}
}

// Warnings about what is not recorded.
const (
	warnEarly = "an extension asked a model before it could be listened to: that request is not recorded"
	warnPage  = "a page's own script asks a model by itself: that is not recorded; name the page's origin with " +
		"--allow-origin"
	warnPageSocket = "a page's own script asks a model over a WebSocket: that is not recorded; name the page's " +
		"origin with --allow-origin, and give the script a base URL of the tap"
	warnWebRTC = "an extension speaks to a model by WebRTC, of which Chrome tells nothing: what is said there is not " +
		"recorded"
	warnProtocol    = "a model is asked in a protocol that is not known: that is forwarded, and not recorded"
	warnSocket      = "an extension has a WebSocket that is not recorded: its protocol is not known"
	warnSocketEarly = "an extension asks a model over a WebSocket that was opened before it could be listened to: " +
		"that is not recorded"
)

// lookInside records what a program of an extension asks of models, until it ends or its browser is left. Chrome is
// listened to; nothing in its way is changed, and only an answer waits: see holdAnswers.
func (t *Tap) lookInside(p program) {
	ctx, end := context.WithCancel(p.ctx) // of its workers too
	defer end()
	s, err := p.in.AttachProgram(ctx, p.id, func(s *browser.Session) { t.hear(heard{ctx, p.in, s, ""}, true) })
	if err != nil {
		t.opt.Log.Debug("looking into an extension", "error", err)
		return
	}
	t.opt.Log.Debug("an extension is listened to", "program", p.id)
	t.missed(heard{ctx, p.in, s, ""})
	select {
	case <-s.Gone():
	case <-p.ctx.Done():
		ctx, cancel := browser.Within(context.WithoutCancel(p.ctx), seeDeadline)
		defer cancel()
		if err := p.in.Leave(ctx, s); err != nil {
			t.opt.Log.Debug("leaving an extension", "error", err)
		}
	}
}

// fetched are the addresses that a program has fetched from, and when, ms since 1970.
const fetched = `performance.getEntriesByType("resource").filter(e => /^(fetch|xmlhttprequest)$/.test(e.initiatorType))
	.map(e => ({by: location.href, url: e.name, at: performance.timeOrigin + e.startTime}))`

// missed warns of requests that a program sent before it was listened to. Since then, Chrome tells of each.
func (t *Tap) missed(h heard) {
	ctx, cancel := context.WithTimeout(h.ctx, missedWait)
	defer cancel()
	yes := true
	got, err := cdp.Call(ctx, h.s, runtime.Evaluate, runtime.EvaluateParams{Expression: fetched, ReturnByValue: &yes})
	var all []struct {
		By  string  `json:"by"`
		URL string  `json:"url"`
		At  float64 `json:"at"`
	}
	if err != nil || got.Result == nil || json.Unmarshal(got.Result.Value, &all) != nil {
		t.opt.Log.Debug("asking an extension what it has fetched", "error", err)
		return
	}
	for _, f := range all {
		if u, err := url.Parse(f.URL); err == nil && wire.DialectOf(u.Path) != wire.Other && !t.ours(u) &&
			f.At >= t.began && !t.wasTold(toldAt{f.By, f.URL, f.At, ""}) {
			t.opt.Log.Warn(warnEarly)
		}
	}
}

// How long a program may take to say what it has fetched; and by how much the clocks of the browser and of its page may
// differ, ms.
const (
	missedWait = 5 * time.Second
	clocks     = 500
)

// wasTold reports whether Chrome told of a request at that moment.
func (t *Tap) wasTold(of toldAt) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.told.recent,
		func(r toldAt) bool { return r.by == of.by && r.url == of.url && math.Abs(r.at-of.at) < clocks })
}

// tabOf is the tab whose page sent a request that came to the tap itself: the only one of whose pages Chrome told so;
// "" where none did, or several. The page's origin is in the request.
func (t *Tap) tabOf(x *roundTrip) string {
	origin, came := x.header.Get("Origin"), float64(x.e.Began.UnixMilli())
	t.mu.Lock()
	defer t.mu.Unlock()
	found := -1
	for k, told := range t.told.recent {
		by, err := url.Parse(told.by)
		to, unread := url.Parse(told.url)
		if err != nil || unread != nil || origin == "" || by.Scheme+"://"+by.Host != origin ||
			to.EscapedPath() != x.own || told.at > came+clocks || told.at < came-asksFor || told.tab == "" {
			continue
		}
		switch {
		case found < 0:
			found = k
		case t.told.recent[found].tab != told.tab:
			return ""
		}
	}
	if found < 0 {
		return ""
	}
	tab := t.told.recent[found].tab
	t.told.recent = slices.Delete(t.told.recent, found, found+1) // the next request has one of its own
	return tab
}

// asksFor is how long before a page's request arrives Chrome may have told of it, ms: it asks for leave first.
const asksFor = 5000

// listen is [Tap.hear] in a session of a tab.
func (t *Tap) listen(h heard) { t.hear(h, false) }

// hear records what extensions, and pages of a named origin, ask of models in a session; program says that it is one of
// an extension's program.
func (t *Tap) hear(h heard, program bool) {
	open := map[network.RequestID]*passing{} // of the goroutine that reads from Chrome; nil for one that asks no model
	posts := func(raw []byte) bool { return program || bytes.Contains(raw, []byte(`"POST"`)) }
	browser.OnEventWhere(h.s, "Network.requestWillBeSent", posts, func(ev *asksEvent) {
		if _, again := open[ev.RequestID]; again { // it is redirected
			return
		}
		x := t.passes(h, ev)
		switch {
		case x != nil:
			open[ev.RequestID] = x
			go x.follow()
		case program:
			open[ev.RequestID] = nil
		}
	})
	some := func([]byte) bool { return program || len(open) > 0 }
	browser.OnEventWhere(h.s, "Network.responseReceived", some, func(ev *answersEvent) {
		x, known := open[ev.RequestID]
		switch {
		case x != nil && len(x.answer) == 0:
			x.answer <- http.Response{StatusCode: ev.Response.Status, Header: headers(ev.Response.Headers)}
		case program && !known && asksModel(ev.Response.URL) && t.isNew(h, ev.RequestID, toldAt{}):
			t.opt.Log.Warn(warnEarly)
		}
	})
	ended := func(id network.RequestID, err error) {
		if x := open[id]; x != nil {
			x.end <- err
		}
		delete(open, id)
	}
	browser.OnEventWhere(h.s, "Network.loadingFinished", some, func(ev *endsEvent) { ended(ev.RequestID, nil) })
	browser.OnEventWhere(h.s, "Network.loadingFailed", some, func(ev *endsEvent) {
		if ev.Canceled {
			ended(ev.RequestID, context.Canceled)
			return
		}
		ended(ev.RequestID, errors.New(ev.ErrorText))
	})
	if program {
		t.holdAnswers(h, func(id network.RequestID) *passing { return open[id] })
	}
	t.hearSockets(h, program)
}

// holdAnswers has Chrome hold the answers to an extension's requests of a model until the pages of the moment are
// captured, as the tap's own forwarding does: the agent acts on what it is answered. asked is the request of that id,
// nil for none. What is held goes on where the tap ends or leaves the browser.
func (t *Tap) holdAnswers(h heard, asked func(network.RequestID) *passing) {
	browser.OnEvent(h.s, "Fetch.requestPaused", func(ev *pausedEvent) {
		x := asked(ev.NetworkID)
		goOn := func() {
			_ = h.s.Post(h.ctx, fetch.ContinueRequest.Method, fetch.ContinueRequestParams{RequestID: ev.RequestID})
		}
		if x == nil || !t.enter() {
			goOn()
			return
		}
		go func() {
			defer t.running.Done()
			x.seen()
			goOn()
		}()
	})
	var held fetch.EnableParams
	for _, pattern := range wire.Patterns() {
		held.Patterns = append(held.Patterns,
			&fetch.RequestPattern{URLPattern: pattern, RequestStage: fetch.RequestStageResponse})
	}
	_ = h.s.Post(h.ctx, fetch.Enable.Method, held) // not every kind of program asks for anything
}

// ours reports whether an address is one of the tap itself, which records what comes to it.
func (t *Tap) ours(u *url.URL) bool {
	_, _, ours := t.route(u.EscapedPath())
	return ours && address.IsLoopback(u.Hostname())
}

// upstreamOf is the name of the upstream at a host, or the host where it is none.
func (t *Tap) upstreamOf(host string) (name string, known bool) {
	for _, u := range t.upstreams {
		if u.URL.Host == host {
			return u.Name, true
		}
	}
	return host, false
}

// passes begins the record of a request; nil for one that asks no model, or that comes through the tap itself, or that
// another session has told of.
func (t *Tap) passes(h heard, ev *asksEvent) *passing {
	target, err := url.Parse(ev.Request.URL)
	if err != nil || ev.Request.Method != http.MethodPost {
		return nil
	}
	at := toldAt{ev.DocumentURL, ev.Request.URL, ev.WallTime * 1000, h.tab}
	if t.ours(target) {
		t.isNew(h, ev.RequestID, at) // tabOf looks for it
		return nil
	}
	ofPage := !strings.HasPrefix(ev.DocumentURL, ofExtension) && !ev.Initiator.injected() && !t.named(ev.DocumentURL)
	dialect := wire.DialectOf(target.Path)
	if dialect == wire.Other {
		if path := strings.TrimSuffix(target.Path, "/calls"); !ofPage && wire.SocketDialectOf(path) != wire.Other {
			t.warn(warnWebRTC, target.Host)
		}
		return nil
	}
	if !t.isNew(h, ev.RequestID, at) || !t.enter() {
		return nil
	}
	upstream, _ := t.upstreamOf(target.Host)
	x := &passing{t.roundTrip(upstream, ev.Request.Method, dialect, target, headers(ev.Request.Headers)),
		ev.RequestID, h, make(chan http.Response, 1), make(chan error, 1)}
	if ofPage {
		go x.refuse()
		return nil
	}
	if t.named(ev.DocumentURL) {
		x.tab = h.tab
	}
	t.opt.Log.Debug("an extension or a page asks a model", "upstream", upstream)
	x.see(h.ctx)
	return x
}

// body is the request's body, and whether it asks a model: a path that ends like that of a model may be of something
// else, such as a chat between people.
func (x *passing) body() (body []byte, asks bool, err error) {
	got, err := cdp.Call(x.from.ctx, x.from.s, network.GetRequestPostData,
		network.GetRequestPostDataParams{RequestID: x.id})
	if err != nil {
		return nil, true, err
	}
	r, unread := wire.ReadRequest(x.e.Dialect, got.PostData)
	return got.PostData, unread == nil && (r.Model != "" || x.e.Dialect == wire.Gemini), nil
}

// refuse warns of a request of a page's own script, which is nobody's agent as far as is known.
func (x *passing) refuse() {
	defer x.t.running.Done()
	if _, asks, err := x.body(); asks && err == nil {
		x.t.warn(warnPage, x.target.Host)
	}
}

// asksModel reports whether an address is one that models are asked at.
func asksModel(at string) bool {
	u, err := url.Parse(at)
	return err == nil && wire.DialectOf(u.Path) != wire.Other
}

// headers are those that Chrome tells; several of one name stand in lines.
func headers(told network.Headers) http.Header {
	h := http.Header{}
	for name, value := range told {
		for line := range strings.SplitSeq(fmt.Sprint(value), "\n") {
			h.Add(name, line)
		}
	}
	return h
}

// Why nobody waits for the answer any more.
var (
	errEnded  = errors.New("what asked ended, or its browser")
	errClosed = errors.New("the tap ended before the answer did")
)

// follow waits for the end of the request and saves the turn.
func (x *passing) follow() {
	defer x.t.running.Done()
	over, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer x.t.hold(x, cancel)()
	asked, asks, err := x.body()
	if err != nil {
		x.lacks = append(x.lacks, "Chrome did not give the request's body: "+reason(err))
	}
	body := x.Request(io.NopCloser(bytes.NewReader(asked)))
	_, _ = io.Copy(io.Discard, body)
	if !asks {
		return
	}
	var answer *http.Response
	for {
		select {
		case r := <-x.answer:
			x.e.FirstByte, answer = x.since(), &r
			continue
		case err = <-x.end:
		case <-x.from.s.Gone():
			err = errEnded
		case <-x.from.ctx.Done():
			err = errEnded
		case <-over.Done():
			err = errClosed
		}
		break
	}
	if len(x.answer) > 0 { // both came at once
		r := <-x.answer
		x.e.FirstByte, answer = x.since(), &r
	}
	if answer == nil {
		switch err {
		case nil:
			x.e.Error = "Chrome told of the answer's end, and of no answer"
		case errEnded, errClosed:
			x.e.Error = "no answer came: " + err.Error()
		default:
			x.Failed(err)
		}
		x.Complete()
		return
	}
	x.take(answer, err)
}

// take keeps an answer, which is over: whole where err is nil. Chrome gives its body with its encodings taken off.
func (x *passing) take(answer *http.Response, err error) {
	got, unread := cdp.Call(x.from.ctx, x.from.s, network.GetResponseBody,
		network.GetResponseBodyParams{RequestID: x.id})
	switch {
	case err == nil && unread != nil:
		x.lacks = append(x.lacks, "Chrome did not give the answer's body: "+reason(unread))
	case err == nil:
		err = io.EOF
	}
	answer.Header.Del("Content-Encoding")
	answer.ContentLength = -1
	answer.Body = io.NopCloser(&ending{bytes.NewReader(got.Body), err})
	x.Answered(answer)
	_, _ = io.Copy(io.Discard, answer.Body) // saves the turn at its end
	x.Complete()
}

// ending reads bytes, and then gives an error.
type ending struct {
	*bytes.Reader
	err error
}

func (r *ending) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) && r.err != nil {
		err = r.err
	}
	return n, err
}

// The events of WebSockets as far as they are used.
type (
	socketEvent struct { // that one is opened, is asked for, answers, or ends
		RequestID network.RequestID `json:"requestId"`
		URL       string            `json:"url"`
		Initiator initiator         `json:"initiator"`
		Request   struct {
			Headers network.Headers `json:"headers"`
		} `json:"request"`
		Response struct {
			Status  int             `json:"status"`
			Headers network.Headers `json:"headers"`
		} `json:"response"`
		ErrorMessage string `json:"errorMessage"`
	}
	frameEvent struct {
		RequestID network.RequestID `json:"requestId"`
		Response  struct {
			Opcode float64 `json:"opcode"`
			Data   string  `json:"payloadData"` // Base64 where it is no text
		} `json:"response"`
	}
)

// overheard is a WebSocket of an extension.
type overheard struct {
	*socket
	vendor bool          // at an upstream's host; another one may be of something else than a model
	more   chan struct{} // holds one at most: a turn may be whole
	gone   chan struct{} // closed when Chrome tells of its end
}

// hearSockets records the WebSockets of a session.
func (t *Tap) hearSockets(h heard, program bool) {
	open := map[network.RequestID]*overheard{} // as in hear; nil for one that is not recorded
	browser.OnEvent(h.s, "Network.webSocketCreated", func(ev *socketEvent) {
		x := t.overhears(h, program, ev)
		if open[ev.RequestID] = x; x != nil {
			go x.follow(h)
		}
	})
	browser.OnEvent(h.s, "Network.webSocketWillSendHandshakeRequest", func(ev *socketEvent) {
		if x := open[ev.RequestID]; x != nil {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.header = headers(ev.Request.Headers)
		}
	})
	browser.OnEvent(h.s, "Network.webSocketHandshakeResponseReceived", func(ev *socketEvent) {
		if x := open[ev.RequestID]; x != nil {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.back = headers(ev.Response.Headers)
		}
	})
	message := func(ev *frameEvent, sent bool) {
		m := socketMessage{binary: ev.Response.Opcode != opText, body: []byte(ev.Response.Data)}
		if raw, err := base64.StdEncoding.DecodeString(ev.Response.Data); m.binary && err == nil {
			m.body = raw
		}
		x, known := open[ev.RequestID]
		switch {
		case x != nil:
			m.size = int64(len(m.body))
			x.hears(m, sent)
		case !known && program && sent && wire.SocketStepOf(wire.OpenAIResponses, m.body, sent) == wire.SocketAsks:
			t.warn(warnSocketEarly, "")
		}
	}
	browser.OnEvent(h.s, "Network.webSocketFrameSent", func(ev *frameEvent) { message(ev, true) })
	browser.OnEvent(h.s, "Network.webSocketFrameReceived", func(ev *frameEvent) { message(ev, false) })
	browser.OnEvent(h.s, "Network.webSocketFrameError", func(ev *socketEvent) {
		if x := open[ev.RequestID]; x != nil {
			why := reason(errors.New(ev.ErrorMessage))
			if x.ends("failed (" + why + ")"); x.back == nil { // which is written here alone
				t.opt.Log.Warn("a WebSocket of an extension could not be opened", "upstream", x.up.Name, "error", why)
			}
		}
	})
	browser.OnEvent(h.s, "Network.webSocketClosed", func(ev *socketEvent) {
		if x := open[ev.RequestID]; x != nil {
			x.ends("was closed")
			close(x.gone)
		}
		delete(open, ev.RequestID)
	})
}

// overhears begins the record of a WebSocket; nil for one that goes to no model, or is told of elsewhere.
func (t *Tap) overhears(h heard, program bool, ev *socketEvent) *overheard {
	target, err := url.Parse(ev.URL)
	if err != nil || t.ours(target) {
		return nil
	}
	dialect := wire.SocketDialectOf(target.Path)
	upstream, vendor := t.upstreamOf(target.Host)
	ofPage := !program && !ev.Initiator.injected()
	switch {
	case dialect == wire.Other && vendor && !ofPage:
		t.warn(warnSocket, target.Host)
		return nil
	case dialect == wire.Other:
		return nil
	case ofPage && vendor:
		t.warn(warnPageSocket, target.Host)
		return nil
	case ofPage, !t.isNew(h, ev.RequestID, toldAt{}) || !t.enter():
		return nil
	}
	t.opt.Log.Debug("an extension opens a WebSocket to a model", "upstream", upstream)
	return &overheard{newSocket(t, Upstream{Name: upstream}, target, dialect, nil), vendor, make(chan struct{}, 1),
		make(chan struct{})}
}

// hears takes a message.
func (x *overheard) hears(m socketMessage, sent bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.socket.over {
		return
	}
	if x.message(m, sent); len(x.whole) > 0 && len(x.more) == 0 {
		x.more <- struct{}{}
	}
}

// ends notes how the WebSocket ends, once.
func (x *overheard) ends(how string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.closing = cmp.Or(x.closing, how)
}

// follow saves the turns of the WebSocket until it ends.
func (x *overheard) follow(h heard) {
	defer x.t.running.Done()
	ended, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer x.t.hold(x, cancel)()
	for open := true; open; {
		select {
		case <-x.more:
		case <-x.gone:
			open = false
		case <-h.s.Gone():
			open = false
		case <-h.ctx.Done():
			open = false
		case <-ended.Done():
			open = false
		}
		x.save()
	}
	x.mu.Lock()
	if !x.vendor && x.asked == 0 {
		x.now = nil
	}
	x.mu.Unlock()
	x.end()
}
