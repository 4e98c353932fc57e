package app

import (
	"context"

	"github.com/refscope/refscope/gui/core"
)

// browserWork starts the work that needs the browser.
func (r *runner) browserWork(e core.Effect) bool {
	switch e := e.(type) {
	case core.Launch:
		r.task(e.Task, func(ctx context.Context, progress func(string)) core.Msg {
			b, err := r.engine.Start(ctx, progress)
			return core.BrowserStarted{Task: e.Task, Browser: b, Problem: r.problem("browser", err)}
		})
	case core.Watch:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg {
			err := r.engine.Wait(ctx)
			if ctx.Err() != nil || err == nil {
				return nil
			}
			return core.BrowserGone{Problem: r.problem("browser", err)}
		})
	case core.ListTabs:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg {
			tabs, err := r.engine.Tabs(ctx)
			return core.TabsListed{Tabs: tabs, Open: e.Open, Problem: r.problem("tabs", err)}
		})
	case core.SelectTab:
		r.withTab(e.Task, func(ctx context.Context, _ func(string)) core.Msg {
			t, err := r.engine.SelectTab(ctx, e.ID)
			return r.navigated(ctx, e.Task, t, "", err)
		})
	case core.Navigate:
		r.withTab(e.Task, func(ctx context.Context, progress func(string)) core.Msg {
			t, err := r.engine.Open(ctx, e.Target, progress)
			return r.navigated(ctx, e.Task, t, e.Action, err)
		})
	case core.MoveTo:
		r.withTab(e.Task, func(ctx context.Context, _ func(string)) core.Msg {
			t, err := r.engine.Move(ctx, e.Move)
			return r.navigated(ctx, e.Task, t, string(e.Move), err)
		})
	case core.Capture:
		r.withTab(e.Task, func(ctx context.Context, progress func(string)) core.Msg { return r.capture(ctx, e, progress) })
	default:
		return false
	}
	return true
}

// withTab is task for work that needs the tab for itself.
func (r *runner) withTab(id int, work func(ctx context.Context, progress func(string)) core.Msg) {
	r.task(id, func(ctx context.Context, progress func(string)) core.Msg {
		select {
		case r.tab <- struct{}{}:
			defer func() { <-r.tab }()
		case <-ctx.Done(): // work answers with the context's error at once
		}
		return work(ctx, progress)
	})
}

// navigated is the answer of what changed the page or the tab.
func (r *runner) navigated(ctx context.Context, task int, t core.Tab, action string, err error) core.Msg {
	return core.Navigated{Task: task, Tab: t, Action: action, Problem: r.problem("page", err), Tabs: r.tabs(ctx)}
}

// tabs is the present list of tabs, nil where it cannot be had: then the list in
// the window stays as it is.
func (r *runner) tabs(ctx context.Context) []core.Tab {
	tabs, err := r.engine.Tabs(ctx)
	if err != nil {
		r.log.Debug("tabs could not be listed", "error", err)
		return nil
	}
	return tabs
}

func (r *runner) capture(ctx context.Context, e core.Capture, progress func(string)) core.Msg {
	rec, err := r.engine.Capture(ctx, e.Action, progress)
	return r.captured(ctx, e.Task, rec, err)
}

// captured is the answer of a capture.
func (r *runner) captured(ctx context.Context, task int, rec *Recorded, err error) core.Msg {
	m := core.Captured{Task: task, Problem: r.problem("capture", err)}
	if err == nil {
		m.Turn, err = prepare(rec)
		m.Problem = r.problem("capture", err)
	}
	m.Tabs = r.tabs(ctx)
	if m.Turn != nil {
		m.Thumb = thumb(m.Turn.Image)
	}
	return m
}
