package core

import (
	"fmt"

	"github.com/refscope/refscope/snapshot/dump"
)

// cutSentence says what limits took out of a text and why, "" where they took nothing.
func cutSentence(d *dump.Document) string {
	elements, why, last := 0, "", -2
	counts := map[string]int{}
	for _, o := range d.Omitted {
		if o.Reason != dump.ReasonCut {
			continue
		}
		if counts[o.Detail]++; counts[o.Detail] > counts[why] { // the reason of most of them
			why = o.Detail
		}
		if o.Node != last {
			elements, last = elements+1, o.Node // they come in the order of nodes
		}
	}
	switch {
	case elements == 0 && !d.Truncated:
		return ""
	case elements == 0:
		return "The text ends at its limit."
	case why == "":
		return fmt.Sprintf("%s cut or left out by a limit.", Plural(elements, "element was", "elements were"))
	}
	return fmt.Sprintf("%s cut or left out: %s.", Plural(elements, "element was", "elements were"), Plain(why, 120))
}

// CutVM is the strip at the end of the text in view.
type CutVM struct {
	Text string // "" hides the strip
	// Command is the id of a command that tries other limits, "" where there is none.
	Command string
}

// CmdWhatIf shows the side on which limits can be tried.
const CmdWhatIf = "side.whatif"

// CutView is the strip at the end of the text in view.
func (s State) CutView() CutVM {
	d := s.Doc(s.Format)
	if s.Side != SideText || s.Shown == nil || d == nil || d.Cut == "" {
		return CutVM{}
	}
	v := CutVM{Text: d.Cut}
	for _, r := range Sides() {
		if r.Command == CmdWhatIf {
			v.Command = CmdWhatIf
		}
	}
	return v
}
