package browser

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
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

// Chooser is what a page asks for files with.
type Chooser struct {
	Node     int64 // the backend node of the file input that they are for
	Multiple bool
}

// Choosers is how many file choosers the page has opened.
func (t *Tab) Choosers() int { return int(t.choosers.Load()) }

// OpensChooser does something that may have a document of the session open a file chooser, such as a click on "Upload",
// and keeps the chooser from being shown. nil is one that did not open in time, or is of no input.
func (s *Session) OpensChooser(ctx context.Context, do func() error, within time.Duration) (*Chooser, error) {
	opened, stop := s.Subscribe(page.FileChooserOpened.Method)
	defer stop()
	intercept := func(ctx context.Context, on bool) error {
		_, err := cdp.Call(ctx, s, page.SetInterceptFileChooserDialog,
			page.SetInterceptFileChooserDialogParams{Enabled: on})
		return err
	}
	if err := intercept(ctx, true); err != nil {
		return nil, fmt.Errorf("waiting for a file chooser: %w", err)
	}
	defer func() { _ = intercept(context.WithoutCancel(ctx), false) }() // a page that has gone has none to keep
	if err := do(); err != nil {
		return nil, err
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case raw, ok := <-opened:
		var ev page.EventFileChooserOpened
		if !ok || jsonv2.Unmarshal(raw, &ev, chromedp.DefaultUnmarshalOptions) != nil || ev.BackendNodeID == 0 {
			return nil, nil
		}
		return &Chooser{int64(ev.BackendNodeID), ev.Mode == page.FileChooserOpenedModeSelectMultiple}, nil
	case <-timer.C:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
