package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/text"
)

// What a person does in the side Profile, and what comes back.
type (
	// Typed says that the text in the editor of a domain is another one. Given is that of
	// the text that the editor was given; where another was given since, it is too late.
	Typed struct {
		Domain string
		Given  int
		Text   string
	}
	// undone goes a step back in the text, or on where Redo is set.
	undone struct{ Redo bool }
	// jumped goes to a line of the text, from 1.
	jumped struct{ Line int }
	// SectionChosen goes to a section, or adds it where there is none.
	SectionChosen struct{ Name string }
	// reverted puts the text on disk back into the editor.
	reverted struct{}
	// revisionChosen compares a version with the text.
	revisionChosen struct{ N int }
	// LeavingChosen answers the question before the window closes.
	LeavingChosen struct{ Save bool }
)

// ConflictChoice resolves a conflict between two texts of one profile.
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

func (m Typed) Apply(s core.State) (core.State, []core.Effect) {
	if d := draftOf(s, m.Domain); d == nil || d.Given != m.Given {
		return s, nil
	}
	withDraft(&s, m.Domain, func(d *Draft) { d.Typed(m.Text) })
	s, effects := check(s)
	for i, e := range effects {
		if c, ok := e.(CheckProfile); ok {
			c.Typed = true
			effects[i] = c
		}
	}
	return s, effects
}

// editDraft changes the draft in the editor and has it checked.
func editDraft(s core.State, change func(*Draft)) (core.State, []core.Effect) {
	d := OpenDraft(s)
	if d == nil {
		return s, nil
	}
	withDraft(&s, d.File.Domain, change)
	s, effects := check(s)
	return s, append(effects, diffRevision(s)...)
}

func (m undone) Apply(s core.State) (core.State, []core.Effect) {
	return editDraft(s, func(d *Draft) {
		if m.Redo {
			d.Redo()
		} else {
			d.Undo()
		}
	})
}

// viewed changes between text, preview and history.
func viewed(view Part) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).View, s.Side = view, Side
		s, effects := fill(s)
		if view == ProfileHistory {
			effects = append(effects, listRevisions(s)...)
		}
		return s, append(effects, diffRevision(s)...)
	})
}

// checksToggled shows lint's findings below the text, or the effect again.
func checksToggled(on bool) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Checks = on
		return s, nil
	})
}

// wholeToggled shows all lines of the effect, or those that differ.
func wholeToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Whole = !Of(s).Whole
		return s, nil
	})
}

func (m jumped) Apply(s core.State) (core.State, []core.Effect) {
	if OpenDraft(s) == nil || m.Line < 1 {
		return s, nil
	}
	edit(&s).View = ProfileEdit
	return s, []core.Effect{focusProfile(m)}
}

// ruleAsked opens the page's profile at the line of a filter.
func ruleAsked(rule string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		model.View, model.Pinned, model.Sought = ProfileEdit, false, rule
		return s.ChooseSide(Side)
	})
}

// seek goes to the line of the filter that is sought, where the page's profile is in the editor.
func seek(s core.State) (core.State, []core.Effect) {
	rule, d := Of(s).Sought, OpenDraft(s)
	if rule == "" || d == nil || Of(s).Looking {
		return s, nil
	}
	edit(&s).Sought = ""
	p, _ := profiles.Parse(d.Text)
	i := slices.IndexFunc(p.Front.Filter, func(r profiles.Rule) bool { return r.Text == rule })
	if i < 0 {
		s.Notice = &core.Notice{Tone: core.ToneWarn, Source: taskProfile, Text: "The profile of " +
			text.Line(d.File.Domain) + " does not have the filter " + text.Cut(text.Line(rule), 61) + " any more."}
		return s, []core.Effect{focusProfile{}}
	}
	return jumped{p.Front.Filter[i].Line}.Apply(s)
}

func (m SectionChosen) Apply(s core.State) (core.State, []core.Effect) {
	d := OpenDraft(s)
	if d == nil || d.Check == nil {
		return s, nil
	}
	parts := d.Check.Outline
	i := slices.IndexFunc(parts, func(p Section) bool { return p.Name == m.Name })
	if i < 0 {
		return s, nil
	}
	if parts[i].Line > 0 {
		return jumped{parts[i].Line}.Apply(s)
	}
	if d.Check.Seq != d.Seq {
		return s, nil // the outline is of another text
	}
	edit(&s).View = ProfileEdit
	s, effects := editDraft(s, func(d *Draft) {
		if m.Name == profileFront {
			d.Replace(profiles.CommentedRules()+d.Text, len("---\n"))
			return
		}
		text, at := withSection(d.Text, m.Name, parts)
		d.Replace(text, at)
	})
	return s, append(effects, focusProfile{})
}

// profileFront is the name of the front matter in the outline.
const profileFront = "Rules"

// SaveAsked saves the text in the editor.
func SaveAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		d := OpenDraft(s)
		if d == nil {
			return s, nil
		}
		return save(s, d.File.Domain)
	})
}

// save writes a draft. One that is being written, and one with a conflict to be decided,
// is not written again.
func save(s core.State, domain string) (core.State, []core.Effect) {
	d := draftOf(s, domain)
	switch {
	case d == nil || d.Saving || !d.Unsaved() && !d.File.Fallback:
		return s, nil
	case d.Theirs != nil:
		s.Notice = &core.Notice{Tone: core.ToneWarn, Source: taskProfile, Text: "Somebody else saved " +
			text.Cut(text.Line(domain), 80) + " meanwhile.",
			Hint: "Choose which of the two texts to keep first.", Command: CmdProfile}
		return s, nil
	}
	e := SaveProfile{Base: d.File, Text: d.Text}
	withDraft(&s, domain, func(d *Draft) { d.Saving = true })
	return s, []core.Effect{e}
}

// Saved answers [SaveProfile].
type Saved struct {
	Domain string
	// Faults are lines that do nothing, so that nothing was written; Doubts what is wrong
	// with a text that was.
	Faults, Doubts []Row
	File           profiles.File
	Conflict       *Conflict
	Problem        *core.Problem
}

func (m Saved) Apply(s core.State) (core.State, []core.Effect) {
	d := draftOf(s, m.Domain)
	if d == nil || !d.Saving {
		return s, nil
	}
	withDraft(&s, m.Domain, func(d *Draft) { d.Saving = false })
	name := text.Cut(text.Line(m.Domain), 80)
	switch {
	case len(m.Faults) > 0:
		edit(&s).Leaving = false
		pin(&s, m.Domain)
		edit(&s).Checks = true
		s.Notice = &core.Notice{Tone: core.ToneBad, Source: taskProfile, Text: "The profile of " + name +
			" was not saved: " + faultWords(m.Faults[0]) + ".",
			Hint: "Correct the line, or undo; the text stays in the editor."}
		s, effects := s.ChooseSide(Side)
		return s, append(effects, focusProfile{Line: m.Faults[0].Line})
	case m.Problem != nil:
		edit(&s).Leaving = false
		s.Complain(taskProfile, m.Problem)
		return s, nil
	case m.Conflict != nil:
		edit(&s).Leaving = false
		withDraft(&s, m.Domain, func(d *Draft) { d.Theirs = m.Conflict })
		pin(&s, m.Domain)
		s.Notice = &core.Notice{Tone: core.ToneWarn, Source: taskProfile, Text: "Not saved: somebody else changed " +
			name + " meanwhile.",
			Hint: "Both texts are kept; choose which to save."}
		return s.ChooseSide(Side)
	}
	withDraft(&s, m.Domain, func(d *Draft) { d.File, d.History, d.Diff = m.File, nil, nil })
	if Of(s).Leaving {
		return leave(s)
	}
	s.Notice = &core.Notice{Tone: core.ToneGood, Source: taskProfile, Text: "Saved the profile of " + name + ".",
		Hint: "Applies from the next capture.", Command: core.CmdCapture}
	if n := len(m.Doubts); n > 0 {
		s.Notice.Tone = core.ToneWarn
		s.Notice.Text = "Saved the profile of " + name + " with " + text.Count(n, "problem", "problems") + ": " +
			faultWords(m.Doubts[0]) + "."
	}
	effects := listRevisions(s)
	if s.Current != nil { // it may be found by another rule now
		var more []core.Effect
		s, more = find(s, s.Current.Capture.URL)
		effects = append(effects, more...)
	}
	return s, effects
}

// faultWords are a problem of a text with its line.
func faultWords(r Row) string {
	return fmt.Sprintf("line %d, %s", r.Line, text.Cut(text.Line(r.Text), 160))
}

func (reverted) Apply(s core.State) (core.State, []core.Effect) {
	return editDraft(s, func(d *Draft) {
		if d.Unsaved() {
			d.Replace(d.File.Text, 0)
		}
	})
}

// makeAsked makes a first text from the page.
func makeAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		d := OpenDraft(s)
		if d == nil || s.Current == nil || strings.TrimSpace(d.Text) != "" {
			return s, nil
		}
		return s, []core.Effect{makeProfile{d.File.Domain, s.Current}}
	})
}

// made answers makeProfile.
func made(domain, words string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		d := draftOf(s, domain)
		if d == nil || strings.TrimSpace(d.Text) != "" {
			return s, nil // somebody wrote meanwhile
		}
		withDraft(&s, domain, func(d *Draft) { d.Replace(words, 0) })
		s, effects := check(s)
		return s, append(effects, focusProfile{})
	})
}

// importAsked copies the profiles of cdp-skill.
func importAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		return s, []core.Effect{ImportProfiles{}}
	})
}

// Imported answers [ImportProfiles].
type Imported struct {
	Folder                     string
	Taken, Same, Kept, Refused int
	Problem                    *core.Problem
}

func (m Imported) Apply(s core.State) (core.State, []core.Effect) {
	if m.Problem != nil {
		s.Complain(taskProfile, m.Problem)
		return s, nil
	}
	n := &core.Notice{Source: taskProfile, Tone: core.ToneGood, Text: text.Count(m.Taken, "profile", "profiles") +
		" imported from " + text.Cut(text.Line(m.Folder), 120) + "."}
	if m.Same+m.Kept+m.Refused > 0 {
		n.Hint = text.Thousands(m.Same) + " the same, " + text.Thousands(m.Kept) + " kept as they are here, " +
			text.Thousands(m.Refused) + " refused."
	}
	if m.Taken == 0 {
		n.Tone = core.ToneNormal
	}
	if m.Taken+m.Same+m.Kept+m.Refused == 0 {
		n.Text = "There are no profiles in " + text.Cut(text.Line(m.Folder), 120) + "."
	}
	s.Notice = n
	if s.Current == nil {
		return s, nil
	}
	return find(s, s.Current.Capture.URL)
}

// draftChosen opens the unsaved text of another domain.
func draftChosen(domain string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if draftOf(s, domain) == nil {
			return s, nil
		}
		pin(&s, domain)
		return s.ChooseSide(Side)
	})
}

// pin opens a draft, whatever page is in view.
func pin(s *core.State, domain string) {
	model := edit(s)
	model.Open, model.View, model.Pinned = domain, ProfileEdit, true
}

// Resolved settles a conflict.
func Resolved(choice ConflictChoice) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		d := OpenDraft(s)
		if d == nil || d.Theirs == nil {
			return s, nil
		}
		theirs := *d.Theirs
		if s.Notice != nil && s.Notice.Source == taskProfile {
			s.Notice = nil
		}
		return editDraft(s, func(d *Draft) {
			d.Theirs = nil
			d.File.Text, d.File.Version = theirs.Text, theirs.Version
			switch choice {
			case TakeTheirs:
				d.Replace(theirs.Text, 0)
			case KeepBoth:
				d.Replace(theirs.Merged, 0)
			}
		})
	})
}
