package app

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/snapshot/turn"
)

// fakeNotes are the notes of a fake engine; said wakes who follows them.
type fakeNotes struct {
	list  []turn.Annotation
	count int
	err   error
	said  chan struct{}
	// drafts are kept by session.
	drafts map[string]map[int]notes.Draft
}

func (f *fake) Drafts(_ context.Context, session string) (map[int]notes.Draft, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.notes.drafts[session], nil
}

func (f *fake) KeepDrafts(_ context.Context, session string, drafts map[int]notes.Draft) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.notes.drafts == nil {
		f.notes.drafts = map[string]map[int]notes.Draft{}
	}
	f.notes.drafts[session] = drafts
	return nil
}

func (f *fake) Annotate(_ context.Context, n turn.Annotation) (turn.Annotation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.notes.err != nil {
		return n, f.notes.err
	}
	f.notes.count++
	n.N, n.By, n.At = f.notes.count, "ada", time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)
	f.notes.list = append(f.notes.list, n)
	return n, nil
}

func (f *fake) Retract(_ context.Context, n int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.notes.list, func(x turn.Annotation) bool { return x.N == n })
	if i < 0 {
		return fmt.Errorf("there is no note %d", n)
	}
	f.notes.list = slices.Delete(f.notes.list, i, i+1)
	return nil
}

func (f *fake) FollowNotes(ctx context.Context, changed func([]turn.Annotation)) error {
	for {
		select {
		case <-f.notes.said:
			f.mu.Lock()
			list := slices.Clone(f.notes.list)
			f.mu.Unlock()
			changed(list)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
