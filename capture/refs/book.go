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
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
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
		b.taken = max(b.taken+1, b.ledger.NextTurn())
		b.ledger.Assign(b.page.Tab().ID(), b.taken, shot.Capture)
		b.last = shot.Capture
		if b.opt.Learned != nil {
			b.opt.Learned(shot.Capture)
		}
	}
	return &Snapshot{Shot: shot, N: b.taken, Cached: cached, Took: time.Since(began)}, nil
}

// node is the index of the element that has a DomTool id.
func (s *Snapshot) node(id string) (*snapshot.Node, bool) {
	if s.ids == nil {
		s.ids = dump.NodeIDs(s.Shot.Capture)
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

// Found is a live element.
type Found struct {
	collect.Element
	// Ref is the number it was asked for by, 0 where it has none or was asked for by
	// selector. Role and Name are what was known of it.
	Ref        int
	Role, Name string
	// NewRef is the number of the substitute where the element itself was gone, else 0.
	NewRef int
	// Stage is how a substitute was found: [collect.StagePath], [collect.StageGhost] or
	// [StageSelector].
	Stage string
}

// StageSelector: a substitute was found by the selector that the caller gave for the case.
const StageSelector = "selector"

// UnreadError: the element belongs to a frame whose document cannot be read.
type UnreadError struct {
	What string
	Why  string
}

func (e *UnreadError) Error() string { return e.What + " is a frame that cannot be read: " + e.Why }

// OlderError: the element is gone, and its ref was shown in an older snapshot and is not
// in the last one (W-6).
type OlderError struct {
	Ref int
	// Seen is the snapshot that showed it last, Now the last one that was shown.
	Seen, Now int
	Err       error
}

func (e *OlderError) Error() string {
	return fmt.Sprintf("ref %d is of an older snapshot (%d; the last is %d): %v", e.Ref, e.Seen, e.Now, e.Err)
}

func (e *OlderError) Unwrap() error { return e.Err }

// AmbiguousError: a selector matches several elements.
type AmbiguousError struct {
	Selector string
	Count    int // at most 10,000 are counted
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q matches %d elements: use a ref, or a selector that matches one", e.Selector, e.Count)
}

// Find is the element that a target means: a ref in any spelling (5, [5], @e5, s3e5,
// nv_…), else a CSS selector that matches one element of the main document and its
// open shadow trees (D-10).
func (b *Book) Find(ctx context.Context, target string) (*Found, error) {
	ref, ok := action.ParseRef(target)
	switch {
	case !ok:
		return b.bySelector(ctx, target)
	case ref.NodeID != "":
		return b.byNodeID(ctx, ref.NodeID)
	}
	id, c, err := b.identity(ref.Number)
	if err != nil {
		return nil, err
	}
	return b.live(ctx, id, c)
}

// bySelector is the only element that matches.
func (b *Book) bySelector(ctx context.Context, selector string) (*Found, error) {
	list, err := b.page.CSS(ctx, "", selector, 10_000)
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, &action.NotFoundError{What: fmt.Sprintf("element that matches %q", selector)}
	case len(list) > 1:
		return nil, &AmbiguousError{selector, len(list)}
	}
	return &Found{Element: list[0]}, nil
}

// byNodeID is the element that DomTool's id means; see the package comment.
func (b *Book) byNodeID(ctx context.Context, id string) (*Found, error) {
	if strings.HasPrefix(id, "nv_text_") || strings.HasPrefix(id, "nv_summary_") {
		return nil, &action.NotReadyError{Why: id + " is a text or a summary: act on the element around it"}
	}
	for _, s := range slices.Backward(b.shown) {
		if n, ok := s.node(id); ok {
			return b.live(ctx, collect.IdentityOf(s.Shot.Capture, n), s.Shot.Capture)
		}
	}
	s, err := b.read(ctx)
	if err != nil {
		return nil, err
	}
	n, ok := s.node(id)
	if !ok {
		return nil, &action.NotFoundError{What: "node " + id, Hint: "take a new snapshot and choose"}
	}
	return b.live(ctx, collect.IdentityOf(s.Shot.Capture, n), s.Shot.Capture)
}

// identity is what is known of a number, and the newest capture that has it, nil where
// only the ledger knows it.
func (b *Book) identity(ref int) (collect.Identity, *snapshot.Capture, error) {
	for _, c := range b.captures() {
		for k := range c.Nodes {
			if c.Nodes[k].Ref == ref {
				return collect.IdentityOf(c, &c.Nodes[k]), c, nil
			}
		}
	}
	e, ok := b.ledger.Entry(ref)
	if !ok {
		return collect.Identity{}, nil, &action.NotFoundError{What: fmt.Sprintf("ref %d", ref), Hint: fmt.Sprintf("the highest is %d; take a snapshot first", b.ledger.Highest())}
	}
	if e.Target != b.page.Tab().ID() {
		return collect.Identity{}, nil, &action.StaleError{What: fmt.Sprintf("ref %d", ref), Why: "belongs to another tab"}
	}
	return collect.Identity{Ref: ref, Frame: e.Frame, Loader: e.Loader, UID: e.UID, Node: e.BackendNodeID, Tag: e.Tag, Role: e.Role, Name: e.Name}, nil, nil
}

// captures are those that are remembered, newest first.
func (b *Book) captures() []*snapshot.Capture {
	var list []*snapshot.Capture
	if b.last != nil {
		list = append(list, b.last)
	}
	for _, s := range slices.Backward(b.shown) {
		if s.Shot.Capture != b.last {
			list = append(list, s.Shot.Capture)
		}
	}
	return list
}

// live is the element with that identity, or its substitute.
func (b *Book) live(ctx context.Context, id collect.Identity, c *snapshot.Capture) (*Found, error) {
	what := "the element"
	if id.Ref > 0 {
		what = fmt.Sprintf("ref %d", id.Ref)
	}
	if snapshot.IsFrame(id.Tag) && c != nil {
		for _, f := range c.Frames {
			if f.Owner < 0 || f.Readable {
				continue
			}
			if owner := collect.IdentityOf(c, nodeAt(c, f.Owner)); owner.UID == id.UID && owner.Frame == id.Frame {
				return nil, &UnreadError{what, f.Why}
			}
		}
	}
	if id.Loader != "" && !b.shows(ctx, id) {
		return nil, b.older(id.Ref, &action.StaleError{What: what, Why: "belongs to a document that the page has left: take a new snapshot"})
	}
	f := &Found{Ref: id.Ref, Role: id.Role, Name: id.Name}
	res, err := collect.Resolve(ctx, b.page.Tab(), id, b.opt.Session.Collect)
	var gone *collect.GoneError
	if errors.As(err, &gone) {
		return nil, b.older(id.Ref, err)
	}
	if err != nil {
		return nil, err
	}
	f.Element = res.Element
	if !res.ReResolved {
		return f, nil
	}
	f.Stage = res.Stage
	return f, b.link(ctx, f, res.Match.UID)
}

// link gives the substitute its number and notes which one it takes the place of.
func (b *Book) link(ctx context.Context, f *Found, uid int) error {
	b.cache.Invalidate()
	s, err := b.read(ctx)
	if err != nil {
		return err
	}
	c := s.Shot.Capture
	for k := range c.Nodes {
		n := &c.Nodes[k]
		if n.UID != uid || n.Frame < 0 || n.Frame >= len(c.Frames) || c.Frames[n.Frame].Loader != f.Realm.Loader || c.Frames[n.Frame].ID != f.Realm.Frame {
			continue
		}
		f.NewRef = n.Ref
		if f.Ref > 0 && n.Ref > 0 && n.Ref != f.Ref {
			if e, ok := b.ledger.Entry(n.Ref); ok && e.Replaces == 0 {
				return b.ledger.Link(f.Ref, n.Ref, b.taken)
			}
		}
		return nil
	}
	return &action.StaleError{What: "what took the place of the element"}
}

// older says of a failure that the last snapshot did not have the ref any more.
func (b *Book) older(ref int, err error) error {
	last := b.Last()
	e, ok := b.ledger.Entry(ref)
	if !ok || last == nil || e.Last >= last.N {
		return err
	}
	return &OlderError{ref, e.Last, last.N, err}
}

// Instead is the element that a selector gives in the place of one that is gone: it must
// be the only match, and have the role and name that the lost one had (W-6).
func (b *Book) Instead(ctx context.Context, target, selector string) (*Found, error) {
	ref, ok := action.ParseRef(target)
	if !ok || ref.Number == 0 {
		return nil, fmt.Errorf("%q is no number of a ref", target)
	}
	id, _, err := b.identity(ref.Number)
	if err != nil {
		return nil, err
	}
	only, err := b.bySelector(ctx, selector)
	if err != nil {
		return nil, err
	}
	b.cache.Invalidate()
	s, err := b.read(ctx)
	if err != nil {
		return nil, err
	}
	c := s.Shot.Capture
	for k := range c.Nodes {
		n := &c.Nodes[k]
		if n.BackendNodeID != only.Node || n.Frame != 0 {
			continue
		}
		now := collect.IdentityOf(c, n)
		if now.Role != id.Role || now.Name != id.Name || now.Tag != id.Tag {
			return nil, &action.NotFoundError{What: fmt.Sprintf("element like ref %d at %q", ref.Number, selector),
				Hint: fmt.Sprintf("there is %s %q, and it was %s %q", now.Role, now.Name, id.Role, id.Name)}
		}
		f := &Found{Element: only.Element, Ref: ref.Number, Role: id.Role, Name: id.Name, Stage: StageSelector}
		return f, b.link(ctx, f, n.UID)
	}
	return nil, &action.NotFoundError{What: fmt.Sprintf("element at %q that a snapshot lists", selector)}
}

// shows reports whether the frame of an element still shows the document it was in.
func (b *Book) shows(ctx context.Context, id collect.Identity) bool {
	frames, err := b.page.Frames(ctx)
	if err != nil {
		return true // what is wrong will show in the lookup itself
	}
	for _, f := range frames {
		if f.ID != id.Frame {
			continue
		}
		realm, err := f.Enter(ctx)
		return err != nil && !errors.Is(err, browser.ErrNavigated) || err == nil && realm.Loader == id.Loader
	}
	return false
}
