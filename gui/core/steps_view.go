package core

import (
	"fmt"
	"slices"
	"time"
)

// StepsVM is what the console shows. Compare with [StepsVM.Equal].
type StepsVM struct {
	// Text is for the editor, which takes it over where Version is another one.
	Text    string
	Version int
	Caret   int
	// State says in a line what the draft is worth.
	State StatusItem
	Items []StepItem
	// CanRun, CanRecall, CanTake: see the commands.
	CanRun, CanRecall, CanTake bool
	Running                    int // the task to cancel, 0 for none
	Stage                      string
	// Recalled: what stands in the editor is a run of the history.
	Recalled bool
	// Bytes is the answer as it is, "" for none.
	Bytes string
	// Facts are about the answer, Answer is its text, Pretty how it is written.
	Facts             []StatusItem
	Answer            DumpVM
	Pretty, CanPretty bool
}

// Equal reports whether both show the same. Items are replaced, never changed.
func (v StepsVM) Equal(o StepsVM) bool {
	items := same(v.Items, o.Items)
	facts := slices.Equal(v.Facts, o.Facts)
	return items && facts && v.Version == o.Version && v.State == o.State && v.CanRun == o.CanRun && v.CanRecall == o.CanRecall && v.CanTake == o.CanTake &&
		v.Running == o.Running && v.Stage == o.Stage && v.Answer == o.Answer && v.Pretty == o.Pretty && v.CanPretty == o.CanPretty && v.Recalled == o.Recalled && v.Bytes == o.Bytes && v.Text == o.Text && v.Caret == o.Caret
}

// StepsView is what the console shows.
func (s State) StepsView() StepsVM {
	p := s.Steps
	v := StepsVM{Text: p.Text, Version: p.Version, Caret: p.Caret, Pretty: p.Pretty, Recalled: p.Recalled > 0, CanRecall: len(p.Runs) > 0, CanTake: s.Shown != nil && s.Shown.Steps != ""}
	for _, t := range s.Tasks {
		if t.Kind == TaskSteps {
			v.Running, v.Stage = t.ID, t.Stage
			if t.Stopping {
				v.Stage = "stopping"
			}
		}
	}
	checked := p.Check.Seq == p.Seq && p.Seq > 0
	v.CanRun = v.Running == 0 && p.Text != "" && checked && p.Check.Problem == "" && ready(s) && !s.Session.ReadOnly
	v.State = s.draftState(checked)
	if checked || p.Check.Seq == p.Seq-1 { // the list does not flicker while one writes
		v.Items = p.Check.Items
	}
	v.answer(s)
	return v
}

// draftState says what the draft is worth.
func (s State) draftState(checked bool) StatusItem {
	c := s.Steps.Check
	switch {
	case s.Session.ReadOnly:
		return StatusItem{"This session is read only, so nothing can be run in it. Open another with Ctrl+O.", ToneWarn}
	case !ready(s) && s.Browser.Phase != PhaseStarting:
		return StatusItem{"Chrome is not running, so nothing can be run. Start it from the menu Page.", ToneWarn}
	case s.Steps.Text == "":
		return StatusItem{"Tab takes a suggestion · Ctrl+Space marks the next · ↑ brings the last run back", ToneMuted}
	case !checked:
		return StatusItem{"reading…", ToneMuted}
	case c.Unfinished:
		return StatusItem{"… it goes on: a quote or a bracket is still open", ToneMuted}
	case c.Problem != "":
		text := "✕ " + c.Problem
		if c.Line > 0 {
			text = fmt.Sprintf("✕ line %d, column %d: %s", c.Line, c.Column, c.Problem)
		}
		return StatusItem{text, ToneBad}
	}
	return StatusItem{"✓ " + Plural(c.Steps, "step", "steps") + " · Ctrl+Enter runs", ToneGood}
}

func (v *StepsVM) answer(s State) {
	b := s.stepsAnswer()
	if b == nil {
		v.Answer.Empty = "The answer appears here, byte for byte as an agent gets it. Run a step with Ctrl+Enter, or choose a turn that has one."
		return
	}
	of := StatusItem{"no turn was made", ToneWarn}
	ok := s.Steps.LooseOK
	if s.Steps.Loose == nil {
		of = StatusItem{"turn " + Thousands(s.Shown.N), ToneNormal}
		ok = s.Shown.AnswerOK
	}
	state := StatusItem{"✓ ok", ToneGood}
	if !ok {
		state = StatusItem{"✕ error", ToneBad}
	}
	v.Facts = []StatusItem{state, of, {Thousands(len(b.Body)) + " bytes", ToneMuted}}
	v.CanPretty, v.Bytes = b.Pretty != nil, b.Exact.Text
	v.Answer.Doc, v.Answer.Tones = b.Exact, b.ExactTones
	if s.Steps.Pretty && b.Pretty != nil {
		v.Answer.Doc, v.Answer.Tones = b.Pretty, nil
		v.Facts = append(v.Facts, StatusItem{"indented to be read: not the bytes", ToneWarn})
	} else {
		v.Facts = append(v.Facts, StatusItem{"exact bytes", ToneMuted})
	}
}

// StepsHistory are the lines of the history, the newest first, each with its place.
func (s State) StepsHistory(zone *time.Location) []StepsLine {
	var out []StepsLine
	for i, r := range slices.Backward(s.Steps.Runs) {
		mark := "✓"
		if !r.OK {
			mark = "✕"
		}
		text := mark + " " + r.At.In(zone).Format("15:04:05") + "  " + Plain(r.Words, 60)
		if r.Turn > 0 {
			text += "  · turn " + Thousands(r.Turn)
		}
		if r.Text == "" {
			text += "  · what was typed is not kept"
		}
		out = append(out, StepsLine{i + 1, text})
	}
	return out
}

// StepsLine is a line of the history.
type StepsLine struct {
	Index int
	Text  string
}
