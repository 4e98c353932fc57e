package element

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/turn"
)

// Numbers is one transaction on the numbers of a session: it begins with the ledger as the session has it,
// gives numbers in memory while the page is read and operated, and [Numbers.Append] writes them with the turn,
// under the session's lock. A number is given in one place and once; where another program has given it
// meanwhile, the turn is refused and nothing is written. It is not safe for concurrent use.
type Numbers struct {
	store  *turn.Store // nil: nothing is kept
	ledger *turn.Ledger
	target string // the browser's id of the tab
	known  int    // the highest number that the agent may have had
	// spelling is the agent's, nil for that of snapshots.
	spelling func(ref int) string
	// handed has, of what this transaction has numbered or noted a change of, the role and name in the last
	// snapshot that the agent requested in it.
	handed map[int][2]string
}

// writing is a turn of the transaction before that is being written.
type writing struct {
	done chan struct{} // closed when it is over
	next *turn.Ledger  // the session's once it is written
}

// over reports whether nothing is being written.
func (w *writing) over() bool {
	if w == nil {
		return true
	}
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// newNumbers begins a transaction, after the turn that is still being written, nil for none.
func newNumbers(ctx context.Context, store *turn.Store, target string, before *writing) (*Numbers, error) {
	n := &Numbers{store: store, target: target}
	if store != nil && !before.over() {
		n.ledger, n.known = before.next, before.next.Highest()
		return n, nil
	}
	return n, n.begin(ctx)
}

// begin reads the session's ledger.
func (n *Numbers) begin(ctx context.Context) error {
	if n.store == nil {
		if n.ledger == nil {
			n.ledger = turn.NewLedger()
		}
		return nil
	}
	l, err := n.store.Ledger(ctx)
	if err != nil {
		return fmt.Errorf("reading the session's numbers: %w", err)
	}
	n.ledger, n.known, n.handed = l, max(n.known, l.Highest()), nil
	return nil
}

// Ledger has all numbers of the session and of this transaction.
func (n *Numbers) Ledger() *turn.Ledger { return n.ledger }

// Assign numbers the elements of a capture.
func (n *Numbers) Assign(c *snapshot.Capture) { n.ledger.Assign(n.target, n.ledger.NextTurn(), c) }

// Give numbers a node that no format lists, because an agent pointed at it.
func (n *Numbers) Give(c *snapshot.Capture, node *snapshot.Node) int {
	if node.Ref == 0 {
		n.ledger.Give(n.target, n.ledger.NextTurn(), c, node.I)
	}
	return node.Ref
}

// Snapshot records that the agent requested the capture that was numbered last, and gives the snapshot's
// number. What was numbered but not yet reported is new in it. hash identifies the state of the page.
func (n *Numbers) Snapshot(hash string) (int, error) {
	from := n.known
	n.known = n.ledger.Highest()
	next := n.ledger.NextTurn()
	n.handed = map[int][2]string{}
	for ref := 1; ref <= n.known; ref++ {
		if e, ok := n.ledger.Entry(ref); ok && (e.First >= next || e.ChangedIn(next)) {
			role, name := e.Now()
			n.handed[ref] = [2]string{role, name}
		}
	}
	return n.ledger.Snapshot(next, from, hash)
}

// Link records that one element took the place of another, once.
func (n *Numbers) Link(old, by int) {
	if old == 0 || by == 0 || old == by {
		return
	}
	if e, ok := n.ledger.Entry(by); ok && e.Replaces == 0 {
		_ = n.ledger.Link(old, by, n.ledger.NextTurn()) // both are known, or there is nothing to link
	}
}

// Changed describes how the role or name of an element has changed since the agent saw it last: in the last snapshot
// of this transaction, else when the last turn was kept. "" where it did not change, and for an element that the agent
// has not seen.
func (n *Numbers) Changed(ref int) string {
	e, ok := n.ledger.Entry(ref)
	next := n.ledger.NextTurn()
	seen, now := n.handed[ref]
	if !ok || !now && (n.store == nil || e.First >= next) {
		return ""
	}
	role, name := e.Now()
	role0, name0 := seen[0], seen[1]
	if !now {
		role0, name0 = e.Before(next)
	}
	if role == role0 && name == name0 {
		return ""
	}
	return fmt.Sprintf("was %s %q when a snapshot listed it, and is %s %q now", role0, name0, role, name)
}

// Known is the highest number that the agent may have had.
func (n *Numbers) Known() int { return n.known }

// Spell writes a ref as snapshots do, s3e12, or in the agent's own spelling, for the agent: from now on it is known.
// "" for an element without a number.
func (n *Numbers) Spell(ref int) string {
	if ref == 0 {
		return ""
	}
	n.known = max(n.known, ref)
	if n.spelling != nil {
		return n.spelling(ref)
	}
	return refText(n.ledger.Generation(ref), ref)
}

// Writes has the aria format spell refs as [Numbers.Spell] does.
func (n *Numbers) Writes(o *aria.Options) { o.Snapshot, o.Spell = n.ledger.Generation, n.spelling }

// Append writes a turn with the numbers of this transaction, and begins the next one. Without a session it
// does nothing and gives nil.
func (n *Numbers) Append(ctx context.Context, rec *turn.Record) (*turn.Record, error) {
	if n.store == nil {
		return nil, nil
	}
	rec.Meta.Target = n.target
	out, err := appendWith(ctx, n.store, n.ledger, rec)
	if err != nil {
		return nil, err
	}
	return out, n.begin(ctx)
}

// appendWith writes a turn with the numbers of a transaction.
func appendWith(ctx context.Context, store *turn.Store, numbers *turn.Ledger, rec *turn.Record) (*turn.Record, error) {
	out, err := store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
		if err := l.Adopt(numbers); err != nil {
			return nil, fmt.Errorf(
				"another program has used this session meanwhile: give each its own with --session (%w)", err)
		}
		return rec, nil
	})
	if err != nil {
		return nil, fmt.Errorf("keeping the turn: %w", err)
	}
	return out, nil
}
