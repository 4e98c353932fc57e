package action

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Calm waits until the document of a frame has not changed, and the tab has asked for
// nothing, for the given time. Quiet that has already been seen counts. The error of a
// page that does not come to rest is the context's.
func (p *Page) Calm(ctx context.Context, frame string, quiet time.Duration) error {
	for {
		realm, err := p.enter(ctx, frame)
		if err != nil {
			return err
		}
		text, err := realm.Eval(ctx, `JSON.stringify((globalThis.__refscope.flush(), performance.now() - globalThis.__refscope.last))`)
		if err != nil {
			if gone(err) && ctx.Err() == nil {
				continue // it went to another document
			}
			return err
		}
		var since float64
		if err := json.Unmarshal([]byte(text), &since); err != nil {
			return fmt.Errorf("asking when the page last changed: %w", err)
		}
		left := quiet - time.Duration(since*float64(time.Millisecond))
		if left <= 0 {
			if !p.tab.NetworkQuiet(ctx.Done(), quiet) {
				return ctx.Err()
			}
			return nil
		}
		t := time.NewTimer(left)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		}
	}
}
