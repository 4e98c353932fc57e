package whatif

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format/aria"
)

// Setup is one way to render the turn in view: what the controls of the side
// What-if select (row N-6). It is comparable; the zero value is the format's defaults.
type Setup struct {
	Format dump.Format // "" is the one of the side Text
	// Drop are CSS selectors of what is left out, one on each line.
	Drop  string
	Query string
	// MaxChars, MaxTokens and MaxNodes are 0 for the format's own cap, −1 for none.
	MaxChars, MaxTokens, MaxNodes int
	// MinVisible is the share of an element that must be in view, in percent: 0 is the
	// format's 66, −1 no such rule.
	MinVisible int
	MaxDepth   int // levels of aria; 0 is 50, −1 all
	Detail     aria.Detail

	Compat, SummariseRepeats, MarkCovered, ViewportOnly, IncludeLayout, HashIDs, NoTemplates bool
	NoViewportPruning, KeepContainers, NoAtomic, Long, Playwright                            bool
}

// Model is the state of the side What-if. Its setup stays while the window lives,
// whatever turn is in view.
type Model struct {
	Setup Setup
	// Whole shows all lines, not only those that differ.
	Whole bool
	// Asked, AskedOf and Numbers are what was asked for last, Built what came of it, nil for none
	// yet; Problem is why it could not be made.
	Asked   Setup
	AskedOf *core.Turn
	Numbers *core.Numbers
	Built   *Built
	Problem *core.Problem
	// Version grows whenever the controls must take the setup over.
	Version int
}

// Built is what one setup does to a turn. It is immutable.
type Built struct {
	Turn   *core.Turn
	Setup  Setup
	Effect *core.TextEffect
}

// Compare renders a turn by default and with the setup, and compares the two. A
// newer one makes an older one that has not begun needless.
type Compare struct {
	Turn  *core.Turn
	Setup Setup
	// Numbers are what is shown for refs, nil for the refs.
	Numbers *core.Numbers
}

type (
	// Changed says that a control was moved. Given: the setup comes from elsewhere, and the
	// controls have to take it over.
	Changed struct {
		Setup Setup
		Given bool
	}
	// Compared answers [Compare].
	Compared struct {
		Asked   Compare
		Built   *Built
		Problem *core.Problem
	}
)

func (m Changed) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Setup = m.Setup
	if m.Given {
		edit(&s).Version++
	}
	return fill(s)
}

// reset puts all controls back but the format.
func reset() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Setup = Setup{Format: Of(s).Setup.Format}
		edit(&s).Version++
		return fill(s)
	})
}

// wholeToggled shows all lines, or those that differ.
func wholeToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Whole = !Of(s).Whole
		return s, nil
	})
}

// copied copies the command that does the same.
func copied() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Current == nil {
			return s, nil
		}
		return s, []core.Effect{core.CopyText{Text: command(s)}}
	})
}

func (m Compared) Apply(s core.State) (core.State, []core.Effect) {
	if m.Asked != (Compare{Of(s).AskedOf, Of(s).Asked, s.Numbers()}) {
		return s, nil // an older one
	}
	edit(&s).Problem = m.Problem
	if m.Built != nil {
		edit(&s).Built = m.Built
	}
	return s, nil
}

// setup is the setup with its format named.
func setup(s core.State) Setup {
	w := Of(s).Setup
	if w.Format == "" {
		w.Format = s.Format
	}
	return w
}

// fill asks for what the setup does to the turn in view where that is not there yet.
func fill(s core.State) (core.State, []core.Effect) {
	setup := setup(s)
	if s.Side != Side || !s.Paged() ||
		Of(s).AskedOf == s.Current && Of(s).Asked == setup && Of(s).Numbers == s.Numbers() {
		return s, nil
	}
	model := edit(&s)
	model.Asked, model.AskedOf, model.Numbers, model.Problem = setup, s.Current, s.Numbers(), nil
	return s, []core.Effect{Compare{s.Current, setup, s.Numbers()}}
}

func commands(core.State) []core.Command {
	on := func(s core.State) bool { return s.Side == Side && s.Paged() }
	return []core.Command{
		{ID: CmdWhole, Title: "What-if: all lines", Menu: "Tools", Gap: true, Enabled: on,
			Checked: func(s core.State) bool { return Of(s).Whole }, Msg: core.Send(wholeToggled())},
		{ID: CmdReset, Title: "What-if: reset", Menu: "Tools",
			Enabled: func(s core.State) bool {
				return on(s) && Of(s).Setup != Setup{Format: Of(s).Setup.Format}
			}, Msg: core.Send(reset())},
		{ID: CmdCopy, Title: "What-if: copy the command", Menu: "Tools", Enabled: on, Msg: core.Send(copied())},
	}
}

// Ids of the side's commands beside [core.CmdWhatIf].
const (
	CmdWhole = "whatif.whole"
	CmdReset = "whatif.reset"
	CmdCopy  = "whatif.copy"
)

// VM is what the side What-if shows. Compare with [VM.Equal].
type VM struct {
	Setup   Setup // with its format named
	Version int   // grows whenever the fields must take the setup over
	Whole   bool
	// Ready: there is a page. CanReset: a control is not at its default.
	Ready, CanReset bool
	Bar             []core.StatusItem
	// List are the lines that differ, Text all of them where that is wanted.
	List core.ListVM
	Text core.DumpVM
}

// Equal reports whether both show the same.
func (v VM) Equal(o VM) bool {
	return v.Setup == o.Setup && v.Version == o.Version && v.Whole == o.Whole && v.Ready == o.Ready &&
		v.CanReset == o.CanReset && v.List == o.List && v.Text == o.Text && slices.Equal(v.Bar, o.Bar)
}

// ViewOf is what the side What-if shows.
func ViewOf(s core.State) VM {
	p := Of(s)
	v := VM{Setup: setup(s), Version: p.Version, Whole: p.Whole, Ready: s.Paged()}
	v.CanReset = p.Setup != Setup{Format: p.Setup.Format}
	v.Text.Selected, v.Text.Hover = s.Selected.Ref, s.Hover.Ref
	v.List = s.List()
	b := p.Built
	switch {
	case !s.Paged():
		v.List.Empty = s.EmptySentence("What other settings do to a page's text appears here after the first capture.")
		return v
	case p.Problem != nil:
		v.List.Empty = p.Problem.Sentence
		return v
	case b == nil || b.Turn != s.Current || b.Setup.Format != v.Setup.Format:
		v.List.Empty = "Writing the two texts…"
		return v
	}
	v.Bar = b.Effect.Counts.Facts()
	if b.Setup != v.Setup { // the next answer is on its way
		v.Bar = append(v.Bar, core.StatusItem{Text: "…", Tone: core.ToneMuted})
	}
	if !b.Effect.Counts.Any() {
		v.List.Empty = "The text is the same with these settings. Move a slider, or enter a selector to leave out."
	}
	v.List.Rows = b.Effect.Differ
	v.Text.Doc, v.Text.Tones, v.Text.Version = b.Effect.Whole.Doc, b.Effect.Whole.Tones, s.Current.N
	return v
}

// Room is the side of the text with other settings.
func Room() core.Room {
	return core.Room{Name: "what-if", Commands: commands,
		Side: &core.SideRow{Side: Side, Title: "What-if", Command: core.CmdWhatIf, Does: "the text with other settings",
			Key: "W", Place: 7, Whole: true, AfterUpdate: fill}}
}

// Side is the text with other settings.
const Side core.Side = "what-if"

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
