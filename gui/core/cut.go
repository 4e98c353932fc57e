package core

import (
	"fmt"
	"slices"

	"github.com/refscope/refscope/snapshot/dump"
)

// CutVM is the strip at the end of the text in view.
type CutVM struct {
	Text string // "" hides the strip
	// Command is the id of a command that tries other limits, "" where there is none.
	Command string
}

// CutView is the strip at the end of the text in view.
func (s State) CutView() CutVM {
	d := s.Doc(s.Format)
	if s.Side != SideText || s.Shown == nil || d == nil || d.Cut == "" {
		return CutVM{}
	}
	v := CutVM{Text: d.Cut}
	if slices.ContainsFunc(s.Sides(), func(r SideRow) bool { return r.Command == CmdWhatIf }) {
		v.Command = CmdWhatIf
	}
	return v
}

func textCommands(s State) []Command {
	var list []Command
	for i, f := range s.Formats {
		c := Command{ID: "format." + string(f), Title: "Text as " + string(f), Menu: "Text", Gap: i == 0, Enabled: always,
			Checked: func(s State) bool { return s.Format == f && s.Side == SideText }, Msg: send(FormatChosen{f})}
		if i < 9 {
			c.Key = fmt.Sprintf("Ctrl+%d", i+1)
		}
		list = append(list, c)
	}
	return append(list, Command{ID: "select.clear", Title: "Clear the selection", Menu: "Edit",
		Enabled: func(s State) bool { return s.Selected.Some() }, Msg: send(Picked{})})
}

// textRoom is the side of the text formats.
func textRoom() Room {
	return Room{Name: "text", Commands: textCommands, Side: &SideRow{Side: SideText, Title: "Text", Command: "side.text", Does: "The text that an agent reads", Key: "T", Place: 1,
		Fill: func(s State) (State, []Effect) { return s, s.render() },
		Text: func(s State) (*dump.Document, *LineTones) {
			if d := s.Doc(s.Format); d != nil && d.Problem == nil {
				return d.Doc, d.Tones
			}
			return nil, nil
		}}}
}

// Dump is what the text pane shows.
func (s State) Dump() DumpVM {
	v := DumpVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref}
	if s.Shown == nil {
		v.Empty = s.emptySentence("The text that an agent would read appears here after the first capture.")
		return v
	}
	v.Version = s.Shown.N*16 + s.formatIndex()
	d := s.Doc(s.Format)
	switch {
	case d == nil:
		v.Empty = "Writing the text…"
	case d.Problem != nil:
		v.Empty = d.Problem.Sentence
	default:
		v.Doc, v.Tones = d.Doc, d.Tones
	}
	return s.lit(v)
}

func (s State) formatIndex() int {
	for i, f := range s.Formats {
		if f == s.Format {
			return i
		}
	}
	return 0
}
