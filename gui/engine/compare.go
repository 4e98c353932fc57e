package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/turn"
)

// CompareRuns implements [compare.Engine].
func (l *Live) CompareRuns(ctx context.Context, name string) (core.Session, *runs.Comparison, error) {
	none := core.Session{}
	at, _, err := l.locate(ctx, strings.TrimSpace(name))
	if err != nil {
		return none, nil, err
	}
	l.mu.Lock()
	first := l.store
	l.mu.Unlock()
	if first == nil {
		return none, nil, errors.New("the session in view is in memory only; it cannot be compared")
	}
	second, err := turn.OpenPath(at.Dir)
	if err != nil {
		return none, nil, fmt.Errorf("the session %s cannot be opened: %w", at.Dir, err)
	}
	name = filepath.Base(at.Dir)
	other, err := listed(ctx, second, name)
	var c *runs.Comparison
	if err == nil {
		shown := inspect.Run{Name: filepath.Base(first.Path()), Store: first}
		c, err = inspect.CompareRuns(ctx, shown, inspect.Run{Name: name, Store: second})
	}
	if err == nil {
		err = l.tell(ctx, second, other.Turns)
	}
	if err != nil {
		return none, nil, errors.Join(err, second.Close())
	}
	other.Path = at.Dir
	l.mu.Lock()
	old := l.second
	l.second = second
	l.mu.Unlock()
	if old != nil {
		err = old.Close()
	}
	return other, c, err
}

// tell gives turns with requests their stories: those of the session in view have theirs.
func (l *Live) tell(ctx context.Context, store *turn.Store, rows []core.TurnRow) error {
	at, turns := map[int]int{}, []int(nil)
	for i := range rows {
		if rows[i].Stored > 0 {
			at[rows[i].N], turns = i, append(turns, rows[i].N)
		}
	}
	return l.stories(ctx, store, turns, func(one *conversation.Story) { rows[at[one.Turn]].Story = one })
}

// LabelRun implements [compare.Engine].
func (l *Live) LabelRun(ctx context.Context, second bool, label, note string) (*runs.Label, error) {
	l.mu.Lock()
	store := l.store
	if second {
		store = l.second
	}
	l.mu.Unlock()
	if store == nil {
		return nil, errNoNotes
	}
	a, err := store.Annotate(ctx, turn.Annotation{Verdict: label, Text: note, By: author()})
	if err != nil {
		return nil, fmt.Errorf("the run cannot be labelled: %w", err)
	}
	return runs.LabelOf([]turn.Annotation{a}), nil
}

// LoadSecond implements [compare.Engine].
func (l *Live) LoadSecond(ctx context.Context, n int) (*core.Recorded, error) {
	l.mu.Lock()
	store := l.second
	l.mu.Unlock()
	if store == nil {
		return nil, errors.New("no second session is open")
	}
	return recorded(ctx, store, n)
}

// LoadFrom implements [core.Others].
func (l *Live) LoadFrom(ctx context.Context, session string, n int) (_ *core.Recorded, err error) {
	at, _, err := l.locate(ctx, session)
	if err != nil {
		return nil, err
	}
	store, err := turn.OpenPath(at.Dir)
	if err != nil {
		return nil, fmt.Errorf("the session %s cannot be opened: %w", at.Dir, err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return recorded(ctx, store, n)
}
