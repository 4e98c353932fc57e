package steps

import (
	"fmt"
	"slices"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// VM is what the console shows. Compare with [VM.Equal].
type VM struct {
	// Text is for the editor, which takes it over where Version is another one.
	Text    string
	Version int
	Caret   int
	// State describes in a line whether the draft is valid.
	State core.StatusItem
	Items []StepItem
	// CanRun, CanRecall, CanTake: see the commands.
	CanRun, CanRecall, CanTake bool
	Running                    int // the task to cancel, 0 for none
	Stage                      string
	// Recalled: the editor shows a run of the history.
	Recalled bool
	// Bytes is the answer as it is, "" for none.
	Bytes string
	// Facts are about the answer, Answer is its text, Pretty how it is written.
	Facts             []core.StatusItem
	Answer            core.DumpVM
	Pretty, CanPretty bool
}

// Equal reports whether both show the same. Items are replaced, never changed.
func (v VM) Equal(o VM) bool {
	items := core.Same(v.Items, o.Items)
	facts := slices.Equal(v.Facts, o.Facts)
	return items && facts && v.Version == o.Version && v.State == o.State && v.CanRun == o.CanRun &&
		v.CanRecall == o.CanRecall && v.CanTake == o.CanTake &&
		v.Running == o.Running && v.Stage == o.Stage && v.Answer == o.Answer && v.Pretty == o.Pretty &&
		v.CanPretty == o.CanPretty && v.Recalled == o.Recalled && v.Bytes == o.Bytes && v.Text == o.Text &&
		v.Caret == o.Caret
}

// ViewOf is what the console shows.
func ViewOf(s core.State) VM {
	p := Of(s).Console
	v := VM{Text: p.Text, Version: p.Version, Caret: p.Caret, Pretty: p.Pretty, Recalled: p.Recalled > 0,
		CanRecall: len(p.Runs) > 0, CanTake: s.Current != nil && s.Current.StepsText != ""}
	for _, t := range s.Tasks {
		if t.Kind == core.TaskSteps {
			v.Running, v.Stage = t.ID, t.Stage
			if t.Stopping {
				v.Stage = "stopping"
			}
		}
	}
	checked := p.Check.Seq == p.Seq && p.Seq > 0
	v.CanRun = v.Running == 0 && p.Text != "" && checked && p.Check.Problem == "" && core.Ready(s) &&
		!s.Session.ReadOnly
	v.State = draftState(s, checked)
	if checked || p.Check.Seq == p.Seq-1 { // the list does not flicker while one writes
		v.Items = p.Check.Items
	}
	v.answer(s)
	return v
}

// draftState describes whether the draft is valid.
func draftState(s core.State, checked bool) core.StatusItem {
	c := Of(s).Console.Check
	switch {
	case s.Session.ReadOnly:
		return core.StatusItem{Text: "This session is read only, so nothing can be run in it. Open another with " +
			"Ctrl+O.",
			Tone: core.ToneWarn}
	case !core.Ready(s) && s.Browser.Phase != core.PhaseStarting:
		return core.StatusItem{Text: "Chrome is not running, so nothing can be run. Start it from the Page menu.",
			Tone: core.ToneWarn}
	case Of(s).Console.Text == "":
		return core.StatusItem{Text: "Tab accepts a suggestion · Ctrl+Space goes to the next · Up recalls the last run",
			Tone: core.ToneMuted}
	case !checked:
		return core.StatusItem{Text: "reading…", Tone: core.ToneMuted}
	case c.Unfinished:
		return core.StatusItem{Text: "Incomplete: a quote or a bracket is still open", Tone: core.ToneMuted}
	case c.Problem != "":
		text := c.Problem
		if c.Line > 0 {
			text = fmt.Sprintf("Line %d, column %d: %s", c.Line, c.Column, c.Problem)
		}
		return core.StatusItem{Text: text, Tone: core.ToneBad}
	}
	return core.StatusItem{Text: text.Count(c.Steps, "step", "steps") + " · Ctrl+Enter runs", Tone: core.ToneGood}
}

func (v *VM) answer(s core.State) {
	b := stepsAnswer(s)
	if b == nil {
		v.Answer.Empty = "The answer appears here, byte for byte as an agent gets it. Run a step with Ctrl+Enter, " +
			"or choose a turn that has one."
		return
	}
	of := core.StatusItem{Text: "no turn recorded", Tone: core.ToneWarn}
	ok := Of(s).Console.LooseOK
	if Of(s).Console.Loose == nil {
		of = core.StatusItem{Text: "turn " + text.Thousands(s.Current.N), Tone: core.ToneNormal}
		ok = s.Current.AnswerOK
	}
	state := core.StatusItem{Text: "ok", Tone: core.ToneGood}
	if !ok {
		state = core.StatusItem{Text: "error", Tone: core.ToneBad}
	}
	v.Facts = []core.StatusItem{state, of, {Text: text.Thousands(len(b.Body)) + " bytes", Tone: core.ToneMuted}}
	v.CanPretty, v.Bytes = b.Pretty != nil, b.Exact.Text
	v.Answer.Doc, v.Answer.Tones = b.Exact, b.ExactTones
	if Of(s).Console.Pretty && b.Pretty != nil {
		v.Answer.Doc, v.Answer.Tones = b.Pretty, nil
		v.Facts = append(v.Facts, core.StatusItem{Text: "formatted, not the exact bytes", Tone: core.ToneWarn})
	} else {
		v.Facts = append(v.Facts, core.StatusItem{Text: "exact bytes", Tone: core.ToneMuted})
	}
}

// stepsHistory are the lines of the history, the newest first, each with its place.
func stepsHistory(s core.State, zone *time.Location) []stepsLine {
	var out []stepsLine
	for i, r := range slices.Backward(Of(s).Console.Runs) {
		mark := "ok"
		if !r.OK {
			mark = "failed"
		}
		when := mark + " " + r.At.In(zone).Format("15:04:05")
		if r.draft() {
			when = "not run"
		}
		line := when + "  " + text.Cut(text.Line(r.Words), 60)
		if r.N > 0 {
			line += "  · turn " + text.Thousands(r.N)
		}
		if r.Text == "" {
			line += "  · typed text is not saved"
		}
		out = append(out, stepsLine{i + 1, line})
	}
	return out
}

// stepsLine is a line of the history.
type stepsLine struct {
	Index int
	Text  string
}
