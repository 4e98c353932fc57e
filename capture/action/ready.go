package action

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
)

//go:embed js/state.js
var stateSource string

//go:embed js/hit.js
var hitSource string

//go:embed js/inert.js
var inertSource string

//go:embed js/describe.js
var describeSource string

var (
	stateJS = collect.WithPress(stateSource)
	hitJS   = collect.WithPress(describing(hitSource))
	inertJS = describing(inertSource)
)

// describing is a function (node, options) that has the function of js/describe.js.
func describing(function string) string {
	return "(node, options) => {\n" + describeSource + "\nreturn (" + function + ")(node, options); }"
}

// DefaultTimeout is how long an action waits for its element (the seed, 8.9).
const DefaultTimeout = 5 * time.Second

// retryAfter are the pauses between two looks at an element (the seed, 8.9); the last
// one is kept.
func retryAfter(try int) time.Duration {
	pauses := [...]time.Duration{0, 50, 100, 200}
	return pauses[min(try, len(pauses)-1)] * time.Millisecond
}

// Options bound the wait before an action.
type Options struct {
	// Timeout is how long the element may take to become ready; DefaultTimeout if 0.
	Timeout time.Duration
	// Force acts at once, whatever the result of the checks.
	Force bool
	// Strict fails on an element that is not ready in time; otherwise it is acted on by
	// force and the result reports it.
	Strict bool
	// Stable asks for a place that stays the same over three frames.
	Stable bool
}

func (o Options) timeout() time.Duration {
	if o.Timeout <= 0 {
		return DefaultTimeout
	}
	return o.Timeout
}

// Check is a condition that an element must meet before it is acted on.
type Check uint8

// The checks. Attached is always made.
const (
	Visible Check = 1 << iota
	Enabled
	Editable
	HitTarget // a click at the point would land on it
)

// state is the result of js/state.js.
type state struct {
	Tag, Type                         string
	Hidden, Disabled, Through, Locked string
	// Faint: it is transparent. A click lands on it anyway, as on the inputs under
	// drawn checkboxes (the seed, 8.1).
	Faint  string
	Points [][2]float64
	Dead   bool // the browser gives it no click at all
}

// ready is an element that can be acted on, and where.
type ready struct {
	state
	// X, Y is the point to act at, CSS px of the tab's viewport.
	X, Y float64
	// frame is the same point in the element's own frame.
	frame [2]float64
	// Forced is the reason why it was not ready; it is acted on anyway.
	Forced *NotReadyError
	// Covered: something else lies over it, or it is inert. Away: it is outside the viewport.
	Covered, Away bool
}

// missed reports whether a mouse at the point would press something else, or nothing.
func (r *ready) missed() bool {
	return r.Covered || r.Away || r.Hidden != "" || r.Through != "" || len(r.Points) == 0
}

// wait looks at the element until it is ready. An element that never is gives its last
// state with Forced set, or the error where the options are strict.
func (p *Page) wait(ctx context.Context, el collect.Element, checks Check, o Options) (*ready, error) {
	until := time.Now().Add(o.timeout())
	if end, ok := ctx.Deadline(); ok {
		// A quarter of the time is left to act anyway, or to say what is in the way.
		if early := end.Add(-min(time.Second, time.Until(end)/4)); early.Before(until) {
			until = early
		}
	}
	var last *ready
	var wrong *NotReadyError
	for try := 0; ; try++ {
		if d := retryAfter(try); d > 0 {
			if time.Now().Add(d).After(until) {
				break
			}
			select {
			case <-time.After(d):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if wrong.yields() {
			if err := p.align(ctx, el, try); err != nil {
				return nil, untouched(err)
			}
		}
		var err error
		last, wrong, err = p.probe(ctx, el, checks, o)
		if err != nil {
			return nil, untouched(err)
		}
		last.Covered, last.Away = wrong != nil && (wrong.By != nil || wrong.Inert != ""), wrong != nil && wrong.away
		if wrong == nil || o.Force {
			last.Forced = nil
			return last, nil
		}
	}
	if o.Strict {
		return nil, wrong
	}
	last.Forced = wrong
	return last, nil
}

// Ready waits until the checks hold, for what acts without a place of its own, and returns why an element never is
// ready that is acted on anyway. With strict options that is the error, a [*NotReadyError].
func (p *Page) Ready(ctx context.Context, el collect.Element, checks Check, o Options) (*NotReadyError, error) {
	r, err := p.wait(ctx, el, checks, o)
	if err != nil {
		return nil, err
	}
	return r.Forced, nil
}

// probe checks the element once and brings it into view for that.
func (p *Page) probe(ctx context.Context, el collect.Element, checks Check, o Options) (*ready, *NotReadyError, error) {
	r := &ready{}
	if err := call(ctx, el, stateJS, nil, &r.state); err != nil {
		return nil, nil, err
	}
	if checks&Editable != 0 && r.Locked != "" && r.Locked != r.Disabled {
		return nil, nil, &NotEditableError{Why: r.Locked} // waiting does not make it a text field
	}
	moved, err := p.reveal(ctx, el)
	if err != nil {
		return nil, nil, err
	}
	if moved {
		if err := call(ctx, el, stateJS, nil, &r.state); err != nil {
			return nil, nil, err
		}
	}
	way, err := p.way(ctx, el.Realm.Frame)
	if err != nil {
		return nil, nil, err
	}
	if len(r.Points) > 0 {
		r.set(r.Points[0], way)
	}
	switch {
	case checks&Visible != 0 && r.Hidden != "":
		return r, &NotReadyError{Why: "it is not visible (" + r.Hidden + ")"}, nil
	case checks&(Enabled|Editable) != 0 && r.Disabled != "":
		return r, &NotReadyError{Why: r.Disabled}, nil
	case checks != Visible:
		if inert, err := inertBy(ctx, el, way); err != nil || inert != nil {
			return r, inert, err
		}
	}
	if o.Stable {
		still, err := p.still(ctx, el)
		if err != nil {
			return nil, nil, err
		}
		if !still {
			return r, &NotReadyError{Why: "it is moving"}, nil
		}
	}
	if checks&HitTarget == 0 {
		return r, nil, nil
	}
	if r.Through != "" {
		return r, &NotReadyError{Why: r.Through + ": clicks go through it"}, nil
	}
	return p.hits(ctx, el, r, way)
}

// set is where to act.
func (r *ready) set(at [2]float64, way []enclosing) {
	r.frame = at
	r.X, r.Y = toTop(way).Point(at[0], at[1])
}

// hits looks for a point at which a click would land on the element, in its own frame
// and in every frame around it. The first obstacle is the one reported: it covers the
// middle.
func (p *Page) hits(ctx context.Context, el collect.Element, r *ready, way []enclosing) (*ready, *NotReadyError,
	error) {
	var first *NotReadyError
	for _, at := range r.Points {
		by, err := p.obstacle(ctx, el, at, way)
		if err != nil {
			return nil, nil, err
		}
		if by == nil {
			r.set(at, way)
			return r, nil, nil
		}
		if first == nil {
			first = by
		}
	}
	if first == nil {
		first = &NotReadyError{Why: "it has no size"}
	}
	return r, first, nil
}

// obstacle is what a click at a point of the element's frame would land on instead,
// nil where it would land on the element.
func (p *Page) obstacle(ctx context.Context, el collect.Element, at [2]float64, way []enclosing) (*NotReadyError,
	error) {
	x, y := at[0], at[1]
	for k := -1; k < len(way); k++ {
		if k >= 0 {
			x, y = way[k].at.Point(x, y)
			el = way[k].owner
		}
		answer, err := hitAt(ctx, el, map[string]any{"x": x, "y": y})
		switch {
		case err != nil:
			return nil, err
		case answer.Reached:
			continue
		case answer.By == nil:
			return outOfView(), nil
		}
		return &NotReadyError{By: answer.By}, nil
	}
	return nil, nil
}

// outOfView is what is wrong with an element that lies outside the viewport after it was scrolled to: in a menu that is
// not slid in, or a slide that is not shown.
func outOfView() *NotReadyError {
	const why = "it is out of view, and no scrolling brings it in: something must show it first"
	return &NotReadyError{Why: why, away: true}
}

// inertBy is what makes the element inert, or a frame that it is in; nil where it is free.
func inertBy(ctx context.Context, el collect.Element, way []enclosing) (*NotReadyError, error) {
	for k := -1; k < len(way); k++ {
		if k >= 0 {
			el = way[k].owner
		}
		var cause *struct {
			How  Inertness
			Self bool
			By   *Obstacle
		}
		if err := call(ctx, el, inertJS, map[string]any{"words": maxWords}, &cause); err != nil {
			return nil, err
		}
		if cause != nil {
			cause.By.Frame = el.Realm.Frame
			return &NotReadyError{Inert: cause.How, By: cause.By, self: cause.Self, outside: k >= 0}, nil
		}
	}
	return nil, nil
}

// maxWords is how many UTF-16 units of an obstacle's text are reported.
const maxWords = 80

// hit is the answer of js/hit.js.
type hit struct {
	Reached bool
	By      *Obstacle // nil where there is nothing
}

// hitAt asks what a click at a place would land on.
func hitAt(ctx context.Context, el collect.Element, place map[string]any) (*hit, error) {
	place["words"] = maxWords
	h := &hit{}
	if err := call(ctx, el, hitJS, place, h); err != nil {
		return nil, err
	}
	if h.By != nil {
		h.By.Frame = el.Realm.Frame
	}
	return h, nil
}

// over reports whether the mouse, at a point of the element's frame, is over the element, and what of its document it
// is over instead, by what the browser itself has found; false and nil where the document does not know. It is asked
// between the mouse's move and its press: a page may answer the one by a new layout, and a place is no more than a
// computation.
func (p *Page) over(ctx context.Context, el collect.Element, at [2]float64) (bool, *NotReadyError, error) {
	h, err := hitAt(ctx, el, map[string]any{"x": at[0], "y": at[1], "over": true})
	if err != nil || h.Reached || h.By == nil {
		return err == nil && h.Reached, nil, err
	}
	return false, &NotReadyError{By: h.By}, nil
}

// yields reports whether the element may come out below what covers it when the page is scrolled, as below a header
// that stays where it is: not below what is over all of the page.
func (e *NotReadyError) yields() bool {
	if e == nil || e.By == nil || e.Inert != "" {
		return false
	}
	switch e.By.Kind {
	case "modal", "consent_dialog", "popup", "overlay":
		return false
	}
	return true
}

// align scrolls the element to another place of what it is scrolled in, one for each try.
func (p *Page) align(ctx context.Context, el collect.Element, try int) error {
	return call(ctx, el, `(node, { block }) => {
		node.scrollIntoView({ block, inline: block === 'center' ? 'center' : 'nearest', behavior: 'instant' });
		return true;
	}`, map[string]any{"block": [...]string{"center", "end", "start"}[try%3]}, nil)
}

// reveal scrolls the element into view where it is not, through all frames around it,
// and reports whether anything may have moved.
func (p *Page) reveal(ctx context.Context, el collect.Element) (bool, error) {
	err := func() error {
		_, err := cdp.Call(ctx, el.Realm.Session(), dom.ScrollIntoViewIfNeeded,
			dom.ScrollIntoViewIfNeededParams{BackendNodeID: cdp.BackendNodeID(el.Node)})
		return err
	}()
	if err == nil {
		return true, nil
	}
	if ctx.Err() != nil || errors.Is(err, browser.ErrGone) || errors.Is(err, browser.ErrDetached) ||
		errors.Is(err, browser.ErrCrashed) {
		return false, fmt.Errorf("scrolling the element into view: %w", err)
	}
	// It has no box: what is visible of it decides the checks. An area of an image map is where its image is, and
	// what has display: contents where its content is.
	const js = `(node) => {
		const map = node.localName === 'area' && node.closest('map');
		const name = map && (map.getAttribute('name') || map.id);
		const image = name && [...node.getRootNode().querySelectorAll('img[usemap]')]
			.find((img) => img.getAttribute('usemap') === '#' + name);
		const open = getComputedStyle(node).display === 'contents';
		const inner = open && [...node.querySelectorAll('*')].find((el) => el.getClientRects().length > 0);
		const at = image || inner || (open && node.parentElement);
		if (at) at.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
		return !!at;
	}`
	moved := false
	if err := call(ctx, el, js, nil, &moved); err != nil {
		return false, err
	}
	return moved, nil
}

// stillJS resolves to whether the element kept its place over three frames.
//
//go:embed js/still.js
var stillJS string

// still reports whether the element stays where it is.
func (p *Page) still(ctx context.Context, el collect.Element) (bool, error) {
	if err := call(ctx, el, "(node) => { globalThis.__refscope.watched = node; return true; }", nil, nil); err != nil {
		return false, err
	}
	text, err := el.Realm.Await(ctx, stillJS)
	if err != nil {
		return false, fmt.Errorf("watching whether the element moves: %w", err)
	}
	return text == "still", nil
}
