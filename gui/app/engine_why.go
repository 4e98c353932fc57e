package app

import (
	"context"

	"github.com/refscope/refscope/snapshot/turn"
)

// WhyEngine knows the numbers of the session in use.
type WhyEngine interface {
	// Ledger is the session's ledger of ref numbers as it is now, nil where turns are
	// not kept.
	Ledger(ctx context.Context) (*turn.Ledger, error)
}
