package refs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
)

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
	// The numbers are those of the reading that it was found in: a page that is rendered
	// anew all the time would have lost it again by the next.
	f.Stage = res.Stage
	b.cache.Invalidate()
	b.learn(res.Capture)
	return f, b.link(f, res.Match)
}

// link notes which element the substitute takes the place of: n, in a capture that is
// numbered.
func (b *Book) link(f *Found, n *snapshot.Node) error {
	f.NewRef = n.Ref
	if f.Ref > 0 && n.Ref > 0 && n.Ref != f.Ref {
		if e, ok := b.ledger.Entry(n.Ref); ok && e.Replaces == 0 {
			return b.ledger.Link(f.Ref, n.Ref, b.taken)
		}
	}
	return nil
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
