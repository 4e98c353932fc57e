package step

import (
	"context"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/refs"
	"github.com/refscope/refscope/snapshot"
)

// careful are members of a target for one who wants no guesses (W-6).
type careful struct {
	// Fallback is a CSS selector that is asked where the element of a ref is gone from
	// its document: the only element that matches it is taken, if it has the lost one's
	// tag, role and name.
	Fallback string `json:"fallback,omitempty"`
	// Only refuses a selector that matches several elements.
	Only bool `json:"only,omitempty"`
}

func (c *careful) check(t *target) error {
	switch {
	case c.Fallback != "" && t.Ref == "":
		return errors.New("fallback belongs to ref")
	case c.Only && t.Selector == "":
		return errors.New("only belongs to selector")
	}
	return nil
}

// sole is the only element that matches in the present frame.
func (r *Runner) sole(ctx context.Context, selector string) (collect.Element, error) {
	const most = 10_000
	list, err := r.page.CSS(ctx, r.frame, selector, most)
	switch {
	case err != nil:
		return collect.Element{}, err
	case len(list) == 0:
		return collect.Element{}, &action.NotFoundError{What: fmt.Sprintf("element that matches %q", selector)}
	case len(list) > 1:
		return collect.Element{}, &refs.AmbiguousError{Selector: selector, Count: len(list)}
	}
	return list[0], nil
}

// instead is the element that the fallback gives in the place of one that is gone.
func (r *Runner) instead(ctx context.Context, t *target) (*found, error) {
	ref, ok := action.ParseRef(string(t.Ref))
	if !ok || ref.Number == 0 {
		return nil, fmt.Errorf("%q is no number of a ref", string(t.Ref))
	}
	id, err := r.identity(ctx, ref.Number)
	if err != nil {
		return nil, err
	}
	el, err := r.sole(ctx, t.Fallback)
	if err != nil {
		return nil, err
	}
	now, err := r.page.Read(ctx, r.opt.Collect)
	if err != nil {
		return nil, err
	}
	defer now.Release(ctx)
	c := now.Result.Capture
	r.learn(c)
	n := nodeOf(c, el)
	if n == nil || n.Ref == 0 {
		return nil, &action.NotFoundError{What: fmt.Sprintf("element at %q that a snapshot lists", t.Fallback)}
	}
	is := collect.IdentityOf(c, n)
	if is.Tag != id.Tag || is.Role != id.Role || is.Name != id.Name {
		return nil, &action.NotFoundError{What: fmt.Sprintf("element like ref %d at %q", ref.Number, t.Fallback),
			Hint: fmt.Sprintf("there is %s %q, and it was %s %q", is.Role, is.Name, id.Role, id.Name)}
	}
	f := &found{Element: el, Old: ref.Number, New: n.Ref}
	if f.New != f.Old {
		r.links = append(r.links, [2]int{f.Old, f.New})
	}
	return f, nil
}

// nodeOf is the node of a live element, nil where the capture has none.
func nodeOf(c *snapshot.Capture, el collect.Element) *snapshot.Node {
	for k := range c.Nodes {
		n := &c.Nodes[k]
		if n.BackendNodeID == el.Node && n.Frame >= 0 && n.Frame < len(c.Frames) && c.Frames[n.Frame].ID == el.Realm.Frame {
			return n
		}
	}
	return nil
}
