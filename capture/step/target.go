package step

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/find"
)

// target says which element is meant (C-5, seed 6). As a string it is a ref in any
// spelling, else a CSS selector.
type target struct {
	Selector string `json:"selector,omitempty"`
	Ref      text   `json:"ref,omitempty"`
	Text     string `json:"text,omitempty"`
	Label    string `json:"label,omitempty"`
	Role     string `json:"role,omitempty"`
	Name     string `json:"name,omitempty"` // with Role
	Exact    bool   `json:"exact,omitempty"`
	// WithinSelector limits Text to what is inside the elements that it matches.
	WithinSelector string `json:"withinSelector,omitempty"`
	// Selectors are tried in turn.
	Selectors []string `json:"selectors,omitempty"`
	X         *float64 `json:"x,omitempty"` // CSS px of the viewport
	Y         *float64 `json:"y,omitempty"`
	// SearchFrames looks in all frames, not only in the present one (seed 13.3).
	SearchFrames bool `json:"searchFrames,omitempty"`
	careful

	// patience is how long an element that is not there is waited for;
	// [action.DefaultTimeout] if 0.
	patience time.Duration
}

// text is a string that may be written as a number, as refs often are.
type text string

// UnmarshalJSON reads a string or a number.
func (t *text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '"' {
		var n json.Number
		if err := json.Unmarshal(b, &n); err != nil {
			return fmt.Errorf("want a string, not %s", param.Article(param.Shape(b)))
		}
		*t = text(n)
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// targetOf reads a target that is written as one string or number.
func targetOf(s string) target {
	if _, ok := action.ParseRef(s); ok {
		return target{Ref: text(s)}
	}
	return target{Selector: s}
}

func isRef(s string) bool {
	_, ok := action.ParseRef(s)
	return ok
}

// simple reads parameters that are just a target as a string or number; false for
// other shapes.
func simple(raw json.RawMessage) (target, bool) {
	switch param.Shape(raw) {
	case "string":
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return targetOf(s), true
		}
	case "number":
		return targetOf(string(bytes.TrimSpace(raw))), true
	}
	return target{}, false
}

// check refuses a target that names nothing, or two things.
func (t *target) check() error {
	var given []string
	for name, is := range map[string]bool{"selector": t.Selector != "", "ref": t.Ref != "", "text": t.Text != "", "label": t.Label != "", "role": t.Role != "",
		"selectors": len(t.Selectors) > 0, "x and y": t.X != nil || t.Y != nil} {
		if is {
			given = append(given, name)
		}
	}
	switch {
	case len(given) == 0:
		return errors.New("it names no element: give a selector, ref, text, label or role")
	case len(given) > 1:
		return errors.New("it names the element in several ways: give one of selector, ref, text, label, role, selectors, x and y")
	case (t.X == nil) != (t.Y == nil):
		return errors.New("x and y belong together")
	case t.Ref != "":
		if _, ok := action.ParseRef(string(t.Ref)); !ok {
			return fmt.Errorf("%q is no ref: write it as in the snapshot, such as s1e12", string(t.Ref))
		}
	case t.Name != "" && t.Role == "":
		return errors.New("name belongs to role")
	}
	return t.careful.check(t)
}

// empty reports whether it names no element at all.
func (t *target) empty() bool {
	return t.Selector == "" && t.Ref == "" && t.Text == "" && t.Label == "" && t.Role == "" && len(t.Selectors) == 0 && t.X == nil && t.Y == nil
}

// String names the target for a person.
func (t *target) String() string {
	switch {
	case t.Ref != "":
		return "ref " + string(t.Ref)
	case t.Text != "":
		return strconv.Quote(t.Text)
	case t.Label != "":
		return "the field " + strconv.Quote(t.Label)
	case t.Role != "":
		return t.Role + " " + strconv.Quote(t.Name)
	case len(t.Selectors) > 0:
		return fmt.Sprintf("one of %d selectors", len(t.Selectors))
	case t.X != nil && t.Y != nil:
		return fmt.Sprintf("%g,%g", *t.X, *t.Y)
	}
	return t.Selector
}

// found is the element that a target means.
type found struct {
	collect.Element
	// Node is its node in a capture of this run, nil where none was needed.
	Node *snapshot.Node
	// Old and New are the refs where a ref was gone and its substitute was taken.
	Old, New int
	// Selector is the one of several that matched; Index is its place.
	Selector string
	Index    int
}

// find gives the element that is meant. What is not there may still be coming: it is
// looked for again for as long as the target's patience lasts (seed 8.9).
func (r *Runner) find(ctx context.Context, t *target) (*found, error) {
	patience := t.patience
	if patience <= 0 {
		patience = action.DefaultTimeout
	}
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for try := 0; ; try++ {
		f, err := r.findNow(ctx, t)
		var none *action.NotFoundError
		if err == nil || !errors.As(err, &none) || t.Ref != "" {
			return f, err
		}
		if perr := pause(within, retryPause(try)); perr != nil {
			if errors.Is(perr, context.DeadlineExceeded) {
				return nil, err // what was looked for says more than that the time is over
			}
			return nil, perr
		}
	}
}

func (r *Runner) findNow(ctx context.Context, t *target) (*found, error) {
	switch {
	case t.Ref != "":
		f, err := r.byRef(ctx, string(t.Ref))
		var gone *collect.GoneError
		if errors.As(err, &gone) && t.Fallback != "" {
			if f, err = r.instead(ctx, t); err != nil {
				err = fmt.Errorf("%w; by its fallback: %w", gone, err)
			}
		}
		return f, err
	case t.Only && !isRef(t.Selector):
		el, err := r.sole(ctx, t.Selector)
		if err != nil {
			return nil, err
		}
		return &found{Element: el}, nil
	case t.Text != "" || t.Label != "" || t.Role != "":
		return r.byName(ctx, t)
	case len(t.Selectors) > 0:
		for i, s := range t.Selectors {
			f, err := r.bySelector(ctx, s, t.SearchFrames)
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
	}
	return r.bySelector(ctx, t.Selector, t.SearchFrames)
}

// bySelector is the first element that matches. A string may also be a ref.
func (r *Runner) bySelector(ctx context.Context, selector string, frames bool) (*found, error) {
	if _, ok := action.ParseRef(selector); ok {
		return r.byRef(ctx, selector)
	}
	var list []collect.Element
	var err error
	if frames {
		list, err = r.page.AnyFrame(ctx, selector, 1)
	} else {
		list, err = r.page.CSS(ctx, r.frame, selector, 1)
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &action.NotFoundError{What: fmt.Sprintf("element that matches %q", selector)}
	}
	return &found{Element: list[0]}, nil
}

// byName reads the page and looks for what a person would call the element.
func (r *Runner) byName(ctx context.Context, t *target) (*found, error) {
	n, err := r.page.Read(ctx, r.opt.Collect)
	if err != nil {
		return nil, err
	}
	defer n.Release(ctx)
	r.learn(n.Result.Capture)
	f := &found{}
	switch {
	case t.Label != "":
		f.Element, f.Node, err = n.Label(ctx, t.Label, t.Exact)
	case t.Role != "":
		f.Element, f.Node, err = n.Role(ctx, find.RoleQuery{Role: t.Role, Name: t.Name, NameExact: t.Exact})
	default:
		within, werr := insideOf(n.Result.Capture, t.WithinSelector)
		if werr != nil {
			return nil, werr
		}
		f.Element, f.Node, err = n.Text(ctx, t.Text, t.Exact, within)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// insideOf is true for nodes inside what a selector matches; nil without a selector.
func insideOf(c *snapshot.Capture, selector string) (func(*snapshot.Node) bool, error) {
	if selector == "" {
		return nil, nil
	}
	s, err := css.Parse(selector)
	if err != nil {
		return nil, fmt.Errorf("withinSelector: %w", err)
	}
	around := s.All(css.NewTree(c))
	tree := snapshot.NewTree(c)
	return func(n *snapshot.Node) bool {
		for _, a := range around {
			if tree.Contains(a.I, n.I) {
				return true
			}
		}
		return false
	}, nil
}

// byRef is the element that has a number, or the one that took its place (C-6).
func (r *Runner) byRef(ctx context.Context, spelling string) (*found, error) {
	ref, ok := action.ParseRef(spelling)
	if !ok {
		return nil, fmt.Errorf("%q is no ref", spelling)
	}
	number := ref.Number
	if ref.NodeID != "" {
		if number = r.nodeID(ctx, ref.NodeID); number == 0 {
			return nil, &action.StaleError{What: "node " + ref.NodeID}
		}
	}
	id, err := r.identity(ctx, number)
	if err != nil {
		return nil, err
	}
	if id.Loader != "" && !r.shows(ctx, id) {
		return nil, &action.StaleError{What: fmt.Sprintf("ref %d", number), Why: "belongs to a document that the page has left: take a new snapshot"}
	}
	res, err := collect.Resolve(ctx, r.page.Tab(), id, r.opt.Collect)
	if err != nil {
		return nil, err
	}
	f := &found{Element: res.Element, Node: res.Match}
	if !res.ReResolved {
		return f, nil
	}
	r.learn(res.Capture)
	f.Old, f.New = number, res.Match.Ref
	if f.New != 0 && f.New != f.Old {
		r.links = append(r.links, [2]int{f.Old, f.New})
	}
	return f, nil
}

// shows reports whether the frame of an element still shows the document that it was
// in. A ref of another document is refused, never given another element.
func (r *Runner) shows(ctx context.Context, id collect.Identity) bool {
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

// identity is what is known of a ref: from the newest capture of this run or of the
// session that has it, else from the ledger.
func (r *Runner) identity(ctx context.Context, ref int) (collect.Identity, error) {
	for c := range r.seen() {
		for k := range c.Nodes {
			if c.Nodes[k].Ref == ref {
				return collect.IdentityOf(c, &c.Nodes[k]), nil
			}
		}
	}
	e, ok := r.ledger.Entry(ref)
	if !ok {
		return collect.Identity{}, &action.NotFoundError{What: fmt.Sprintf("ref %d", ref), Hint: fmt.Sprintf("the highest of this session is %d; take a snapshot first", r.ledger.Highest())}
	}
	if e.Target != r.page.Tab().ID() {
		return collect.Identity{}, &action.StaleError{What: fmt.Sprintf("ref %d", ref), Why: "belongs to another tab"}
	}
	if r.opt.Store != nil {
		if rec, err := r.opt.Store.Load(ctx, e.Last); err == nil {
			c := rec.Capture
			for k := range c.Nodes {
				if c.Nodes[k].Ref == ref {
					return collect.IdentityOf(c, &c.Nodes[k]), nil
				}
			}
		}
	}
	return collect.Identity{Ref: ref, Frame: e.Frame, Loader: e.Loader, UID: e.UID, Node: e.BackendNodeID, Tag: e.Tag, Role: e.Role, Name: e.Name}, nil
}

// retryPause is the pause before a target is looked for again (seed 8.9).
func retryPause(try int) time.Duration {
	return []time.Duration{50, 100, 200}[min(try, 2)] * time.Millisecond
}
