package engine

import (
	"context"
	"errors"
	"os/user"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/turn"
)

// errNoNotes: turns in memory cannot have notes.
var errNoNotes = errors.New("this session is in memory only, and a note would be lost with it")

// Annotate implements [notes.Engine].
func (l *Live) Annotate(ctx context.Context, n core.Note) (core.Note, error) {
	store := l.inUse()
	if store == nil {
		return n, errNoNotes
	}
	a, err := store.Annotate(ctx, turn.Annotation{Turn: n.Turn, Ref: n.Ref, Verdict: n.Verdict, Text: n.Text,
		By: author()})
	return noteOf(a), err
}

// Retract implements [notes.Engine].
func (l *Live) Retract(ctx context.Context, n int) error {
	store := l.inUse()
	if store == nil {
		return errNoNotes
	}
	return store.Retract(ctx, n, author())
}

// FollowNotes implements [core.Engine].
func (l *Live) FollowNotes(ctx context.Context, changed func([]core.Note)) error {
	store := l.inUse()
	if store == nil {
		<-ctx.Done()
		return ctx.Err()
	}
	return store.FollowNotes(ctx, func(list []turn.Annotation) { changed(notesOf(list)) })
}

func (l *Live) inUse() *turn.Store {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.store
}

// author is the user of the window, "" if unknown.
func author() string {
	u, err := user.Current()
	if err != nil || len(u.Username) > 100 {
		return ""
	}
	return u.Username
}

func notesOf(list []turn.Annotation) []core.Note {
	out := make([]core.Note, len(list))
	for i, a := range list {
		out[i] = noteOf(a)
	}
	return out
}

func noteOf(a turn.Annotation) core.Note {
	return core.Note{N: a.N, Turn: a.Turn, Ref: a.Ref, At: a.At, By: a.By, Verdict: a.Verdict, Text: a.Text}
}
