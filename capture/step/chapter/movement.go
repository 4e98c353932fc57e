package chapter

import (
	"context"
	"errors"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/diff"
)

// Whereabouts are where the tab was before an action.
type Whereabouts struct {
	url  string
	tabs map[string]bool
}

// Movement is what an action led to.
type Movement struct {
	Navigated bool
	URL       string
	Tabs      []NewTab
}

// NewTab is a tab that an action opened.
type NewTab struct {
	TargetID string `json:"targetId"`
	URL      string `json:"url"`
	Title    string `json:"title"`
}

// Where is where the tab is now.
func (e *Env) Where(ctx context.Context) (*Whereabouts, error) {
	info, err := e.Page.Tab().Info(ctx)
	if err != nil {
		return nil, err
	}
	p := &Whereabouts{url: info.URL, tabs: map[string]bool{}}
	list, err := e.Page.Tab().Browser().Tabs(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		p.tabs[t.ID] = true
	}
	return p, nil
}

// Moved waits a moment for what a router does after the event, and compares.
func (e *Env) Moved(ctx context.Context, before *Whereabouts) (*Movement, error) {
	out := &Movement{}
	// A navigation that has begun shows in the address once it commits; one by script
	// shows at once, or after the router's own microtasks and timers.
	for try := 0; ; try++ {
		info, err := e.Page.Tab().Info(ctx)
		if err != nil {
			if errors.Is(err, browser.ErrGone) || ctx.Err() != nil {
				return nil, err
			}
			return out, nil // the action closed the tab
		}
		if info.URL != before.url {
			out.Navigated, out.URL = diff.Navigated(before.url, info.URL), info.URL
			break
		}
		if try == 2 {
			break
		}
		if err := Pause(ctx, 40*time.Millisecond); err != nil {
			return nil, err
		}
	}
	list, err := e.Page.Tab().Browser().Tabs(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		if !before.tabs[t.ID] && e.mayHaveOpened(t) {
			out.Tabs = append(out.Tabs, NewTab{t.ID, t.URL, t.Title})
		}
	}
	return out, nil
}

// mayHaveOpened reports whether a tab that is new may come from the page that was acted on,
// and not from another command that is at work in the same browser. A page that opens a tab
// without an opener (noopener) leaves no trace in it; one that a command opens is empty
// until it has its alias.
func (e *Env) mayHaveOpened(t browser.TabInfo) bool {
	switch {
	case t.Opener != "":
		return t.Opener == e.Page.Tab().ID()
	case e.Host == nil:
		return true
	case t.URL == "" || t.URL == "about:blank":
		return false
	}
	return !e.Host.Knows(t.ID)
}
