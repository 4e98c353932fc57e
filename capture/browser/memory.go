package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/cdproto/target"
)

// ErrNoMemory is the error of memory that cannot be measured on this system, or of a browser that
// another program started.
var ErrNoMemory = errors.New("the memory of its processes cannot be measured here")

// killed are the tabs whose process was ended from outside, by their ids.
type killed struct {
	once sync.Once
	mu   sync.Mutex
	tabs map[target.ID]bool
}

// watch learns of tabs whose process is ended from outside from now on.
func (k *killed) watch(ctx context.Context, root *Session) (err error) {
	k.once.Do(func() {
		on(root, target.TargetCrashed, func(ev target.EventTargetCrashed) {
			if ev.Status != "killed" {
				return
			}
			k.mu.Lock()
			defer k.mu.Unlock()
			if k.tabs == nil {
				k.tabs = map[target.ID]bool{}
			}
			k.tabs[ev.TargetID] = true
		})
		err = call(ctx, root, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
	})
	return err
}

// Killed reports whether the process of a tab that was opened here crashed because [Browser.EndRenderers],
// or the system, ended it.
func (b *Browser) Killed(ctx context.Context, tab string) bool {
	// What the browser reported before this answer has been heard.
	if _, err := cdp.Call(ctx, b.conn.Root(), protocol.GetVersion, cdp.Empty{}); err != nil {
		return false
	}
	b.conn.killed.mu.Lock()
	defer b.conn.killed.mu.Unlock()
	return b.conn.killed.tabs[target.ID(tab)]
}

// EndRenderers ends the processes of pages that hold more than limit bytes of memory of their
// own; their tabs crash, and [Browser.Killed] knows them. It works on Linux and macOS, for a
// browser that was launched here, and fails with [ErrNoMemory] elsewhere.
func (b *Browser) EndRenderers(ctx context.Context, limit int64) error {
	if !b.launched {
		return ErrNoMemory
	}
	res, err := cdp.Call(ctx, b.conn.Root(), systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		return fmt.Errorf("listing the processes of the browser: %w", err)
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
			return err
		}
		if held <= limit {
			continue
		}
		if err := b.conn.killed.watch(ctx, b.conn.Root()); err != nil {
			return err
		}
		process, err := os.FindProcess(int(p.ID))
		if err == nil {
			err = process.Kill()
		}
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("ending a process of the browser: %w", err)
		}
	}
	return nil
}
