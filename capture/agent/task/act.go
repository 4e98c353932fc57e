package task

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/agent/sentinel"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/refs"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/payload"
)

// done is what came of an answer's action. As JSON it is the answer of the turn that
// follows.
type done struct {
	Action string `json:"action"` // without what was typed
	Done   bool   `json:"done"`
	Ref    int    `json:"ref,omitempty"`
	// NewRef is the element that took the place of one that is gone, Stage how it was
	// found.
	NewRef int    `json:"newRef,omitempty"`
	Stage  string `json:"stage,omitempty"`
	// Note is what else there is to say of it, a sentence.
	Note     string               `json:"note,omitempty"`
	Error    *payload.ActionError `json:"error,omitempty"`
	Verified *sentinel.Result     `json:"verification,omitempty"`

	verb    string
	began   time.Time
	network bool  // a request was made meanwhile
	fatal   error // the tab is gone
	pending bool  // nobody knows whether it was done
}

// act does what an answer asks for and verifies it. Whatever goes wrong is in the result:
// the endpoint is told, and the page was not touched where the element was not the one.
func (r *run) act(ctx context.Context, a *Answer, c *snapshot.Capture) *done {
	d := &done{Action: a.Action.String(), verb: a.Action.Verb, began: time.Now()}
	r.tell("act", "%s%s", d.Action, r.thought(a))
	err := r.perform(ctx, a, c, d)
	d.network = r.tab.NetworkSince(d.began)
	if err != nil {
		d.Error = r.fault(err, a.Action, c)
		if errors.Is(err, browser.ErrGone) || errors.Is(err, browser.ErrCrashed) {
			d.fatal = err
		}
		r.tell("fault", "%s: %s", d.Error.Code, d.Error.Message)
	}
	if v := d.Verified; v != nil {
		if v.Success {
			r.out.Verified++
		} else {
			r.out.Unverified++
		}
		r.tell("verified", "%s", v.Feedback)
	}
	return d
}

func (r *run) thought(a *Answer) string {
	if a.Thought == "" {
		return ""
	}
	return " " + quoted(a.Thought)
}

// perform finds the element, watches, acts and verifies.
func (r *run) perform(ctx context.Context, a *Answer, c *snapshot.Capture, d *done) error {
	act := a.Action
	var el collect.Element
	elements := map[int]collect.Element{}
	role := ""
	var place *[2]float64 // of a click without an element; compat
	if act.ID != "" {
		f, err := r.find(ctx, act.ID)
		if place = r.place(err, act); place != nil {
			f, err = &refs.Found{Ref: number(r.ref(act.ID))}, nil
			d.Note = fmt.Sprintf("compat: the element is gone, and the click goes to where it was, %.0f, %.0f", place[0], place[1])
			r.tell("act", "%s", d.Note)
		}
		if err != nil {
			return err
		}
		el, role = f.Element, f.Role
		d.Ref, d.NewRef, d.Stage = f.Ref, f.NewRef, f.Stage
		if place == nil {
			elements[f.Ref] = el
		}
		if f.Stage != "" {
			d.Note = fmt.Sprintf("action executed on recovered element (ref %d → %s %q)", f.Ref, f.Role, f.Name)
			if f.NewRef > 0 {
				d.Note = fmt.Sprintf("action executed on recovered element (ref %d → ref %d)", f.Ref, f.NewRef)
				elements[f.NewRef] = el
				r.links = append(r.links, [2]int{f.Ref, f.NewRef})
				r.out.Healed = append(r.out.Healed, [2]int{f.Ref, f.NewRef})
			}
			r.tell("act", "%s", d.Note)
		}
	}
	expect := a.Expect
	if expect == nil {
		expect = sentinel.Default(act.Verb, d.Ref, role)
		if act.Verb == "setValue" && d.Ref > 0 {
			expect.Value = &act.Text
		}
	}
	w, err := sentinel.Watch(ctx, r.book.Page(), expect, sentinel.Options{Before: c, Elements: elements})
	var none *action.NotFoundError
	var wrong *action.SelectorError
	switch {
	case errors.As(err, &none), errors.As(err, &wrong):
		return &badExpectation{err}
	case err != nil:
		return err
	}
	did := true
	if place != nil {
		err = r.book.Page().ClickAt(ctx, place[0], place[1], "left", 1, 0)
	} else {
		did, err = r.do(ctx, act, el, c)
	}
	if err != nil {
		return err
	}
	d.Done = true
	if !did {
		d.Note = "there was nothing to do: it is in that state already"
		return nil
	}
	d.Verified, err = w.Verify(ctx)
	return err
}

// badExpectation: what is expected cannot be watched for, so nothing was done.
type badExpectation struct{ err error }

func (e *badExpectation) Error() string { return "the expected outcome: " + e.err.Error() }

func (e *badExpectation) Unwrap() error { return e.err }

// find is the live element of an id; with Compat also one that is only like it.
func (r *run) find(ctx context.Context, id string) (*refs.Found, error) {
	f, err := r.book.Find(ctx, r.ref(id))
	var gone *collect.GoneError
	if !errors.As(err, &gone) || !r.opt.Compat {
		return f, err
	}
	res, rerr := collect.Read(ctx, r.tab, r.opt.Collect)
	if rerr != nil {
		return nil, err
	}
	defer res.Release(context.WithoutCancel(ctx))
	_, _, serr := collect.Substitute(res.Capture, gone.Identity)
	if !errors.As(serr, &gone) || len(gone.Candidates) == 0 || gone.Candidates[0].Score < compatScore {
		return nil, err
	}
	best := gone.Candidates[0]
	el, rerr := res.Element(ctx, best.Node.I)
	if rerr != nil {
		return nil, err
	}
	r.tell("act", "compat: %s %q stands in for ref %d, %.2f alike", best.Node.Role, best.Node.Name, gone.Identity.Ref, best.Score)
	return &refs.Found{Element: el, Ref: gone.Identity.Ref, Role: best.Node.Role, Name: best.Node.Name, Stage: collect.StageGhost}, nil
}

// place is where the original clicks in the end where an element is gone and nothing is
// like it: where it was, CSS px of the viewport. nil for every other case.
func (r *run) place(err error, a *Action) *[2]float64 {
	var gone *collect.GoneError
	if !r.opt.Compat || a.Verb != "click" || !errors.As(err, &gone) || gone.Identity.Box.Empty() {
		return nil
	}
	x, y := gone.Identity.Box.Center()
	return &[2]float64{x, y}
}

// compatScore is the seed's threshold of a ghost match.
const compatScore = 0.5

// do acts. did is false where there was nothing to do.
func (r *run) do(ctx context.Context, a *Action, el collect.Element, c *snapshot.Capture) (did bool, err error) {
	p := r.book.Page()
	o := action.Options{Timeout: r.opt.ActTimeout, Strict: true}
	switch a.Verb {
	case "click":
		_, err = p.Click(ctx, el, action.ClickOptions{Options: o})
	case "doubleClick":
		_, err = p.Click(ctx, el, action.ClickOptions{Options: o, Count: 2})
	case "setValue":
		_, err = p.Fill(ctx, el, a.Text, action.FillOptions{Options: o})
	case "select":
		if err = p.Ready(ctx, el, action.Visible|action.Enabled, o); err == nil {
			_, err = p.Select(ctx, el, action.Choice{Either: []string{a.Text}})
		}
	case "check", "uncheck":
		is, err := checked(ctx, el)
		if err != nil || is == (a.Verb == "check") {
			return false, err
		}
		_, err = p.Click(ctx, el, action.ClickOptions{Options: o})
		return true, err
	case "hover":
		_, err = p.Hover(ctx, el, action.HoverOptions{Options: o})
	case "press":
		err = r.press(ctx, a, el)
	case "scroll":
		err = r.scroll(ctx, a, el, c)
	case "wait":
		if a.Wait == 0 {
			a.Wait = defaultNap
		}
		err = nap(ctx, a.Wait)
	default:
		err = r.travel(ctx, a)
	}
	return true, err
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
		return false, &action.NotEditableError{Why: "it is nothing that can be checked: use click"}
	}
	return text == "true", nil
}

// press presses a key, where the focus is or in an element.
func (r *run) press(ctx context.Context, a *Action, el collect.Element) error {
	keys, err := action.ParseKeys(a.Text)
	if err != nil {
		return err
	}
	p := r.book.Page()
	if a.ID != "" {
		if err := p.Focus(ctx, el); err != nil {
			return err
		}
	}
	return p.Press(ctx, keys)
}

// page is how much of a view one scroll moves on: something of what was seen stays.
const page = 0.8

// scroll scrolls a container, the page, or an element into view.
func (r *run) scroll(ctx context.Context, a *Action, el collect.Element, c *snapshot.Capture) error {
	p := r.book.Page()
	width, height := page*c.Viewport.Width, page*c.Viewport.Height
	n := r.node(c, a.ID)
	if a.ID != "" && a.Text == "" && (n == nil || n.Scroller == nil) {
		_, err := p.Centre(ctx, el)
		return err
	}
	if n != nil {
		width, height = page*n.Box.W(), page*n.Box.H()
	}
	const far = 1e7 // CSS px, beyond all ends
	dx, dy := 0.0, height
	switch a.Text {
	case "up":
		dy = -height
	case "left":
		dx, dy = -width, 0
	case "right":
		dx, dy = width, 0
	case "top":
		dy = -far
	case "bottom":
		dy = far
	}
	var err error
	if a.ID != "" {
		_, err = p.Inside(ctx, el, dx, dy)
	} else {
		_, err = p.ScrollBy(ctx, "", dx, dy)
	}
	return err
}

// travel goes to another page.
func (r *run) travel(ctx context.Context, a *Action) error {
	in, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	switch a.Verb {
	case "navigate":
		return r.tab.Navigate(in, a.Text)
	case "goBack":
		return r.tab.Back(in)
	case "goForward":
		return r.tab.Forward(in)
	case "reload":
		return r.tab.Reload(in)
	}
	return fmt.Errorf("there is no action %q", a.Verb)
}
