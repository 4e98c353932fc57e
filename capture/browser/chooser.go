package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

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
