package text

import (
	"fmt"
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/dump"
)

// model is the state of the text.
type model struct {
	// Sent are the formats that an agent was sent in the turn in view.
	Sent []dump.Format
	// Folds are the sections of the texts of the turn that were in view, At what was gone to
	// last.
	Folds []*core.Folds
	At    place
	// Ours: a person chose one of our formats, so that turns with a request do not open on what was sent.
	Ours bool
}

// SentChosen shows the text of the page as it was sent, and opens turns on it from then on.
type SentChosen struct{}

// Apply implements [core.Msg].
func (SentChosen) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Ours = false
	return s.ChooseSide(core.SideText)
}

// oursChosen shows one of our formats in the place of what was sent.
type oursChosen struct{ Format dump.Format }

// Apply implements [core.Msg].
func (m oursChosen) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Ours = true
	return core.Update(s, core.FormatChosen{Format: m.Format})
}

// sentDoc is the text of the page as it was sent in the turn in view, nil where none was.
func sentDoc(s core.State) *core.Doc {
	if r := sentrequest.Of(s); s.Current != nil && r.Turn == s.Current {
		return r.Sent
	}
	return nil
}

// SentInView reports whether the side Text shows what was sent.
func SentInView(s core.State) bool { return !modelOf(s).Ours && sentDoc(s) != nil }

// docInView is the text that the side Text shows: as it was sent, or in the format that was chosen; nil where it is not
// made yet.
func docInView(s core.State) *core.Doc {
	switch r := sentrequest.Of(s); {
	case SentInView(s):
		return sentDoc(s)
	case !modelOf(s).Ours && r.Asked && r.Turn == s.Current:
		return nil // what was sent comes first, and is about to be there
	case pageless(s):
		return nil
	}
	return s.Doc(s.Format)
}

// pageless reports whether no page belongs to the turn in view: our formats would be a text of nothing, which nobody
// was sent.
func pageless(s core.State) bool { return s.Current != nil && s.Current.Pageless() }

// CutVM is the strip at the end of the text in view.
type CutVM struct {
	Text string // "" hides the strip
	// Command is the id of a command that tries other limits, "" where there is none.
	Command string
}

// CutView is the strip at the end of the text in view.
func CutView(s core.State) CutVM {
	d := docInView(s)
	if s.Side != core.SideText || s.Current == nil || d == nil || d.Cut == "" {
		return CutVM{}
	}
	v := CutVM{Text: d.Cut}
	if slices.ContainsFunc(s.Sides(), func(r core.SideRow) bool { return r.Command == core.CmdWhatIf }) {
		v.Command = core.CmdWhatIf
	}
	return v
}

func commands(s core.State) []core.Command {
	list := []core.Command{{ID: cmdSent, Title: "Text as it was sent", Menu: "Text", Key: "Shift+S",
		Enabled: func(s core.State) bool { return sentDoc(s) != nil }, Checked: SentInView,
		Msg: core.Send(SentChosen{})}}
	for i, f := range s.Formats {
		c := core.Command{ID: "format." + string(f), Title: "Text as " + string(f), Menu: "Text", Gap: i == 0,
			Enabled: core.Always,
			Checked: func(s core.State) bool { return s.Format == f && s.Side == core.SideText && !SentInView(s) },
			Msg:     core.Send(oursChosen{f})}
		if i < 9 {
			c.Key = fmt.Sprintf("Ctrl+%d", i+1)
		}
		list = append(list, c)
	}
	list = append(append(list, foldCommands()...), attributesCommand())
	return append(list, core.Command{ID: "select.clear", Title: "Clear the selection", Menu: "Edit",
		Enabled: func(s core.State) bool { return s.Selected.Some() }, Msg: core.Send(core.Picked{})})
}

// turnShown looks up what was sent in the turn that came into view.
func turnShown(s core.State, _ *core.Turn) core.State {
	if sent := sentIn(s.Current); !slices.Equal(sent, modelOf(s).Sent) {
		edit(&s).Sent = sent
	}
	return s
}

// cmdSent shows the text as it was sent.
const cmdSent = "format.sent"

// Room is the side of the text formats.
func Room() core.Room {
	return core.Room{Name: "text", Commands: commands, Shown: turnShown, AfterUpdate: unfold,
		Side: &core.SideRow{Side: core.SideText, Title: "Text", Command: "side.text",
			Does: "what an agent reads", Key: "T", Place: 1,
			AfterUpdate: wanted,
			Text: func(s core.State) (*dump.Document, *core.LineTones) {
				if d := docInView(s); d != nil && d.Problem == nil {
					return d.Doc, d.Tones
				}
				return nil, nil
			}}}
}

// ViewOf is what the text pane shows.
func ViewOf(s core.State) core.DumpVM {
	v := core.DumpVM{Selected: s.Selected.Key(), Hover: s.Hover.Key(), ByNode: true}
	if s.Current == nil {
		v.Empty = s.EmptySentence("The text that an agent would read appears here after the first capture.")
		return v
	}
	v.Version = s.Current.N*16 + formatIndex(s)
	if SentInView(s) {
		v.Version = s.Current.N*16 + 15
	}
	d := docInView(s)
	switch {
	case d == nil && pageless(s) && (modelOf(s).Ours || !sentrequest.Of(s).Asked ||
		sentrequest.Of(s).Turn != s.Current):
		v.Empty = "No page belongs to this turn, so there is no text of one. What was sent and answered is in " +
			"Messages (Q)."
		if asked, _ := sentrequest.Payloads(s.Current); asked == nil {
			v.Empty = "No page belongs to this turn, so there is no text of one."
		}
	case d == nil:
		v.Empty = "Writing the text…"
	case d.Problem != nil:
		v.Empty = d.Problem.Sentence
	default:
		v.Doc, v.Tones = d.Doc, d.Tones
	}
	v = find.Lit(s, v)
	if f := foldsOf(s); f != nil && f.Doc == v.Doc { // lines that a search left have no sections
		v.Folds = f
	}
	return v
}

func formatIndex(s core.State) int {
	for i, f := range s.Formats {
		if f == s.Format {
			return i
		}
	}
	return 0
}

// modelOf is the model of the room.
func modelOf(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }
