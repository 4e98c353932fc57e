package profile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/gui/steps"

	"github.com/refscope/refscope/profiles"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/profile"
)

// editing is a state with the profile of shop.example in the editor.
func editing(t *testing.T, text string) core.State {
	t.Helper()
	s := apptest.Captured(t)
	s.Side = profile.Side
	s, effects := profile.Fill(s)
	require.Contains(t, effects, core.Effect(profile.FindProfile{Seq: 1, URL: s.Current.Capture.URL}))
	file := profiles.File{Domain: "shop.example", Text: text, Path: "/p/shop.example.md"}
	if text != "" {
		file.Version = "v1"
	}
	s, effects = apptest.Step(s, profile.Found{Seq: 1, File: file, Rule: "of exactly this host"})
	require.Equal(t, []core.Effect{profile.CheckProfile{Domain: "shop.example", Text: text, Seq: 0, Turn: s.Current,
		Format: s.Format, Typed: false}, profile.LookAgain{URL: s.Current.Capture.URL, Domain: "shop.example",
		Version: file.Version}}, effects)
	return s
}

// turnAt is a turn of another page.
func turnAt(url string) *core.Turn {
	t := *apptest.TurnOf(1)
	c := *t.Capture
	c.URL = url
	t.Capture = &c
	return &t
}

func typing(s core.State, text string) (core.State, []core.Effect) {
	return apptest.Step(s, profile.Typed{Domain: "shop.example", Given: profile.OpenDraft(s).Given, Text: text})
}

// TestTheProfileFollowsTheDisk: what another program writes while the profile is in view comes into view, and one that
// did not change is not read into the editor.
func TestTheProfileFollowsTheDisk(t *testing.T) {
	s := editing(t, "# a\n")
	e := profile.LookAgain{URL: s.Current.Capture.URL, Domain: "shop.example", Version: "v1"}
	same, effects := apptest.Step(s, profile.LookedAgain(e, false))
	require.Equal(t, []core.Effect{e}, effects, "it looks again a moment later")
	require.Equal(t, profile.ViewOf(s), profile.ViewOf(same))
	found, effects := apptest.Step(s, profile.LookedAgain(e, true))
	require.Equal(t, []core.Effect{profile.FindProfile{Seq: 2, URL: e.URL}}, effects)
	found, _ = apptest.Step(found, profile.Found{Seq: 2, File: profiles.File{Domain: "shop.example", Text: "# b\n",
		Version: "v2"}})
	require.Equal(t, "# b\n", profile.ViewOf(found).Text)

	whose := func(s core.State) string {
		s, _ = apptest.Step(s, profile.Checked{Domain: "shop.example", Check: &profile.Check{Turn: s.Current,
			Format: s.Format, Seq: profile.OpenDraft(s).Seq, Effect: &core.TextEffect{Whole: &core.ComparedText{}}}})
		return profile.ViewOf(s).Bar[0].Text
	}
	require.Contains(t, whose(found), "Saved profile")
	gone, _ := profile.Find(found, e.URL)
	gone, _ = apptest.Step(gone, profile.Found{Seq: 3, File: profiles.File{Domain: "shop.example"}})
	require.Contains(t, whose(gone), "No profile", "the file was removed")

	mine, _ := typing(s, "# mine\n")
	e.Version = "v2" // on disk, of which the text was not made
	_, effects = apptest.Step(mine, profile.LookedAgain(e, false))
	require.Equal(t, []core.Effect{e}, effects)
	back, _ := apptest.Step(mine, profile.Reverted{})
	_, effects = apptest.Step(back, profile.LookedAgain(e, false))
	require.Equal(t, []core.Effect{profile.FindProfile{Seq: 2, URL: e.URL}}, effects, "v1 is not what is saved")

	s.Side = ""
	_, effects = apptest.Step(s, profile.LookedAgain(e, true))
	require.Empty(t, effects, "nobody looks at it")
}

func TestTheProfileFollowsThePage(t *testing.T) {
	s := editing(t, "# a\n")
	require.Equal(t, "# a\n", profile.ViewOf(s).Text)

	// An answer about a page that was left is none.
	s2, effects := apptest.Step(s, profile.Found{Seq: 0, File: profiles.File{Domain: "old.example"}})
	require.Empty(t, effects)
	require.Nil(t, profile.DraftOf(s2, "old.example"))

	// Another domain, and back: what was written is there.
	s, _ = typing(s, "# mine\n")
	s.Current = turnAt("https://b.example/")
	s, _ = profile.Fill(s)
	s, _ = apptest.Step(s, profile.Found{Seq: 2, File: profiles.File{Domain: "b.example"}})
	v := profile.ViewOf(s)
	require.Equal(t, "No profile for b.example yet.", v.Missing)
	require.Equal(t, []string{"shop.example"}, v.Others)
	require.Equal(t, "Profile unsaved", coretest.SideText(s, profile.Side))
	s, effects = apptest.Step(s, profile.DraftChosen("shop.example"))
	require.Equal(t, core.Effect(profile.FindProfile{Seq: 3, URL: "https://b.example/"}), effects[0])
	s, _ = apptest.Step(s, profile.Found{Seq: 3, File: profiles.File{Domain: "b.example"}})
	require.Equal(t, "# mine\n", profile.ViewOf(s).Text, "what was chosen stays while the page does")

	// On disk it changed meanwhile: the draft keeps the version that it was made from.
	s, _ = profile.Find(s, "https://shop.example/")
	s, _ = apptest.Step(s, profile.Found{Seq: 4, File: profiles.File{Domain: "shop.example", Text: "# theirs\n",
		Version: "v2"}})
	require.Equal(t, "# mine\n", profile.OpenDraft(s).Text)
	require.Equal(t, profiles.Version("v1"), profile.OpenDraft(s).File.Version)

	// Where nobody wrote here, what is on disk comes.
	s, _ = apptest.Step(s, profile.Reverted{})
	s, _ = profile.Find(s, "https://shop.example/")
	s, _ = apptest.Step(s, profile.Found{Seq: 5, File: profiles.File{Domain: "shop.example", Text: "# theirs\n",
		Version: "v2"}})
	require.Equal(t, "# theirs\n", profile.OpenDraft(s).Text)

	s, _ = profile.Find(s, "about:blank")
	s, _ = apptest.Step(s, profile.Found{Seq: 6, Problem: &core.Problem{Sentence: "No site.", Hint: "Open one."}})
	require.Equal(t, "No site. Open one.", profile.ViewOf(s).Empty)
	require.NotNil(t, profile.DraftOf(s, "shop.example"))
}

// What a filter left out leads to its rule: the editor opens at the line, as soon as the profile is there.
func TestARuleIsOpenedAtItsLine(t *testing.T) {
	s := editing(t, "---\nfilter:\n  - nav\n  - .ads\n---\n# a\n")
	s.Side = core.SideText
	file := profile.OpenDraft(s).File
	s, effects := apptest.Step(s, profile.RuleAsked(".ads"))
	require.Equal(t, profile.Side, s.Side)
	require.NotContains(t, effects, core.Effect(profile.FocusProfile{Line: 4}), "others write the file too")
	s, effects = apptest.Step(s, profile.Found{Seq: 2, File: file})
	require.Contains(t, effects, core.Effect(profile.FocusProfile{Line: 4}))
	_, effects = apptest.Step(s, profile.Found{Seq: 2, File: file})
	require.NotContains(t, effects, core.Effect(profile.FocusProfile{Line: 4}), "once")

	s, _ = apptest.Step(s, profile.RuleAsked(".gone"))
	s, _ = apptest.Step(s, profile.Found{Seq: 3, File: file})
	require.Equal(t, "The profile of shop.example does not have the filter .gone any more.", s.Notice.Text)
}

// An editor with something to undo or redo stays, however empty its text is: that is its only way back.
func TestAnEmptyProfileCanBeUndone(t *testing.T) {
	s := editing(t, "# a\n")
	s.Current = turnAt("https://b.example/")
	s, _ = profile.Fill(s)
	s, _ = apptest.Step(s, profile.Found{Seq: 2, File: profiles.File{Domain: "b.example"}})
	require.NotEmpty(t, profile.ViewOf(s).Missing)
	s, _ = apptest.Step(s, profile.Made("b.example", "# b.example\n"))
	for _, empties := range []core.Msg{profile.Undone{}, profile.Reverted{},
		profile.Typed{Domain: "b.example", Given: profile.OpenDraft(s).Given}} {
		made, _ := apptest.Step(s, empties)
		require.Empty(t, profile.OpenDraft(made).Text)
		require.Empty(t, profile.ViewOf(made).Missing, "%T", empties)
	}
}

func TestUndoOfTheProfile(t *testing.T) {
	s := editing(t, "abc")
	for _, text := range []string{"abcd", "abcde", "abcde f", "abcde fg", "abcde f", "abcde "} {
		s, _ = typing(s, text)
	}
	undo := func(redo bool) string {
		s, _ = apptest.Step(s, profile.Undone{Redo: redo})
		return profile.OpenDraft(s).Text
	}
	require.Equal(t, "abcde fg", undo(false), "letters taken away one by one are one step")
	require.Equal(t, "abcde", undo(false))
	require.Equal(t, "abc", undo(false))
	require.Equal(t, "abc", undo(false), "there is no step before")
	require.Equal(t, "abcde", undo(true))
	s, _ = typing(s, "abcde!")
	require.Equal(t, "abcde!", undo(true), "what was typed ends what could be done again")

	// What came from elsewhere is undone too.
	s, _ = apptest.Step(s, profile.RevisionsListed{Domain: "shop.example",
		Revisions: []profiles.Revision{{N: 3, Text: "old"}}})
	s, effects := apptest.Step(s, profile.Restored())
	require.NotEmpty(t, effects)
	require.Equal(t, "old", profile.OpenDraft(s).Text)
	require.Equal(t, "abcde!", undo(false))
}

func TestUndoIsExact(t *testing.T) {
	texts := []string{"", "a", "aé", "aéé", "aé日本", "日本", "日x本", "x", "aé\nb\n", "b\n", "日\xff本", "日\xfe本", ""}
	d := &profile.Draft{}
	for _, text := range texts {
		d.Typed(text)
	}
	seen := map[string]bool{}
	for d.Undo() {
		seen[d.Text] = true
	}
	require.Equal(t, "", d.Text)
	require.True(t, seen["日本"])
	for d.Redo() {
	}
	require.Equal(t, "", d.Text)
	require.Len(t, d.Future, 0)
}

func FuzzUndo(f *testing.F) {
	f.Add("abc", "abd", "")
	f.Add("日本", "日x本", "\xff")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		d := &profile.Draft{Text: a}
		d.Typed(b)
		d.Replace(c, 0)
		for d.Undo() {
		}
		require.Equal(t, a, d.Text)
		for d.Redo() {
		}
		require.Equal(t, c, d.Text)
	})
}

func TestSavingAProfile(t *testing.T) {
	s := editing(t, "# a\n")
	_, effects := apptest.Step(s, profile.SaveAsked())
	require.Empty(t, effects, "there is nothing to save")

	s, _ = typing(s, "# b\n")
	base := profile.OpenDraft(s).File
	s, effects = apptest.Step(s, profile.SaveAsked())
	require.Equal(t, []core.Effect{profile.SaveProfile{Base: base, Text: "# b\n"}}, effects)
	_, effects = apptest.Step(s, profile.SaveAsked())
	require.Empty(t, effects, "it is being saved")

	// What is typed meanwhile is not on disk.
	s, _ = typing(s, "# bc\n")
	s, _ = apptest.Step(s, profile.Saved{Domain: "shop.example", File: profiles.File{Domain: "shop.example",
		Text: "# b\n", Version: "v2"}})
	require.True(t, profile.OpenDraft(s).Unsaved())
	require.Equal(t, "Saved the profile of shop.example.", s.Notice.Text)

	s, _ = apptest.Step(s, profile.SaveAsked())
	s, _ = apptest.Step(s, profile.Saved{Domain: "shop.example", Problem: &core.Problem{Sentence: "No space."}})
	require.Equal(t, "No space.", s.Notice.Text)
	require.Equal(t, "# bc\n", profile.OpenDraft(s).Text)
	require.False(t, profile.OpenDraft(s).Saving)
}

func TestTwoTexts(t *testing.T) {
	for choice, want := range map[profile.ConflictChoice]string{profile.KeepMine: "# mine\n",
		profile.TakeTheirs: "# theirs\n", profile.KeepBoth: "# theirs\n# mine\n"} {
		s := editing(t, "# a\n")
		s, _ = typing(s, "# mine\n")
		s, _ = apptest.Step(s, profile.SaveAsked())
		s.Side = core.SideText
		s, _ = apptest.Step(s, profile.Saved{Domain: "shop.example", Conflict: &profile.Conflict{Text: "# theirs\n",
			Version: "v9", Merged: "# theirs\n# mine\n", Diff: core.NewTextDiff("a", "b")}})
		require.Equal(t, profile.Side, s.Side, "it is shown")
		_, effects := apptest.Step(s, profile.SaveAsked())
		require.Empty(t, effects, "first comes the choice")
		s, _ = apptest.Step(s, profile.Resolved(choice))
		require.Equal(t, want, profile.OpenDraft(s).Text)
		require.Nil(t, profile.OpenDraft(s).Theirs)
		if choice == profile.TakeTheirs {
			require.False(t, profile.OpenDraft(s).Unsaved())
			s, _ = apptest.Step(s, profile.Undone{})
			require.Equal(t, "# mine\n", profile.OpenDraft(s).Text, "ours is an undo away")
			continue
		}
		_, effects = apptest.Step(s, profile.SaveAsked())
		require.Equal(t, profiles.Version("v9"), effects[0].(profile.SaveProfile).Base.Version)
	}
}

func TestClosing(t *testing.T) {
	s := editing(t, "# a\n")
	_, effects := apptest.Step(s, profile.CloseAsked())
	require.Equal(t, []core.Effect{core.Quit{}}, effects)

	s, _ = typing(s, "# b\n")
	s, effects = apptest.Step(s, profile.CloseAsked())
	require.Empty(t, effects)
	require.Equal(t, core.DialogUnsaved, s.Dialog)
	require.Equal(t, "The profile of shop.example is not saved.", profile.UnsavedQuestion(s).Text)
	stay, effects := apptest.Step(s, core.Escaped{})
	require.Empty(t, effects)
	require.Equal(t, core.DialogNone, stay.Dialog)
	_, effects = apptest.Step(s, profile.LeavingChosen{})
	require.Equal(t, []core.Effect{profile.ForgetUnsaved{Gone: []string{"shop.example"}}}, effects, "what is given up does not come back")
	_, effects = apptest.Step(s, profile.UnsavedForgotten())
	require.Equal(t, []core.Effect{core.Quit{}}, effects)

	s, effects = apptest.Step(s, profile.LeavingChosen{Save: true})
	require.Len(t, effects, 1)
	typed, _ := typing(s, "# bc\n")
	typed, effects = apptest.Step(typed, profile.Saved{Domain: "shop.example", File: profiles.File{Domain: "shop.example",
		Text: "# b\n", Version: "v2"}})
	require.NotContains(t, effects, core.Effect(core.Quit{}))
	require.Equal(t, core.DialogUnsaved, typed.Dialog, "somebody typed meanwhile")
	_, effects = apptest.Step(s, profile.Saved{Domain: "shop.example", File: profiles.File{Domain: "shop.example",
		Text: "# b\n", Version: "v2"}})
	require.Contains(t, effects, core.Effect(core.Quit{}))
	clash, effects := apptest.Step(s, profile.Saved{Domain: "shop.example",
		Conflict: &profile.Conflict{Diff: core.NewTextDiff("", "")}})
	require.NotContains(t, effects, core.Effect(core.Quit{}))
	require.False(t, profile.Of(clash).Leaving)
}

// TestClosingWhileSomethingIsDone: what a person waits for is not given up without a word.
func TestClosingWhileSomethingIsDone(t *testing.T) {
	s := editing(t, "# a\n")
	loading := s
	loading.StartTask(core.TaskLoad, "Opening turn 1")
	_, effects := apptest.Step(loading, profile.CloseAsked())
	require.Equal(t, []core.Effect{core.Quit{}}, effects, "what can be had again is no work")

	id := s.StartTask(core.TaskExport, "Exporting the session")
	s, effects = apptest.Step(s, profile.CloseAsked())
	require.Empty(t, effects)
	require.Equal(t, core.DialogUnsaved, s.Dialog)
	ask := profile.UnsavedQuestion(s)
	require.Equal(t, "Exporting the session is not finished, and stops when the window closes.", ask.Text)
	require.False(t, ask.Saves)
	_, effects = apptest.Step(s, profile.LeavingChosen{})
	require.Equal(t, []core.Effect{core.Quit{}}, effects)
	s.FinishTask(id)
	require.Equal(t, "All is finished and saved now.", profile.UnsavedQuestion(s).Text)

	s, _ = apptest.Step(s, connect.Changed{Tap: connect.Tap{Bases: []connect.Base{{Name: "OPENAI_BASE_URL"}}}})
	_, effects = apptest.Step(s, profile.CloseAsked())
	require.Empty(t, effects, "a tap would take the agent's way to its model with it")
	require.Contains(t, profile.UnsavedQuestion(s).Text, "requests are being recorded")
	s, _ = apptest.Step(s, connect.Changed{})
	_, effects = apptest.Step(s, profile.CloseAsked())
	require.Equal(t, []core.Effect{core.Quit{}}, effects)
}

func TestWhatIsTooLate(t *testing.T) {
	s := editing(t, "# a\n")
	given := profile.OpenDraft(s).Given
	s, _ = typing(s, "# b\n")
	s, _ = apptest.Step(s, profile.Reverted{})
	s, _ = apptest.Step(s, profile.Typed{Domain: "shop.example", Given: given, Text: "# late\n"})
	require.Equal(t, "# a\n", profile.OpenDraft(s).Text, "the editor was given another text meanwhile")
	check := &profile.Check{Seq: 0, Turn: s.Current, Format: s.Format}
	s2, _ := apptest.Step(s, profile.Checked{Domain: "shop.example", Check: check})
	require.Nil(t, profile.OpenDraft(s2).Check, "of an older text")
	s, _ = apptest.Step(s, profile.Made("shop.example", "# made\n"))
	require.Equal(t, "# a\n", profile.OpenDraft(s).Text, "a text that is there is not replaced")
	_, effects := apptest.Step(s, profile.MakeAsked())
	require.Empty(t, effects)
	_, effects = apptest.Step(s, profile.Typed{Domain: "nobody.example", Text: "x"})
	require.Empty(t, effects)
}

func TestASectionInItsPlace(t *testing.T) {
	parts := []profile.Section{{Name: profile.ProfileFront}, {Name: "Environment", Line: 2}, {Name: "Quirks"},
		{Name: "Regions", Line: 4}, {Name: "Recipes"}}
	text := "# a\n## Environment\n- x\n## Regions\n- y"
	got, at := profile.WithSection(text, "Quirks", parts)
	require.Equal(t, "# a\n## Environment\n- x\n\n## Quirks\n- \n\n## Regions\n- y", got)
	require.True(t, strings.HasSuffix(got[:at], "## Quirks\n- "))
	got, at = profile.WithSection(text, "Recipes", parts)
	require.Equal(t, text+"\n\n## Recipes\n- \n", got)
	require.Equal(t, len(got)-1, at)
	got, _ = profile.WithSection("", "Quirks", nil)
	require.Equal(t, "## Quirks\n- \n", got)

	s := editing(t, text)
	check := &profile.Check{Turn: s.Current, Format: s.Format, Outline: parts}
	s, _ = apptest.Step(s, profile.Checked{Domain: "shop.example", Check: check})
	_, effects := apptest.Step(s, profile.SectionChosen{Name: "Regions"})
	require.Equal(t, []core.Effect{profile.FocusProfile{Line: 4}}, effects)
	s, effects = apptest.Step(s, profile.SectionChosen{Name: profile.ProfileFront})
	require.Contains(t, effects, core.Effect(profile.FocusProfile{}))
	require.True(t, strings.HasPrefix(profile.OpenDraft(s).Text, profiles.CommentedRules()+"# a"))
	_, effects = apptest.Step(s, profile.SectionChosen{Name: "Quirks"})
	require.Empty(t, effects, "the outline is of another text")
}

func TestImportIsTold(t *testing.T) {
	s := editing(t, "")
	_, effects := apptest.Step(s, profile.ImportAsked())
	require.Equal(t, []core.Effect{profile.ImportProfiles{}}, effects)
	s, effects = apptest.Step(s, profile.Imported{Folder: "/c", Taken: 2, Kept: 1})
	require.Equal(t, "2 profiles imported from /c.", s.Notice.Text)
	require.IsType(t, profile.FindProfile{}, effects[0])
	s, _ = apptest.Step(s, profile.Imported{Folder: "/c"})
	require.Equal(t, "There are no profiles in /c.", s.Notice.Text)
}

func TestARecipeRuns(t *testing.T) {
	s := editing(t, "# a\n## Recipes\n")
	require.False(t, profile.CanRunRecipes(s), "there is none")
	click := `{"steps":[{"click":"s1e4"}]}`
	s, _ = apptest.Step(s, profile.Checked{Domain: "shop.example", Check: &profile.Check{Turn: s.Current, Format: s.Format,
		Recipes: []profile.Recipe{{Name: "accept", Line: 2, Steps: click}}}})
	require.True(t, profile.ViewOf(s).CanRun)
	_, effects := apptest.Step(s, profile.RecipeRun{Index: 1})
	require.Empty(t, effects)
	core.Edit[steps.Model](&s).Console.Text = "in the console"
	ran, effects := apptest.Step(s, profile.RecipeRun{Index: 0})
	require.Equal(t, click, effects[len(effects)-1].(steps.RunSteps).Text)
	require.Equal(t, steps.Drawer, ran.Drawer)
	require.Equal(t, "in the console", steps.Of(ran).Console.Text)
	s, _ = typing(s, "# other\n")
	require.False(t, profile.CanRunRecipes(s), "the list is of another text")
	_, effects = apptest.Step(s, profile.RecipeRun{Index: 0})
	require.Empty(t, effects)
}

// TestAFaultIsNotSavedUnderAGreenStrip: a line that does nothing is shown under the editor and
// refused; what is only doubtful is saved and told.
func TestAFaultIsNotSavedUnderAGreenStrip(t *testing.T) {
	s := editing(t, "# a\n")
	s, _ = typing(s, "---\nfilter:\n  - .a)\n---\n# b\n")
	s, _ = apptest.Step(s, profile.SaveAsked())
	fault := profile.Row{Line: 3, Text: "filter .a): unexpected )", Tone: core.ToneBad}
	refused, effects := apptest.Step(s, profile.Saved{Domain: "shop.example", Faults: []profile.Row{fault}})
	require.Equal(t, core.ToneBad, refused.Notice.Tone)
	require.Contains(t, refused.Notice.Text, "was not saved: line 3, filter .a)")
	require.True(t, profile.OpenDraft(refused).Unsaved())
	require.False(t, profile.OpenDraft(refused).Saving)
	require.True(t, profile.ViewOf(refused).Checks)
	require.Contains(t, effects, core.Effect(profile.FocusProfile{Line: 3}))

	d := profile.OpenDraft(refused)
	checked, _ := apptest.Step(refused, profile.Checked{Domain: "shop.example",
		Check: &profile.Check{Seq: d.Seq, Turn: refused.Current, Format: refused.Format, Rows: []profile.Row{fault},
			Fatal: 1, Problems: 1}})
	require.Equal(t, "Line 3: filter .a): unexpected )", profile.ViewOf(checked).Fault)

	for name, back := range map[string]func(core.State) core.State{
		"undone":  func(s core.State) core.State { s, _ = apptest.Step(s, profile.Undone{}); return s },
		"retyped": func(s core.State) core.State { s, _ = typing(s, "# a\n"); return s },
	} {
		went := back(refused)
		require.False(t, profile.OpenDraft(went).Unsaved(), name)
		require.Nil(t, went.Notice, "what was said of a text goes with it: %s", name)
	}

	doubt := profile.Row{Line: 1, Text: "filter \"html\" leaves out the whole page", Tone: core.ToneWarn}
	told, _ := apptest.Step(s, profile.Saved{Domain: "shop.example", Doubts: []profile.Row{doubt},
		File: profiles.File{Domain: "shop.example", Text: profile.OpenDraft(s).Text, Version: "v2"}})
	require.Equal(t, core.ToneWarn, told.Notice.Tone)
	require.Contains(t, told.Notice.Text, "with 1 problem: line 1")
	require.False(t, profile.OpenDraft(told).Unsaved())
}

// TestUnsavedTextsSurvive: whatever changes a text that is not saved has it kept on disk, whatever saves or reverts it has
// it forgotten, and the next window has it in its editor.
func TestUnsavedTextsSurvive(t *testing.T) {
	s := editing(t, "# a\n")
	kept := func(effects []core.Effect) *profile.KeepUnsaved {
		for _, e := range effects {
			if k, ok := e.(profile.KeepUnsaved); ok {
				return &k
			}
		}
		return nil
	}
	mine := []profiles.Unsaved{{Domain: "shop.example", Text: "# b\n", BaseText: "# a\n", Base: "v1"}}
	typed, effects := typing(s, "# b\n")
	require.Equal(t, &profile.KeepUnsaved{Texts: mine}, kept(effects))
	_, effects = apptest.Step(typed, core.Escaped{})
	require.Nil(t, kept(effects), "nothing changed")
	gone := &profile.KeepUnsaved{Gone: []string{"shop.example"}}
	for what, m := range map[string]core.Msg{
		"undo": profile.Undone{}, "revert": profile.Reverted{},
		"found out to be the same": profile.Typed{Domain: "shop.example", Given: profile.OpenDraft(typed).Given, Text: "# a\n"},
	} {
		_, effects = apptest.Step(typed, m)
		require.Equal(t, gone, kept(effects), what)
	}
	saving, _ := apptest.Step(typed, profile.SaveAsked())
	_, effects = apptest.Step(saving, profile.Saved{Domain: "shop.example", File: profiles.File{Domain: "shop.example", Text: "# b\n",
		Version: "v2"}})
	require.Equal(t, gone, kept(effects), "saved")

	// The next window: the profile as it was, one that was changed meanwhile, and one of another page.
	next := apptest.Captured(t)
	next.Side = profile.Side
	next, _ = profile.Fill(next)
	other := profiles.Unsaved{Domain: "b.example", Text: "# new\n"}
	for base, want := range map[profiles.Version]string{"v1": "# a\n", "v7": "# theirs\n"} {
		file := profiles.File{Domain: "shop.example", Text: want, Version: base}
		s, _ := apptest.Step(next, profile.Found{Seq: 1, File: file})
		s, effects := apptest.Step(s, profile.Recovered([]profiles.Unsaved{mine[0], other}))
		require.Equal(t, "# b\n", profile.OpenDraft(s).Text)
		require.Equal(t, profiles.Version("v1"), profile.OpenDraft(s).File.Version, "saving it finds what somebody else wrote")
		require.Equal(t, "# new\n", profile.DraftOf(s, "b.example").Text)
		require.Contains(t, s.Notice.Text, "Unsaved texts of 2 profiles")
		require.Len(t, kept(effects).Texts, 2)
		s, _ = apptest.Step(s, profile.Reverted{})
		require.Equal(t, "# a\n", profile.OpenDraft(s).Text)
		require.Nil(t, s.Notice)
	}
}

// TestUnsavedIsToldAtTheStart: what an earlier window has not saved is looked for before anybody opens Profile; it is
// told and marked at the side, but never in the place of what is wrong.
func TestUnsavedIsToldAtTheStart(t *testing.T) {
	theirs := []profiles.Unsaved{{Domain: "shop.example", Text: "# b\n", BaseText: "# a\n", Base: "v1"}}
	for name, problem := range map[string]*core.Problem{"": nil, "no session": {Sentence: "The folder cannot be used."}} {
		t.Run(name, func(t *testing.T) {
			s, _ := apptest.Step(apptest.Begun(t, ""), core.SessionOpened{Task: 1, Problem: problem})
			_, effects := apptest.Step(s, profile.Began())
			require.Equal(t, []core.Effect{profile.RecoverUnsaved{}}, effects)
			none, _ := apptest.Step(s, profile.Recovered(nil))
			require.Equal(t, s.Notice, none.Notice)
			s, _ = apptest.Step(s, profile.Recovered(theirs))
			if problem == nil {
				require.Equal(t, "An unsaved text of the profile of shop.example is back in the editor.", s.Notice.Text)
			} else {
				require.Equal(t, problem.Sentence, s.Notice.Text)
			}
			at := slices.IndexFunc(s.SideTabs(), func(tab core.SideTab) bool { return tab.Side == profile.Side })
			require.NotEmpty(t, s.SideTabs()[at].Badges)
			s, _ = apptest.Step(s, profile.Found{File: profiles.File{Domain: "shop.example", Text: "# theirs\n", Version: "v7"}})
			require.Equal(t, "# b\n", profile.OpenDraft(s).Text)
			require.Equal(t, profiles.Version("v1"), profile.OpenDraft(s).File.Version)
		})
	}
}
