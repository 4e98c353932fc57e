// Package domtool is the interface of BrowserX's DomTool (seed 2; B-9, B-10, B-12) on the
// engine of package action: a snapshot that is kept while it is fresh, and click, type and
// keypress by the node ids of the domtool format.
//
// What differs from the original: the input is the browser's own, so the events of its
// appendix A come from Chrome, trusted and in its order; elements of frames of other
// sites can be acted on; and an id that is gone is never given to another element but to
// the only one of the same role and name.
package domtool

import (
	"context"

	"fmt"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// Options are those of a tool. The zero value is the original's behaviour.
type Options struct {
	// TTL is how long a snapshot may stand for the page; 2 s if 0 (B-9).
	TTL time.Duration
	// Timeout is how long an element may take to become ready; [action.DefaultTimeout]
	// if 0.
	Timeout  time.Duration
	Collect  collect.Options
	Profiles *profiles.Store
	Dump     dump.Options
	// Report hears of each snapshot and action (B-12), from the caller's own goroutine.
	// nil discards.
	Report func(Metric)
}

// Metric is one thing that was measured (B-12).
type Metric struct {
	What string // snapshot, click, type, keypress
	Took time.Duration
	// Of a snapshot: whether the kept one was fresh, how many elements the page has, how
	// many bytes the payload, and whether it was cut.
	Cached, Truncated bool
	Nodes, Bytes      int
	// Of an action: what went wrong, "" for nothing, and whether it was tried again.
	Failed  Kind
	Retried bool
}

// Tool acts in one tab. It is safe for concurrent use; actions wait for one another.
type Tool struct {
	opt   Options
	page  *action.Page
	cache session.Cache

	mu sync.Mutex // one mouse, one keyboard
}

// New makes a tool for a tab.
func New(tab *browser.Tab, o Options) *Tool {
	return &Tool{opt: o, page: action.New(tab), cache: session.Cache{TTL: o.TTL}}
}

// Snapshot is what the page is, as the tool knows it.
type Snapshot struct {
	Capture *snapshot.Capture
	// Payload is the domtool format: PageSerialized as JSON.
	Payload   string
	Truncated bool
	// Cached: it was kept from an earlier call, and nothing has changed since.
	Cached bool
}

// Snapshot gives the page: the kept snapshot where it is younger than the TTL and the page
// has not changed, else, or where it is forced, a new one.
func (t *Tool) Snapshot(ctx context.Context, force bool) (*Snapshot, error) {
	began := time.Now()
	c, cached, err := t.capture(ctx, force)
	if err != nil {
		t.report(Metric{What: "snapshot", Took: time.Since(began), Failed: kindOf(err)})
		return nil, typed("", err)
	}
	doc, err := dump.Render(c, dump.DomTool, t.opt.Dump)
	if err != nil {
		return nil, fmt.Errorf("writing the snapshot: %w", err)
	}
	t.report(Metric{What: "snapshot", Took: time.Since(began), Cached: cached, Truncated: doc.Truncated, Nodes: len(c.Nodes), Bytes: len(doc.Text)})
	return &Snapshot{Capture: c, Payload: doc.Text, Truncated: doc.Truncated, Cached: cached}, nil
}

// Invalidate makes the next call read the page anew.
func (t *Tool) Invalidate() { t.cache.Invalidate() }

func (t *Tool) capture(ctx context.Context, force bool) (*snapshot.Capture, bool, error) {
	if force {
		t.cache.Invalidate()
	}
	shot, cached, err := t.cache.Take(ctx, t.page.Tab(), session.Options{
		NoPicture: true, Collect: t.opt.Collect, Profiles: t.opt.Profiles, Settle: session.Settle{Quiet: 50 * time.Millisecond, Max: 500 * time.Millisecond},
	})
	if err != nil {
		return nil, false, err
	}
	return shot.Capture, cached, nil
}

func (t *Tool) report(m Metric) {
	if t.opt.Report != nil {
		t.opt.Report(m)
	}
}

// Result is what an action did.
type Result struct {
	Action, NodeID string
	// Method is how: see action.MethodCDP and its like.
	Method string
	// ReResolved: the element was gone, and the only one of its role and name took its
	// place.
	ReResolved bool
	// Retried: the first try met an element that had just gone.
	Retried bool
}

// Click clicks the element with that id.
func (t *Tool) Click(ctx context.Context, nodeID string) (*Result, error) {
	return t.act(ctx, "click", nodeID, func(el collect.Element, r *Result) error {
		done, err := t.page.Click(ctx, el, action.ClickOptions{Options: t.ready()})
		if err != nil {
			return err
		}
		r.Method = done.Method
		return nil
	})
}

// TypeOptions say how text is typed.
type TypeOptions struct {
	// Replace types over what is there; else after it.
	Replace bool
	// Pause is between two keys.
	Pause time.Duration
}

// Type types a text key by key into the element with that id. The page hears of each
// key, and of the change at the end.
func (t *Tool) Type(ctx context.Context, nodeID, text string, o TypeOptions) (*Result, error) {
	return t.act(ctx, "type", nodeID, func(el collect.Element, r *Result) error {
		into := t.page.TypeInto
		if o.Replace {
			into = t.page.Retype
		}
		done, err := into(ctx, el, text, o.Pause, t.ready())
		if err != nil {
			return err
		}
		r.Method = done.Method
		if !o.Replace {
			return t.page.Changed(ctx, el)
		}
		return nil
	})
}

// Keypress presses a key such as "Enter" or "Control+a". It goes to the element with that
// id, which gets the focus, or for "" to what has it. A key that is not there is an
// [*action.KeyError].
func (t *Tool) Keypress(ctx context.Context, nodeID, key string) (*Result, error) {
	keys, err := action.ParseKeys(key)
	if err != nil {
		return nil, err
	}
	press := func(r *Result) error {
		r.Method = "keys"
		return t.page.Press(ctx, keys)
	}
	if nodeID == "" {
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.done(time.Now(), &Result{Action: "keypress"}, press)
	}
	return t.act(ctx, "keypress", nodeID, func(el collect.Element, r *Result) error {
		if err := t.page.Focus(ctx, el); err != nil {
			return err
		}
		return press(r)
	})
}

// ready are the options of every action: an element that is not ready in time is an error.
func (t *Tool) ready() action.Options {
	return action.Options{Timeout: t.opt.Timeout, Strict: true}
}

// act resolves an id and acts on its element. Where the id is not in the kept snapshot,
// or the element goes away under the action, the page is read anew and it is tried once
// more.
func (t *Tool) act(ctx context.Context, what, nodeID string, do func(collect.Element, *Result) error) (*Result, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &Result{Action: what, NodeID: nodeID}
	return t.done(time.Now(), r, func(r *Result) error {
		err := t.try(ctx, r, do, false)
		if k := kindOf(err); k == NotFound && ctx.Err() == nil {
			r.Retried = true
			err = t.try(ctx, r, do, true)
		}
		return err
	})
}

func (t *Tool) try(ctx context.Context, r *Result, do func(collect.Element, *Result) error, fresh bool) error {
	c, _, err := t.capture(ctx, fresh)
	if err != nil {
		return err
	}
	n := dump.DomToolNode(c, r.NodeID)
	if n == nil {
		return notThere(c, r.NodeID)
	}
	if f := frameOf(c, n); f != nil && !f.Readable {
		return &Error{Kind: CrossOrigin, Why: "what is in this frame cannot be read: " + f.Why}
	}
	res, err := collect.Resolve(ctx, t.page.Tab(), collect.IdentityOf(c, n), t.opt.Collect)
	if err != nil {
		return err
	}
	r.ReResolved = res.ReResolved
	if n.Tag == "input" && n.Attrs["type"] == "file" && r.Action == "type" {
		return &Error{Kind: SecurityBlocked, Why: "a file input takes no text: its files are chosen, not typed"}
	}
	return do(res.Element, r)
}

// done finishes an action: what is kept of the page is no longer true.
func (t *Tool) done(began time.Time, r *Result, do func(*Result) error) (*Result, error) {
	err := do(r)
	t.cache.Invalidate()
	t.report(Metric{What: r.Action, Took: time.Since(began), Failed: kindOf(err), Retried: r.Retried})
	if err != nil {
		return nil, typed(r.NodeID, err)
	}
	return r, nil
}

// frameOf is the frame that an element shows, nil for none.
func frameOf(c *snapshot.Capture, n *snapshot.Node) *snapshot.Frame {
	for i := range c.Frames {
		if f := &c.Frames[i]; f.Owner == n.I && i > 0 {
			return f
		}
	}
	return nil
}
