package step

import (
	"context"
	"errors"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/diff"
)

// place is where the tab was before an action.
type place struct {
	url  string
	tabs map[string]bool
}

// movement is what an action led to.
type movement struct {
	navigated bool
	url       string
	tabs      []newTab
}

func (r *Runner) places(ctx context.Context) (*place, error) {
	info, err := r.page.Tab().Info(ctx)
	if err != nil {
		return nil, err
	}
	p := &place{url: info.URL, tabs: map[string]bool{}}
	list, err := r.page.Tab().Browser().Tabs(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		p.tabs[t.ID] = true
	}
	return p, nil
}

// moved waits a moment for what a router does after the event, and compares.
func (r *Runner) moved(ctx context.Context, before *place) (*movement, error) {
	out := &movement{}
	// A navigation that has begun shows in the address once it commits; one by script
	// shows at once, or after the router's own microtasks and timers.
	for try := 0; ; try++ {
		info, err := r.page.Tab().Info(ctx)
		if err != nil {
			if errors.Is(err, browser.ErrGone) || ctx.Err() != nil {
				return nil, err
			}
			return out, nil // the action closed the tab
		}
		if info.URL != before.url {
			out.navigated, out.url = diff.Navigated(before.url, info.URL), info.URL
			break
		}
		if try == 2 {
			break
		}
		if err := pause(ctx, 40*time.Millisecond); err != nil {
			return nil, err
		}
	}
	list, err := r.page.Tab().Browser().Tabs(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		if !before.tabs[t.ID] && r.mayHaveOpened(t) {
			out.tabs = append(out.tabs, newTab{t.ID, t.URL, t.Title})
		}
	}
	return out, nil
}

// mayHaveOpened reports whether a tab that is new may come from the page that was acted on,
// and not from another command that is at work in the same browser. A page that opens a tab
// without an opener (noopener) leaves no trace in it; one that a command opens is empty
// until it has its alias.
func (r *Runner) mayHaveOpened(t browser.TabInfo) bool {
	switch {
	case t.Opener != "":
		return t.Opener == r.page.Tab().ID()
	case r.opt.Host == nil:
		return true
	case t.URL == "" || t.URL == "about:blank":
		return false
	}
	return !r.opt.Host.Knows(t.ID)
}
