package core

import (
	"bytes"
	"encoding/json"
)

func (m StepsRecalled) Apply(s State) (State, []Effect) {
	n := len(s.Steps.Runs)
	at := s.Steps.Recalled
	if at == 0 {
		at = n + 1
	}
	to := at + m.By
	switch {
	case n == 0 || to < 1:
		return s, nil
	case to > n:
		if s.Steps.Recalled == 0 {
			return s, nil
		}
		draft := s.Steps.Draft
		s.Steps.Recalled = 0
		return s.write(draft, len(draft))
	}
	return s.recall(to)
}

func (m StepsPicked) Apply(s State) (State, []Effect) {
	if m.Index < 1 || m.Index > len(s.Steps.Runs) {
		return s, nil
	}
	return s.recall(m.Index)
}

// recall brings a run into the editor. What is not kept of it has to be written again.
func (s State) recall(i int) (State, []Effect) {
	if s.Steps.Recalled == 0 {
		s.Steps.Draft = s.Steps.Text
	}
	run := s.Steps.Runs[i-1]
	text := run.Text
	if text == "" {
		text = run.Sealed
		s.Notice = &Notice{Tone: ToneNormal, Text: "What was typed in this run is not kept.", Hint: "Write it again in place of the […] before you run it.", Source: TaskSteps}
	}
	s.Steps.Recalled = i
	return s.write(text, len(text))
}

func (StepsTaken) Apply(s State) (State, []Effect) {
	if s.Shown == nil || s.Shown.Steps == "" {
		return s, nil
	}
	s.Drawer = DrawerSteps
	s, effects := s.write(s.Shown.Steps, len(s.Shown.Steps))
	return s, append(effects, FocusSteps{})
}

// StepsText writes the steps of a turn, as they are stored, to be read and edited: a list
// without the tab, one step a line.
func StepsText(stored []byte) string {
	var c struct{ Steps []json.RawMessage }
	if json.Unmarshal(stored, &c) != nil || len(c.Steps) == 0 {
		return ""
	}
	if len(c.Steps) == 1 {
		return string(c.Steps[0])
	}
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, s := range c.Steps {
		b.WriteString("  ")
		b.Write(s)
		if i+1 < len(c.Steps) {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]")
	return b.String()
}
