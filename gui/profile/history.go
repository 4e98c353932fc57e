package profile

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/text"
)

// listRevisions asks for the versions of the profile in the editor where they are in
// view and not there.
func listRevisions(s core.State) []core.Effect {
	d := OpenDraft(s)
	if d == nil || Of(s).View != ProfileHistory || d.History != nil {
		return nil
	}
	return []core.Effect{readRevisions{d.File.Domain}}
}

// revisionsListed answers [readRevisions], newest first. Revisions is not nil.
type revisionsListed struct {
	Domain    string
	Revisions []profiles.Revision
	Problem   *core.Problem
}

func (m revisionsListed) Apply(s core.State) (core.State, []core.Effect) {
	if m.Problem != nil {
		s.Complain(taskProfile, m.Problem)
		return s, nil
	}
	withDraft(&s, m.Domain, func(d *Draft) {
		d.History, d.Diff = m.Revisions, nil
		if !slices.ContainsFunc(d.History, func(r profiles.Revision) bool { return r.N == d.Chosen }) {
			d.Chosen = 0
			if len(d.History) > 0 {
				d.Chosen = d.History[0].N
			}
		}
	})
	return s, diffRevision(s)
}

func (m revisionChosen) Apply(s core.State) (core.State, []core.Effect) {
	d := OpenDraft(s)
	if d == nil || d.revision(m.N) == nil {
		return s, nil
	}
	withDraft(&s, d.File.Domain, func(d *Draft) { d.Chosen, d.Diff = m.N, nil })
	return s, diffRevision(s)
}

func (d *Draft) revision(n int) *profiles.Revision {
	for i := range d.History {
		if d.History[i].N == n {
			return &d.History[i]
		}
	}
	return nil
}

// diffRevision asks for the comparison of the chosen version with the text.
func diffRevision(s core.State) []core.Effect {
	d := OpenDraft(s)
	if d == nil || Of(s).View != ProfileHistory {
		return nil
	}
	r := d.revision(d.Chosen)
	if r == nil {
		return nil
	}
	return []core.Effect{compareRevision{d.File.Domain, *r, d.Seq, d.Text}}
}

// restored puts the chosen version into the editor.
func restored() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		d := OpenDraft(s)
		if d == nil {
			return s, nil
		}
		r := d.revision(d.Chosen)
		if r == nil {
			return s, nil
		}
		restored := r.Text
		edit(&s).View = ProfileEdit
		s, effects := editDraft(s, func(d *Draft) { d.Replace(restored, 0) })
		s.Notice = &core.Notice{Source: taskProfile, Text: "Version " + text.Thousands(r.N) + " is in the editor.",
			Hint: "Save it to restore it, or undo."}
		return s, effects
	})
}
