package shell

import (
	"context"
	"errors"
	"fmt"
	"image"

	"github.com/refscope/refscope/gui/state"
	"github.com/refscope/refscope/overlay"
)

// sessionWork starts the work that is about sessions and their turns on disk.
func (r *runner) sessionWork(e state.Effect) bool {
	switch e := e.(type) {
	case state.OpenSession:
		r.task(e.Task, func(ctx context.Context, _ func(string)) state.Msg {
			s, n, err := r.engine.OpenSession(ctx, e.Name)
			if e.Page != "" && errors.Is(err, ErrNoSession) {
				return state.SessionOpened{Task: e.Task, Page: e.Page}
			}
			return state.SessionOpened{Task: e.Task, Session: s, Turn: n, Other: e.Name != "", Problem: r.problem("session", err)}
		})
	case state.ListSessions:
		r.task(0, func(ctx context.Context, _ func(string)) state.Msg {
			rows, err := r.engine.Sessions(ctx)
			return state.SessionsListed{Rows: rows, Problem: r.problem("sessions", err)}
		})
	case state.FollowSession:
		r.task(e.Watch, func(ctx context.Context, _ func(string)) state.Msg { return r.follow(ctx, e) })
	case state.LoadTurn:
		r.task(e.Task, func(ctx context.Context, _ func(string)) state.Msg {
			t, err := r.load(ctx, e.N)
			return state.TurnLoaded{Task: e.Task, N: e.N, Turn: t, Problem: r.problem("turn", err)}
		})
	default:
		return false
	}
	return true
}

func (r *runner) load(ctx context.Context, n int) (*state.Turn, error) {
	rec, err := r.engine.Load(ctx, n)
	if err != nil {
		return nil, err
	}
	return prepare(rec)
}

// prepare makes a turn ready for the window: decodes, scales, places marks.
func prepare(rec *Recorded) (*state.Turn, error) {
	img, err := picture(rec)
	if err != nil {
		return nil, err
	}
	t := state.NewTurn(rec.N, rec.Action, rec.Capture, rec.PNG, img)
	t.Note, t.Stored, t.Lacks = rec.Note, rec.Stored, rec.Lacks
	t.Steps, t.Answer, t.AnswerOK = state.StepsText(rec.Steps), state.NewAnswer(rec.Answer), answerOK(rec.Answer)
	return t, nil
}

func picture(rec *Recorded) (*image.RGBA, error) {
	if rec.Image != nil || len(rec.PNG) == 0 {
		return rec.Image, nil
	}
	img, err := overlay.DecodePNG(rec.PNG)
	if err != nil {
		return nil, fmt.Errorf("the picture of turn %d cannot be read: %w", rec.N, err)
	}
	return img, nil
}
