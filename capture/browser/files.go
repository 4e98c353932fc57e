package browser

import (
	"context"
	"sync/atomic"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// fileGuard lets the pages of a tab read only those local files that allow lets through:
// documents, frames, pictures and what view-source: shows. Other requests do not meet it.
type fileGuard struct {
	allow   atomic.Pointer[func(url string) error] // nil lets all through
	enabled atomic.Bool
}

// GuardFiles sets who decides about the file: addresses that the tab's pages ask for: an error
// refuses one. nil lets all of them through, as it is in the beginning. What is there already
// stays.
func (t *Tab) GuardFiles(ctx context.Context, allow func(url string) error) error {
	if allow == nil {
		t.files.allow.Store(nil)
		return nil
	}
	t.files.allow.Store(&allow)
	if t.files.enabled.Swap(true) {
		return nil
	}
	ready, _ := t.FrameSessions(ctx)
	for _, s := range ready {
		if err := t.files.enable(ctx, s)(); err != nil {
			return err
		}
	}
	return t.files.enable(ctx, t.session)()
}

// listen answers a session's requests for files; what it returns waits until they are held, where they are to be.
func (g *fileGuard) listen(ctx context.Context, s *Session) (waits []func() error) {
	on(s, fetch.RequestPaused, func(ev fetch.EventRequestPaused) {
		if allow := g.allow.Load(); allow != nil && ev.Request != nil && (*allow)(ev.Request.URL) != nil {
			_ = s.Post(context.Background(), fetch.FailRequest.Method,
				fetch.FailRequestParams{RequestID: ev.RequestID, ErrorReason: network.ErrorReasonAccessDenied})
			return
		}
		_ = s.Post(context.Background(), fetch.ContinueRequest.Method,
			fetch.ContinueRequestParams{RequestID: ev.RequestID}) // one that is gone needs no answer
	})
	if !g.enabled.Load() {
		return nil
	}
	return []func() error{g.enable(ctx, s)}
}

// enable begins to have requests for files held.
func (g *fileGuard) enable(ctx context.Context, s *Session) (wait func() error) {
	return begin(ctx, s, fetch.Enable,
		fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "file://*"}}})
}
