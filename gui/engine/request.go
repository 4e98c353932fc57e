package engine

import (
	"context"
	"errors"
	"fmt"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/turn"
)

// maxReports bounds the reports that are kept, so that a turn that was examined once is there at once.
const maxReports = 256

// read is a turn that was examined.
type read struct {
	report *doctor.Report
	story  *conversation.Story
}

// Examine implements [sentrequest.Engine].
func (l *Live) Examine(ctx context.Context, n int) (*doctor.Report, *conversation.Story, error) {
	l.mu.Lock()
	known, ok := l.reports[n]
	l.mu.Unlock()
	if ok {
		return known.report, known.story, nil
	}
	err := l.examine(ctx, l.inUse(), []int{n}, func(e files.Examined, r read) error {
		known = r
		return e.Err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("examining turn %d: %w", n, err)
	}
	return known.report, known.story, nil
}

// Stories implements [sentrequest.Engine].
func (l *Live) Stories(ctx context.Context, turns []int, each func(*conversation.Story)) error {
	return l.stories(ctx, l.inUse(), turns, each)
}

func (l *Live) stories(ctx context.Context, store *turn.Store, turns []int, each func(*conversation.Story)) error {
	err := l.examine(ctx, store, turns, func(e files.Examined, r read) error {
		if e.Err != nil {
			l.opt.Log.Debug("no story", "turn", e.N, "error", e.Err)
		} else if r.story != nil {
			each(r.story)
		}
		return ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("reading what the turns tell: %w", err)
	}
	return nil
}

// examine examines turns of a session, and keeps the reports of that in use: a turn on the disk does not change.
func (l *Live) examine(ctx context.Context, store *turn.Store, turns []int,
	each func(files.Examined, read) error) error {
	if store == nil {
		return errors.New("turns in memory hold no requests")
	}
	return files.Examine(ctx, store, l.counter, turns, func(e files.Examined) error {
		if e.Err != nil {
			return each(e, read{})
		}
		r := read{e.Report, conversation.StoryOf(e.Record, e.Report)}
		l.mu.Lock()
		if l.store == store && len(l.reports) < maxReports {
			if l.reports == nil {
				l.reports = map[int]read{}
			}
			l.reports[e.N] = r
		}
		l.mu.Unlock()
		return each(e, r)
	})
}
