package browser

import (
	"strings"
	"sync"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
)

// traffic knows which requests of a tab are in progress, for the network part of
// the settle wait.
type traffic struct {
	mu      sync.Mutex
	flying  map[string]request // by Chrome's id
	last    time.Time          // of the last start or end of a request
	changed chan struct{}
}

// request is one that is in progress.
type request struct {
	frame    string
	document bool
	began    time.Time
}

// Limits of the requests that are in progress (seed "CDP-Skill" 17.4).
const (
	flyingLimit = 10_000          // the oldest go
	flyingAge   = 5 * time.Minute // older ones are taken as over
)

func newTraffic() *traffic {
	return &traffic{flying: map[string]request{}, last: time.Now(), changed: make(chan struct{})}
}

func (n *traffic) begin(ev *requestStart) {
	switch network.ResourceType(ev.Type) {
	case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypePing,
		network.ResourceTypeMedia, network.ResourceTypePrefetch:
		return // these last for as long as the page likes
	case network.ResourceTypeOther:
		if tabIcon(ev) {
			return // the browser fetches it once the page is loaded, and it changes nothing in the page
		}
	}
	n.note(func() {
		if len(n.flying) >= flyingLimit {
			n.purge()
		}
		n.flying[ev.RequestID] = request{ev.FrameID, ev.Type == typeDocument, time.Now()}
	})
}

// end notes that a request is over; the end of one that does not count, such as a ping, is no event either.
func (n *traffic) end(id string) {
	n.mu.Lock()
	_, counts := n.flying[id]
	n.mu.Unlock()
	if counts {
		n.note(func() { delete(n.flying, id) })
	}
}

// moved forgets the document request of a frame that went to another process: it
// began in the parent's session and ends in one that may not listen yet.
func (n *traffic) moved(frame string) {
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
	var oldest string
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
	frameOf map[string]string // by Chrome's id of the request
	why     map[string]string // by frame
}

func (b *blocked) begin(ev *requestStart) {
	if ev.Type != typeDocument {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.frameOf == nil {
		b.frameOf, b.why = map[string]string{}, map[string]string{}
	}
	b.frameOf[ev.RequestID] = ev.FrameID
	delete(b.why, ev.FrameID)
}

func (b *blocked) fail(ev *requestFailure) {
	b.mu.Lock()
	defer b.mu.Unlock()
	frame := b.frameOf[ev.RequestID]
	delete(b.frameOf, ev.RequestID)
	if frame == "" {
		return
	}
	why := explain(ev.ErrorText)
	switch {
	case ev.BlockedReason == network.BlockedReasonCsp.String():
		why = "the page's content security policy forbids it"
	case strings.Contains(ev.ErrorText, "BLOCKED_BY_RESPONSE"), ev.BlockedReason != "":
		why = "its site does not let itself be shown in a frame of this page"
	}
	if ev.ErrorText != "" {
		why += " (" + ev.ErrorText + ")"
	}
	b.why[frame] = why
}

func (b *blocked) end(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.frameOf, id)
}

// of is why the document of a frame, or of the tab, did not load, "" where nothing is known of it.
func (b *blocked) of(frame string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.why[frame]
}

// WhyBlocked is why the document of a frame could not be loaded, in words, as far
// as it is known: it is not where the frame was loaded before the tab was attached.
func (t *Tab) WhyBlocked(frame string) string {
	if why := t.blocked.of(frame); why != "" {
		return "its address could not be loaded: " + why
	}
	return "its address could not be loaded"
}

// Answer is what a server answered for the document that a tab shows.
type Answer struct {
	Status int // of HTTP, 0 where no server was asked
	// RetryAfter is that header as it came, "" for none.
	RetryAfter string
}

// document remembers the last answer for the main document of a tab.
type document struct {
	mu   sync.Mutex
	last Answer
}

// note takes an answer for the main frame.
func (d *document) note(ev *requestAnswer) {
	if ev.Type != typeDocument {
		return
	}
	a := Answer{Status: ev.Response.Status}
	var headers map[string]any
	if jsonv2.Unmarshal(ev.Response.Headers, &headers) == nil {
		for name, value := range headers { // their names come in any case
			if s, ok := value.(string); ok && strings.EqualFold(name, "Retry-After") {
				a.RetryAfter = s
			}
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = a
}

// Answer is what the server answered for the document that was opened last.
func (t *Tab) Answer() Answer {
	t.document.mu.Lock()
	defer t.document.mu.Unlock()
	return t.document.last
}
