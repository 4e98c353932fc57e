package profile

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
)

// Closing the window.

// CloseAsked closes the window, or asks first where something is not saved or not finished.
func CloseAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if len(unsaved(s)) == 0 && len(s.Unfinished()) == 0 {
			return s, []core.Effect{core.Quit{}}
		}
		s.Dialog = core.DialogUnsaved
		return s, nil
	})
}

func (m LeavingChosen) Apply(s core.State) (core.State, []core.Effect) {
	s.CloseDialog(core.DialogUnsaved)
	switch {
	case len(unsaved(s)) == 0:
		return s, []core.Effect{core.Quit{}}
	case !m.Save:
		return s, []core.Effect{forgetUnsaved{unsaved(s)}} // and then quit
	}
	edit(&s).Leaving = true
	var effects []core.Effect
	for _, domain := range unsaved(s) {
		if draftOf(s, domain).Theirs != nil {
			edit(&s).Leaving = false
			pin(&s, domain)
		}
		var more []core.Effect
		s, more = save(s, domain)
		effects = append(effects, more...)
	}
	return s, effects
}

// leave closes the window once nothing is being written and everything is saved.
func leave(s core.State) (core.State, []core.Effect) {
	if slices.ContainsFunc(Of(s).Drafts, func(d Draft) bool { return d.Saving }) {
		return s, nil
	}
	edit(&s).Leaving = false
	if len(unsaved(s)) > 0 {
		return CloseAsked().Apply(s) // somebody typed meanwhile
	}
	return s, []core.Effect{core.Quit{}}
}
