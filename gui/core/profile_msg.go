package core

import (
	"slices"
	"strings"
)

// What a person does in the side Profile, and what comes back.
type (
	// ProfileTyped: the text in the editor of a domain is another one. Given is that of
	// the text that the editor was given; where another was given since, it is too late.
	ProfileTyped struct {
		Domain string
		Given  int
		Text   string
	}
	// ProfileUndone goes a step back in the text, or on where Redo is set.
	ProfileUndone struct{ Redo bool }
	// ProfileViewed changes between text, preview and history.
	ProfileViewed struct{ View ProfileView }
	// ProfileChecksToggled shows what lint says below the text, or the effect again.
	ProfileChecksToggled struct{ On bool }
	// ProfileWholeToggled shows all lines of the effect, or those that differ.
	ProfileWholeToggled struct{}
	// ProfileJumped goes to a line of the text, from 1.
	ProfileJumped struct{ Line int }
	// ProfilePartChosen goes to a section, or adds it where there is none.
	ProfilePartChosen struct{ Name string }
	// ProfileSaveAsked saves the text in the editor.
	ProfileSaveAsked struct{}
	// ProfileReverted puts the text on disk back into the editor.
	ProfileReverted struct{}
	// ProfileMakeAsked makes a first text from the page.
	ProfileMakeAsked struct{}
	// ProfileImportAsked copies the profiles of cdp-skill.
	ProfileImportAsked struct{}
	// ProfileDraftChosen opens the unsaved text of another domain.
	ProfileDraftChosen struct{ Domain string }
	// ProfileRevisionChosen compares a version with the text.
	ProfileRevisionChosen struct{ N int }
	// ProfileRestored puts the chosen version into the editor.
	ProfileRestored struct{}
	// ProfileResolved says what becomes of a conflict.
	ProfileResolved struct{ Choice ConflictChoice }
	// CloseAsked closes the window, or asks first where something is not saved.
	CloseAsked struct{}
	// LeavingChosen answers the question before the window closes.
	LeavingChosen struct{ Save bool }
)

// ConflictChoice is what becomes of two texts of one profile.
type ConflictChoice string

const (
	// KeepMine: the editor's text stays; saved, it replaces theirs, which goes to the
	// history.
	KeepMine ConflictChoice = "mine"
	// TakeTheirs: their text comes into the editor; undo brings ours back.
	TakeTheirs ConflictChoice = "theirs"
	// KeepBoth: a text with what both wrote comes into the editor.
	KeepBoth ConflictChoice = "both"
)

func (m ProfileTyped) Apply(s State) (State, []Effect) {
	if d := s.draft(m.Domain); d == nil || d.Given != m.Given {
		return s, nil
	}
	s.withDraft(m.Domain, func(d *Draft) { d.typed(m.Text) })
	s, effects := s.check()
	for i, e := range effects {
		if c, ok := e.(CheckProfile); ok {
			c.Typed = true
			effects[i] = c
		}
	}
	return s, effects
}

// editDraft changes the draft in the editor and has it checked.
func (s State) editDraft(change func(*Draft)) (State, []Effect) {
	d := s.OpenDraft()
	if d == nil {
		return s, nil
	}
	s.withDraft(d.File.Domain, change)
	s, effects := s.check()
	return s, append(effects, s.diffRevision()...)
}

func (m ProfileUndone) Apply(s State) (State, []Effect) {
	return s.editDraft(func(d *Draft) {
		if m.Redo {
			d.redo()
		} else {
			d.undo()
		}
	})
}

func (m ProfileViewed) Apply(s State) (State, []Effect) {
	s.Profile.View, s.Side = m.View, SideProfile
	s, effects := s.fillProfile()
	if m.View == ProfileHistory {
		effects = append(effects, s.listRevisions()...)
	}
	return s, append(effects, s.diffRevision()...)
}

func (m ProfileChecksToggled) Apply(s State) (State, []Effect) {
	s.Profile.Checks = m.On
	return s, nil
}

func (ProfileWholeToggled) Apply(s State) (State, []Effect) {
	s.Profile.Whole = !s.Profile.Whole
	return s, nil
}

func (m ProfileJumped) Apply(s State) (State, []Effect) {
	if s.OpenDraft() == nil || m.Line < 1 {
		return s, nil
	}
	s.Profile.View = ProfileEdit
	return s, []Effect{FocusProfile(m)}
}

func (m ProfilePartChosen) Apply(s State) (State, []Effect) {
	d := s.OpenDraft()
	if d == nil || d.Check == nil {
		return s, nil
	}
	parts := d.Check.Outline
	i := slices.IndexFunc(parts, func(p ProfilePart) bool { return p.Name == m.Name })
	if i < 0 {
		return s, nil
	}
	if parts[i].Line > 0 {
		return ProfileJumped{parts[i].Line}.Apply(s)
	}
	if d.Check.Seq != d.Seq || tooBig(d.Text) != "" {
		return s, nil // the outline is of another text
	}
	s.Profile.View = ProfileEdit
	s, effects := s.editDraft(func(d *Draft) {
		if m.Name == ProfileFront {
			d.replace("---\nfilter:\n  - \n---\n"+d.Text, len("---\nfilter:\n  - "))
			return
		}
		text, at := withSection(d.Text, m.Name, parts)
		d.replace(text, at)
	})
	return s, append(effects, FocusProfile{})
}

// ProfileFront is the name of the front matter in the outline.
const ProfileFront = "Rules"

func (ProfileSaveAsked) Apply(s State) (State, []Effect) {
	d := s.OpenDraft()
	if d == nil {
		return s, nil
	}
	return s.save(d.File.Domain)
}

// save writes a draft. One that is being written, and one with a conflict to be decided,
// is not written again.
func (s State) save(domain string) (State, []Effect) {
	d := s.draft(domain)
	switch {
	case d == nil || d.Saving || !d.Unsaved() && !d.File.Fallback:
		return s, nil
	case d.Theirs != nil:
		s.Notice = &Notice{Tone: ToneWarn, Source: TaskProfile, Text: "Somebody else saved " + Plain(domain, 80) + " meanwhile.",
			Hint: "Choose first what becomes of the two texts.", Command: CmdProfile}
		return s, nil
	}
	e := SaveProfile{Base: d.File, Text: d.Text, Seq: d.Seq}
	s.withDraft(domain, func(d *Draft) { d.Saving, d.SavingSeq = true, d.Seq })
	return s, []Effect{e}
}

// ProfileSaved answers [SaveProfile].
type ProfileSaved struct {
	Domain   string
	File     ProfileFile
	Conflict *ProfileConflict
	Problem  *Problem
}

func (m ProfileSaved) Apply(s State) (State, []Effect) {
	d := s.draft(m.Domain)
	if d == nil || !d.Saving {
		return s, nil
	}
	s.withDraft(m.Domain, func(d *Draft) { d.Saving = false })
	switch {
	case m.Problem != nil:
		s.Profile.Leaving = false
		s.complain(TaskProfile, m.Problem)
		return s, nil
	case m.Conflict != nil:
		s.Profile.Leaving = false
		s.withDraft(m.Domain, func(d *Draft) { d.Theirs = m.Conflict })
		s.pin(m.Domain)
		s.Notice = &Notice{Tone: ToneWarn, Source: TaskProfile, Text: "Nothing was saved: somebody else changed " + Plain(m.Domain, 80) + " meanwhile.",
			Hint: "Both texts are kept; choose what becomes of them."}
		return s.chooseSide(SideProfile)
	}
	s.withDraft(m.Domain, func(d *Draft) { d.File, d.History, d.Diff = m.File, nil, nil })
	if s.Profile.Leaving {
		return s.leave()
	}
	s.Notice = &Notice{Tone: ToneGood, Source: TaskProfile, Text: "Saved the profile of " + Plain(m.Domain, 80) + ".", Hint: "It holds from the next capture on.", Command: CmdCapture}
	effects := s.listRevisions()
	if s.Shown != nil { // it may be found by another rule now
		var more []Effect
		s, more = s.findProfile(s.Shown.Capture.URL)
		effects = append(effects, more...)
	}
	return s, effects
}

func (ProfileReverted) Apply(s State) (State, []Effect) {
	return s.editDraft(func(d *Draft) {
		if d.Unsaved() {
			d.replace(d.File.Text, 0)
		}
	})
}

func (ProfileMakeAsked) Apply(s State) (State, []Effect) {
	d := s.OpenDraft()
	if d == nil || s.Shown == nil || strings.TrimSpace(d.Text) != "" {
		return s, nil
	}
	return s, []Effect{MakeProfile{d.File.Domain, s.Shown}}
}

// ProfileMade answers [MakeProfile].
type ProfileMade struct{ Domain, Text string }

func (m ProfileMade) Apply(s State) (State, []Effect) {
	d := s.draft(m.Domain)
	if d == nil || strings.TrimSpace(d.Text) != "" {
		return s, nil // somebody wrote meanwhile
	}
	s.withDraft(m.Domain, func(d *Draft) { d.replace(m.Text, 0) })
	s, effects := s.check()
	return s, append(effects, FocusProfile{})
}

func (ProfileImportAsked) Apply(s State) (State, []Effect) { return s, []Effect{ImportProfiles{}} }

// ProfilesImported answers [ImportProfiles].
type ProfilesImported struct {
	Folder                     string
	Taken, Same, Kept, Refused int
	Problem                    *Problem
}

func (m ProfilesImported) Apply(s State) (State, []Effect) {
	if m.Problem != nil {
		s.complain(TaskProfile, m.Problem)
		return s, nil
	}
	n := &Notice{Source: TaskProfile, Tone: ToneGood, Text: Plural(m.Taken, "profile", "profiles") + " imported from " + Plain(m.Folder, 120) + "."}
	if m.Same+m.Kept+m.Refused > 0 {
		n.Hint = Thousands(m.Same) + " the same, " + Thousands(m.Kept) + " kept as they are here, " + Thousands(m.Refused) + " refused."
	}
	if m.Taken == 0 {
		n.Tone = ToneNormal
	}
	if m.Taken+m.Same+m.Kept+m.Refused == 0 {
		n.Text = "There are no profiles in " + Plain(m.Folder, 120) + "."
	}
	s.Notice = n
	if s.Shown == nil {
		return s, nil
	}
	return s.findProfile(s.Shown.Capture.URL)
}

func (m ProfileDraftChosen) Apply(s State) (State, []Effect) {
	if s.draft(m.Domain) == nil {
		return s, nil
	}
	s.pin(m.Domain)
	return s.chooseSide(SideProfile)
}

// pin opens a draft, whatever page is in view.
func (s *State) pin(domain string) {
	s.Profile.Open, s.Profile.View, s.Profile.Pinned = domain, ProfileEdit, true
}

func (m ProfileResolved) Apply(s State) (State, []Effect) {
	d := s.OpenDraft()
	if d == nil || d.Theirs == nil {
		return s, nil
	}
	theirs := *d.Theirs
	if s.Notice != nil && s.Notice.Source == TaskProfile {
		s.Notice = nil
	}
	return s.editDraft(func(d *Draft) {
		d.Theirs = nil
		d.File.Text, d.File.Version = theirs.Text, theirs.Version
		switch m.Choice {
		case TakeTheirs:
			d.replace(theirs.Text, 0)
		case KeepBoth:
			d.replace(theirs.Merged, 0)
		}
	})
}
