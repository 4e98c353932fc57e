package runs

import "github.com/refscope/refscope/snapshot/turn"

// Label is why a run ended as it did, as somebody sorted it; see [turn.Labels].
type Label struct {
	Label string `json:"label"`          // the label
	Note  string `json:"note,omitempty"` // what the person wrote beside it
	By    string `json:"by,omitempty"`   // who set it
}

// LabelOf is the label of a run by its annotations, nil for none.
func LabelOf(list []turn.Annotation) *Label {
	a, ok := turn.LabelOf(list)
	if !ok {
		return nil
	}
	return &Label{a.Verdict, a.Text, a.By}
}
