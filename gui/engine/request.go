package engine

import (
	"context"
	"errors"
	"fmt"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/tokens"
)

// Examine implements [request.Engine].
func (l *Live) Examine(ctx context.Context, n int) (*doctor.Report, *conversation.Story, error) {
	var report *doctor.Report
	var story *conversation.Story
	err := l.examine(ctx, []int{n}, l.counter, func(e files.Examined) error {
		report = e.Report
		if e.Err == nil {
			story = conversation.StoryOf(e.Record, e.Report)
		}
		return e.Err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("examining turn %d: %w", n, err)
	}
	return report, story, nil
}

// Stories implements [request.Engine].
func (l *Live) Stories(ctx context.Context, turns []int, each func(*conversation.Story)) error {
	err := l.examine(ctx, turns, nil, func(e files.Examined) error {
		if e.Err != nil {
			l.opt.Log.Debug("no story", "turn", e.N, "error", e.Err)
		} else if story := conversation.StoryOf(e.Record, e.Report); story != nil {
			each(story)
		}
		return ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("reading what the turns tell: %w", err)
	}
	return nil
}

func (l *Live) examine(ctx context.Context, turns []int, counter *tokens.Counter, each func(files.Examined) error) error {
	l.mu.Lock()
	store := l.store
	l.mu.Unlock()
	if store == nil {
		return errors.New("turns in memory hold no requests")
	}
	return files.Examine(ctx, store, counter, turns, each)
}
