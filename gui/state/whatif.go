package state

import (
	"slices"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format/aria"
)

// WhatIfSetup is one way to render the turn in view: what the controls of the side
// What-if say (row N-6). It is comparable; the zero value is the format's defaults.
type WhatIfSetup struct {
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

// WhatIfPane is the state of the side What-if. Its setup stays while the window lives,
// whatever turn is in view.
type WhatIfPane struct {
	Setup WhatIfSetup
	// Whole shows all lines, not only those that differ.
	Whole bool
	// Asked and AskedOf are what was asked for last, Built what came of it, nil for none
	// yet; Problem is why it could not be made.
	Asked   WhatIfSetup
	AskedOf *Turn
	Built   *WhatIfBuilt
	Problem *Problem
	// Version grows whenever the controls must take the setup over.
	Version int
}

// WhatIfBuilt is what one setup does to a turn. It is immutable.
type WhatIfBuilt struct {
	Turn          *Turn
	Setup         WhatIfSetup
	Differ, Whole *ComparedText
}

// CompareWhatIf renders a turn by default and as the setup says, and compares the two. A
// newer one makes an older one that has not begun needless.
type CompareWhatIf struct {
	Turn  *Turn
	Setup WhatIfSetup
}

func (CompareWhatIf) effect() {}

type (
	// WhatIfChanged: a control was moved. Given: the setup comes from elsewhere, and the
	// controls have to take it over.
	WhatIfChanged struct {
		Setup WhatIfSetup
		Given bool
	}
	// WhatIfReset puts all controls back but the format.
	WhatIfReset struct{}
	// WhatIfWholeToggled shows all lines, or those that differ.
	WhatIfWholeToggled struct{}
	// WhatIfCopied copies the command that does the same.
	WhatIfCopied struct{}
	// WhatIfCompared answers [CompareWhatIf].
	WhatIfCompared struct {
		Turn    *Turn
		Setup   WhatIfSetup
		Built   *WhatIfBuilt
		Problem *Problem
	}
)

func (m WhatIfChanged) apply(s State) (State, []Effect) {
	s.WhatIf.Setup = m.Setup
	if m.Given {
		s.WhatIf.Version++
	}
	return s.whatIf()
}

func (WhatIfReset) apply(s State) (State, []Effect) {
	s.WhatIf.Setup = WhatIfSetup{Format: s.WhatIf.Setup.Format}
	s.WhatIf.Version++
	return s.whatIf()
}

func (WhatIfWholeToggled) apply(s State) (State, []Effect) {
	s.WhatIf.Whole = !s.WhatIf.Whole
	return s, nil
}

func (WhatIfCopied) apply(s State) (State, []Effect) {
	if s.Shown == nil {
		return s, nil
	}
	return s, []Effect{CopyText{s.whatIfCommand()}}
}

func (m WhatIfCompared) apply(s State) (State, []Effect) {
	if m.Turn != s.WhatIf.AskedOf || m.Setup != s.WhatIf.Asked {
		return s, nil // an older one
	}
	s.WhatIf.Problem = m.Problem
	if m.Built != nil {
		s.WhatIf.Built = m.Built
	}
	return s, nil
}

// whatIfSetup is the setup with its format named.
func (s State) whatIfSetup() WhatIfSetup {
	w := s.WhatIf.Setup
	if w.Format == "" {
		w.Format = s.Format
	}
	return w
}

// whatIf asks for what the setup does to the turn in view where that is not there yet.
func (s State) whatIf() (State, []Effect) {
	setup := s.whatIfSetup()
	if s.Side != SideWhatIf || s.Shown == nil || s.WhatIf.AskedOf == s.Shown && s.WhatIf.Asked == setup {
		return s, nil
	}
	s.WhatIf.Asked, s.WhatIf.AskedOf, s.WhatIf.Problem = setup, s.Shown, nil
	return s, []Effect{CompareWhatIf{s.Shown, setup}}
}

func whatIfCommands() []Command {
	on := func(s State) bool { return s.Side == SideWhatIf && s.Shown != nil }
	return []Command{
		{ID: CmdWhatIfWhole, Title: "What-if: all lines", Menu: "Tools", Gap: true, Enabled: on,
			Checked: func(s State) bool { return s.WhatIf.Whole }, Msg: send(WhatIfWholeToggled{})},
		{ID: CmdWhatIfReset, Title: "What-if: reset", Menu: "Tools",
			Enabled: func(s State) bool {
				return on(s) && s.WhatIf.Setup != WhatIfSetup{Format: s.WhatIf.Setup.Format}
			}, Msg: send(WhatIfReset{})},
		{ID: CmdWhatIfCopy, Title: "What-if: copy the command", Menu: "Tools", Enabled: on, Msg: send(WhatIfCopied{})},
	}
}

// Ids of the side's commands beside [CmdWhatIf].
const (
	CmdWhatIfWhole = "whatif.whole"
	CmdWhatIfReset = "whatif.reset"
	CmdWhatIfCopy  = "whatif.copy"
)

// WhatIfVM is what the side What-if shows. Compare with [WhatIfVM.Equal].
type WhatIfVM struct {
	Setup   WhatIfSetup // with its format named
	Version int         // grows whenever the fields must take the setup over
	Whole   bool
	// Ready: there is a turn. CanReset: a control is not at its default.
	Ready, CanReset bool
	Bar             []StatusItem
	Text            DumpVM
}

// Equal reports whether both show the same.
func (v WhatIfVM) Equal(o WhatIfVM) bool {
	return v.Setup == o.Setup && v.Version == o.Version && v.Whole == o.Whole && v.Ready == o.Ready && v.CanReset == o.CanReset && v.Text == o.Text && slices.Equal(v.Bar, o.Bar)
}

// WhatIfSide is what the side What-if shows.
func (s State) WhatIfSide() WhatIfVM {
	p := s.WhatIf
	v := WhatIfVM{Setup: s.whatIfSetup(), Version: p.Version, Whole: p.Whole, Ready: s.Shown != nil}
	v.CanReset = p.Setup != WhatIfSetup{Format: p.Setup.Format}
	v.Text.Selected, v.Text.Hover = s.Selected.Ref, s.Hover.Ref
	b := p.Built
	switch {
	case s.Shown == nil:
		v.Text.Empty = s.emptySentence("What other settings do to a page's text appears here after the first capture.")
		return v
	case p.Problem != nil:
		v.Text.Empty = p.Problem.Sentence
		return v
	case b == nil || b.Turn != s.Shown || b.Setup.Format != v.Setup.Format:
		v.Text.Empty = "Writing the two texts…"
		return v
	}
	v.Bar = b.Differ.Counts.Facts()
	if b.Setup != v.Setup { // the next answer is on its way
		v.Bar = append(v.Bar, StatusItem{"…", ToneMuted})
	}
	text := b.Differ
	if p.Whole {
		text = b.Whole
	}
	if len(text.Doc.Lines) == 0 {
		v.Text.Empty = "With these settings the text is the same. Move a slider, or name a selector to leave out."
		return v
	}
	v.Text.Doc, v.Text.Tones, v.Text.Version = text.Doc, text.Tones, s.Shown.N
	return v
}
