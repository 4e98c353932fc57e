package app

import (
	"context"
	"time"

	"github.com/refscope/refscope/gui/core"
)

// StepsEngine does things in the tab in use.
type StepsEngine interface {
	// RunSteps runs a draft (see step.ReadDraft) in the tab in use and makes it a turn.
	// masked: what is typed must not be kept. The error is of what kept the steps from
	// being run; a step that failed is in the answer.
	RunSteps(ctx context.Context, text string, masked bool, progress func(stage string)) (*Ran, error)
	// Changed reports whether the page of the tab in use is another than in the last turn
	// that was made of it here.
	Changed(ctx context.Context) (bool, error)
}

// Ran is how a run of steps went.
type Ran struct {
	// Text is what was run, "" where it must not be kept; Sealed is the same without what
	// was typed, Words say in short what was done.
	Text, Sealed, Words string
	Body                []byte // the answer as an agent gets it
	OK                  bool
	Turn                *Recorded // nil where none was made
	Device              core.DeviceState
	At                  time.Time
}
