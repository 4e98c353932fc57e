package task

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/agent/sentinel"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/payload"
)

// actionResult is the outcome of an answer's action. As JSON it is the answer of the turn that follows.
type actionResult struct {
	Action string `json:"action"` // without what was typed
	Done   bool   `json:"done"`
	Ref    int    `json:"ref,omitempty"`
	// NewRef is the element that took the place of one that is gone, Stage how it was found.
	NewRef int    `json:"newRef,omitempty"`
	Stage  string `json:"stage,omitempty"`
	// Note is a further remark, one sentence.
	Note     string               `json:"note,omitempty"`
	Error    *payload.ActionError `json:"error,omitempty"`
	Verified *sentinel.Result     `json:"verification,omitempty"`

	verb    string
	began   time.Time
	network bool  // a request was made meanwhile
	fatal   error // the tab is gone
	pending bool  // nobody knows whether it was done
}

// act does what an answer asks for and verifies it. Whatever goes wrong is in the result: the endpoint learns
// of it, and the page was not touched where the element was not the one.
func (r *run) act(ctx context.Context, a *agentAnswer, c *snapshot.Capture) *actionResult {
	d := &actionResult{Action: a.Action.String(), verb: a.Action.Verb, began: time.Now()}
	thought := ""
	if a.Thought != "" {
		thought = " " + quoted(a.Thought)
	}
	r.report("act", "%s%s", d.Action, thought)
	err := r.perform(ctx, a, c, d)
	d.network = r.tab.NetworkSince(d.began)
	if err != nil {
		d.Error = r.fault(err, a.Action, c)
		if errors.Is(err, browser.ErrGone) || errors.Is(err, browser.ErrCrashed) {
			d.fatal = err
		}
		r.report("fault", "%s: %s", d.Error.Code, d.Error.Message)
	}
	if v := d.Verified; v != nil {
		if v.Success {
			r.out.Verified++
		} else {
			r.out.Unverified++
		}
		r.report("verified", "%s", v.Feedback)
	}
	return d
}

// perform finds the element and runs the step of the action; the step is watched and verified.
func (r *run) perform(ctx context.Context, a *agentAnswer, c *snapshot.Capture, d *actionResult) error {
	act := a.Action
	w := &watch{expect: a.Expect, before: c, elements: map[int]collect.Element{}, result: d}
	var f *element.Found
	var at *[2]float64 // of a click without an element; compat
	role := ""
	if act.ID != "" {
		var err error
		if f, err = r.find(ctx, act.ID); err != nil {
			if at = r.lastPlace(err, act); at == nil {
				return err
			}
			d.Ref = element.Number(r.ref(act.ID))
			d.Note = fmt.Sprintf("compat: the element is gone, and the click goes to where it was, %.0f, %.0f",
				at[0], at[1])
			r.report("act", "%s", d.Note)
		} else {
			role = f.Role
			d.Ref, d.NewRef, d.Stage = f.Ref, f.NewRef, f.Stage
			w.elements[f.Ref], w.elements[f.NewRef] = f.Element, f.Element
		}
	}
	if d.Stage != "" {
		d.Note = fmt.Sprintf("action executed on recovered element (ref %d → ref %d)", d.Ref, d.NewRef)
		r.out.Healed = append(r.out.Healed, [2]int{d.Ref, d.NewRef})
		r.report("act", "%s", d.Note)
	}
	if err := r.known(w.expect); err != nil {
		return &badExpectation{err}
	}
	if w.expect == nil {
		w.expect = sentinel.Default(act.Verb, d.Ref, role)
		if act.Verb == "setValue" && d.Ref > 0 {
			w.expect.Value = &act.Text
		}
	}
	var name string
	var params any
	if at != nil {
		name, params = "click", map[string]any{"x": at[0], "y": at[1]}
	} else {
		var err error
		if name, params, err = r.stepOf(ctx, act, f, c); err != nil {
			return err
		}
	}
	if name == "" {
		d.Done, d.Note = true, "there was nothing to do: it is in that state already"
		return nil
	}
	return r.runStep(ctx, name, params, w)
}

// find is the live element of an id.
func (r *run) find(ctx context.Context, id string) (*element.Found, error) {
	spelled := r.ref(id)
	if ref, _ := element.ParseRef(id); r.opt.Compat && r.ids != nil && ref.Frame > 0 && r.ids[id] == 0 {
		// The original counts the elements of each frame from 1: this number is none of ours.
		return nil, &action.NotFoundError{What: "element " + id, Hint: "the last request did not list it"}
	}
	f, err := r.elements.FindNow(ctx, &element.Target{Ref: element.Text(spelled)})
	if err == nil {
		err = r.elements.Unread(ctx, f)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// known translates the numbers in an expectation: the last request may have spelled them its own
// way. One that it did not list is refused.
func (r *run) known(e *sentinel.Expectation) error {
	for ; e != nil && r.opt.Compat && r.ids != nil; e = e.Or {
		if e.Ref == 0 {
			continue
		}
		id := cmp.Or(e.Spelled, strconv.Itoa(e.Ref))
		if r.ids[id] == 0 && e.Spelled != "" {
			return &action.NotFoundError{What: "element " + id, Hint: "the last request did not list it"}
		}
		if r.ids[id] > 0 {
			e.Ref, e.Spelled = r.ids[id], ""
		}
	}
	return nil
}

// lastPlace is where the original clicks in the end where an element is gone and nothing is like it: where it
// was, CSS px of the viewport. nil for every other case.
func (r *run) lastPlace(err error, a *Action) *[2]float64 {
	var gone *collect.GoneError
	if !r.opt.Compat || a.Verb != "click" || !errors.As(err, &gone) || gone.Identity.Box.Empty() {
		return nil
	}
	x, y := gone.Identity.Box.Center()
	return &[2]float64{x, y}
}

// pageShare is how much of a view one scroll moves on: something of what was seen stays.
const pageShare = 0.8

// stepOf is the step of an action, and its parameters; no name where there is nothing to do. An
// element that cannot be acted on is refused, never forced.
func (r *run) stepOf(ctx context.Context, a *Action, f *element.Found, c *snapshot.Capture) (string, any, error) {
	p := map[string]any{}
	if f != nil {
		p["ref"] = f.Ref
		if f.NewRef > 0 {
			p["ref"] = f.NewRef
		}
	}
	ready := func(name string, more map[string]any) (string, any, error) {
		p["strict"] = true
		if r.opt.ActTimeout > 0 {
			p["timeout"] = r.opt.ActTimeout.Milliseconds()
		}
		for k, v := range more {
			p[k] = v
		}
		return name, p, nil
	}
	switch a.Verb {
	case "click":
		return ready("click", nil)
	case "doubleClick":
		return ready("click", map[string]any{"doubleClick": true})
	case "check", "uncheck":
		is, err := checked(ctx, f.Element)
		if err != nil || is == (a.Verb == "check") {
			return "", nil, err
		}
		return ready("click", nil)
	case "setValue":
		return ready("fill", map[string]any{"value": a.Text})
	case "select":
		return ready("selectOption", map[string]any{"option": a.Text})
	case "hover":
		return ready("hover", nil)
	case "press":
		p["key"] = a.Text
		return "press", p, nil
	case "scroll":
		return "scroll", r.scroll(a, p, c), nil
	case "wait":
		if a.Wait == 0 {
			a.Wait = defaultNap
		}
		return "wait", map[string]any{"ms": float64(a.Wait) / float64(time.Millisecond)}, nil
	case "navigate":
		return "goto", a.Text, nil
	case "goBack":
		return "back", true, nil
	case "goForward":
		return "forward", true, nil
	case "reload":
		return "reload", true, nil
	}
	return "", nil, fmt.Errorf("unknown action %q", a.Verb)
}

// scroll are the parameters of a scroll: of a container, of the page, or of an element into view.
func (r *run) scroll(a *Action, p map[string]any, c *snapshot.Capture) any {
	n := r.node(c, a.ID)
	if a.ID != "" && a.Text == "" && (n == nil || n.Scroller == nil) {
		return p
	}
	if a.ID == "" && (a.Text == "top" || a.Text == "bottom") {
		return a.Text
	}
	width, height := pageShare*c.Viewport.Width, pageShare*c.Viewport.Height
	if n != nil {
		width, height = pageShare*n.Box.W(), pageShare*n.Box.H()
	}
	const far = 1e7 // CSS px, beyond all ends
	switch a.Text {
	case "up":
		p["deltaY"] = -height
	case "left":
		p["deltaX"] = -width
	case "right":
		p["deltaX"] = width
	case "top":
		p["deltaY"] = -far
	case "bottom":
		p["deltaY"] = far
	default:
		p["deltaY"] = height
	}
	return p
}

// checked reads the state of a checkbox, radio button or switch as it is now.
func checked(ctx context.Context, el collect.Element) (bool, error) {
	const js = `(node) => {
		if (!node || !node.isConnected) return '';
		if (node.localName === 'label' && node.control) node = node.control;
		if (typeof node.checked === 'boolean' && /^(checkbox|radio)$/.test(node.type)) return String(node.checked);
		const state = node.getAttribute('aria-checked') || node.getAttribute('aria-pressed');
		return state === null ? 'none' : String(state === 'true');
	}`
	text, err := el.Realm.Call(ctx, "function(node) { return ("+js+")(node); }", []int64{el.Node})
	switch {
	case err != nil:
		return false, err
	case text == "":
		return false, &action.StaleError{What: "the element"}
	case text == "none":
		return false, &action.NotEditableError{To: "checked", Why: "it has no state to check: use click"}
	}
	return text == "true", nil
}

// watch is the expectation of the running step.
type watch struct {
	expect   *sentinel.Expectation
	before   *snapshot.Capture
	elements map[int]collect.Element // those that before may not have, by their refs
	result   *actionResult
	err      error // of verifying
}

// badExpectation: what is expected cannot be watched for, so nothing was done.
type badExpectation struct{ err error }

func (e *badExpectation) Error() string { return "the expected outcome: " + e.err.Error() }

func (e *badExpectation) Unwrap() error { return e.err }

// runStep runs one step; it is verified against what w expects.
func (r *run) runStep(ctx context.Context, name string, params any, w *watch) error {
	raw, err := json.Marshal(map[string]any{"tab": r.tab.ID(), "steps": []any{map[string]any{name: params}}})
	if err != nil {
		return fmt.Errorf("writing the step: %w", err)
	}
	command, err := step.Parse(raw)
	if err != nil {
		return err
	}
	r.watch = w
	res := r.steps.Run(ctx, command)[0]
	if res.Err != nil {
		return res.Err
	}
	w.result.Done = true
	return w.err
}

// watchStep notes how the page is before the step that runs. It is [step.Options.Watch].
func (r *run) watchStep(
	ctx context.Context, page *action.Page, _ *step.Step, _ *element.Resolver,
) (*step.Watched, error) {
	w := r.watch
	watcher, err := sentinel.Watch(ctx, page, w.expect, sentinel.Options{Before: w.before, Elements: w.elements})
	var none *action.NotFoundError
	var wrong *action.SelectorError
	switch {
	case errors.As(err, &none), errors.As(err, &wrong):
		return nil, &badExpectation{err}
	case err != nil:
		return nil, err
	}
	return &step.Watched{Verify: func(ctx context.Context) any {
		w.result.Verified, w.err = watcher.Verify(ctx)
		return w.result.Verified
	}}, nil
}
