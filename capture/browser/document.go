package browser

import (
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// Answer is what a server answered for the document that a tab shows.
type Answer struct {
	Status int // of HTTP, 0 where no server was asked
	// RetryAfter is that header as it came, "" for none.
	RetryAfter string
}

// documents remembers the last answer for the main document of a tab.
type documents struct {
	mu   sync.Mutex
	last Answer
}

func (d *documents) listen(s *Session, main cdp.FrameID) {
	on(s, network.ResponseReceived, func(ev network.EventResponseReceived) {
		if ev.Type != network.ResourceTypeDocument || ev.FrameID != main || ev.Response == nil {
			return
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.last = Answer{Status: int(ev.Response.Status), RetryAfter: headerOf(ev.Response.Headers, "Retry-After")}
	})
}

// Answer is what the server answered for the document that was opened last.
func (t *Tab) Answer() Answer {
	t.documents.mu.Lock()
	defer t.documents.mu.Unlock()
	return t.documents.last
}

// headerOf is a header of an answer, whose names come in any case; "" for none.
func headerOf(all network.Headers, name string) string {
	for key, value := range all {
		if s, ok := value.(string); ok && strings.EqualFold(key, name) {
			return s
		}
	}
	return ""
}
