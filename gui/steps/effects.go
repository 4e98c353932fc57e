package steps

import (
	"cmp"
	"context"
	"time"

	"github.com/refscope/refscope/gui/core"
)

// Engine does things in the tab in use.
type Engine interface {
	// CheckSteps reads a draft and finds its completions.
	CheckSteps(e CheckSteps) StepsCheck
	// RunSteps runs a draft in the tab in use and makes it a turn. The error is of what kept the steps from being run;
	// a step that failed is in the answer. Where their turn cannot be written, it comes with the error. A dialog that
	// the page opens stays open where the draft is of no editor.
	RunSteps(ctx context.Context, run RunSteps, progress func(stage string)) (*Ran, error)
}

// Ran is how a run of steps went.
type Ran struct {
	StepsRun
	Body []byte // the answer as an agent gets it
	// Failed is the first step that failed and why, "" where none did.
	Failed string
	// Unread says that the page could not be read afterwards and why, "" where it was.
	Unread string
	Page   *PageDialog      // a dialog of the page that is open, nil for none
	Record *core.Recorded   // the turn that it made, nil for none
	Device core.DeviceState // what the tab now passes for
}

// Pause implements [core.LatestWork].
func (CheckSteps) Pause() time.Duration { return 0 }

// Do implements [core.Work].
func (e CheckSteps) Do(_ context.Context, w *core.Worker) core.Msg {
	return stepsChecked(core.EngineOf[Engine](w).CheckSteps(e))
}

// Number implements [core.Numbered].
func (e RunSteps) Number() int { return e.Task }

// UsesTab implements [core.TabWork].
func (RunSteps) UsesTab() {}

// Do implements [core.Work].
func (e RunSteps) Do(ctx context.Context, w *core.Worker) core.Msg {
	m := stepsRan{Task: e.Task, Console: e.Console}
	ran, err := core.EngineOf[Engine](w).RunSteps(ctx, e, w.Progress)
	if ran != nil && ran.Record != nil { // it may be there and not be saved
		var unready error
		m.Turn, unready = ran.Record.Ready()
		err = cmp.Or(err, unready)
	}
	m.Problem = w.Problem("steps", err)
	m.Tabs = w.Tabs(ctx)
	if m.Turn != nil {
		m.Thumb = core.Thumb(m.Turn.Image)
	}
	if err != nil {
		return m
	}
	m.Ran = *ran
	if m.Turn != nil {
		m.Answer = m.Turn.Answered
	} else {
		m.Answer = core.NewAnswer(ran.Body)
	}
	return m
}
