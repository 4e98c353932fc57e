package core

import (
	"slices"

	"github.com/refscope/refscope/snapshot/text"
)

// StartTask adds a task and returns its number. What an older task of the same sort
// had to say is then no longer true, so its notice goes.
func (s *State) StartTask(kind TaskKind, sentence string) int {
	s.TaskSeq++
	s.Tasks = append(slices.Clip(s.Tasks), Task{ID: s.TaskSeq, Kind: kind, Sentence: sentence})
	if n := s.Notice; n != nil {
		same := n.Source == kind || n.Source.Browser() && kind.Browser()
		if same || n.Source == TaskExport && n.Tone != ToneBad {
			s.Notice = nil
		}
	}
	return s.TaskSeq
}

// Unfinished are sentences about what ends with the window: tasks that a person waits for, without what they have not
// done yet, what is in memory only, and what rooms do for other programs or hold.
func (s State) Unfinished() []string {
	var say []string
	for _, t := range s.Tasks {
		if !t.Stopping && (t.Kind == TaskExport || t.Kind == TaskSteps || t.Kind == TaskAsk) {
			say = append(say, t.Sentence+" is not finished, and stops when the window closes.")
		}
	}
	unsaved := 0
	for _, r := range s.Session.Turns {
		if r.Unsaved || s.Session.Phase == PhaseReady && !s.Session.Kept {
			unsaved++
		}
	}
	if unsaved > 0 {
		say = append(say, text.Count(unsaved, "turn is", "turns are")+
			" in memory only, and lost when the window closes.")
	}
	for _, r := range s.rooms {
		if r.Closing != nil {
			if words := r.Closing(s); words != "" {
				say = append(say, words)
			}
		}
	}
	return say
}

// FinishTask takes a task off the list and reports whether it was there, and as what.
func (s *State) FinishTask(id int) (Task, bool) {
	for i, t := range s.Tasks {
		if t.ID == id {
			s.Tasks = slices.Delete(slices.Clone(s.Tasks), i, i+1)
			if n := s.Notice; n != nil && n.During == id {
				s.Notice = nil
			}
			return t, true
		}
	}
	return Task{}, false
}

// cancel asks for a task's end. Its answer takes it off the list.
func (s State) cancelTask(id int) (State, []Effect) {
	s.Tasks = slices.Clone(s.Tasks)
	for i := range s.Tasks {
		if s.Tasks[i].ID == id && !s.Tasks[i].Stopping {
			s.Tasks[i].Stopping = true
			return s, []Effect{Cancel{id}}
		}
	}
	return s, nil
}

// Complain puts a problem into the strip.
func (s *State) Complain(kind TaskKind, p *Problem) {
	if p.BrowserGone {
		*s = s.browserGone(p)
		return
	}
	if p.Canceled {
		s.Notice = &Notice{Text: stoppedSentence(kind), Source: kind}
		return
	}
	s.Notice = &Notice{Tone: ToneBad, Text: p.Sentence, Hint: p.Hint, Source: kind}
}

func stoppedSentence(k TaskKind) string {
	switch k {
	case TaskLaunch:
		return "Starting Chrome was stopped."
	case TaskNavigate:
		return "Loading the page was stopped."
	case TaskCapture:
		return "The capture was stopped; nothing was recorded."
	case TaskSteps:
		return "The steps were stopped; what they did so far stays done in the page."
	case TaskExport:
		return "The export was stopped."
	case TaskSession:
		return "Opening the session was stopped."
	case TaskAsk:
		return "Asking was stopped; the answers that came are recorded."
	}
	return "Stopped."
}
