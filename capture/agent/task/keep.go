package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// keep appends the present page with its action and all its requests and answers.
// A turn is kept once the endpoint has answered and before that is done, so a window that
// follows shows what is about to happen. It is kept whole also where the context is over.
func (r *run) keep(ctx context.Context, shot *session.Shot) error {
	in, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
	defer cancel()
	rec := &turn.Record{
		Capture: shot.Capture, Picture: shot.Picture, Payloads: r.asked, Action: "task",
		Profile: shot.Profile,
		Meta:    turn.Meta{Tool: r.opt.Tool},
	}
	if d := r.last; d != nil && d.verb != "fault" {
		if rec.Steps = d.steps(); d.Action != "" {
			rec.Action = text.Cut(d.Action, 200)
		}
		b, err := json.Marshal(d)
		if err != nil {
			return fmt.Errorf("keeping the turn: %w", err)
		}
		rec.Answer, _ = redact.Body(b, r.redactor, r.secrets...)
	}
	kept, err := r.elements.Append(in, rec)
	if err != nil {
		return err
	}
	r.asked = nil
	if kept != nil {
		r.out.Turns = append(r.out.Turns, kept.N)
		r.report("kept", "turn %d", kept.N)
	}
	return nil
}

// Resume is where an earlier run of a task ended.
type Resume struct {
	// Query, TaskID and SessionID are those of its last request.
	Query, TaskID, SessionID string
	// URL is the page that it was on.
	URL string
	// Steps are the pages that the endpoint was asked about.
	Steps int
	// Action is what was done last, or was about to be; "" for nothing. Open: nobody knows
	// whether it was done.
	Action string
	Open   bool
	// Ended: the endpoint had ended the task.
	Ended bool
}

// ErrNoTask: a session has no request of a task in it.
var ErrNoTask = errors.New("has no request of a task in it")

// ReadResume reads from a session where its task ended.
func ReadResume(ctx context.Context, store *turn.Store) (*Resume, error) {
	list, _, err := store.List(ctx)
	if err != nil {
		return nil, err
	}
	out := &Resume{}
	lastAsked := 0
	for _, s := range list {
		if slices.ContainsFunc(
			s.Parts, func(p turn.Part) bool { return p.Dialect == dialect && p.Way == turn.Request && p.Wire },
		) {
			out.Steps++
			lastAsked = s.N
		}
	}
	if lastAsked == 0 {
		return nil, ErrNoTask
	}
	rec, err := store.Load(ctx, lastAsked)
	if err != nil {
		return nil, fmt.Errorf("reading turn %d: %w", lastAsked, err)
	}
	out.URL = rec.Capture.URL
	for _, p := range rec.Payloads {
		switch {
		case p.Dialect != dialect || !p.Wire:
		case p.Way == turn.Request:
			var q struct{ Query, TaskID, SessionID string }
			if err := json.Unmarshal(p.Bytes, &q); err != nil {
				return nil, fmt.Errorf("reading the request of turn %d: %w", lastAsked, err)
			}
			out.Query, out.SessionID = q.Query, q.SessionID
			if q.TaskID != "" {
				out.TaskID = q.TaskID
			}
		default:
			out.answered(p.Bytes)
		}
	}
	// What was done after the last request is in the turn behind it.
	if last := list[len(list)-1]; last.N > lastAsked {
		if rec, err = store.Load(ctx, last.N); err != nil {
			return nil, fmt.Errorf("reading turn %d: %w", last.N, err)
		}
		out.URL, out.Open = rec.Capture.URL, false
	}
	return out, nil
}

// answered takes from an answer what was about to be done.
func (s *Resume) answered(data []byte) {
	a, err := parseAnswer(data)
	if a.TaskID != "" {
		s.TaskID = a.TaskID
	}
	s.Action, s.Open = "", false
	s.Ended = a.Status == statusCompleted || a.Status == statusFailed
	if a.Action != nil && err == nil { // one that could not be followed led to nothing
		_, ends := a.Action.ends()
		s.Ended = s.Ended || ends
		s.Action, s.Open = a.Action.String(), !ends
	}
}

// last is the last action as the first request of a resumed run reports it.
func (s *Resume) last() *actionResult {
	note := "the task was resumed: the page was opened again, and what was filled in is gone"
	if s.Action != "" && s.Open {
		note += "; whether the last action was done is not known"
	}
	return &actionResult{Action: s.Action, Done: true, Note: note, verb: "resume", pending: s.Open}
}
