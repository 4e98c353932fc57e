// Package wraith is the interface of Wraith's actions (seed 3; W-6) on the engine of
// package action: click, fill, select and scroll_to by the number of an @ref.
//
// What differs from the original: a number means one element for as long as there is
// one, across snapshots, and is never given to another. A selector is only fallen back to
// where it matches one element that has the role and the name of the one that is gone.
package wraith

import (
	"context"
	"errors"
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
	"github.com/refscope/refscope/snapshot/turn"
)

// Options are those of an engine. The zero value is the original's behaviour.
type Options struct {
	// Timeout is how long an element may take to become ready; [action.DefaultTimeout]
	// if 0.
	Timeout  time.Duration
	Collect  collect.Options
	Profiles *profiles.Store
	Dump     dump.Options
}

// Engine acts in one tab. It is safe for concurrent use; calls wait for one another.
type Engine struct {
	opt  Options
	page *action.Page

	mu     sync.Mutex
	ledger *turn.Ledger
	taken  int          // snapshots so far
	known  map[int]seen // by ref
}

// seen is an element as it was seen last.
type seen struct {
	id       collect.Identity
	snapshot int
}

// New makes an engine for a tab.
func New(tab *browser.Tab, o Options) *Engine {
	return &Engine{opt: o, page: action.New(tab), ledger: turn.NewLedger(), known: map[int]seen{}}
}

// Snapshot is the page as an agent reads it.
type Snapshot struct {
	// N counts the engine's snapshots, from 1.
	N       int
	Capture *snapshot.Capture
	// Text is the wraith format, a line an element.
	Text string
}

// Snapshot reads the page.
func (e *Engine) Snapshot(ctx context.Context) (*Snapshot, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	shot, err := session.Take(ctx, e.page.Tab(), session.Options{
		NoPicture: true, Collect: e.opt.Collect, Profiles: e.opt.Profiles, Settle: session.Settle{Quiet: 50 * time.Millisecond, Max: 500 * time.Millisecond},
	})
	if err != nil {
		return nil, err
	}
	c := shot.Capture
	e.taken++
	e.ledger.Assign(e.page.Tab().ID(), e.taken, c)
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Ref > 0 {
			e.known[n.Ref] = seen{collect.IdentityOf(c, n), e.taken}
		}
	}
	doc, err := dump.Render(c, dump.Wraith, e.opt.Dump)
	if err != nil {
		return nil, fmt.Errorf("writing the snapshot: %w", err)
	}
	return &Snapshot{N: e.taken, Capture: c, Text: doc.Text}, nil
}

// Result is what an action did.
type Result struct {
	Ref int
	// Method is how: see action.MethodCDP and its like; "scroll" of ScrollTo.
	Method string
	// Old is the number of the snapshot that showed the ref last, where a later one no
	// longer did; 0 for one of the last snapshot.
	Old int
	// ReResolved: the element was gone, and the only one of its role and name took its
	// place. Selector is the selector that found it, where several had these.
	ReResolved bool
	Selector   string
}

// Click clicks the element with that ref. force does not look whether it is ready.
func (e *Engine) Click(ctx context.Context, ref int, force bool) (*Result, error) {
	return e.act(ctx, ref, func(el collect.Element, r *Result) error {
		done, err := e.page.Click(ctx, el, action.ClickOptions{Options: e.ready(force)})
		if err == nil {
			r.Method = done.Method
		}
		return err
	})
}

// Fill puts a text into the field with that ref.
func (e *Engine) Fill(ctx context.Context, ref int, text string, force bool) (*Result, error) {
	return e.act(ctx, ref, func(el collect.Element, r *Result) error {
		done, err := e.page.Fill(ctx, el, text, action.FillOptions{Options: e.ready(force)})
		if err == nil {
			r.Method = done.Method
		}
		return err
	})
}

// Select chooses the option with that value, or else that label, in the list box with
// that ref. A list box is chosen in by script, so force has nothing to pass by but a
// disabled option, which no force chooses.
func (e *Engine) Select(ctx context.Context, ref int, value string) (*Result, error) {
	return e.act(ctx, ref, func(el collect.Element, r *Result) error {
		r.Method = action.MethodSelect
		_, err := e.page.Select(ctx, el, action.Choice{Either: []string{value}})
		return err
	})
}

// ScrollTo scrolls the element with that ref to the middle of the view.
func (e *Engine) ScrollTo(ctx context.Context, ref int) (*Result, error) {
	return e.act(ctx, ref, func(el collect.Element, r *Result) error {
		r.Method = "scroll"
		_, err := e.page.Centre(ctx, el)
		return err
	})
}

func (e *Engine) ready(force bool) action.Options {
	return action.Options{Timeout: e.opt.Timeout, Force: force, Strict: true}
}

// act resolves a ref and acts on its element. A ref that no snapshot has shown is an
// [*action.NotFoundError]; one whose element is gone an [*action.StaleError] that names
// the snapshot.
func (e *Engine) act(ctx context.Context, ref int, do func(collect.Element, *Result) error) (*Result, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, ok := e.known[ref]
	if !ok {
		return nil, &action.NotFoundError{What: fmt.Sprintf("@e%d", ref), Hint: "take a snapshot first"}
	}
	r := &Result{Ref: ref}
	if s.snapshot < e.taken {
		r.Old = s.snapshot
	}
	el, err := e.resolve(ctx, s, r)
	if err != nil {
		return nil, err
	}
	return r, do(el, r)
}

func (e *Engine) resolve(ctx context.Context, s seen, r *Result) (collect.Element, error) {
	stale := func(why string, err error) error {
		return &action.StaleError{What: fmt.Sprintf("@e%d of snapshot %d", s.id.Ref, s.snapshot), Why: why, Err: err}
	}
	if frames, err := e.page.Frames(ctx); err == nil {
		for _, f := range frames {
			if f.ID != s.id.Frame {
				continue
			}
			if realm, err := f.Enter(ctx); err == nil && s.id.Loader != "" && realm.Loader != s.id.Loader {
				return collect.Element{}, stale("belongs to a document that the page has left: take a new snapshot", nil)
			}
		}
	}
	res, err := collect.Resolve(ctx, e.page.Tab(), s.id, e.opt.Collect)
	var gone *collect.GoneError
	switch {
	case err == nil:
		r.ReResolved = res.ReResolved
		return res.Element, nil
	case !errors.As(err, &gone):
		return collect.Element{}, err
	}
	el, found, ferr := e.bySelector(ctx, s.id)
	if ferr != nil {
		return collect.Element{}, ferr
	}
	if !found {
		return collect.Element{}, stale("is not on the page any more: take a new snapshot", err)
	}
	r.ReResolved, r.Selector = true, s.id.Path
	return el, nil
}

// bySelector is the one element that the selector of a gone one matches, if it has its
// role and name.
func (e *Engine) bySelector(ctx context.Context, id collect.Identity) (collect.Element, bool, error) {
	if id.Path == "" {
		return collect.Element{}, false, nil
	}
	list, err := e.page.CSS(ctx, "", id.Path, 2)
	if err != nil || len(list) != 1 {
		var none *action.NotFoundError
		if errors.As(err, &none) {
			err = nil // the frame of the selector is gone too
		}
		return collect.Element{}, false, err
	}
	res, err := collect.Read(ctx, e.page.Tab(), e.opt.Collect)
	if err != nil {
		return collect.Element{}, false, err
	}
	defer res.Release(context.WithoutCancel(ctx))
	if err := res.Identify(ctx); err != nil {
		return collect.Element{}, false, err
	}
	for i := range res.Capture.Nodes {
		n := &res.Capture.Nodes[i]
		if n.BackendNodeID == list[0].Node && res.Capture.Frames[n.Frame].ID == list[0].Realm.Frame {
			return list[0], n.Role == id.Role && n.Name == id.Name, nil
		}
	}
	return collect.Element{}, false, nil
}
