package steps

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	pagetext "github.com/refscope/refscope/snapshot/text"
)

// draft reports whether the entry of the history is a text that was not run.
func (r StepsRun) draft() bool { return r.At.IsZero() }

// unrun reports whether text is what a person wrote and did not run. It is not kept on disk: what steps type may be
// secret.
func unrun(s core.State, text string) bool {
	return strings.TrimSpace(text) != "" && (s.Current == nil || s.Current.StepsText != text) &&
		!slices.ContainsFunc(Of(s).Console.Runs, func(r StepsRun) bool { return r.Text == text || r.Sealed == text })
}

// giveWay puts a draft that gives way to another text into the history.
func giveWay(s *core.State, draft string) {
	if unrun(*s, draft) {
		addRun(s, StepsRun{Text: draft, Words: pagetext.Cut(pagetext.Line(draft), 60)}, false)
	}
}

// leaveRecalled makes the text in the editor a draft, where it was a run of the history.
func leaveRecalled(s *core.State) {
	if c := &edit(s).Console; c.Recalled > 0 {
		c.Recalled = 0
		giveWay(s, c.Draft)
	}
}

// addRun adds to the history. console: the text in the editor was run, so it is no draft any more.
func addRun(s *core.State, r StepsRun, console bool) {
	c := &edit(s).Console
	runs := slices.DeleteFunc(slices.Clone(c.Runs), func(old StepsRun) bool {
		return console && old.draft() && old.Text == c.Text
	})
	runs = append(runs, r)
	c.Runs = runs[max(0, len(runs)-maxRuns):]
}

func (m stepsRecalled) Apply(s core.State) (core.State, []core.Effect) {
	n := len(Of(s).Console.Runs)
	at := Of(s).Console.Recalled
	if at == 0 {
		at = n + 1
	}
	to := at + m.By
	switch {
	case n == 0 || to < 1:
		return s, nil
	case to > n:
		if Of(s).Console.Recalled == 0 {
			return s, nil
		}
		draft := Of(s).Console.Draft
		edit(&s).Console.Recalled = 0
		return write(s, draft, len(draft))
	}
	return recall(s, to)
}

// StepsPicked brings the run at that place of the history into the editor, from 1.
func StepsPicked(index int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if index < 1 || index > len(Of(s).Console.Runs) {
			return s, nil
		}
		return recall(s, index)
	})
}

// recall brings a run into the editor. What is not kept of it has to be written again.
func recall(s core.State, i int) (core.State, []core.Effect) {
	if Of(s).Console.Recalled == 0 {
		edit(&s).Console.Draft = Of(s).Console.Text
	}
	run := Of(s).Console.Runs[i-1]
	text := run.Text
	if text == "" {
		text = run.Sealed
		s.Notice = &core.Notice{Tone: core.ToneNormal, Text: "Text typed in this run is not saved.",
			Hint: "Enter it again in place of […] before you run it.", Source: core.TaskSteps}
	}
	edit(&s).Console.Recalled = i
	return write(s, text, len(text))
}

// stepsTaken brings the steps of the turn in view into the editor.
func stepsTaken() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Current == nil || s.Current.StepsText == "" {
			return s, nil
		}
		s.Drawer = Drawer
		leaveRecalled(&s)
		giveWay(&s, Of(s).Console.Text)
		s, effects := write(s, s.Current.StepsText, len(s.Current.StepsText))
		return s, append(effects, focusSteps{})
	})
}
