package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/agent/sentinel"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot"
)

// expectParams is the parameter that says what an action is to lead to (S-14).
func expectParams() []param {
	return []param{{name: "expect", kind: object, what: `what is to happen, else what is usual for the action: {"type":"navigation","or_element_appears":"Thank you","timeout":2000}; ` +
		`type is navigation, element_appears, element_disappears, value_changes, state_changes, any_change or no_change, with text, selector or ref of the element`}}
}

// verification is what the sentinel says of an action: the fields of a request (S-14),
// and what was expected.
type verification struct {
	Expected string `json:"expected"`
	sentinel.Wire
	Success  []string `json:"success_messages,omitempty"`
	Feedback string   `json:"feedback,omitempty"` // where it did not pass
}

// acting are the steps that are verified.
func acting(name string) bool {
	return slices.Contains([]string{"goto", "back", "forward", "reload", "click", "fill", "type", "press", "hover", "drag", "selectOption", "upload", "submit"}, name)
}

// watch watches the steps of a call. given is what the call expects, nil for what is usual.
func (d *door) watch(given *sentinel.Expectation) func(context.Context, *action.Page, *step.Step, *snapshot.Capture) (func(context.Context) any, error) {
	return func(ctx context.Context, page *action.Page, s *step.Step, last *snapshot.Capture) (func(context.Context) any, error) {
		if !acting(s.Action) {
			return nil, nil
		}
		e := given
		if e == nil {
			e = usual(s, last)
		}
		w, err := sentinel.Watch(ctx, page, e, sentinel.Options{Before: last})
		var unknown *action.NotFoundError
		if given == nil && errors.As(err, &unknown) { // it is gone: the step will say so, or act on what took its place
			w, err = sentinel.Watch(ctx, page, sentinel.Default(s.Action, 0, ""), sentinel.Options{})
		}
		if given == nil && err != nil && ctx.Err() == nil {
			d.log.Debug("an action is not verified", "step", s.Action, "error", err) // an empty tab, a dialog
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) any {
			res, err := w.Verify(ctx)
			if err != nil {
				d.log.Debug("an action could not be verified", "step", s.Action, "error", err)
				return nil
			}
			v := &verification{Expected: e.String(), Wire: res.Wire(), Success: res.SuccessMessages}
			if !res.Success {
				v.Feedback = res.Feedback
			}
			return v
		}, nil
	}
}

// usual is what a step is expected to lead to where the agent says nothing. A field that
// holds already what it is to hold need not change.
func usual(s *step.Step, last *snapshot.Capture) *sentinel.Expectation {
	var p struct {
		Ref           json.RawMessage
		Value, Option *string
	}
	if json.Unmarshal(s.Params, &p) != nil {
		p.Ref = s.Params
	}
	name := s.Action
	if name == "selectOption" {
		name, p.Value = "select", p.Option
	}
	ref, role := refOf(p.Ref), ""
	if n := byRef(last, ref); n != nil {
		role = n.Role
		if p.Value != nil && len(n.Redacted) == 0 && n.Value == *p.Value {
			return &sentinel.Expectation{Type: sentinel.NoChange}
		}
	}
	return sentinel.Default(name, ref, role)
}

// refOf is the number in a ref as JSON, 0 for none.
func refOf(raw json.RawMessage) int {
	if len(raw) == 0 {
		return 0
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		s = string(raw)
	}
	r, _ := element.ParseRef(s)
	return r.Number
}

// byRef is the node with that number, nil for none.
func byRef(c *snapshot.Capture, ref int) *snapshot.Node {
	if c == nil || ref == 0 {
		return nil
	}
	for i := range c.Nodes {
		if c.Nodes[i].Ref == ref {
			return &c.Nodes[i]
		}
	}
	return nil
}
