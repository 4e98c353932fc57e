package stepdef

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/diff"
)

// Whereabouts are where the tab was before an action.
type Whereabouts struct {
	url      string
	tabs     map[string]bool
	choosers int
}

// Movement is the navigation that an action caused, as its output has it.
type Movement struct {
	Navigated bool     `json:"navigated,omitempty"`
	NewURL    string   `json:"newUrl,omitempty"`
	NewTabs   []NewTab `json:"newTabs,omitempty"`
	// FileChooser: the page asks for files, which nobody gives.
	FileChooser bool `json:"fileChooser,omitempty"`
}

// awaited is a movement that may still happen.
type awaited struct {
	before *Whereabouts
	move   *Movement
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
	p := &Whereabouts{url: info.URL, tabs: map[string]bool{}, choosers: e.Page.Tab().Choosers()}
	list, err := e.Page.Tab().Browser().Tabs(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		p.tabs[t.ID] = true
	}
	return p, nil
}

// After an action its address is looked at once and then after each of three pauses, 120 ms together. The time is fixed
// because nothing announces that it can end: a router, a debounced field or a script that opens a tab begins in a timer
// of the page, of which the protocol has no event until it fires, and a page whose document and network are quiet may
// have one. Whoever shortens it lets the next step of a command act on the page that the action is about to leave, and
// misses tabs that open late; only an address that has changed ends it early, and an action that is watched (see
// [Env.Watched]) leaves the wait to those who watch.
const (
	looksAfter = 3
	lookEvery  = 40 * time.Millisecond
)

// Moved waits a moment for what a router does after the event, and compares. What a router does later is added to
// the movement by [Env.MovedSince].
func (e *Env) Moved(ctx context.Context, before *Whereabouts) (*Movement, error) {
	out := &Movement{}
	// A navigation that has begun shows in the address once it commits; one by script
	// shows at once, or after the router's own microtasks and timers.
	looks := looksAfter
	if e.Watched {
		looks = 0
	}
	for try := 0; ; try++ {
		info, err := e.Page.Tab().Info(ctx)
		if err != nil {
			if errors.Is(err, browser.ErrGone) || ctx.Err() != nil {
				return nil, err
			}
			return out, nil // the action closed the tab
		}
		if info.URL != before.url {
			out.Navigated, out.NewURL = diff.Navigated(before.url, info.URL), info.URL
			break
		}
		if try == looks {
			e.awaited = &awaited{before, out}
			break
		}
		if err := browser.Pause(ctx, lookEvery); err != nil {
			return nil, err
		}
	}
	return out, e.opened(ctx, before, out)
}

// opened notes the tabs and the file chooser that the page has opened since.
func (e *Env) opened(ctx context.Context, before *Whereabouts, out *Movement) error {
	if e.Page.Tab().Choosers() > before.choosers && !out.FileChooser {
		out.FileChooser = true
		e.Warn("the page asks for files: upload gives them to this element")
	}
	list, err := e.Page.Tab().Browser().Tabs(ctx)
	if err != nil {
		return err
	}
	out.NewTabs = nil
	here := slices.IndexFunc(list, func(t browser.TabInfo) bool { return t.ID == e.Page.Tab().ID() })
	for _, t := range list {
		if !before.tabs[t.ID] && (here < 0 || t.Context == list[here].Context) && e.mayHaveOpened(t) {
			out.NewTabs = append(out.NewTabs, NewTab{t.ID, t.URL, t.Title})
		}
	}
	if e.Host != nil && len(out.NewTabs) > 0 {
		ids := make([]string, len(out.NewTabs))
		for i, t := range out.NewTabs {
			ids[i] = t.TargetID
		}
		if err := e.Host.Made(ctx, e.Alias, ids); err != nil {
			e.Log.Debug("the tabs that a page has opened were not noted", "error", err)
		}
	}
	return nil
}

// MovedSince completes the last action's movement: the page may have navigated to another address while it settled,
// as a router does that requests the page's data first, or opened a tab. over: what comes now belongs to another
// action.
func (e *Env) MovedSince(ctx context.Context, over bool) {
	a := e.awaited
	if a == nil || e.Closed {
		return
	}
	if info, err := e.Page.Tab().Info(ctx); err == nil && info.URL != a.before.url {
		a.move.Navigated, a.move.NewURL = diff.Navigated(a.before.url, info.URL), info.URL
		over = true
	}
	if !over {
		return
	}
	e.awaited = nil
	if err := e.opened(ctx, a.before, a.move); err != nil {
		e.Log.Debug("the tabs that a page has opened late are not known", "error", err)
	}
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
