package step

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// Kind is one step that there is. The table of kinds is the one place that knows a
// step: validation, help, the guide for agents and the tests read it.
type Kind struct {
	Name    string
	Summary string // one line
	Forms   []Form
	// Hooks: its parameters may hold readyWhen, settledWhen and observe.
	Hooks bool
	// NoTab: it needs no tab. First: it brings the tab, and must be the first step.
	NoTab, First bool
	parse        func(json.RawMessage) (Work, error)
}

// Form is one way to write a step's parameters, with an example that runs.
type Form struct {
	Example string // the parameters as JSON
	What    string
}

// Work is what a step does. Its output becomes the step's "output": a struct or map, or
// nil for none.
type Work func(ctx context.Context, r *Runner) (output any, err error)

// Kinds lists the steps in the order of the help.
func Kinds() []Kind {
	return slices.Concat(
		tabKinds(),
		navigationKinds(),
		interactionKinds(),
		emulationKinds(),
		cookieKinds(),
		outputKinds(),
		profileKinds(),
		snapshotKinds(),
		queryKinds(),
		contentKinds(),
		placeKinds(),
		formKinds(),
		assertKinds(),
		consoleKinds(),
		frameKinds(),
		waitKinds(),
		dynamicKinds(),
		domtoolKinds(),
	)
}

func kindOf(name string) *Kind {
	for _, k := range Kinds() {
		if k.Name == name {
			return &k
		}
	}
	return nil
}

func kindNames() []string {
	var out []string
	for _, k := range Kinds() {
		out = append(out, k.Name)
	}
	return out
}

// errShape is the error of parameters of a kind that a step does not take.
func errShape(raw json.RawMessage, want string) error {
	return errors.New("want " + want + ", not " + article(shape(raw)))
}

// wait is a pause that ends with the context.
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
