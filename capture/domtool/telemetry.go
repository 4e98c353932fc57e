package domtool

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Event is one measurement (B-12). It holds counts, times and codes; never text of the
// page or what was typed.
type Event struct {
	// Name is snapshot, click, type or keypress.
	Name string
	// Took is of the whole call: of a snapshot, how long it took to build.
	Took time.Duration
	// OK is whether the call did what was requested.
	OK bool
	// Code is the error's, "" for success and for errors that have none.
	Code Code
	// ReResolved: the element was gone and another took its place.
	ReResolved bool

	// Of an action: how it was done, and its outcome; see [Result].
	Method        string
	Kept, Checked *bool

	// Of a snapshot.
	Cached    bool
	Nodes     int // in the payload
	Visible   int
	Operable  int // actionable nodes
	Omitted   int // left out by the limits
	Truncated bool
	Bytes     int // of the payload
}

// tell passes an event to the observer and to the log.
func (t *Tool) tell(ctx context.Context, e Event, err error) {
	e.OK = err == nil
	if typed, ok := errors.AsType[*Error](err); ok {
		e.Code = typed.Code
	}
	if t.opt.Observe != nil {
		t.opt.Observe(e)
	}
	if t.opt.Log == nil {
		return
	}
	attrs := []slog.Attr{slog.String("event", e.Name), slog.Duration("took", e.Took), slog.Bool("ok", e.OK)}
	if e.Name == "snapshot" && e.OK {
		attrs = append(
			attrs, slog.Bool("cached", e.Cached), slog.Int("nodes", e.Nodes), slog.Int("visible", e.Visible),
			slog.Int("actionable", e.Operable), slog.Int("omitted", e.Omitted), slog.Bool("truncated", e.Truncated),
			slog.Int("bytes", e.Bytes),
		)
	}
	if e.Code != "" {
		attrs = append(attrs, slog.String("code", string(e.Code)))
	}
	if e.Method != "" && e.OK {
		attrs = append(attrs, slog.String("method", e.Method))
	}
	for name, is := range map[string]*bool{"kept": e.Kept, "checked": e.Checked} {
		if is != nil && e.OK {
			attrs = append(attrs, slog.Bool(name, *is))
		}
	}
	if e.ReResolved {
		attrs = append(attrs, slog.Bool("reResolved", true))
	}
	t.opt.Log.LogAttrs(ctx, slog.LevelInfo, "[DomTool]", attrs...)
}
