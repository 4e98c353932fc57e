// Package wraith is Wraith's way to operate a page as a Go API over our engine: a flat
// list of elements with @e numbers, and click, fill, select and scroll-to by number
// (seed "Snapshot Model and @ref IDs"; rows W-6, D-10). The tools of the seed's
// browse_… names call these.
//
// # Refs
//
// A target is a ref — 42, [42], @e42, s3e42 — or a CSS selector that matches one
// element. Unlike Wraith's, a number stays with its element over snapshots, and no
// other element ever gets it. A ref that the last snapshot does not have any more, and
// whose element is gone, is a [*refs.OlderError] that names both snapshots.
//
// An element that is gone is replaced only by the single one with its role and name.
// Where the caller gives the element's selector (Options.Selector, as wraith-json lists
// it), that is asked next: it must match one element, and its tag, role and name must be
// those of the lost one. The seed acts on whatever the selector finds.
//
// # Force
//
// Without it an element that is hidden, disabled or covered is an error with the reason
// ([*action.NotReadyError], [*action.NotEditableError]); with it, it is acted on at once.
package wraith

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/refs"
	"github.com/refscope/refscope/snapshot/dump"
)

// Engine reads and operates one tab. It is not safe for concurrent use.
type Engine struct{ book *refs.Book }

// New makes an engine for a tab.
func New(tab *browser.Tab, o refs.Options) *Engine { return &Engine{refs.New(tab, o)} }

// Book has the numbers that the engine gave.
func (e *Engine) Book() *refs.Book { return e.book }

// Snapshot is the page as an agent was shown it.
type Snapshot struct {
	*refs.Snapshot
	// Document is the text: [dump.Wraith], or [dump.WraithJSON] where that was asked for.
	Document *dump.Document
}

// SnapshotOptions say what a snapshot is like.
type SnapshotOptions struct {
	// Force takes a new one whatever is cached.
	Force bool
	// JSON gives DomSnapshot instead of the agent text.
	JSON bool
	Dump dump.Options
}

// Snapshot gives the page as it is now, from the cache where that is fresh.
func (e *Engine) Snapshot(ctx context.Context, o SnapshotOptions) (*Snapshot, error) {
	if o.Force {
		e.book.Invalidate()
	}
	s, err := e.book.Show(ctx)
	if err != nil {
		return nil, err
	}
	format := dump.Wraith
	if o.JSON {
		format = dump.WraithJSON
	}
	doc, err := dump.Render(s.Shot.Capture, format, o.Dump)
	if err != nil {
		return nil, err
	}
	return &Snapshot{s, doc}, nil
}

// Options say how an action is done.
type Options struct {
	// Force acts at once on an element that is hidden, disabled or covered.
	Force bool
	// Timeout is how long the element may take to become ready; 5 s if 0.
	Timeout time.Duration
	// Selector is asked where the element of a ref is gone; "" is not.
	Selector string
}

func (o Options) action() action.Options {
	return action.Options{Timeout: o.Timeout, Force: o.Force, Strict: true}
}

// Result is what an action did.
type Result struct {
	Action string `json:"action"`
	// Ref is the number of the element, 0 where it was asked for by selector.
	Ref int `json:"ref,omitempty"`
	// NewRef is the number of the element that took the place of one that is gone; Stage
	// is how it was found (path, ghost, selector).
	NewRef int    `json:"newRef,omitempty"`
	Stage  string `json:"stage,omitempty"`
	// Method is how it was done: see the constants of package action.
	Method string `json:"method,omitempty"`
	// Kept is whether a filled field has exactly that text.
	Kept *bool `json:"kept,omitempty"`
	// Checked is the state of a checkbox or radio button that was clicked.
	Checked *bool `json:"checked,omitempty"`
	// Values are those that are chosen in a list box now.
	Values []string `json:"values,omitempty"`
	// Scroll is where the element's frame is scrolled to now.
	Scroll *action.Scrolled `json:"scroll,omitempty"`
}

// Click clicks an element.
func (e *Engine) Click(ctx context.Context, target string, o Options) (*Result, error) {
	return e.do(ctx, "click", target, o, func(el collect.Element, r *Result) error {
		done, err := e.book.Page().Click(ctx, el, action.ClickOptions{Options: o.action()})
		if err != nil {
			return err
		}
		r.Method, r.Checked = done.Method, done.Checked
		return nil
	})
}

// Fill replaces what is in a field.
func (e *Engine) Fill(ctx context.Context, target, text string, o Options) (*Result, error) {
	return e.do(ctx, "fill", target, o, func(el collect.Element, r *Result) error {
		done, err := e.book.Page().Fill(ctx, el, text, action.FillOptions{Options: o.action()})
		if err != nil {
			return err
		}
		r.Method, r.Kept = done.Method, &done.Kept
		return nil
	})
}

// Select chooses the option of a list box with that value, or else that label. One that
// is disabled or hidden is refused, unless forced. No such option is an
// [*action.NoOptionError] that lists what there is.
func (e *Engine) Select(ctx context.Context, target, value string, o Options) (*Result, error) {
	return e.do(ctx, "select", target, o, func(el collect.Element, r *Result) error {
		if err := e.book.Page().Ready(ctx, el, action.Visible|action.Enabled, o.action()); err != nil {
			return err
		}
		done, err := e.book.Page().Select(ctx, el, action.Choice{Either: []string{value}})
		if err != nil {
			return err
		}
		r.Method, r.Values = action.MethodSelect, done.Values
		return nil
	})
}

// ScrollTo brings an element to the middle of the view.
func (e *Engine) ScrollTo(ctx context.Context, target string, o Options) (*Result, error) {
	return e.do(ctx, "scroll_to", target, o, func(el collect.Element, r *Result) error {
		at, err := e.book.Page().Centre(ctx, el)
		if err != nil {
			return err
		}
		r.Scroll = &at
		return nil
	})
}

// do finds the element and acts on it; the cached snapshot is not the page any more.
func (e *Engine) do(ctx context.Context, name, target string, o Options, act func(collect.Element, *Result) error) (*Result, error) {
	f, err := e.book.Find(ctx, target)
	var gone *collect.GoneError
	if errors.As(err, &gone) && o.Selector != "" {
		if f, err = e.book.Instead(ctx, target, o.Selector); err != nil {
			err = fmt.Errorf("%w; by its selector: %w", gone, err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, target, err)
	}
	defer e.book.Invalidate()
	r := &Result{Action: name, Ref: f.Ref, NewRef: f.NewRef, Stage: f.Stage}
	if err := act(f.Element, r); err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, target, err)
	}
	return r, nil
}
