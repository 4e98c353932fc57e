package core

import "slices"

// Closing the window.

func (CloseAsked) Apply(s State) (State, []Effect) {
	if len(s.unsaved()) == 0 {
		return s, []Effect{Quit{}}
	}
	s.Dialog = DialogUnsaved
	return s, nil
}

func (m LeavingChosen) Apply(s State) (State, []Effect) {
	s.close(DialogUnsaved)
	if !m.Save {
		return s, []Effect{Quit{}}
	}
	s.Profile.Leaving = true
	var effects []Effect
	for _, domain := range s.unsaved() {
		if s.draft(domain).Theirs != nil {
			s.Profile.Leaving = false
			s.pin(domain)
		}
		var more []Effect
		s, more = s.save(domain)
		effects = append(effects, more...)
	}
	return s, effects
}

// leave closes the window once nothing is being written and everything is saved.
func (s State) leave() (State, []Effect) {
	if slices.ContainsFunc(s.Profile.Drafts, func(d Draft) bool { return d.Saving }) {
		return s, nil
	}
	s.Profile.Leaving = false
	if len(s.unsaved()) > 0 {
		return CloseAsked{}.Apply(s) // somebody typed meanwhile
	}
	return s, []Effect{Quit{}}
}
