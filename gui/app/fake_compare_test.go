package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/gui/settings"
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

func (f *fake) Quote(context.Context, int, replays.Again) (*replays.Quote, error) {
	return &replays.Quote{Host: "api.example", Model: "m-1", Tokens: 11808, Counted: true, Output: 214}, nil
}

func (f *fake) Ask(context.Context, int, replays.Again, func(string)) (count, failed int, err error) {
	return 1, 0, nil
}

func (f *fake) Facts(context.Context) (settings.Facts, error) {
	return settings.Facts{Chrome: "/usr/bin/chrome", Home: "/home/sessions",
		Keys: []settings.Key{{Vendor: "openai", From: "OPENAI_API_KEY"}, {Vendor: "anthropic"}}}, nil
}

func (f *fake) StoreKey(context.Context, string, string) error { return nil }

func (f *fake) ReadTexts(context.Context) error { return nil }

func (f *fake) SearchTurns(_ context.Context, words []string, each func(n, left int, counts []int)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, r := range f.turns {
		counts := make([]int, len(words))
		for _, n := range r.Capture.Nodes {
			for k, w := range words {
				counts[k] += strings.Count(strings.ToLower(n.Text), w)
			}
		}
		each(r.N, len(f.turns)-i-1, counts)
	}
	return nil
}

// LoadFrom reads a turn of one of the others.
func (f *fake) LoadFrom(_ context.Context, session string, n int) (*core.Recorded, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.others[session] {
		if r.N == n {
			return r, nil
		}
	}
	return nil, core.ErrNoSession
}
