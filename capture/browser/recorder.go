package browser

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// How many requests are kept; beyond it the oldest go that went well.
const (
	recordedLimit = 5_000 // of a tab
	layerLimit    = 2_000 // in a capture
)

// recorder keeps what a tab loads, in all its sessions: those of its frames and workers too. Addresses are cleaned of
// secrets before they are kept, as journal.keep does; headers and bodies are not looked at.
type recorder struct {
	log   *journal
	since time.Time

	mu      sync.Mutex
	list    []*recorded          // in the order in which they began
	open    map[string]*recorded // those under way, by Chrome's id; of a redirect the last hop
	hops    map[string]*hops     // by Chrome's id
	next    int                  // number of the next request
	loader  string               // Chrome's id of the document of the page in the tab
	before  string               // and of the page before
	lost    int                  // requests of the page that were forgotten
	changes int                  // so far
	given   int                  // how many changes there were when the last layer was made
	saved   int                  // and when that of the last turn was made that was saved
	savedTo int                  // the number of the next request then
	last    [2]string
	// content is when the document of the page had been parsed, loaded when it had loaded: Chrome's clock, s; 0 before.
	content, loaded float64
}

// hops are the requests under one id, each but the last of them redirected, and what the network told of their answers.
// That comes beside the other events: before, after, or alone where no answer reaches the page.
type hops struct {
	list []*recorded
	told []*answerExtra // not yet given to one of the list
}

// hopsLimit is how many ids are remembered whose requests are over: news of their answers may come later still.
const hopsLimit = 500

// Chrome's names of two types of requests.
const (
	typeDocument = "Document"
	typeSocket   = "WebSocket"
)

// recorded is a request with what is known of it for the time being.
type recorded struct {
	network.Request
	session *Session
	loader  string
	ticks   float64 // Chrome's monotonic clock when it began, s
	arrived time.Time
	ended   time.Time
	headers float64 // when the headers of the answer had come, Chrome's clock, s; 0 where that is not known
	changed int     // the recorder's changes when it changed last
	left    bool    // its page was left
	bare    bool    // the network tells nothing of its answer: it came from a cache
	told    bool    // the network has told of its answer
	empty   bool    // the server said that the answer has no body
	same    bool    // the server said 304, and the page gets what a cache has
}

func newRecorder(log *journal) *recorder {
	return &recorder{log: log, since: time.Now(), next: 1, open: map[string]*recorded{},
		hops: map[string]*hops{}}
}

// The events of the protocol's network domain as far as they are used: decoding headers, cookies and bodies would take
// most of the time.
type (
	requestStart struct {
		RequestID string `json:"requestId"`
		LoaderID  string `json:"loaderId"`
		FrameID   string `json:"frameId"`
		Type      string `json:"type"`
		Request   struct {
			URL         string `json:"url"`
			Fragment    string `json:"urlFragment"`
			Method      string `json:"method"`
			HasPostData bool   `json:"hasPostData"`
			PostData    []struct {
				Bytes string `json:"bytes"` // base64
			} `json:"postDataEntries"`
		} `json:"request"`
		Timestamp        float64         `json:"timestamp"` // s, of a monotonic clock
		WallTime         float64         `json:"wallTime"`  // s since 1970
		Initiator        initiator       `json:"initiator"`
		RedirectResponse *responseOfHTTP `json:"redirectResponse"`
		RedirectTold     bool            `json:"redirectHasExtraInfo"`
	}
	initiator struct {
		Type       string      `json:"type"`
		URL        string      `json:"url"`
		LineNumber float64     `json:"lineNumber"`
		Stack      *stackOfJob `json:"stack"`
	}
	stackOfJob struct {
		CallFrames []struct {
			URL        string  `json:"url"`
			LineNumber float64 `json:"lineNumber"`
		} `json:"callFrames"`
		Parent *stackOfJob `json:"parent"`
	}
	responseOfHTTP struct {
		URL               string    `json:"url"`
		Status            int       `json:"status"`
		StatusText        string    `json:"statusText"`
		MimeType          string    `json:"mimeType"`
		Protocol          string    `json:"protocol"`
		FromDiskCache     bool      `json:"fromDiskCache"`
		FromServiceWorker bool      `json:"fromServiceWorker"`
		FromPrefetchCache bool      `json:"fromPrefetchCache"`
		EncodedDataLength float64   `json:"encodedDataLength"`
		Timing            *struct { // ms after RequestTime, -1 for none
			RequestTime       float64 `json:"requestTime"` // s
			DNSStart          float64 `json:"dnsStart"`
			DNSEnd            float64 `json:"dnsEnd"`
			ConnectStart      float64 `json:"connectStart"`
			ConnectEnd        float64 `json:"connectEnd"`
			SslStart          float64 `json:"sslStart"`
			SslEnd            float64 `json:"sslEnd"`
			SendStart         float64 `json:"sendStart"`
			SendEnd           float64 `json:"sendEnd"`
			ReceiveHeadersEnd float64 `json:"receiveHeadersEnd"`
		} `json:"timing"`
		Headers jsonv2.Value `json:"headers"` // as they came; read of documents only
	}
	requestAnswer struct {
		RequestID string         `json:"requestId"`
		FrameID   string         `json:"frameId"`
		Type      string         `json:"type"`
		Response  responseOfHTTP `json:"response"`
		Told      bool           `json:"hasExtraInfo"`
	}
	answerExtra struct {
		RequestID   string `json:"requestId"`
		Status      int    `json:"statusCode"`
		HeadersText string `json:"headersText"` // of HTTP/1.1
	}
	requestEnd struct {
		RequestID         string  `json:"requestId"`
		Timestamp         float64 `json:"timestamp"`
		EncodedDataLength float64 `json:"encodedDataLength"`
	}
	requestFailure struct {
		RequestID     string  `json:"requestId"`
		Timestamp     float64 `json:"timestamp"`
		ErrorText     string  `json:"errorText"`
		Canceled      bool    `json:"canceled"`
		BlockedReason string  `json:"blockedReason"`
		Cors          *struct {
			Error string `json:"corsError"`
		} `json:"corsErrorStatus"`
	}
	socketEvent struct {
		RequestID string  `json:"requestId"`
		Timestamp float64 `json:"timestamp"`
		WallTime  float64 `json:"wallTime"`
		Response  struct {
			Status      int    `json:"status"`
			StatusText  string `json:"statusText"`
			HeadersText string `json:"headersText"`
		} `json:"response"`
		ErrorMessage string `json:"errorMessage"`
	}
)

// OnEvent calls fn for every event of that method, with the parts of it that E names, as [Session.On] does. One that
// cannot be read is passed over.
func OnEvent[E any](s *Session, method string, fn func(*E)) {
	OnEventWhere(s, method, func([]byte) bool { return true }, fn)
}

// OnEventWhere is [OnEvent] for those events whose JSON passes a look that costs less than reading it.
func OnEventWhere[E any](s *Session, method string, where func(raw []byte) bool, fn func(*E)) {
	s.On(method, func(raw jsonv2.Value) {
		var ev E
		if where(raw) && jsonv2.Unmarshal(raw, &ev, chromedp.DefaultUnmarshalOptions) == nil {
			fn(&ev)
		}
	})
}

// watch follows the requests of a session. worker is the kind of a worker's session, "" for one of documents; only
// the requests of documents hold up the wait for a page to settle.
func (t *Tab) watch(s *Session, worker string) {
	if t.overhear != nil {
		t.overhear(s)
	}
	r, document := t.requests, worker == ""
	OnEvent(s, "Network.requestWillBeSent", func(ev *requestStart) {
		if document {
			t.net.begin(ev)
			t.blocked.begin(ev)
		}
		r.begin(s, worker, ev)
	})
	OnEvent(s, "Network.requestServedFromCache", func(ev *requestEnd) {
		r.change(ev.RequestID, func(q *recorded) { q.From = "memory cache" })
	})
	OnEvent(s, "Network.responseReceived", func(ev *requestAnswer) {
		if document && ev.FrameID == string(t.id) { // a tab's main frame has the target's id
			t.document.note(ev)
		}
		r.change(ev.RequestID, func(q *recorded) {
			q.Type = cmp.Or(text.Cut(ev.Type, 40), q.Type)
			q.answered(&ev.Response)
			q.bare = !ev.Told
			r.share(ev.RequestID)
		})
	})
	OnEvent(s, "Network.responseReceivedExtraInfo", r.tell)
	OnEvent(s, "Network.dataReceived", func(ev *struct {
		RequestID  string `json:"requestId"`
		DataLength int64  `json:"dataLength"`
	}) {
		r.change(ev.RequestID, func(q *recorded) { q.Body = max(q.Body, 0) + ev.DataLength })
	})
	OnEvent(s, "Network.loadingFinished", func(ev *requestEnd) {
		if document {
			t.net.end(ev.RequestID)
			t.blocked.end(ev.RequestID)
		}
		r.end(ev.RequestID, ev.Timestamp, func(q *recorded) {
			q.State, q.Body = network.Done, max(q.Body, 0)
			if q.From == "" || q.Status == http.StatusNotModified {
				q.Wire = int64(ev.EncodedDataLength)
			}
		})
	})
	OnEvent(s, "Network.loadingFailed", func(ev *requestFailure) {
		if document {
			t.net.end(ev.RequestID)
			t.blocked.fail(ev)
		}
		r.end(ev.RequestID, ev.Timestamp, func(q *recorded) { q.failed(ev) })
	})
	r.followSockets(s, worker)
	if s == t.session {
		on(s, page.DomContentEventFired, func(ev page.EventDomContentEventFired) { r.mark(&r.content, ev.Timestamp) })
		on(s, page.LoadEventFired, func(ev page.EventLoadEventFired) { r.mark(&r.loaded, ev.Timestamp) })
	}
	on(s, page.FrameNavigated, func(ev page.EventFrameNavigated) {
		if ev.Frame != nil && ev.Frame.ID == cdp.FrameID(t.id) {
			r.turnPage(string(ev.Frame.LoaderID))
		}
	})
}

// followSockets follows the WebSockets of a session.
func (r *recorder) followSockets(s *Session, worker string) {
	OnEvent(s, "Network.webSocketCreated", func(ev *struct {
		RequestID string    `json:"requestId"`
		URL       string    `json:"url"`
		Initiator initiator `json:"initiator"`
	}) {
		start := &requestStart{RequestID: ev.RequestID, Type: typeSocket, Initiator: ev.Initiator}
		start.Request.URL, start.Request.Method = ev.URL, http.MethodGet
		r.begin(s, worker, start)
	})
	socket := func(method string, fn func(q *recorded, ev *socketEvent)) {
		OnEvent(s, "Network."+method, func(ev *socketEvent) {
			r.change(ev.RequestID, func(q *recorded) {
				if q.Socket != nil {
					fn(q, ev)
				}
			})
		})
	}
	socket("webSocketWillSendHandshakeRequest", func(q *recorded, ev *socketEvent) {
		q.ticks, q.Began = ev.Timestamp, wallClock(ev.WallTime, q.arrived)
	})
	socket("webSocketHandshakeResponseReceived", func(q *recorded, ev *socketEvent) {
		q.Status, q.StatusText = ev.Response.Status, text.Cut(ev.Response.StatusText, 100)
		q.Headers = int64(len(ev.Response.HeadersText))
	})
	socket("webSocketFrameSent", func(q *recorded, _ *socketEvent) { q.Socket.Sent++ })
	socket("webSocketFrameReceived", func(q *recorded, _ *socketEvent) { q.Socket.Received++ })
	socket("webSocketFrameError",
		func(q *recorded, ev *socketEvent) { q.Error = r.log.keep(text.Cut(ev.ErrorMessage, 200)) })
	OnEvent(s, "Network.webSocketClosed", func(ev *socketEvent) {
		r.end(ev.RequestID, ev.Timestamp, func(q *recorded) {
			q.State = network.Done
			if q.Socket != nil {
				q.Socket.Closed = true
			}
			if q.Status == 0 {
				q.State = network.Failed
				q.Error = cmp.Or(q.Error, "the server did not open the socket")
			}
		})
	})
}

// ownIcon reports whether a request is the browser's own look for a site's icon, which no page asks for: the browser
// makes it once for each site that it comes to, so it would fall on whichever page of a list comes first.
func ownIcon(ev *requestStart) bool {
	if ev.Type != "Other" || ev.Initiator.Type != "other" || !strings.Contains(ev.Request.URL, "/favicon.ico") {
		return false
	}
	u, err := url.Parse(ev.Request.URL)
	return err == nil && u.Path == "/favicon.ico" && u.RawQuery == ""
}

// tabIcon reports whether a request is the browser's own for the icon of a tab, whether its page names one or not. A
// picture that a style sheet names by a fragment is of the page.
func tabIcon(ev *requestStart) bool {
	return ev.Type == "Other" && ev.Initiator.Type == "other" && ev.Request.Fragment == ""
}

// begin keeps a request, or the next hop of one.
func (r *recorder) begin(s *Session, worker string, ev *requestStart) {
	if local(ev.Request.URL) || ev.RequestID == "" || ownIcon(ev) {
		return
	}
	now := time.Now()
	url := r.keep(ev.Request.URL)
	r.mu.Lock()
	defer r.mu.Unlock()
	q := &recorded{session: s, loader: ev.LoaderID, ticks: ev.Timestamp, arrived: now,
		left: ev.LoaderID != "" && ev.LoaderID == r.before} // what a page sends as it is left
	before := r.open[ev.RequestID]
	if before != nil {
		if ev.RedirectResponse == nil || before.ticks == ev.Timestamp && before.URL == url {
			return // the session of another process reports it too
		}
		before.answered(ev.RedirectResponse)
		before.bare = !ev.RedirectTold
		before.Wire, before.Body, before.State = int64(ev.RedirectResponse.EncodedDataLength), 0, network.Done
		before.RedirectedTo = r.next
		r.over(before, ev.Timestamp)
	}
	q.Request = network.Request{
		ID: r.next, Method: text.Cut(ev.Request.Method, 40), URL: url, Began: wallClock(ev.WallTime, now),
		Type: text.Cut(ev.Type, 40), Frame: ev.FrameID, Worker: worker, State: network.Pending,
		Wire: -1, Body: -1, Upload: ev.Request.HasPostData, UploadSize: ev.upload(),
		Initiator: r.initiator(&ev.Initiator),
	}
	if q.Method == "" {
		q.Method = http.MethodGet
	}
	if q.Type == typeSocket {
		q.Socket = &network.Socket{}
	}
	r.next++
	r.list = append(r.list, q)
	r.open[ev.RequestID] = q
	r.hop(ev.RequestID, q)
	r.note(q)
	if len(r.list) > recordedLimit*11/10 {
		r.shed()
	}
}

// upload is the size of a request's body as far as Chrome tells it, in bytes.
func (ev *requestStart) upload() int64 {
	n := 0
	for _, e := range ev.Request.PostData {
		n += len(strings.TrimRight(e.Bytes, "=")) * 3 / 4
	}
	return int64(n)
}

// hop adds a request to those under its id. r.mu is held.
func (r *recorder) hop(id string, q *recorded) {
	if len(r.hops) > hopsLimit+len(r.open) {
		for old := range r.hops {
			if r.open[old] == nil {
				delete(r.hops, old)
			}
		}
	}
	h := r.hops[id]
	if h == nil {
		h = &hops{}
		r.hops[id] = h
	}
	h.list = append(h.list, q)
	r.share(id)
}

// tell takes what the network told of an answer.
func (r *recorder) tell(ev *answerExtra) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.hops[ev.RequestID]
	if h == nil {
		if len(r.hops) > 2*hopsLimit+len(r.open) {
			return // of requests that are not recorded
		}
		h = &hops{}
		r.hops[ev.RequestID] = h
	}
	h.told = append(h.told, ev)
	r.share(ev.RequestID)
}

// share gives what the network told to the requests in their order. r.mu is held.
func (r *recorder) share(id string) {
	h := r.hops[id]
	for h != nil && len(h.told) > 0 {
		i := slices.IndexFunc(h.list, func(q *recorded) bool { return !q.told && !q.bare })
		if i < 0 {
			return
		}
		h.list[i].tell(h.told[0])
		r.note(h.list[i])
		h.told = h.told[1:]
	}
}

// tell takes what the network told of the answer.
func (q *recorded) tell(a *answerExtra) {
	q.told = true
	q.Headers = int64(len(a.HeadersText))
	q.empty = q.empty || noBody.MatchString(a.HeadersText)
	switch {
	case a.Status == http.StatusNotModified && q.Status != http.StatusNotModified:
		q.Status, q.same = a.Status, true
	case q.Status == 0 && q.Socket == nil: // also of one that has failed since, as CORS refuses it
		q.Status = a.Status
	}
	q.conclude()
}

// conclude corrects what the events told of a request that has ended.
func (q *recorded) conclude() {
	if q.State == network.Canceled && q.whole() {
		q.State, q.Error = network.Done, ""
		if q.Status < 400 || q.Method == http.MethodHead { // there is no body; that of an error is not counted
			q.Body = max(q.Body, 0)
			if q.Wire < 0 && q.Headers > 0 {
				q.Wire = q.Headers
			}
		}
	}
	if q.State == network.Done && q.same {
		q.From = "disk cache"
	}
	if q.State == network.Done && q.Headers > 0 && q.From == "" && q.Wire >= 0 && q.Wire < q.Headers {
		q.Wire += q.Headers // of some types Chrome counts the body alone
	}
}

// whole reports whether the answer was all there is though Chrome ended the request itself: one without a body, and an
// error in place of what the page wanted.
func (q *recorded) whole() bool {
	switch q.Status {
	case http.StatusNoContent, http.StatusResetContent, http.StatusNotModified:
		return true
	}
	return q.Status >= 400 || q.Status > 0 && (q.Method == http.MethodHead || q.empty)
}

// noBody matches headers that say so.
var noBody = regexp.MustCompile(`(?im)^content-length:[ \t]*0[ \t]*\r?$`)

// mark notes when the document of the page has reached a stage.
func (r *recorder) mark(stage *float64, at cdp.MonotonicTime) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*stage = float64(at)
}

// keep is the part of an address that is kept.
func (r *recorder) keep(url string) string { return text.Cut(r.log.keep(url), textLimit+1) }

// initiator is what caused a request: of a script the innermost call. r.mu is held.
func (r *recorder) initiator(from *initiator) *network.Initiator {
	out := &network.Initiator{Type: strings.ToLower(text.Cut(cmp.Or(from.Type, "other"), 40))}
	url, line := from.URL, from.LineNumber
	for at := from.Stack; url == "" && at != nil; at = at.Parent {
		if len(at.CallFrames) > 0 {
			url, line = at.CallFrames[0].URL, at.CallFrames[0].LineNumber
		}
	}
	if url == "" || local(url) {
		return out
	}
	if r.last[0] != url { // nearly all are caused by the same document or script
		r.last = [2]string{url, r.keep(url)}
	}
	out.URL, out.Line = r.last[1], int(line)+1
	return out
}

// local reports whether an address names what crosses no network.
func local(url string) bool {
	return strings.HasPrefix(url, "data:") || strings.HasPrefix(url, "blob:")
}

// wallClock is a time of the browser, or the time of its event where the clock of another machine differs.
func wallClock(seconds float64, arrived time.Time) time.Time {
	at := time.UnixMicro(int64(seconds * 1e6))
	if d := arrived.Sub(at); d < -2*time.Second || d > 2*time.Second {
		return arrived.UTC()
	}
	return at.UTC()
}

// answered takes what the headers of an answer told.
func (q *recorded) answered(a *responseOfHTTP) {
	q.same = q.same && a.Status != http.StatusNotModified // the page asked for that itself
	if !q.same {
		q.Status, q.StatusText = a.Status, text.Cut(a.StatusText, 100)
	}
	q.Protocol, q.Media = text.Cut(a.Protocol, 40), text.Cut(a.MimeType, 100)
	switch {
	case a.FromServiceWorker:
		q.From = "service worker"
	case a.FromPrefetchCache:
		q.From = "prefetch cache"
	case a.FromDiskCache:
		q.From = "disk cache"
	}
	if q.From != "" {
		q.Wire = 0
	}
	t := a.Timing
	if t == nil || q.ticks == 0 {
		return
	}
	part := func(from, to float64) float64 {
		if from < 0 || to < from {
			return 0
		}
		return milli(to - from)
	}
	first := t.SendStart
	for _, begun := range []float64{t.DNSStart, t.ConnectStart} {
		if begun >= 0 {
			first = min(first, begun)
		}
	}
	q.Timings = &network.Timings{
		Queued: milli(max(0, (t.RequestTime-q.ticks)*1000+max(first, 0))), DNS: part(t.DNSStart, t.DNSEnd),
		Connect: part(t.ConnectStart, t.ConnectEnd), TLS: part(t.SslStart, t.SslEnd),
		Send: part(t.SendStart, t.SendEnd),
		Wait: part(t.SendEnd, t.ReceiveHeadersEnd),
	}
	q.headers = t.RequestTime + t.ReceiveHeadersEnd/1000
}

// milli rounds milliseconds to what the clocks are worth.
func milli(ms float64) float64 { return float64(int64(ms*1000)) / 1000 }

// failed takes why a request brought no answer.
func (q *recorded) failed(ev *requestFailure) {
	q.State, q.Error = network.Failed, text.Cut(ev.ErrorText, 200)
	switch {
	case ev.Cors != nil:
		q.Error = "CORS: " + text.Cut(ev.Cors.Error, 100)
	case ev.BlockedReason != "":
		q.Error = "blocked: " + text.Cut(ev.BlockedReason, 100)
	case ev.Canceled:
		q.State = network.Canceled
	}
}

// change lets fn change a request that is under way.
func (r *recorder) change(id string, fn func(q *recorded)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if q := r.open[id]; q != nil {
		fn(q)
		r.note(q)
	}
}

// end ends a request; ticks is Chrome's clock.
func (r *recorder) end(id string, ticks float64, fn func(q *recorded)) {
	r.change(id, func(q *recorded) {
		fn(q)
		r.over(q, ticks)
		delete(r.open, id)
	})
}

// over notes when a request ended. r.mu is held.
func (r *recorder) over(q *recorded, ticks float64) {
	q.ended = time.Now()
	if q.ticks > 0 && ticks > q.ticks {
		q.Duration = milli((ticks - q.ticks) * 1000)
	}
	if q.Timings != nil && ticks > q.headers {
		q.Timings.Receive = milli((ticks - q.headers) * 1000)
	}
	q.conclude()
	r.note(q)
}

// note counts a change. r.mu is held.
func (r *recorder) note(q *recorded) {
	r.changes++
	q.changed = r.changes
}

// shed forgets the oldest requests that went well, and of too many others the oldest. r.mu is held.
func (r *recorder) shed() {
	drop := len(r.list) - recordedLimit
	r.lost += drop
	keep := make([]*recorded, 0, len(r.list))
	for _, q := range r.list {
		if drop > 0 && q.State == network.Done && q.Status < 400 {
			drop--
			continue
		}
		keep = append(keep, q)
	}
	gone := map[*recorded]bool{}
	for _, q := range keep[:drop] {
		gone[q] = true
	}
	r.list = keep[drop:]
	for id, q := range r.open {
		if gone[q] {
			delete(r.open, id)
		}
	}
}

// turnPage begins the traffic of another page, that of the document with Chrome's id. All that began before, and is
// not the document, belongs to the page before.
func (r *recorder) turnPage(loader string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.before, r.loader, r.lost, r.content, r.loaded = r.loader, loader, 0, 0, 0
	for _, q := range r.list {
		q.left = q.left || q.loader != loader
	}
}

// leave ends the requests of a session that is gone with its frame or worker.
func (r *recorder) leave(s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, q := range r.open {
		if q.session == s {
			q.State, q.Error = network.Canceled, "its frame or worker is gone"
			r.over(q, 0)
			delete(r.open, id)
		}
	}
}

// loading says how far the page in the tab has come, "" where it has loaded, or began before anybody listened.
func (r *recorder) loading() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.ContainsFunc(r.list, func(q *recorded) bool { return q.loader == r.loader && q.Type == typeDocument }) {
		return ""
	}
	switch {
	case r.content == 0:
		return "its document was still being parsed"
	case r.loaded == 0:
		return "it was still loading"
	}
	return ""
}

// layer is what a capture at that time has: the requests of the page in the tab, and those of earlier pages that no
// turn was saved with.
func (r *recorder) layer(at time.Time) *network.Layer {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.given = r.changes
	l := &network.Layer{Since: r.since, Requests: []network.Request{}}
	l.LeftOut = r.lost
	for _, q := range r.list {
		if !q.left || q.ID >= r.savedTo || q.changed > r.saved {
			l.Requests = append(l.Requests, q.give(at))
		}
		// Of redirects it is the first.
		if q.loader == r.loader && q.Type == typeDocument && l.ContentLoad == 0 && q.ticks > 0 {
			l.ContentLoad, l.Load = milli(max(0, r.content-q.ticks)*1000), milli(max(0, r.loaded-q.ticks)*1000)
		}
	}
	if over := len(l.Requests) - layerLimit; over > 0 {
		l.Requests = slices.DeleteFunc(l.Requests, func(q network.Request) bool {
			if over > 0 && q.State == network.Done && q.Status < 400 {
				over--
				l.LeftOut++
				return true
			}
			return false
		})
		l.LeftOut += over
		l.Requests = l.Requests[over:]
	}
	return l
}

// give is a copy of a request for a capture at that time.
func (q *recorded) give(at time.Time) network.Request {
	earlier := q.left
	out := q.Request
	out.Earlier = earlier
	if out.State == network.Pending {
		out.Duration = max(0, milli(float64(at.Sub(q.arrived))/float64(time.Millisecond)))
		if earlier && out.Socket == nil {
			out.State, out.Error = network.Canceled, "its page was left before it ended"
		}
	}
	if q.Timings != nil {
		t := *q.Timings
		if out.State == network.Pending && q.headers > 0 { // it streams
			t.Receive = max(0, milli(out.Duration-t.Queued-t.DNS-t.Connect-t.Send-t.Wait))
		}
		out.Timings = &t
	}
	if earlier {
		out.URL = withoutQuery(out.URL)
	}
	if q.Socket != nil {
		s := *q.Socket
		out.Socket = &s
	}
	if q.Initiator != nil {
		i := *q.Initiator
		if earlier {
			i.URL = withoutQuery(i.URL)
		}
		out.Initiator = &i
	}
	return out
}

// withoutQuery is an address of a page that is gone: nobody can ask it any more whether what its password fields held
// is in the query.
func withoutQuery(url string) string {
	path, _, found := strings.Cut(url, "?")
	if !found {
		return url
	}
	return path + "?" + redact.Mark("withheld")
}

// Network is what the page in the tab has loaded up to that time, with the requests of earlier pages that no saved
// turn has; see [network.Layer]. Its texts are redacted as [Tab.Console] is.
func (t *Tab) Network(at time.Time) *network.Layer {
	l := t.requests.layer(at)
	t.log.mu.Lock()
	rules := t.log.rules
	t.log.mu.Unlock()
	for i := range l.Requests {
		q := &l.Requests[i]
		if rules != nil && rules.Custom() { // the built-in rules were applied when it was kept
			q.URL = text.Cut(rules.CleanCustom(q.URL), textLimit+1)
			if q.Initiator != nil {
				q.Initiator.URL = text.Cut(rules.CleanCustom(q.Initiator.URL), textLimit+1)
			}
		}
	}
	return l
}

// NetworkSaved notes that a turn with the layer of [Tab.Network] was saved: what is over by now, and of an earlier
// page, is in no later one.
func (t *Tab) NetworkSaved(l *network.Layer) {
	r := t.requests
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(l.Requests); n > 0 {
		r.savedTo = l.Requests[n-1].ID + 1
	}
	r.saved = r.given
}

// requestsKept is how many failed requests are listed; the oldest go.
const requestsKept = 100

// FailedRequest is a request that brought no answer, or one of 400 and above (seed
// "CDP-Skill" 17.4).
type FailedRequest struct {
	URL    string `json:"url"` // without what looks like a secret, cut
	Kind   string `json:"type,omitempty"`
	Status int    `json:"status,omitempty"` // of HTTP, 0 where no answer came
	Why    string `json:"error"`            // Chrome's net error, or the status in words
}

// FailedRequests lists the requests that failed since a time, oldest first, their
// addresses redacted as [Tab.Console] is.
func (t *Tab) FailedRequests(since time.Time) []FailedRequest {
	var out []FailedRequest
	t.requests.mu.Lock()
	for _, q := range t.requests.list {
		switch {
		case q.Status >= 400 && !q.arrived.Before(since), q.Status >= 400 && q.ended.After(since):
			out = append(out, FailedRequest{URL: q.URL, Kind: q.Type, Status: q.Status,
				Why: fmt.Sprintf("HTTP %d %s", q.Status, http.StatusText(q.Status))})
		case q.State == network.Failed && !q.ended.Before(since):
			out = append(out, FailedRequest{URL: q.URL, Kind: q.Type, Why: q.Error})
		}
	}
	t.requests.mu.Unlock()
	out = out[max(0, len(out)-requestsKept):]
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	for i := range out {
		out[i].URL = text.Cut(t.log.give(out[i].URL), 201)
	}
	return out
}
