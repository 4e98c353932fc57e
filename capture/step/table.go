package step

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/step/emulation"
	"github.com/refscope/refscope/capture/step/forms"
	"github.com/refscope/refscope/capture/step/frames"
	"github.com/refscope/refscope/capture/step/input"
	"github.com/refscope/refscope/capture/step/navigation"
	"github.com/refscope/refscope/capture/step/output"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/query"
	"github.com/refscope/refscope/capture/step/script"
	"github.com/refscope/refscope/capture/step/sites"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/capture/step/virtual"
)

// Table lists the definitions of all steps in the order of the help. It is the one place
// where the chapters come together.
func Table() []stepdef.StepDef {
	return slices.Concat(
		navigation.TabSteps(),
		navigation.Steps(),
		input.Steps(),
		emulation.Steps(),
		emulation.CookieSteps(),
		output.Steps(),
		sites.Steps(),
		output.SnapshotSteps(),
		query.Steps(),
		query.ContentSteps(),
		query.GeometrySteps(),
		forms.Steps(),
		query.AssertSteps(),
		query.ConsoleSteps(),
		frames.Steps(),
		navigation.WaitSteps(),
		script.Steps(),
		virtual.Steps(),
	)
}

// lookup finds the definition of a step, nil where there is none.
func lookup(name string) *stepdef.StepDef {
	for _, d := range Table() {
		if d.Name == name {
			return &d
		}
	}
	return nil
}

// unknownStep is the error of a name that no step has: it says which step is meant, also by other tools' words.
func unknownStep(name string) error {
	var names []string
	for _, d := range Table() {
		if slices.Contains(d.Also, strings.ToLower(name)) {
			return fmt.Errorf("unknown step %q: did you mean %q?", name, d.Name)
		}
		names = append(names, d.Name)
	}
	return param.Unknown("step", name, names)
}
