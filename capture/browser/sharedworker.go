package browser

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// sharedWorker is Chrome's name of such a target.
const sharedWorker = "shared_worker"

// sharedWorkers follows the shared workers of a browser. Chrome attaches them to no tab, so the browser's own session
// does, and each worker waits until its requests are followed. They are recorded with the tabs that show a document of
// the worker's origin when it begins; a tab that joins a worker later has none of them.
type sharedWorkers struct {
	mu        sync.Mutex
	following bool
	tabs      map[*Tab]bool
	contexts  map[target.ID]cdp.BrowserContextID // of the tabs
}

// listen follows the events of the browser's own session; it is called before the connection reads.
func (w *sharedWorkers) listen(c *Conn) {
	w.tabs, w.contexts = map[*Tab]bool{}, map[target.ID]cdp.BrowserContextID{}
	on(c.Root(), target.AttachedToTarget, func(ev target.EventAttachedToTarget) {
		switch {
		case ev.TargetInfo == nil:
		case ev.TargetInfo.Type == sharedWorker:
			w.adopt(c, ev)
		default:
			w.mu.Lock()
			w.contexts[ev.TargetInfo.TargetID] = ev.TargetInfo.BrowserContextID
			w.mu.Unlock()
			if ev.WaitingForDebugger { // an old Chrome, which attaches to every target whatever the filter
				_ = c.session(ev.SessionID).Post(context.Background(), runtime.RunIfWaitingForDebugger.Method, cdp.Empty{})
			}
		}
	})
	on(c.Root(), target.DetachedFromTarget, func(ev target.EventDetachedFromTarget) {
		s := c.session(ev.SessionID)
		w.mu.Lock()
		defer w.mu.Unlock()
		for t := range w.tabs {
			t.requests.leave(s)
		}
	})
}

// join records with a tab what the shared workers of its pages request. A browser that refuses to attach to them is
// asked again with the next tab.
func (w *sharedWorkers) join(ctx context.Context, t *Tab) {
	w.mu.Lock()
	w.tabs[t] = true
	following := w.following
	w.mu.Unlock()
	if following {
		return
	}
	p := attachAll()
	p.Filter = target.Filter{{Type: sharedWorker}, {Exclude: true}}
	c := t.browser.conn
	if err := call(ctx, c.Root(), target.SetAutoAttach, p); err != nil {
		c.log.Debug("requests of shared workers are not recorded", "error", err)
		return
	}
	w.mu.Lock()
	w.following = true
	w.mu.Unlock()
}

// leave forgets a tab.
func (w *sharedWorkers) leave(t *Tab) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.tabs, t)
	delete(w.contexts, t.id)
}

// adopt follows the requests of a worker that waits, and lets it run. It runs on the read loop, so it waits for no
// answer.
func (w *sharedWorkers) adopt(c *Conn, ev target.EventAttachedToTarget) {
	s := c.session(ev.SessionID)
	ctx, followed := context.Background(), false
	w.mu.Lock()
	for t := range w.tabs {
		if w.contexts[t.id] == ev.TargetInfo.BrowserContextID && t.requests.shows(ev.TargetInfo.URL) {
			t.watch(s, sharedWorker)
			followed = true
		}
	}
	w.mu.Unlock()
	if followed {
		_ = s.Post(ctx, network.Enable.Method, network.EnableParams{})
	}
	_ = s.Post(ctx, runtime.RunIfWaitingForDebugger.Method, cdp.Empty{}) // it may be gone by now
	if !followed {
		_ = c.Root().Post(ctx, target.DetachFromTarget.Method, target.DetachFromTargetParams{SessionID: ev.SessionID})
	}
}
