package picture

import "github.com/refscope/refscope/gui/core"

// ProgressVM is work that runs; the zero value is none.
type ProgressVM struct {
	Task     int
	Text     string
	Stage    string
	Stopping bool
}

// Progress is the work that a Cancel button stops: the browser's newest, else an
// export.
func Progress(s core.State) ProgressVM {
	t := s.Busy()
	for i := range s.Tasks {
		if t == nil && s.Tasks[i].Kind == core.TaskExport {
			t = &s.Tasks[i]
		}
	}
	if t == nil {
		return ProgressVM{}
	}
	v := ProgressVM{Task: t.ID, Stage: t.Stage, Stopping: t.Stopping}
	if !t.Kind.Browser() { // of the browser's work the picture pane has the sentence
		v.Text = t.Sentence + "…"
	}
	if t.Stopping {
		v.Stage = "stopping"
	}
	return v
}
