// Package refs remembers what an agent was shown of a tab and finds the elements again
// that it speaks of: by number, by DomTool's id, or by CSS selector (D-10, B-1, W-6).
//
// # Which element is meant
//
// A number belongs to one element for as long as its document lives, whatever snapshot
// it was in. DomTool's ids are made of an element's place, so the same id may be another
// element's in a later snapshot: it is looked up in the last snapshot that the agent was
// given, then in older ones, newest first, and last in the page as it is now. What the
// book reads for itself in between never changes what an id means.
//
// The element itself is then found by its identity. Where it is gone, the page is read
// again, and the single element with its role and name takes its place, under its own
// number ([collect.Resolve], C-6, S-12); everything else is a refusal. A ref of a
// document that the tab has left is always refused.
package refs

import (
	"context"
	"slices"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format/domtool"
	"github.com/refscope/refscope/snapshot/turn"
)

// held is how many snapshots are remembered with all their elements; the ledger
// remembers the numbers of older ones.
const held = 8

// Options say how a tab is read.
type Options struct {
	// Session is how a snapshot is taken. Its Store is not used: what is kept, and with
	// which payload, is the matter of whoever answers the agent.
	Session session.Options
	// Ledger has the numbers so far, as of a session on disk; nil begins at 1.
	Ledger *turn.Ledger
	// TTL is how long a snapshot stands for a page that does not change;
	// [session.CacheTTL] if 0.
	TTL time.Duration
	// Learned hears of each new capture that was given numbers, in order, so that a
	// session on disk can be given the same ones.
	Learned func(*snapshot.Capture)
}

// Book is what was shown of one tab. It is not safe for concurrent use.
type Book struct {
	page   *action.Page
	opt    Options
	cache  session.Cache
	ledger *turn.Ledger
	taken  int // number of the newest reading
	shown  []*Snapshot
	last   *snapshot.Capture // the newest reading that was numbered
}

// Snapshot is what an agent was shown.
type Snapshot struct {
	Shot *session.Shot
	// N is the ledger's number of the reading, from 1. A cached snapshot keeps its
	// number; what the book read for itself in between is counted too.
	N int
	// Cached: nothing had changed and it was young enough.
	Cached bool
	// Took is how long it took to make, a cached one too.
	Took time.Duration

	ids map[string]int
}

// New begins a book for a tab.
func New(tab *browser.Tab, o Options) *Book {
	b := &Book{page: action.New(tab), opt: o, ledger: o.Ledger, cache: session.Cache{TTL: o.TTL}}
	b.opt.Session.Store = nil
	if b.ledger == nil {
		b.ledger = turn.NewLedger()
	}
	return b
}

// Page is the page that the refs are in.
func (b *Book) Page() *action.Page { return b.page }

// Ledger has all numbers that were given.
func (b *Book) Ledger() *turn.Ledger { return b.ledger }

// Last is the last snapshot that was shown, nil before the first.
func (b *Book) Last() *Snapshot {
	if len(b.shown) == 0 {
		return nil
	}
	return b.shown[len(b.shown)-1]
}

// Invalidate makes the next snapshot a new one (B-9).
func (b *Book) Invalidate() { b.cache.Invalidate() }

// Show takes a snapshot, or gives the cached one, and remembers it as what the agent
// sees now.
func (b *Book) Show(ctx context.Context) (*Snapshot, error) {
	s, err := b.read(ctx)
	if err != nil {
		return nil, err
	}
	if last := b.Last(); last != nil && last.Shot == s.Shot {
		b.shown[len(b.shown)-1] = s
		return s, nil
	}
	b.shown = append(b.shown, s)
	if len(b.shown) > held {
		b.shown = slices.Delete(b.shown, 0, len(b.shown)-held)
	}
	return s, nil
}

// read takes a snapshot, or gives the cached one, with its numbers.
func (b *Book) read(ctx context.Context) (*Snapshot, error) {
	began := time.Now()
	shot, cached, err := b.cache.Take(ctx, b.page.Tab(), b.opt.Session)
	if err != nil {
		return nil, err
	}
	if !cached {
		// The numbers that the turn gave itself know nothing of earlier ones.
		b.learn(shot.Capture)
	}
	return &Snapshot{Shot: shot, N: b.taken, Cached: cached, Took: time.Since(began)}, nil
}

// learn numbers a capture.
func (b *Book) learn(c *snapshot.Capture) {
	b.taken = max(b.taken+1, b.ledger.NextTurn())
	b.ledger.Assign(b.page.Tab().ID(), b.taken, c)
	b.last = c
	if b.opt.Learned != nil {
		b.opt.Learned(c)
	}
}

// node is the index of the element that has a DomTool id.
func (s *Snapshot) node(id string) (*snapshot.Node, bool) {
	if s.ids == nil {
		s.ids = domtool.NodeIDs(s.Shot.Capture)
	}
	i, ok := s.ids[id]
	if !ok {
		return nil, false
	}
	return nodeAt(s.Shot.Capture, i), true
}

func nodeAt(c *snapshot.Capture, i int) *snapshot.Node {
	p, _ := slices.BinarySearchFunc(c.Nodes, i, func(n snapshot.Node, i int) int { return n.I - i })
	return &c.Nodes[p]
}
