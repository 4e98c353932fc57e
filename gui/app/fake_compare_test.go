package app

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/runs"
)

// CompareRuns compares with a session of others: each of its turns has another page.
func (f *fake) CompareRuns(_ context.Context, name string) (core.Session, *runs.Comparison, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	turns, ok := f.others[name]
	if !ok {
		return core.Session{}, nil, fmt.Errorf("%w: %s", core.ErrNoSession, name)
	}
	c := &runs.Comparison{Schema: runs.Schema, TurnsA: len(f.turns), TurnsB: len(turns)}
	s := core.Session{Name: name}
	for _, r := range turns {
		s.Turns = append(s.Turns, fakeRow(r))
		c.Rows = append(c.Rows, runs.Row{A: r.N, B: r.N, Cause: runs.Page, Details: []string{"button “Pay” is new"}})
	}
	f.second = turns
	return s, c, nil
}

func (f *fake) LoadSecond(_ context.Context, n int) (*core.Recorded, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.second[n-1], nil
}

// Examine finds no request: the turns hold none that can be read.
func (f *fake) Examine(context.Context, int) (*doctor.Report, *conversation.Story, error) {
	return nil, nil, nil
}

func (f *fake) Stories(context.Context, []int, func(*conversation.Story)) error { return nil }

func (f *fake) LabelRun(_ context.Context, _ bool, label, note string) (*runs.Label, error) {
	return &runs.Label{Label: label, Note: note}, nil
}

func (f *fake) Variants(context.Context, int) (replays.Found, error) { return replays.Found{}, nil }
