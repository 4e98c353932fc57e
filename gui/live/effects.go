package live

import (
	"context"
	"errors"
	"time"

	"github.com/refscope/refscope/gui/core"
)

// every is how far two looks at a page that is watched are apart, and maxMissed how
// many may fail before it is given up: a page that is being loaded cannot be looked at.
const (
	every     = 500 * time.Millisecond
	maxMissed = 40
)

// Number implements [core.Numbered].
func (e WatchPage) Number() int { return e.Watch }

// Do captures the page each time that it has changed, until ctx is done. It holds
// the tab only while it looks.
func (e WatchPage) Do(ctx context.Context, w *core.Worker) core.Msg {
	next := time.NewTimer(0)
	defer next.Stop()
	missed := 0
	for {
		select {
		case <-next.C:
		case <-ctx.Done():
			return nil
		}
		done, err := w.UseTab(ctx)
		if err != nil {
			return nil
		}
		m, err := e.look(ctx, w)
		done()
		switch missed++; {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			missed = 0
		case lasting(err) || missed >= maxMissed:
			return Ended{Watch: e.Watch, Problem: w.Problem("live", err)}
		}
		if m != nil {
			w.Dispatch(m)
		}
		next.Reset(every)
	}
}

// lasting reports whether an error will not go away on its own.
func lasting(err error) bool {
	var h *core.Hinted
	return errors.Is(err, core.ErrBrowserGone) || errors.As(err, &h)
}

// look captures the page where it has changed; nil where it has not.
func (e WatchPage) look(ctx context.Context, w *core.Worker) (core.Msg, error) {
	changed, err := core.EngineOf[Engine](w).Changed(ctx)
	if err != nil || !changed {
		return nil, err
	}
	stage := func(s string) { w.Dispatch(Staged{Watch: e.Watch, Stage: s}) }
	rec, err := w.Engine.Capture(ctx, ActionLive, stage)
	if err != nil {
		stage("")
		return nil, err
	}
	t, err := rec.Ready()
	if err != nil {
		return nil, err
	}
	return Captured{Watch: e.Watch, Turn: t, Thumb: core.Thumb(t.Image), Tabs: w.Tabs(ctx)}, nil
}
