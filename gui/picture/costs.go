package picture

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/dump"
)

// Costs is the token map on the picture (row N-11): what the text in view costs, by
// region of the page.
type Costs struct {
	On bool
	// Turn and Format are what was requested; Picture is nil until it is there.
	Turn    *core.Turn
	Format  dump.Format
	Picture *overlay.Pyramid
	Tokens  int
}

// MapCosts draws the token map of a turn in a format; [CostsMapped] answers.
type MapCosts struct {
	Turn   *core.Turn
	Format dump.Format
}

// CostsMapped answers [MapCosts].
type CostsMapped struct {
	Asked   MapCosts
	Picture *overlay.Pyramid
	Tokens  int
	Problem *core.Problem
}

func (m CostsMapped) Apply(s core.State) (core.State, []core.Effect) {
	if m.Asked != (MapCosts{Of(s).Costs.Turn, Of(s).Costs.Format}) {
		return s, nil
	}
	if m.Problem != nil {
		edit(&s).Costs = Costs{}
		s.Complain(core.TaskLoad, m.Problem)
		return s, nil
	}
	model := edit(&s)
	model.Costs.Picture, model.Costs.Tokens = m.Picture, m.Tokens
	return s, nil
}

// CostsToggled shows the token map in place of the marks, or no longer.
func CostsToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Costs.On = !Of(s).Costs.On
		return mapCosts(s, nil)
	})
}

// mapCosts asks for the token map where it is wanted and another one is there. [core.Update]
// calls it after every message, so no turn and no format can be forgotten.
func mapCosts(s core.State, effects []core.Effect) (core.State, []core.Effect) {
	if !Of(s).Costs.On || s.Current == nil || s.Current.Image == nil || Of(s).Costs.Turn == s.Current &&
		Of(s).Costs.Format == s.Format {
		return s, effects
	}
	edit(&s).Costs = Costs{On: true, Turn: s.Current, Format: s.Format}
	return s, append(effects[:len(effects):len(effects)], MapCosts{s.Current, s.Format})
}

// costsInView reports whether the token map is what the picture pane shows.
func costsInView(s core.State) bool {
	return Of(s).Costs.On && !s.ShowPrevious && Of(s).Costs.Picture != nil && Of(s).Costs.Turn == s.Current
}
