package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/gui/whatif"
	"github.com/refscope/refscope/profiles"
)

const shopProfile = `---
filter:
  - dialog
redact:
  - selector: h1
wait:
  quiet: 400ms
facts:
  - 2026-11-02 main content is in the form
---
# 127.0.0.1
Updated: 2026-11-02

## Environment
- a demo shop, server rendered

## Quirks
- the cookie banner covers the button

## Recipes
accept the cookies:
` + "```json\n{\"steps\":[{\"click\":{\"text\":\"Accept all\"}}]}\n```\n"

// withStore opens a window with a folder of profiles.
func withStore(t testing.TB, text string) (*bench, *profiles.Store) {
	t.Helper()
	store := profiles.Open(filepath.Join(t.TempDir(), "profiles"), filepath.Join(t.TempDir(), "sites"))
	if text != "" {
		_, err := store.Save(context.Background(), "127.0.0.1", text, "")
		require.NoError(t, err)
	}
	f := newFake()
	f.profiles.store = store
	b := open(t, f, nil)
	b.await("a turn", func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 })
	b.settled()
	return b, store
}

// profileChecked waits until what is in the editor is known.
func (b *bench) profileChecked() core.State {
	b.t.Helper()
	return b.await("a check", func(s core.State) bool {
		d := profile.OpenDraft(s)
		return d != nil && d.Check != nil && d.Check.Seq == d.Seq && d.Check.Turn == s.Current
	})
}

func (b *bench) pane() *profile.View { return b.shell.panes.sides.panes[profile.Side].(*profile.View) }

// write puts a text in place of the editor's, as a person does who pastes it over all.
func (b *bench) write(text string) {
	clip := b.shell.opt.App.Clipboard()
	clip.SetContent(text)
	b.pane().Editor().TypedShortcut(&fyne.ShortcutSelectAll{})
	b.pane().Editor().TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip})
}

func TestProfileOpensByItself(t *testing.T) {
	b, _ := withStore(t, shopProfile)
	b.command(profile.CmdProfile)
	s := b.profileChecked()
	vm := profile.ViewOf(s)
	require.Equal(t, "127.0.0.1", vm.Domain)
	require.Equal(t, shopProfile, vm.Text)
	require.Contains(t, vm.Facts[1].Text, "any port")
	require.Contains(t, vm.Effect.Rows.Doc.Text, "removes")
	require.NotZero(t, vm.Check.Redacted)
	b.shoot("60-profile-dark")
	b.command(profile.CmdProfileChecks)
	b.profileChecked()
	b.shoot("61-checks-dark")
	b.command(profile.CmdProfilePreview)
	b.profileChecked()
	b.shoot("62-preview-dark")
	b.command(core.CmdTheme)
	b.command(profile.CmdProfileEdit)
	b.command(profile.CmdProfileChecks)
	b.profileChecked()
	b.shoot("63-profile-light")
}

func TestProfileIsMadeAndSaved(t *testing.T) {
	b, store := withStore(t, "")
	b.command(profile.CmdProfile)
	s := b.await("no profile", func(s core.State) bool { return profile.ViewOf(s).Missing != "" })
	require.Contains(t, profile.ViewOf(s).Missing, "No profile for 127.0.0.1_20417 yet")
	b.shoot("64-missing-dark")

	b.command(profile.CmdProfileMake)
	s = b.await("a first text", func(s core.State) bool { return profile.OpenDraft(s).Text != "" })
	require.Contains(t, profile.OpenDraft(s).Text, "## Regions")
	require.Contains(t, coretest.SideText(s, profile.Side), "unsaved")
	b.profileChecked()
	require.Equal(t, fyne.Focusable(b.pane().Editor()), b.shell.win.Canvas().Focused())

	// A filter that is typed shows at once what it takes away.
	made := profile.OpenDraft(s).Text
	b.write("---\nfilter:\n  - dialog\n---\n" + made)
	s = b.profileChecked()
	require.Contains(t, profile.ViewOf(s).Effect.Rows.Doc.Text, "Accept all")
	require.Contains(t, profile.ViewOf(s).Bar[0].Text, "Unsaved profile")
	b.shoot("65-unsaved-dark")

	// Undo is the state's, a step at a time.
	b.pane().Editor().TypedShortcut(&fyne.ShortcutUndo{})
	b.await("the text before", func(s core.State) bool { return profile.OpenDraft(s).Text == made })
	require.Equal(t, made, b.pane().Editor().Text())
	b.pane().Editor().TypedShortcut(&fyne.ShortcutRedo{})
	b.await("the filter again", func(s core.State) bool { return profile.OpenDraft(s).Text != made })
	b.profileChecked()

	b.command(profile.CmdProfileSave)
	s = b.await("saved", func(s core.State) bool { return !profile.OpenDraft(s).Unsaved() })
	require.Contains(t, Note(s).Text, "Saved the profile of 127.0.0.1_20417")
	f, err := store.Load("127.0.0.1_20417")
	require.NoError(t, err)
	require.Equal(t, profile.OpenDraft(s).Text, f.Text)

	// The versions before, compared and brought back.
	b.write(made)
	b.profileChecked()
	b.command(profile.CmdProfileSave)
	b.await("saved again", func(s core.State) bool { return !profile.OpenDraft(s).Unsaved() })
	b.command(profile.CmdProfileHistory)
	s = b.await("a comparison", func(s core.State) bool {
		d := profile.OpenDraft(s)
		return d.Diff != nil &&
			len(d.History) == 1
	})
	require.Contains(t, profile.OpenDraft(s).Diff.Doc.Text, "-   - dialog")
	b.shoot("66-history-dark")
	b.command(profile.CmdProfileRestore)
	s = b.await("the version", func(s core.State) bool { return profile.OpenDraft(s).Unsaved() })
	require.Contains(t, profile.OpenDraft(s).Text, "- dialog")
	require.Equal(t, profile.OpenDraft(s).Text, b.pane().Editor().Text())
}

func TestTwoWritersLoseNoWord(t *testing.T) {
	b, store := withStore(t, shopProfile)
	b.command(profile.CmdProfile)
	b.profileChecked()
	mine := strings.Replace(shopProfile, "- a demo shop", "- MINE", 1)
	b.write(mine)
	b.profileChecked()
	theirs := strings.Replace(shopProfile, "- the cookie banner", "- THEIRS", 1)
	_, err := store.Save(context.Background(), "127.0.0.1", theirs, profiles.VersionOf(shopProfile))
	require.NoError(t, err)

	b.command(profile.CmdProfileSave)
	s := b.await("the conflict", func(s core.State) bool { return profile.ViewOf(s).Conflict != nil })
	f, err := store.Load("127.0.0.1")
	require.NoError(t, err)
	require.Equal(t, theirs, f.Text, "nothing was overwritten")
	require.Equal(t, mine, profile.OpenDraft(s).Text)
	b.settled()
	b.shoot("67-conflict-dark")
	b.command(core.CmdTheme)
	b.settled()
	b.shoot("68-conflict-light")

	b.shell.Dispatch(profile.Resolved(profile.KeepBoth))
	s = b.await("both", func(s core.State) bool { return profile.ViewOf(s).Conflict == nil })
	require.Contains(t, profile.OpenDraft(s).Text, "- MINE")
	require.Contains(t, profile.OpenDraft(s).Text, "- THEIRS")
	require.Equal(t, profile.OpenDraft(s).Text, b.pane().Editor().Text())
	b.command(profile.CmdProfileSave)
	b.await("saved", func(s core.State) bool { return !profile.OpenDraft(s).Unsaved() })
	history, err := store.History("127.0.0.1")
	require.NoError(t, err)
	require.Equal(t, theirs, history[len(history)-1].Text)
}

func TestClosingWithUnsavedWork(t *testing.T) {
	b, store := withStore(t, shopProfile)
	b.command(profile.CmdProfile)
	b.profileChecked()
	b.write(shopProfile + "- one more\n")
	b.profileChecked()
	b.command("quit")
	s := b.await("the question", func(s core.State) bool { return s.Dialog == core.DialogUnsaved })
	require.Contains(t, profile.UnsavedQuestion(s).Text, "127.0.0.1 is not saved")
	b.settled()
	b.shoot("69-leaving-dark")
	b.shell.escape()
	s = b.await("staying", func(s core.State) bool { return s.Dialog == core.DialogNone })
	require.False(t, b.shell.closed)
	require.True(t, profile.OpenDraft(s).Unsaved())

	// What cannot be saved keeps the window open.
	b.engine.profiles.mu.Lock()
	b.engine.profiles.err = errors.New("no space left on device")
	b.engine.profiles.mu.Unlock()
	b.command("quit")
	b.shell.Dispatch(profile.LeavingChosen{Save: true})
	s = b.await("why", func(s core.State) bool { return s.Notice != nil && s.Notice.Tone == core.ToneBad })
	require.Contains(t, s.Notice.Text, "no space left")
	require.False(t, b.shell.closed)

	b.engine.profiles.mu.Lock()
	b.engine.profiles.err = nil
	b.engine.profiles.mu.Unlock()
	b.command("quit")
	b.shell.Dispatch(profile.LeavingChosen{Save: true})
	b.await("the end", func(core.State) bool { return b.shell.closed })
	f, err := store.Load("127.0.0.1")
	require.NoError(t, err)
	require.Contains(t, f.Text, "- one more")
}

// TestTheProfileThatAnotherProgramWrote: a person who comes back to the window sees the file as it is now.
func TestTheProfileThatAnotherProgramWrote(t *testing.T) {
	b, store := withStore(t, shopProfile)
	b.command(profile.CmdProfile)
	s := b.await("the profile", func(s core.State) bool { return profile.OpenDraft(s) != nil })
	draft := profile.OpenDraft(s)
	_, err := store.Save(t.Context(), draft.File.Domain, "# Written elsewhere\n", draft.File.Version)
	require.NoError(t, err)
	b.shell.opt.App.Lifecycle().(interface{ OnEnteredForeground() func() }).OnEnteredForeground()()
	b.await("its text", func(s core.State) bool { return profile.OpenDraft(s).Text == "# Written elsewhere\n" })
}

func TestKeysOfTheProfile(t *testing.T) {
	b, _ := withStore(t, shopProfile)
	test.TypeOnCanvas(b.shell.win.Canvas(), "e")
	b.await("the side", func(s core.State) bool { return s.Side == profile.Side })
	b.profileChecked()
	// A section that is there is jumped to, one that is not is added in its place.
	b.shell.Dispatch(profile.SectionChosen{Name: "Quirks"})
	b.await("the cursor", func(core.State) bool { return b.pane().Line() == 17 })
	test.Type(b.pane().Editor(), "w")
	s := b.await("a letter", func(s core.State) bool { return profile.OpenDraft(s).Unsaved() })
	require.Equal(t, profile.Side, s.Side, "a letter in the editor is a letter")
	b.profileChecked()
	b.shell.Dispatch(profile.SectionChosen{Name: "Regions"})
	s = b.await("a section", func(s core.State) bool {
		return strings.Contains(profile.OpenDraft(s).Text, "## Regions\n- \n\n## Recipes")
	})
	require.Equal(t, 21, b.pane().Line())
	b.pane().Editor().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	b.settled()
	require.Nil(t, b.shell.win.Canvas().Focused())
	test.TypeOnCanvas(b.shell.win.Canvas(), "w")
	b.await("the other side", func(s core.State) bool { return s.Side == whatif.Side })
}

func TestWhatIf(t *testing.T) {
	b, _ := withStore(t, "")
	b.command(core.CmdWhatIf)
	built := func(ok func(whatif.VM) bool) whatif.VM {
		return whatif.ViewOf(b.await("a comparison", func(s core.State) bool {
			v := whatif.ViewOf(s)
			return whatif.Of(s).Built != nil && whatif.Of(s).Built.Setup == v.Setup && ok(v)
		}))
	}
	v := built(func(whatif.VM) bool { return true })
	require.Contains(t, v.List.Empty, "the same")
	b.shell.Dispatch(whatif.Changed{Given: true, Setup: whatif.Setup{Drop: "dialog", MaxChars: 250}})
	v = built(func(v whatif.VM) bool { return v.Text.Doc != nil })
	require.Contains(t, v.Text.Doc.Text, "- [9]<dialog>")
	b.settled()
	b.shoot("70-whatif-dark")
	b.command(whatif.CmdWhole)
	b.shell.Dispatch(whatif.Changed{Given: true, Setup: whatif.Setup{Format: "semantic", MinVisible: 90}})
	built(func(v whatif.VM) bool { return v.Text.Doc != nil })
	b.command(core.CmdTheme)
	b.settled()
	b.shoot("71-whatif-light")
	b.shell.Dispatch(whatif.Changed{Given: true, Setup: whatif.Setup{Format: "aria", Detail: "interactive",
		MarkCovered: true}})
	built(func(v whatif.VM) bool { return v.Text.Doc != nil })
	b.settled()
	b.shoot("72-whatif-aria-light")
	b.command(whatif.CmdCopy)
	b.settled()
	require.Equal(t, "refscopectl whatif --format aria --mark-covered --detail interactive '/home/window#1'",
		b.shell.opt.App.Clipboard().Content())
	b.command(whatif.CmdReset)
	v = built(func(v whatif.VM) bool { return !v.CanReset })
	require.Equal(t, whatif.Setup{Format: "aria"}, v.Setup)
}

func TestARecipeRunsInTheTab(t *testing.T) {
	b, _ := withStore(t, shopProfile)
	b.command(profile.CmdProfile)
	b.profileChecked()
	b.command(profile.CmdProfileRecipes)
	b.settled()
	b.shell.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s := b.await("a turn of the recipe", func(s core.State) bool { return s.Current.N == 2 && len(s.Tasks) == 0 })
	require.Equal(t, []string{`{"steps":[{"click":{"text":"Accept all"}}]}`}, b.engine.in.ran)
	require.Equal(t, steps.Drawer, s.Drawer)
	b.profileChecked()
	b.shoot("73-recipe-dark")
}

// BenchmarkKeyInAProfile is how long a letter in a profile of 200 kB takes, until the window has handed it to its panes.
func BenchmarkKeyInAProfile(b *testing.B) {
	w, _ := withStore(b, shopProfile+strings.Repeat("- a line that says something about the site, and wraps\n", 3600))
	w.command(profile.CmdProfile)
	w.profileChecked()
	for _, line := range []int{1, 1800, 3600} {
		b.Run(fmt.Sprint("line ", line), func(b *testing.B) {
			w.pane().Editor().GoToLine(line)
			for b.Loop() {
				seq := profile.OpenDraft(w.shell.State()).Seq
				w.pane().Editor().TypedRune('x')
				w.await("the letter", func(s core.State) bool { return profile.OpenDraft(s).Seq > seq })
			}
		})
	}
}
