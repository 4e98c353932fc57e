package step

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format/domtool"
	"github.com/refscope/refscope/snapshot/turn"
)

// The numbers of a run. A capture is numbered in memory when it is taken, and once more
// in the session's ledger when the turn is kept; both come to the same numbers, because
// both are told the same in the same order.

// event is one thing that numbered elements, in the order in which they happened.
type event struct {
	capture *snapshot.Capture
	kind    eventKind
	node    int    // for given
	from    int    // for asked: the highest ref that the agent had been told
	hash    string // for asked: the state of the page
}

type eventKind byte

const (
	seen  eventKind = iota // the capture was taken
	asked                  // and the agent asked for it: it follows seen at once
	given                  // the agent pointed at an element that no format lists
)

// learn numbers a capture of this run.
func (r *Runner) learn(c *snapshot.Capture) {
	r.ledger.Assign(r.page.Tab().ID(), r.ledger.NextTurn(), c)
	r.captures = append(r.captures, c)
	r.events = append(r.events, event{capture: c, kind: seen})
}

// ask notes that the capture which [Runner.learn] has just numbered is a snapshot that
// the agent asked for, and gives the snapshot's number. What this run has numbered so
// far without telling anybody is new in it.
func (r *Runner) ask(c *snapshot.Capture, hash string) (int, error) {
	from := r.known
	r.events = append(r.events, event{capture: c, kind: asked, from: from, hash: hash})
	r.known = r.ledger.Highest()
	return r.ledger.Snapshot(r.ledger.NextTurn(), from, hash)
}

// give numbers a node that no format lists.
func (r *Runner) give(c *snapshot.Capture, n *snapshot.Node) int {
	if n.Ref == 0 {
		r.events = append(r.events, event{capture: c, kind: given, node: n.I})
		r.ledger.Give(r.page.Tab().ID(), r.ledger.NextTurn(), c, n.I)
	}
	return n.Ref
}

// replay does to the session's ledger what this run did to its own. It is an error
// where that gives other numbers than the agent was told.
func (r *Runner) replay(l *turn.Ledger, target string) error {
	told := make([][]int, len(r.captures))
	for i, c := range r.captures {
		told[i] = refsOf(c)
	}
	for _, e := range r.events {
		switch e.kind {
		case seen:
			l.Assign(target, l.NextTurn(), e.capture)
		case asked:
			if _, err := l.Snapshot(l.NextTurn(), e.from, e.hash); err != nil {
				return err
			}
		case given:
			l.Give(target, l.NextTurn(), e.capture, e.node)
		}
	}
	for i, c := range r.captures {
		if !slices.Equal(told[i], refsOf(c)) {
			return errors.New("another program has used this session meanwhile: give each its own with --session")
		}
	}
	return nil
}

// generation is the number of the snapshot that first gave a ref.
func (r *Runner) generation(ref int) int {
	if r.opt.Generation != nil {
		return r.opt.Generation(ref)
	}
	return r.ledger.Generation(ref)
}

// spell writes a ref as snapshots do, s3e12, for the agent: from now on it is known.
func (r *Runner) spell(ref int) string {
	s := fmt.Sprintf("s%de%d", r.generation(ref), ref)
	r.known = max(r.known, ref)
	return s
}

// spelled is spell, and nothing for an element without a number.
func (r *Runner) spelled(ref int) string {
	if ref == 0 {
		return ""
	}
	return r.spell(ref)
}

// lastTurn is the newest turn of the session, read once.
type lastTurn struct {
	read bool
	rec  *turn.Record // nil where there is none
}

// lastRecord is the newest turn of the session that is of this tab, nil for none.
func (r *Runner) lastRecord(ctx context.Context) *turn.Record {
	if r.last.read || r.opt.Store == nil {
		return r.last.rec
	}
	r.last.read = true
	n := r.ledger.NextTurn() - 1
	if n < 1 {
		return nil
	}
	rec, err := r.opt.Store.Load(ctx, n)
	switch {
	case err != nil:
		r.opt.Log.Debug("the turn before could not be read", "turn", n, "error", err)
	case rec.Meta.Target == r.page.Tab().ID():
		r.last.rec = rec
	}
	return r.last.rec
}

// shown is the capture whose viewport snapshot the agent had last, nil where it has had
// none of this document: what stays in place and reads the same need not be sent again
// (C-23, section 19.6).
func (r *Runner) shown(ctx context.Context, now *snapshot.Capture) *snapshot.Capture {
	rec := r.lastRecord(ctx)
	if rec == nil || len(rec.Capture.Frames) == 0 || len(now.Frames) == 0 || rec.Capture.Frames[0].Loader != now.Frames[0].Loader {
		return nil
	}
	for _, p := range rec.Payloads {
		if p.Dialect == "cdp-skill" && p.Way == turn.Answer {
			return rec.Capture
		}
	}
	return nil
}

// nodeID is the number of an element by DomTool's id, 0 for none. Ids are of places in
// the document, so they are looked up in what the agent had: the turn before, then the
// readings of this run.
func (r *Runner) nodeID(ctx context.Context, id string) int {
	if rec := r.lastRecord(ctx); rec != nil {
		if n := byNodeID(rec.Capture, id); n != nil {
			if n.Ref > 0 {
				return n.Ref
			}
			// It had no number; the same element of this run may get one.
			if c, same := r.sameNode(rec.Capture, n); same != nil {
				return r.give(c, same)
			}
			return 0
		}
	}
	for c := range r.seen() {
		if n := byNodeID(c, id); n != nil {
			return r.give(c, n)
		}
	}
	return 0
}

// sameNode is the node of this run's newest capture that is the same element as a node
// of an earlier turn.
func (r *Runner) sameNode(before *snapshot.Capture, n *snapshot.Node) (*snapshot.Capture, *snapshot.Node) {
	var c *snapshot.Capture
	for c = range r.seen() {
		break // the newest
	}
	if c == nil || n.UID == 0 || n.Frame < 0 || n.Frame >= len(before.Frames) {
		return nil, nil
	}
	v := &view{c: c}
	f := before.Frames[n.Frame]
	return c, v.node(f.ID, f.Loader, n.UID)
}

// byNodeID is the element that the domtool format calls by an id, nil for none.
func byNodeID(c *snapshot.Capture, id string) *snapshot.Node {
	want, ok := domtool.NodeIDs(c)[id]
	if !ok {
		return nil
	}
	for p := range c.Nodes {
		if c.Nodes[p].I == want {
			return &c.Nodes[p]
		}
	}
	return nil
}
