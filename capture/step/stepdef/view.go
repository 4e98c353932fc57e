package stepdef

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// View is one reading of the page that an observation answers from. All of it comes from
// a capture, so it is redacted as captures are (B-11).
type View struct {
	Capture *snapshot.Capture
	Tree    *snapshot.Tree
	// Frame is the index in Capture.Frames of the frame that steps look in, 0 for the main one.
	Frame int
	byUID map[nodeKey]int // index of a node
	short *css.Shortest   // made where it is requested
}

// Selector is the shortest selector that means a node alone and is likely to last.
func (v *View) Selector(n *snapshot.Node) string {
	if v.short == nil {
		v.short = css.NewShortest(v.Capture)
	}
	return v.short.Of(n)
}

// nodeKey is the identity of an element in a capture: the index of its frame, its uid.
type nodeKey struct{ frame, uid int }

// LookOptions read the page as it is now, without a picture.
func (e *Env) LookOptions() session.Options {
	return session.Options{
		NoPicture: true, Collect: e.Collect, Profiles: e.Profiles, Settle: session.Settle{Max: time.Millisecond},
	}
}

// Look reads the page now, without a picture, and numbers it.
func (e *Env) Look(ctx context.Context) (*snapshot.Capture, error) {
	if base := e.Elements.Relied(); base != nil && !e.Acted {
		return base, nil // just found to be what the page is
	}
	o := e.LookOptions()
	o.Number = e.Elements.Add
	shot, err := session.Take(ctx, e.Page.Tab(), o)
	if err != nil {
		return nil, err
	}
	return shot.Capture, nil
}

// Shown is the capture whose viewport snapshot the agent had last, nil where it has had none of this document:
// what stays in place and reads the same need not be sent again (C-23, section 19.6).
func (e *Env) Shown(ctx context.Context, now *snapshot.Capture) *snapshot.Capture {
	rec := e.Elements.LastTurn(ctx)
	if rec == nil || len(rec.Capture.Frames) == 0 || len(now.Frames) == 0 ||
		rec.Capture.Frames[0].Loader != now.Frames[0].Loader {
		return nil
	}
	for _, p := range rec.Payloads {
		if p.Dialect == "cdp-skill" && p.Way == turn.Answer {
			return rec.Capture
		}
	}
	return nil
}

// Read reads the page. within, where it is set, runs while the elements are still held
// in the page and before they have numbers.
func (e *Env) Read(ctx context.Context, within func(context.Context, *collect.Result) error) (*View, error) {
	if within == nil {
		c, err := e.Look(ctx)
		if err != nil {
			return nil, err
		}
		return e.ViewOf(c)
	}
	o := e.LookOptions()
	o.Within, o.Number = within, e.Elements.Add
	shot, err := session.Take(ctx, e.Page.Tab(), o)
	if err != nil {
		return nil, err
	}
	return e.ViewOf(shot.Capture)
}

// Requested reads the page for a snapshot that the agent requests in a format, and leaves in the page what the command
// is to.
func (e *Env) Requested(ctx context.Context, name dump.Format) (*View, error) {
	o := e.LookOptions()
	if source := format.SourceOf(name); source != "" {
		o.Collect.Source = source
	} else if e.Writes == (session.PageWrites{}) {
		return e.Read(ctx, nil)
	}
	o.Number, o.PageWrites = e.Elements.Add, e.Writes
	shot, err := session.Take(ctx, e.Page.Tab(), o)
	if err != nil {
		return nil, err
	}
	return e.ViewOf(shot.Capture)
}

// Clean takes out of texts that are in no capture, such as addresses of frames, what a
// capture would keep back.
func (e *Env) Clean(ctx context.Context, texts ...string) ([]string, error) {
	var out []string
	o := e.LookOptions()
	o.Number = e.Elements.Add
	o.Within = func(ctx context.Context, res *collect.Result) error {
		out = res.Seal(ctx, texts)
		return nil
	}
	if _, err := session.Take(ctx, e.Page.Tab(), o); err != nil {
		return nil, err
	}
	return out, nil
}

// ViewOf is a capture as seen from the present frame.
func (e *Env) ViewOf(c *snapshot.Capture) (*View, error) {
	frame, err := e.Elements.FrameIn(c)
	if err != nil {
		return nil, err
	}
	return &View{Capture: c, Tree: snapshot.NewTree(c), Frame: frame}, nil
}

// In reports whether a node is in the present frame, or in a frame inside it.
func (v *View) In(n *snapshot.Node) bool {
	return v.Frame == 0 || v.Capture.FramesBetween(n.Frame, v.Frame) >= 0
}

// Node is the node of the element with a uid in a frame, nil where the capture has none.
func (v *View) Node(frame, loader string, uid int) *snapshot.Node {
	if v.byUID == nil {
		v.byUID = make(map[nodeKey]int, len(v.Capture.Nodes))
		for i := range v.Capture.Nodes {
			if n := &v.Capture.Nodes[i]; n.UID != 0 {
				v.byUID[nodeKey{n.Frame, n.UID}] = i
			}
		}
	}
	for f := range v.Capture.Frames {
		if v.Capture.Frames[f].ID == frame && v.Capture.Frames[f].Loader == loader {
			if i, ok := v.byUID[nodeKey{f, uid}]; ok && uid != 0 {
				return &v.Capture.Nodes[i]
			}
		}
	}
	return nil
}

// uidsJS are the uids of the nodes that it is called with, 0 for those that the reading
// has not seen.
const uidsJS = `function(...nodes) {
	return JSON.stringify(nodes.map((n) => (n && globalThis.__refscope.ids.get(n)) || 0));
}`

// Nodes are the capture's nodes of live elements of one frame, nil for those that it
// does not hold. The elements must have been found before the page was read.
func (v *View) Nodes(ctx context.Context, els []collect.Element) ([]*snapshot.Node, error) {
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
		return nil, fmt.Errorf("asking which elements these are: the page answered %d of %d: %w",
			len(uids), len(els), err)
	}
	for i, uid := range uids {
		out[i] = v.Node(realm.Frame, realm.Loader, uid)
	}
	return out, nil
}

// NodeOf is the capture's node of one live element.
func (v *View) NodeOf(ctx context.Context, el collect.Element) (*snapshot.Node, error) {
	list, err := v.Nodes(ctx, []collect.Element{el})
	if err != nil {
		return nil, err
	}
	if list[0] == nil {
		return nil, &action.StaleError{What: "the element"}
	}
	return list[0], nil
}

// Text is the text of an element as a script reads it: rendered or not, nothing between
// blocks, white space as the page renders it.
func (v *View) Text(n *snapshot.Node) string {
	return v.Tree.Gather(n, snapshot.Gather{All: true, Glue: true, MaxBytes: MaxRead})
}

// Point is a place in the viewport, CSS px.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Rect is a box in the viewport, CSS px.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// RectOf is a box of a capture.
func RectOf(b snapshot.Box) Rect { return Rect{b.X(), b.Y(), b.W(), b.H()} }

// Bounds of what an observation gives.
const (
	MaxRead   = 100_000   // bytes of one element's text
	MaxOutput = 1_000_000 // characters of all values of one step
)

// OutputBudget is how much an output may still hold, in characters.
type OutputBudget struct {
	left int
	// Cut: something was left out.
	Cut bool
}

// NewBudget is the budget of one step.
func NewBudget() *OutputBudget { return &OutputBudget{left: MaxOutput} }

// Take is as much of a text as the budget allows.
func (b *OutputBudget) Take(s string) string {
	short := text.Start(s, b.left)
	if len(short) < len(s) {
		b.Cut, b.left = true, 0
		return short
	}
	b.Spend(utf8.RuneCountInString(s))
	return s
}

// Spend takes so many characters out of the budget.
func (b *OutputBudget) Spend(n int) { b.left = max(0, b.left-n) }
