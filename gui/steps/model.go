package steps

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// Drawer is the console of steps below the picture.
const Drawer core.Drawer = "steps"

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

// StepsCheck is the result of checking a draft.
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
	// Items are completions, which replace the bytes From to To.
	Items    []StepItem
	From, To int
}

// StepItem is one completion.
type StepItem struct {
	// Insert is what is put in, and Caret, in bytes of it, the caret afterwards.
	Insert string
	Caret  int
	// Label and What describe it.
	Label, What string
}

// StepsRun is one run, as the history has it.
type StepsRun struct {
	// Text is what was run, "" where that is not kept because a secret may be in it;
	// Sealed is the same without what was typed.
	Text, Sealed string
	// Words describe in short what was done, such as "fill, click".
	Words string
	OK    bool
	N     int       // of the turn that it made, 0 for none
	At    time.Time // zero for a draft that gave way to another text
}

// stepsEdited: the draft was changed, or the caret moved.
type stepsEdited struct {
	Text  string
	Caret int
}

// stepsCompleted takes a completion, by its place in the list.
type stepsCompleted struct{ Index int }

// stepsRan answers [RunSteps].
type stepsRan struct {
	Task int
	Ran
	// Console: it came from the editor.
	Console bool
	Answer  *core.Built // what came back
	// Turn is the turn that it made, nil for none; Thumb and Tabs as with [core.Captured].
	Turn    *core.Turn
	Thumb   image.Image
	Tabs    []core.Tab
	Problem *core.Problem
}

// stepsRecalled brings a run of the history into the editor, By runs on or back.
type stepsRecalled struct{ By int }

// CheckSteps reads a draft and finds its completions. Tab is the tab that it is for;
// Turn, which may be nil, has the elements that it can name.
type CheckSteps struct {
	Seq   int
	Text  string
	Caret int
	Tab   string
	Turn  *core.Turn
}

// RunSteps runs a draft in the tab in use. Console: it came from the editor.
type RunSteps struct {
	Task    int
	Text    string
	Console bool
	// Masked: what is typed must not be kept.
	Masked bool
	// File is the path of a file that they may read, "" for none.
	File string
}

// focusSteps moves the keyboard to the editor of the console.
type focusSteps struct{}

// dropHistory drops the history of the console down.
type dropHistory struct{}

func commands(core.State) []core.Command {
	const m = "Tools"
	out := func(s core.State) bool { return s.Drawer == Drawer }
	return []core.Command{
		{ID: CmdSteps, Title: "Steps console", Menu: m, Key: keySteps, Enabled: core.Always, Checked: out,
			Msg: core.Send(stepsToggled())},
		{ID: CmdStepsRun, Title: "Run the steps", Menu: m, Key: "Ctrl+Enter", Enabled: func(s core.State) bool {
			return out(s) && Of(s).Console.Text != ""
		}, Msg: core.Send(stepsRunAsked())},
		{ID: CmdStepsHistory, Title: "Step history…", Menu: m, Enabled: func(s core.State) bool {
			return out(s) && len(Of(s).Console.Runs) > 0
		}, Msg: core.Send(core.Wanted(dropHistory{}))},
		{ID: CmdStepsTake, Title: "Edit the steps of this turn", Menu: m, Enabled: func(s core.State) bool {
			return s.Current != nil && s.Current.StepsText != ""
		}, Msg: core.Send(stepsTaken())},
		{ID: CmdStepsPretty, Title: "Format the answer", Menu: m, Enabled: func(s core.State) bool {
			return out(s) && stepsAnswer(s) != nil
		},
			Checked: func(s core.State) bool { return Of(s).Console.Pretty }, Msg: core.Send(stepsPrettyToggled())},
	}
}

// stepsToggled draws the console out, with the keyboard in it, or puts it away.
func stepsToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s, effects := core.DrawerToggled(Drawer).Apply(s)
		if s.Drawer != Drawer {
			return s, effects
		}
		s, more := checkSteps(s)
		return s, append(append(effects, more...), focusSteps{})
	})
}

func (m stepsEdited) Apply(s core.State) (core.State, []core.Effect) {
	if m.Text == Of(s).Console.Text && m.Caret == Of(s).Console.Caret {
		return s, nil
	}
	if m.Text != Of(s).Console.Text {
		leaveRecalled(&s)
	}
	model := edit(&s)
	model.Console.Text, model.Console.Caret = m.Text, m.Caret
	return checkSteps(s)
}

// checkSteps requests a check of the draft.
func checkSteps(s core.State) (core.State, []core.Effect) {
	edit(&s).Console.Seq++
	return s, []core.Effect{CheckSteps{Seq: Of(s).Console.Seq, Text: Of(s).Console.Text, Caret: Of(s).Console.Caret,
		Tab: s.Browser.Tab, Turn: s.Current}}
}

// stepsChecked answers [CheckSteps].
func stepsChecked(check StepsCheck) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if check.Seq == Of(s).Console.Seq {
			edit(&s).Console.Check = check
		}
		return s, nil
	})
}

// write puts another text into the editor.
func write(s core.State, text string, caret int) (core.State, []core.Effect) {
	model := edit(&s)
	model.Console.Text, model.Console.Caret = text, caret
	edit(&s).Console.Version++
	return checkSteps(s)
}

func (m stepsCompleted) Apply(s core.State) (core.State, []core.Effect) {
	c := Of(s).Console.Check
	text := Of(s).Console.Text
	if c.Seq != Of(s).Console.Seq || m.Index < 0 || m.Index >= len(c.Items) || c.From < 0 || c.From > c.To ||
		c.To > len(text) {
		return s, nil // of a text that was changed meanwhile
	}
	it := c.Items[m.Index]
	leaveRecalled(&s)
	return write(s, text[:c.From]+it.Insert+text[c.To:], c.From+it.Caret)
}

// stepsPrettyToggled changes between the bytes of the answer and indented JSON.
func stepsPrettyToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Console.Pretty = !Of(s).Console.Pretty
		return s, nil
	})
}

// stepsRunAsked runs the draft.
func stepsRunAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		switch c := Of(s).Console.Check; {
		case strings.TrimSpace(Of(s).Console.Text) == "":
			return s, nil
		case len(Of(s).Console.Text) > maxDraft:
			s.Notice = &core.Notice{Tone: core.ToneWarn, Source: core.TaskSteps,
				Text: fmt.Sprintf("The steps are %s characters long; the console takes at most %s.",
					text.Thousands(len(Of(s).Console.Text)), text.Thousands(maxDraft)),
				Hint: "Run them with refscopectl run."}
			return s, nil
		case c.Seq == Of(s).Console.Seq && c.Problem != "":
			s.Notice = &core.Notice{Tone: core.ToneWarn, Source: core.TaskSteps, Text: "The steps were not run: " +
				strings.TrimRight(c.Problem, ".?") + ".", Hint: c.where()}
			return s, nil
		}
		return RunText(s, Of(s).Console.Text, true, false)
	})
}

func (c StepsCheck) where() string {
	if c.Line == 0 {
		return ""
	}
	return fmt.Sprintf("Line %d, column %d.", c.Line, c.Column)
}

// RunText runs a draft, if something can be done in the tab now.
func RunText(s core.State, text string, console, masked bool) (core.State, []core.Effect) {
	if s.Session.ReadOnly {
		s.Notice = &core.Notice{Tone: core.ToneWarn,
			Text: "This session is read only; steps cannot be recorded in it.",
			Hint: "Open another session first.", Command: core.CmdSessions, Source: core.TaskSteps}
		return s, nil
	}
	if i := slices.IndexFunc(s.Tasks, func(t core.Task) bool { return t.Kind == core.TaskSession }); i >= 0 {
		s.Notice = &core.Notice{Tone: core.ToneWarn, Text: "A session is being opened.",
			Hint: "Run the steps when it is there.", Source: core.TaskSteps, During: s.Tasks[i].ID}
		return s, nil
	}
	s, effects, ok := s.FreeBrowser()
	if !ok {
		return s, effects
	}
	id := s.StartTask(core.TaskSteps, "Running the steps")
	edit(&s).Act.Last = ActPoint{}
	return s, append(effects, RunSteps{Task: id, Text: text, Console: console, Masked: masked})
}

func (m stepsRan) Apply(s core.State) (core.State, []core.Effect) {
	if _, ok := s.FinishTask(m.Task); !ok {
		return s, nil
	}
	opened := newTab(s.Browser.Tabs, m.Tabs)
	if m.Tabs != nil {
		s.Browser.Tabs = m.Tabs
	}
	if m.Device.Tab != "" {
		s.Device.Now = m.Device
	}
	if m.Problem != nil {
		s.Complain(core.TaskSteps, m.Problem)
		if m.Turn == nil {
			return s, nil
		}
		return s.ShowNew(m.Turn, m.Thumb, m.Tabs)
	}
	s = asks(s, m.Page)
	if m.Turn != nil {
		m.N = m.Turn.N
	}
	leaveRecalled(&s)
	addRun(&s, m.StepsRun, m.Console)
	model := edit(&s)
	model.Console.Loose, model.Console.LooseOK = nil, m.OK
	var effects []core.Effect
	if m.Console && m.Text == "" { // what was typed does not stay in view either
		s, effects = write(s, m.Sealed, len(m.Sealed))
	}
	if !m.OK {
		s.Notice = &core.Notice{Tone: core.ToneWarn, Text: "A step failed.", Hint: "The answer has the reason.",
			Source: core.TaskSteps}
		if m.Failed != "" {
			s.Notice.Text, s.Notice.Hint = text.Capital(text.Cut(text.Line(m.Failed), 160)), "The answer has all of it."
		}
		if s.Drawer != Drawer {
			s.Notice.Command = CmdSteps
		}
	}
	if m.Turn == nil {
		edit(&s).Console.Loose = m.Answer
		if m.OK && m.Unread != "" && m.Page == nil { // the picture in view is of before the steps
			s.Notice = &core.Notice{Tone: core.ToneWarn, Text: "The steps were run, and no turn was recorded: " +
				strings.TrimRight(text.Cut(text.Line(m.Unread), 320), ".") + ".", Command: core.CmdCapture,
				Source: core.TaskSteps}
		}
		return s, effects
	}
	edit(&s).Act.Last.After = stillThere(s, m.Turn)
	s, more := s.ShowNew(m.Turn, m.Thumb, m.Tabs)
	effects = append(effects, more...)
	if a := m.Turn.Activity; a != nil && s.Notice == nil {
		var saved []string
		for _, step := range a.Steps {
			saved = append(saved, step.Downloads...)
		}
		if len(saved) > 0 {
			s.Notice = &core.Notice{Text: strings.Join(saved, " "), Source: core.TaskSteps}
		}
	}
	if opened != "" && s.Notice == nil {
		s.Notice = &core.Notice{Text: "The page opened another tab: " + opened + ".", Source: core.TaskSteps,
			Hint: "This one stays in view.", Command: core.CmdTabs}
	}
	if s.Drawer == Drawer { // its refs can be named now
		s, more = checkSteps(s)
		effects = append(effects, more...)
	}
	return s, effects
}

// newTab is what the first tab is called that was not there before, "" for none.
func newTab(before, now []core.Tab) string {
	for _, t := range now {
		if len(before) > 0 && !slices.ContainsFunc(before, func(b core.Tab) bool { return b.ID == t.ID }) {
			return text.Cut(text.Line(cmp.Or(t.Title, t.URL)), 60)
		}
	}
	return ""
}

// stepsAnswer is the answer in view: that of a run without a turn, else that of the turn
// in view; nil for none.
func stepsAnswer(s core.State) *core.Built {
	switch {
	case Of(s).Console.Loose != nil:
		return Of(s).Console.Loose
	case s.Current != nil:
		return s.Current.Answered
	}
	return nil
}

// Room is the console.
func Room() core.Room {
	return core.Room{Name: "steps", Commands: commands,
		Shown: func(s core.State, before *core.Turn) core.State {
			if before != nil { // an answer without a turn was about the page before
				edit(&s).Console.Loose = nil
			}
			return s
		},
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			edit(&s).Console.Loose = nil
			return s, nil
		},
		Closing: func(s core.State) string {
			c := Of(s).Console
			if !unrun(s, c.Text) && !(c.Recalled > 0 && unrun(s, c.Draft)) &&
				!slices.ContainsFunc(c.Runs, StepsRun.draft) {
				return ""
			}
			return "Steps in the console were not run, and are lost when the window closes."
		}}
}

// Model is the state of the console and of acting.
type Model struct {
	// Console is the console of steps. Texts and carets are in bytes.
	Console struct {
		// Text is the text of the editor. Version grows whenever the editor has to take it over,
		// with the caret at Caret.
		Text    string
		Version int
		Caret   int
		// Seq numbers the checks that were requested; Check is the last that came.
		Seq   int
		Check StepsCheck
		// Runs are what was run here, oldest first; Recalled is the place of the one in the
		// editor, from 1, 0 for none, and Draft what stood there before.
		Runs     []StepsRun
		Recalled int
		Draft    string
		// Loose is the answer of the last run, where that made no turn, and LooseOK how it went.
		Loose   *core.Built
		LooseOK bool
		// Pretty: the answer is indented to be read, and is not the bytes.
		Pretty bool
	}
	// Act is the mode in which a click on the picture does something in the page.
	Act struct {
		On bool
		// Ask is what is requested before it can be done; its Ref is 0 for nothing.
		Ask ActAsk
		// Page is the dialog that the page has open, nil for none.
		Page *PageDialog
		// Last is where the mouse was last.
		Last ActPoint
		// Scroll is how far the page is still to be scrolled, in CSS px.
		Scroll float64
		// Rolling: the wheel was turned a moment ago, and may go on.
		Rolling bool
	}
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
