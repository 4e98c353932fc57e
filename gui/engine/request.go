package engine

import (
	"context"
	"errors"
	"fmt"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/doctor"
)

// Examine implements [request.Engine].
func (l *Live) Examine(ctx context.Context, n int) (report *doctor.Report, err error) {
	l.mu.Lock()
	store := l.store
	l.mu.Unlock()
	if store == nil {
		return nil, errors.New("turns in memory hold no requests")
	}
	err = files.Examine(ctx, store, l.counter, []int{n}, func(_ int, r *doctor.Report, err error) error {
		report = r
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("examining turn %d: %w", n, err)
	}
	return report, nil
}
