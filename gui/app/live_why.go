package app

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/snapshot/turn"
)

// Ledger implements [Engine].
func (l *Live) Ledger(ctx context.Context) (*turn.Ledger, error) {
	l.mu.Lock()
	store := l.store
	l.mu.Unlock()
	if store == nil {
		return nil, nil
	}
	book, err := store.Ledger(ctx)
	if err != nil {
		return nil, fmt.Errorf("the ledger of the session cannot be read: %w", err)
	}
	return book, nil
}
