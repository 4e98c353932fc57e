package browser

import (
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// traffic knows which requests of a tab are under way, for the network part of
// the settle wait.
type traffic struct {
	mu      sync.Mutex
	flying  map[network.RequestID]request
	last    time.Time // of the last start or end of a request
	changed chan struct{}
}

// request is one that is under way.
type request struct {
	frame    cdp.FrameID
	document bool
	began    time.Time
}

// Limits of the requests that are under way (seed "CDP-Skill" 17.4).
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
		case network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypePing, network.ResourceTypeMedia, network.ResourceTypePrefetch:
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

// purge forgets what has been under way for too long, and the oldest where there are too
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

// reset forgets what a left document had under way.
func (n *traffic) reset() { n.note(func() { clear(n.flying) }) }

func (n *traffic) note(change func()) {
	n.mu.Lock()
	change()
	n.last = time.Now()
	close(n.changed)
	n.changed = make(chan struct{})
	n.mu.Unlock()
}

// state is the number of requests under way, the time of the last change, and a
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

// NetworkQuiet waits until no request has been under way for the given time, and
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
