package app

import (
	"context"
	"time"

	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
)

// StepsEngine does things in the tab in use.
type StepsEngine interface {
	// RunSteps runs a draft (see step.ReadDraft) in the tab in use and makes it a turn.
	// masked: what is typed must not be kept. The error is of what kept the steps from
	// being run; a step that failed is in the answer.
	RunSteps(ctx context.Context, text string, masked bool, progress func(stage string)) (*Ran, error)
	// EmulateMedia says what pages of the tab in use are told of their reader's wishes.
	EmulateMedia(ctx context.Context, m core.MediaState) (core.DeviceState, error)
	// CaptureWhole is Capture of the whole page.
	CaptureWhole(ctx context.Context, progress func(stage string)) (*Recorded, error)
	// Changed reports whether the page of the tab in use is another than in the last turn
	// that was made of it here.
	Changed(ctx context.Context) (bool, error)
	// Attach changes to a Chrome that runs, HOST:PORT or a ws:// address, or to an own one
	// where that is "". On an error the browser in use stays.
	Attach(ctx context.Context, where string, progress func(stage string)) (core.Browser, error)
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

// AgentsEngine is the door for agents in this process.
type AgentsEngine interface {
	// Agents says what the page for agents shows.
	Agents(ctx context.Context) (connect.Changed, error)
	// ServeAgents starts or stops the server.
	ServeAgents(ctx context.Context, on bool) error
	// StopAgent ends one agent's session.
	StopAgent(ctx context.Context, id string) error
}
