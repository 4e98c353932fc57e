package live

import (
	"context"
	"errors"
	"time"

	"github.com/refscope/refscope/gui/core"
)

// every is how far two looks at a page that is watched are apart, and maxMissed how
// many may fail before it is given up: a page that is being loaded cannot be looked at.
// A page that has changed at maxChanged looks one after another, or that is busy when it is captured, is
// restless: then looks are Slow apart, so that a clock does not fill the session.
const (
	every      = 500 * time.Millisecond
	maxMissed  = 40
	maxChanged = 4
	slow       = 5 * time.Second
)

// pace is how fast a page changes: how many looks in a row found it changed.
type pace struct{ changed int }

// after is how long to wait for the next look, and whether the page is restless.
func (p *pace) after(changed, settled bool) (time.Duration, bool) {
	switch {
	case !changed:
		p.changed = 0
	case !settled:
		p.changed = max(p.changed+1, maxChanged)
	default:
		p.changed++
	}
	if p.changed >= maxChanged {
		return slow, true
	}
	return every, false
}

// Number implements [core.Numbered].
func (e WatchPage) Number() int { return e.Watch }

// Do captures the page each time that it has changed, until ctx is done. It holds
// the tab only while it looks.
func (e WatchPage) Do(ctx context.Context, w *core.Worker) core.Msg {
	next := time.NewTimer(0)
	defer next.Stop()
	missed := 0
	var pace pace
	restless := false
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
		if w.TabWanted() { // what a person asked for becomes a turn of its own
			done()
			next.Reset(every)
			continue
		}
		m, err := e.look(ctx, w)
		done()
		switch missed++; {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			missed = 0
		case lasting(err) || missed >= maxMissed:
			return ended(e.Watch, w.Problem("live", err))
		}
		wait, was := every, restless
		if err == nil {
			wait, restless = pace.after(m != nil, m == nil || m.Turn.Capture.Settled)
		}
		if restless != was {
			w.Dispatch(paced(e.Watch, restless))
		}
		if m != nil {
			w.Dispatch(*m)
		}
		next.Reset(wait)
	}
}

// lasting reports whether an error will not go away on its own.
func lasting(err error) bool {
	var h *core.Hinted
	return errors.Is(err, core.ErrBrowserGone) || errors.As(err, &h)
}

// look captures the page where it has changed; nil where it has not.
func (e WatchPage) look(ctx context.Context, w *core.Worker) (*captured, error) {
	changed, err := core.EngineOf[Engine](w).Changed(ctx)
	if err != nil || !changed {
		return nil, err
	}
	stage := func(s string) { w.Dispatch(staged(e.Watch, s)) }
	rec, err := w.Engine.Capture(ctx, ActionLive, stage)
	if err != nil {
		stage("")
		return nil, err
	}
	t, err := rec.Ready()
	if err != nil {
		return nil, err
	}
	return &captured{Watch: e.Watch, Turn: t, Thumb: core.Thumb(t.Image), Tabs: w.Tabs(ctx)}, nil
}
