package turn

import "slices"

// Label is why a run ended as it did, for who sorts runs. A run is labelled by an [Annotation] of
// the session as a whole (turn 0) whose verdict is the name of a label; its text is the reason.
type Label struct {
	Name  string
	Means string // in a sentence without its full stop
}

// Labels are all labels. The list is short on purpose, so that two people choose the same; the
// first four are the causes of package runs.
func Labels() []Label {
	return []Label{
		{"page", "the site was wrong, or has changed"},
		{"payload", "the model was not given what it needed"},
		{"answer", "the model was given what it needed and decided wrongly"},
		{"actuation", "the right action did not arrive at its element"},
		{"environment", "the network, the browser or the machine failed"},
		{"task", "the goal or the check of the run was wrong"},
		{"flaky", "it differs from run to run, and why is not known"},
		{"passed", "nothing was wrong"},
	}
}

// IsLabel reports whether a word is the name of a label.
func IsLabel(word string) bool {
	return slices.ContainsFunc(Labels(), func(l Label) bool { return l.Name == word })
}

// LabelOf is the annotation that labels the run: the last one of the session as a whole with the
// name of a label. ok is false where there is none.
func LabelOf(list []Annotation) (a Annotation, ok bool) {
	for _, a := range slices.Backward(list) {
		if a.Turn == 0 && IsLabel(a.Verdict) {
			return a, true
		}
	}
	return a, false
}
