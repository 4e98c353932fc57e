package element

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/find"
)

// MaxMatches is how many elements of a selector are counted.
const MaxMatches = 10_000

// stageSelector: a substitute was found by the selector that the caller gave for the case.
const stageSelector = "selector"

// Found is the live element that a target means.
type Found struct {
	collect.Element
	// Ref is the number it was requested by, 0 where it has none or was not requested by ref. Role and Name are
	// what was known of it.
	Ref        int
	Role, Name string
	// Node is its node in a capture, nil where none was needed.
	Node *snapshot.Node
	// Stage is how a substitute was found where the element itself was gone: [collect.StagePath],
	// [collect.StageGhost] or [stageSelector]; "" where it was not. NewRef is its number.
	Stage  string
	NewRef int
	// Selector is the one of several that matched; Index is its place.
	Selector string
	Index    int

	seen   *snapshot.Capture // that its identity was read from
	called string            // by its ref as it was written, in errors
}

// Replaced reports whether the element was gone and another was taken.
func (f *Found) Replaced() bool { return f.Stage != "" }

// Called names the element in a warning or error: by its ref as it was written.
func (f *Found) Called() string { return cmp.Or(f.called, "the element") }

// Unread is an [*UnreadError] where the element is a frame whose document cannot be read. A frame
// that was found by a selector is looked for on the page as it is now.
func (r *Resolver) Unread(ctx context.Context, f *Found) error {
	if f.Node == nil {
		const js = "function(node) { return (node && node.localName) || ''; }"
		tag, err := f.Realm.Call(ctx, js, []int64{f.Element.Node})
		if err != nil || !snapshot.IsFrame(tag) {
			return err
		}
		now, err := r.page.Read(ctx, r.opt.Session.Collect)
		if err != nil {
			return err
		}
		defer now.Release(ctx)
		r.Add(now.Capture)
		f.seen = now.Capture
		if f.Node, err = nodeOf(ctx, f.seen, f.Element); err != nil {
			return err
		}
	}
	c, n := f.seen, f.Node
	if c == nil || n == nil || !snapshot.IsFrame(n.Tag) {
		return nil
	}
	for _, frame := range c.Frames {
		if frame.Owner == n.I && !frame.Readable {
			return &UnreadError{f.Called(), frame.Why}
		}
	}
	return nil
}

// UnreadError: the element belongs to a frame whose document cannot be read.
type UnreadError struct {
	What string
	Why  string
}

func (e *UnreadError) Error() string { return e.What + " is a frame that cannot be read: " + e.Why }

// OlderError: the element is gone, and its ref was shown in an older snapshot and is not in the last one (W-6).
type OlderError struct {
	Called string // the ref as it was written
	// Seen is the snapshot that showed it last, Now the last one that was shown.
	Seen, Now int
	Err       error
}

func (e *OlderError) Error() string {
	return fmt.Sprintf("%s is of an older snapshot (%d; the last is %d): %v", e.Called, e.Seen, e.Now, e.Err)
}

func (e *OlderError) Unwrap() error { return e.Err }

// AmbiguousError: a selector matches several elements.
type AmbiguousError struct {
	Selector string
	Count    int // at most [MaxMatches]
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q matches %d elements: use a ref, or a selector that matches one", e.Selector, e.Count)
}

// Find returns the element of a target. What is not there may still appear: it is looked for again for as
// long as the target's patience lasts (seed 8.9).
func (r *Resolver) Find(ctx context.Context, t *Target) (*Found, error) {
	patience := t.Patience
	if patience <= 0 {
		patience = action.DefaultTimeout
	}
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var missed error // by the last look that was whole
	for try := 0; ; try++ {
		began := time.Now()
		f, err := r.findOnce(ctx, t)
		// A look that the end of the time cuts short does not make the page a busy one.
		if missed != nil && errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil &&
			time.Since(began) < patience/2 {
			return nil, missed
		}
		var none *action.NotFoundError
		if err == nil || !errors.As(err, &none) || t.Ref != "" {
			return f, err
		}
		missed = err
		if try == 0 && r.readClosed(within, t) {
			continue
		}
		if browser.Pause(within, []time.Duration{50, 100, 200}[min(try, 2)]*time.Millisecond) != nil {
			if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, ctx.Err()
			}
			return nil, err // names what was looked for, which a timeout does not
		}
	}
}

// FindNow returns the element of a target in the page as it is now, without waiting.
func (r *Resolver) FindNow(ctx context.Context, t *Target) (*Found, error) {
	f, err := r.findOnce(ctx, t)
	if _, ok := errors.AsType[*action.NotFoundError](err); ok && r.readClosed(ctx, t) {
		f, err = r.findOnce(ctx, t)
	}
	return f, err
}

// Seen is the node of the newest capture that a target means, nil where it is none of it. A selector or a point is
// looked for in the page as it is now, words in the capture.
func (r *Resolver) Seen(ctx context.Context, t *Target) *snapshot.Node {
	c := r.Newest()
	switch {
	case c == nil || t.Check() != nil:
		return nil
	case t.Ref != "":
		return c.ByRef(Number(string(t.Ref)))
	case IsRef(t.Selector):
		return c.ByRef(Number(t.Selector))
	case t.inWords():
		n, _ := r.byWords(c, t)
		return n
	}
	f, err := r.find(ctx, t)
	if err != nil {
		return nil
	}
	n, _ := nodeOf(ctx, c, f.Element)
	return n
}

// byWords is the best of the elements of a capture that the words of a target name: of its text one to click, of its
// label a field. A [action.NotFoundError] where none is.
func (r *Resolver) byWords(c *snapshot.Capture, t *Target) (*snapshot.Node, error) {
	in, err := r.scope(c, t)
	if err != nil {
		return nil, err
	}
	var list []*snapshot.Node
	none := &action.NotFoundError{}
	switch {
	case t.Label != "":
		list, err = find.Field(c, t.Label, t.Exact, in)
		none.What = fmt.Sprintf("field labelled %q", t.Label)
	case t.Role != "":
		list, err = find.ByRole(c, find.RoleQuery{Role: t.Role, Name: t.Name, NameExact: t.Exact}, in)
		if none.What = t.Role; t.Name != "" {
			none.What += fmt.Sprintf(" named %q", t.Name)
		}
	default:
		if list, err = find.Clickable(c, t.Text, t.Exact, in); err == nil && len(list) == 0 {
			none = &action.NotFoundError{What: fmt.Sprintf("clickable element with the text %q", t.Text),
				Hint: notClicked(c, t.Text, t.Exact, in)}
		}
	}
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, none
	}
	return list[0], nil
}

// notClicked says what has a text that no element to click has, "" where nothing does.
func notClicked(c *snapshot.Capture, text string, exact bool, in find.Scope) string {
	options, err := find.ByRole(c, find.RoleQuery{Role: "option", Name: text, NameExact: exact}, in)
	if err == nil && len(options) > 0 {
		return "it is an option of a closed list, which selectOption chooses"
	}
	if plain := find.Plain(c, text, exact, in); plain != nil {
		return plain.Tag + " has that text, and nothing says that it takes clicks: name it by selector or ref"
	}
	if shut := find.Hidden(c, text, exact, in); shut != nil {
		return shut.Tag + " has that text and is not shown (" + shut.Evidence + "): something must open it first"
	}
	return ""
}

// readClosed reads the page for a selector that matched nothing, and reports whether it did: a script sees the closed
// shadow roots of a document, also those that its markup declares, only once a reading has asked the browser for them.
func (r *Resolver) readClosed(ctx context.Context, t *Target) bool {
	if t.Ref != "" || t.inWords() || t.X != nil || IsRef(t.Selector) {
		return false // these read the page themselves, or need no selector
	}
	now, err := r.page.Read(ctx, r.opt.Session.Collect)
	if err != nil {
		return false
	}
	r.Add(now.Capture)
	now.Release(ctx)
	return true
}

// findOnce is one look for an element.
func (r *Resolver) findOnce(ctx context.Context, t *Target) (*Found, error) {
	f, err := r.find(ctx, t)
	if err == nil {
		r.found = f.Realm.Frame
	}
	var none *action.NotFoundError
	if r.frame != "" && !t.SearchFrames && errors.As(err, &none) && none.Hint == "" && t.Ref == "" {
		none.Hint = `only the frame that was switched to was looked in; {"frame":"top"} goes back to the main one`
	}
	return f, err
}

// find is the one place where a target becomes an element; see the package comment for the frame.
func (r *Resolver) find(ctx context.Context, t *Target) (*Found, error) {
	switch {
	case t.Ref != "":
		f, err := r.byRef(ctx, string(t.Ref))
		if gone, ok := errors.AsType[*collect.GoneError](err); ok && t.Fallback != "" {
			if f, err = r.fallback(ctx, t); err != nil {
				err = fmt.Errorf("%w; by its fallback: %w", gone, err)
			}
		}
		return f, err
	case t.Only && !IsRef(t.Selector):
		el, err := r.sole(ctx, t.Selector)
		if err != nil {
			return nil, err
		}
		return &Found{Element: el}, nil
	case t.inWords():
		return r.byName(ctx, t)
	case len(t.Selectors) > 0:
		for i, s := range t.Selectors {
			f, err := r.bySelector(ctx, t, s)
			var none *action.NotFoundError
			switch {
			case err == nil:
				f.Selector, f.Index = s, i
				return f, nil
			case !errors.As(err, &none):
				return nil, err
			}
		}
		return nil, &action.NotFoundError{What: fmt.Sprintf("element for any of the %d selectors", len(t.Selectors))}
	case t.X != nil && t.Y != nil:
		el, ok, err := r.page.At(ctx, *t.X, *t.Y)
		if err == nil && !ok {
			err = &action.NotFoundError{
				What: fmt.Sprintf("element at %g,%g", *t.X, *t.Y), Hint: "points are CSS px of the viewport",
			}
		}
		return &Found{Element: el}, err
	}
	return r.bySelector(ctx, t, t.Selector)
}

// All are the elements that a selector matches in the present frame, at most [MaxMatches], or the one that a ref
// means.
func (r *Resolver) All(ctx context.Context, selector string) ([]collect.Element, error) {
	selector = strings.TrimSpace(selector)
	if !IsRef(selector) {
		list, err := r.page.CSS(ctx, r.frame, selector, MaxMatches)
		if err == nil && len(list) == 0 && r.readClosed(ctx, &Target{Selector: selector}) {
			list, err = r.page.CSS(ctx, r.frame, selector, MaxMatches)
		}
		return list, err
	}
	f, err := r.byRef(ctx, selector)
	if err != nil {
		return nil, err
	}
	return []collect.Element{f.Element}, nil
}

// bySelector is the first element that matches. A string may also be a ref.
func (r *Resolver) bySelector(ctx context.Context, t *Target, selector string) (*Found, error) {
	if IsRef(selector) {
		return r.byRef(ctx, selector)
	}
	var list []collect.Element
	var err error
	if t.SearchFrames {
		list, err = r.page.AnyFrame(ctx, r.frame, selector, 1)
	} else {
		list, err = r.page.CSS(ctx, r.frame, selector, 1)
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &action.NotFoundError{What: fmt.Sprintf("element that matches %q", selector)}
	}
	return &Found{Element: list[0]}, nil
}

// sole is the only element that matches in the present frame.
func (r *Resolver) sole(ctx context.Context, selector string) (collect.Element, error) {
	list, err := r.page.CSS(ctx, r.frame, selector, MaxMatches)
	switch {
	case err != nil:
		return collect.Element{}, err
	case len(list) == 0:
		return collect.Element{}, &action.NotFoundError{What: fmt.Sprintf("element that matches %q", selector)}
	case len(list) > 1:
		return collect.Element{}, &AmbiguousError{selector, len(list)}
	}
	return list[0], nil
}

// byName reads the page and looks for the element's name in a person's words.
func (r *Resolver) byName(ctx context.Context, t *Target) (*Found, error) {
	now, err := r.page.Read(ctx, r.opt.Session.Collect)
	if err != nil {
		return nil, err
	}
	defer now.Release(ctx)
	f := &Found{seen: now.Capture}
	r.Add(f.seen)
	if f.Node, err = r.byWords(f.seen, t); err != nil {
		return nil, err
	}
	if f.Element, err = now.Element(ctx, f.Node.I); err != nil {
		return nil, err
	}
	return f, nil
}

// scope is where in a capture the words of a target are looked for.
func (r *Resolver) scope(c *snapshot.Capture, t *Target) (find.Scope, error) {
	frame, err := r.FrameIn(c)
	if err != nil {
		return find.Scope{}, err
	}
	in := find.Scope{Frame: frame, Everywhere: t.SearchFrames}
	if t.WithinSelector == "" {
		return in, nil
	}
	s, err := css.Parse(t.WithinSelector)
	if err != nil {
		return in, fmt.Errorf("withinSelector: %w", err)
	}
	around := slices.DeleteFunc(s.All(css.NewTree(c)), func(n *snapshot.Node) bool {
		return n.Frame != frame && !t.SearchFrames
	})
	tree := snapshot.NewTree(c)
	in.Within = func(n *snapshot.Node) bool {
		return slices.ContainsFunc(around, func(a *snapshot.Node) bool { return tree.Contains(a.I, n.I) })
	}
	return in, nil
}

// parse reads a ref in any spelling. Errors name it in the agent's own one, where there is one.
func (r *Resolver) parse(spelling string) (Ref, bool) {
	ref, ok := ParseRef(spelling)
	if ok && ref.Number > 0 && r.spelling != nil {
		ref.Spelled = r.spelling(ref.Number)
	}
	return ref, ok
}

// named is a number in an error: in the agent's own spelling, where there is one.
func (r *Resolver) named(ref int) string {
	if ref == 0 || r.spelling == nil {
		return strconv.Itoa(ref)
	}
	return r.spelling(ref)
}

// byRef is the element that has a number or node id, or the one that took its place (C-6).
func (r *Resolver) byRef(ctx context.Context, spelling string) (*Found, error) {
	ref, ok := r.parse(spelling)
	switch {
	case !ok:
		return nil, fmt.Errorf("%q is not a ref", spelling)
	case ref.NodeID != "":
		return r.byID(ctx, ref.NodeID)
	}
	c, n, err := r.node(ctx, ref)
	if err != nil {
		return nil, err
	}
	id, err := r.identity(ref, c, n)
	if err != nil {
		return nil, err
	}
	return r.live(ctx, id, c, n)
}

// byID is the element that DomTool's id means; see the package comment.
func (r *Resolver) byID(ctx context.Context, id string) (*Found, error) {
	if strings.HasPrefix(id, "nv_text_") || strings.HasPrefix(id, "nv_summary_") {
		return nil, &action.NotReadyError{Why: id + " is a text or a summary: act on the element around it"}
	}
	c, n := r.nodeID(ctx, id)
	if n == nil {
		s, err := r.Take(ctx)
		if err != nil {
			return nil, err
		}
		if c, n = s.Shot.Capture, s.byNodeID(id); n == nil {
			return nil, &action.NotFoundError{What: "node " + id,
				Hint: "no snapshot that is known has ever had it"}
		}
	}
	return r.live(ctx, collect.IdentityOf(c, n), c, n)
}

// nodeID is the element that has DomTool's id in what the agent was shown last: by earlier commands, as what this
// one shows comes to the agent when it is over, or else in the turn before; then in what was shown and read since.
func (r *Resolver) nodeID(ctx context.Context, id string) (*snapshot.Capture, *snapshot.Node) {
	for _, s := range slices.Backward(r.shown[:r.earlier]) {
		if n := s.byNodeID(id); n != nil {
			return s.Shot.Capture, n
		}
	}
	if rec := r.LastTurn(ctx); rec != nil {
		if n := byNodeID(rec.Capture, id); n != nil {
			return rec.Capture, n
		}
	}
	for _, s := range slices.Backward(r.shown[r.earlier:]) {
		if n := s.byNodeID(id); n != nil {
			return s.Shot.Capture, n
		}
	}
	for c := range r.Captures() {
		if n := byNodeID(c, id); n != nil {
			return c, n
		}
	}
	return nil, nil
}

// Identity is what is known of the element that a ref means, whether or not it is still there. A node id's
// element has a number then.
func (r *Resolver) Identity(ctx context.Context, spelling string) (collect.Identity, error) {
	ref, ok := r.parse(spelling)
	if !ok {
		return collect.Identity{}, fmt.Errorf("%q is not a ref", spelling)
	}
	if ref.NodeID == "" {
		c, n, err := r.node(ctx, ref)
		if err != nil {
			return collect.Identity{}, err
		}
		return r.identity(ref, c, n)
	}
	c, n := r.nodeID(ctx, ref.NodeID)
	if n == nil {
		return collect.Identity{}, &action.NotFoundError{What: "node " + ref.NodeID}
	}
	if n.Ref == 0 && slices.Contains(r.captures, c) {
		r.Give(c, n)
	}
	return collect.IdentityOf(c, n), nil
}

// node is the newest capture that has an element, of those that are known and the turn that saw it last; nil
// where only the ledger knows it. An element that was never seen in the frame of its ref is refused.
func (r *Resolver) node(ctx context.Context, ref Ref) (*snapshot.Capture, *snapshot.Node, error) {
	var in *snapshot.Capture
	var node *snapshot.Node
	framed := ref.Frame == 0
	look := func(c *snapshot.Capture) {
		if n := c.ByRef(ref.Number); n != nil {
			if node == nil {
				in, node = c, n
			}
			framed = framed || n.Frame == ref.Frame
		}
	}
	for c := range r.Captures() {
		if look(c); node != nil && framed {
			return in, node, nil
		}
	}
	e, ok := r.ledger.Entry(ref.Number)
	if ok && r.opt.Store != nil && e.Target == r.target {
		if rec := r.LastTurn(ctx); rec != nil && rec.N == e.Last {
			look(rec.Capture)
		} else if rec, err := r.opt.Store.Load(ctx, e.Last); err == nil {
			look(rec.Capture)
		}
	}
	switch {
	case !ok && node == nil:
		return nil, nil, &action.NotFoundError{What: ref.called(),
			Hint: fmt.Sprintf("the highest of this session is %s; take a snapshot first", r.named(r.ledger.Highest()))}
	case ok && e.Target != r.target:
		return nil, nil, &action.StaleError{What: ref.called(), Why: "belongs to another tab"}
	case !framed:
		return nil, nil, &action.NotFoundError{What: fmt.Sprintf("%s in frame %d", ref.called(), ref.Frame),
			Hint: "take a new snapshot and choose"}
	}
	return in, node, nil
}

// identity is what is known of a number: from the capture that has it, else from the ledger.
func (r *Resolver) identity(ref Ref, c *snapshot.Capture, n *snapshot.Node) (collect.Identity, error) {
	if n != nil {
		id := collect.IdentityOf(c, n)
		id.Spelled = ref.Spelled
		return id, nil
	}
	e, ok := r.ledger.Entry(ref.Number)
	if !ok {
		return collect.Identity{}, &action.NotFoundError{What: ref.called()}
	}
	return collect.Identity{
		Ref: ref.Number, Spelled: ref.Spelled, Frame: e.Frame, Loader: e.Loader, UID: e.UID, Node: e.BackendNodeID,
		Tag: e.Tag, Role: e.Role, Name: e.Name,
	}, nil
}

// live is the element with an identity, or its substitute. c and n are where the identity was read, nil where
// only the ledger knows it.
func (r *Resolver) live(
	ctx context.Context, id collect.Identity, c *snapshot.Capture, n *snapshot.Node,
) (*Found, error) {
	if id.Loader != "" && !r.shows(ctx, id) {
		return nil, r.older(id, &action.StaleError{
			What: id.Called(), Ref: id.Ref, Why: "belongs to a document that the page has left: take a new snapshot",
		})
	}
	f := &Found{Ref: id.Ref, Role: id.Role, Node: n, seen: c, called: id.Called()}
	res, err := collect.Resolve(ctx, r.page.Tab(), id, r.opt.Session.Collect)
	if gone, ok := errors.AsType[*collect.GoneError](err); ok {
		if r.opt.Resemblance > 0 && len(gone.Candidates) > 0 && gone.Candidates[0].Score >= r.opt.Resemblance {
			return r.alike(ctx, f, gone)
		}
		return nil, r.older(id, err)
	}
	if err != nil {
		return nil, err
	}
	f.Element = res.Element
	if res.ReResolved {
		// The numbers are those of the reading that it was found in: a page that is re-rendered all the time
		// would have lost it again by the next.
		r.Add(res.Capture)
		r.replace(f, res.Stage, res.Capture, res.Match)
	}
	return f, nil
}

// alike takes the element that resembles one that is gone most (S-12, compat).
func (r *Resolver) alike(ctx context.Context, f *Found, gone *collect.GoneError) (*Found, error) {
	now, err := r.page.Read(ctx, r.opt.Session.Collect)
	if err != nil {
		return nil, err
	}
	defer now.Release(ctx)
	c := now.Capture
	_, err = collect.Substitute(c, gone.Identity)
	var again *collect.GoneError
	if !errors.As(err, &again) || len(again.Candidates) == 0 || again.Candidates[0].Score < r.opt.Resemblance {
		return nil, r.older(gone.Identity, gone)
	}
	best := again.Candidates[0].Node
	if f.Element, err = now.Element(ctx, best.I); err != nil {
		return nil, err
	}
	r.Add(c)
	r.replace(f, collect.StageGhost, c, best)
	return f, nil
}

// fallback is the element that the target's selector gives in the place of one that is gone.
func (r *Resolver) fallback(ctx context.Context, t *Target) (*Found, error) {
	id, err := r.Identity(ctx, string(t.Ref))
	if err != nil {
		return nil, err
	}
	el, err := r.sole(ctx, t.Fallback)
	if err != nil {
		return nil, err
	}
	now, err := r.page.Read(ctx, r.opt.Session.Collect)
	if err != nil {
		return nil, err
	}
	defer now.Release(ctx)
	c := now.Capture
	r.Add(c)
	n, err := nodeOf(ctx, c, el)
	if err != nil {
		return nil, err
	}
	if n == nil || n.Ref == 0 {
		return nil, &action.NotFoundError{What: fmt.Sprintf("element at %q that a snapshot lists", t.Fallback)}
	}
	is := collect.IdentityOf(c, n)
	if is.Tag != id.Tag || is.Role != id.Role || is.Name != id.Name {
		return nil, &action.NotFoundError{What: fmt.Sprintf("element like %s at %q", id.Called(), t.Fallback),
			Hint: fmt.Sprintf("there is %s %q, and it was %s %q", snapshot.KindOf(is.Role, is.Tag),
				is.Name, snapshot.KindOf(id.Role, id.Tag), id.Name)}
	}
	f := &Found{Element: el, Ref: id.Ref, Role: id.Role}
	r.replace(f, stageSelector, c, n)
	return f, nil
}

// replace makes n, of a capture that is numbered, the element in the place of the one that is gone, and links
// the two.
func (r *Resolver) replace(f *Found, stage string, c *snapshot.Capture, n *snapshot.Node) {
	f.Stage, f.Node, f.NewRef, f.seen = stage, n, n.Ref, c
	r.cache.Invalidate()
	r.Link(f.Ref, n.Ref)
}

// nodeOf is the node of a live element in a capture that was read after it was found, nil where it has none. The
// page's registry of ours knows it: a capture has backendNodeIds of the elements only that were requested.
func nodeOf(ctx context.Context, c *snapshot.Capture, el collect.Element) (*snapshot.Node, error) {
	const js = "function(node) { return String((node && globalThis.__refscope.ids.get(node)) || 0); }"
	answer, err := el.Realm.Call(ctx, js, []int64{el.Node})
	if err != nil {
		return nil, fmt.Errorf("asking which element it is: %w", err)
	}
	uid, err := strconv.Atoi(answer)
	if err != nil {
		return nil, fmt.Errorf("asking which element it is: %w", err)
	}
	for k := range c.Nodes {
		n := &c.Nodes[k]
		if n.UID == uid && uid != 0 && n.Frame >= 0 && n.Frame < len(c.Frames) &&
			c.Frames[n.Frame].ID == el.Realm.Frame {
			return n, nil
		}
	}
	return nil, nil
}

// older wraps a failure as [*OlderError] where the last snapshot no longer had the ref.
func (r *Resolver) older(id collect.Identity, err error) error {
	last := r.Last()
	for _, s := range slices.Backward(r.shown) {
		if s.Shot.Capture.ByRef(id.Ref) == nil {
			continue
		}
		if s != last {
			return &OlderError{id.Called(), s.N, last.N, err}
		}
		break
	}
	return err
}

// shows reports whether the frame of an element still shows the document that it was in. A ref of another
// document is refused, never given another element.
func (r *Resolver) shows(ctx context.Context, id collect.Identity) bool {
	frames, err := r.page.Frames(ctx)
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
