package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format/aria"
)

// view is one reading of the page that an observation answers from. All that it tells
// comes from a capture, so it is redacted as captures are (B-11).
type view struct {
	c *snapshot.Capture
	t *snapshot.Tree
	// frame is the index in c.Frames of the frame that steps look in, 0 for the main one.
	frame int
	byUID map[nodeKey]int // index of a node
}

// nodeKey is the identity of an element in a capture: the index of its frame, its uid.
type nodeKey struct{ frame, uid int }

// read reads the page. within, where it is set, runs while the elements are still held
// in the page and before they have numbers.
func (r *Runner) read(ctx context.Context, within func(context.Context, *collect.Result) error) (*view, error) {
	if within == nil {
		c, err := r.look(ctx)
		if err != nil {
			return nil, err
		}
		return r.viewOf(c)
	}
	o := r.lookOptions()
	o.Within = within
	shot, err := session.Take(ctx, r.page.Tab(), o)
	if err != nil {
		return nil, err
	}
	r.learn(shot.Capture)
	return r.viewOf(shot.Capture)
}

// seal takes out of texts that are in no capture, such as addresses of frames, what a
// capture would keep back.
func (r *Runner) seal(ctx context.Context, texts ...string) ([]string, error) {
	var out []string
	o := r.lookOptions()
	o.Within = func(ctx context.Context, res *collect.Result) error {
		out = res.Seal(ctx, texts)
		return nil
	}
	shot, err := session.Take(ctx, r.page.Tab(), o)
	if err != nil {
		return nil, err
	}
	r.learn(shot.Capture)
	return out, nil
}

// viewOf is a capture as seen from the present frame.
func (r *Runner) viewOf(c *snapshot.Capture) (*view, error) {
	v := &view{c: c, t: snapshot.NewTree(c)}
	if r.frame == "" {
		return v, nil
	}
	for i := range c.Frames {
		if c.Frames[i].ID == r.frame {
			if v.frame = i; !c.Frames[i].Readable {
				return nil, fmt.Errorf("the frame cannot be read: %s", c.Frames[i].Why)
			}
			return v, nil
		}
	}
	return nil, frameGone(r.frame)
}

// frameGone is the error of a frame that was switched to and is not there any more. The
// main frame is never taken instead: it may hold the same selectors.
func frameGone(id string) error {
	return &action.StaleError{What: "frame " + id, Why: `is not on the page any more: {"frame":"top"} goes back to the main one`}
}

// in reports whether a node is in the present frame, or in a frame inside it.
func (v *view) in(n *snapshot.Node) bool {
	if v.frame == 0 {
		return true
	}
	for f := n.Frame; f >= 0 && f < len(v.c.Frames); f = v.c.Frames[f].Parent {
		if f == v.frame {
			return true
		}
	}
	return false
}

// node is the node of the element with a uid in a frame, nil where the capture has none.
func (v *view) node(frame, loader string, uid int) *snapshot.Node {
	if v.byUID == nil {
		v.byUID = make(map[nodeKey]int, len(v.c.Nodes))
		for i := range v.c.Nodes {
			if n := &v.c.Nodes[i]; n.UID != 0 {
				v.byUID[nodeKey{n.Frame, n.UID}] = i
			}
		}
	}
	for f := range v.c.Frames {
		if v.c.Frames[f].ID == frame && v.c.Frames[f].Loader == loader {
			if i, ok := v.byUID[nodeKey{f, uid}]; ok && uid != 0 {
				return &v.c.Nodes[i]
			}
		}
	}
	return nil
}

// uidsJS are the uids of the nodes that it is called with, 0 for those that the reading
// has not seen.
const uidsJS = `function(...nodes) { return JSON.stringify(nodes.map((n) => (n && globalThis.__refscope.ids.get(n)) || 0)); }`

// nodes are the capture's nodes of live elements of one frame, nil for those that it
// does not hold. The elements must have been found before the page was read.
func (v *view) nodes(ctx context.Context, els []collect.Element) ([]*snapshot.Node, error) {
	out := make([]*snapshot.Node, len(els))
	if len(els) == 0 {
		return out, nil
	}
	ids := make([]int64, len(els))
	for i, el := range els {
		ids[i] = el.Node
	}
	realm := els[0].Realm
	text, err := realm.Call(ctx, uidsJS, ids)
	if err != nil {
		return nil, fmt.Errorf("asking which elements these are: %w", err)
	}
	var uids []int
	if err := json.Unmarshal([]byte(text), &uids); err != nil || len(uids) != len(els) {
		return nil, fmt.Errorf("asking which elements these are: the page answered %d of %d: %w", len(uids), len(els), err)
	}
	for i, uid := range uids {
		out[i] = v.node(realm.Frame, realm.Loader, uid)
	}
	return out, nil
}

// nodeOf is the capture's node of one live element.
func (v *view) nodeOf(ctx context.Context, el collect.Element) (*snapshot.Node, error) {
	list, err := v.nodes(ctx, []collect.Element{el})
	if err != nil {
		return nil, err
	}
	if list[0] == nil {
		return nil, &action.StaleError{What: "the element"}
	}
	return list[0], nil
}

// text is the text of an element as a script reads it: rendered or not, nothing between
// blocks, white space as the page renders it.
func (v *view) text(n *snapshot.Node) string {
	return v.t.Gather(n, snapshot.Gather{All: true, Glue: true, MaxBytes: maxRead})
}

// root is the node that a snapshot begins at, nil where the format chooses: "body",
// "role=navigation", a selector or a ref.
func root(ctx context.Context, v *view, root string, el *found) (*int, error) {
	role, byRole := strings.CutPrefix(root, "role=")
	switch {
	case el != nil:
		n, err := v.nodeOf(ctx, el.Element)
		if err != nil {
			return nil, err
		}
		return &n.I, nil
	case v.frame == 0 && (root == "" || root == "body" || byRole):
		i, err := aria.Root(v.c, root)
		if err != nil {
			return nil, &action.NotFoundError{What: fmt.Sprintf("%q", root)}
		}
		return i, nil
	}
	for k := range v.c.Nodes {
		n := &v.c.Nodes[k]
		if n.Frame != v.frame && !(byRole && v.in(n)) {
			continue
		}
		if byRole && n.Role == role && n.Verdict.Rendered() || !byRole && (root == "" && n.Tag == "html" || n.Tag == "body" || n.Tag == "frameset") {
			return &n.I, nil
		}
	}
	return nil, &action.NotFoundError{What: fmt.Sprintf("%q in the frame", root)}
}

// plain reports whether a root needs no element of the page.
func plainRoot(root string) bool {
	return root == "" || root == "body" || strings.HasPrefix(root, "role=")
}

// point is a place in the viewport, CSS px.
type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// rect is a box in the viewport, CSS px.
type rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

func rectOf(b snapshot.Box) rect { return rect{b.X(), b.Y(), b.W(), b.H()} }

// all are the elements that a selector matches in the present frame, or the one that a
// ref means. They are not waited for.
func (r *Runner) all(ctx context.Context, selector string) ([]collect.Element, error) {
	selector = strings.TrimSpace(selector)
	if _, ok := action.ParseRef(selector); ok {
		f, err := r.byRef(ctx, selector)
		if err != nil {
			return nil, err
		}
		return []collect.Element{f.Element}, nil
	}
	return r.page.CSS(ctx, r.frame, selector, maxMatches)
}

// present is the element that a target means now; what is not there is not waited for.
func (r *Runner) present(ctx context.Context, t *target) (*found, error) {
	f, err := r.findNow(ctx, t)
	var none *action.NotFoundError
	if errors.As(err, &none) && none.Hint == "" {
		none.Hint = "a wait step waits for it"
	}
	return f, err
}

// Bounds of what an observation gives.
const (
	maxMatches = 10_000    // elements that a selector is counted to
	maxRead    = 100_000   // bytes of one element's text
	maxOutput  = 1_000_000 // characters of all values of one step
	maxItems   = 1_000     // results that a limit may ask for
)

// room is how much an output may still hold, in characters.
type room struct {
	left int
	cut  bool
}

func newRoom() *room { return &room{left: maxOutput} }

// take is as much of a text as there is room for.
func (o *room) take(s string) string {
	n := 0
	for i := range s {
		if n == o.left {
			o.cut, o.left = true, 0
			return s[:i]
		}
		n++
	}
	o.left -= n
	return s
}
