package app

import (
	"context"

	"github.com/refscope/refscope/gui/core"
)

// NotesEngine is where notes about turns are kept.
type NotesEngine interface {
	// Annotate adds a note to the session in use and returns it with its number, time
	// and author.
	Annotate(ctx context.Context, n core.Note) (core.Note, error)
	// Retract takes a note back.
	Retract(ctx context.Context, n int) error
	// FollowNotes calls changed with all notes of the session in use, at once and again
	// whenever somebody adds one or takes one back. It returns the context's error, or
	// why it cannot go on.
	FollowNotes(ctx context.Context, changed func([]core.Note)) error
}
