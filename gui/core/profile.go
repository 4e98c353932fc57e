package core

import (
	"slices"
	"time"

	"github.com/refscope/refscope/snapshot/dump"
)

// ProfilePane is the state of the profile editor (rows U-5, C-17). It follows the
// address of the turn in view. Drafts are kept while the window lives, so that neither
// another side, turn, domain nor session loses a word.
type ProfilePane struct {
	// URL is the address that was looked up last, Seq counts the look-ups, Looking: its
	// answer is not there yet.
	URL     string
	Seq     int
	Looking bool
	// Problem is why the profile of URL could not be read.
	Problem *Problem
	// Open is the domain of the draft in the editor, "" for none. Pinned: it is another
	// than the page's, and stays until another page is in view.
	Open   string
	Pinned bool
	Drafts []Draft
	View   ProfileView
	// Checks: the lower half shows what lint says, not the effect. Whole: the effect has
	// all lines, not only those that differ.
	Checks, Whole bool
	// Leaving: the window is to be closed once everything is saved.
	Leaving bool
}

// ProfileView is what the side Profile shows.
type ProfileView int

const (
	ProfileEdit ProfileView = iota
	ProfilePreview
	ProfileHistory
)

// ProfileFile is a profile as it was found. Version is the hash of its text, "" where
// there is no file.
type ProfileFile struct {
	Domain, Text, Version, Path string
	// Fallback: it was read from the folder of cdp-skill, and saving makes a copy.
	Fallback bool
}

// Draft is one domain's profile in the editor.
type Draft struct {
	File ProfileFile // as it was read; its Domain names the draft
	// Rule says how it was found for the page.
	Rule string
	Text string
	// Seq grows with each change of Text. Given grows whenever the editor has to take
	// Text over, with the cursor at byte Cursor.
	Seq, Given, Cursor int
	past, future       []edit
	// Check is what was found about the text last, nil for nothing yet; CheckedFor is
	// what was asked for.
	Check      *ProfileCheck
	CheckedFor checkKey
	// Theirs is the text that somebody else saved meanwhile, nil for none.
	Theirs *ProfileConflict
	// Saving: the text of Seq SavingSeq is being written.
	Saving    bool
	SavingSeq int
	// History are the versions, newest first, nil where they were not listed; Chosen is
	// the number of the one compared with the text, Diff the comparison.
	History []ProfileRevision
	Chosen  int
	Diff    *ComparedText
}

// Unsaved reports whether the text is not on disk.
func (d *Draft) Unsaved() bool { return d.Text != d.File.Text }

// Exists reports whether there is a file.
func (d *Draft) Exists() bool { return d.File.Version != "" }

// ProfileRevision is one version that was replaced.
type ProfileRevision struct {
	N    int
	Text string
	Time time.Time // when it was replaced
}

// ProfileConflict is a text that somebody else saved since the draft was read. Nothing
// was overwritten.
type ProfileConflict struct {
	Text, Version string
	// Merged has what both wrote; Clean: no line was changed by both.
	Merged string
	Clean  bool
	// Diff compares their text with ours.
	Diff *ComparedText
}

// ProfileCheck is what is known of one text of a profile. It is immutable and made away
// from the main goroutine.
type ProfileCheck struct {
	Seq     int
	Rows    []ProfileRow
	Outline []ProfilePart
	Recipes []Recipe
	// Problems and Fatal count what lint says; fatal lines do nothing.
	Problems, Fatal int
	// Turn is the turn that the rest is about, nil where there was none.
	Turn *Turn
	// Differ and Whole show what the profile does to the turn's text in Format; nil with
	// Why, a sentence, where that could not be tried.
	Format        dump.Format
	Differ, Whole *ComparedText
	Redacted      int // texts that it withholds
	// Already is how many elements were left out when the turn was recorded.
	Already int
	Why     string
}

// ProfileRow is one line of what was found: about a line of the text, or about none where
// Line is 0.
type ProfileRow struct {
	Line int
	Text string
	Tone Tone
}

// ProfilePart is a part of the text in the outline: the front matter, or a section.
type ProfilePart struct {
	Name string
	Line int // 0: the text has no such section
	Size int // lines that are not blank
}

// Recipe is a list of steps in the section Recipes that can be run.
type Recipe struct {
	Name  string
	Line  int
	Steps string // JSON as refscopectl run takes it
}

// checkKey is what a check depends on.
type checkKey struct {
	seq    int
	turn   *Turn
	format dump.Format
}

// Work on profiles.
type (
	// FindProfile looks for the profile of an address.
	FindProfile struct {
		Seq int
		URL string
	}
	// CheckProfile lints the text and tries it on the turn, which may be nil. A newer one
	// makes it needless.
	CheckProfile struct {
		Domain, Text string
		Seq          int
		Turn         *Turn
		Format       dump.Format
		// Typed: more is likely to follow, so it waits a little.
		Typed bool
	}
	// SaveProfile writes the text where the file is still the one of Base.Version.
	SaveProfile struct {
		Base ProfileFile
		Text string
		Seq  int
	}
	// MakeProfile makes a first text from the turn.
	MakeProfile struct {
		Domain string
		Turn   *Turn
	}
	// ImportProfiles copies the profiles of cdp-skill.
	ImportProfiles struct{}
	// ListRevisions lists the versions of a domain's profile.
	ListRevisions struct{ Domain string }
	// DiffRevision compares a version with a text.
	DiffRevision struct {
		Domain   string
		Revision ProfileRevision
		Seq      int
		Text     string
	}
)

// Deeds of the window.
type (
	// FocusProfile moves the keyboard to the editor, to a line of it, from 1; 0 stays.
	FocusProfile struct{ Line int }
)

// draft is the draft of a domain, nil where there is none. It is read only.
func (s State) draft(domain string) *Draft {
	for i := range s.Profile.Drafts {
		if s.Profile.Drafts[i].File.Domain == domain {
			return &s.Profile.Drafts[i]
		}
	}
	return nil
}

// OpenDraft is the draft in the editor, nil for none. It is read only.
func (s State) OpenDraft() *Draft {
	if s.Profile.Open == "" {
		return nil
	}
	return s.draft(s.Profile.Open)
}

// withDraft changes a draft, in a copy of the list.
func (s *State) withDraft(domain string, change func(*Draft)) {
	list := slices.Clone(s.Profile.Drafts)
	for i := range list {
		if list[i].File.Domain == domain {
			change(&list[i])
		}
	}
	s.Profile.Drafts = list
}

// unsaved are the domains whose text is not on disk.
func (s State) unsaved() []string {
	var out []string
	for i := range s.Profile.Drafts {
		if s.Profile.Drafts[i].Unsaved() {
			out = append(out, s.Profile.Drafts[i].File.Domain)
		}
	}
	return out
}

// fillProfile looks the profile of the turn in view up, and tries the draft on it.
func (s State) fillProfile() (State, []Effect) {
	if s.Shown == nil {
		return s, nil
	}
	s, effects := s.findProfile(s.Shown.Capture.URL) // also where it is known: others write it too
	s, more := s.check()
	return s, append(effects, more...)
}

func (s State) findProfile(url string) (State, []Effect) {
	s.Profile.Pinned = s.Profile.Pinned && url == s.Profile.URL
	s.Profile.URL, s.Profile.Looking, s.Profile.Problem = url, true, nil
	s.Profile.Seq++
	return s, []Effect{FindProfile{s.Profile.Seq, url}}
}

// check asks for what is known of the text in the editor where that is not there yet.
func (s State) check() (State, []Effect) {
	d := s.OpenDraft()
	if d == nil || s.Side != SideProfile {
		return s, nil
	}
	key := checkKey{d.Seq, s.Shown, s.Format}
	if d.CheckedFor == key {
		return s, nil
	}
	s.withDraft(d.File.Domain, func(d *Draft) { d.CheckedFor = key })
	return s, []Effect{CheckProfile{d.File.Domain, d.Text, d.Seq, s.Shown, s.Format, false}}
}

// ProfileFound answers [FindProfile]. File names the domain also where there is none.
type ProfileFound struct {
	Seq     int
	File    ProfileFile
	Rule    string
	Problem *Problem
}

func (m ProfileFound) Apply(s State) (State, []Effect) {
	if m.Seq != s.Profile.Seq {
		return s, nil // another page is in view by now
	}
	s.Profile.Looking = false
	if m.Problem != nil {
		s.Profile.Problem = m.Problem
		if !s.Profile.Pinned {
			s.Profile.Open = ""
		}
		return s, nil
	}
	if !s.Profile.Pinned {
		s.Profile.Open = m.File.Domain
	}
	if d := s.draft(m.File.Domain); d == nil {
		s.Profile.Drafts = append(slices.Clip(s.Profile.Drafts), Draft{File: m.File, Rule: m.Rule, Text: m.File.Text, Given: 1, Cursor: 0})
	} else {
		s.withDraft(m.File.Domain, func(d *Draft) {
			d.Rule = m.Rule
			// Where nobody wrote here, what is on disk holds. Else the draft keeps the
			// version that it was made from, and saving it finds the conflict.
			if !d.Unsaved() {
				d.take(m.File)
			}
		})
	}
	s, more := s.check()
	return s, append(more, s.listRevisions()...)
}

// take makes a file the one that the draft is of, and its text the draft's.
func (d *Draft) take(f ProfileFile) {
	d.File = f
	if d.Text != f.Text {
		d.replace(f.Text, 0)
	}
}

// ProfileChecked answers [CheckProfile].
type ProfileChecked struct {
	Domain string
	Check  *ProfileCheck
}

func (m ProfileChecked) Apply(s State) (State, []Effect) {
	d := s.draft(m.Domain)
	if d == nil || (checkKey{m.Check.Seq, m.Check.Turn, m.Check.Format}) != d.CheckedFor {
		return s, nil
	}
	s.withDraft(m.Domain, func(d *Draft) { d.Check = m.Check })
	return s, nil
}
