package browser

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/refscope/refscope/snapshot/text"
)

// traffic knows which requests of a tab are in progress, for the network part of
// the settle wait.
type traffic struct {
	mu      sync.Mutex
	flying  map[network.RequestID]request
	last    time.Time // of the last start or end of a request
	changed chan struct{}
}

// request is one that is in progress.
type request struct {
	frame    cdp.FrameID
	document bool
	began    time.Time
}

// Limits of the requests that are in progress (seed "CDP-Skill" 17.4).
const (
	flyingLimit = 10_000          // the oldest go
	flyingAge   = 5 * time.Minute // older ones are taken as over
)

func newTraffic() *traffic {
	return &traffic{flying: map[network.RequestID]request{}, last: time.Now(), changed: make(chan struct{})}
}

func (n *traffic) listen(s *Session) {
	on(s, network.RequestWillBeSent, func(ev network.EventRequestWillBeSent) {
		switch ev.Type {
		case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypePing,
			network.ResourceTypeMedia, network.ResourceTypePrefetch:
			return // these last for as long as the page likes
		}
		n.note(func() {
			if len(n.flying) >= flyingLimit {
				n.purge()
			}
			n.flying[ev.RequestID] = request{ev.FrameID, ev.Type == network.ResourceTypeDocument, time.Now()}
		})
	})
	on(s, network.LoadingFinished, func(ev network.EventLoadingFinished) { n.end(ev.RequestID) })
	on(s, network.LoadingFailed, func(ev network.EventLoadingFailed) { n.end(ev.RequestID) })
}

func (n *traffic) end(id network.RequestID) { n.note(func() { delete(n.flying, id) }) }

// moved forgets the document request of a frame that went to another process: it
// began in the parent's session and ends in one that may not listen yet.
func (n *traffic) moved(frame cdp.FrameID) {
	n.note(func() {
		for id, r := range n.flying {
			if r.document && r.frame == frame {
				delete(n.flying, id)
			}
		}
	})
}

// purge forgets what has been in progress for too long, and the oldest where there are too
// many. n.mu is held.
func (n *traffic) purge() {
	if len(n.flying) == 0 {
		return
	}
	var oldest network.RequestID
	for id, r := range n.flying {
		if time.Since(r.began) > flyingAge {
			delete(n.flying, id)
		} else if o, ok := n.flying[oldest]; !ok || r.began.Before(o.began) {
			oldest = id
		}
	}
	if len(n.flying) > flyingLimit {
		delete(n.flying, oldest)
	}
}

// reset forgets what a left document had in progress.
func (n *traffic) reset() { n.note(func() { clear(n.flying) }) }

func (n *traffic) note(change func()) {
	n.mu.Lock()
	change()
	n.last = time.Now()
	close(n.changed)
	n.changed = make(chan struct{})
	n.mu.Unlock()
}

// state is the number of requests in progress, the time of the last change, and a
// channel that is closed at the next one.
func (n *traffic) state() (flying int, last time.Time, changed <-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.purge()
	return len(n.flying), n.last, n.changed
}

// NetworkSince reports whether a request has begun or ended after a time, or is under
// way. Streams, sockets and pings do not count.
func (t *Tab) NetworkSince(at time.Time) bool {
	flying, last, _ := t.net.state()
	return flying > 0 || last.After(at)
}

// NetworkQuiet waits until no request has been in progress for the given time, and
// reports false where the context ended first. Quiet before the call counts.
func (t *Tab) NetworkQuiet(done <-chan struct{}, quiet time.Duration) bool {
	for {
		flying, last, changed := t.net.state()
		if flying > 0 {
			select {
			case <-changed:
				continue
			case <-done:
				return false
			}
		}
		left := quiet - time.Since(last)
		if left <= 0 {
			return true
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-changed:
			timer.Stop()
		case <-done:
			timer.Stop()
			return false
		}
	}
}

// blocked remembers why documents of frames did not load. The page itself never
// learns it, and the browser reports it once.
type blocked struct {
	mu      sync.Mutex
	frameOf map[network.RequestID]string
	why     map[string]string // by frame
}

func (b *blocked) listen(s *Session) {
	on(s, network.RequestWillBeSent, func(ev network.EventRequestWillBeSent) {
		if ev.Type != network.ResourceTypeDocument {
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.frameOf == nil {
			b.frameOf, b.why = map[network.RequestID]string{}, map[string]string{}
		}
		b.frameOf[ev.RequestID] = string(ev.FrameID)
		delete(b.why, string(ev.FrameID))
	})
	on(s, network.LoadingFailed, func(ev network.EventLoadingFailed) {
		b.mu.Lock()
		defer b.mu.Unlock()
		frame := b.frameOf[ev.RequestID]
		delete(b.frameOf, ev.RequestID)
		if frame == "" {
			return
		}
		why := explain(ev.ErrorText)
		switch {
		case ev.BlockedReason == network.BlockedReasonCsp:
			why = "the page's content security policy forbids it"
		case strings.Contains(ev.ErrorText, "BLOCKED_BY_RESPONSE"), ev.BlockedReason != "":
			why = "its site does not let itself be shown in a frame of this page"
		}
		if ev.ErrorText != "" {
			why += " (" + ev.ErrorText + ")"
		}
		b.why[frame] = why
	})
	on(s, network.LoadingFinished, func(ev network.EventLoadingFinished) {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.frameOf, ev.RequestID)
	})
}

// WhyBlocked is why the document of a frame could not be loaded, in words, as far
// as it is known: it is not where the frame was loaded before the tab was attached.
func (t *Tab) WhyBlocked(frame string) string {
	t.blocked.mu.Lock()
	defer t.blocked.mu.Unlock()
	if why := t.blocked.why[frame]; why != "" {
		return "its address could not be loaded: " + why
	}
	return "its address could not be loaded"
}

// requestsKept is how many failed requests are kept; the oldest go.
const requestsKept = 100

// FailedRequest is a request that brought no answer, or one of 400 and above (seed
// "CDP-Skill" 17.4).
type FailedRequest struct {
	URL    string `json:"url"` // without what looks like a secret, cut
	Kind   string `json:"type,omitempty"`
	Status int    `json:"status,omitempty"` // of HTTP, 0 where no answer came
	Why    string `json:"error"`            // Chrome's net error, or the status in words

	at time.Time
}

// requests remembers the requests of a tab that failed.
type requests struct {
	log *journal

	mu   sync.Mutex
	urls map[network.RequestID]string // of those in progress
	bad  []FailedRequest
}

func newRequests(log *journal) *requests {
	return &requests{log: log, urls: map[network.RequestID]string{}}
}

func (r *requests) listen(s *Session) {
	on(s, network.RequestWillBeSent, func(ev network.EventRequestWillBeSent) {
		if ev.Request == nil {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(r.urls) >= flyingLimit {
			clear(r.urls) // no page has so many: those of streams and sockets that never ended
		}
		r.urls[ev.RequestID] = text.Cut(ev.Request.URL, keptLimit+1)
	})
	on(s, network.ResponseReceived, func(ev network.EventResponseReceived) {
		if ev.Response == nil || ev.Response.Status < 400 {
			return
		}
		code := int(ev.Response.Status)
		r.note(FailedRequest{URL: ev.Response.URL, Kind: string(ev.Type), Status: code,
			Why: fmt.Sprintf("HTTP %d %s", code, http.StatusText(code))})
	})
	on(s, network.LoadingFinished, func(ev network.EventLoadingFinished) { r.take(ev.RequestID) })
	on(s, network.LoadingFailed, func(ev network.EventLoadingFailed) {
		url := r.take(ev.RequestID)
		if ev.Canceled || url == "" {
			return // the page itself has left it, or it began before we listened
		}
		f := FailedRequest{URL: url, Kind: string(ev.Type), Why: ev.ErrorText}
		switch {
		case ev.CorsErrorStatus != nil:
			f.Why = fmt.Sprintf("CORS: %s", ev.CorsErrorStatus.CorsError)
		case ev.BlockedReason != "":
			f.Why = fmt.Sprintf("blocked: %s", ev.BlockedReason)
		}
		r.note(f)
	})
}

func (r *requests) take(id network.RequestID) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	url := r.urls[id]
	delete(r.urls, id)
	return url
}

func (r *requests) note(f FailedRequest) {
	f.URL, f.at = r.log.keep(f.URL), time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.bad) >= requestsKept {
		r.bad = append(r.bad[:0:0], r.bad[1:]...)
	}
	r.bad = append(r.bad, f)
}

// FailedRequests lists the requests that failed since a time, oldest first, their
// addresses redacted as [Tab.Console] is.
func (t *Tab) FailedRequests(since time.Time) []FailedRequest {
	t.requests.mu.Lock()
	list := append([]FailedRequest(nil), t.requests.bad...)
	t.requests.mu.Unlock()
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	var out []FailedRequest
	for _, f := range list {
		if !f.at.Before(since) {
			f.URL = text.Cut(t.log.give(f.URL), 201)
			out = append(out, f)
		}
	}
	return out
}
