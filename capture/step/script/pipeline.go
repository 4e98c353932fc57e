package script

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

//go:embed pipeline.js
var pipelineJS string

// maxPipeline is how many operations a pipeline may have.
const maxPipeline = 500

type pipelineParams struct {
	_       struct{}    `want:"a list of operations, or an object with steps"`
	Steps   []operation `json:"steps" form:"array" item:"operation" from:"0" what:"the operations"`
	Timeout float64     `json:"timeout,omitempty" min:"0" unit:"ms" what:"how long all of it may take; 30000"`
}

// operation is one small thing to do: one of its members is given, with find beside those
// that need an element.
type operation struct {
	_       struct{}      `noun:"operation"`
	Find    string        `json:"find,omitempty" finds:"css" what:"the element, by CSS selector"`
	Timeout *float64      `json:"timeout,omitempty" over:"0" unit:"ms" what:"of waitFor; 10000"`
	Fill    *element.Text `json:"fill,omitempty" secret:"" what:"put a text in"`
	Click   *bool         `json:"click,omitempty" what:"true: click it"`
	Type    *element.Text `json:"type,omitempty" secret:"" what:"type a text"`
	Check   *bool         `json:"check,omitempty" what:"whether the box is to be checked"`
	Select  *element.Text `json:"select,omitempty" secret:"" what:"choose an option"`
	WaitFor *string       `json:"waitFor,omitempty" secret:"" what:"call a function until it gives something"`
	Sleep   *float64      `json:"sleep,omitempty" min:"0" unit:"ms" what:"wait so long"`
	Return  *string       `json:"return,omitempty" secret:"" what:"end with what a function gives"`

	op microOp
}

// microOp is an operation as pipeline.js reads it.
type microOp struct {
	Op    string  `json:"op"`
	Find  string  `json:"find,omitempty"`
	Value any     `json:"value,omitempty"`
	MS    float64 `json:"ms,omitempty"`
	fn    string  // of waitFor and return
}

// CheckParams refuses a pipeline without operations.
func (p *pipelineParams) CheckParams() error {
	switch {
	case len(p.Steps) == 0:
		return errors.New("it has no steps: name at least one operation")
	case len(p.Steps) > maxPipeline:
		return fmt.Errorf("it has %d steps: at most %d are allowed", len(p.Steps), maxPipeline)
	}
	return nil
}

// CheckParams refuses an operation that is none, or two.
func (o *operation) CheckParams() error {
	names := []string{"fill", "click", "type", "check", "select", "waitFor", "sleep", "return"}
	given := []bool{
		o.Fill != nil, o.Click != nil, o.Type != nil, o.Check != nil, o.Select != nil, o.WaitFor != nil, o.Sleep != nil,
		o.Return != nil,
	}
	if n := param.Count(given...); n != 1 {
		return fmt.Errorf("want one of %s, not %d", strings.Join(names, ", "), n)
	}
	i := slices.Index(given, true)
	o.op = microOp{Op: names[i], Find: o.Find, MS: 10_000}
	param.Set(&o.op.MS, o.Timeout)
	param.Set(&o.op.MS, o.Sleep)
	for _, text := range []*element.Text{o.Fill, o.Type, o.Select} {
		if text != nil {
			o.op.Value = string(*text)
		}
	}
	param.Set(&o.op.fn, o.WaitFor)
	param.Set(&o.op.fn, o.Return)
	if o.Check != nil {
		o.op.Value = *o.Check
	}
	switch needs := i < 5; {
	case o.Click != nil && !*o.Click:
		return errors.New("click: want true, not false")
	case (o.WaitFor != nil || o.Return != nil) && o.op.fn == "":
		return fmt.Errorf("%s: want a function such as () => document.title", o.op.Op)
	case needs && o.Find == "":
		return fmt.Errorf("%s needs find, a CSS selector", o.op.Op)
	case !needs && o.Find != "":
		return fmt.Errorf("%s takes no find", o.op.Op)
	case o.Timeout != nil && o.WaitFor == nil:
		return fmt.Errorf("timeout belongs to waitFor, not to %s", o.op.Op)
	}
	return nil
}

// remember has what the operations type into fields that hold secrets remembered, as the steps
// that type do. The script types it in the page.
func remember(ctx context.Context, e *stepdef.Env, ops []microOp) {
	for _, o := range ops {
		text, ok := o.Value.(string)
		if !ok || text == "" {
			continue
		}
		list, err := e.All(ctx, o.Find)
		if err != nil || len(list) == 0 { // it may appear later: its name must do
			if why := redact.NamedSecret(o.Find); why != "" {
				e.Collect.Known.Type(text, why)
			}
			continue
		}
		e.Page.Typing(ctx, list[0], text)
	}
}

// pipeline compiles the operations into one script and runs it. An operation that fails
// is an answer, and a warning of the step; a script that never returns is an error.
func pipeline(ctx context.Context, e *stepdef.Env, p *pipelineParams) (any, error) {
	limit := 30 * time.Second
	if p.Timeout > 0 {
		limit = stepdef.Milliseconds(p.Timeout)
	}
	ops := make([]microOp, len(p.Steps))
	for i := range p.Steps {
		ops[i] = p.Steps[i].op
	}
	if until, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(until)*9/10)
	}
	fns := make([]string, len(ops))
	for i, o := range ops {
		fns[i] = "null"
		if o.fn == "" {
			continue
		}
		// Each separately first, so that the error names the operation.
		called := functionLike.MatchString(o.fn)
		if _, err := compile(ctx, e, action.Script{Source: o.fn, Function: called, Single: true}); err != nil {
			return nil, fmt.Errorf("operation %d (%s): %w", i, o.Op, err)
		}
		source := strings.TrimRight(strings.TrimSpace(o.fn), "; \t\r\n")
		if fns[i] = "() => (" + source + "\n)"; called {
			fns[i] = "async () => { const f = (" + source + "\n); return typeof f === 'function' ? f() : f; }"
		}
	}
	remember(ctx, e, ops)
	arg, err := json.Marshal(ops)
	if err != nil {
		return nil, fmt.Errorf("writing the operations: %w", err)
	}
	source := fmt.Sprintf("{ ops: %s, fns: [%s], ms: %d }", arg, strings.Join(fns, ",\n"), limit.Milliseconds())
	in, cancel := context.WithTimeout(ctx, limit+time.Second)
	defer cancel()
	raw, err := value(in, e, action.Script{Source: "() => (" + pipelineJS + ")(" + source + ")", Function: true,
		Raw: true})
	if err != nil {
		if script, ok := errors.AsType[*scriptError](err); ok {
			script.Source = "the pipeline"
		}
		return nil, err
	}
	var how struct {
		Completed bool
		Error     string
	}
	if json.Unmarshal(raw, &how) == nil && !how.Completed {
		e.Warn("the pipeline was not completed: %s", text.Cut(how.Error, 201))
	}
	return raw, nil
}
