package profile

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/dump"
)

// model is the state of the profile editor (rows U-5, C-17). It follows the
// address of the turn in view. Drafts are kept, those that are not saved on disk too (file unsaved.go), so that neither
// another side, turn, domain nor session loses a word.
type model struct {
	// URL is the address that was looked up last, Seq counts the look-ups, Looking: its
	// answer is not there yet.
	URL     string
	Seq     int
	Looking bool
	// Problem is why the profile of URL could not be read.
	Problem *core.Problem
	// Open is the domain of the draft in the editor, "" for none. Pinned: it is another
	// than the page's, and stays until another page is in view.
	Open   string
	Pinned bool
	Drafts []Draft
	View   Part
	// Checks: the lower half shows lint's findings, not the effect. Whole: the effect has
	// all lines, not only those that differ.
	Checks, Whole bool
	// Kept are the drafts whose unsaved texts are on disk, so that a crash does not take them.
	Kept []keptDraft
	// Sought is the filter that the editor is to show as soon as the page's profile is there, "" for none.
	Sought string
	// Leaving: the window is to be closed once everything is saved.
	Leaving bool
}

// Part is the content of the side Profile.
type Part int

const (
	ProfileEdit Part = iota
	ProfilePreview
	ProfileHistory
)

// Draft is one domain's profile in the editor.
type Draft struct {
	// File is the profile as it was read; its Domain names the draft, and its Version is "" where there is no file.
	File profiles.File
	// Rule describes how it was found for the page.
	Rule string
	Text string
	// Seq grows with each change of Text. Given grows whenever the editor has to take
	// Text over, with the cursor at byte Cursor.
	Seq, Given, Cursor int
	past, Future       []textEdit
	// Check is what was found about the text last, nil for nothing yet; CheckedFor is
	// what was requested.
	Check      *Check
	CheckedFor checkKey
	// Theirs is the text that somebody else saved meanwhile, nil for none.
	Theirs *Conflict
	// Saving: its text is being written.
	Saving bool
	// History are the versions, newest first, nil where they were not listed; Chosen is
	// the number of the one compared with the text, Diff the comparison.
	History []profiles.Revision
	Chosen  int
	Diff    *core.ComparedText
}

// Unsaved reports whether the text is not on disk.
func (d *Draft) Unsaved() bool { return d.Text != d.File.Text }

// Exists reports whether there is a file.
func (d *Draft) Exists() bool { return d.File.Version != "" }

// Conflict is a text that somebody else saved since the draft was read. Nothing
// was overwritten.
type Conflict struct {
	Text    string
	Version profiles.Version
	// Merged has what both wrote; Clean: no line was changed by both.
	Merged string
	Clean  bool
	// Diff compares their text with ours.
	Diff *core.ComparedText
}

// Check is what is known of one text of a profile. It is immutable and made away
// from the main goroutine.
type Check struct {
	Seq     int
	Rows    []Row
	List    *core.Rows // the same, to be shown
	Outline []Section
	Recipes []Recipe
	// Problems and Fatal count lint's findings; fatal lines do nothing.
	Problems, Fatal int
	// Turn is the turn that the rest is about, nil where there was none.
	Turn *core.Turn
	// Effect is what the profile does to the turn's text in Format; nil with Why, a sentence,
	// where that could not be tried.
	Format   dump.Format
	Effect   *core.TextEffect
	Redacted int // texts that it withholds
	// Out are the elements that its filters leave out, by their index in the capture.
	Out []int
	// Unknown is how many elements come back that were never captured: the preview lacks them.
	Unknown int
	// Already is how many elements were left out when the turn was recorded.
	Already int
	Why     string
}

// Row is one line of what was found: about a line of the text, or about none where
// Line is 0.
type Row struct {
	Line int
	Text string
	Tone core.Tone
}

// Section is a part of the text in the outline: the front matter, or a section.
type Section struct {
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
	turn   *core.Turn
	format dump.Format
}

// Work on profiles.
type (
	// FindProfile looks for the profile of an address.
	FindProfile struct {
		Seq int
		URL string
	}
	// lookAgain looks, a moment later, whether the profile of an address is still the one that was found: an agent may
	// write it while it is in view.
	lookAgain struct {
		URL     string
		Domain  string
		Version profiles.Version
	}
	// CheckProfile lints the text and tries it on the turn, which may be nil. A newer one
	// makes it needless.
	CheckProfile struct {
		Domain, Text string
		Seq          int
		Turn         *core.Turn
		Format       dump.Format
		// Typed: more is likely to follow, so it waits a little.
		Typed bool
	}
	// SaveProfile writes the text where the file is still the one of Base.Version.
	SaveProfile struct {
		Base profiles.File
		Text string
	}
	// makeProfile makes a first text from the turn.
	makeProfile struct {
		Domain string
		Turn   *core.Turn
	}
	// ImportProfiles copies the profiles of cdp-skill.
	ImportProfiles struct{}
	// readRevisions lists the versions of a domain's profile.
	readRevisions struct{ Domain string }
	// compareRevision compares a version with a text.
	compareRevision struct {
		Domain   string
		Revision profiles.Revision
		Seq      int
		Text     string
	}
)

// Deeds of the window.
type (
	// focusProfile moves the keyboard to the editor, to a line of it, from 1; 0 stays.
	focusProfile struct{ Line int }
)

// draftOf is the draft of a domain, nil where there is none. It is read only.
func draftOf(s core.State, domain string) *Draft {
	for i := range Of(s).Drafts {
		if Of(s).Drafts[i].File.Domain == domain {
			return &Of(s).Drafts[i]
		}
	}
	return nil
}

// OpenDraft is the draft in the editor, nil for none. It is read only.
func OpenDraft(s core.State) *Draft {
	if Of(s).Open == "" {
		return nil
	}
	return draftOf(s, Of(s).Open)
}

// withDraft changes a draft, in a copy of the list.
func withDraft(s *core.State, domain string, change func(*Draft)) {
	list := slices.Clone(Of(*s).Drafts)
	for i := range list {
		if list[i].File.Domain != domain {
			continue
		}
		before := list[i].Unsaved()
		change(&list[i])
		if before && !list[i].Unsaved() && s.Notice != nil && s.Notice.Source == taskProfile {
			s.Notice = nil // it is about the text that went
		}
	}
	edit(s).Drafts = list
}

// unsaved are the domains whose text is not on disk.
func unsaved(s core.State) []string {
	var out []string
	for i := range Of(s).Drafts {
		if Of(s).Drafts[i].Unsaved() {
			out = append(out, Of(s).Drafts[i].File.Domain)
		}
	}
	return out
}

// fill looks the profile of the turn in view up, and tries the draft on it.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Current == nil {
		return s, nil
	}
	if !s.Paged() {
		s, _ = find(s, "")
		return Found{Seq: Of(s).Seq, Problem: &core.Problem{Sentence: s.EmptySentence("")}}.Apply(s)
	}
	s, effects := find(s, s.Current.Capture.URL) // also where it is known: others write it too
	s, more := check(s)
	return s, append(effects, more...)
}

// Returned looks the profile in view up again: a person has come back to the window, maybe from an editor of files.
func Returned() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Side != Side {
			return s, nil
		}
		return fill(s)
	})
}

// find looks the profile of a page up.
func find(s core.State, url string) (core.State, []core.Effect) {
	edit(&s).Pinned = Of(s).Pinned && url == Of(s).URL
	model := edit(&s)
	model.URL, model.Looking, model.Problem = url, true, nil
	edit(&s).Seq++
	return s, []core.Effect{FindProfile{Of(s).Seq, url}}
}

// check asks for what is known of the text in the editor where that is not there yet.
func check(s core.State) (core.State, []core.Effect) {
	d := OpenDraft(s)
	if d == nil || s.Side != Side {
		return s, nil
	}
	key := checkKey{d.Seq, s.Current, s.Format}
	if d.CheckedFor == key {
		return s, nil
	}
	withDraft(&s, d.File.Domain, func(d *Draft) { d.CheckedFor = key })
	return s, []core.Effect{CheckProfile{d.File.Domain, d.Text, d.Seq, s.Current, s.Format, false}}
}

// Found answers [FindProfile]. File names the domain also where there is none.
type Found struct {
	Seq     int
	File    profiles.File
	Rule    string
	Problem *core.Problem
}

func (m Found) Apply(s core.State) (core.State, []core.Effect) {
	if m.Seq != Of(s).Seq {
		return s, nil // another page is in view by now
	}
	edit(&s).Looking = false
	if m.Problem != nil {
		edit(&s).Problem = m.Problem
		if !Of(s).Pinned {
			edit(&s).Open = ""
		}
		return s, nil
	}
	if !Of(s).Pinned {
		edit(&s).Open = m.File.Domain
	}
	if d := draftOf(s, m.File.Domain); d == nil {
		edit(&s).Drafts = append(slices.Clip(Of(s).Drafts), Draft{File: m.File, Rule: m.Rule, Text: m.File.Text,
			Given: 1, Cursor: 0})
	} else {
		withDraft(&s, m.File.Domain, func(d *Draft) {
			d.Rule, d.File.Path = m.Rule, m.File.Path
			// Where nobody wrote here, what is on disk holds. Else the draft keeps the
			// version that it was made from, and saving it finds the conflict.
			if !d.Unsaved() {
				d.take(m.File)
			}
		})
	}
	s, more := check(s)
	more = append(more, listRevisions(s)...)
	s, there := seek(s)
	more = append(more, there...)
	if s.Side == Side {
		more = append(more, lookAgain{Of(s).URL, m.File.Domain, m.File.Version})
	}
	return s, more
}

// lookedAgain answers [lookAgain]. changed: the profile is another one now. A draft of an earlier version that was
// brought back to the text of that version, by undo or Revert, takes what is on disk too.
func lookedAgain(e lookAgain, changed bool) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		d := draftOf(s, e.Domain)
		earlier := d != nil && !d.Unsaved() && d.File.Version != e.Version
		switch {
		case s.Side != Side || e.URL != Of(s).URL || Of(s).Looking:
			return s, nil // whoever comes back looks it up
		case changed || earlier:
			return find(s, e.URL)
		}
		return s, []core.Effect{e}
	})
}

// take makes a file the one that the draft is of, and its text the draft's.
func (d *Draft) take(f profiles.File) {
	d.File = f
	if d.Text != f.Text {
		d.Replace(f.Text, 0)
	}
}

// Checked answers [CheckProfile].
type Checked struct {
	Domain string
	Check  *Check
}

func (m Checked) Apply(s core.State) (core.State, []core.Effect) {
	d := draftOf(s, m.Domain)
	if d == nil || (checkKey{m.Check.Seq, m.Check.Turn, m.Check.Format}) != d.CheckedFor {
		return s, nil
	}
	withDraft(&s, m.Domain, func(d *Draft) { d.Check = m.Check })
	return s, nil
}

// Of is the model of the room.
func Of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }
