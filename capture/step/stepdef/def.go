// Package stepdef is what the chapters of steps share: the definition of a step, and the environment that it runs in.
//
// A chapter is a package with the steps of one subject. It exports one function, Steps, which gives their
// definitions; [Define] makes one from a struct that declares the parameters (package param) and a function that
// runs the step in an [Env]. Chapters do not import each other; package step puts them together in one table.
package stepdef

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/refscope/refscope/capture/step/param"
)

// StepDef defines one step: validation, help, completion, the guide for agents and the tests read it.
type StepDef struct {
	Name    string
	Summary string // one line
	// Also are the words of other tools for it, in lower case: no names, but an error says which step is meant.
	Also  []string
	Forms []param.Form
	// Hooks: its parameters may hold readyWhen, settledWhen and observe.
	Hooks bool
	// NoTab: it needs no tab. First: it brings the tab, and must be the first step.
	NoTab, First bool
	// Acts is the output where a dialog that the step itself opens interrupts it: what it did is done. nil: the
	// dialog is an error, as the step only reads.
	Acts map[string]any
	// Waits: it takes the time of what the caller waits for, which is not the page's.
	Waits bool
	// Scripts: its parameters are scripts, which can put anything into the page.
	Scripts bool

	params reflect.Type
	parse  func(json.RawMessage) (Action, error)
}

// Action is a step with its parameters. Its output becomes the step's "output": a struct or map, or nil for none.
type Action func(ctx context.Context, e *Env) (output any, err error)

// Define completes the definition of a step whose parameters are declared by P.
func Define[P any](run func(context.Context, *Env, *P) (any, error), d StepDef) StepDef {
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

// Parse reads the parameters of the step.
func (d *StepDef) Parse(raw json.RawMessage) (Action, error) { return d.parse(raw) }

// Params are the declared parameters.
func (d *StepDef) Params() []param.Param { return param.Of(d.params) }

// Shapes are the JSON shapes that the parameters may have; see [param.Shapes].
func (d *StepDef) Shapes() []string { return param.Shapes(d.params) }

// Locators are the declared parameters that name elements.
func (d *StepDef) Locators() []param.Locator { return param.Locators(d.params) }

// TakesSecrets reports whether a parameter may hold a password.
func (d *StepDef) TakesSecrets() bool { return param.Secret(d.params) }

// Veil is given parameters without what may be a password: the agent has it, and nobody else is to.
func (d *StepDef) Veil(raw json.RawMessage) json.RawMessage { return param.Veil(d.params, raw) }

// OnlyTrue are the parameters of a step that takes none.
type OnlyTrue struct {
	_ struct{} `form:"true" want:"true"`
}
