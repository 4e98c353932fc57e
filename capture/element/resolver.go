// Package element finds the element that a target means, and owns the ledger of the elements' numbers, for steps,
// the task loop, the MCP server and DomTool alike.
//
// # Where to start
//
// [New] makes the [Resolver] of one tab. [Resolver.Find] gives the live element of a [Target]: a ref in any
// spelling, a selector, a text, a label, a role, or a node id. [Resolver.Add] numbers a capture,
// [Numbers.Append] writes the turn with all numbers that were given since the last one. [ParseRef] is the one
// reader of refs.
//
// # Which element a target identifies
//
// A number belongs to one element for as long as its document lives, whatever snapshot it was in. DomTool's ids
// are made of an element's place, so the same id may be another element's in a later snapshot: it is looked up
// in the last snapshot that the agent was given, then in older ones, newest first, and last in the page as it
// is now. What the resolver reads for itself in between never changes what an id means.
//
// The element itself is then found by its identity, in three stages (C-6): by our registry, by its
// backendNodeId, and where it is gone, the page is read again, and the single element with its role and name
// takes its place, under its own number ([collect.Resolve], S-12). Everything else is a refusal. A ref of a
// document that the tab has left is always refused, and so is one with a frame that the element was never in.
//
// # Which frame is looked in
//
// A resolver has a present frame: the main one, until [Resolver.SwitchTo] names another. Selectors look in its
// document and the shadow trees there. Words (a text, a label, a role with its name) look there too, and behind it in
// the frames inside: of elements that match equally well, the present frame's own is the one. A target with
// SearchFrames looks in all frames, the present one first. Two ways to name an element know no frame: a ref, which
// means its element wherever that lies, and a point, which is one of the tab's viewport. A frame that is gone is an
// error, never the main frame instead.
package element

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format/dddk"
	"github.com/refscope/refscope/snapshot/format/domtool"
	"github.com/refscope/refscope/snapshot/turn"
)

// Bounds of what is remembered with all its elements; the ledger remembers the numbers of older captures.
const (
	maxShown    = 8
	maxCaptures = 64
)

// Options configure how a tab is read, and where its numbers are kept.
type Options struct {
	// Store is the session that the numbers are of; nil begins at 1 and keeps nothing.
	Store *turn.Store
	// Session is how a snapshot is taken. Its Store is not used: what is kept, and with which payload, is the
	// matter of the caller that answers the agent.
	Session session.Options
	// TTL is how long a snapshot of an unchanged page is valid; 2 s if 0, as in [session.Cache].
	TTL time.Duration
	// Resemblance is the score from 0 to 1 from which on an element takes the place of one that is gone, though
	// its role or name is another (S-12, compat); 0 for never.
	Resemblance float64
	// Spell is how the agent writes refs, nil for s3e12.
	Spell func(ref int) string
	// Memory is that of an earlier resolver of the tab; nil starts empty.
	Memory *Memory
	Log    *slog.Logger // nil discards
}

// Memory is the state that a resolver passes to the next one of the same tab: the cached snapshot, and those that the
// agent was shown, whose ids it may still use. The zero value is empty. It is not safe for concurrent use.
type Memory struct {
	cache session.Cache
	shown []*Snapshot // to the agent, oldest first
	// behind is the turn of the transaction before, nil where it was written before that was over.
	behind *writing
}

// Resolver knows the elements of one tab. It is not safe for concurrent use.
type Resolver struct {
	*Numbers
	*Memory
	page     *action.Page
	opt      Options
	frame    string              // id of the present frame, "" for the main one
	found    string              // id of the frame of the last element that was found since then, "" for none
	captures []*snapshot.Capture // that were numbered, oldest first
	base     *snapshot.Capture   // numbered by an earlier run, and known to be what the page is
	earlier  int                 // how many of shown are of earlier resolvers
	last     lastTurn
}

// Snapshot is a capture that an agent has seen.
type Snapshot struct {
	Shot *session.Shot
	// N counts the snapshots that were shown, from 1; 0 for one that was not. A cached one keeps its number.
	N int
	// Cached: nothing had changed and it was young enough.
	Cached bool

	ids, hashes map[string]int // nodes by the ids of domtool and of dddk, made when first requested
}

// lastTurn is the newest turn of the session, read once.
type lastTurn struct {
	read bool
	rec  *turn.Record // nil where there is none
}

// New makes the resolver of a tab.
func New(ctx context.Context, tab *browser.Tab, o Options) (*Resolver, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Session.Store = nil
	if o.Memory == nil {
		o.Memory = &Memory{}
	}
	n, err := newNumbers(ctx, o.Store, tab.ID(), o.Memory.behind)
	if err != nil {
		return nil, err
	}
	n.spelling = o.Spell
	o.Memory.cache.TTL = o.TTL
	return &Resolver{
		Numbers: n, Memory: o.Memory, page: action.New(tab), opt: o, earlier: len(o.Memory.shown),
	}, nil
}

// Page is the page that the elements are in.
func (r *Resolver) Page() *action.Page { return r.page }

// Frame is the id of the present frame, "" for the main one.
func (r *Resolver) Frame() string { return r.frame }

// SwitchTo makes a frame the present one, by its id; "" is the main frame.
func (r *Resolver) SwitchTo(frame string) { r.frame, r.found = frame, "" }

// Keyboard sees to it that keys go to the frame that was switched to: it gets the focus, unless it has it, or the
// frame of the element has it that was found last, which a ref may have named in another frame. moved reports that it
// got it. Where no frame was switched to, keys go to what has the focus.
func (r *Resolver) Keyboard(ctx context.Context) (moved bool, err error) {
	if r.frame == "" {
		return false, nil
	}
	has, err := r.page.HasFocus(ctx, r.frame)
	if err != nil || has {
		return false, err
	}
	if r.found != "" {
		if has, err = r.page.HasFocus(ctx, r.found); err == nil && has {
			return false, nil
		}
	}
	return true, r.page.FocusFrame(ctx, r.frame)
}

// FrameIn is the index in Capture.Frames of the present frame. A frame that a capture lacks, or that could not be
// read, is an error.
func (r *Resolver) FrameIn(c *snapshot.Capture) (int, error) {
	if r.frame == "" {
		return 0, nil
	}
	for i := range c.Frames {
		if c.Frames[i].ID != r.frame {
			continue
		}
		if !c.Frames[i].Readable {
			return 0, fmt.Errorf("the frame cannot be read: %s", c.Frames[i].Why)
		}
		return i, nil
	}
	return 0, FrameGone(r.frame)
}

// FrameGone is the error of a frame that was switched to and is not there any more. The main frame is never taken
// instead: it may hold the same selectors.
func FrameGone(id string) error {
	return &action.StaleError{What: "frame " + id,
		Why: `is not on the page any more: {"frame":"top"} goes back to the main one`}
}

// Add numbers a capture of this tab and remembers it.
func (r *Resolver) Add(c *snapshot.Capture) {
	r.Assign(c)
	r.captures = append(r.captures, c)
	if len(r.captures) > maxCaptures {
		r.captures = slices.Delete(r.captures, 0, len(r.captures)-maxCaptures)
	}
}

// Rely declares that a capture numbered by an earlier run still matches the page.
func (r *Resolver) Rely(c *snapshot.Capture) { r.base = c }

// Relied is that capture, nil where there is none, and where the page was read since.
func (r *Resolver) Relied() *snapshot.Capture {
	if len(r.captures) > 0 {
		return nil
	}
	return r.base
}

// Captures are those that are known, newest first.
func (r *Resolver) Captures() iter.Seq[*snapshot.Capture] {
	return func(yield func(*snapshot.Capture) bool) {
		for _, c := range slices.Backward(r.captures) {
			if !yield(c) {
				return
			}
		}
		if r.base != nil && !yield(r.base) {
			return
		}
		for _, s := range slices.Backward(r.shown) {
			if !slices.Contains(r.captures, s.Shot.Capture) && !yield(s.Shot.Capture) {
				return
			}
		}
	}
}

// Newest is the newest capture that is known, nil for none.
func (r *Resolver) Newest() *snapshot.Capture {
	for c := range r.Captures() {
		return c
	}
	return nil
}

// Last is the last snapshot that was shown, nil before the first.
func (r *Resolver) Last() *Snapshot {
	if len(r.shown) == 0 {
		return nil
	}
	return r.shown[len(r.shown)-1]
}

// Invalidate makes the next snapshot a new one (B-9).
func (r *Resolver) Invalidate() { r.cache.Invalidate() }

// ValidFor has snapshots of an unchanged page be valid for that long, until the answer is called.
func (r *Resolver) ValidFor(ttl time.Duration) (end func()) {
	before := r.cache.TTL
	r.cache.TTL = ttl
	return func() { r.cache.TTL = before }
}

// Show takes a snapshot, or gives the cached one, and remembers it as what the agent sees now.
func (r *Resolver) Show(ctx context.Context) (*Snapshot, error) {
	s, err := r.Take(ctx)
	if err != nil {
		return nil, err
	}
	last := r.Last()
	if last != nil && last.Shot == s.Shot {
		s.N = last.N
		r.shown[len(r.shown)-1] = s
		return s, nil
	}
	if s.N = 1; last != nil {
		s.N += last.N
	}
	r.remember(s)
	return s, nil
}

// Showed notes that the agent gets DomTool's ids of a capture that is numbered.
func (r *Resolver) Showed(c *snapshot.Capture) {
	s := &Snapshot{Shot: &session.Shot{Capture: c}, N: 1}
	if last := r.Last(); last != nil {
		s.N += last.N
	}
	r.remember(s)
}

func (r *Resolver) remember(s *Snapshot) {
	r.shown = append(r.shown, s)
	if over := len(r.shown) - maxShown; over > 0 {
		r.shown = slices.Delete(r.shown, 0, over)
		r.earlier = max(0, r.earlier-over)
	}
}

// Take takes a snapshot, or gives the cached one, with its numbers. Nobody has seen it.
func (r *Resolver) Take(ctx context.Context) (*Snapshot, error) {
	o := r.opt.Session
	o.Number = r.Add
	shot, cached, err := r.cache.Take(ctx, r.page.Tab(), o)
	if err != nil {
		return nil, err
	}
	if cached && !slices.Contains(r.captures, shot.Capture) {
		r.Add(shot.Capture) // of an earlier resolver
	}
	return &Snapshot{Shot: shot, Cached: cached}, nil
}

// Append writes a turn with the numbers that were given since the one before; see [Numbers.Append].
func (r *Resolver) Append(ctx context.Context, rec *turn.Record) (*turn.Record, error) {
	out, err := r.Numbers.Append(ctx, rec)
	if out != nil {
		r.last = lastTurn{read: true, rec: out}
		r.captures = slices.Clone(r.captures[max(0, len(r.captures)-1):])
	}
	return out, err
}

// AppendBehind ends the transaction as [Resolver.Append] does, and gives what writes its turn, which must be called
// once, before the next turn of the session is written. The next resolver with this one's memory goes on with the
// numbers as they will be. Nothing more is to be numbered by this one.
func (r *Resolver) AppendBehind(rec *turn.Record) (write func(context.Context) error) {
	rec.Meta.Target = r.target
	c := *rec.Capture
	c.Nodes = slices.Clone(c.Nodes) // whoever goes on with the capture gives its nodes numbers
	rec.Capture = &c
	store, numbers := r.store, r.ledger
	w := &writing{make(chan struct{}), numbers.Following()}
	r.Memory.behind = w
	return func(ctx context.Context) error {
		defer close(w.done)
		_, err := appendWith(ctx, store, numbers, rec)
		return err
	}
}

// LastTurn is the newest turn of the session where it is of this tab, nil for none.
func (r *Resolver) LastTurn(ctx context.Context) *turn.Record {
	if r.last.read || r.opt.Store == nil {
		return r.last.rec
	}
	r.last.read = true
	if w := r.Memory.behind; !w.over() {
		select {
		case <-w.done:
		case <-ctx.Done():
			return nil
		}
	}
	n := r.ledger.NextTurn() - 1
	if n < 1 {
		return nil
	}
	rec, err := r.opt.Store.Load(ctx, n)
	switch {
	case err != nil:
		r.opt.Log.Debug("the turn before could not be read", "turn", n, "error", err)
	case rec.Meta.Target == r.target:
		r.last.rec = rec
	}
	return r.last.rec
}

// byNodeID is the element that the domtool format, or dddk with hash ids, calls by an id, nil for none.
func (s *Snapshot) byNodeID(id string) *snapshot.Node {
	ids := &s.ids
	if isHash(id) {
		ids = &s.hashes
	}
	if *ids == nil {
		*ids = nodeIDs(s.Shot.Capture, id)
	}
	return nodeAt(s.Shot.Capture, *ids, id)
}

// byNodeID is the element of a capture that the domtool format, or dddk with hash ids, calls by an id, nil for
// none.
func byNodeID(c *snapshot.Capture, id string) *snapshot.Node { return nodeAt(c, nodeIDs(c, id), id) }

// isHash reports whether a node id is one of dddk.
func isHash(id string) bool { return !strings.HasPrefix(id, "nv_") }

// nodeIDs are the nodes of a capture by ids of the same kind.
func nodeIDs(c *snapshot.Capture, id string) map[string]int {
	if isHash(id) {
		return dddk.HashIDs(c)
	}
	return domtool.NodeIDs(c)
}

func nodeAt(c *snapshot.Capture, ids map[string]int, id string) *snapshot.Node {
	i, ok := ids[id]
	if !ok {
		return nil
	}
	p := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.I == i })
	return &c.Nodes[p]
}
