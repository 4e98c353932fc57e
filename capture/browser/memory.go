package browser

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
)

// ErrNoMemory is the error of memory that cannot be measured on this system, or of a browser that
// another program started.
var ErrNoMemory = errors.New("the memory of its processes cannot be measured here")

// EndRenderers ends the processes of pages that hold more than limit bytes of memory of their
// own, and returns how many it ended; their tabs crash. It works on Linux and macOS, for a browser
// that was launched here, and fails with [ErrNoMemory] elsewhere. most is what the largest holds.
func (b *Browser) EndRenderers(ctx context.Context, limit int64) (ended int, most int64, err error) {
	if !b.launched {
		return 0, 0, ErrNoMemory
	}
	res, err := cdp.Call(ctx, b.conn.Root(), systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		return 0, 0, fmt.Errorf("listing the processes of the browser: %w", err)
	}
	for _, p := range res.ProcessInfo {
		if p.Type != "renderer" {
			continue
		}
		held, err := privateMemory(ctx, int(p.ID))
		if errors.Is(err, os.ErrNotExist) {
			continue // it has ended
		}
		if err != nil {
			return ended, most, err
		}
		most = max(most, held)
		if held <= limit {
			continue
		}
		process, err := os.FindProcess(int(p.ID))
		if err == nil {
			err = process.Kill()
		}
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			return ended, most, fmt.Errorf("ending a process of the browser: %w", err)
		}
		ended++
	}
	return ended, most, nil
}
