package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/turn"
)

// CompareRuns implements [compare.Engine].
func (l *Live) CompareRuns(ctx context.Context, name string) (core.Session, *runs.Comparison, error) {
	none := core.Session{}
	at, err := l.locate(strings.TrimSpace(name))
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
	other, c, err := compareRuns(ctx, first, second, filepath.Base(at.Dir))
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

func compareRuns(ctx context.Context, first, second *turn.Store, name string) (core.Session, *runs.Comparison, error) {
	other, err := listed(ctx, second, name)
	if err != nil {
		return other, nil, err
	}
	reader := runs.NewReader(element.Number)
	var lists [2][]*runs.Turn
	var notes []string
	for i, s := range []*turn.Store{first, second} {
		if lists[i], err = reader.Read(ctx, s); err != nil {
			if _, damaged := errors.AsType[*turn.DamagedError](err); !damaged {
				return other, nil, fmt.Errorf("reading %s: %w", s.Path(), err)
			}
			notes = append(notes, fmt.Sprintf("%s is damaged: what cannot be read is left out", filepath.Base(s.Path())))
		}
	}
	c, err := runs.Compare(ctx, lists[0], lists[1])
	if err != nil {
		return other, nil, fmt.Errorf("comparing the runs: %w", err)
	}
	c.Notes = append(c.Notes, notes...)
	for i, label := range []**runs.Label{&c.LabelA, &c.LabelB} {
		said, _, err := []*turn.Store{first, second}[i].Annotations(ctx)
		if err != nil {
			return other, nil, err
		}
		*label = runs.LabelOf(said)
	}
	return other, c, nil
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
