package core

import (
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/dump"
)

// Costs is the token map on the picture (row N-11): what the text in view costs, by
// region of the page.
type Costs struct {
	On bool
	// Turn and Format are what was asked for; Picture is nil until it is there.
	Turn    *Turn
	Format  dump.Format
	Picture *overlay.Pyramid
	Tokens  int
}

// MapCosts draws the token map of a turn in a format; [CostsMapped] answers.
type MapCosts struct {
	Turn   *Turn
	Format dump.Format
}

// CostsMapped answers [MapCosts].
type CostsMapped struct {
	Turn    *Turn
	Format  dump.Format
	Picture *overlay.Pyramid
	Tokens  int
	Problem *Problem
}

func (m CostsMapped) Apply(s State) (State, []Effect) {
	if s.Costs.Turn != m.Turn || s.Costs.Format != m.Format {
		return s, nil
	}
	if m.Problem != nil {
		s.Costs = Costs{}
		s.complain(TaskLoad, m.Problem)
		return s, nil
	}
	s.Costs.Picture, s.Costs.Tokens = m.Picture, m.Tokens
	return s, nil
}

// CostsToggled shows the token map in place of the marks, or no longer.
type CostsToggled struct{}

func (CostsToggled) Apply(s State) (State, []Effect) {
	s.Costs.On = !s.Costs.On
	return s.mapCosts(nil)
}

// mapCosts asks for the token map where it is wanted and another one is there. [Update]
// calls it after every message, so no turn and no format can be forgotten.
func (s State) mapCosts(effects []Effect) (State, []Effect) {
	if !s.Costs.On || s.Shown == nil || s.Shown.Image == nil || s.Costs.Turn == s.Shown && s.Costs.Format == s.Format {
		return s, effects
	}
	s.Costs = Costs{On: true, Turn: s.Shown, Format: s.Format}
	return s, append(effects[:len(effects):len(effects)], MapCosts{s.Shown, s.Format})
}

// costsInView reports whether the token map is what the picture pane shows.
func (s State) costsInView() bool {
	return s.Costs.On && !s.Back && s.Costs.Picture != nil && s.Costs.Turn == s.Shown
}
