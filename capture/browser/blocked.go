package browser

import (
	"strings"
	"sync"

	"github.com/chromedp/cdproto/network"
)

// blocked remembers why documents of frames did not load. The page itself learns
// nothing of it, and the browser says it once.
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
