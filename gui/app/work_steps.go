package app

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/snapshot/text"
)

// liveEvery is how far two looks at a page that is watched are apart, and maxMissed how
// many may fail before it is given up: a page that is being loaded cannot be looked at.
const (
	liveEvery = 500 * time.Millisecond
	maxMissed = 40
)

// stepsWork starts the work that does things in the tab.
func (r *runner) stepsWork(e core.Effect) bool {
	switch e := e.(type) {
	case steps.CheckSteps:
		wanted := r.drafts.Add(1)
		r.task(0, func(context.Context, func(string)) core.Msg {
			if r.drafts.Load() != wanted {
				return nil // it was written on meanwhile
			}
			return steps.StepsChecked{Check: checkDraft(e)}
		})
	case steps.RunSteps:
		r.withTab(e.Task, func(ctx context.Context, progress func(string)) core.Msg { return r.runSteps(ctx, e, progress) })
	case live.WatchPage:
		r.task(e.Watch, func(ctx context.Context, _ func(string)) core.Msg { return r.watchPage(ctx, e.Watch) })
	default:
		return false
	}
	return true
}

// checkDraft reads a draft and finds how it can go on.
func checkDraft(e steps.CheckSteps) steps.StepsCheck {
	out := steps.StepsCheck{Seq: e.Seq}
	if e.Text != "" {
		d := step.ReadDraft([]byte(e.Text), e.Tab)
		out.Line, out.Column, out.Unfinished = d.Line, d.Column, d.Unfinished
		if d.Err != nil {
			out.Problem = text.Cut(text.Line(d.Err.Error()), 300)
		} else {
			out.Steps = len(d.Command.Steps)
		}
	}
	var known []step.Known
	if e.Turn != nil {
		for i := range e.Turn.Capture.Nodes {
			if n := &e.Turn.Capture.Nodes[i]; n.Ref > 0 {
				known = append(known, step.Known{Ref: n.Ref, Role: n.Role, Name: text.Cut(text.Line(n.Name), 60)})
			}
		}
	}
	list, from, to := step.Complete(e.Text, e.Caret, known)
	out.From, out.To = from, to
	for _, s := range list {
		out.Items = append(out.Items, steps.StepItem{Insert: s.Insert, Caret: s.Caret, Label: text.Cut(text.Line(s.Label), 60), What: text.Cut(text.Line(s.What), 90)})
	}
	return out
}

func (r *runner) runSteps(ctx context.Context, e steps.RunSteps, progress func(string)) core.Msg {
	m := steps.StepsRan{Task: e.Task, Console: e.Console}
	ran, err := r.engine.RunSteps(ctx, e.Text, e.Masked, progress)
	if err == nil && ran.Turn != nil {
		m.Turn, err = prepare(ran.Turn)
	}
	m.Problem = r.problem("steps", err)
	m.Tabs = r.tabs(ctx)
	if err != nil {
		return m
	}
	m.Text, m.Sealed, m.Words, m.OK, m.Device, m.At = ran.Text, ran.Sealed, ran.Words, ran.OK, ran.Device, ran.At
	if m.Turn != nil {
		m.Thumb, m.Answer = thumb(m.Turn.Image), m.Turn.Answer
	} else {
		m.Answer = steps.NewAnswer(ran.Body)
	}
	return m
}

// answerOK reports whether a stored answer says that all steps went well.
func answerOK(body []byte) bool {
	var a struct{ Status string }
	return json.Unmarshal(body, &a) == nil && a.Status == "ok"
}

// watchPage captures the page each time that it has changed, until ctx is done. It holds
// the tab only while it looks.
func (r *runner) watchPage(ctx context.Context, watch int) core.Msg {
	next := time.NewTimer(0)
	defer next.Stop()
	missed := 0
	for {
		select {
		case <-next.C:
		case <-ctx.Done():
			return nil
		}
		select {
		case r.tab <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		m, err := r.lookAgain(ctx, watch)
		<-r.tab
		switch missed++; {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			missed = 0
		case lasting(err) || missed >= maxMissed:
			return live.Ended{Watch: watch, Problem: r.problem("live", err)}
		}
		if m != nil {
			r.dispatch(m)
		}
		next.Reset(r.every)
	}
}

// lasting reports whether an error will not go away by itself.
func lasting(err error) bool {
	var h *core.Hinted
	return errors.Is(err, core.ErrBrowserGone) || errors.As(err, &h)
}

// lookAgain captures the page where it has changed; nil where it has not.
func (r *runner) lookAgain(ctx context.Context, watch int) (core.Msg, error) {
	changed, err := r.engine.Changed(ctx)
	if err != nil || !changed {
		return nil, err
	}
	stage := func(s string) { r.dispatch(live.Staged{Watch: watch, Stage: s}) }
	rec, err := r.engine.Capture(ctx, live.ActionLive, stage)
	if err != nil {
		stage("")
		return nil, err
	}
	t, err := prepare(rec)
	if err != nil {
		return nil, err
	}
	return live.Captured{Watch: watch, Turn: t, Thumb: thumb(t.Image), Tabs: r.tabs(ctx)}, nil
}
