package core

import (
	"fmt"
	"slices"
	"strings"
)

// Ids of the commands of the side Profile.
const (
	CmdProfile        = "side.profile"
	CmdProfileSave    = "profile.save"
	CmdProfileMake    = "profile.make"
	CmdProfileImport  = "profile.import"
	CmdProfileRevert  = "profile.revert"
	CmdProfileEdit    = "profile.edit"
	CmdProfilePreview = "profile.preview"
	CmdProfileHistory = "profile.history"
	CmdProfileChecks  = "profile.checks"
	CmdProfileWhole   = "profile.whole"
	CmdProfileRestore = "profile.restore"
	CmdProfileFocus   = "profile.focus"
)

// TaskProfile marks notices about profiles.
const TaskProfile TaskKind = 100

// maxEdited is the largest text that the editor takes, in bytes.
const maxEdited = 64 << 10

// tooBig says why the editor does not take a text, "" where it does.
func tooBig(text string) string {
	if len(text) > maxEdited {
		return fmt.Sprintf("This profile has %s bytes; the editor takes up to %s. Edit its file with another program.", Thousands(len(text)), Thousands(maxEdited))
	}
	return ""
}

func profileCommands(State) []Command {
	const m = "Tools"
	open := func(s State) bool { return s.Side == SideProfile && s.OpenDraft() != nil }
	view := func(id, title string, v ProfileView) Command {
		return Command{ID: id, Title: title, Menu: m, Enabled: open, Checked: func(s State) bool { return open(s) && s.Profile.View == v }, Msg: send(ProfileViewed{v})}
	}
	list := []Command{
		{ID: CmdProfileSave, Title: "Save the profile", Menu: m, Key: "Ctrl+Shift+S", Gap: true,
			Enabled: func(s State) bool {
				d := s.OpenDraft()
				return d != nil && (d.Unsaved() || d.File.Fallback) && !d.Saving
			}, Msg: send(ProfileSaveAsked{})},
		{ID: CmdProfileMake, Title: "Make a profile from this page", Menu: m,
			Enabled: func(s State) bool { return open(s) && s.Shown != nil && strings.TrimSpace(s.OpenDraft().Text) == "" }, Msg: send(ProfileMakeAsked{})},
		{ID: CmdProfileImport, Title: "Import the profiles of cdp-skill", Menu: m, Enabled: always, Msg: send(ProfileImportAsked{})},
		{ID: CmdProfileRevert, Title: "Back to the profile as it is saved", Menu: m,
			Enabled: func(s State) bool { return open(s) && s.OpenDraft().Unsaved() }, Msg: send(ProfileReverted{})},
		view(CmdProfileEdit, "Profile: the text", ProfileEdit),
		view(CmdProfilePreview, "Profile: the preview", ProfilePreview),
		view(CmdProfileHistory, "Profile: the history", ProfileHistory),
		{ID: CmdProfileFocus, Title: "Profile: write", Menu: m, Enabled: open, Msg: send(Wanted{FocusProfile{}})},
		{ID: CmdProfileChecks, Title: "Profile: checks in place of the effect", Menu: m, Enabled: open,
			Checked: func(s State) bool { return s.Profile.Checks }, Msg: func(s State) Msg { return ProfileChecksToggled{!s.Profile.Checks} }},
		{ID: CmdProfileWhole, Title: "Profile: all lines of the effect", Menu: m, Enabled: open,
			Checked: func(s State) bool { return s.Profile.Whole }, Msg: send(ProfileWholeToggled{})},
		{ID: CmdProfileRestore, Title: "Profile: the chosen version into the editor", Menu: m,
			Enabled: func(s State) bool { return open(s) && s.Profile.View == ProfileHistory && s.OpenDraft().Chosen > 0 }, Msg: send(ProfileRestored{})},
	}
	for i, c := range []struct {
		choice ConflictChoice
		title  string
	}{{KeepBoth, "Profile: both texts, merged"}, {KeepMine, "Profile: my text"}, {TakeTheirs, "Profile: their text"}} {
		list = append(list, Command{ID: "profile.conflict." + string(c.choice), Title: c.title, Menu: m, Gap: i == 0,
			Enabled: func(s State) bool { return open(s) && s.OpenDraft().Theirs != nil }, Msg: send(ProfileResolved{c.choice})})
	}
	list = append(list, Command{ID: "profile.other", Title: "Profile: the next unsaved text", Menu: m,
		Enabled: func(s State) bool { return s.nextUnsaved() != "" }, Msg: func(s State) Msg { return ProfileDraftChosen{s.nextUnsaved()} }})
	list = append(list, Command{ID: CmdProfileRecipes, Title: "Profile: run a recipe", Menu: m, Enabled: State.canRunRecipes, Msg: send(Wanted{FocusRecipes{}})})
	list[4].Gap = true
	return list
}

// nextUnsaved is the domain of an unsaved text beside the one in the editor, "" for none.
func (s State) nextUnsaved() string {
	names := s.unsaved()
	for i := range names {
		if n := names[(slices.Index(names, s.Profile.Open)+1+i)%len(names)]; n != s.Profile.Open {
			return n
		}
	}
	return ""
}

// profileTag is what the tab says: unsaved texts, wherever they are.
func (s State) profileTag() string {
	if n := len(s.unsaved()); n > 0 {
		return "● unsaved"
	}
	return ""
}

// ProfileVM is what the side Profile shows. Compare with [ProfileVM.Equal].
type ProfileVM struct {
	// Empty is the sentence in place of all, with the next action; Missing says that
	// there is no profile yet, in place of an editor.
	Empty, Missing string
	Domain         string
	// Facts are which file, which rule, and whether it is saved.
	Facts []StatusItem
	Path  string
	View  ProfileView
	// Text, Given, Cursor: see [Draft]. TooBig is why it cannot be edited here.
	Text          string
	Given, Cursor int
	TooBig        string
	CanSave       bool
	CanRevert     bool
	// Others are unsaved domains beside this one.
	Others []string
	// Conflict is what somebody else saved, nil for none.
	Conflict *ProfileConflict

	Check *ProfileCheck
	// Fresh: Check is of the text in the editor.
	Fresh         bool
	Checks, Whole bool
	Bar           []StatusItem // over the effect
	Effect        DumpVM

	History []ProfileRevision
	Chosen  int
	Diff    DumpVM
	// CanRun: the recipes can be run.
	CanRun bool
}

// Equal reports whether both show the same. What is big is immutable, so pointers and
// first elements stand for it; a text that was typed differs in few places at most and is
// compared.
func (v ProfileVM) Equal(o ProfileVM) bool {
	return v.Empty == o.Empty && v.Missing == o.Missing && v.Domain == o.Domain && v.Path == o.Path && v.View == o.View && v.Given == o.Given && v.Cursor == o.Cursor &&
		v.TooBig == o.TooBig && v.CanSave == o.CanSave && v.CanRevert == o.CanRevert && v.Conflict == o.Conflict && v.Check == o.Check && v.Fresh == o.Fresh &&
		v.Checks == o.Checks && v.Whole == o.Whole && v.Effect == o.Effect && same(v.History, o.History) && v.Chosen == o.Chosen && v.Diff == o.Diff && v.CanRun == o.CanRun &&
		slices.Equal(v.Facts, o.Facts) && slices.Equal(v.Bar, o.Bar) && slices.Equal(v.Others, o.Others) && v.Text == o.Text
}

// ProfileView is what the side Profile shows.
func (s State) ProfileSide() ProfileVM {
	v := ProfileVM{View: s.Profile.View, Checks: s.Profile.Checks, Whole: s.Profile.Whole}
	d := s.OpenDraft()
	for _, domain := range s.unsaved() {
		if domain != s.Profile.Open {
			v.Others = append(v.Others, domain)
		}
	}
	switch {
	case d != nil:
	case s.Profile.Problem != nil:
		v.Empty = strings.TrimSpace(s.Profile.Problem.Sentence + " " + s.Profile.Problem.Hint)
		return v
	case s.Profile.Looking:
		v.Empty = "Looking for the profile…"
		return v
	default:
		v.Empty = s.emptySentence("The profile of the page's site appears here after the first capture.")
		return v
	}
	v.Domain, v.Path, v.Text, v.Given, v.Cursor = d.File.Domain, d.File.Path, d.Text, d.Given, d.Cursor
	v.TooBig, v.Conflict = tooBig(d.Text), d.Theirs
	v.CanSave = (d.Unsaved() || d.File.Fallback) && !d.Saving && d.Theirs == nil
	v.CanRevert = d.Unsaved()
	if !d.Exists() && d.Text == "" {
		v.Missing = "No profile for " + Plain(d.File.Domain, 80) + " yet."
	}
	v.Facts = d.facts()
	v.Check, v.Fresh = d.Check, d.Check != nil && d.Check.Seq == d.Seq && d.Check.Turn == s.Shown
	v.Effect, v.Bar = s.profileEffect(d, v.Fresh)
	v.History, v.Chosen = d.History, d.Chosen
	v.Diff = d.diffView()
	v.CanRun = s.canRunRecipes()
	return v
}

func (d *Draft) facts() []StatusItem {
	var out []StatusItem
	switch {
	case d.Saving:
		out = append(out, StatusItem{"saving…", ToneMuted})
	case d.Theirs != nil:
		out = append(out, StatusItem{"● two texts", ToneBad})
	case d.Unsaved():
		out = append(out, StatusItem{"● unsaved", ToneWarn})
	case d.Exists():
		out = append(out, StatusItem{"saved", ToneGood})
	}
	out = append(out, StatusItem{Plain(d.Rule, 120), ToneMuted})
	if d.File.Fallback {
		out = append(out, StatusItem{"read from cdp-skill; saving makes a copy", ToneMuted})
	}
	return out
}

// profileEffect is the text that the profile makes of the turn, and the bar over it.
func (s State) profileEffect(d *Draft, fresh bool) (DumpVM, []StatusItem) {
	v := DumpVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref}
	c := d.Check
	switch {
	case s.Shown == nil:
		v.Empty = "What the profile does to a page appears here after the first capture."
		return v, nil
	case c == nil || c.Turn != s.Shown:
		v.Empty = "Trying the profile on turn " + Thousands(s.Shown.N) + "…"
		return v, nil
	case c.Differ == nil:
		v.Empty = c.Why
		return v, nil
	}
	whose := "With the saved profile"
	if d.Unsaved() {
		whose = "With your unsaved profile"
	}
	bar := []StatusItem{{whose + ", turn " + Thousands(c.Turn.N) + " as " + string(c.Format), ToneNormal}}
	bar = append(bar, c.Differ.Counts.Facts()...)
	if c.Redacted > 0 {
		bar = append(bar, StatusItem{Plural(c.Redacted, "text", "texts") + " withheld", ToneNormal})
	}
	if !fresh {
		bar = append(bar, StatusItem{"…", ToneMuted})
	}
	text := c.Differ
	if s.Profile.Whole {
		text = c.Whole
	}
	v.Version = c.Seq + 1
	if len(text.Doc.Lines) == 0 {
		v.Empty = "It changes no line of this turn."
		if c.Already > 0 {
			v.Empty += " It left out " + Plural(c.Already, "element", "elements") + " when the turn was recorded already."
		}
		return v, bar
	}
	v.Doc, v.Tones = text.Doc, text.Tones
	return v, bar
}

func (d *Draft) diffView() DumpVM {
	var v DumpVM
	switch {
	case d.History == nil:
		v.Empty = "Listing the versions…"
	case len(d.History) == 0:
		v.Empty = "There is no older version yet. Each save keeps the one before."
	case d.Diff == nil:
		v.Empty = "Comparing…"
	case len(d.Diff.Doc.Lines) == 0:
		v.Empty = fmt.Sprintf("Version %d is the text in the editor.", d.Chosen)
	default:
		v.Doc, v.Tones, v.Version = d.Diff.Doc, d.Diff.Tones, d.Chosen
	}
	return v
}

// ProfileDiffed answers [DiffRevision]. Its Diff has no line where the two are the same.
type ProfileDiffed struct {
	Domain string
	N, Seq int
	Diff   *ComparedText
}

func (m ProfileDiffed) Apply(s State) (State, []Effect) {
	s.withDraft(m.Domain, func(d *Draft) {
		if d.Chosen == m.N && d.Seq == m.Seq {
			d.Diff = m.Diff
		}
	})
	return s, nil
}

// UnsavedVM is the question before the window closes.
type UnsavedVM struct{ Text string }

// UnsavedQuestion is what the dialog asks.
func (s State) UnsavedQuestion() UnsavedVM {
	names := s.unsaved()
	for i := range names {
		names[i] = Plain(names[i], 80)
	}
	what := "The profile of " + strings.Join(names, ", ") + " is not saved."
	if len(names) > 1 {
		what = "The profiles of " + strings.Join(names, ", ") + " are not saved."
	}
	return UnsavedVM{what}
}

// profileRoom is the side of what is known of the site.
func profileRoom() Room {
	return Room{Name: "profile", Commands: profileCommands,
		Side: &SideRow{Side: SideProfile, Title: "Profile", Command: CmdProfile, Does: "The profile of the page's site", Key: "E", Place: 5, Whole: true, Tag: State.profileTag, Fill: State.fillProfile}}
}

// SideProfile is what is known of the site.
const SideProfile Side = "profile"
