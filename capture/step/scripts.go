package step

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/step/param"
)

// pollEvery is the pause between two evaluations of a predicate (seed 12.2).
const pollEvery = 100 * time.Millisecond

// scriptSteps are the steps that run an agent's own JavaScript in the page (seed 12).
// What they give is written with its types and limits (seed 17.7), see
// [action.MaxValue], and without what must not leave the page (B-11).
func scriptSteps() []StepDef {
	return []StepDef{
		define(pageFunction, StepDef{Name: "pageFunction", Summary: "run JavaScript in the page and give its value", Hooks: true, Scripts: true, Forms: []param.Form{
			{`"() => document.title"`, "a function, which is called; its promise is awaited"},
			{`{"fn":"(refs) => [...refs.keys()].length","refs":true,"timeout":5000}`, "with refs: its argument is a Map from refs to elements; timeout in ms"},
			{`"document.links.length"`, "an expression"},
			{`{"expression":"Promise.resolve(document.title)","await":true,"serialize":false}`, "awaiting its promise; without serialize, what JSON can say stands as it is"},
		}}),
		define(poll, StepDef{Name: "poll", Summary: "call a function until its value is truthy", Hooks: true, Forms: []param.Form{
			{`"() => document.readyState === 'complete'"`, "every 100 ms, for at most 30 s"},
			{`{"fn":"() => document.title","interval":50,"timeout":5000}`, "interval and timeout in ms"},
		}}),
		define(pipeline, StepDef{Name: "pipeline", Summary: "do several small things in one go", Hooks: true, Acts: map[string]any{}, Forms: []param.Form{
			{`[{"find":"#email","fill":"ada@example.org"},{"find":"#agree","check":true},{"find":"#size","select":"l"},{"find":"#search","type":"refscope"},{"find":"#submit","click":true},{"waitFor":"() => document.body","timeout":2000},{"sleep":50},{"return":"() => document.title"}]`, "find and fill, click, type, check or select; waitFor, sleep (ms), return"},
			{`{"steps":[{"return":"() => document.title"}],"timeout":5000}`, "with a timeout in ms for all of it"},
		}}),
	}
}

// observe runs the hook of that name and gives its value: what JSON can say as it is,
// the rest with its type.
func (r *Runner) observe(ctx context.Context, source string) (json.RawMessage, error) {
	return r.value(ctx, action.Script{Source: source, Function: functionLike.MatchString(source), Await: true, Plain: true})
}

// value runs a script once and gives its value as it may leave.
func (r *Runner) value(ctx context.Context, s action.Script) (json.RawMessage, error) {
	ready, err := r.compile(ctx, s)
	if err != nil {
		return nil, err
	}
	before, err := r.guard(ctx)
	if err != nil {
		return nil, err
	}
	defer before.release(ctx)
	v, err := r.run(ctx, ready, s.Source)
	if err != nil {
		return nil, r.guarded(ctx, before, err)
	}
	if v.Promise && !s.Await && !s.Function {
		r.warn(`the expression gave a promise: add "await":true for what it comes to`)
	}
	// What was run may have used up the time; what must not leave must still not.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return r.tell(last, before, v)
}

// plainly is an error without what must not leave the page: a script can throw a
// field's value, and its source may hold one.
func (r *Runner) plainly(ctx context.Context, err error) error { return r.guarded(ctx, nil, err) }

func (r *Runner) guarded(ctx context.Context, before *guard, err error) error {
	var script *ScriptError
	if !errors.As(err, &script) {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	texts, serr := r.sealed(ctx, before, []string{script.Text, script.Source})
	if serr != nil {
		texts = []string{"something that was withheld", "withheld"}
	}
	script.Text, script.Source = head(texts[0], 500), texts[1]
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

func pageFunction(ctx context.Context, e *Env, p *pageFunctionParams) (any, error) {
	s := p.script
	if p.Refs {
		var err error
		if s.Refs, err = e.refs(ctx); err != nil {
			return nil, err
		}
	}
	in, cancel := within(ctx, p.Timeout)
	defer cancel()
	return e.value(in, s)
}

// within bounds a context by a step's own timeout in ms, 0 for none.
func within(ctx context.Context, timeout float64) (context.Context, context.CancelFunc) {
	if timeout <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, ms(timeout))
}

// refs are the elements of the present frame by their refs, as the newest capture of
// this run has them.
func (r *Runner) refs(ctx context.Context) (map[string]collect.Element, error) {
	if len(r.captures) == 0 {
		if _, err := r.look(ctx); err != nil {
			return nil, err
		}
	}
	frame := r.frame
	if frame == "" {
		frame = r.page.Tab().ID()
	}
	out := map[string]collect.Element{}
	for _, c := range r.captures { // the newest last
		for i := range c.Nodes {
			n := &c.Nodes[i]
			if n.Ref > 0 && n.BackendNodeID != 0 && n.Frame >= 0 && n.Frame < len(c.Frames) && c.Frames[n.Frame].ID == frame {
				out[r.spell(n.Ref)] = collect.Element{Node: n.BackendNodeID}
			}
		}
	}
	return out, nil
}

type pollParams struct {
	_        struct{} `want:"a function as a string, or an object"`
	Fn       string   `json:"fn" form:"string" required:"give a function such as () => document.querySelector('#done')" what:"the function"`
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

func poll(ctx context.Context, e *Env, p *pollParams) (any, error) {
	interval, limit := pollEvery, 30*time.Second
	if p.Interval > 0 {
		interval = ms(p.Interval)
	}
	if p.Timeout > 0 {
		limit = ms(p.Timeout)
	}
	// The step's own time must not end it: that it did not come true is an answer.
	if until, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(until)*9/10)
	}
	got, err := e.until(ctx, p.Fn, interval, limit, false)
	if err != nil {
		return nil, err
	}
	out := &pollResult{Resolved: got.Resolved, Elapsed: got.Elapsed.Milliseconds()}
	if got.Thrown != "" {
		out.LastError = head(e.sealText(ctx, got.Thrown), 500)
	}
	if got.Value == nil {
		return out, nil
	}
	raw, err := e.tell(ctx, nil, got.Value)
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
