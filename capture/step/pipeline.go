package step

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
)

//go:embed pipeline.js
var pipelineJS string

// MaxPipeline is how many micro-operations a pipeline may have.
const MaxPipeline = 500

// microOps are what a micro-operation can do; the first five need an element.
var microOps = []string{"fill", "click", "type", "check", "select", "waitFor", "sleep", "return"}

// microOp is one micro-operation as pipeline.js reads it.
type microOp struct {
	Op    string  `json:"op"`
	Find  string  `json:"find,omitempty"`
	Value any     `json:"value,omitempty"`
	MS    float64 `json:"ms,omitempty"`
	fn    string  // of waitFor and return
}

func parsePipeline(raw json.RawMessage) (Work, error) {
	var p struct {
		Steps   []json.RawMessage `json:"steps"`
		Timeout float64           `json:"timeout,omitempty"` // ms; 30,000 if 0
	}
	switch shape(raw) {
	case "array":
		if err := decode(raw, &p.Steps); err != nil {
			return nil, err
		}
	case "object":
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
	default:
		return nil, errShape(raw, "a list of operations, or an object with steps")
	}
	switch {
	case len(p.Steps) == 0:
		return nil, errors.New("it has no steps: name at least one operation")
	case len(p.Steps) > MaxPipeline:
		return nil, fmt.Errorf("it has %d steps: at most %d are allowed", len(p.Steps), MaxPipeline)
	case p.Timeout < 0:
		return nil, fmt.Errorf("timeout: %g: want 0 ms or more", p.Timeout)
	}
	ops := make([]microOp, len(p.Steps))
	for i, raw := range p.Steps {
		o, err := parseMicroOp(raw)
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
		ops[i] = *o
	}
	limit := 30 * time.Second
	if p.Timeout > 0 {
		limit = ms(p.Timeout)
	}
	return func(ctx context.Context, r *Runner) (any, error) { return r.pipeline(ctx, ops, limit) }, nil
}

func parseMicroOp(raw json.RawMessage) (*microOp, error) {
	names, values, err := keys(raw)
	if err != nil {
		return nil, err
	}
	o := &microOp{MS: 10_000}
	var given []string
	for _, n := range names {
		v := values[n]
		switch n {
		case "find":
			err = decode(v, &o.Find)
		case "timeout":
			if err = decode(v, &o.MS); err == nil && o.MS <= 0 {
				err = fmt.Errorf("%g: want more than 0 ms", o.MS)
			}
		case "fill", "type", "select":
			var s text
			err = s.UnmarshalJSON(v)
			o.Value = string(s)
		case "check":
			on := true
			err = decode(v, &on)
			o.Value = on
		case "click":
			if string(v) != "true" {
				err = errShape(v, "true")
			}
		case "sleep":
			if err = decode(v, &o.MS); err == nil && o.MS < 0 {
				err = fmt.Errorf("%g: want 0 ms or more", o.MS)
			}
		case "waitFor", "return":
			if err = decode(v, &o.fn); err == nil && o.fn == "" {
				err = errors.New("want a function such as () => document.title")
			}
		default:
			return nil, unknown("operation", n, append([]string{"find", "timeout"}, microOps...))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n, err)
		}
		if n != "find" && n != "timeout" {
			given = append(given, n)
		}
	}
	if len(given) != 1 {
		return nil, fmt.Errorf("want one of %s, not %d", strings.Join(microOps, ", "), len(given))
	}
	o.Op = given[0]
	_, timed := values["timeout"]
	switch needs := o.Op != "waitFor" && o.Op != "sleep" && o.Op != "return"; {
	case needs && o.Find == "":
		return nil, fmt.Errorf("%s needs find, a CSS selector", o.Op)
	case !needs && o.Find != "":
		return nil, fmt.Errorf("%s takes no find", o.Op)
	case timed && o.Op != "waitFor":
		return nil, fmt.Errorf("timeout belongs to waitFor, not to %s", o.Op)
	}
	return o, nil
}

// pipeline compiles the operations into one script and runs it. An operation that fails
// is an answer, and a warning of the step; a script that never returns is an error.
func (r *Runner) pipeline(ctx context.Context, ops []microOp, limit time.Duration) (any, error) {
	if until, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(until)*9/10)
	}
	fns := make([]string, len(ops))
	for i, o := range ops {
		fns[i] = "null"
		if o.fn == "" {
			continue
		}
		// Each by itself first, so that a mistake is told of the operation that has it.
		called := functionLike.MatchString(o.fn)
		if _, err := r.compile(ctx, action.Script{Source: o.fn, Function: called, Single: true}); err != nil {
			return nil, fmt.Errorf("operation %d (%s): %w", i, o.Op, err)
		}
		source := strings.TrimRight(strings.TrimSpace(o.fn), "; \t\r\n")
		if fns[i] = "() => (" + source + "\n)"; called {
			fns[i] = "async () => { const f = (" + source + "\n); return typeof f === 'function' ? f() : f; }"
		}
	}
	arg, err := json.Marshal(ops)
	if err != nil {
		return nil, fmt.Errorf("writing the operations: %w", err)
	}
	source := fmt.Sprintf("{ ops: %s, fns: [%s], ms: %d }", arg, strings.Join(fns, ",\n"), limit.Milliseconds())
	in, cancel := context.WithTimeout(ctx, limit+time.Second)
	defer cancel()
	raw, err := r.value(in, action.Script{Source: "() => (" + pipelineJS + ")(" + source + ")", Function: true, Raw: true})
	if err != nil {
		var script *ScriptError
		if errors.As(err, &script) {
			script.Source = "the pipeline"
		}
		return nil, err
	}
	var how struct {
		Completed bool
		Error     string
	}
	if json.Unmarshal(raw, &how) == nil && !how.Completed {
		r.warn("the pipeline was not completed: %s", head(how.Error, 200))
	}
	return raw, nil
}
