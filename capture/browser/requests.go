package browser

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/chromedp/cdproto/network"
)

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
	urls map[network.RequestID]string // of those under way
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
		r.urls[ev.RequestID] = cut(ev.Request.URL, keptLimit)
	})
	on(s, network.ResponseReceived, func(ev network.EventResponseReceived) {
		if ev.Response == nil || ev.Response.Status < 400 {
			return
		}
		code := int(ev.Response.Status)
		r.note(FailedRequest{URL: ev.Response.URL, Kind: string(ev.Type), Status: code, Why: fmt.Sprintf("HTTP %d %s", code, http.StatusText(code))})
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
			f.URL = cut(t.log.give(f.URL), 200)
			out = append(out, f)
		}
	}
	return out
}
