package script

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/text"
)

// pollEvery is the pause between two evaluations of a predicate (seed 12.2).
const pollEvery = 100 * time.Millisecond

// Steps are the steps that run an agent's own JavaScript in the page (seed 12).
// What they give is written with its types and limits (seed 17.7), see
// [action.MaxValue], and without what must not leave the page (B-11).
func Steps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(pageFunction, stepdef.StepDef{
			Name: "pageFunction", Summary: "run JavaScript in the page and give its value",
			Also: []string{"evaluate", "eval", "execute", "js", "javascript", "script"}, Hooks: true, Scripts: true,
			Forms: []param.Form{
				{`"() => document.title"`, "a function, which is called; its promise is awaited"},
				{`{"fn":"(refs) => [...refs.keys()].length","refs":true,"timeout":5000}`,
					"with refs: its argument is a Map from refs to elements; timeout in ms"},
				{`"document.links.length"`, "an expression"},
				{`{"expression":"Promise.resolve(document.title)","await":true,"serialize":false}`,
					"awaiting its promise; without serialize, what JSON can express is returned as it is"},
			},
		}),
		stepdef.Define(poll, stepdef.StepDef{
			Name: "poll", Summary: "call a function until its value is truthy", Hooks: true, Waits: true,
			Forms: []param.Form{
				{`"() => document.readyState === 'complete'"`, "every 100 ms, for at most 30 s"},
				{`{"fn":"() => document.title","interval":50,"timeout":5000}`, "interval and timeout in ms"},
			},
		}),
		stepdef.Define(pipeline, stepdef.StepDef{
			Name: "pipeline", Summary: "do several small things in one go", Hooks: true, Acts: map[string]any{},
			Forms: []param.Form{
				{`[{"find":"#email","fill":"ada@example.org"},{"find":"#agree","check":true},` +
					`{"find":"#size","select":"l"},{"find":"#search","type":"refscope"},` +
					`{"find":"#submit","click":true},{"waitFor":"() => document.body","timeout":2000},` +
					`{"sleep":50},{"return":"() => document.title"}]`,
					"find and fill, click, type, check or select; waitFor, sleep (ms), return"},
				{`{"steps":[{"return":"() => document.title"}],"timeout":5000}`, "with a timeout in ms for all of it"},
			},
		}),
	}
}

// value runs a script once and gives its value as it may leave.
func value(ctx context.Context, e *stepdef.Env, s action.Script) (json.RawMessage, error) {
	ready, err := compile(ctx, e, s)
	if err != nil {
		return nil, err
	}
	before, err := e.Secrets.Guard(ctx)
	if err != nil {
		return nil, err
	}
	defer before.Release(ctx)
	v, err := run(ctx, e, ready, s.Source)
	if err != nil {
		return nil, guarded(ctx, e, before, err)
	}
	if v.Promise && !s.Await && !s.Function {
		e.Warn(`the expression gave a promise: add "await":true for what it comes to`)
	}
	// What was run may have used up the time; what must not leave must still not.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return tell(last, e, before, v)
}

// PlainError is an error without what must not leave the page: a script can throw a
// field's value, and its source may hold one.
func PlainError(ctx context.Context, e *stepdef.Env, err error) error {
	return guarded(ctx, e, nil, err)
}

func guarded(ctx context.Context, e *stepdef.Env, before *stepdef.Guard, err error) error {
	var script *scriptError
	if !errors.As(err, &script) {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	texts, serr := e.Secrets.Clean(ctx, before, script.Text, script.Source)
	if serr != nil {
		texts = []string{"something that was withheld", "withheld"}
	}
	script.Text, script.Source = text.Cut(texts[0], 501), texts[1]
	return err
}

type pageFunctionParams struct {
	_          struct{} `want:"a function as a string, or an object"`
	Fn         string   `json:"fn,omitempty" form:"string" what:"a function, which is called, or an expression"`
	Expression string   `json:"expression,omitempty" what:"the same as fn"`
	Refs       bool     `json:"refs,omitempty" what:"the function's argument is a Map from refs to elements"`
	Await      bool     `json:"await,omitempty" what:"wait for the expression's promise"`
	Serialize  *bool    `json:"serialize,omitempty" what:"false: what JSON can say is given as it is"`
	Timeout    float64  `json:"timeout,omitempty" min:"0" unit:"ms" what:"how long it may take; the step's"`

	script action.Script
}

// CheckParams refuses two scripts, and none.
func (p *pageFunctionParams) CheckParams() error {
	source := p.Fn
	switch {
	case p.Fn != "" && p.Expression != "":
		return errors.New("fn and expression are the same thing: give one")
	case p.Fn == "":
		source = p.Expression
	}
	called := functionLike.MatchString(source)
	switch {
	case source == "":
		return errors.New("fn is missing: give a function such as () => document.title, or an expression")
	case p.Refs && !called:
		return errors.New("refs is the argument of a function: write (refs) => …")
	}
	p.script = action.Script{Source: source, Function: called, Await: p.Await, Raw: p.Serialize != nil && !*p.Serialize}
	return nil
}

func pageFunction(ctx context.Context, e *stepdef.Env, p *pageFunctionParams) (any, error) {
	s := p.script
	if p.Refs {
		var err error
		if s.Refs, err = refs(ctx, e); err != nil {
			return nil, err
		}
	}
	in, cancel := stepdef.Within(ctx, p.Timeout)
	defer cancel()
	return value(in, e, s)
}

// refs are the elements of the present frame by their refs, as the newest capture of
// this run has them.
func refs(ctx context.Context, e *stepdef.Env) (map[string]collect.Identity, error) {
	if e.Elements.Newest() == nil {
		if _, err := e.Look(ctx); err != nil {
			return nil, err
		}
	}
	frame := e.Frame()
	if frame == "" {
		frame = e.Page.Tab().ID()
	}
	out := map[string]collect.Identity{}
	for _, c := range slices.Backward(slices.Collect(e.Elements.Captures())) { // the newest last
		for i := range c.Nodes {
			n := &c.Nodes[i]
			if n.Ref > 0 && n.Frame >= 0 && n.Frame < len(c.Frames) && c.Frames[n.Frame].ID == frame {
				out[e.Elements.Spell(n.Ref)] = collect.Identity{Loader: c.Frames[n.Frame].Loader, UID: n.UID}
			}
		}
	}
	return out, nil
}

type pollParams struct {
	_        struct{} `want:"a function as a string, or an object"`
	_        struct{} `next:"" required:"give a function such as () => document.querySelector('#done')"`
	Fn       string   `json:"fn" form:"string" what:"the function"`
	Interval float64  `json:"interval,omitempty" min:"0" unit:"ms" what:"pause between two calls; 100"`
	Timeout  float64  `json:"timeout,omitempty" min:"0" unit:"ms" what:"how long at most; 30000"`
}

// pollResult is the output of poll (seed 12.2).
type pollResult struct {
	Resolved  bool            `json:"resolved"`
	Value     json.RawMessage `json:"value,omitempty"`
	LastValue json.RawMessage `json:"lastValue,omitempty"`
	LastError string          `json:"lastError,omitempty"` // what the last evaluation threw
	Elapsed   int64           `json:"elapsed"`             // ms
}

func poll(ctx context.Context, e *stepdef.Env, p *pollParams) (any, error) {
	interval, limit := pollEvery, 30*time.Second
	if p.Interval > 0 {
		interval = stepdef.Milliseconds(p.Interval)
	}
	if p.Timeout > 0 {
		limit = stepdef.Milliseconds(p.Timeout)
	}
	// The step's own time must not end it: that it did not become true is an answer.
	if until, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(until)*9/10)
	}
	got, err := until(ctx, e, p.Fn, interval, limit, false)
	if err != nil {
		return nil, err
	}
	out := &pollResult{Resolved: got.Resolved, Elapsed: got.Elapsed.Milliseconds()}
	if got.Thrown != "" {
		out.LastError = text.Cut(e.Secrets.CleanText(ctx, got.Thrown), 501)
	}
	if got.Value == nil {
		return out, nil
	}
	raw, err := tell(ctx, e, nil, got.Value)
	if err != nil {
		return nil, err
	}
	if got.Resolved {
		out.Value = raw
	} else {
		out.LastValue = raw
	}
	return out, nil
}
