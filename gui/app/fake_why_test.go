package app

import (
	"context"

	"github.com/refscope/refscope/snapshot/turn"
)

// Ledger is a book of the fake's turns.
func (f *fake) Ledger(context.Context) (*turn.Ledger, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	book := turn.NewLedger()
	for _, r := range f.turns {
		c := *r.Capture
		c.Nodes = append(c.Nodes[:0:0], c.Nodes...)
		book.Assign("A", r.N, &c)
	}
	return book, nil
}
