package core

import "slices"

// listRevisions asks for the versions of the profile in the editor where they are in
// view and not there.
func (s State) listRevisions() []Effect {
	d := s.OpenDraft()
	if d == nil || s.Profile.View != ProfileHistory || d.History != nil {
		return nil
	}
	return []Effect{ListRevisions{d.File.Domain}}
}

// ProfileRevisionsListed answers [ListRevisions], newest first. Revisions is not nil.
type ProfileRevisionsListed struct {
	Domain    string
	Revisions []ProfileRevision
	Problem   *Problem
}

func (m ProfileRevisionsListed) Apply(s State) (State, []Effect) {
	if m.Problem != nil {
		s.complain(TaskProfile, m.Problem)
		return s, nil
	}
	s.withDraft(m.Domain, func(d *Draft) {
		d.History, d.Diff = m.Revisions, nil
		if !slices.ContainsFunc(d.History, func(r ProfileRevision) bool { return r.N == d.Chosen }) {
			d.Chosen = 0
			if len(d.History) > 0 {
				d.Chosen = d.History[0].N
			}
		}
	})
	return s, s.diffRevision()
}

func (m ProfileRevisionChosen) Apply(s State) (State, []Effect) {
	d := s.OpenDraft()
	if d == nil || d.revision(m.N) == nil {
		return s, nil
	}
	s.withDraft(d.File.Domain, func(d *Draft) { d.Chosen, d.Diff = m.N, nil })
	return s, s.diffRevision()
}

func (d *Draft) revision(n int) *ProfileRevision {
	for i := range d.History {
		if d.History[i].N == n {
			return &d.History[i]
		}
	}
	return nil
}

// diffRevision asks for the comparison of the chosen version with the text.
func (s State) diffRevision() []Effect {
	d := s.OpenDraft()
	if d == nil || s.Profile.View != ProfileHistory {
		return nil
	}
	r := d.revision(d.Chosen)
	if r == nil {
		return nil
	}
	return []Effect{DiffRevision{d.File.Domain, *r, d.Seq, d.Text}}
}

func (ProfileRestored) Apply(s State) (State, []Effect) {
	d := s.OpenDraft()
	if d == nil {
		return s, nil
	}
	r := d.revision(d.Chosen)
	if r == nil {
		return s, nil
	}
	text := r.Text
	s.Profile.View = ProfileEdit
	s, effects := s.editDraft(func(d *Draft) { d.replace(text, 0) })
	s.Notice = &Notice{Source: TaskProfile, Text: "Version " + Thousands(r.N) + " is in the editor.", Hint: "Save it to restore it, or undo."}
	return s, effects
}
