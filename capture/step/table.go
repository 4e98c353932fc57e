package step

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/refscope/refscope/capture/step/param"
)

// StepDef defines one step. The table of definitions is the one place that knows a step:
// validation, help, completion, the guide for agents and the tests read it.
type StepDef struct {
	Name    string
	Summary string // one line
	Forms   []param.Form
	// Hooks: its parameters may hold readyWhen, settledWhen and observe.
	Hooks bool
	// NoTab: it needs no tab. First: it brings the tab, and must be the first step.
	NoTab, First bool
	// Acts is the output where a dialog that the step itself opens interrupts it: what it
	// did is done. nil: the dialog is an error, as the step only reads.
	Acts map[string]any
	// Scripts: its parameters are scripts, which can put anything into the page.
	Scripts bool

	params reflect.Type
	parse  func(json.RawMessage) (Action, error)
}

// Action is a step with its parameters. Its output becomes the step's "output": a struct
// or map, or nil for none.
type Action func(ctx context.Context, e *Env) (output any, err error)

// Env is what a step works with.
type Env = Runner

// define completes the definition of a step whose parameters are declared by P.
func define[P any](run func(context.Context, *Env, *P) (any, error), d StepDef) StepDef {
	d.params = reflect.TypeFor[P]()
	d.parse = func(raw json.RawMessage) (Action, error) {
		p := new(P)
		if err := param.Decode(raw, p); err != nil {
			return nil, err
		}
		return func(ctx context.Context, e *Env) (any, error) { return run(ctx, e, p) }, nil
	}
	return d
}

// Params are the declared parameters.
func (d *StepDef) Params() []param.Param { return param.Of(d.params) }

// Table lists the steps in the order of the help.
func Table() []StepDef {
	return slices.Concat(
		tabSteps(),
		navigationSteps(),
		inputSteps(),
		emulationSteps(),
		cookieSteps(),
		outputSteps(),
		profileSteps(),
		snapshotSteps(),
		querySteps(),
		contentSteps(),
		geometrySteps(),
		formSteps(),
		assertSteps(),
		consoleSteps(),
		frameSteps(),
		waitSteps(),
		scriptSteps(),
	)
}

// Lookup finds the definition of a step, nil where there is none.
func Lookup(name string) *StepDef {
	for _, d := range Table() {
		if d.Name == name {
			return &d
		}
	}
	return nil
}

func stepNames() []string {
	var out []string
	for _, d := range Table() {
		out = append(out, d.Name)
	}
	return out
}

// pause waits for a time, or until the context ends.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
