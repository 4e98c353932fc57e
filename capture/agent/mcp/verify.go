package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/agent/sentinel"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot/payload"
)

// verification is the sentinel's result for an action: the fields of a request (S-14), and
// the expectation.
type verification struct {
	Expected string `json:"expected"`
	payload.Verification
	Success []string `json:"success_messages,omitempty"`
}

// acting are the steps that are verified.
func acting(name string) bool {
	return slices.Contains(
		[]string{
			"goto", "back", "forward", "reload", "click", "fill", "type", "press", "hover", "drag",
			"selectOption", "upload",
			"submit",
		},
		name,
	)
}

// prepares reports whether a step that succeeds has said that it was prepared before it did anything to the page: what
// finds an element by itself and acts on it with the mouse or puts a value into it.
func prepares(s *step.Step) bool {
	switch s.Action {
	case "fill", "selectOption":
		return true
	case "click":
		var other struct {
			X       *float64
			JSClick bool
		}
		err := json.Unmarshal(s.Params, &other)
		return (err == nil || bytes.HasPrefix(s.Params, []byte(`"`))) && other.X == nil && !other.JSClick
	}
	return false
}

// watch is [step.Options.Watch].
type watch = func(context.Context, *action.Page, *step.Step, *element.Resolver) (*step.Watched, error)

// watch watches the steps of a call. given is what the call expects, nil for what is usual.
func (s *clientSession) watch(given *sentinel.Expectation) watch {
	return func(
		ctx context.Context, page *action.Page, one *step.Step, elements *element.Resolver,
	) (*step.Watched, error) {
		if !acting(one.Action) {
			return nil, nil
		}
		e, last := given, elements.Newest()
		if e == nil {
			if e = usual(ctx, one, elements); e == nil {
				return nil, nil
			}
		}
		for x := e; x != nil; x = x.Or {
			x.Spell = refSpelling
		}
		o := sentinel.Options{Before: last, Prepares: given == nil && prepares(one)}
		w, err := sentinel.Watch(ctx, page, e, o)
		var unknown *action.NotFoundError
		if given == nil && errors.As(err, &unknown) { // it is gone: the step will fail, or act on what took its place
			w, err = sentinel.Watch(ctx, page, sentinel.Default(one.Action, 0, ""),
				sentinel.Options{Prepares: o.Prepares})
		}
		if given == nil && err != nil && ctx.Err() == nil {
			s.log.Debug("an action is not verified", "step", one.Action, "error", err) // an empty tab, a dialog
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		verified := func(res *sentinel.Result, err error) any {
			if err != nil {
				s.log.Debug("an action could not be verified", "step", one.Action, "error", err)
				return nil
			}
			return &verification{Expected: e.String(), Verification: res.Wire(), Success: res.SuccessMessages}
		}
		return &step.Watched{
			Verify: func(ctx context.Context) any { return verified(w.Verify(ctx)) },
			Await:  w.Await,
			Result: func(ctx context.Context) any { return verified(w.Result(ctx)) },
		}, nil
	}
}

// usual is the expected effect of a step where the agent gives none. A field that already
// has the wanted value need not change. nil is an effect that the page need not show: that of an upload to an input
// which it hides behind the element.
func usual(ctx context.Context, s *step.Step, elements *element.Resolver) *sentinel.Expectation {
	var p struct {
		element.Target
		Value, Option *string
	}
	var short element.Text
	name := s.Action
	if json.Unmarshal(s.Params, &p) != nil && name == "click" && json.Unmarshal(s.Params, &short) == nil {
		p.Target = element.ParseTarget(string(short))
	}
	if name == "type" {
		p.Text = "" // it is what is typed
	}
	switch {
	case name == "selectOption":
		name, p.Value = "select", p.Option
	case name == "type" && p.Empty():
		name = "press" // keys that go to what has the focus, which need not be a field
	}
	ref, role := element.Number(string(p.Ref)), ""
	if n := elements.Seen(ctx, &p.Target); n != nil {
		ref, role = n.Ref, n.Role
		if name == "upload" && n.Tag != "input" {
			return nil
		}
		if p.Value != nil && len(n.Redacted) == 0 && n.Value == *p.Value {
			return &sentinel.Expectation{Type: sentinel.NoChange}
		}
	}
	return sentinel.Default(name, ref, role)
}
