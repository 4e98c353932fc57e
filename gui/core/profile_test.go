package core

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// editing is a state with the profile of shop.example in the editor.
func editing(t *testing.T, text string) State {
	t.Helper()
	s := captured(t)
	s.Side = SideProfile
	s, effects := s.fillProfile()
	require.Contains(t, effects, Effect(FindProfile{1, s.Shown.Capture.URL}))
	file := ProfileFile{Domain: "shop.example", Text: text, Path: "/p/shop.example.md"}
	if text != "" {
		file.Version = "v1"
	}
	s, effects = Update(s, ProfileFound{Seq: 1, File: file, Rule: "of exactly this host"})
	require.Equal(t, []Effect{CheckProfile{"shop.example", text, 0, s.Shown, s.Format, false}}, effects)
	return s
}

// turnAt is a turn of another page.
func turnAt(url string) *Turn {
	t := *turnOf(1)
	c := *t.Capture
	c.URL = url
	t.Capture = &c
	return &t
}

func typing(s State, text string) (State, []Effect) {
	return Update(s, ProfileTyped{Domain: "shop.example", Given: s.OpenDraft().Given, Text: text})
}

func TestTheProfileFollowsThePage(t *testing.T) {
	s := editing(t, "# a\n")
	require.Equal(t, "# a\n", s.ProfileSide().Text)

	// An answer about a page that was left is none.
	s2, effects := Update(s, ProfileFound{Seq: 0, File: ProfileFile{Domain: "old.example"}})
	require.Empty(t, effects)
	require.Nil(t, s2.draft("old.example"))

	// Another domain, and back: what was written is there.
	s, _ = typing(s, "# mine\n")
	s.Shown = turnAt("https://b.example/")
	s, _ = s.fillProfile()
	s, _ = Update(s, ProfileFound{Seq: 2, File: ProfileFile{Domain: "b.example"}})
	v := s.ProfileSide()
	require.Equal(t, "No profile for b.example yet.", v.Missing)
	require.Equal(t, []string{"shop.example"}, v.Others)
	require.Equal(t, "● unsaved", s.profileTag())
	s, effects = Update(s, ProfileDraftChosen{Domain: "shop.example"})
	require.Equal(t, Effect(FindProfile{3, "https://b.example/"}), effects[0])
	s, _ = Update(s, ProfileFound{Seq: 3, File: ProfileFile{Domain: "b.example"}})
	require.Equal(t, "# mine\n", s.ProfileSide().Text, "what was chosen stays while the page does")

	// On disk it changed meanwhile: the draft keeps the version that it was made from.
	s, _ = s.findProfile("https://shop.example/")
	s, _ = Update(s, ProfileFound{Seq: 4, File: ProfileFile{Domain: "shop.example", Text: "# theirs\n", Version: "v2"}})
	require.Equal(t, "# mine\n", s.OpenDraft().Text)
	require.Equal(t, "v1", s.OpenDraft().File.Version)

	// Where nobody wrote here, what is on disk comes.
	s, _ = Update(s, ProfileReverted{})
	s, _ = s.findProfile("https://shop.example/")
	s, _ = Update(s, ProfileFound{Seq: 5, File: ProfileFile{Domain: "shop.example", Text: "# theirs\n", Version: "v2"}})
	require.Equal(t, "# theirs\n", s.OpenDraft().Text)

	s, _ = s.findProfile("about:blank")
	s, _ = Update(s, ProfileFound{Seq: 6, Problem: &Problem{Sentence: "No site.", Hint: "Open one."}})
	require.Equal(t, "No site. Open one.", s.ProfileSide().Empty)
	require.NotNil(t, s.draft("shop.example"))
}

func TestUndoOfTheProfile(t *testing.T) {
	s := editing(t, "abc")
	for _, text := range []string{"abcd", "abcde", "abcde f", "abcde fg", "abcde f", "abcde "} {
		s, _ = typing(s, text)
	}
	undo := func(redo bool) string {
		s, _ = Update(s, ProfileUndone{Redo: redo})
		return s.OpenDraft().Text
	}
	require.Equal(t, "abcde fg", undo(false), "letters taken away one by one are one step")
	require.Equal(t, "abcde", undo(false))
	require.Equal(t, "abc", undo(false))
	require.Equal(t, "abc", undo(false), "there is no step before")
	require.Equal(t, "abcde", undo(true))
	s, _ = typing(s, "abcde!")
	require.Equal(t, "abcde!", undo(true), "what was typed ends what could be done again")

	// What came from elsewhere is undone too.
	s, _ = Update(s, ProfileRevisionsListed{Domain: "shop.example", Revisions: []ProfileRevision{{N: 3, Text: "old"}}})
	s, effects := Update(s, ProfileRestored{})
	require.NotEmpty(t, effects)
	require.Equal(t, "old", s.OpenDraft().Text)
	require.Equal(t, "abcde!", undo(false))
}

func TestUndoIsExact(t *testing.T) {
	texts := []string{"", "a", "aé", "aéé", "aé日本", "日本", "日x本", "x", "aé\nb\n", "b\n", "日\xff本", "日\xfe本", ""}
	d := &Draft{}
	for _, text := range texts {
		d.typed(text)
	}
	seen := map[string]bool{}
	for d.undo() {
		seen[d.Text] = true
	}
	require.Equal(t, "", d.Text)
	require.True(t, seen["日本"])
	for d.redo() {
	}
	require.Equal(t, "", d.Text)
	require.Len(t, d.future, 0)
}

func FuzzUndo(f *testing.F) {
	f.Add("abc", "abd", "")
	f.Add("日本", "日x本", "\xff")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		d := &Draft{Text: a}
		d.typed(b)
		d.replace(c, 0)
		for d.undo() {
		}
		require.Equal(t, a, d.Text)
		for d.redo() {
		}
		require.Equal(t, c, d.Text)
	})
}

func TestSavingAProfile(t *testing.T) {
	s := editing(t, "# a\n")
	_, effects := Update(s, ProfileSaveAsked{})
	require.Empty(t, effects, "there is nothing to save")

	s, _ = typing(s, "# b\n")
	base := s.OpenDraft().File
	s, effects = Update(s, ProfileSaveAsked{})
	require.Equal(t, []Effect{SaveProfile{Base: base, Text: "# b\n", Seq: 1}}, effects)
	_, effects = Update(s, ProfileSaveAsked{})
	require.Empty(t, effects, "it is being saved")

	// What is typed meanwhile is not on disk.
	s, _ = typing(s, "# bc\n")
	s, _ = Update(s, ProfileSaved{Domain: "shop.example", File: ProfileFile{Domain: "shop.example", Text: "# b\n", Version: "v2"}})
	require.True(t, s.OpenDraft().Unsaved())
	require.Equal(t, "Saved the profile of shop.example.", s.Notice.Text)

	s, _ = Update(s, ProfileSaveAsked{})
	s, _ = Update(s, ProfileSaved{Domain: "shop.example", Problem: &Problem{Sentence: "No space."}})
	require.Equal(t, "No space.", s.Notice.Text)
	require.Equal(t, "# bc\n", s.OpenDraft().Text)
	require.False(t, s.OpenDraft().Saving)
}

func TestTwoTexts(t *testing.T) {
	for choice, want := range map[ConflictChoice]string{KeepMine: "# mine\n", TakeTheirs: "# theirs\n", KeepBoth: "# theirs\n# mine\n"} {
		s := editing(t, "# a\n")
		s, _ = typing(s, "# mine\n")
		s, _ = Update(s, ProfileSaveAsked{})
		s.Side = SideText
		s, _ = Update(s, ProfileSaved{Domain: "shop.example", Conflict: &ProfileConflict{Text: "# theirs\n", Version: "v9", Merged: "# theirs\n# mine\n", Diff: NewTextDiff("a", "b")}})
		require.Equal(t, SideProfile, s.Side, "it is shown")
		_, effects := Update(s, ProfileSaveAsked{})
		require.Empty(t, effects, "first comes the choice")
		s, _ = Update(s, ProfileResolved{choice})
		require.Equal(t, want, s.OpenDraft().Text)
		require.Nil(t, s.OpenDraft().Theirs)
		if choice == TakeTheirs {
			require.False(t, s.OpenDraft().Unsaved())
			s, _ = Update(s, ProfileUndone{})
			require.Equal(t, "# mine\n", s.OpenDraft().Text, "ours is an undo away")
			continue
		}
		_, effects = Update(s, ProfileSaveAsked{})
		require.Equal(t, "v9", effects[0].(SaveProfile).Base.Version)
	}
}

func TestClosing(t *testing.T) {
	s := editing(t, "# a\n")
	_, effects := Update(s, CloseAsked{})
	require.Equal(t, []Effect{Quit{}}, effects)

	s, _ = typing(s, "# b\n")
	s, effects = Update(s, CloseAsked{})
	require.Empty(t, effects)
	require.Equal(t, DialogUnsaved, s.Dialog)
	require.Equal(t, "The profile of shop.example is not saved.", s.UnsavedQuestion().Text)
	stay, effects := Update(s, Escaped{})
	require.Empty(t, effects)
	require.Equal(t, DialogNone, stay.Dialog)
	_, effects = Update(s, LeavingChosen{})
	require.Equal(t, []Effect{Quit{}}, effects)

	s, effects = Update(s, LeavingChosen{Save: true})
	require.Len(t, effects, 1)
	typed, _ := typing(s, "# bc\n")
	typed, effects = Update(typed, ProfileSaved{Domain: "shop.example", File: ProfileFile{Domain: "shop.example", Text: "# b\n", Version: "v2"}})
	require.Empty(t, effects)
	require.Equal(t, DialogUnsaved, typed.Dialog, "somebody typed meanwhile")
	_, effects = Update(s, ProfileSaved{Domain: "shop.example", File: ProfileFile{Domain: "shop.example", Text: "# b\n", Version: "v2"}})
	require.Equal(t, []Effect{Quit{}}, effects)
	clash, effects := Update(s, ProfileSaved{Domain: "shop.example", Conflict: &ProfileConflict{Diff: NewTextDiff("", "")}})
	require.NotContains(t, effects, Effect(Quit{}))
	require.False(t, clash.Profile.Leaving)
}

func TestWhatIsTooLate(t *testing.T) {
	s := editing(t, "# a\n")
	given := s.OpenDraft().Given
	s, _ = typing(s, "# b\n")
	s, _ = Update(s, ProfileReverted{})
	s, _ = Update(s, ProfileTyped{Domain: "shop.example", Given: given, Text: "# late\n"})
	require.Equal(t, "# a\n", s.OpenDraft().Text, "the editor was given another text meanwhile")
	check := &ProfileCheck{Seq: 0, Turn: s.Shown, Format: s.Format}
	s2, _ := Update(s, ProfileChecked{"shop.example", check})
	require.Nil(t, s2.OpenDraft().Check, "of an older text")
	s, _ = Update(s, ProfileMade{"shop.example", "# made\n"})
	require.Equal(t, "# a\n", s.OpenDraft().Text, "a text that is there is not replaced")
	_, effects := Update(s, ProfileMakeAsked{})
	require.Empty(t, effects)
	_, effects = Update(s, ProfileTyped{Domain: "nobody.example", Text: "x"})
	require.Empty(t, effects)
}

func TestASectionInItsPlace(t *testing.T) {
	parts := []ProfilePart{{Name: ProfileFront}, {Name: "Environment", Line: 2}, {Name: "Quirks"}, {Name: "Regions", Line: 4}, {Name: "Recipes"}}
	text := "# a\n## Environment\n- x\n## Regions\n- y"
	got, at := withSection(text, "Quirks", parts)
	require.Equal(t, "# a\n## Environment\n- x\n\n## Quirks\n- \n\n## Regions\n- y", got)
	require.True(t, strings.HasSuffix(got[:at], "## Quirks\n- "))
	got, at = withSection(text, "Recipes", parts)
	require.Equal(t, text+"\n\n## Recipes\n- \n", got)
	require.Equal(t, len(got)-1, at)
	got, _ = withSection("", "Quirks", nil)
	require.Equal(t, "## Quirks\n- \n", got)

	s := editing(t, text)
	check := &ProfileCheck{Turn: s.Shown, Format: s.Format, Outline: parts}
	s, _ = Update(s, ProfileChecked{"shop.example", check})
	_, effects := Update(s, ProfilePartChosen{"Regions"})
	require.Equal(t, []Effect{FocusProfile{4}}, effects)
	s, effects = Update(s, ProfilePartChosen{ProfileFront})
	require.Contains(t, effects, Effect(FocusProfile{}))
	require.True(t, strings.HasPrefix(s.OpenDraft().Text, "---\nfilter:\n  - \n---\n# a"))
	_, effects = Update(s, ProfilePartChosen{"Quirks"})
	require.Empty(t, effects, "the outline is of another text")
}

func TestABigProfileIsNotEdited(t *testing.T) {
	s := editing(t, strings.Repeat("x", maxEdited+1))
	v := s.ProfileSide()
	require.Contains(t, v.TooBig, "65,537 bytes")
	require.Contains(t, v.TooBig, "another program")
}

func TestImportIsTold(t *testing.T) {
	s := editing(t, "")
	_, effects := Update(s, ProfileImportAsked{})
	require.Equal(t, []Effect{ImportProfiles{}}, effects)
	s, effects = Update(s, ProfilesImported{Folder: "/c", Taken: 2, Kept: 1})
	require.Equal(t, "2 profiles imported from /c.", s.Notice.Text)
	require.IsType(t, FindProfile{}, effects[0])
	s, _ = Update(s, ProfilesImported{Folder: "/c"})
	require.Equal(t, "There are no profiles in /c.", s.Notice.Text)
}

func TestARecipeRuns(t *testing.T) {
	s := editing(t, "# a\n## Recipes\n")
	require.False(t, s.canRunRecipes(), "there is none")
	steps := `{"steps":[{"click":"s1e4"}]}`
	s, _ = Update(s, ProfileChecked{"shop.example", &ProfileCheck{Turn: s.Shown, Format: s.Format, Recipes: []Recipe{{Name: "accept", Line: 2, Steps: steps}}}})
	require.True(t, s.ProfileSide().CanRun)
	_, effects := Update(s, ProfileRecipeRun{1})
	require.Empty(t, effects)
	s.Steps.Text = "in the console"
	ran, effects := Update(s, ProfileRecipeRun{0})
	require.Equal(t, steps, effects[len(effects)-1].(RunSteps).Text)
	require.Equal(t, DrawerSteps, ran.Drawer)
	require.Equal(t, "in the console", ran.Steps.Text)
	s, _ = typing(s, "# other\n")
	require.False(t, s.canRunRecipes(), "the list is of another text")
	_, effects = Update(s, ProfileRecipeRun{0})
	require.Empty(t, effects)
}
