package app

import (
	"context"
	"errors"
	"fmt"
	"image"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/overlay"
)

// sessionWork starts the work that is about sessions and their turns on disk.
func (r *runner) sessionWork(e core.Effect) bool {
	switch e := e.(type) {
	case core.OpenSession:
		r.task(e.Task, func(ctx context.Context, _ func(string)) core.Msg {
			s, n, err := r.engine.OpenSession(ctx, e.Name)
			if e.Page != "" && errors.Is(err, core.ErrNoSession) {
				return core.SessionOpened{Task: e.Task, Page: e.Page}
			}
			return core.SessionOpened{Task: e.Task, Session: s, Turn: n, Other: e.Name != "", Problem: r.problem("session", err)}
		})
	case sessions.List:
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg {
			rows, err := r.engine.Sessions(ctx)
			return sessions.Listed{Rows: rows, Problem: r.problem("sessions", err)}
		})
	case core.FollowSession:
		r.task(e.Watch, func(ctx context.Context, _ func(string)) core.Msg { return r.follow(ctx, e) })
	case core.LoadTurn:
		r.task(e.Task, func(ctx context.Context, _ func(string)) core.Msg {
			t, err := r.load(ctx, e.N)
			return core.TurnLoaded{Task: e.Task, N: e.N, Turn: t, Problem: r.problem("turn", err)}
		})
	default:
		return false
	}
	return true
}

func (r *runner) load(ctx context.Context, n int) (*core.Turn, error) {
	rec, err := r.engine.Load(ctx, n)
	if err != nil {
		return nil, err
	}
	return prepare(rec)
}

// prepare makes a turn ready for the window: decodes, scales, places marks.
func prepare(rec *Recorded) (*core.Turn, error) {
	img, err := decoded(rec)
	if err != nil {
		return nil, err
	}
	t := core.NewTurn(rec.N, rec.Action, rec.Capture, rec.PNG, img)
	t.Note, t.Stored, t.Lacks, t.Profile, t.Tool = rec.Note, rec.Stored, rec.Lacks, rec.Profile, rec.Tool
	t.Told = core.NewTold(rec.Capture, rec.Steps, rec.Answer)
	t.Steps, t.Answer, t.AnswerOK = steps.StepsText(rec.Steps), steps.NewAnswer(rec.Answer), answerOK(rec.Answer)
	return t, nil
}

func decoded(rec *Recorded) (*image.RGBA, error) {
	if rec.Image != nil || len(rec.PNG) == 0 {
		return rec.Image, nil
	}
	img, err := overlay.DecodePNG(rec.PNG)
	if err != nil {
		return nil, fmt.Errorf("the picture of turn %d cannot be read: %w", rec.N, err)
	}
	return img, nil
}
