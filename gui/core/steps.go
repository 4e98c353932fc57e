package core

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"time"
)

// DrawerSteps is the console of steps below the picture.
const DrawerSteps Drawer = "steps"

// Commands of the console.
const (
	CmdSteps        = "steps.drawer"
	CmdStepsRun     = "steps.run"
	CmdStepsHistory = "steps.history"
	CmdStepsPretty  = "steps.pretty"
	CmdStepsTake    = "steps.take"
)

const keySteps = "S"

// Limits of the console.
const (
	maxRuns  = 100     // that are remembered
	maxDraft = 1 << 20 // bytes of a draft
)

// StepsPane is the console of steps. Texts and carets are in bytes.
type StepsPane struct {
	// Text stands in the editor. Version grows whenever the editor has to take it over,
	// with the caret at Caret.
	Text    string
	Version int
	Caret   int
	// Seq numbers the checks that were asked for; Check is the last that came.
	Seq   int
	Check StepsCheck
	// Runs are what was run here, oldest first; Recalled is the place of the one in the
	// editor, from 1, 0 for none, and Draft what stood there before.
	Runs     []StepsRun
	Recalled int
	Draft    string
	// Loose is the answer of the last run, where that made no turn, and LooseOK how it went.
	Loose   *Built
	LooseOK bool
	// Pretty: the answer is indented to be read, and is not the bytes.
	Pretty bool
}

// StepsCheck is what a draft is worth.
type StepsCheck struct {
	// Seq is the check that asked, 0 for none yet.
	Seq int
	// Steps is how many steps it has; Problem what is wrong, "" for nothing, and Line and
	// Column where, from 1, 0 for nowhere in particular.
	Steps        int
	Problem      string
	Line, Column int
	// Unfinished: the problem is only that it ends too early.
	Unfinished bool
	// Items are ways to go on, which replace the bytes From to To.
	Items    []StepItem
	From, To int
}

// StepItem is one way to go on writing.
type StepItem struct {
	// Insert is what is put in, and Caret, in bytes of it, where writing goes on.
	Insert string
	Caret  int
	// Label and What say what it is.
	Label, What string
}

// StepsRun is one run, as the history has it.
type StepsRun struct {
	// Text is what was run, "" where that is not kept because a secret may be in it;
	// Sealed is the same without what was typed.
	Text, Sealed string
	// Words say in short what was done, such as "fill, click".
	Words string
	OK    bool
	Turn  int // that it made, 0 for none
	At    time.Time
}

// StepsEdited: the draft was changed, or the caret moved.
type StepsEdited struct {
	Text  string
	Caret int
}

// StepsChecked answers [CheckSteps].
type StepsChecked struct{ Check StepsCheck }

// StepsCompleted takes a way to go on, by its place in the list.
type StepsCompleted struct{ Index int }

// StepsRunAsked runs the draft.
type StepsRunAsked struct{}

// StepsRan answers [RunSteps].
type StepsRan struct {
	Task int
	// Text is what was run, "" where it must not be kept; Sealed the same without what
	// was typed; Words say what was done.
	Text, Sealed, Words string
	// Console: it came from the editor.
	Console bool
	// Answer is what came back; OK: every step went well.
	Answer *Built
	OK     bool
	// Turn is the turn that it made, nil for none.
	Turn *Turn
	// Thumb, Tabs and At as with [Captured]; Device is what the tab now passes for.
	Thumb   image.Image
	Tabs    []Tab
	Device  DeviceState
	At      time.Time
	Problem *Problem
}

// StepsRecalled brings a run of the history into the editor, By runs on or back.
type StepsRecalled struct{ By int }

// StepsPicked brings the run at that place of the history into the editor, from 1.
type StepsPicked struct{ Index int }

// StepsTaken brings the steps of the turn in view into the editor.
type StepsTaken struct{}

// StepsPrettyToggled changes between the bytes of the answer and indented JSON.
type StepsPrettyToggled struct{}

// CheckSteps reads a draft and finds how it can go on. Tab is the tab that it is for;
// Turn, which may be nil, has the elements that it can name.
type CheckSteps struct {
	Seq   int
	Text  string
	Caret int
	Tab   string
	Turn  *Turn
}

// RunSteps runs a draft in the tab in use. Console: it came from the editor.
type RunSteps struct {
	Task    int
	Text    string
	Console bool
	// Masked: what is typed must not be kept.
	Masked bool
}

// FocusSteps moves the keyboard to the editor of the console.
type FocusSteps struct{}

// DropHistory drops the history of the console down.
type DropHistory struct{}

func stepsCommands(State) []Command {
	const m = "Tools"
	out := func(s State) bool { return s.Drawer == DrawerSteps }
	return []Command{
		{ID: CmdSteps, Title: "Steps: the console", Menu: m, Key: keySteps, Enabled: always, Checked: out, Msg: send(StepsToggled{})},
		{ID: CmdStepsRun, Title: "Run the steps", Menu: m, Key: "Ctrl+Enter", Enabled: func(s State) bool { return out(s) && s.Steps.Text != "" }, Msg: send(StepsRunAsked{})},
		{ID: CmdStepsHistory, Title: "Steps that were run…", Menu: m, Enabled: func(s State) bool { return out(s) && len(s.Steps.Runs) > 0 }, Msg: send(Wanted{DropHistory{}})},
		{ID: CmdStepsTake, Title: "Edit the steps of this turn", Menu: m, Enabled: func(s State) bool { return s.Shown != nil && s.Shown.Steps != "" }, Msg: send(StepsTaken{})},
		{ID: CmdStepsPretty, Title: "Answer indented in place of its bytes", Menu: m, Enabled: func(s State) bool { return out(s) && s.stepsAnswer() != nil },
			Checked: func(s State) bool { return s.Steps.Pretty }, Msg: send(StepsPrettyToggled{})},
	}
}

// StepsToggled draws the console out, with the keyboard in it, or puts it away.
type StepsToggled struct{}

func (StepsToggled) Apply(s State) (State, []Effect) {
	s, effects := DrawerToggled{DrawerSteps}.Apply(s)
	if s.Drawer != DrawerSteps {
		return s, effects
	}
	s, more := s.checkSteps()
	return s, append(append(effects, more...), FocusSteps{})
}

func (m StepsEdited) Apply(s State) (State, []Effect) {
	if m.Text == s.Steps.Text && m.Caret == s.Steps.Caret {
		return s, nil
	}
	if m.Text != s.Steps.Text {
		s.Steps.Recalled = 0
	}
	s.Steps.Text, s.Steps.Caret = m.Text, m.Caret
	return s.checkSteps()
}

// checkSteps asks what the draft is worth.
func (s State) checkSteps() (State, []Effect) {
	s.Steps.Seq++
	return s, []Effect{CheckSteps{Seq: s.Steps.Seq, Text: s.Steps.Text, Caret: s.Steps.Caret, Tab: s.Browser.Tab, Turn: s.Shown}}
}

func (m StepsChecked) Apply(s State) (State, []Effect) {
	if m.Check.Seq == s.Steps.Seq {
		s.Steps.Check = m.Check
	}
	return s, nil
}

// write puts another text into the editor.
func (s State) write(text string, caret int) (State, []Effect) {
	s.Steps.Text, s.Steps.Caret = text, caret
	s.Steps.Version++
	return s.checkSteps()
}

func (m StepsCompleted) Apply(s State) (State, []Effect) {
	c := s.Steps.Check
	text := s.Steps.Text
	if c.Seq != s.Steps.Seq || m.Index < 0 || m.Index >= len(c.Items) || c.From < 0 || c.From > c.To || c.To > len(text) {
		return s, nil // of a text that was changed meanwhile
	}
	it := c.Items[m.Index]
	s.Steps.Recalled = 0
	return s.write(text[:c.From]+it.Insert+text[c.To:], c.From+it.Caret)
}

func (StepsPrettyToggled) Apply(s State) (State, []Effect) {
	s.Steps.Pretty = !s.Steps.Pretty
	return s, nil
}

func (StepsRunAsked) Apply(s State) (State, []Effect) {
	switch c := s.Steps.Check; {
	case strings.TrimSpace(s.Steps.Text) == "":
		return s, nil
	case len(s.Steps.Text) > maxDraft:
		s.Notice = &Notice{Tone: ToneWarn, Source: TaskSteps, Text: fmt.Sprintf("The steps are %s characters long; the console takes at most %s.", Thousands(len(s.Steps.Text)), Thousands(maxDraft)), Hint: "Run them with refscopectl run."}
		return s, nil
	case c.Seq == s.Steps.Seq && c.Problem != "":
		s.Notice = &Notice{Tone: ToneWarn, Source: TaskSteps, Text: "The steps were not run: " + strings.TrimRight(c.Problem, ".?") + ".", Hint: c.where()}
		return s, nil
	}
	return s.runSteps(s.Steps.Text, true, false)
}

func (c StepsCheck) where() string {
	if c.Line == 0 {
		return ""
	}
	return fmt.Sprintf("Line %d, column %d.", c.Line, c.Column)
}

// runSteps runs a draft, if something can be done in the tab now.
func (s State) runSteps(text string, console, masked bool) (State, []Effect) {
	if s.Session.ReadOnly {
		s.Notice = &Notice{Tone: ToneWarn, Text: "This session is read only; what steps do has no place in it.",
			Hint: "Open another session first.", Command: CmdSessions, Source: TaskSteps}
		return s, nil
	}
	if slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.Kind == TaskSession }) {
		s.Notice = &Notice{Tone: ToneWarn, Text: "A session is being opened.", Hint: "Run the steps when it is there.", Source: TaskSteps}
		return s, nil
	}
	s, effects, ok := s.free()
	if !ok {
		return s, effects
	}
	id := s.start(TaskSteps, "Running the steps")
	s.Act.Last = ActPoint{}
	return s, append(effects, RunSteps{Task: id, Text: text, Console: console, Masked: masked})
}

func (m StepsRan) Apply(s State) (State, []Effect) {
	if _, ok := s.finish(m.Task); !ok {
		return s, nil
	}
	if m.Tabs != nil {
		s.Browser.Tabs = m.Tabs
	}
	if m.Device.Tab != "" {
		s.Device.Now = m.Device
	}
	if m.Problem != nil {
		s.complain(TaskSteps, m.Problem)
		return s, nil
	}
	run := StepsRun{Text: m.Text, Sealed: m.Sealed, Words: m.Words, OK: m.OK, At: m.At}
	if m.Turn != nil {
		run.Turn = m.Turn.N
	}
	runs := append(slices.Clone(s.Steps.Runs), run)
	s.Steps.Runs = runs[max(0, len(runs)-maxRuns):]
	s.Steps.Recalled, s.Steps.Loose, s.Steps.LooseOK = 0, nil, m.OK
	var effects []Effect
	if m.Console && m.Text == "" { // what was typed does not stay in view either
		s, effects = s.write(m.Sealed, len(m.Sealed))
	}
	if !m.OK {
		s.Notice = &Notice{Tone: ToneWarn, Text: "The steps ran, and not all of them went well.", Hint: "The answer says why.", Source: TaskSteps}
		if s.Drawer != DrawerSteps {
			s.Notice.Command = CmdSteps
		}
	}
	if m.Turn == nil {
		s.Steps.Loose = m.Answer
		return s, effects
	}
	s.Act.Last.After = s.stillThere(m.Turn)
	s, more := s.took(m.Turn, m.Thumb, m.Tabs)
	effects = append(effects, more...)
	if s.Drawer == DrawerSteps { // its refs can be named now
		s, more = s.checkSteps()
		effects = append(effects, more...)
	}
	return s, effects
}

// stepsAnswer is the answer in view: that of a run without a turn, else that of the turn
// in view; nil for none.
func (s State) stepsAnswer() *Built {
	switch {
	case s.Steps.Loose != nil:
		return s.Steps.Loose
	case s.Shown != nil:
		return s.Shown.Answer
	}
	return nil
}

// NewAnswer makes an answer ready to be shown; nil where there is none.
func NewAnswer(body []byte) *Built {
	if len(body) == 0 {
		return nil
	}
	return NewBuilt(Built{Body: body, Media: "application/json"})
}

// stepsRoom is the console.
func stepsRoom() Room {
	return Room{Name: "steps", Commands: stepsCommands,
		Shown: func(s State, before *Turn) State {
			if before != nil { // an answer without a turn was about the page before
				s.Steps.Loose = nil
			}
			return s
		},
		Left: func(s State) (State, []Effect) {
			s.Steps.Loose = nil
			return s, nil
		}}
}
