package steps

import (
	"github.com/refscope/refscope/gui/core"
)

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
		s, effects := write(s, s.Current.StepsText, len(s.Current.StepsText))
		return s, append(effects, focusSteps{})
	})
}
